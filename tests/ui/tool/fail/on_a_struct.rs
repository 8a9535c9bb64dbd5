/// Notes.
#[byre::tool]
pub struct Notes {
    words: String,
}

fn main() {}
