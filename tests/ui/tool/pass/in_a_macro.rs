//! A macro may write tools, with names, comments and types of its own.

macro_rules! tools_of {
    ($($doc:literal $name:ident $wire:literal $ty:ty = $default:expr;)*) => {
        $(
            #[doc = $doc]
            #[byre::tool(name = $wire)]
            async fn $name(
                #[doc = $doc]
                #[arg(default = $default)]
                value: $ty,
            ) -> $ty {
                value
            }
        )*
    };
}

tools_of! {
    "Gives a number." number "a-number" u8 = 3;
    "Gives a text." text "a-text" String = "x";
}

fn main() {
    let tools = byre::tools![number, text];
    assert_eq!(tools[0].name(), "a-number");
    assert_eq!(tools[0].description(), "Gives a number.");
    assert_eq!(tools[1].input_schema()["properties"]["value"]["default"], "x");
}
