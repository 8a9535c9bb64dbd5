#![deny(warnings)]
#![forbid(unused_imports)]

use std::{borrow::Cow, collections::BTreeMap, error::Error, fmt, io, rc::Rc};

use byre::{ForModel, Json, ToolError, tool::Content};

#[derive(serde::Serialize, schemars::JsonSchema)]
pub struct Point {
    pub x: f64,
}

/// Can't go to another thread, and only has a text.
pub struct Failure(Rc<str>);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Can't go to another thread either.
#[derive(Debug)]
pub struct LocalError(pub Rc<str>);

impl fmt::Display for LocalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for LocalError {}

type Answer = Result<Point, ToolError>;

macro_rules! tools_that_return {
    ($($name:ident: $ty:ty = $value:expr;)*) => {
        $(
            /// Returns it.
            #[byre::tool]
            async fn $name() -> $ty {
                $value
            }
        )*

        fn main() {
            let tools = byre::tools![$($name),*];
            for tool in tools {
                let wants_schema = tool.name().starts_with("data");
                assert_eq!(tool.output_schema().is_some(), wants_schema, "{tool:?}");
            }
        }
    };
}

tools_that_return! {
    nothing: () = ();
    text: String = String::new();
    cow: Cow<'static, str> = "".into();
    value: serde_json::Value = serde_json::Value::Null;
    content: Vec<Content> = vec![];
    data_struct: Point = Point { x: 0.0 };
    data_wrapper: Json<Point> = Json(Point { x: 0.0 });
    data_list: Vec<String> = vec![];
    data_option: Option<u8> = None;
    data_tuple: (u8, String) = (0, String::new());
    data_map: BTreeMap<String, Point> = BTreeMap::new();
    data_box: Box<Point> = Box::new(Point { x: 0.0 });
    data_alias: Answer = Err("no".into());
    data_io: io::Result<Point> = Err(io::ErrorKind::NotFound.into());
    data_boxed_error: Result<Point, Box<dyn Error>> = Err("no".into());
    boxed_error: Result<String, Box<dyn Error + Send + Sync>> = Err("no".into());
    nothing_or_error: Result<(), fmt::Error> = Err(fmt::Error);
    str_error: Result<u8, &'static str> = Err("no");
    local_error: Result<u8, LocalError> = Err(LocalError("no".into()));
    text_error: Result<u8, Failure> = Err(Failure("no".into()));
    for_model: Result<u8, ToolError> = None.for_model("no");
    never: Result<u8, std::convert::Infallible> = Ok(1);
}
