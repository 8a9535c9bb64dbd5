//! Parameters, methods, and names around the block may be called what generated code calls its own.

#![allow(dead_code, non_camel_case_types)]

struct Option;
struct Box;
struct Vec;
struct Arc;
mod std {}
mod core {}
mod byre {}
mod serde {}

struct Odd;

#[::byre::toolset]
impl Odd {
    /// Takes odd names.
    #[tool]
    async fn into_tools(&self, parameters: i64, this: i64, arg0: i64, instance: i64, tools: i64) -> i64 {
        parameters + this + arg0 + instance + tools
    }

    /// Is called like a keyword.
    #[tool]
    fn r#match(#[serde(alias = "r")] r#type: i64, #[schemars(title = "x")] #[arg(default = 3)] value: u8) -> i64 {
        r#type + i64::from(value)
    }
}

fn main() {
    let tools = ::byre::tool::IntoTools::into_tools(Odd);
    assert_eq!(tools[1].name(), "match");
    assert!(tools[1].input_schema()["properties"]["type"].is_object());
}
