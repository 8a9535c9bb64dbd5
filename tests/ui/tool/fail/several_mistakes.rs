#[byre::tool(nmae = "x")]
fn mix<T>(text: &str, (a, b): (i64, i64), größe: u8) -> impl Sized {
    let _ = (text, a, b, größe);
}

fn main() {
    mix::<u8>("", (1, 2), 3);
}
