#![deny(
    warnings,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    rust_2018_idioms,
    single_use_lifetimes,
    unreachable_pub,
    unused,
    unused_qualifications
)]
#![forbid(unsafe_code)]
//! The generated code has no warnings of its own.

use std::sync::{Arc, Mutex};

use byre::{Args, Json, McpServer, State, ToolContext};

/// What is there.
#[derive(Debug, Default)]
pub struct Warehouse {
    stock: Mutex<Vec<String>>,
}

/// What to look for.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
pub struct Query {
    words: String,
}

/// Methods, tools and not.
#[byre::toolset(prefix = "stock_")]
impl Warehouse {
    #![allow(clippy::unused_self)]

    /// Is no tool.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts.
    #[tool(read_only)]
    pub async fn count(&self, kind: String, _: ToolContext) -> Result<usize, String> {
        self.stock.lock().map(|stock| stock.iter().filter(|it| **it == kind).count()).map_err(|_| kind)
    }

    /// Puts.
    #[tool(name = "put", blocking)]
    async fn put(
        self: Arc<Self>,
        #[serde(alias = "sort")] kind: String,
        #[arg(default = 1)] times: u8,
        #[serde(default)]
        #[arg()]
        note: Option<String>,
    ) {
        drop(note);
        if let Ok(mut stock) = self.stock.lock() {
            (0..times).for_each(|_| stock.push(kind.clone()));
        }
    }

    /// Finds.
    #[tool]
    fn find(&self, Args(query): Args<Query>, State(names): State<Vec<String>>) -> Json<Vec<String>> {
        Json(names.into_iter().filter(|name| name.contains(&query.words)).collect())
    }

    /// Says nothing.
    #[tool]
    fn nothing(#[cfg(any())] absent: NoSuchType, #[cfg(all())] present: u8) {
        drop(present.to_string());
    }
}

mod inner {
    #[derive(Debug)]
    pub(crate) struct Shelf<T>(pub(crate) T);

    #[byre::toolset]
    impl<T: Clone> Shelf<T> {
        /// Sizes.
        #[tool]
        pub(crate) async fn size(&self) -> usize {
            size_of_val(&self.0.clone())
        }
    }
}

fn main() {
    let _ = McpServer::new("a").tools(Warehouse::new()).tools(Arc::new(inner::Shelf(1)));
}
