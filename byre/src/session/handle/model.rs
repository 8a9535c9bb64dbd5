//! The model, its thinking, and the permission mode.

use serde_json::json;

use super::SessionHandle;
use crate::{
    PermissionMode,
    error::Result,
    wire::{
        answer::{self, info::ModelInfo},
        option::ThinkingDisplay,
    },
};

/// The model, its thinking, and the permission mode.
impl SessionHandle {
    /// Switches the model, from the next request to the API on. Aliases such as `sonnet` are resolved.
    ///
    /// Returns the model now in use, by its full name, where the CLI says so. A name that it does not know is
    /// taken too, and tried at once.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// if a hook of the user refuses.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("now with {:?}", handle.set_model("sonnet").await?);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn set_model(&self, model: impl Into<String>) -> Result<Option<String>> {
        let answer = self.control("set_model", json!({"model": model.into()})).await?;
        Ok(answer::field(&answer, "model"))
    }

    /// Goes back to the model that the session would use by default. Returns it, where the CLI says so.
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
    /// handle.reset_model().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn reset_model(&self) -> Result<Option<String>> {
        let answer = self.control("set_model", json!({"model": null})).await?;
        Ok(answer::field(&answer, "model"))
    }

    /// Returns the models that the account can choose.
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
    /// for model in handle.list_models().await? {
    ///     println!("{}", model.value);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn list_models(&self) -> Result<Vec<ModelInfo>> {
        Ok(answer::field(&self.control("list_models", json!({})).await?, "models"))
    }

    /// Limits how much the model thinks; `None` goes back to the session's default. To newer models, 0 means
    /// that they do not think, and any other number that they think as they find right.
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
    /// handle.set_max_thinking_tokens(Some(0)).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn set_max_thinking_tokens(&self, tokens: Option<u32>) -> Result<()> {
        let body = json!({"max_thinking_tokens": tokens});
        self.control("set_max_thinking_tokens", body).await.map(drop)
    }

    /// Chooses what is reported of the model's thinking; `None` goes back to the session's default.
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
    /// use byre::options::ThinkingDisplay;
    ///
    /// handle.set_thinking_display(Some(ThinkingDisplay::Omitted)).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn set_thinking_display(&self, display: Option<ThinkingDisplay>) -> Result<()> {
        let body = json!({"thinking_display": display.map(ThinkingDisplay::as_str)});
        self.control("set_max_thinking_tokens", body).await.map(drop)
    }

    /// Changes how the CLI decides whether a tool may run.
    ///
    /// Returns the mode now in effect, which may be another one; `None` if it is one that byre does not know.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// for [`BypassPermissions`](PermissionMode::BypassPermissions) where the launch did not allow it.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// handle.set_permission_mode(byre::PermissionMode::Plan).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn set_permission_mode(
        &self,
        mode: PermissionMode,
    ) -> Result<Option<PermissionMode>> {
        let answer = self.control("set_permission_mode", json!({"mode": mode.as_str()})).await?;
        Ok(answer["mode"].as_str().and_then(PermissionMode::from_name))
    }
}
