#![deny(warnings)]

use byre::{State, ToolContext};

type Words = State<Vec<String>>;

/// Looks.
#[byre::tool]
async fn look(
    first: i64,
    State(word): State<String>,
    words: Words,
    _: ToolContext,
    r#in: ToolContext,
    #[arg(default = 2)] last: i64,
) -> i64 {
    drop((word, words, r#in));
    first + last
}

fn main() {
    let [look] = &byre::tools![look][..] else { unreachable!() };
    assert_eq!(look.input_schema()["required"], serde_json::json!(["first"]));
}
