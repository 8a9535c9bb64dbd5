//! What the macros write has no warning of its own, and needs nothing but byre.

use std::sync::{Arc, Mutex};

use yard::{Json, State, ToolContext};

/// Adds.
#[yard::tool(crate = yard, read_only)]
pub async fn add(
    /// The first.
    a: i64,
    #[arg(default = 1)] b: i64,
) -> i64 {
    a + b
}

/// Adds, where it may block.
#[yard::tool(crate = yard, timeout = 0.5, concurrency = 3, meta(owner = "us"), examples = [{"a": 1}])]
#[must_use]
pub fn add_slowly(
    #[schemars(range(min = 1))] a: i64,
    #[serde(alias = "c")]
    #[arg(default)]
    b: i64,
    #[cfg(any())] absent: NoSuchType,
    #[cfg(any(unix, windows))] r#type: Option<String>,
) -> i64 {
    a + b + i64::from(r#type.is_some())
}

/// Keeps a thread.
#[yard::tool(crate = "yard", blocking, rename_all = "camelCase")]
async fn wait(
    milli_seconds: u64,
    State(name): State<String>,
    _: ToolContext,
) -> Result<String, String> {
    let name = std::rc::Rc::new(name);
    tokio::time::sleep(std::time::Duration::from_millis(milli_seconds)).await;
    if name.is_empty() {
        Err("nobody".to_owned())
    } else {
        Ok(name.to_string())
    }
}

/// Asks again.
#[yard::hook(crate = yard)]
fn again(input: yard::hook::StopInput) -> yard::hook::StopOutput {
    if input.stop_hook_active {
        yard::hook::StopOutput::allow()
    } else {
        yard::hook::StopOutput::block("again")
    }
}

/// What is there.
#[derive(Debug, Default)]
pub struct Warehouse<T> {
    stock: Mutex<Vec<T>>,
}

#[yard::toolset(crate = yard, prefix = "stock_")]
impl<T: Clone + Into<String>> Warehouse<T> {
    /// Counts.
    #[tool(read_only)]
    pub async fn count(&self, #[serde(default)] least: usize) -> usize {
        self.stock.lock().map_or(0, |stock| stock.len()).max(least)
    }

    /// Lists.
    #[tool]
    fn list(self: Arc<Self>) -> Json<Vec<String>> {
        let stock = self.stock.lock().map(|stock| stock.clone()).unwrap_or_default();
        Json(stock.into_iter().map(Into::into).collect())
    }
}

/// Without the names that everybody has.
pub mod bare {
    #![no_implicit_prelude]

    /// Doubles.
    #[::yard::tool(crate = ::yard)]
    pub async fn double(number: u32, #[arg(default = 2)] times: u32) -> u32 {
        number * times
    }

    /// A set.
    #[derive(Clone, Copy, Debug)]
    pub struct Sums;

    #[::yard::toolset(crate = ::yard)]
    impl Sums {
        /// Doubles.
        #[tool]
        fn twice(&self, number: u32) -> u32 {
            number * 2
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{json, Value};
    use yard::{testing::Tools, tool::IntoTools};

    use super::{add, add_slowly, again, bare, wait, Warehouse};

    #[tokio::test]
    async fn everything_works_as_it_should() {
        let mut tools = yard::tools![add, add_slowly, wait, bare::double];
        tools.extend(IntoTools::into_tools(Warehouse::<String>::default()));
        tools.extend(IntoTools::into_tools(bare::Sums));
        let tools = Tools::from(tools).state("me".to_owned());
        let check = |name: &'static str, arguments: Value, want: &'static str| {
            let tools = &tools;
            async move { assert_eq!(tools.call(name, arguments).await.text(), want, "of {name}") }
        };
        check("add", json!({"a": 2}), "3").await;
        check("add_slowly", json!({"a": 2, "c": 3, "type": "x"}), "6").await;
        check("wait", json!({"milliSeconds": 1}), "me").await;
        check("double", json!({"number": 4}), "8").await;
        check("twice", json!({"number": 5}), "10").await;
        check("stock_count", json!({"least": 7}), "7").await;
        tools.check().expect("nothing is wrong with them");
        assert_eq!(yard::hooks![again].len(), 1);
    }
}
