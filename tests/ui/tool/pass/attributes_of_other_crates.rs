//! An attribute that writes the function anew may stand above and below.

#![deny(warnings)]

/// Adds.
#[tracing::instrument]
#[byre::tool]
async fn above(
    /// The first.
    a: i64,
    #[serde(default)] b: i64,
) -> i64 {
    a + b
}

/// Adds.
#[byre::tool(read_only)]
#[tracing::instrument(skip(b), ret)]
async fn below(
    /// The first.
    a: i64,
    #[arg(default = 2)] b: i64,
) -> Result<i64, String> {
    Ok(a + b)
}

/// Adds.
#[byre::tool]
#[tracing::instrument]
fn sync(a: i64, b: i64) -> i64 {
    a + b
}

struct Sums;

#[byre::toolset]
impl Sums {
    /// Adds.
    #[tool]
    #[tracing::instrument(skip(self))]
    async fn add(&self, a: i64, #[arg(default)] b: i64) -> i64 {
        a + b
    }

    /// Adds.
    #[tracing::instrument]
    #[tool]
    async fn plus(a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {
    assert_eq!(byre::tools![above, below, sync].len() + byre::tool::IntoTools::into_tools(Sums).len(), 5);
    assert_eq!(byre::tools![above][0].input_schema()["required"], serde_json::json!(["a"]));
}
