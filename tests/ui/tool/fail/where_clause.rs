/// Echoes.
#[byre::tool]
async fn echo(text: String) -> String
where
    String: Clone,
{
    text
}

fn main() {}
