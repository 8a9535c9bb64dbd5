use byre::State;

/// Greets.
#[byre::tool]
async fn greet(#[arg(default)] State(word): State<String>) -> String {
    word
}

fn main() {}
