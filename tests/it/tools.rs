//! What a program sees of its own tools and hooks.

use byre::{
    hook::{HookEvent, StopInput, StopOutput},
    tool::Tool,
};
use serde_json::json;

mod notes {
    /// Searches the notes.
    #[byre::tool(read_only)]
    pub(crate) async fn search(
        /// What to look for.
        words: String,
        #[arg(default = 10)] limit: u32,
    ) -> String {
        format!("{limit} notes about {words}")
    }
}

/// Adds two integers.
#[byre::tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[byre::hook]
async fn say_goodbye(input: StopInput) -> StopOutput {
    if input.stop_hook_active { StopOutput::allow() } else { StopOutput::block("Say goodbye.") }
}

#[tokio::test]
async fn functions_stay_functions() {
    assert_eq!(add(2, 3).await, 5);
    assert_eq!(notes::search("cows".to_owned(), 2).await, "2 notes about cows");
    let input = serde_json::from_value(json!({"stop_hook_active": true})).unwrap();
    assert_eq!(say_goodbye(input).await, StopOutput::allow());
}

#[test]
fn tools_and_hooks_are_named_by_their_paths() {
    let tools = byre::tools![add, notes::search];
    let names: Vec<_> = tools.iter().map(Tool::name).collect();
    assert_eq!(names, ["add", "search"]);
    assert_eq!(tools[1].annotations().read_only_hint, Some(true));
    assert!(byre::tools![].is_empty());
    assert_eq!(byre::hooks![say_goodbye][0].event(), HookEvent::Stop);
}

#[test]
fn texts_that_the_cli_would_cut_are_refused_by_its_own_count() {
    let check = |instructions: String| {
        byre::Session::builder().tools(byre::tools![add]).instructions(instructions).check()
    };
    check("x".repeat(4096)).unwrap();
    check("\u{1f404}".repeat(2048)).unwrap();
    let error = check("\u{1f404}".repeat(2049)).unwrap_err().to_string();
    assert!(error.contains("4098 characters"), "{error}");
}

#[test]
fn a_schema_has_the_words_of_the_comments() {
    assert_eq!(
        byre::tools![notes::search][0].input_schema(),
        json!({
            "type": "object",
            "properties": {
                "words": {"type": "string", "description": "What to look for."},
                "limit": {"type": "integer", "minimum": 0, "default": 10},
            },
            "required": ["words"],
            "additionalProperties": false,
        })
    );
}
