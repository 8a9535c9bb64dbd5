struct Warehouse;

#[byre::toolset(prefix = "a_prefix_that_is_really_far_too_long_for_the_names_of_tools_")]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count_what_there_is_of_everything_in_the_warehouse_and_around_it(&self) -> u8 {
        1
    }
}

fn main() {}
