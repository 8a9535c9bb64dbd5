//! A macro may write a set, in a function too, and byre may be called something else.

mod facade {
    pub use ::byre as yard;
}

macro_rules! set {
    ($krate:path, $name:ident { $($doc:literal $method:ident ($param:ident: $ty:ty = $default:expr);)* }) => {
        struct $name;

        #[facade::yard::toolset(crate = facade::yard)]
        impl $name {
            $(
                #[doc = $doc]
                #[tool]
                async fn $method(
                    &self,
                    #[arg(default = $default)]
                    $param: $ty,
                    #[schemars(range(min = 3))]
                    #[arg(default = 4)]
                    other: u8,
                ) -> String {
                    format!("{} {other}", $param)
                }
            )*
        }
    };
}

use facade::yard;

fn main() {
    set!(yard, Words {
        "Gives a number." number (value: u8 = 3);
        "Gives a text." text (word: String = "x");
    });

    let tools = yard::tool::IntoTools::into_tools(Words);
    assert_eq!(tools.len(), 2);
    assert_eq!(tools[1].input_schema()["properties"]["word"]["default"], "x");
    assert_eq!(tools[1].input_schema()["properties"]["other"]["default"], 4);
    assert_eq!(tools[1].description(), "Gives a text.");
}
