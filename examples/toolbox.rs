//! The command line of a program with tools: look at them, and call them without a model.
//!
//! `cargo run --example toolbox -- tools`, `… -- schema convert`, `… -- call divide '{"dividend": 1, "divisor": 4}'`,
//! `… -- call swatch '{"red": 200}' --out swatch.png`, `… -- doctor`. There is nothing in it that is not
//! offline, so `--offline` changes nothing.

use std::{process::ExitCode, sync::Arc};

use byre::{State, ToolError, tool::Content};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `greet` says, by language.
struct Greetings(Vec<(&'static str, &'static str)>);

/// Greets somebody in a language of the house.
#[byre::tool(read_only)]
fn greet(
    State(greetings): State<Arc<Greetings>>,
    /// Whom to greet.
    name: String,
    /// A code of two letters.
    #[arg(default = "en".to_owned())]
    language: String,
) -> Result<String, String> {
    let known = greetings.0.iter().find(|(code, _)| *code == language);
    let (_, word) = known.ok_or_else(|| format!("nobody here speaks {language:?}"))?;
    Ok(format!("{word}, {name}!"))
}

/// Divides one number by another.
#[byre::tool(read_only)]
fn divide(dividend: f64, divisor: f64) -> Result<f64, String> {
    if divisor == 0.0 {
        return Err("cannot divide by zero".to_owned());
    }
    Ok(dividend / divisor)
}

/// A unit of length.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Metre,
    Foot,
    Mile,
}

impl Unit {
    fn in_metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Foot => 0.3048,
            Self::Mile => 1609.344,
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct Length {
    /// How many of the unit.
    amount: f64,
    unit: Unit,
}

/// Converts a length to another unit.
#[byre::tool(read_only)]
fn convert(amount: f64, from: Unit, to: Unit) -> Length {
    Length { amount: amount * from.in_metres() / to.in_metres(), unit: to }
}

/// Shows a colour, as a square of 16 by 16 pixels.
#[byre::tool(read_only)]
fn swatch(
    #[arg(default)] red: u8,
    #[arg(default)] green: u8,
    #[arg(default)] blue: u8,
) -> Result<Content, ToolError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 16, 16);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&[red, green, blue].repeat(16 * 16))?;
    writer.finish()?;
    byre::image::png(bytes)
}

/// With nothing to give to the tools, `byre::cli::main()` would do.
#[tokio::main]
async fn main() -> ExitCode {
    let greetings = Greetings(vec![("en", "Hello"), ("de", "Hallo"), ("fr", "Bonjour")]);
    let args = std::env::args_os().filter(|argument| argument != "--offline");
    byre::cli::Program::new().state(Arc::new(greetings)).run_with(args).await
}
