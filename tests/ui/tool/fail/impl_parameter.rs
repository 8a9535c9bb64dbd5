#![allow(unused_variables)]

/// Echoes.
#[byre::tool]
async fn echo(text: impl Into<String>, list: Vec<impl Copy>) -> String {
    text.into()
}

fn main() {}
