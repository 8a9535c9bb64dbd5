//! Settings of this launch, and which others are read.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::{super::redact::values_of, args::Args};
use crate::wire::option::{SettingSource, sandbox::Sandbox};

/// Settings of this launch, and which others are read.
#[derive(Clone, Default)]
pub(crate) struct SettingsOptions {
    pub(crate) settings: Option<Settings>,
    pub(crate) sandbox: Option<Sandbox>,
    /// `None` leaves it to the CLI, which reads all; an empty list means none.
    pub(crate) sources: Option<Vec<SettingSource>>,
    pub(crate) managed: Option<Value>,
    pub(crate) project_config_root: Option<PathBuf>,
    pub(crate) add_dirs: Vec<PathBuf>,
}

/// Settings of this launch.
#[derive(Clone)]
pub(crate) enum Settings {
    Value(Value),
    File(PathBuf),
}

impl std::fmt::Debug for SettingsOptions {
    /// Leaves out the settings, which may hold secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SettingsOptions")
            .field("sources", &self.sources)
            .field("add_dirs", &self.add_dirs)
            .finish_non_exhaustive()
    }
}

impl SettingsOptions {
    pub(super) fn write(&self, without_attribution: bool, args: &mut Args) {
        match self.merged(without_attribution) {
            Some(Settings::Value(settings)) if has_secrets(&settings) => {
                args.flag("initialize-fields", "settings");
            }
            Some(Settings::Value(settings)) => args.flag("settings", settings.to_string()),
            Some(Settings::File(path)) => args.flag("settings", path),
            None => {}
        }
        if let Some(sources) = &self.sources {
            let names: Vec<_> = sources.iter().map(|source| source.as_str()).collect();
            args.flag("setting-sources", names.join(","));
        }
        match &self.managed {
            Some(managed) if has_secrets(managed) => {
                args.switch("managed-settings-in-initialize", true);
            }
            managed => args.maybe("managed-settings", managed.as_ref().map(Value::to_string)),
        }
        args.maybe("project-config-root", self.project_config_root.as_ref());
        for folder in &self.add_dirs {
            args.flag("add-dir", folder);
        }
    }

    /// Writes the fields of `initialize`: what may hold secrets. Everybody on the machine can read a command line.
    pub(super) fn initialize(&self, without_attribution: bool, body: &mut Map<String, Value>) {
        if let Some(Settings::Value(settings)) = self.merged(without_attribution)
            && has_secrets(&settings)
        {
            body.insert("settings".to_owned(), settings);
        }
        if let Some(managed) = self.managed.as_ref().filter(|managed| has_secrets(managed)) {
            body.insert("managedSettings".to_owned(), managed.clone());
        }
    }

    /// Says whether any settings travel in `initialize`.
    pub(super) fn travels(&self, without_attribution: bool) -> bool {
        let mut body = Map::new();
        self.initialize(without_attribution, &mut body);
        !body.is_empty()
    }

    /// The settings that the program gave as values.
    pub(super) fn values(&self) -> impl Iterator<Item = Value> {
        let settings = match &self.settings {
            Some(Settings::Value(settings)) => Some(settings.clone()),
            _ => None,
        };
        settings.into_iter().chain(self.managed.clone())
    }

    /// The settings together with what other options put into them.
    fn merged(&self, without_attribution: bool) -> Option<Settings> {
        if self.sandbox.is_none() && !without_attribution {
            return self.settings.clone();
        }
        let mut settings = match &self.settings {
            Some(Settings::Value(Value::Object(settings))) => settings.clone(),
            // Refused by `faults`.
            Some(_) => return self.settings.clone(),
            None => Map::new(),
        };
        if without_attribution {
            settings.insert("attribution".to_owned(), json!({"commit": "", "pr": ""}));
        }
        if let Some(sandbox) = &self.sandbox {
            let merged = sandbox.merge_over(settings.get("sandbox"));
            settings.insert("sandbox".to_owned(), merged);
        }
        Some(Settings::Value(Value::Object(settings)))
    }

    pub(super) fn faults(&self, without_attribution: bool, faults: &mut Vec<String>) {
        match &self.settings {
            Some(Settings::Value(value)) if !value.is_object() => {
                faults.push("`settings` must be a JSON object".to_owned());
            }
            Some(Settings::File(_)) if self.sandbox.is_some() || without_attribution => {
                faults.push(
                    "`settings_file` leaves no room for `sandbox` and `without_attribution`, which \
                     are settings too; read the file and give its content to `settings`"
                        .to_owned(),
                );
            }
            _ => {}
        }
        if self.managed.as_ref().is_some_and(|managed| !managed.is_object()) {
            faults.push("`managed_settings` must be a JSON object".to_owned());
        }
    }
}

/// Says whether settings hold variables or headers, whose values nobody else should read.
fn has_secrets(settings: &Value) -> bool {
    !values_of(settings).is_empty()
}
