//! An answer as a value instead of text.
//!
//! `cargo run --example structured -- "lentil soup"`, with `--offline` to play it without Claude.

use byre::{OutputError, testing::Script};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

mod shared;

/// A dish that somebody can cook at home.
#[derive(Debug, Deserialize, JsonSchema)]
struct Recipe {
    /// The name of the dish.
    name: String,
    /// From start to table, in minutes.
    minutes: u32,
    /// What to buy.
    ingredients: Vec<Ingredient>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Ingredient {
    name: String,
    /// How much, with its unit.
    amount: String,
}

#[tokio::main]
async fn main() -> Result<(), OutputError> {
    let given = std::env::args().skip(1).find(|argument| argument != "--offline");
    let dish = given.unwrap_or_else(|| "lentil soup".to_owned());
    let builder = shared::builder(offline());
    let recipe: Recipe = builder.output().ask(format!("A simple recipe for {dish}.")).await?;
    println!("{} ({} minutes)", recipe.name, recipe.minutes);
    for ingredient in recipe.ingredients {
        println!("- {}, {}", ingredient.name, ingredient.amount);
    }
    Ok(())
}

/// What Claude does here when it is not asked: it forgets something first, and is sent back by the CLI.
fn offline() -> Script {
    Script::new().call("StructuredOutput", json!({"name": "Lentil soup"})).call(
        "StructuredOutput",
        json!({
            "name": "Lentil soup",
            "minutes": 35,
            "ingredients": [
                {"name": "red lentils", "amount": "250 g"},
                {"name": "onion", "amount": "1"},
            ],
        }),
    )
}
