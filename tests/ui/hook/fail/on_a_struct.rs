#[byre::hook]
struct Notes;

fn main() {}
