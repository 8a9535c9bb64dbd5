use super::{Program, nearest};
use crate::{McpServer, Session, SessionBuilder, State, cli::report::Report};

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Greets in the language of the house.
#[byre::tool(register = false)]
async fn greet(State(word): State<&'static str>) -> String {
    format!("{word}!")
}

mod elsewhere {
    /// Adds two texts.
    #[byre::tool(register = false)]
    pub(super) async fn add(a: String, b: String) -> String {
        a + &b
    }
}

fn session() -> SessionBuilder {
    Session::builder().tools(byre::tools![add, greet]).hooks([])
}

async fn run(args: &[&str]) -> Report {
    run_in(Program::new().session(session()), args).await
}

async fn run_in(program: Program, args: &[&str]) -> Report {
    let args = ["stock"].iter().chain(args).map(Into::into).collect();
    program.report(args).await
}

#[tokio::test]
async fn without_arguments_it_says_what_it_can() {
    let report = run(&[]).await;
    assert!(report.out().contains("Usage: stock <COMMAND>"), "{report:?}");
    for command in ["tools", "schema", "call", "doctor"] {
        assert!(report.out().contains(&format!("\n  {command} ")), "{command}: {report:?}");
    }
    assert_eq!((report.err().as_str(), report.code), ("", 0));
    assert_eq!(run(&["call", "--help"]).await.code, 0);
}

#[tokio::test]
async fn what_can_not_be_understood_goes_to_stderr_with_a_code_of_its_own() {
    let report = run(&["tols"]).await;
    assert!(report.err().contains("a similar subcommand exists: 'tools'"), "{report:?}");
    assert_eq!((report.out().as_str(), report.code), ("", 2));
    let report = run(&["call", "add", "{}", "more"]).await;
    assert!(report.err().contains("unexpected argument 'more'"), "{report:?}");
    assert_eq!(report.code, 2);
    let report = run(&["call", "add", "{"]).await;
    assert!(report.err().starts_with("error: the arguments are no JSON"), "{report:?}");
    assert_eq!(report.code, 2);
}

#[tokio::test]
async fn an_unknown_tool_is_told_from_one_that_was_meant() {
    for command in ["schema", "call"] {
        let report = run(&[command, "gret"]).await;
        assert_eq!(report.err(), "error: no tool is called `gret`; did you mean `greet`?");
        assert_eq!((report.out().as_str(), report.code), ("", 2));
        let report = run(&[command, "zzz"]).await;
        assert_eq!(report.err(), "error: no tool is called `zzz`; there are add, greet");
    }
    let none = Program::new().session(Session::builder().tools(vec![]).hooks([]));
    let report = run_in(none, &["call", "add"]).await;
    assert!(report.err().starts_with("error: no tool is called `add`; this program has no tools"));
}

#[test]
fn beginnings_and_swapped_letters_are_forgiven() {
    let names = ["find_orders", "cancel_order", "order"];
    assert_eq!(nearest("find", &names), Some("find_orders"));
    assert_eq!(nearest("Find-Orders", &names), Some("find_orders"));
    assert_eq!(nearest("oredr", &names), Some("order"));
    assert_eq!(nearest("weather", &names), None);
    assert_eq!(nearest("", &names), None);
    assert_eq!(nearest("order", &[]), None);
}

#[tokio::test]
async fn a_tool_goes_by_its_own_name_and_by_its_full_one() {
    let report = run(&["call", "add", r#"{"a":1,"b":2}"#]).await;
    assert_eq!((report.out().as_str(), report.code), ("3", 0));
    let stock = Program::new().session(session().server_name("stock"));
    let report = run_in(stock, &["call", "mcp__stock__add", r#"{"a":1,"b":2}"#]).await;
    assert_eq!((report.out().as_str(), report.code), ("3", 0));
}

#[tokio::test]
async fn states_come_from_the_program_and_from_its_session_in_any_order() {
    let call = ["call", "greet"];
    let own = Program::new().session(session().state("Hi")).state("Hallo");
    assert_eq!(run_in(own, &call).await.out(), "Hallo!");
    let own = Program::new().state("Hallo").session(session().state("Hi"));
    assert_eq!(run_in(own, &call).await.out(), "Hallo!");
    let sessions = Program::new().session(session().state("Hi"));
    assert_eq!(run_in(sessions, &call).await.out(), "Hi!");
}

#[tokio::test]
async fn a_state_is_missed_by_the_tool_that_takes_it_and_by_no_other() {
    let report = run(&["call", "greet"]).await;
    assert!(report.err().contains("there is no state of type `&str`"), "{report:?}");
    assert!(report.err().contains("`.state(value)`"), "{report:?}");
    assert_eq!((report.out().as_str(), report.code), ("", 1));
    assert_eq!(run(&["call", "add", r#"{"a":1,"b":2}"#]).await.code, 0);
}

#[tokio::test]
async fn two_tools_with_one_name_are_refused_as_by_a_session() {
    let twice = Session::builder().tools(byre::tools![add, elsewhere::add]).hooks([]);
    let report = run_in(Program::new().session(twice), &["tools"]).await;
    assert!(report.err().contains("two tools are called \"add\""), "{report:?}");
    assert_eq!(report.code, 1);
}

#[tokio::test]
async fn a_name_that_two_servers_know_is_asked_for_in_full() {
    let texts = McpServer::new("texts").tools(byre::tools![elsewhere::add]);
    let both = || Program::new().session(session().server(texts.clone()));
    let report = run_in(both(), &["call", "add", "{}"]).await;
    let says = "error: several servers have a tool `add`: say mcp__byre__add or mcp__texts__add";
    assert_eq!((report.err().as_str(), report.code), (says, 2));
    let report = run_in(both(), &["call", "mcp__texts__add", r#"{"a":"1","b":"2"}"#]).await;
    assert_eq!((report.out().as_str(), report.code), ("12", 0));
}
