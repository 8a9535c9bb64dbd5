//! The sandbox that commands run in, as a part of the settings.

use serde_json::{Map, Value, json};

/// The sandbox that the CLI runs commands in.
///
/// It becomes `sandbox` in the settings of the launch: what [`settings`](crate::SessionBuilder::settings)
/// say of it stays, where this says nothing else.
///
/// ```json
/// {"enabled":true,"failIfUnavailable":true,"network":{"allowedDomains":["crates.io"]},"filesystem":{"denyRead":["~/.ssh"]}}
/// ```
///
/// # Example
///
/// ```
/// use byre::{Session, options::Sandbox};
///
/// let sandbox = Sandbox::new().allowed_domains(["crates.io"]).deny_read(["~/.ssh"]);
/// let builder = Session::builder().sandbox(sandbox);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Sandbox(Map<String, Value>);

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

impl Sandbox {
    /// Switches the sandbox on. A machine that can't have one then refuses to run commands, unless
    /// [`fail_if_unavailable`](Self::fail_if_unavailable) says otherwise.
    ///
    /// # Example
    ///
    /// ```
    /// let sandbox = byre::options::Sandbox::new();
    /// ```
    pub fn new() -> Self {
        Self(Map::new()).field("enabled", true.into())
    }

    /// Switches the sandbox off, whatever the settings say.
    ///
    /// # Example
    ///
    /// ```
    /// let sandbox = byre::options::Sandbox::off();
    /// ```
    pub fn off() -> Self {
        Self(Map::new()).field("enabled", false.into())
    }

    /// Says whether the CLI refuses to go on where there can be no sandbox; `true` by default.
    ///
    /// # Example
    ///
    /// ```
    /// let sandbox = byre::options::Sandbox::new().fail_if_unavailable(false);
    /// ```
    pub fn fail_if_unavailable(self, fail: bool) -> Self {
        self.field("failIfUnavailable", fail.into())
    }

    /// Runs commands without asking, because they are in the sandbox.
    ///
    /// # Example
    ///
    /// ```
    /// let sandbox = byre::options::Sandbox::new().auto_allow_bash(true);
    /// ```
    pub fn auto_allow_bash(self, allow: bool) -> Self {
        self.field("autoAllowBashIfSandboxed", allow.into())
    }

    /// Lets the model ask for a command outside of the sandbox.
    ///
    /// # Example
    ///
    /// ```
    /// let sandbox = byre::options::Sandbox::new().allow_unsandboxed_commands(false);
    /// ```
    pub fn allow_unsandboxed_commands(self, allow: bool) -> Self {
        self.field("allowUnsandboxedCommands", allow.into())
    }

    /// Runs these commands outside of the sandbox.
    ///
    /// # Example
    ///
    /// ```
    /// let sandbox = byre::options::Sandbox::new().excluded_commands(["docker"]);
    /// ```
    pub fn excluded_commands(self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.field("excludedCommands", list(names))
    }

    /// Lets commands reach these hosts.
    ///
    /// # Example
    ///
    /// ```
    /// let sandbox = byre::options::Sandbox::new().allowed_domains(["crates.io"]);
    /// ```
    pub fn allowed_domains(self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.within("network", "allowedDomains", list(names))
    }

    /// Keeps commands from these hosts.
    ///
    /// # Example
    ///
    /// ```
    /// let sandbox = byre::options::Sandbox::new().denied_domains(["example.com"]);
    /// ```
    pub fn denied_domains(self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.within("network", "deniedDomains", list(names))
    }

    /// Lets commands open ports of this machine.
    ///
    /// # Example
    ///
    /// ```
    /// let sandbox = byre::options::Sandbox::new().allow_local_binding(true);
    /// ```
    pub fn allow_local_binding(self, allow: bool) -> Self {
        self.within("network", "allowLocalBinding", allow.into())
    }

    /// Lets commands write to these paths too.
    ///
    /// # Example
    ///
    /// ```
    /// let sandbox = byre::options::Sandbox::new().allow_write(["/tmp/out"]);
    /// ```
    pub fn allow_write(self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.within("filesystem", "allowWrite", list(paths))
    }

