//! Questions of MCP servers to the user.

use serde_json::{Map, Value};

use crate::{
    hook::{
        ElicitationAction,
        input::hook_input,
        output::{Body, hook_output, output_methods},
    },
    wire::permission::ElicitationMode,
};

hook_input! {
    /// An MCP server asks the user something. The matcher is compared with the server's name.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"Elicitation","mcp_server_name":"forge","message":"Which branch?","mode":"form","elicitation_id":"e1","requested_schema":{"type":"object"}}
    /// ```
    Elicitation => ElicitationInput {
        /// The server.
        mcp_server_name: String,
        /// The question.
        message: String,
        /// How it wants to ask.
        mode: Option<ElicitationMode>,
        /// The page to open.
        url: Option<String>,
        /// The id of the question.
        elicitation_id: Option<String>,
        /// The JSON Schema of the answer.
        requested_schema: Option<Value>,
    }
}

hook_output! {
    /// The answer to a question of an MCP server, in the user's place.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"Elicitation","action":"accept","content":{"branch":"main"}}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{ElicitationInput, ElicitationOutput};
    ///
    /// #[byre::hook(matcher = "forge")]
    /// async fn always_main(_: ElicitationInput) -> ElicitationOutput {
    ///     ElicitationOutput::accept([("branch", "main")])
    /// }
    /// # fn main() {}
    /// ```
    ElicitationInput => ElicitationOutput
}
output_methods! { ElicitationOutput: new }

hook_input! {
    /// The user has answered a question of an MCP server. The matcher is compared with the server's name.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"ElicitationResult","mcp_server_name":"forge","elicitation_id":"e1","mode":"form","action":"accept","content":{"branch":"main"}}
    /// ```
    ElicitationResult => ElicitationResultInput {
        /// The server.
        mcp_server_name: String,
        /// The id of the question.
        elicitation_id: Option<String>,
        /// How it has asked.
        mode: Option<ElicitationMode>,
        /// What the user did.
        action: ElicitationAction,
        /// What the user answered.
        content: Option<Value>,
    }
}

hook_output! {
    /// What the server is told in place of the user's answer.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"ElicitationResult","action":"decline"}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{ElicitationResultInput, ElicitationResultOutput};
    ///
    /// #[byre::hook]
    /// async fn no_secrets(input: ElicitationResultInput) -> ElicitationResultOutput {
    ///     match input.content {
    ///         Some(content) if content.to_string().contains("sk-") => ElicitationResultOutput::decline(),
    ///         _ => ElicitationResultOutput::new(),
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    ElicitationResultInput => ElicitationResultOutput
}
output_methods! { ElicitationResultOutput: new }

/// Adds the three answers to a question.
macro_rules! answers {
    ($name:ident) => {
        impl $name {
            /// Answers with this content: the fields of an object.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!("byre::hook::", stringify!($name), "::accept([(\"branch\", \"main\")]);")]
            /// ```
            pub fn accept<K: Into<String>, V: Into<Value>>(
                content: impl IntoIterator<Item = (K, V)>,
            ) -> Self {
                let content: Map<String, Value> =
                    content.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
                Self(Body::default().specific("action", "accept").specific("content", content))
            }

            /// Says that the user does not want to answer.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!("byre::hook::", stringify!($name), "::decline();")]
            /// ```
            pub fn decline() -> Self {
                Self(Body::default().specific("action", "decline"))
            }

            /// Says that the user closed the question.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!("byre::hook::", stringify!($name), "::cancel();")]
            /// ```
            pub fn cancel() -> Self {
                Self(Body::default().specific("action", "cancel"))
            }
        }
    };
}

answers! { ElicitationOutput }
answers! { ElicitationResultOutput }
