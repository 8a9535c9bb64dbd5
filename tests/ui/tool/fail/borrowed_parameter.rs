#![allow(unused_variables)]

use std::borrow::Cow;

/// Echoes.
#[byre::tool]
async fn echo(text: &str, list: &[u8], other: Cow<'_, str>, nested: Option<&str>) -> String {
    text.to_owned()
}

fn main() {}
