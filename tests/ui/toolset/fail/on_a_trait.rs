#[byre::toolset]
trait Count {
    fn count(&self) -> u8;
}

fn main() {}
