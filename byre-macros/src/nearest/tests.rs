use super::*;

#[test]
fn finds_what_was_meant() {
    let names = ["name", "title", "description", "read_only", "register"];
    for (typed, meant) in [
        ("nmae", Some("name")),
        ("titel", Some("title")),
        ("desc", Some("description")),
        ("readonly", Some("read_only")),
        ("read_only_hint", Some("read_only")),
        ("timeout", None),
        ("x", None),
    ] {
        assert_eq!(nearest(typed, &names), meant, "for {typed}");
    }
}
