//! What becomes of the arguments of a call, and of a function that fails.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use super::*;

/// Calls a tool and compares the text of its error with `want`.
async fn check_error(tool: Tool, arguments: &str, want: &str) {
    let result = call(&tool, arguments).await;
    assert_eq!(result.text(), want, "for {arguments}");
    assert!(result.is_error, "for {arguments}");
}

#[tokio::test]
async fn a_tool_is_called_with_its_arguments() {
    let tool = only(crate::tools![add]);
    assert_eq!(call(&tool, r#"{"b":40,"a":2}"#).await, CallToolResult::new([Content::text("42")]));
    assert_eq!(add(2, 40).await, 42);
}

#[tokio::test]
async fn all_that_does_not_fit_is_told_at_once() {
    check_error(
        only(crate::tools![add]),
        r#"{"a":"x","c":1}"#,
        "the arguments of `add` do not fit:\n\
         - `a`: expected an integer, got the string \"x\"\n\
         - `b`: missing (an integer)\n\
         - `c`: unknown; did you mean `b`?",
    )
    .await;
    check_error(
        only(crate::tools![add]),
        r#"{"a":1,"b":2,"verbose":true}"#,
        "the arguments of `add` do not fit:\n- `verbose`: unknown; the parameters are `a`, `b`",
    )
    .await;
}

#[tokio::test]
async fn arguments_that_are_no_object_are_refused() {
    let text = "the arguments of `add` must be an object, not a list";
    check_error(only(crate::tools![add]), "[1,2]", text).await;
}

#[tokio::test]
async fn arguments_that_are_nested_too_deeply_are_refused() {
    let deep = format!(r#"{{"a":{}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    let text = "the arguments of `add` are nested too deeply; at most 128 levels fit";
    check_error(only(crate::tools![add]), &deep, text).await;
}

#[tokio::test]
async fn absent_null_and_empty_arguments_are_the_same() {
    /// Says hello.
    #[byre::tool(register = false)]
    async fn hello(name: Option<String>) -> String {
        format!("hello {}", name.as_deref().unwrap_or("you"))
    }

    let tool = only(crate::tools![hello]);
    assert_eq!(tool.call(None, &context()).await.text(), "hello you");
    assert_eq!(call(&tool, "null").await.text(), "hello you");
    assert_eq!(call(&tool, "{}").await.text(), "hello you");
    assert_eq!(call(&tool, r#"{"name":null}"#).await.text(), "hello you");
    assert_eq!(call(&tool, r#"{"name":"Ann"}"#).await.text(), "hello Ann");
}

#[tokio::test]
async fn a_tool_without_parameters_takes_none() {
    /// Does nothing.
    #[byre::tool(register = false)]
    async fn nothing() {}

    let tool = only(crate::tools![nothing]);
    assert_eq!(call(&tool, "{}").await, CallToolResult::new([]));
    let text = "the arguments of `nothing` do not fit:\n- `x`: unknown; there are no parameters";
    check_error(tool, r#"{"x":1}"#, text).await;
}

#[tokio::test]
async fn defaults_stand_for_what_is_absent_or_null() {
    type Maybe<T> = Option<T>;

    /// Shows its arguments.
    #[byre::tool(register = false)]
    async fn show(
        #[arg(default = "x")] text: String,
        #[arg(default = 2 + 3)] number: u8,
        #[arg(default)] list: Vec<i32>,
        #[arg(default = Some(1))] some: Maybe<i32>,
        alias: Maybe<i32>,
    ) -> String {
        format!("{text} {number} {list:?} {some:?} {alias:?}")
    }

    let tool = only(crate::tools![show]);
    let defaults = "x 5 [] Some(1) None";
    assert_eq!(call(&tool, "{}").await.text(), defaults);
    let nulls = r#"{"text":null,"number":null,"list":null,"some":null,"alias":null}"#;
    assert_eq!(call(&tool, nulls).await.text(), defaults);
    let all = r#"{"text":"a","number":1,"list":[2],"some":3,"alias":4}"#;
    assert_eq!(call(&tool, all).await.text(), "a 1 [2] Some(3) Some(4)");
}

#[tokio::test]
async fn a_json_value_takes_null_and_must_be_there() {
    /// Shows JSON.
    #[byre::tool(register = false)]
    async fn show(json: Value) -> Value {
        json
    }

    assert_eq!(call(&only(crate::tools![show]), r#"{"json":null}"#).await.text(), "null");
    let text = "the arguments of `show` do not fit:\n- `json`: missing (any JSON value)";
    check_error(only(crate::tools![show]), "{}", text).await;
}

#[tokio::test]
async fn whole_floats_are_integers() {
    let result = call(&only(crate::tools![add]), r#"{"a":2.0,"b":4e1}"#).await;
    assert_eq!(result.text(), "42");
    let text = "the arguments of `add` do not fit:\n- `a`: expected an integer, got the number 2.5";
    check_error(only(crate::tools![add]), r#"{"a":2.5,"b":1}"#, text).await;
}

#[tokio::test]
async fn the_last_of_duplicate_keys_wins() {
    let result = call(&only(crate::tools![add]), r#"{"a":1,"a":2,"b":1}"#).await;
    assert_eq!(result.text(), "3");
}

#[derive(Deserialize, JsonSchema)]
struct Item {
    price: f64,
    #[serde(default)]
    size: Size,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Size {
    #[default]
    Small,
    Large,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Options {
    #[allow(dead_code)]
    verbose: bool,
}

/// Adds up an order.
#[byre::tool(register = false)]
async fn total(items: Vec<Item>, options: Option<Options>, pair: Option<(u8, u8)>) -> f64 {
    let _ = (options, pair);
    items
        .iter()
        .map(|item| item.price * f64::from(u8::from(matches!(item.size, Size::Large)) + 1))
        .sum()
}

#[tokio::test]
async fn a_nested_problem_is_told_with_its_path() {
    for (arguments, line) in [
        (
            r#"{"items":[{"price":1},{"price":"two"}]}"#,
            "`items[1].price`: expected a number, got the string \"two\"",
        ),
        (r#"{"items":[{}]}"#, "`items[0].price`: missing (a number)"),
        (r#"{"items":[3]}"#, "`items[0]`: expected an object, got the number 3"),
        (r#"{"items":{"price":1}}"#, "`items`: expected a list, got an object"),
        (
            r#"{"items":[{"price":1,"size":"big"}]}"#,
            "`items[0].size`: expected one of `small`, `large`, got the string \"big\"",
        ),
        (
            r#"{"items":[{"price":1,"size":1}]}"#,
            "`items[0].size`: expected one of `small`, `large`, got the number 1",
        ),
        (
            r#"{"items":[],"options":{"verbos":true}}"#,
            "`options.verbose`: missing (true or false)\n\
             - `options.verbos`: unknown; did you mean `verbose`?",
        ),
        (r#"{"items":[],"options":{}}"#, "`options.verbose`: missing (true or false)"),
        (r#"{"items":[],"pair":[1]}"#, "`pair`: expected a list of 2 values, got 1"),
        (r#"{"items":[],"pair":[1,2,3]}"#, "`pair`: expected a list of 2 values, got 3"),
        (
            r#"{"items":[],"pair":[1,300]}"#,
            "`pair[1]`: expected an integer from 0 to 255, got the number 300",
        ),
        (r#"{"options":null}"#, "`items`: missing (a list)"),
    ] {
        let want = format!("the arguments of `total` do not fit:\n- {line}");
        check_error(only(crate::tools![total]), arguments, &want).await;
    }
    let result =
        call(&only(crate::tools![total]), r#"{"items":[{"price":2,"size":"large"}]}"#).await;
    assert_eq!(result.text(), "4");
}

#[tokio::test]
async fn a_missing_enum_tells_its_variants() {
    /// Takes a size.
    #[byre::tool(register = false)]
    async fn measure(size: Size) {
        let _ = size;
    }

    let text =
        "the arguments of `measure` do not fit:\n- `size`: missing (one of `small`, `large`)";
    check_error(only(crate::tools![measure]), "{}", text).await;
}

#[tokio::test]
async fn a_panic_is_an_error_that_the_model_reads() {
    /// Panics after a while.
    #[byre::tool(register = false)]
    async fn panics(now: bool) -> String {
        if !now {
            tokio::task::yield_now().await;
        }
        panic!("now is {now}")
    }

    for now in [true, false] {
        let text = format!("the tool `panics` panicked: now is {now}");
        check_error(only(crate::tools![panics]), &format!("{{\"now\":{now}}}"), &text).await;
    }
}

#[tokio::test]
async fn a_panic_while_the_arguments_are_read_is_one_too() {
    #[derive(JsonSchema)]
    struct Bomb;

    impl<'de> Deserialize<'de> for Bomb {
        fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            panic!("boom")
        }
    }

    /// Takes a bomb.
    #[byre::tool(register = false)]
    async fn take(bomb: Bomb) {
        let _ = bomb;
    }

    check_error(only(crate::tools![take]), r#"{"bomb":1}"#, "the tool `take` panicked: boom").await;
}

#[tokio::test]
async fn a_tool_may_be_named_from_anywhere() {
    mod notes {
        /// Searches.
        #[byre::tool(register = false)]
        pub(super) async fn search(r#type: String, mut words: Vec<String>) -> String {
            words.push(r#type);
            words.join(" ")
        }
    }
    use notes::search;

    let tools = crate::tools![search, add];
    let names: Vec<_> = tools.iter().map(Tool::name).collect();
    assert_eq!(names, ["search", "add"]);
    let result = call(&tools[0], r#"{"type":"b","words":["a"]}"#).await;
    assert_eq!(result.text(), "a b");
}

#[tokio::test]
async fn a_parameter_that_is_configured_away_is_not_there() {
    /// Counts.
    #[byre::tool(register = false)]
    async fn count(
        a: u8,
        #[cfg(any())] b: u8,
        #[cfg(not(any()))] c: u8,
        #[allow(unused_variables)] d: Option<u8>,
    ) -> u8 {
        a + c
    }

    let tool = only(crate::tools![count]);
    assert_eq!(call(&tool, r#"{"a":1,"c":2}"#).await.text(), "3");
    assert_eq!(tool.input_schema()["required"], json!(["a", "c"]));
}

#[test]
fn a_call_can_move_to_another_thread() {
    fn is_send<T: Send + 'static>(_: T) {}
    is_send(only(crate::tools![add]).call(None, &context()));
}
