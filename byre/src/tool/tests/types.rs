//! Holds the code to the table of types.

use super::*;
use crate::testing::Tools;

#[path = "../../../../tests/golden/types.rs"]
mod golden;

use golden::{Case, cases};

#[test]
fn the_schema_of_every_type_is_that_of_the_table() {
    let mut wrong = Vec::new();
    for Case { tool, schema, .. } in cases() {
        let whole = tool.input_schema();
        let got = if schema.get("$defs").is_some() { &whole } else { &whole["properties"]["p"] };
        if *got != schema {
            wrong.push(format!("{}: {got}", tool.name()));
        }
        assert!(jsonschema::draft202012::meta::is_valid(&whole), "{tool:?}: {whole}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_type_is_one_that_a_session_starts_with() {
    Tools::from(cases().into_iter().map(|case| case.tool).collect::<Vec<_>>()).check().unwrap();
}

#[tokio::test]
async fn every_type_takes_and_refuses_what_the_table_says() {
    let mut wrong = Vec::new();
    for Case { tool, takes, refuses, .. } in cases() {
        let refuses = refuses.into_iter().map(|(value, words)| {
            let text = format!("the arguments of `{}` do not fit:\n- {words}", tool.name());
            (value, text, true)
        });
        let takes = takes.into_iter().map(|(value, shown)| (value, shown.to_owned(), false));
        for (value, want, is_error) in takes.chain(refuses) {
            let result = call(&tool, &json!({"p": value}).to_string()).await;
            if result.text() != want || result.is_error != is_error {
                wrong.push(format!("{} of {value}: {}", tool.name(), result.text()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What another judge lets through, the tool reads, and what it does not is refused; repairs aside.
#[tokio::test]
async fn the_schema_of_every_type_says_what_is_taken() {
    let cases = cases();
    let values: Vec<_> = cases
        .iter()
        .flat_map(|case| {
            case.takes.iter().chain(case.refuses.iter()).map(|(value, _)| value.clone())
        })
        .collect();
    let mut pairs = 0;
    for Case { tool, .. } in &cases {
        let schema = tool.input_schema();
        let theirs = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
        let ours = Checker::of_schema(&schema);
        for value in &values {
            let arguments = json!({"p": value});
            let want = theirs.is_valid(&arguments);
            assert_eq!(ours.accepts(&arguments), want, "{tool:?} of {value}");
            assert_eq!(ours.problems(&arguments).is_empty(), want, "{tool:?} of {value}");
            pairs += 1;
        }
    }
    assert!(pairs > 3000, "only {pairs}");
}

#[tokio::test]
async fn what_was_mended_is_traced_with_its_tool_and_place() {
    use std::sync::Mutex;

    use tracing::{
        Event, Metadata, Subscriber,
        field::{Field, Visit},
        span,
        subscriber::with_default,
    };

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<String>>>);

    impl Visit for Lines {
        fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
            self.0.lock().unwrap().push(format!("{field}={value:?}"));
        }
    }

    impl Subscriber for Lines {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.target().starts_with("byre::tool::arguments")
        }

        fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
            span::Id::from_u64(1)
        }

        fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

        fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

        fn event(&self, event: &Event<'_>) {
            event.record(&mut self.clone());
        }

        fn enter(&self, _: &span::Id) {}

        fn exit(&self, _: &span::Id) {}
    }

    let lines = Lines::default();
    let tool = only(crate::tools![add]);
    let arguments: Box<RawValue> = serde_json::from_str(r#"{"a":"2","b":40}"#).unwrap();
    let call = with_default(lines.clone(), || tool.call(Some(&arguments), &context()));
    assert_eq!(call.await.text(), "42");
    assert_eq!(
        *lines.0.lock().unwrap(),
        ["message=an argument was mended: a string to an integer", "tool=\"add\"", "path=\"a\""]
    );
}

#[tokio::test]
async fn a_dynamic_tool_is_held_to_its_schema_and_mended() {
    let schema = json!({
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 1}, "when": {"type": "string", "format": "date"}},
        "required": ["n"],
        "additionalProperties": false,
    });
    let tool = Tool::dynamic("d", "Shows.", schema, |arguments, _| async move {
        Value::Object(arguments).to_string()
    });
    assert_eq!(call(&tool, r#"{"n":"2"}"#).await.text(), r#"{"n":2}"#);
    assert_eq!(call(&tool, r#"{"n":2,"when":null}"#).await.text(), r#"{"n":2}"#);
    let result = call(&tool, r#"{"when":"now","size":1}"#).await;
    assert_eq!(
        result.text(),
        "the arguments of `d` do not fit:\n- `n`: missing (an integer)\n\
         - `when`: expected a date like `2026-11-30`, got the string \"now\"\n\
         - `size`: unknown; expected one of `n`, `when`"
    );
    assert!(result.is_error);
}

/// serde reads such types by way of a copy, which has no integers of 128 bits in any format.
#[tokio::test]
async fn an_integer_of_128_bits_can_not_be_part_of_an_enum_with_its_tag_inside() {
    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    #[serde(tag = "kind")]
    #[expect(dead_code, reason = "shown by `Debug` only")]
    enum Tagged {
        Big { big: u128 },
    }

    /// Shows.
    #[byre::tool(register = false)]
    async fn show(tagged: Tagged) -> String {
        format!("{tagged:?}")
    }

    let tool = only(crate::tools![show]);
    let result = call(&tool, r#"{"tagged":{"kind":"Big","big":1}}"#).await;
    assert!(result.is_error && result.text().contains("128 is not supported"), "{}", result.text());
}

/// serde takes other names for a field, of which the schema does not speak.
#[tokio::test]
async fn another_name_of_a_field_is_taken() {
    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "shown by `Debug` only")]
    struct Place {
        #[serde(alias = "town")]
        city: String,
        #[schemars(range(min = 1))]
        number: i32,
    }

    /// Shows.
    #[byre::tool(register = false)]
    async fn show(place: Place) -> String {
        format!("{place:?}")
    }

    let tool = only(crate::tools![show]);
    let result = call(&tool, r#"{"place":{"town":"Ulm","number":"2"}}"#).await;
    assert_eq!(result.text(), "Place { city: \"Ulm\", number: 2 }");
    let result = call(&tool, r#"{"place":{"town":"Ulm","number":0}}"#).await;
    assert_eq!(
        result.text(),
        "the arguments of `show` do not fit:\n\
         - `place.number`: expected an integer that is at least 1, got the number 0"
    );
}
