//! What stands in the parentheses of `#[byre::tool]`, and of `#[tool]` on a method.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Ident;

use crate::{
    args::{Args, Entry},
    case::Case,
    diagnostics::Diagnostics,
    docs,
    function::Function,
};

/// What may stand on a function.
const OF_FUNCTION: &[&str] = &[
    "name",        // = "…": what the model calls it by, else the name of the function
    "title",       // = "…": what people call it by
    "description", // = "…": for the model, in place of the doc comment
    "server",      // = "…": which server has it, if not the session's own
    "read_only",   // flag, and so are the next three
    "destructive",
    "idempotent",
    "open_world",
    "timeout",          // = seconds: how long a call may take
    "concurrency",      // = number: how many calls may run at once
    "max_result_chars", // = number: how much of a result the CLI passes on
    "always_load",      // flag: whether it is in the prompt from the first turn
    "meta",             // (key = json, …): what stands in its `_meta`
    "examples",         // = [{…}, …]: arguments as the model might give them
    "rename_all",       // = "…": how the names of the parameters are written
    "blocking",         // mark: the future blocks its thread
    "register",         // = false: only where a `tools!` names it
    "crate",            // = path: where byre is, if not at `::byre`
];

/// What may stand on a function and not on a method of a set, and why.
const NOT_OF_METHOD: &[(&str, &str)] = &[
    (
        "register",
        "a tool of a set does not register itself: the program serves the value that it is called on; \
         remove `register`",
    ),
    ("crate", "`crate` is for the whole set; use it on `#[byre::toolset]`"),
];

/// Names of tools and servers together must fit in what the API takes, which is 128 characters.
const MAX_NAME: usize = 128;

/// The server of a session that does not name its own.
const DEFAULT_SERVER: &str = "byre";

/// The most that the CLI takes for `max_result_chars`.
const MAX_RESULT_CHARS: u64 = 500_000;

/// What a set says for all of its tools.
#[derive(Default)]
pub(crate) struct Defaults {
    pub(crate) server: Option<String>,
    /// What stands before the name of a method.
    pub(crate) prefix: String,
    pub(crate) case: Option<Case>,
}

