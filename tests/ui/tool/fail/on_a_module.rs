#[byre::tool]
mod notes {}

fn main() {}
