use byre::hook::PreToolUseInput;

/// Adds two integers.
#[byre::tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[byre::hook(matcher = "Bash", tool = add)]
async fn both(_: PreToolUseInput) {}

fn main() {}
