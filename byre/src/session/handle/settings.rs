//! Settings, rules and hooks.

use serde_json::{Value, json};

use super::SessionHandle;
use crate::{
    error::{Error, Result},
    wire::{
        answer::settings::{EffectiveSettings, HooksListing, PermissionRules},
        option::SettingSource,
    },
};

/// Settings, rules and hooks.
impl SessionHandle {
    /// Returns the settings at work, and what came of them.
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
    /// println!("{:?}", handle.get_settings().await?.applied.effort);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn get_settings(&self) -> Result<EffectiveSettings> {
        Ok(self.control("get_settings", json!({})).await?.into())
    }

    /// Changes settings for this session alone, over those of files: a JSON object, whose fields replace those
    /// of the same name. `null` takes a field back. Either all of it is taken, or nothing.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// if a setting is not valid.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// handle.apply_flag_settings(serde_json::json!({"effortLevel": "low"})).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn apply_flag_settings(&self, settings: Value) -> Result<()> {
        self.control("apply_flag_settings", json!({"settings": settings})).await.map(drop)
    }

    /// Writes settings into a file. The CLI allows `outputStyle` for
    /// [`SettingSource::Local`] and `effortLevel` for [`SettingSource::User`], both text, and nothing else.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// for any other setting, and
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration) for the project's settings.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// use byre::options::SettingSource;
    ///
    /// let settings = serde_json::json!({"outputStyle": "Concise"});
    /// handle.update_settings(SettingSource::Local, settings).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn update_settings(&self, source: SettingSource, settings: Value) -> Result<()> {
        let source = match source {
            SettingSource::User => "userSettings",
            SettingSource::Local => "localSettings",
            SettingSource::Project => {
                return Err(Error::configuration("the CLI writes no settings of the project"));
            }
        };
        let body = json!({"source": source, "settings": settings});
        self.control("update_settings", body).await.map(drop)
    }

    /// Returns the permission rules at work, and the folders that the agent may work in.
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
    /// println!("{} rules", handle.list_permission_rules().await?.rules.len());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn list_permission_rules(&self) -> Result<PermissionRules> {
        let mut answer = self.control("list_permission_rules", json!({})).await?;
        Ok(answer["state"].take().into())
    }

    /// Returns the hooks of the session, and all events that this CLI has.
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
    /// println!("{} hooks", handle.get_hooks_listing().await?.hooks.len());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn get_hooks_listing(&self) -> Result<HooksListing> {
        Ok(self.control("get_hooks_listing", json!({})).await?.into())
    }

    /// Gives the conversation another title.
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
    /// handle.rename_session("Nightly build").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn rename_session(&self, title: impl Into<String>) -> Result<()> {
        self.control("rename_session", json!({"title": title.into()})).await.map(drop)
    }
}
