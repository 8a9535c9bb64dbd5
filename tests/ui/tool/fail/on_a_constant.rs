#[byre::tool]
const NOTES: u8 = 1;

fn main() {}
