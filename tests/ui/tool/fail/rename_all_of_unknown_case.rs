/// Adds.
#[byre::tool(rename_all = "camelcase")]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
