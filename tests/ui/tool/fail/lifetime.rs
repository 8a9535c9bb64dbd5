/// Echoes.
#[byre::tool]
async fn echo<'a>(text: &'a str) -> String {
    text.to_owned()
}

fn main() {}
