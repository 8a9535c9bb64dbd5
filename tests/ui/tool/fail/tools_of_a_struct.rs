struct Struct;

fn main() {
    byre::tools![Struct];
}
