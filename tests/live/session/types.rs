//! Every kind of type that a parameter may have, in one session with the real CLI.

use byre::testing::Script;
use serde_json::json;

use super::live;

#[path = "../../golden/types.rs"]
mod golden;

use golden::{Case, cases};

/// How many refusals are tried: a few, because each call takes its time.
fn refused(case: &Case) -> usize {
    usize::from(matches!(case.tool.name(), "int64" | "int128" | "items" | "instant" | "tuple"))
}

#[tokio::test]
async fn every_type_is_offered_to_the_model_and_its_values_arrive() {
    let cases = cases();
    let calls = cases.iter().flat_map(|case @ Case { tool, takes, refuses, .. }| {
        let values = takes.iter().take(1).chain(refuses.iter().take(refused(case)));
        values.map(|(value, _)| (tool.name().to_owned(), json!({"p": value})))
    });
    let calls: Vec<_> = calls.collect();
    live(Script::new().call_all(calls.clone()).say("Done."), async |live| {
        let tools: Vec<_> = cases.iter().map(|case| case.tool.clone()).collect();
        let mut session = live.builder().tools(tools).spawn().await.expect("the session starts");
        session.prompt("Go.").await.expect("the turn ends well");
        session.close().await.unwrap();

        let requests = live.requests();
        for Case { tool, .. } in &cases {
            let offered = requests[0].tool(tool.name()).unwrap_or_else(|| panic!("{tool:?}"));
            assert_eq!(offered.input_schema, tool.input_schema(), "{tool:?}");
            assert!(!offered.defer_loading, "{tool:?}");
        }
        let want = cases.iter().flat_map(|case @ Case { tool, takes, refuses, .. }| {
            let taken = takes.iter().take(1).map(|(_, shown)| (*shown).to_owned());
            let refused = refuses.iter().take(refused(case)).map(|(_, words)| {
                format!("the arguments of `{}` do not fit:\n- {words}", tool.name())
            });
            taken.chain(refused)
        });
        let results = &requests[1].tool_results;
        assert_eq!(results.len(), calls.len());
        for ((result, want), call) in results.iter().zip(want).zip(&calls) {
            assert_eq!(result.text, want, "{call:?}");
        }
    })
    .await;
}
