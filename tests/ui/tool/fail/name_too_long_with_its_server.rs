/// Adds.
#[byre::tool(server = "a_server_with_a_long_name_that_leaves_little_room_for_the_names_of_its_tools_which_is_a_pity_indeed")]
async fn add_two_integers_and_tell(a: i64) -> i64 {
    a
}

fn main() {}
