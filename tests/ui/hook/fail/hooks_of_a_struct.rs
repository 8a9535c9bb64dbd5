struct Struct;

fn main() {
    byre::hooks![Struct];
}
