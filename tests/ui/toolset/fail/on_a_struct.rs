#[byre::toolset]
struct Warehouse;

fn main() {}
