/// Echoes.
#[byre::tool]
async fn echo(text: String) -> &str {
    ""
}

fn main() {}
