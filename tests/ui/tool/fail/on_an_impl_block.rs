struct Notes;

#[byre::tool]
impl Notes {}

fn main() {}
