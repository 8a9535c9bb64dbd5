//! The description is found wherever other attributes stand.

#[allow(dead_code)]
/// Adds
#[byre::tool]
/// two
#[inline]
/// integers.
#[must_use]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/** Subtracts
 * two integers. */
#[byre::tool]
#[deprecated = "use add"]
async fn subtract(
    /** The first. */
    a: i64,
    #[doc = "The second."]
    b: i64,
) -> i64 {
    a - b
}

#[byre::tool]
#[cfg(any())]
/// Not there.
async fn absent(a: NoSuchType) {}

#[byre::tool(description = "Says it itself")]
async fn described() {}

fn main() {
    assert_eq!(byre::tools![add][0].description(), "Adds two integers.");
    let tools = byre::tools![subtract, described];
    assert_eq!(tools[0].description(), "Subtracts two integers.");
    assert_eq!(tools[0].input_schema()["properties"]["b"]["description"], "The second.");
    assert_eq!(tools[1].description(), "Says it itself");
}
