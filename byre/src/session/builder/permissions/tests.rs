use std::ffi::OsString;

use super::*;
use crate::function::Location;

/// What is said of these arguments, with a server `byre` of the program's own.
fn check(args: &[&str], want: Option<&str>) {
    let args: Vec<_> = args.iter().map(OsString::from).collect();
    let own = ["mcp__byre".to_owned()];
    let found = shadows(&args, &own);
    match want {
        Some(want) => {
            let found = found.unwrap_or_else(|| panic!("{args:?} is not told of"));
            assert!(found.contains(want), "{args:?}: {found}");
        }
        None => assert_eq!(found, None, "{args:?}"),
    }
}

#[test]
fn rules_for_whole_tools_leave_nothing_to_ask() {
    check(&["--allowedTools=Read"], Some("call them: Read"));
    check(&["--allowed-tools=Read()"], Some("call them: Read"));
    check(&["--allowedTools=Read(*)"], Some("call them: Read"));
    check(&["--allowedTools=mcp__github"], Some("call them: mcp__github"));
    check(&["--allowedTools=A", "--allowedTools=B,A C(x y,z) D"], Some("call them: A, B, D"));
}

#[test]
fn narrow_rules_and_own_tools_are_fine() {
    check(&["--allowedTools=Bash(git *),Read(/srv/**)"], None);
    check(&["--allowedTools=mcp__byre__add,mcp__byre,mcp__byre__*"], None);
    check(&["--allowedTools=, ,"], None);
    check(&["--permission-mode=acceptEdits", "--model=Read"], None);
    check(&[], None);
}

#[test]
fn modes_that_decide_everything_are_told_of_first() {
    let bypass = "bypass mode";
    check(&["--permission-mode=bypassPermissions", "--allowedTools=Read"], Some(bypass));
    check(&["--dangerously-skip-permissions"], Some(bypass));
    check(&["--permission-mode=dontAsk"], Some("dontAsk"));
}

#[test]
fn of_several_functions_none_is_chosen() {
    fn never(_: &Asked) -> def::PermissionFuture {
        Box::pin(std::future::pending())
    }
    static ONE: PermissionDef =
        PermissionDef { name: "one", location: Location::new("a.rs", 1, "a"), call: never };
    static TWO: PermissionDef =
        PermissionDef { name: "two", location: Location::new("b.rs", 2, "b"), call: never };

    assert!(the_one(&[]).unwrap().is_none());
    assert_eq!(the_one(&[&ONE]).unwrap().unwrap().name, "one");
    let error = the_one(&[&ONE, &TWO]).unwrap_err().to_string();
    assert!(error.contains("`one` (a.rs:1) and `two` (b.rs:2)"), "{error}");
}
