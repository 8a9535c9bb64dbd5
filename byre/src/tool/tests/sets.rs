//! Methods as tools.

use std::{
    fmt::Display,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::*;
use crate::{Args, State};

#[derive(Default)]
struct Warehouse {
    stock: Mutex<BTreeMap<String, u64>>,
    calls: AtomicUsize,
}

/// What it is for.
#[byre::toolset(server = "stock", prefix = "stock_", rename_all = "camelCase")]
impl Warehouse {
    /// Not a tool.
    const LIMIT: u64 = 1_000;

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, u64>> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.stock.lock().unwrap()
    }

    /// Counts the items of one kind.
    #[tool(read_only)]
    async fn count(&self, /** Which. */ item_kind: String) -> u64 {
        tokio::task::yield_now().await;
        self.lock().get(&item_kind).copied().unwrap_or(0)
    }

    /// Puts items in.
    #[byre::tool(name = "put", server = "other", rename_all = "kebab-case")]
    fn put_in(&self, item_kind: String, #[arg(default = 1)] item_count: u64) -> Result<u64, String> {
        let mut stock = self.lock();
        let count = stock.entry(item_kind).or_default();
        *count += item_count;
        if *count > Self::LIMIT { Err("too many".to_owned()) } else { Ok(*count) }
    }

    /// Says how much fits.
    #[tool(blocking)]
    async fn limit() -> u64 {
        let limit = std::rc::Rc::new(Self::LIMIT);
        tokio::task::yield_now().await;
        *limit
    }

    /// Keeps the warehouse.
    #[tool]
    async fn keep(
        self: Arc<Self>,
        State(name): State<String>,
        #[schemars(range(min = 1))] item_count: u64,
        Args(_nothing): Args<Nothing>,
    ) -> String {
        format!("{name} {item_count} {}", self.calls.load(Ordering::Relaxed))
    }

    #[cfg(any())]
    /// Is not there.
    #[tool]
    async fn absent(&self, what: NoSuchType) {}
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

fn tool_of(tools: &[Tool], name: &str) -> Tool {
    tools.iter().find(|tool| tool.name() == name).unwrap().clone()
}

#[tokio::test]
async fn methods_are_called_on_the_value() {
    let warehouse = Arc::new(Warehouse::default());
    let tools = Arc::clone(&warehouse).into_tools();
    let names: Vec<_> = tools.iter().map(|tool| (tool.name(), tool.server())).collect();
    assert_eq!(
        names,
        [
            ("stock_count", Some("stock")),
            ("put", Some("other")),
            ("stock_limit", Some("stock")),
            ("stock_keep", Some("stock")),
        ]
    );
    let put = tool_of(&tools, "put");
    assert_eq!(call(&put, r#"{"item-kind":"nail","item-count":3}"#).await.text(), "3");
    assert_eq!(call(&put, r#"{"item-kind":"nail"}"#).await.text(), "4");
    let result = call(&put, r#"{"item-kind":"nail","item-count":1000}"#).await;
    assert!(result.is_error && result.text() == "too many", "{result:?}");
    let count = tool_of(&tools, "stock_count");
    assert_eq!(call(&count, r#"{"itemKind":"nail"}"#).await.text(), "1004");
    assert_eq!(call(&tool_of(&tools, "stock_limit"), "{}").await.text(), "1000");
    assert_eq!(warehouse.calls.load(Ordering::Relaxed), 4);
    assert_eq!(warehouse.count("nail".to_owned()).await, 1004, "it stays a method");
}

#[test]
fn methods_are_described_as_functions_are() {
    let tools = Arc::new(Warehouse::default()).into_tools();
    let count = tool_of(&tools, "stock_count");
    assert_eq!(count.description(), "Counts the items of one kind.");
    assert_eq!(count.annotations().read_only_hint, Some(true));
    assert_eq!(
        count.input_schema()["properties"],
        json!({"itemKind": {"type": "string", "description": "Which."}})
    );
    assert_eq!(tool_of(&tools, "stock_keep").needs(), [Need::of::<String>()]);
    assert_eq!(tool_of(&tools, "stock_keep").input_schema()["properties"]["itemCount"]["minimum"], 1);
    let line = |tool: &Tool| {
        let at = tool.location().line as usize;
        include_str!("sets.rs").lines().nth(at - 1).unwrap().trim()
    };
    assert_eq!(line(&count), "#[tool(read_only)]");
    assert_eq!(line(&tool_of(&tools, "stock_limit")), "#[tool(blocking)]");
}

/// A set of any type, and of any size.
struct Shelf<T, const N: usize> {
    things: [T; N],
}

trait Thing: Display {}

impl Thing for &'static str {}

#[byre::toolset]
impl<T, const N: usize> Shelf<T, N>
where
    T: Thing,
{
    /// Shows one.
    #[tool]
    async fn show(&self, at: usize) -> Option<String> {
        let thing = self.things.get(at)?;
        tokio::task::yield_now().await;
        Some(thing.to_string())
    }

    /// Counts all.
    #[tool]
    fn size() -> usize {
        N
    }
}

#[tokio::test]
async fn a_generic_set_is_one_of_its_instance() {
    let shelf = crate::tool::IntoTools::into_tools(Shelf { things: ["a", "b"] });
    assert_eq!(call(&tool_of(&shelf, "show"), r#"{"at":1}"#).await.text(), "b");
    assert_eq!(call(&tool_of(&shelf, "size"), "{}").await.text(), "2");
    let three = crate::tool::IntoTools::into_tools(Arc::new(Shelf { things: ["x", "y", "z"] }));
    assert_eq!(call(&tool_of(&three, "size"), "{}").await.text(), "3");
}
