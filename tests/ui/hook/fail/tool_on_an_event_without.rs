use byre::hook::UserPromptSubmitInput;

/// Adds two integers.
#[byre::tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[byre::hook(tool = add)]
async fn before(_: UserPromptSubmitInput) {}

fn main() {}
