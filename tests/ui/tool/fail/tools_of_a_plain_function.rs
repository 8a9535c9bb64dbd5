async fn plain() {}

struct Struct;

fn main() {
    byre::tools![Struct];
}
