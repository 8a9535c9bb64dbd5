async fn plain() {}

fn main() {
    byre::tools![plain];
}
