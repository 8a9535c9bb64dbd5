use byre::hook::StopInput;

#[derive(Clone)]
struct Db;

#[byre::hook]
async fn stop(_: StopInput, db: Db) {
    drop(db);
}

fn main() {}
