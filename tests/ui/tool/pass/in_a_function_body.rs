//! A tool may stand in a function, and be named there.

fn main() {
    /// Adds.
    #[byre::tool]
    async fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    assert_eq!(byre::tools![add][0].name(), "add");
    {
        /// Adds more.
        #[byre::tool(name = "add-more")]
        async fn add(a: i64, b: i64, c: i64) -> i64 {
            a + b + c
        }

        assert_eq!(byre::tools![add][0].name(), "add-more");
    }
}
