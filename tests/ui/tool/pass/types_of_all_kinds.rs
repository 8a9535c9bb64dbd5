//! What may go in and out.

use std::{borrow::Cow, collections::HashMap};

use byre::{
    Json,
    tool::{CallToolResult, Content},
};

type Alias<T> = Option<T>;
type Answer<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Takes.
#[byre::tool]
async fn take(
    a: Alias<u8>,
    b: Option<Vec<(u8, String)>>,
    c: HashMap<String, [f32; 2]>,
    d: Cow<'static, str>,
    e: serde_json::Value,
    f: Box<i128>,
    #[arg(default = [1, 2])] g: [u8; 2],
) {
    drop((a, b, c, d, e, f, g));
}

/// Fails.
#[byre::tool]
async fn fail() -> Answer<Json<Vec<u8>>> {
    Err("always")?;
    Ok(Json(vec![]))
}

/// Shows.
#[byre::tool]
async fn show(error: bool) -> Result<Vec<Content>, &'static str> {
    if error { Err("error") } else { Ok(vec![Content::text("x")]) }
}

/// Says it all.
#[byre::tool]
async fn all() -> CallToolResult {
    CallToolResult::error("no")
}

fn main() {
    assert_eq!(byre::tools![take, fail, show, all].len(), 4);
}
