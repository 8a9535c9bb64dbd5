//! What the CLI answers about settings, rules and hooks.

use serde_json::Value;

use super::answers;

answers! {
    /// The settings at work. `Debug` leaves them out, because they may hold secrets.
    ///
    /// ```json
    /// {"effective":{"model":"opus"},"sources":[{"source":"userSettings","settings":{}}],"applied":{"model":"claude-opus-5-5","effort":"high"}}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{:?}", handle.get_settings().await?.applied.model);
    /// # Ok(())
    /// # }
    /// ```
    pub struct EffectiveSettings {
        /// What came of them.
        pub applied: AppliedSettings = "applied",
    }

    /// What came of the settings.
    ///
    /// ```json
    /// {"model":"claude-opus-5-5","effort":"high","ultracode":false}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn effort(settings: &byre::cli::EffectiveSettings) -> Option<&str> {
    ///     settings.applied.effort.as_deref()
    /// }
    /// ```
    pub struct AppliedSettings {
        /// The model in use.
        pub model: Option<String> = "model",
        /// The effort in use.
        pub effort: Option<String> = "effort",
    }

    /// The permission rules at work.
    ///
    /// ```json
    /// {"rules":[{"behavior":"allow","source":"cliArg","rule":"mcp__byre__add","editability":"readonly"}],"workspaceDirectories":[{"path":"/srv/app","source":"session"}],"originalCwd":"/srv/app","managedOnly":false}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// for rule in handle.list_permission_rules().await?.rules {
    ///     println!("{} {}", rule.behavior, rule.rule);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub struct PermissionRules {
        /// The rules.
        pub rules: Vec<PermissionRuleInfo> = "rules",
        /// The folders that the agent may work in.
        pub workspace_directories: Vec<WorkspaceDirectory> = "workspaceDirectories",
        /// Where the CLI was started.
        pub original_cwd: String = "originalCwd",
        /// Only the rules of the administrator count.
        pub managed_only: bool = "managedOnly",
    }

    /// One of [`PermissionRules::rules`].
    ///
    /// ```json
    /// {"behavior":"deny","source":"userSettings","rule":"Bash(rm:*)","editability":"persistent"}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn denies(rules: &byre::cli::PermissionRules) -> usize {
    ///     rules.rules.iter().filter(|rule| rule.behavior == "deny").count()
    /// }
    /// ```
    pub struct PermissionRuleInfo {
        /// `allow`, `deny` or `ask`.
        pub behavior: String = "behavior",
        /// Where it is from: `userSettings`, `cliArg`, `session`, …; the set is open.
        pub source: String = "source",
        /// The rule, `Bash(git log:*)` for example.
        pub rule: String = "rule",
        /// `persistent`, `session` or `readonly`.
        pub editability: String = "editability",
    }

    /// One of [`PermissionRules::workspace_directories`].
    ///
    /// ```json
    /// {"path":"/srv/app","source":"session"}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn paths(rules: &byre::cli::PermissionRules) -> Vec<&str> {
    ///     rules.workspace_directories.iter().map(|folder| folder.path.as_str()).collect()
    /// }
    /// ```
    pub struct WorkspaceDirectory {
        /// The folder.
        pub path: String = "path",
        /// Where it was named.
        pub source: String = "source",
    }

    /// The hooks of the session, those of settings and plugins among them.
    ///
    /// ```json
    /// {"events":[{"name":"Stop","summary":"…","supportsMatcher":false,"hookCount":1}],"hooks":[{"event":"Stop","matcher":"","source":"userSettings","type":"command","commandText":"date"}],"eventCatalog":[],"policy":{}}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// for hook in handle.get_hooks_listing().await?.hooks {
    ///     println!("{}: {}", hook.event, hook.display_text);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub struct HooksListing {
        /// The events that have hooks.
        pub events: Vec<HookEventInfo> = "events",
        /// The hooks.
        pub hooks: Vec<HookInfo> = "hooks",
        /// All events that this CLI has.
        pub event_catalog: Vec<HookEventInfo> = "eventCatalog",
        /// What the administrator has decided, as the CLI gives it.
        pub policy: Value = "policy",
    }

    /// An event that hooks can be for.
    ///
    /// ```json
    /// {"name":"Stop","summary":"Right before Claude concludes its response","supportsMatcher":false,"hookCount":1}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn knows(listing: &byre::cli::HooksListing, event: &str) -> bool {
    ///     listing.event_catalog.iter().any(|known| known.name == event)
    /// }
    /// ```
    pub struct HookEventInfo {
        /// The name.
        pub name: String = "name",
        /// When it comes.
        pub summary: String = "summary",
        /// A matcher can narrow it.
        pub supports_matcher: bool = "supportsMatcher",
        /// How many hooks it has; 0 in the catalogue.
        pub hook_count: u64 = "hookCount",
    }

    /// One of [`HooksListing::hooks`].
    ///
    /// ```json
    /// {"event":"Stop","matcher":"","source":"userSettings","sourceLabel":"User","type":"command","displayText":"date","commandText":"date"}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn is_foreign(hook: &byre::cli::HookInfo) -> bool {
    ///     hook.kind == "command"
    /// }
    /// ```
    pub struct HookInfo {
        /// The event's name.
        pub event: String = "event",
        /// What narrows it; empty for all.
        pub matcher: String = "matcher",
        /// Where it is from.
        pub source: String = "source",
        /// `command`, `callback` and others; the set is open.
        pub kind: String = "type",
        /// What people see of it.
        pub display_text: String = "displayText",
        /// The command, where it is one.
        pub command_text: String = "commandText",
        /// It is switched off.
        pub disabled: bool = "disabled",
    }
}

impl EffectiveSettings {
    /// Returns all settings, merged: what the CLI works with.
    ///
    /// # Example
    ///
    /// ```
    /// fn style(settings: &byre::cli::EffectiveSettings) -> Option<&str> {
    ///     settings.effective()["outputStyle"].as_str()
    /// }
    /// ```
    #[must_use]
    pub fn effective(&self) -> &Value {
        &self.raw["effective"]
    }

    /// Returns the settings of each source, the weakest first, as the CLI gives them.
    ///
    /// # Example
    ///
    /// ```
    /// fn count(settings: &byre::cli::EffectiveSettings) -> usize {
    ///     settings.sources().len()
    /// }
    /// ```
    #[must_use]
    pub fn sources(&self) -> &[Value] {
        self.raw["sources"].as_array().map_or(&[], Vec::as_slice)
    }
}
