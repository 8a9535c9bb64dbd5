//! An agent that asks before it does anything: yes, no, always, or a text in place of "no".
//!
//! `cargo run --example permissions -- "Tidy up the notes."`, with `--offline` to play it without Claude.
//! Where stdin is no terminal, its lines are the answers; where they end, the answer is "no".

use std::io::{BufRead, IsTerminal, Write};

use byre::{
    Event,
    permission::{
        Answers, DecisionClassification, Destination, PermissionAnswer, PermissionRequest,
        Question, Questions,
    },
    testing::Script,
};
use serde_json::json;
use tokio::sync::Mutex;

mod shared;

/// Held by whoever uses the terminal: calls may ask side by side, and events come meanwhile.
static TERMINAL: Mutex<()> = Mutex::const_new(());

/// Removes a note.
#[byre::tool]
async fn remove_note(
    /// The note's name.
    name: String,
) -> String {
    format!("{name} is gone (not really: this is an example)")
}

/// Asks on the terminal whether a tool may run.
#[byre::permission]
async fn ask(request: PermissionRequest) -> PermissionAnswer {
    let _terminal = TERMINAL.lock().await;
    let tool = request.display_name.as_deref().unwrap_or(&request.tool_name);
    println!("asks    {tool} {}", request.input);
    if let Some(reason) = &request.decision_reason {
        println!("        {reason}");
    }
    let can_remember =
        !request.suppress_always_allow_rule && !request.permission_suggestions.is_empty();
    let choices = if can_remember { "[y]es, [n]o, [a]lways, or what to do instead" } else { "y/n" };
    match read(choices).await.as_str() {
        "y" => PermissionAnswer::allow().classified(DecisionClassification::UserTemporary),
        // The CLI would write the rule into the project's settings; here it is for this session.
        "a" if can_remember => PermissionAnswer::allow()
            .with_updates(
                request
                    .permission_suggestions
                    .into_iter()
                    .map(|update| update.to(Destination::Session)),
            )
            .classified(DecisionClassification::UserPermanent),
        "n" | "" => PermissionAnswer::deny("The user said no. Don't try it again.")
            .classified(DecisionClassification::UserReject),
        text => PermissionAnswer::deny(format!("The user does not want that, and says: {text}"))
            .classified(DecisionClassification::UserReject),
    }
}

/// Asks on the terminal what the model wants to know.
async fn answer(questions: Questions) -> Answers {
    let _terminal = TERMINAL.lock().await;
    let mut answers = Answers::new();
    for question in questions.iter() {
        println!("asks    {}", question.question);
        for (number, option) in (1..).zip(&question.options) {
            println!("        {number}. {}: {}", option.label, option.description);
        }
        let line = read("numbers, or a text").await;
        if !line.is_empty() {
            answers = answers.choose(&question.question, chosen(question, &line));
        }
    }
    answers
}

/// The labels of the numbers in `line`, or the line itself where it is something else.
fn chosen(question: &Question, line: &str) -> Vec<String> {
    let label = |word: &str| {
        let number: usize = word.parse().ok()?;
        Some(question.options.get(number.checked_sub(1)?)?.label.clone())
    };
    let words = line.split([',', ' ']).filter(|word| !word.is_empty());
    words.map(label).collect::<Option<Vec<_>>>().unwrap_or_else(|| vec![line.to_owned()])
}

/// Reads a line from stdin, on a thread that may wait.
async fn read(choices: &str) -> String {
    print!("        {choices}: ");
    let _ = std::io::stdout().flush();
    let reading = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        // An error is the same as the end of the input: no answer.
        let _ = std::io::stdin().lock().read_line(&mut line);
        line.trim().to_owned()
    });
    let line = reading.await.unwrap_or_default();
    if !std::io::stdin().is_terminal() {
        // A terminal shows what is typed.
        println!("{line}");
    }
    line
}

#[tokio::main]
async fn main() -> byre::Result<()> {
    let given = std::env::args().skip(1).find(|argument| argument != "--offline");
    let prompt = given.unwrap_or_else(|| "Tidy up the notes.".to_owned());
    println!("you     {prompt}");
    let builder = shared::builder(offline()).ask_for_own_tools().ask_user(answer);
    let mut session = builder.spawn().await?;
    let mut turn = session.prompt(prompt);
    while let Some(event) = turn.next().await {
        let event = event?;
        let _terminal = TERMINAL.lock().await;
        match event {
            Event::Assistant(message) if !message.text().is_empty() => {
                println!("claude  {}", message.text());
            }
            Event::User(message) => {
                for result in message.tool_results() {
                    println!("result  {}", result.text());
                }
            }
            Event::Warning(warning) => println!("warning {}", warning.message),
            _ => {}
        }
    }
    session.close().await
}

/// What Claude does here when it is not asked.
fn offline() -> Script {
    let question = json!({
        "question": "Which notes are old?",
        "header": "Age",
        "options": [
            {"label": "last year's", "description": "Everything before January"},
            {"label": "last week's", "description": "Everything before Monday"},
        ],
        "multiSelect": true,
    });
    let remove = |name: &str| json!({"name": name});
    Script::new()
        .call("AskUserQuestion", json!({"questions": [question]}))
        .call("remove_note", remove("todo-2019"))
        .call("remove_note", remove("passwords"))
        .call("remove_note", remove("todo-2020"))
        .call("remove_note", remove("todo-2021"))
        .say("I have removed what you let me.")
}
