//! The messages of the CLI's MCP client.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use super::{check_line, poll_once};
use crate::{
    Json, ToolContext,
    server::{Reply, Server},
    tool::Tool,
    wire::jsonrpc::Message,
};

/// Adds two integers.
#[byre::tool(register = false, read_only)]
async fn add(a: i64, b: i64) -> i64 {
    a.wrapping_add(b)
}

/// Says what it is told.
#[byre::tool(register = false)]
async fn echo(text: String, #[arg(default = 1)] times: u8) -> Result<String, String> {
    if text.is_empty() {
        Err("there is nothing to say".to_owned())
    } else {
        Ok(text.repeat(times.min(4).into()))
    }
}

/// Never ends.
#[byre::tool(register = false)]
async fn look() {
    std::future::pending::<()>().await;
}

/// One of the types that a tool may take.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
enum Shape {
    Circle { radius: f64 },
    Path { points: Vec<(i32, i32)>, closed: Option<bool> },
    Group { name: char, parts: HashMap<String, Shape> },
}

/// Gives back what it is given.
#[byre::tool(register = false)]
async fn mirror(
    context: ToolContext,
    shape: Shape,
    list: Option<Vec<Option<u64>>>,
    anything: Option<Value>,
) -> Json<(Shape, Option<Vec<Option<u64>>>, Option<Value>, bool)> {
    context.progress(1.0, None, "half");
    Json((shape, list, anything, context.tool_use_id().is_some()))
}

/// Tools of several kinds.
pub(super) fn tools() -> Vec<Tool> {
    crate::tools![add, echo, look, mirror]
}

/// A server of these tools.
pub(super) fn server() -> Server {
    Server::new("byre".to_owned(), Some("Do as you like.".to_owned()), tools())
}

/// Reads every line of `data` as a message.
pub fn mcp(data: &[u8]) {
    let server = server();
    let text = String::from_utf8_lossy(data);
    let mut running = Vec::new();
    for line in text.lines() {
        match server.handle(&Message::parse(line)) {
            Reply::Now(answer) => check_answer(line, &answer),
            Reply::Later(answer) => {
                let mut answer = Box::pin(answer);
                match poll_once(&mut answer) {
                    Some(Some(answer)) => check_answer(line, &answer),
                    Some(None) => panic!("it was not cancelled: {line}"),
                    // Waits for ever, so that later lines may cancel it.
                    None => running.push(answer),
                }
            }
            Reply::Acknowledged => {
                assert!(!matches!(Message::parse(line), Message::Request { .. }), "{line}");
            }
        }
    }
    for answer in running {
        // Cancelled, or still waiting.
        assert!(matches!(poll_once(answer), None | Some(None)));
    }
}

/// Compares the id with that of the message, to the letter: the CLI ignores an answer with another one.
fn check_answer(message: &str, answer: &str) {
    #[derive(Deserialize)]
    struct Ids<'a> {
        #[serde(borrow)]
        id: &'a RawValue,
        result: Option<&'a RawValue>,
        error: Option<&'a RawValue>,
    }
    check_line(answer);
    let answered: Ids<'_> = serde_json::from_str(answer).expect("an answer has an id");
    assert!(answered.result.is_some() != answered.error.is_some(), "{answer}");
    if let Message::Request { .. } = Message::parse(message) {
        let asked: Ids<'_> = serde_json::from_str(message).expect("a request has an id");
        assert_eq!(answered.id.get(), asked.id.get());
    }
}
