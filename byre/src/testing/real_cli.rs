//! Where and how the real CLI runs in a test: cut off from the user's settings and from the network.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use uuid::Uuid;

use super::api::MessagesApi;

/// The real CLI, in an environment that reaches nothing but a [`MessagesApi`].
///
/// It has its own, empty folders for its home, configuration and temporary files, a key that is no key,
/// and neither telemetry nor updates. The folders are removed when the value is dropped, so keep it as long as the CLI runs.
///
/// # Example
///
/// ```
/// use byre::testing::{MessagesApi, RealCli, Script};
///
/// # async fn run() -> std::io::Result<()> {
/// let api = MessagesApi::start(Script::new().say("Hello.")).await?;
/// let cli = RealCli::new("/opt/claude", &api)?;
/// let mut command = std::process::Command::new(cli.path());
/// command.current_dir(cli.work_dir()).envs(cli.envs());
/// for name in cli.removed_envs() {
///     command.env_remove(name);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RealCli {
    path: PathBuf,
    api_url: String,
    root: PathBuf,
}

impl RealCli {
    /// Prepares the folders for the CLI at `path`.
    ///
    /// # Errors
    ///
    /// Fails if the folders can't be made in the system's folder for temporary files.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::testing::{MessagesApi, RealCli};
    /// fn prepare(api: &MessagesApi) -> std::io::Result<RealCli> {
    ///     RealCli::new("/opt/claude", api)
    /// }
    /// ```
    pub fn new(path: impl Into<PathBuf>, api: &MessagesApi) -> io::Result<Self> {
        let root = env::temp_dir().join(format!("byre-{}", Uuid::new_v4().simple()));
        let cli = Self { path: path.into(), api_url: api.url(), root };
        for folder in [cli.home(), cli.config_dir(), cli.temp_dir(), cli.work_dir()] {
            fs::create_dir_all(folder)?;
        }
        Ok(cli)
    }

    /// Returns the path of the executable.
    ///
    /// # Example
    ///
    /// ```
    /// fn exists(cli: &byre::testing::RealCli) -> bool {
    ///     cli.path().is_file()
    /// }
    /// ```
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns an empty folder for the CLI to work in.
    ///
    /// # Example
    ///
    /// ```
    /// fn prepare(cli: &byre::testing::RealCli) -> std::io::Result<()> {
    ///     std::fs::write(cli.work_dir().join("notes.txt"), "one\n")
    /// }
    /// ```
    #[must_use]
    pub fn work_dir(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Returns the environment variables to set.
    ///
    /// # Example
    ///
    /// ```
    /// fn url(cli: &byre::testing::RealCli) -> Option<String> {
    ///     cli.envs().into_iter().find(|(name, _)| name == "ANTHROPIC_BASE_URL").map(|(_, url)| url)
    /// }
    /// ```
    #[must_use]
    pub fn envs(&self) -> Vec<(String, String)> {
        let path = |path: PathBuf| path.to_string_lossy().into_owned();
        let mut envs = vec![
            ("HOME", path(self.home())),
            ("CLAUDE_CONFIG_DIR", path(self.config_dir())),
            ("CLAUDE_CODE_TMPDIR", path(self.temp_dir())),
            ("ANTHROPIC_BASE_URL", self.api_url.clone()),
            ("ANTHROPIC_API_KEY", "sk-ant-fake-key-of-a-test".to_owned()),
            ("CLAUDE_CODE_MAX_RETRIES", "0".to_owned()),
        ];
        let switches = [
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "DISABLE_AUTOUPDATER",
            "DISABLE_ERROR_REPORTING",
            "DISABLE_TELEMETRY",
        ];
        envs.extend(switches.map(|name| (name, "1".to_owned())));
        if is_root() {
            // Without it the CLI refuses to bypass permissions.
            envs.push(("IS_SANDBOX", "1".to_owned()));
        }
        envs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Returns the names of this process's environment variables that must not reach the CLI.
    ///
    /// All that start with `CLAUDE` or `ANTHROPIC`, except those that [`envs`](Self::envs) sets.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_clean(cli: &byre::testing::RealCli) -> bool {
    ///     cli.removed_envs().is_empty()
    /// }
    /// ```
    #[must_use]
    pub fn removed_envs(&self) -> Vec<String> {
        env::vars_os()
            .filter_map(|(name, _)| name.into_string().ok())
            .filter(|name| name.starts_with("CLAUDE") || name.starts_with("ANTHROPIC"))
            // The order of the two lists must not matter to whoever applies them.
            .filter(|name| !self.envs().iter().any(|(set, _)| set == name))
            .collect()
    }

    fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    fn config_dir(&self) -> PathBuf {
        self.root.join("config")
    }

    fn temp_dir(&self) -> PathBuf {
        self.root.join("tmp")
    }
}

#[cfg(unix)]
fn is_root() -> bool {
    // `/proc/self` belongs to the effective user; elsewhere the home folder tells.
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").map_or_else(
        |_| env::var_os("HOME").is_some_and(|home| home == "/root" || home == "/var/root"),
        |metadata| metadata.uid() == 0,
    )
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

impl Drop for RealCli {
    fn drop(&mut self) {
        // The CLI may still be writing; a folder that stays behind does no harm.
        let _ = fs::remove_dir_all(&self.root);
    }
}

#[cfg(test)]
mod tests;
