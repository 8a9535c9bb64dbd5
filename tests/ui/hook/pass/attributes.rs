#![deny(warnings)]

use byre::{
    HookContext, State,
    hook::{PreToolUseInput, PreToolUseOutput, StopInput},
};

/// Adds two integers.
#[byre::tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

mod nested {
    /// Multiplies two integers.
    #[byre::tool]
    pub async fn multiply(a: i64, b: i64) -> i64 {
        a * b
    }
}

#[byre::hook(tool = add, timeout = 0.5, on_failure = "continue")]
async fn before_sums(_: PreToolUseInput) {}

#[byre::hook(tool = nested::multiply)]
async fn before_products(_: PreToolUseInput) -> Option<PreToolUseOutput> {
    None
}

#[byre::hook(matcher = "^(?!Bash$)", on_failure = "block", name = "all but Bash")]
async fn guard(
    State(word): State<String>,
    PreToolUseInput { tool_name, .. }: PreToolUseInput,
    context: HookContext,
) -> Result<PreToolUseOutput, std::fmt::Error> {
    drop((word, tool_name, context));
    Ok(PreToolUseOutput::allow())
}

type Words = State<Vec<String>>;

#[byre::hook(timeout = 60)]
async fn stop(words: Words, _: StopInput) {
    assert!(words.is_empty());
}

fn main() {
    assert_eq!(byre::hooks![guard, before_sums, before_products, stop].len(), 4);
}
