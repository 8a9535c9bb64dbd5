struct Warehouse;

fn main() {
    let _ = byre::Session::builder().tools(Warehouse);
}
