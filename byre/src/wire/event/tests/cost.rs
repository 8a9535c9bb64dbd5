//! Tokens and US dollars.

use super::*;

fn costs_of(tracker: &mut CostTracker, events: &[Event]) -> Vec<(u64, String)> {
    let mut turns = Vec::new();
    for event in events {
        if let Some(turn) = tracker.push(event) {
            turns.push((turn.total_tokens(), format!("{:.5}", turn.cost_usd)));
        }
    }
    turns
}

fn turn(tokens: u64, cost: &str) -> (u64, String) {
    (tokens, cost.to_owned())
}

/// A result with running totals of one model, the tokens all input.
fn totals(tokens: u64, cost: f64) -> Value {
    json!({
        "type": "result", "total_cost_usd": cost, "usage": {"input_tokens": 5},
        "modelUsage": {"m": {"inputTokens": tokens, "costUSD": cost}},
    })
}

fn check(
    tracker: CostTracker,
    lines: &[Value],
    turns: &[(u64, &str)],
    spent: (u64, &str),
    session: u64,
) {
    let events: Vec<_> = lines.iter().map(event).collect();
    let mut tracker = tracker;
    let want: Vec<_> = turns.iter().map(|(tokens, cost)| turn(*tokens, cost)).collect();
    assert_eq!(costs_of(&mut tracker, &events), want);
    let all = tracker.spent();
    assert_eq!((all.total_tokens(), format!("{:.5}", all.cost_usd).as_str()), spent);
    assert_eq!(tracker.session().total_tokens(), session);
}

#[test]
fn a_turn_is_the_difference_of_two_totals() {
    let lines = [totals(10, 0.1), totals(10, 0.1), totals(35, 0.3)];
    let turns = [(10, "0.10000"), (0, "0.00000"), (25, "0.20000")];
    check(CostTracker::default(), &lines, &turns, (35, "0.30000"), 35);
}

#[test]
fn a_reset_starts_the_totals_anew() {
    let reset = json!({"type": "conversation_reset"});
    let lines = [totals(10, 0.1), reset, totals(15, 0.2)];
    let turns = [(10, "0.10000"), (15, "0.20000")];
    check(CostTracker::default(), &lines, &turns, (25, "0.30000"), 15);
    // The same where nobody says so.
    let lines = [totals(10, 0.1), totals(4, 0.05)];
    check(CostTracker::default(), &lines, &[(10, "0.10000"), (4, "0.05000")], (14, "0.15000"), 4);
}

#[test]
fn a_result_that_says_nothing_about_cost_changes_nothing() {
    let failed = json!({"type": "result", "is_error": true});
    let lines = [totals(10, 0.1), failed, totals(15, 0.2)];
    let turns = [(10, "0.10000"), (0, "0.00000"), (5, "0.10000")];
    check(CostTracker::default(), &lines, &turns, (15, "0.20000"), 15);
}

#[test]
fn a_resumed_session_does_not_pay_twice() {
    // The CLI does not say what is new, so the first turn has its tokens and no money.
    let lines = [totals(100, 1.0), totals(130, 1.5)];
    let turns = [(5, "0.00000"), (30, "0.50000")];
    check(CostTracker::resumed(), &lines, &turns, (35, "0.50000"), 130);
    // This one says it.
    let recorded = [("12-resume", 45, "0.00042"), ("13-resume-fork", 60, "0.00056")];
    for (name, tokens, cost) in recorded {
        let mut tracker = CostTracker::default();
        assert_eq!(costs_of(&mut tracker, &transcript(name)), [turn(15, "0.00014")]);
        assert_eq!(tracker.spent().total_tokens(), 15);
        assert_eq!(tracker.session().total_tokens(), tokens, "{name}");
        assert_eq!(format!("{:.5}", tracker.session().cost_usd), cost);
    }
}

#[test]
fn subagents_count_once_for_each_message() {
    let mut tracker = CostTracker::default();
    let turns = costs_of(&mut tracker, &transcript("09-background-subagent"));
    assert_eq!(turns, [turn(30, "0.00028"), turn(45, "0.00042")]);
    assert_eq!(tracker.by_model()["claude-opus-5-5"], *tracker.spent());
    let agents = tracker.by_agent();
    assert_eq!(agents[&Agent::Main].total_tokens(), 45);
    let subagent = &agents[&Agent::Subagent("toolu_0_0".to_owned())];
    assert_eq!((subagent.input_tokens, subagent.output_tokens), (20, 2));
}

#[test]
fn a_message_that_comes_in_several_lines_counts_once() {
    let line = |id: &str, output: u64| {
        event(&json!({
            "type": "assistant", "parent_tool_use_id": "t",
            "message": {"id": id, "usage": {"input_tokens": 10, "output_tokens": output}},
        }))
    };
    let mut tracker = CostTracker::default();
    let lines = [line("1", 1), line("1", 1), line("2", 1), line("1", 4)];
    assert_eq!(costs_of(&mut tracker, &lines), []);
    let cost = &tracker.by_agent()[&Agent::Subagent("t".to_owned())];
    assert_eq!((cost.input_tokens, cost.output_tokens), (20, 5));
}

#[test]
fn every_recorded_session_adds_up_to_its_totals() {
    for name in
        ["01-basic-tool-call", "10-partial-messages", "11-api-errors", "16-queued-and-replayed"]
    {
        let mut tracker = CostTracker::default();
        let turns = costs_of(&mut tracker, &transcript(name));
        assert!(!turns.is_empty());
        let (spent, session) = (tracker.spent(), tracker.session());
        assert_eq!(spent.total_tokens(), session.total_tokens(), "{name}");
        assert!((spent.cost_usd - session.cost_usd).abs() < 1e-9, "{name}");
    }
}
