//! What the session has used, and which CLI it is.

use serde_json::json;

use super::SessionHandle;
use crate::{
    error::Result,
    wire::answer::{
        self,
        info::BinaryVersion,
        usage::{ContextUsage, Usage},
    },
};

/// What the session has used, and which CLI it is.
impl SessionHandle {
    /// Returns what the context window holds. The API counts the tokens, which costs requests, though no
    /// money; [`get_context_usage_summary`](Self::get_context_usage_summary) does without.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{} %", handle.get_context_usage().await?.percentage);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn get_context_usage(&self) -> Result<ContextUsage> {
        Ok(self.control("get_context_usage", json!({"detail": "full"})).await?.into())
    }

    /// Returns what the context window holds, by estimate.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{} %", handle.get_context_usage_summary().await?.percentage);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn get_context_usage_summary(&self) -> Result<ContextUsage> {
        Ok(self.control("get_context_usage", json!({"detail": "summary"})).await?.into())
    }

    /// Returns what the session has cost, as text for people in several lines.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{}", handle.get_session_cost().await?);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn get_session_cost(&self) -> Result<String> {
        Ok(answer::field(&self.control("get_session_cost", json!({})).await?, "text"))
    }

    /// Returns what the session has used, and the account's limits where the CLI knows them.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{} USD", handle.get_usage().await?.session.total_cost_usd);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn get_usage(&self) -> Result<Usage> {
        Ok(self.control("get_usage", json!({"skip_behaviors": true})).await?.into())
    }

    /// Returns which CLI it is, and when it was built. [`cli_version`](Self::cli_version) knows the version
    /// without asking.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{:?}", handle.get_binary_version().await?.build_time);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn get_binary_version(&self) -> Result<BinaryVersion> {
        Ok(self.control("get_binary_version", json!({})).await?.into())
    }
}