/// The attribute, understood.
pub(crate) struct Attr {
    name: Option<Named>,
    pub(crate) title: Option<String>,
    description: Option<String>,
    pub(crate) server: Option<String>,
    /// In the order of the fields of `Hints`.
    pub(crate) hints: [(&'static str, Option<bool>); 4],
    pub(crate) limits: Limits,
    pub(crate) meta: Vec<Entry>,
    pub(crate) examples: Vec<TokenStream>,
    pub(crate) case: Option<Case>,
    /// Where `blocking` stands.
    pub(crate) blocking: Option<Ident>,
    pub(crate) register: bool,
}

#[derive(Default)]
pub(crate) struct Limits {
    /// In nanoseconds.
    pub(crate) timeout: Option<u64>,
    pub(crate) concurrency: Option<u64>,
    pub(crate) max_result_chars: Option<u64>,
    pub(crate) always_load: Option<bool>,
}

struct Named {
    value: String,
    tokens: TokenStream,
}

impl Attr {
    /// Reads the attribute of a function, and with it where byre is.
    pub(crate) fn of_function(tokens: TokenStream, diags: &mut Diagnostics) -> (Self, TokenStream) {
        let mut args = Args::parse(tokens, OF_FUNCTION, &[], diags);
        let krate = args.krate(diags);
        (Self::take(&mut args, &Defaults::default(), diags), krate)
    }

    /// Reads the attribute of a method.
    pub(crate) fn of_method(
        tokens: TokenStream,
        defaults: &Defaults,
        diags: &mut Diagnostics,
    ) -> Self {
        let mut args = Args::parse(tokens, OF_FUNCTION, NOT_OF_METHOD, diags);
        Self::take(&mut args, defaults, diags)
    }

    fn take(args: &mut Args, defaults: &Defaults, diags: &mut Diagnostics) -> Self {
        let server = take_server(args, diags).or_else(|| defaults.server.clone());
        let name = args.string("name", diags).map(|name| {
            check_name(&name.value, server.as_deref(), &name.tokens, diags);
            Named { value: name.value, tokens: name.tokens }
        });
        let title = args.string("title", diags).map(|title| title.value);
        let description = args.string("description", diags).map(|description| {
            if description.value.trim().is_empty() {
                diags.error(&description.tokens, "`description` must not be empty");
            }
            description.value
        });
        let hints = ["read_only", "destructive", "idempotent", "open_world"]
            .map(|name| (name, args.flag(name, diags)));
        let limits = Limits::take(args, diags);
        let meta = take_meta(args, diags);
        let examples = args.objects("examples", diags);
        let case = Case::take(args, diags).or(defaults.case);
        let blocking = args.mark("blocking", diags);
        let register = args.flag("register", diags).unwrap_or(true);
        Self {
            name,
            title,
            description,
            server,
            hints,
            limits,
            meta,
            examples,
            case,
            blocking,
            register,
        }
    }

    /// Returns what the model calls the tool by. A name that was written is taken as it is, and that of a
    /// function gets the prefix.
    pub(crate) fn name(
        &self,
        function: &Function,
        prefix: &str,
        diags: &mut Diagnostics,
    ) -> String {
        if let Some(name) = &self.name {
            return name.value.clone();
        }
        let name = format!("{prefix}{}", function.name());
        check_name(&name, self.server.as_deref(), &function.sig.ident, diags);
        name
    }

    /// Returns where the name stands.
    pub(crate) fn place_of_name(&self, function: &Function) -> TokenStream {
        match &self.name {
            Some(name) => name.tokens.clone(),
            None => function.sig.ident.to_token_stream(),
        }
    }

    /// Returns what the model chooses the tool by.
    pub(crate) fn description(
        &self,
        function: &Function,
        what: &str,
        diags: &mut Diagnostics,
    ) -> String {
        if let Some(description) = &self.description {
            return description.clone();
        }
        let before = diags.len();
        let text = docs::text(&function.attrs, diags);
        if text.is_empty() && diags.len() == before {
            let message = format_args!(
                "{what} must have a description, by which the model chooses it; use a doc comment or \
                 `description = \"…\"`"
            );
            diags.error(&function.sig.ident, message);
        }
        text
    }

    /// Refuses a mark that changes nothing.
    pub(crate) fn check_blocking(&self, function: &Function, what: &str, diags: &mut Diagnostics) {
        if let Some(mark) = &self.blocking
            && function.sig.asyncness.is_none()
        {
            let message = format_args!(
                "{what} is not `async`, and runs where it may block anyway; remove `blocking`"
            );
            diags.error(mark, message);
        }
    }
}

impl Limits {
    fn take(args: &mut Args, diags: &mut Diagnostics) -> Self {
        Self {
            timeout: args.seconds("timeout", diags),
            concurrency: args.integer(
                "concurrency",
                &(1..=u64::from(u32::MAX)),
                "a number of calls that may run at once, at least 1; use `concurrency = 4`",
                diags,
            ),
            max_result_chars: args.integer(
                "max_result_chars",
                &(1..=MAX_RESULT_CHARS),
                "a number of characters from 1 to 500000; use `max_result_chars = 200_000`",
                diags,
            ),
            always_load: args.flag("always_load", diags),
        }
    }
}

/// Takes the name of a server. The CLI takes any, and writes `_` for what the API does not take.
pub(crate) fn take_server(args: &mut Args, diags: &mut Diagnostics) -> Option<String> {
    let server = args.string("server", diags)?;
    if server.value.is_empty() {
        diags.error(&server.tokens, "`server` must not be empty; use the name of an `McpServer`");
        return None;
    }
    Some(server.value)
}

/// Takes `meta`, save for what has an argument of its own.
fn take_meta(args: &mut Args, diags: &mut Diagnostics) -> Vec<Entry> {
    let entries = args.entries("meta", diags);
    for Entry { key, at, .. } in &entries {
        let fix = match key.as_str() {
            "" => {
                diags.error(at, "a key of `meta` must not be empty");
                continue;
            }
            "anthropic/maxResultSizeChars" => "max_result_chars = 200_000",
            "anthropic/alwaysLoad" => "always_load = false",
            _ => continue,
        };
        diags.error(at, format_args!("`{key}` has an argument of its own; use `{fix}`"));
    }
    entries
}

/// Says what is wrong with the characters of a name, if something is: the API would not take them as they are,
/// and the CLI replaces them without a word.
fn odd_characters(name: &str) -> Option<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let is_odd = !name.chars().all(fits);
    is_odd.then(|| format!("must be of ASCII letters, digits, `_` and `-`, and `{name}` is not"))
}

/// Takes what stands before the names of methods.
pub(crate) fn take_prefix(args: &mut Args, diags: &mut Diagnostics) -> String {
    let Some(prefix) = args.string("prefix", diags) else { return String::new() };
    if let Some(fault) = odd_characters(&prefix.value) {
        diags.error(&prefix.tokens, format_args!("`prefix` {fault}"));
        return String::new();
    }
    prefix.value
}

/// Checks that the API takes the name of a tool as it is.
fn check_name(name: &str, server: Option<&str>, tokens: impl ToTokens, diags: &mut Diagnostics) {
    let server = server.unwrap_or(DEFAULT_SERVER);
    let taken = format!("mcp__{server}__");
    let room = MAX_NAME.saturating_sub(taken.chars().count());
    if name.is_empty() {
        diags.error(tokens, "the name of a tool must not be empty");
    } else if let Some(fault) = odd_characters(name) {
        let message = format_args!("the name of a tool {fault}; use `name = \"…\"`");
        diags.error(tokens, message);
    } else if name.len() > room {
        let message = format_args!(
            "the name of a tool must have at most {room} characters, and this one has {}: the API \
             takes {MAX_NAME} together with `{taken}`; use a shorter `name = \"…\"`",
            name.len()
        );
        diags.error(tokens, message);
    }
}

/// Returns what `tool` is called in messages.
pub(crate) fn what(name: &str) -> String {
    format!("tool `{name}`")
}

/// Writes `None` or `Some(…)`.
pub(crate) fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or(
        quote!(::core::option::Option::None),
        |value| quote!(::core::option::Option::Some(#value)),
    )
}
