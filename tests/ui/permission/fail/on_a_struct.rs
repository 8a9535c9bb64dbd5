#[byre::permission]
struct Policy;

fn main() {}
