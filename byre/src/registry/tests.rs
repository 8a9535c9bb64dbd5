use serde_json::json;

use super::*;

mod first {
    /// The first.
    #[byre::tool(register = false)]
    pub(super) async fn add() {}
}

mod second {
    /// The second.
    #[byre::tool(register = false)]
    pub(super) async fn add() {}
}

/// Subtracts.
#[byre::tool(register = false)]
async fn sub(a: i64, b: i64) -> i64 {
    a - b
}

#[byre::hook(register = false)]
async fn watch(_input: hook::StopInput) {}

fn selection(tools: Vec<Tool>) -> Selection {
    Selection { explicit: Some(tools), ..Selection::default() }
}

fn server(name: &str) -> McpServer {
    McpServer::new(name).tools(crate::tools![sub])
}

/// The tools of the session's own server.
fn served(selection: &Selection) -> Result<Vec<Tool>> {
    let servers = selection.servers(McpServer::new("byre"))?;
    Ok(servers.into_iter().flat_map(|server| server.tools).collect())
}

fn names(selection: &Selection) -> Vec<String> {
    served(selection).unwrap().iter().map(|tool| tool.name().to_owned()).collect()
}

#[test]
fn tools_are_sorted_by_name() {
    assert_eq!(names(&selection(crate::tools![sub, first::add])), ["add", "sub"]);
    assert_eq!(names(&selection(crate::tools![first::add, sub])), ["add", "sub"]);
}

#[test]
fn two_tools_with_one_name_are_refused_with_both_places() {
    let error = served(&selection(crate::tools![second::add, sub, first::add])).unwrap_err();
    let [a, b] = [&crate::tools![first::add][0], &crate::tools![second::add][0]]
        .map(|tool| tool.location().to_string());
    assert_ne!(a, b);
    let text = error.to_string();
    assert!(text.contains("\"add\"") && text.contains(&a) && text.contains(&b), "{text}");
    assert!(a.contains("registry/tests.rs:"), "{a}");
}

#[test]
fn tools_can_be_chosen_by_name() {
    let mut selection = selection(crate::tools![sub, first::add]);
    selection.only = Some(vec!["sub".to_owned()]);
    assert_eq!(names(&selection), ["sub"]);
    selection.only = None;
    selection.without = vec!["sub".to_owned()];
    assert_eq!(names(&selection), ["add"]);
}

#[test]
fn an_unknown_name_says_what_there_is_and_what_may_be_missing() {
    for field in ["only", "without"] {
        let mut selection = selection(crate::tools![sub, first::add]);
        match field {
            "only" => selection.only = Some(vec!["sbu".to_owned()]),
            _ => selection.without = vec!["sbu".to_owned()],
        }
        let text = served(&selection).unwrap_err().to_string();
        for part in ["\"sbu\"", "add, sub", "use that_crate as _;"] {
            assert!(text.contains(part), "{text}");
        }
    }
}

#[test]
fn names_are_written_as_the_cli_writes_them() {
    assert_eq!(qualified_name("byre", "add"), "mcp__byre__add");
    assert_eq!(qualified_name("my server", "a.b"), "mcp__my_server__a_b");
    assert_eq!(qualified_name("日本", "x"), "mcp______x");
}

/// A tool that nothing is wrong with.
fn listed(name: &str) -> Listed<'_> {
    Listed {
        name,
        description: "Does something.",
        input_schema: json!({"type": "object", "properties": {"a.b-c_1": {}}}),
        place: format!("src/{name}.rs:1"),
        faults: Vec::new(),
    }
}

/// Expects exactly one fault, which names the tool's place and has `part` in it.
fn check_fault(tool: Listed<'_>, part: &str) {
    let place = tool.place.clone();
    let found = faults("byre", None, &[listed("other"), tool]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains(part) && found[0].contains(&place), "{part} is not in {found:?}");
}

#[test]
fn what_would_be_dropped_in_silence_is_refused() {
    assert_eq!(faults("byre", Some("Add."), &[listed("a"), listed("b")]), [""; 0]);
    let long = "é".repeat(4097);
    check_fault(Listed { description: &long, ..listed("a") }, "description of 4097 characters");
    for root in
        [json!({}), json!({"type": "array"}), json!({"type": ["object", "null"]}), json!(true)]
    {
        check_fault(Listed { input_schema: root, ..listed("a") }, "drop every tool");
    }
    for property in ["", "$x", "a b", "é", &"p".repeat(65)] {
        let input_schema = json!({"type": "object", "properties": {property: {}}});
        check_fault(Listed { input_schema, ..listed("a") }, "an argument");
    }
    for name in ["a.b", "日本", ""] {
        check_fault(listed(name), "other characters");
    }
    // `mcp__byre__` has 11 characters.
    assert_eq!(faults("byre", None, &[listed(&"n".repeat(117))]), [""; 0]);
    check_fault(listed(&"n".repeat(118)), "129 characters");
}

