#![deny(
    warnings,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    rust_2018_idioms,
    single_use_lifetimes,
    unreachable_pub,
    unused,
    unused_qualifications
)]
#![forbid(unsafe_code)]
//! The generated code has no warnings of its own.

use byre::Json;

/// Adds.
#[byre::tool]
pub async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Subtracts.
#[byre::tool(register = false)]
async fn subtract(a: i64, #[arg(default = 1)] b: i64) -> Json<i64> {
    Json(a - b)
}

mod inner {
    /// Shouts.
    #[byre::tool]
    pub(crate) async fn shout(#[arg(default = "hey")] text: String) -> Result<String, String> {
        Ok(text.to_uppercase())
    }
}

fn main() {
    let _ = byre::tools![add, subtract, inner::shout];
}
