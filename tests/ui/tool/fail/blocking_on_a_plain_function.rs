/// Adds.
#[byre::tool(blocking)]
fn add(a: i64) -> i64 {
    a
}

fn main() {}