#[test]
fn names_that_become_one_are_refused_with_both_places() {
    let found = faults("byre", None, &[listed("a_b"), listed("a.b")]);
    assert!(
        found.iter().any(|fault| {
            fault.contains("src/a_b.rs:1")
                && fault.contains("src/a.b.rs:1")
                && fault.contains("both mcp__byre__a_b")
        }),
        "{found:?}"
    );
}

#[test]
fn a_server_that_would_not_do_is_refused() {
    assert_eq!(faults("", None, &[]), ["the server's name is empty"]);
    let found = faults("byre", Some(&"x".repeat(4097)), &[]);
    assert!(found[0].contains("instructions have 4097"), "{found:?}");
    let error = check(&[server(&"s".repeat(120))]).unwrap_err();
    assert_eq!(error.kind(), crate::ErrorKind::Configuration);
    assert!(error.to_string().contains("registry/tests.rs:"), "{error}");
    assert!(check(&[server("byre")]).is_ok());
}

#[test]
fn hooks_have_ids_of_their_own_and_are_listed_by_event() {
    let table = HookTable::new(crate::hooks![watch, watch], &|_| Vec::new()).unwrap();
    assert_eq!(
        table.to_initialize(),
        json!({"Stop": [
            {"matcher": null, "hookCallbackIds": ["hook_0000"]},
            {"matcher": null, "hookCallbackIds": ["hook_0001"]},
        ]})
    );
    assert_eq!(table.get("hook_0001").unwrap().name(), "watch");
    assert!(table.get("hook_0002").is_none());
    assert_eq!(HookTable::default().to_initialize(), Value::Null);
}

/// Counts up.
#[byre::tool(register = false)]
async fn count(count: crate::State<u16>) -> u16 {
    *count + 1
}

/// Counts down.
#[byre::tool(register = false)]
async fn count_down(count: crate::State<u16>) -> u16 {
    *count - 1
}

#[test]
fn a_missing_state_is_told_in_a_sentence() {
    let text =
        |tools: Vec<Tool>| check_states(&tools, &[], &States::default()).unwrap_err().to_string();
    let one = text(crate::tools![count]);
    assert!(one.contains("`u16`, which the tool `count` ("), "{one}");
    assert!(one.contains(") takes; give"), "{one}");
    let two = text(crate::tools![count, count_down]);
    assert!(two.contains(") and the tool `count_down` (") && two.contains(") take; give"), "{two}");
}

/// Counts.
#[byre::tool(register = false)]
async fn tally() {}

/// A tool that asks for a server.
fn of_stock() -> Tool {
    crate::tools![tally].remove(0).for_server("stock")
}

/// The names of the servers, each with those of its tools.
fn overview(selection: &Selection) -> Vec<(String, Vec<String>)> {
    let servers = selection.servers(McpServer::new("byre")).unwrap();
    let names =
        |server: &McpServer| server.tools.iter().map(|tool| tool.name().to_owned()).collect();
    servers.iter().map(|server| (server.name.clone(), names(server))).collect()
}

fn expected(want: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    want.iter().map(|(server, tools)| ((*server).to_owned(), owned(tools))).collect()
}

#[test]
fn a_tool_comes_to_the_server_that_it_asks_for() {
    let mut selection = selection(vec![of_stock(), crate::tools![sub].remove(0)]);
    assert_eq!(overview(&selection), expected(&[("byre", &["sub"]), ("stock", &["tally"])]));
    // What is given to a server stays there, whatever it asks for.
    selection.servers =
        vec![McpServer::new("stock").tools(crate::tools![first::add]), McpServer::new("empty")];
    selection.servers[1] = selection.servers[1].clone().tools([of_stock()]);
    assert_eq!(
        overview(&selection),
        expected(&[("byre", &["sub"]), ("empty", &["tally"]), ("stock", &["add", "tally"])])
    );
}

