//! byre may be called something else.

mod facade {
    pub use ::byre as yard;
}

use facade::yard;

/// Adds.
#[yard::tool(crate = facade::yard)]
async fn add(a: i64, #[arg(default)] b: i64) -> i64 {
    a + b
}

/// Subtracts.
#[yard::tool(crate = "crate::facade::yard")]
async fn subtract(a: i64, b: i64) -> i64 {
    a - b
}

#[yard::hook(crate = yard)]
async fn watch(_: yard::hook::StopInput) {}

fn main() {
    assert_eq!(yard::tools![add, subtract].len() + yard::hooks![watch].len(), 3);
}
