//! What the CLI tells when it is asked: about itself, its servers, its settings, its use of tokens. And a
//! command line of one's own.
//!
//! Every answer keeps the JSON that it was read from. What the CLI leaves out, or says in another shape
//! than byre knows, has the default of its type.
//!
//! # A command line for tools
//!
//! With the feature `cli`, `main` and `Program` make a command line of any program that has tools, for the
//! people who write them:
//!
//! ```no_run
//! # #[cfg(feature = "cli")]
//! # mod toolbox {
//! /// Adds two integers.
//! #[byre::tool]
//! async fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     byre::cli::main()
//! }
//! # }
//! # fn main() {}
//! ```
//!
//! ```console
//! $ toolbox call add '{"a": 2, "b": 40}'
//! 42
//! ```
//!
//! | subcommand | prints |
//! |---|---|
//! | `tools` | a table of the tools: name, description, parameters; with `--json`, the list that the CLI is told, one line for each server |
//! | `schema NAME` | the JSON Schema of the arguments; then that of the result, where there is one |
//! | `call NAME [JSON]` | what the model would see of a call with these arguments; `-` reads them from stdin |
//! | `doctor` | what a session would need, and whether it is there: the CLI, its version, a login, states |
//!
//! A tool goes by its name, or by the full one that the model knows, `mcp__byre__add`. `call` needs no CLI and
//! no model; layers and limits of the tool and of its server are around it as in a session. Images and sounds
//! are told by their kind and size; `--out FILE` saves the first of them.
//!
//! The exit code is 0 where all went well; 1 for a result that is an error, for something that `doctor` finds
//! missing or wrong, and for output that can't be written; 2 for a command line that can't be understood.

// On top of all layers. It prints, which no other part of byre does: `report` is the one place.

#[cfg(feature = "cli")]
mod call;
#[cfg(feature = "cli")]
mod doctor;
#[cfg(feature = "cli")]
mod listing;
#[cfg(feature = "cli")]
mod ordered;
#[cfg(feature = "cli")]
mod program;
#[cfg(feature = "cli")]
mod report;

#[cfg(feature = "cli")]
pub use self::program::{Program, main};
pub use crate::wire::{
    answer::{
        files::{FileContents, FileSuggestions, PluginInfo, PluginsReloaded, RewindResult},
        info::{AccountInfo, AgentInfo, BinaryVersion, CliInfo, ModelInfo, SlashCommand},
        mcp::{McpCallResult, McpResource, McpServer, McpServerInfo, McpServersSet, McpTool},
        settings::{
            AppliedSettings, EffectiveSettings, HookEventInfo, HookInfo, HooksListing,
            PermissionRuleInfo, PermissionRules, WorkspaceDirectory,
        },
        turn::{InterruptReceipt, TaskOutput},
        usage::{ContextCategory, ContextUsage, McpToolUsage, MemoryFile, SessionUsage, Usage},
    },
    option::mcp::McpCall,
};
