//! Tools over a database in a file (`SQLite`), which the first start makes and later ones bring up to date.
//!
//! `cargo run --example orders -- shop.sqlite "Cancel Ada's order of tea."`, with `--offline` to play it
//! without Claude. Without a file, the database is a new one in the folder for temporary files.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use byre::{Event, State, testing::Script};
use rusqlite::{Connection, OptionalExtension, Row, params};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

mod shared;

/// What each version of the tables adds to the one before. A step that has been shipped never changes.
const MIGRATIONS: [&str; 2] = [
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT NOT NULL, item TEXT NOT NULL, cents INTEGER NOT NULL);
     INSERT INTO orders (customer, item, cents) VALUES
         ('Ada', 'coffee', 1250), ('Ada', 'tea', 480), ('Grace', 'sugar', 195);",
    "ALTER TABLE orders ADD COLUMN cancelled TEXT; -- why; NULL for an order that stands",
];

/// The database, as the tools share it.
#[derive(Clone)]
struct Db(Arc<Mutex<Connection>>);

impl Db {
    /// Opens the database, and makes or changes its tables where they are missing or old.
    fn open(path: &std::path::Path) -> rusqlite::Result<Self> {
        let mut connection = Connection::open(path)?;
        // The lock comes first, so that two programs that start at once don't both change the tables.
        let change =
            connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let version: u32 = change.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        for (next, step) in (1..).zip(MIGRATIONS).filter(|(next, _)| *next > version) {
            change.execute_batch(step)?;
            change.pragma_update(None, "user_version", next)?;
            println!("tables  are now of version {next}");
        }
        change.commit()?;
        Ok(Self(Arc::new(Mutex::new(connection))))
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why there is no answer. The model reads it as an error.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// An order.
#[derive(Serialize, JsonSchema)]
struct Order {
    id: i64,
    customer: String,
    item: String,
    /// The price in cents.
    cents: i64,
    /// Why it was cancelled; `null` for an order that stands.
    cancelled: Option<String>,
}

impl Order {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            customer: row.get("customer")?,
            item: row.get("item")?,
            cents: row.get("cents")?,
            cancelled: row.get("cancelled")?,
        })
    }

    fn find(db: &Connection, id: i64) -> Result<Self, Failure> {
        let order = db.query_row("SELECT * FROM orders WHERE id = ?1", [id], Self::read);
        Ok(order
            .optional()?
            .ok_or_else(|| format!("there is no order {id}; find_orders lists them"))?)
    }
}

/// Finds the orders of a customer, newest first.
// No `async fn`: it waits for the disk, and byre gives it a thread where it may.
#[byre::tool(read_only)]
fn find_orders(
    State(db): State<Db>,
    /// The customer's name, in any case.
    customer: String,
    /// At most this many.
    #[arg(default = 20)]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
) -> Result<Vec<Order>, Failure> {
    let sql = "SELECT * FROM orders WHERE customer = ?1 COLLATE NOCASE ORDER BY id DESC LIMIT ?2";
    let db = db.lock();
    let mut query = db.prepare(sql)?;
    let orders = query.query_map(params![customer, limit], Order::read)?;
    Ok(orders.collect::<Result<_, _>>()?)
}

/// Shows one order.
#[byre::tool(read_only)]
fn order(State(db): State<Db>, id: i64) -> Result<Order, Failure> {
    Order::find(&db.lock(), id)
}

/// Cancels an order that stands, and shows it.
#[byre::tool(destructive)]
fn cancel_order(
    State(db): State<Db>,
    id: i64,
    /// Why, in the customer's words.
    #[schemars(length(min = 1))]
    reason: String,
) -> Result<Order, Failure> {
    let sql = "UPDATE orders SET cancelled = ?2 WHERE id = ?1 AND cancelled IS NULL";
    let db = db.lock();
    match db.execute(sql, params![id, reason])? {
        0 => Err(format!("there is no order {id}, or it was cancelled before").into()),
        _ => Order::find(&db, id),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1).filter(|argument| argument != "--offline");
    let temporary =
        || std::env::temp_dir().join(format!("byre-orders-{}.sqlite", std::process::id()));
    let path = args.next().map_or_else(temporary, Into::into);
    let prompt = args.next().unwrap_or_else(|| "Ada does not want her tea any more.".to_owned());
    let mut session = shared::builder(offline()).state(Db::open(&path)?).spawn().await?;
    let mut turn = session.prompt(prompt);
    while let Some(event) = turn.next().await {
        if let Event::User(message) = event? {
            for result in message.tool_results() {
                println!("result  {}", result.text());
            }
        }
    }
    println!("answer  {}", turn.outcome().await?.text());
    println!("kept    {}", path.display());
    Ok(session.close().await?)
}

/// What Claude does here when it is not asked.
fn offline() -> Script {
    Script::new()
        .call("find_orders", json!({"customer": "ada"}))
        .call("cancel_order", json!({"id": 2, "reason": "does not want it any more"}))
        .call("order", json!({"id": 2}))
        .say("Ada's tea is cancelled.")
}
