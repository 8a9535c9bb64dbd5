//! Who decides what the CLI would ask a person.

use std::future::Future;

use super::SessionBuilder;
use crate::{
    error::{Error, Result},
    permission::{
        Answers, Asked, DialogAnswer, ElicitationAnswer, ElicitationRequest, IntoAnswer,
        PermissionAnswer, PermissionContext, PermissionRequest, Permissions, Questions, UserDialog,
        def::{self, Handler, PermissionDef},
        desk::{Decides, Desk},
    },
};

/// What a builder knows of who decides.
#[derive(Clone, Debug, Default)]
pub(super) struct Permitting {
    choice: Choice,
    /// Everything but who decides on permissions.
    desk: Desk,
    /// byre's own tools need a permission like all others.
    pub(super) asks_for_own_tools: bool,
}

/// Who decides on permissions.
#[derive(Clone, Debug, Default)]
enum Choice {
    /// The function with `#[byre::permission]`, if there is one.
    #[default]
    Registered,
    Nobody,
    Function(Handler<Asked, PermissionAnswer>),
    Stream,
}

/// Who decides what the CLI would ask a person.
///
/// A closure that keeps something for its calls gives each of them its own:
/// `move |request, _| { let log = log.clone(); async move { … } }`.
impl SessionBuilder {
    /// Asks this function whether a tool may run, when no rule, mode or hook has decided; in place of the
    /// function with [`#[byre::permission]`](macro@crate::permission).
    ///
    /// The CLI is told to ask, which also offers the model its tools for questions and plans. byre's own
    /// tools run without a question, unless
    /// [`ask_for_own_tools`](Self::ask_for_own_tools) is called. Rules that allow a whole tool, and bypass
    /// mode, leave nothing to ask: that is told once, as [`Event::Warning`](crate::Event::Warning). The
    /// model's questions, `AskUserQuestion`, do not come here, but to [`ask_user`](Self::ask_user).
    ///
    /// The last call of this method and of [`permissions_as_stream`](Self::permissions_as_stream) counts.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::PermissionAnswer;
    ///
    /// let builder = byre::Session::builder().can_use_tool(async |request, _context| {
    ///     if request.tool_name == "WebFetch" {
    ///         PermissionAnswer::allow()
    ///     } else {
    ///         PermissionAnswer::deny("Only the web may be read here. Don't try it again.")
    ///     }
    /// });
    /// ```
    pub fn can_use_tool<F, R>(
        mut self,
        decide: impl Fn(PermissionRequest, PermissionContext) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: IntoAnswer<PermissionAnswer>,
    {
        self.permitting.choice = Choice::Function(Handler::new(
            "the function given to `can_use_tool`",
            move |asked: Asked| {
                let (request, context) = asked.into_parts();
                boxed(decide(request, context))
            },
        ));
        self
    }

    /// Asks nobody whether a tool may run, also if a function with
    /// [`#[byre::permission]`](macro@crate::permission) is linked in. The CLI denies what it would ask.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().without_permission_handler();
    /// ```
    pub fn without_permission_handler(mut self) -> Self {
        self.permitting.choice = Choice::Nobody;
        self
    }

    /// Gives the requests for permissions as data, to be answered later and from anywhere:
    /// [`Session::permissions`](crate::Session::permissions) reads them. Questions of the model come there
    /// as well, unless [`ask_user`](Self::ask_user) is called.
    ///
    /// Otherwise the same as [`can_use_tool`](Self::can_use_tool). If nobody reads them, the calls wait for
    /// ever.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run() -> byre::Result<()> {
    /// let mut session = byre::Session::builder().permissions_as_stream().spawn().await?;
    /// let mut permissions = session.permissions().expect("it is the first call");
    /// tokio::spawn(async move {
    ///     while let Some(pending) = permissions.next().await {
    ///         pending.allow().ok();
    ///     }
    /// });
    /// # Ok(())
    /// # }
    /// ```
    pub fn permissions_as_stream(mut self) -> Self {
        self.permitting.choice = Choice::Stream;
        self
    }

    /// Has byre's own tools ask for permission like all others. Without this, they are allowed at the
    /// start of the CLI, and nobody is asked.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::PermissionAnswer;
    ///
    /// let builder = byre::Session::builder()
    ///     .ask_for_own_tools()
    ///     .can_use_tool(async |_, _| PermissionAnswer::allow());
    /// ```
    pub fn ask_for_own_tools(mut self) -> Self {
        self.permitting.asks_for_own_tools = true;
        self
    }

    /// Asks this function when the model has questions to the user, with the tool `AskUserQuestion`. They
    /// come in every permission mode.
    ///
    /// Without it, the model reads that nobody can be asked. If the function fails, too.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::Answers;
    ///
    /// let builder = byre::Session::builder().ask_user(async |questions| {
    ///     let mut answers = Answers::new();
    ///     for question in questions.iter() {
    ///         answers = answers.answer(&question.question, "Whatever you think best.");
    ///     }
    ///     answers
    /// });
    /// ```
    pub fn ask_user<F, R>(mut self, answer: impl Fn(Questions) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: IntoAnswer<Answers>,
    {
        let handler = Handler::new("the function given to `ask_user`", move |questions| {
            boxed(answer(questions))
        });
        self.permitting.desk.ask_user = Some(handler);
        self
    }

    /// Asks this function when an MCP server, one that the CLI runs, wants to know something from the
    /// user.
    ///
    /// Without it, all such questions are declined. If the function fails, the question is cancelled.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::ElicitationAnswer;
    ///
    /// let builder = byre::Session::builder().elicitation(async |request| {
    ///     match request.mcp_server_name.as_str() {
    ///         "github" => ElicitationAnswer::accept(serde_json::json!({"account": "work"})),
    ///         _ => ElicitationAnswer::decline(),
    ///     }
    /// });
    /// ```
    pub fn elicitation<F, R>(
        mut self,
        answer: impl Fn(ElicitationRequest) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: IntoAnswer<ElicitationAnswer>,
    {
        let handler = Handler::new("the function given to `elicitation`", move |request| {
            boxed(answer(request))
        });
        self.permitting.desk.elicitation = Some(handler);
        self
    }

    /// Shows the CLI's dialogs of these kinds. The CLI asks for no others, and goes on without them.
    ///
    /// If the function fails, the dialog is cancelled. A dialog of another kind is left without an answer,
    /// which would count as the user's own.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::DialogAnswer;
    ///
    /// let kinds = ["refusal_fallback_prompt"];
    /// let builder = byre::Session::builder().user_dialog(kinds, async |dialog| {
    ///     println!("{}", dialog.payload);
    ///     DialogAnswer::cancelled()
    /// });
    /// ```
    pub fn user_dialog<F, R>(
        mut self,
        kinds: impl IntoIterator<Item = impl Into<String>>,
        show: impl Fn(UserDialog) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: IntoAnswer<DialogAnswer>,
    {
        let kinds = kinds.into_iter().map(Into::into).collect();
        let handler =
            Handler::new("the function given to `user_dialog`", move |dialog| boxed(show(dialog)));
        self.permitting.desk.dialogs = Some((kinds, handler));
        self
    }
}

impl SessionBuilder {
    /// What the CLI is started with that decides before anybody is asked, in words for the programmer.
    pub(super) fn shadowed(&self, desk: &Desk) -> Option<String> {
        if matches!(desk.decides, Decides::Nobody) {
            return None;
        }
        shadows(&self.launch.args(), &self.launch.allowed_tools)
    }
}

/// Puts a handler's future on the heap, with what it gives turned into an answer.
fn boxed<A, R: IntoAnswer<A>>(
    future: impl Future<Output = R> + Send + 'static,
) -> crate::function::BoxFuture<Result<A, String>> {
    Box::pin(async move { future.await.into_answer() })
}

impl Permitting {
    /// Who is asked what, and the stream of requests where the program wants one.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration) if several functions registered
    /// themselves, and none was chosen.
    pub(super) fn desk(&self) -> Result<(Desk, Option<Permissions>)> {
        let mut desk = self.desk.clone();
        let mut permissions = None;
        desk.decides = match &self.choice {
            Choice::Registered => match the_one(&def::registered())? {
                Some(def) => Decides::Function(Handler::from_def(def)),
                None => Decides::Nobody,
            },
            Choice::Nobody => Decides::Nobody,
            Choice::Function(handler) => Decides::Function(handler.clone()),
            Choice::Stream => {
                let (sender, stream) = Permissions::new();
                permissions = Some(stream);
                Decides::Stream(sender)
            }
        };
        Ok((desk, permissions))
    }

    /// Refuses what the CLI would get wrong in silence.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration).
    pub(super) fn check(&self, extra_args: &[(String, Option<String>)]) -> Result<()> {
        let (desk, _) = self.desk()?;
        let prompt_tool = |(name, _): &&(String, Option<String>)| {
            name.trim_start_matches('-') == "permission-prompt-tool"
        };
        match extra_args.iter().find(prompt_tool) {
            Some((_, value)) if desk.needs_prompts() => Err(Error::configuration(format!(
                "permissions are decided in this program, so `--permission-prompt-tool{}` can't be an \
                 extra argument",
                value.as_ref().map(|value| format!("={value}")).unwrap_or_default()
            ))
            .hint("remove it, or call `without_permission_handler`")),
            _ => Ok(()),
        }
    }
}

/// The only function, if there is one.
fn the_one(defs: &[&'static PermissionDef]) -> Result<Option<&'static PermissionDef>> {
    match defs {
        [] => Ok(None),
        [def] => Ok(Some(def)),
        several => {
            let places = several.iter().map(|def| format!("`{}` ({})", def.name, def.location));
            let places = places.collect::<Vec<_>>();
            Err(Error::configuration(format!(
                "only one function can decide on permissions, and there are {}",
                places.join(" and ")
            ))
            .hint(
                "say `#[byre::permission(register = false)]` on all but one, or choose one with \
                 `can_use_tool`",
            ))
        }
    }
}

/// What in the arguments of the CLI decides before anybody is asked, in words for the programmer.
///
/// `own` are the rules for byre's own servers, whose tools are allowed on purpose.
pub(super) fn shadows(args: &[std::ffi::OsString], own: &[String]) -> Option<String> {
    let args: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
    let values = |names: &'static [&'static str]| {
        args.iter().filter_map(move |arg| {
            let (name, value) = arg.strip_prefix("--")?.split_once('=')?;
            names.contains(&name).then_some(value)
        })
    };
    let mode = values(&["permission-mode"]).next_back();
    let skips = args.iter().any(|arg| arg == "--dangerously-skip-permissions");
    if skips || mode == Some("bypassPermissions") {
        return Some(
            "bypass mode lets every tool run, so nobody is asked for permission; only questions of the \
             model, and calls for which a hook says `ask`, still come"
                .to_owned(),
        );
    }
    if mode == Some("dontAsk") {
        return Some(
            "the mode `dontAsk` denies what no rule allows, so nobody is asked for permission"
                .to_owned(),
        );
    }
    let is_own = |tool: &str| {
        let of_server = |rest: &str| rest.is_empty() || rest.starts_with("__");
        own.iter().any(|own| tool.strip_prefix(own.as_str()).is_some_and(of_server))
    };
    let mut shadowing: Vec<&str> = Vec::new();
    for rule in values(&["allowedTools", "allowed-tools"]).flat_map(rules) {
        if let Some(tool) = whole_tool(rule)
            && !is_own(tool)
            && !shadowing.contains(&tool)
        {
            shadowing.push(tool);
        }
    }
    (!shadowing.is_empty()).then(|| {
        format!(
            "these tools are allowed as a whole, so nobody is asked for permission to call them: {}",
            shadowing.join(", ")
        )
    })
}

/// Splits a list of rules at commas and blanks that stand outside of parentheses.
fn rules(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = list.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c == ' ')
    });
    parts.filter(|rule| !rule.is_empty()).collect()
}

/// The tool, if the rule is about all its calls: `Read`, `Read()` or `Read(*)`.
fn whole_tool(rule: &str) -> Option<&str> {
    match rule.split_once('(') {
        None => Some(rule),
        Some((tool, "*)" | ")")) => Some(tool),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests;
