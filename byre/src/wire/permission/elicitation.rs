//! What MCP servers ask the user, and dialogs of the CLI.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, value::RawValue};

use super::{Raw, request, words};

// Source: the TypeScript SDK 0.3.332.
request! {
    /// Something that an MCP server, one that the CLI runs, wants to know from the user.
    ///
    /// ```json
    /// {"subtype":"elicitation","mcp_server_name":"github","message":"Which account?","mode":"form","requested_schema":{"type":"object","properties":{"account":{"type":"string"}}}}
    /// {"subtype":"elicitation","mcp_server_name":"github","message":"Please log in.","mode":"url","url":"https://example.com/login","elicitation_id":"e-1"}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::ElicitationRequest;
    ///
    /// let json = r#"{"mcp_server_name":"github","message":"Which account?"}"#;
    /// let request: ElicitationRequest = serde_json::from_str(json).unwrap();
    /// assert_eq!(request.message, "Which account?");
    /// ```
    ElicitationRequest {
        required {
            /// The server that asks.
            mcp_server_name: String,
        }
        optional {
            /// What to show.
            message: String,
            /// What is wanted: a form to be filled in, or a page to be opened. `None` means a form.
            mode: Option<ElicitationMode>,
            /// The page to open.
            url: Option<String>,
            /// The server's id, by which the event `elicitation_complete` tells that the page is done.
            elicitation_id: Option<String>,
            /// The JSON Schema of the content to answer with.
            requested_schema: Option<Value>,
            /// The order in which to show the properties of the schema.
            property_order: Vec<String>,
            /// A heading to show.
            title: Option<String>,
            /// The server's name to show.
            display_name: Option<String>,
            /// A text to show.
            description: Option<String>,
        }
    }
}

words! {
    in "permission"

    /// How an MCP server wants to ask the user.
    pub enum ElicitationMode {
        /// A form to be filled in.
        Form = "form",
        /// A page to be opened.
        Url = "url",
    }
}

// Source: the TypeScript SDK 0.3.332.
request! {
    /// A dialog that the CLI wants to be shown.
    ///
    /// ```json
    /// {"subtype":"request_user_dialog","dialog_kind":"refusal_fallback_prompt","payload":{},"tool_use_id":"toolu_9"}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::UserDialog;
    ///
    /// let json = r#"{"dialog_kind":"refusal_fallback_prompt","payload":{"model":"opus"}}"#;
    /// let dialog: UserDialog = serde_json::from_str(json).unwrap();
    /// assert_eq!(dialog.payload["model"], "opus");
    /// ```
    UserDialog {
        required {
            /// What to show; one of the kinds that the program has declared.
            dialog_kind: String,
        }
        optional {
            /// What it is about; its shape depends on the kind.
            payload: Value,
            /// The call that it belongs to.
            tool_use_id: Option<String>,
        }
    }
}
