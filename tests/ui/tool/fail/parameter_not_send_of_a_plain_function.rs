use std::rc::Rc;

#[derive(schemars::JsonSchema)]
struct Odd(Rc<i64>);

impl<'de> serde::Deserialize<'de> for Odd {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i64::deserialize(deserializer).map(|odd| Self(Rc::new(odd)))
    }
}

/// Adds.
#[byre::tool]
fn add(byre::State(a): byre::State<i64>, b: Odd) -> i64 {
    a + *b.0
}

fn main() {}
