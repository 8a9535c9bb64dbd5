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
