//! Which agent an event belongs to.

/// The main agent, or a subagent.
///
/// # Example
///
/// ```
/// use byre::event::Agent;
///
/// fn margin(event: &byre::Event) -> &'static str {
///     if event.agent() == Agent::Main { "" } else { "    " }
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Agent {
    /// The main agent, or the session itself.
    #[default]
    Main,
    /// The subagent that this `Agent` call started, by the API's id of the call.
    Subagent(String),
}

impl Agent {
    /// Returns the id of the `Agent` call; `None` for the main agent.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::event::Agent;
    ///
    /// assert_eq!(Agent::Main.parent_tool_use_id(), None);
    /// assert_eq!(Agent::from(Some("toolu_4")).parent_tool_use_id(), Some("toolu_4"));
    /// ```
    #[must_use]
    pub fn parent_tool_use_id(&self) -> Option<&str> {
        match self {
            Self::Main => None,
            Self::Subagent(call) => Some(call),
        }
    }
}

impl From<Option<&str>> for Agent {
    fn from(parent_tool_use_id: Option<&str>) -> Self {
        parent_tool_use_id.map_or(Self::Main, |call| Self::Subagent(call.to_owned()))
    }
}

impl serde::Serialize for Agent {
    /// Serialises to the id of the `Agent` call, or to `null`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.parent_tool_use_id().serialize(serializer)
    }
}
