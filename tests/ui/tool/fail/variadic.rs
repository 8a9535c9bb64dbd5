/// Adds.
#[byre::tool]
async unsafe extern "C" fn add(a: i64, ...) -> i64 {
    a
}

fn main() {}