#[test]
fn a_server_without_tools_is_served_if_the_program_describes_it() {
    let mut selection = selection(Vec::new());
    assert_eq!(overview(&selection), []);
    selection.servers = vec![McpServer::new("byre"), McpServer::new("later")];
    assert_eq!(overview(&selection), expected(&[("byre", &[]), ("later", &[])]));
}

#[test]
fn the_sessions_own_server_can_be_described_like_any_other() {
    let own = || McpServer::new("byre").instructions("Add.");
    let mut selection = selection(crate::tools![sub]);
    selection.servers = vec![McpServer::new("byre").always_load(false)];
    let servers = selection.servers(own()).unwrap();
    assert_eq!(servers.len(), 1);
    assert_eq!((servers[0].instructions.as_deref(), servers[0].always_load), (Some("Add."), false));
    selection.servers = vec![own()];
    let error = selection.servers(own()).unwrap_err().to_string();
    assert!(error.contains("\"byre\" is given instructions twice"), "{error}");
}

#[test]
fn servers_that_the_cli_could_not_tell_apart_are_refused() {
    let mut selection = selection(Vec::new());
    selection.servers = vec![server("a.b"), server("a.b")];
    let error = selection.servers(McpServer::new("byre")).unwrap_err().to_string();
    assert!(error.contains("two servers are called \"a.b\""), "{error}");
    let error = check(&[server("a.b"), server("a_b")]).unwrap_err().to_string();
    assert!(error.contains("\"a.b\" and \"a_b\" are both a_b to the model"), "{error}");
}

#[test]
fn a_tool_that_may_take_longer_than_the_cli_waits_is_refused() {
    let slow = crate::tools![sub].remove(0).timeout(Duration::from_secs(60));
    let server = |limit| {
        McpServer::new("byre").tools([slow.clone()]).call_timeout(Duration::from_secs(limit))
    };
    assert!(check(&[server(61)]).is_ok());
    let error = check(&[server(60)]).unwrap_err().to_string();
    assert!(error.contains("may take 60 s, and the CLI gives up after 60 s"), "{error}");
}

#[test]
fn every_pair_of_equal_names_is_told() {
    let tools = crate::tools![first::add, sub, second::add, sub];
    let error = served(&selection(tools)).unwrap_err().to_string();
    assert!(error.contains("called \"add\"") && error.contains("called \"sub\""), "{error}");
}

#[test]
fn a_hook_for_a_tool_guards_it_on_every_server() {
    /// Watches.
    #[byre::hook(register = false, tool = tally)]
    async fn guard(_input: hook::PreToolUseInput) {}

    let names = |_: &str| vec!["mcp__a__tally".to_owned(), "mcp__b__tally".to_owned()];
    let table = HookTable::new(crate::hooks![guard], &names).unwrap();
    let told = &table.to_initialize()["PreToolUse"][0]["matcher"];
    assert_eq!(told, "mcp__a__tally|mcp__b__tally");
}

#[test]
fn examples_and_limits_that_can_not_be_are_refused() {
    /// Adds two integers.
    #[byre::tool(register = false, examples = [{"a": 1, "b": 2}, {"a": "x", "c": 3}])]
    async fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    let [add] = <[Tool; 1]>::try_from(crate::tools![add]).unwrap();
    let error = check(&[McpServer::new("byre").tools([add])]).unwrap_err().to_string();
    for part in ["example that does not fit: `a`", "`b`", "`c`"] {
        assert!(error.contains(part), "{error}");
    }
    let tool = || crate::tools![sub].remove(0);
    for (tool, part) in [
        (tool().max_result_chars(500_001), "from 1 to 500000"),
        (tool().max_result_chars(0), "from 1 to 500000"),
        (tool().timeout(Duration::ZERO), "a `timeout` of 0"),
    ] {
        let error = check(&[McpServer::new("byre").tools([tool])]).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    assert!(check(&[McpServer::new("byre").tools([tool().max_result_chars(500_000)])]).is_ok());
}

#[test]
fn a_server_is_allowed_by_its_name_unless_the_cli_would_not_know_it_by_that() {
    let tools = crate::tools![sub, tally];
    assert_eq!(rules("my server", &tools), ["mcp__my_server"]);
    for odd in ["a__b", "сервер", "_x", "x_"] {
        let names = ["sub", "tally"].map(|tool| qualified_name(odd, tool));
        assert_eq!(rules(odd, &tools), names, "{odd}");
    }
}
