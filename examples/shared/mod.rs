//! What the examples share: they run with the real CLI where there is one, and with a script where not.

use byre::{
    Session, SessionBuilder,
    testing::{Script, ScriptedCli},
};

/// A session with the real CLI, or with a stand-in that plays `script`: with `--offline`, or where no CLI
/// is found.
pub(crate) fn builder(script: Script) -> SessionBuilder {
    let builder = Session::builder();
    let offline = std::env::args().any(|argument| argument == "--offline");
    match builder.find_cli() {
        Ok(_) if !offline => builder,
        Err(error) if !offline => {
            eprintln!("playing a script, because byre {error}");
            builder.transport(ScriptedCli::new(script))
        }
        _ => builder.transport(ScriptedCli::new(script)),
    }
}
