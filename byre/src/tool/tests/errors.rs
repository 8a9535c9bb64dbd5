//! What the model reads of errors of all kinds.

use std::{error::Error, fmt, io, rc::Rc};

use schemars::JsonSchema;
use serde::Serialize;

use super::*;

/// An error with a source.
#[derive(Debug)]
struct Layered {
    text: &'static str,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl fmt::Display for Layered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

impl Error for Layered {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// Puts errors into each other, the outermost first.
fn layered(texts: &[&'static str]) -> Layered {
    let [text, rest @ ..] = texts else { panic!("an error has a text") };
    let source = (!rest.is_empty()).then(|| layered(rest).into());
    Layered { text, source }
}

#[test]
fn an_error_tells_its_sources_each_once() {
    for (texts, want) in [
        (&["a"][..], "a"),
        (&["can't read", "no disk", "no power"], "can't read: no disk: no power"),
        // Many errors print their source themselves.
        (&["can't read: no disk", "no disk", "no power"], "can't read: no disk: no power"),
        (&["no disk", "no disk"], "no disk"),
        (&["the disk (no power) is off", "no power"], "the disk (no power) is off"),
        // What is only a part of a word was not said.
        (&["another", "other"], "another: other"),
        (&["", "no disk"], "no disk"),
        (&["no disk", ""], "no disk"),
        // What was skipped is still what the next one is compared with.
        (&["a: b: c", "b: c", "c", "d"], "a: b: c: d"),
    ] {
        assert_eq!(ToolError::from(layered(texts)).text(), want, "for {texts:?}");
    }
}

#[test]
fn an_error_without_end_is_told_in_part() {
    #[derive(Debug)]
    struct Endless;

    impl fmt::Display for Endless {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("again")
        }
    }

    impl Error for Endless {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(self)
        }
    }

    assert_eq!(ToolError::from(Endless).text(), "again");
}

#[test]
fn a_question_mark_makes_a_tool_error_of_everything() {
    fn all(which: usize) -> Result<(), ToolError> {
        match which {
            0 => Err(io::Error::other("a"))?,
            1 => Err("b")?,
            2 => Err("c".to_owned())?,
            3 => Err(Box::<dyn Error + Send + Sync>::from("d"))?,
            4 => Err(anyhow::anyhow!("low").context("e"))?,
            5 => Err(eyre::eyre!("low").wrap_err("f"))?,
            6 => Err(ToolError::new("g"))?,
            _ => (),
        }
        Ok(())
    }

    let texts: Vec<_> = (0..7).map(|which| all(which).unwrap_err().to_string()).collect();
    assert_eq!(texts, ["a", "b", "c", "d", "e: low", "f: low", "g"]);
    assert!(all(7).is_ok());
}

/// Declares a tool that fails with `value` of the type `ty`, calls it, and compares what the model reads.
macro_rules! check_failures {
    ($($name:ident: $ty:ty = $error:expr => $want:expr;)*) => {
        $({
            /// Fails.
            #[byre::tool(register = false)]
            async fn $name() -> $ty {
                Err($error)
            }

            let result = call(&only(crate::tools![$name]), "{}").await;
            assert_eq!(result, CallToolResult::error($want), "of {}", stringify!($name));
        })*
    };
}

/// A type that is only data.
#[derive(Serialize, JsonSchema)]
struct Order {
    id: u32,
}

#[tokio::test]
async fn a_tool_may_fail_with_anything_that_has_a_text() {
    /// Only `Display`, and not to be sent to another thread.
    struct Local(Rc<str>);

    impl fmt::Display for Local {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let more = if f.alternate() { ", and why" } else { "" };
            write!(f, "{}{more}", self.0)
        }
    }

    /// An error that is not to be sent to another thread.
    #[derive(Debug)]
    struct LocalError(Rc<str>, io::Error);

    impl fmt::Display for LocalError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&self.0)
        }
    }

    impl Error for LocalError {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.1)
        }
    }

    type Answer<T = String> = Result<T, ToolError>;

    check_failures! {
        text: Result<(), String> = "no".to_owned() => "no";
        literal: Result<Order, &'static str> = "no" => "no";
        no_reason: Result<u8, String> = " \n".to_owned() => "the tool failed and gave no reason";
        std_error: Result<Order, Layered> = layered(&["a", "b"]) => "a: b";
        of_io: io::Result<()> = io::Error::other("a") => "a";
        of_anyhow: anyhow::Result<Order> = anyhow::anyhow!("a").context("b") => "b: a";
        of_eyre: eyre::Result<Order> = eyre::eyre!("a").wrap_err("b") => "b: a";
        boxed: Result<u8, Box<dyn Error>> = layered(&["a", "b"]).into() => "a: b";
        boxed_to_be_sent: Result<u8, Box<dyn Error + Send + Sync>> = layered(&["a", "b"]).into() => "a: b";
        box_of_local: Result<u8, Box<LocalError>> =
            Box::new(LocalError("a".into(), io::Error::other("b"))) => "a: b";
        local_error: Result<Vec<u8>, LocalError> =
            LocalError("a".into(), io::Error::other("b")) => "a: b";
        only_text: Result<Vec<u8>, Local> = Local("a".into()) => "a, and why";
        tool_error: Answer = ToolError::new("a") => "a";
        alias: Answer<Order> = "a".into() => "a";
    }
    let order = Order { id: 7 };
    assert_eq!(order.id, 7);
}

#[test]
fn the_detail_is_kept_apart() {
    let error = ToolError::new("try later").detail(layered(&["refused", "10.0.0.7"]));
    assert_eq!(error.to_string(), "try later");
    assert!(format!("{error:?}").contains("10.0.0.7"));
    let result = Err::<(), _>(error).into_tool_result();
    assert_eq!(result.detail(), Some("refused: 10.0.0.7"));
    let json = serde_json::to_string(&result).unwrap();
    assert_eq!(json, r#"{"content":[{"type":"text","text":"try later"}],"isError":true}"#);
}

#[test]
fn failures_are_said_in_other_words() {
    let error = "x".parse::<u8>().for_model("the file is damaged").unwrap_err();
    assert_eq!(error.text(), "the file is damaged");
    assert_eq!(error.source().unwrap().to_string(), "invalid digit found in string");
    assert_eq!("7".parse::<u8>().for_model("?").unwrap(), 7);

    let error = None::<u8>.for_model("there is none").unwrap_err();
    assert_eq!(error.text(), "there is none");
    assert!(error.source().is_none());
    assert_eq!(Some(7).for_model("?").unwrap(), 7);

    let error = Err::<(), _>(anyhow::anyhow!("a")).for_model("b").unwrap_err();
    assert_eq!(error.source().unwrap().to_string(), "a");
}
