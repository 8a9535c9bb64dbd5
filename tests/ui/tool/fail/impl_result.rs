/// Echoes.
#[byre::tool]
async fn echo(text: String) -> impl std::fmt::Display {
    text
}

fn main() {}
