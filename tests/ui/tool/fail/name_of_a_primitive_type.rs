/// Says how a character is called.
#[byre::tool]
async fn char(of: char) -> String {
    of.to_string()
}

fn main() {}
