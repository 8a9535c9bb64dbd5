//! Raw identifiers have plain names on the wire.

/// Finds.
#[byre::tool]
async fn r#match(r#type: String, mut r#final: Vec<String>) -> String {
    r#final.push(r#type);
    r#final.concat()
}

fn main() {
    let tool = &byre::tools![r#match][0];
    assert_eq!(tool.name(), "match");
    assert!(tool.input_schema()["properties"]["type"].is_object());
    assert!(tool.input_schema()["properties"]["final"].is_object());
}
