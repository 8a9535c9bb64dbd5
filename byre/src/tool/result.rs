//! What a tool may return.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::{CallToolResult, Content, ToolError, schema};

/// What a tool may return.
///
/// | a function returns | the model sees |
/// |---|---|
/// | `()` | that the tool has run |
/// | `String`, `&'static str`, `Cow<'static, str>`, `char` | the text |
/// | `bool`, an integer, a float | it as text; `NaN` and `inf` too |
/// | any `T: Serialize + JsonSchema`, and [`Json<T>`] | it as JSON, and the CLI gets it as data |
/// | [`serde_json::Value`] | it as JSON on one line; a string stays in quotes |
/// | [`Content`], `Vec<Content>` | texts, images, …, in this order |
/// | [`CallToolResult`] | what it says |
/// | `Result<T, E>` of any of these | `Ok`: the same; `Err`: its text, as an error |
///
/// An error may be a [`ToolError`], which keeps a text for the model apart from a detail for the log; any
/// `std::error::Error`, or one of anyhow or eyre, which tell their sources too; a `String`; or anything
/// that implements `Display`, which is printed with `{:#}`.
///
/// A type with `Serialize` and `JsonSchema` needs no implementation of this trait. Where a type has both,
/// this trait wins. In generic code, where only this trait is asked for, [`Json`] makes data of a value.
///
/// # Example
///
/// A type of one's own can be returned as well:
///
/// ```
/// use byre::tool::{CallToolResult, Content, IntoToolResult};
///
/// struct Png(Vec<u8>);
///
/// impl IntoToolResult for Png {
///     fn into_tool_result(self) -> CallToolResult {
///         CallToolResult::new([Content::image(self.0, "image/png")])
///     }
/// }
///
/// /// Draws a dot.
/// #[byre::tool]
/// async fn dot() -> Png {
///     Png(vec![])
/// }
/// # fn main() {}
/// ```
#[diagnostic::on_unimplemented(
    message = "a tool can't return `{Self}`",
    label = "not something that can be shown to the model",
    note = "return a `String`, a number, a `bool`, `()`, `byre::tool::Content`, a type of your own with \
            `#[derive(serde::Serialize, schemars::JsonSchema)]`, or a `Result<T, E>` of one of these"
)]
pub trait IntoToolResult {
    /// Turns it into what is sent.
    fn into_tool_result(self) -> CallToolResult;

    /// Describes [`CallToolResult::structured_content`], if it is always set; the type at the root
    /// must be `object`.
    #[must_use]
    fn output_schema() -> Option<Value> {
        None
    }
}

/// Data as the result of a tool.
///
/// A tool may return any type with `Serialize` and `JsonSchema` as it is. `Json` is for those that would be
/// text, a `String` or a [`serde_json::Value`] for example, for types that implement [`IntoToolResult`] too, and
/// for generic code.
///
/// It is sent as `structuredContent`, which has a schema, and as the same JSON in text. MCP wants an
/// object, so what is none by its schema is sent as `{"result": …}`.
///
/// ```json
/// {"content":[{"type":"text","text":"{\"sum\":5}"}],"structuredContent":{"sum":5}}
/// ```
///
/// # Example
///
/// ```
/// use byre::Json;
///
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// struct Order {
///     id: u32,
///     open: bool,
/// }
///
/// /// Finds an order by its number.
/// #[byre::tool(read_only)]
/// async fn find_order(id: u32) -> Json<Order> {
///     Json(Order { id, open: true })
/// }
///
/// # fn main() {
/// let schema = byre::tools![find_order][0].output_schema().unwrap();
/// assert_eq!(schema["properties"]["open"]["type"], "boolean");
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Json<T>(pub T);

fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::new([Content::text(text)])
}

/// Implements [`IntoToolResult`] for types whose `Display` says it all.
macro_rules! as_text {
    ($($type:ty)*) => {
        $(
            impl IntoToolResult for $type {
                fn into_tool_result(self) -> CallToolResult {
                    text(self.to_string())
                }
            }
        )*
    };
}

as_text!(&'static str Cow<'static, str> char bool);
as_text!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// Implements [`IntoToolResult`] for floats, without the three hundred digits of `1e300`, and without
/// the `.0` of whole numbers, which JSON does not tell from integers.
macro_rules! floats_as_text {
    ($($type:ty)*) => {
        $(
            impl IntoToolResult for $type {
                fn into_tool_result(self) -> CallToolResult {
                    let number = format!("{self:?}");
                    text(number.strip_suffix(".0").unwrap_or(&number))
                }
            }
        )*
    };
}

floats_as_text!(f32 f64);

impl IntoToolResult for () {
    fn into_tool_result(self) -> CallToolResult {
        CallToolResult::new([])
    }
}

impl IntoToolResult for String {
    fn into_tool_result(self) -> CallToolResult {
        text(self)
    }
}

impl IntoToolResult for Value {
    fn into_tool_result(self) -> CallToolResult {
        text(self.to_string())
    }
}

impl IntoToolResult for Content {
    fn into_tool_result(self) -> CallToolResult {
        CallToolResult::new([self])
    }
}

impl IntoToolResult for Vec<Content> {
    fn into_tool_result(self) -> CallToolResult {
        CallToolResult::new(self)
    }
}

impl IntoToolResult for CallToolResult {
    fn into_tool_result(self) -> CallToolResult {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> IntoToolResult for Json<T> {
    fn into_tool_result(self) -> CallToolResult {
        let value = match serde_json::to_value(&self.0) {
            Ok(value) => value,
            Err(error) => {
                return CallToolResult::error(format!(
                    "the result can't be written as JSON: {error}"
                ));
            }
        };
        // An object says nothing yet: the schema of an enum, for one, may allow other things as well.
        let wrapped = !value.is_object() || schema::is_wrapped::<T>();
        let value = if wrapped { json!({"result": value}) } else { value };
        CallToolResult { structured_content: Some(value.clone()), ..text(value.to_string()) }
    }

    fn output_schema() -> Option<Value> {
        Some(schema::output::<T>().0)
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntoToolResult, E: Into<ToolError>> IntoToolResult for Result<T, E> {
    fn into_tool_result(self) -> CallToolResult {
        match self {
            Ok(value) => value.into_tool_result(),
            Err(error) => error.into().into(),
        }
    }

    fn output_schema() -> Option<Value> {
        T::output_schema()
    }
}