    /// Keeps commands from writing to these paths.
    ///
    /// # Example
    ///
    /// ```
    /// let sandbox = byre::options::Sandbox::new().deny_write(["/srv/app/migrations"]);
    /// ```
    pub fn deny_write(self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.within("filesystem", "denyWrite", list(paths))
    }

    /// Keeps commands from reading these paths.
    ///
    /// # Example
    ///
    /// ```
    /// let sandbox = byre::options::Sandbox::new().deny_read(["~/.ssh"]);
    /// ```
    pub fn deny_read(self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.within("filesystem", "denyRead", list(paths))
    }

    /// Sets any other field.
    ///
    /// # Example
    ///
    /// ```
    /// let sandbox = byre::options::Sandbox::new().field("enableWeakerNestedSandbox", true.into());
    /// ```
    pub fn field(mut self, name: impl Into<String>, value: Value) -> Self {
        self.0.insert(name.into(), value);
        self
    }

    fn within(mut self, part: &str, name: &str, value: Value) -> Self {
        let part = self.0.entry(part).or_insert_with(|| json!({}));
        if !part.is_object() {
            *part = json!({});
        }
        part[name] = value;
        self
    }

    /// Merges this over what the settings say of the sandbox already.
    ///
    /// Lists of what is forbidden grow, everything else is replaced. What would widen the sandbox again
    /// behind the back of this one goes: a switched-off file system, and proxy ports of other networks.
    ///
    /// Source: the TypeScript SDK 0.3.332, which merges in this way.
    pub(crate) fn merge_over(&self, settings: Option<&Value>) -> Value {
        let own = Value::Object(self.0.clone());
        let mut merged = settings.cloned().filter(Value::is_object).unwrap_or_else(|| json!({}));
        let set = |path: [&str; 2]| own.get(path[0]).and_then(|part| part.get(path[1]));
        let is_filled = |value: Option<&Value>| {
            value.and_then(Value::as_array).is_some_and(|list| !list.is_empty())
        };
        let denies_files = set(["credentials", "files"]).is_some();
        if (own.get("filesystem").is_some() || denies_files)
            && merged["filesystem"]["disabled"] == true
        {
            remove(&mut merged, "filesystem", "disabled");
        }
        if set(["network", "allowedDomains"]).is_some()
            || is_filled(set(["network", "deniedDomains"]))
            || set(["network", "strictAllowlist"]) == Some(&Value::Bool(true))
        {
            remove(&mut merged, "network", "httpProxyPort");
            remove(&mut merged, "network", "socksProxyPort");
        }
        merge(&mut merged, &own, "");
        if merged["enabled"] == true && merged.get("failIfUnavailable").is_none() {
            merged["failIfUnavailable"] = true.into();
        }
        merged
    }
}

impl From<Value> for Sandbox {
    /// Takes the sandbox as it stands in settings; anything but an object says nothing.
    fn from(value: Value) -> Self {
        match value {
            Value::Object(map) => Self(map),
            _ => Self(Map::new()),
        }
    }
}

/// Lists that grow.
const GROWING: [&str; 5] = [
    "/filesystem/denyRead",
    "/filesystem/denyWrite",
    "/network/deniedDomains",
    "/credentials/files",
    "/credentials/envVars",
];

/// Parts that belong together, and are replaced as a whole.
const WHOLE: [&str; 2] = ["/ripgrep", "/network/tlsTerminate"];

fn merge(base: &mut Value, over: &Value, path: &str) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) if !WHOLE.contains(&path) => {
            for (name, value) in over {
                let path = format!("{path}/{name}");
                match base.get_mut(name) {
                    Some(entry) => merge(entry, value, &path),
                    None => {
                        base.insert(name.clone(), value.clone());
                    }
                }
            }
        }
        (Value::Array(base), Value::Array(over)) if GROWING.contains(&path) => {
            for value in over {
                if !base.contains(value) {
                    base.push(value.clone());
                }
            }
        }
        (base, over) => *base = over.clone(),
    }
}

fn remove(value: &mut Value, part: &str, name: &str) {
    if let Some(part) = value.get_mut(part).and_then(Value::as_object_mut) {
        part.remove(name);
    }
}

fn list(names: impl IntoIterator<Item = impl Into<String>>) -> Value {
    names.into_iter().map(|name| Value::from(name.into())).collect()
}
