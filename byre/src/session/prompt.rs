//! What the user says: text, and images.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use serde_json::{Value, json};

use crate::error::{Error, ErrorKind, Result};

/// A prompt: text, or text with images.
///
/// # Example
///
/// ```
/// use byre::Prompt;
///
/// let question = Prompt::new("What is in this picture?").image(b"\x89PNG\r\n\x1a\n...".to_vec());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    text: String,
    images: Vec<Vec<u8>>,
    verbatim: bool,
    when_busy: WhenBusy,
    turn_limit: TurnLimit,
}

/// How long the turn of a prompt may take.
#[derive(Clone, Copy, Debug, Default)]
enum TurnLimit {
    #[default]
    AsAll,
    Own(Option<Duration>),
}

/// What becomes of a prompt that is sent while a turn runs.
///
/// # Example
///
/// ```
/// use byre::{Prompt, WhenBusy};
///
/// let later = Prompt::new("And then commit.").when_busy(WhenBusy::Queue);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WhenBusy {
    /// The model sees it with the next result of a tool, in the turn at hand. If the turn calls no tool
    /// any more, it waits, and all that wait become one turn. The CLI's own default.
    #[default]
    FoldIn,
    /// It waits, and gets a turn of its own.
    Queue,
    /// The turn at hand is interrupted for it.
    Interrupt,
    /// It is not sent; sending is an error.
    Refuse,
}

impl Prompt {
    /// Makes a prompt of text. Text that begins with `/` may be a slash command to the CLI.
    ///
    /// # Example
    ///
    /// ```
    /// let prompt = byre::Prompt::new("What is 2 + 3?");
    /// ```
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Adds an image: the bytes of a PNG, JPEG, GIF or WebP file.
    ///
    /// The format is read from the bytes when the prompt is sent. Anything else is an error then, and
    /// nothing is sent: the API would refuse the image, and every later request of the conversation with
    /// it.
    ///
    /// # Example
    ///
    /// ```
    /// # fn read() -> std::io::Result<byre::Prompt> {
    /// Ok(byre::Prompt::new("What is this?").image(std::fs::read("cat.jpg")?))
    /// # }
    /// ```
    #[must_use]
    pub fn image(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.images.push(bytes.into());
        self
    }

    /// Says whether the prompt goes to the model as it is: no slash command, no `@file`, and nothing added
    /// by the CLI. For text that strangers write; `false` by default. Needs CLI 2.1.248.
    ///
    /// Of all prompts of a session:
    /// [`SessionBuilder::verbatim_prompts`](crate::SessionBuilder::verbatim_prompts).
    ///
    /// # Example
    ///
    /// ```
    /// let comment = "/compact @/etc/passwd";
    /// let prompt = byre::Prompt::new(comment).verbatim(true);
    /// ```
    #[must_use]
    pub fn verbatim(mut self, verbatim: bool) -> Self {
        self.verbatim = verbatim;
        self
    }

    /// Chooses what becomes of it if a turn runs when it is sent; [`WhenBusy::FoldIn`] by default.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::{Prompt, WhenBusy};
    ///
    /// let stop = Prompt::new("Stop, and look at this first.").when_busy(WhenBusy::Interrupt);
    /// ```
    #[must_use]
    pub fn when_busy(mut self, when_busy: WhenBusy) -> Self {
        self.when_busy = when_busy;
        self
    }

    /// Limits how long its [`Turn`](crate::Turn) may take, instead of what
    /// [`SessionBuilder::turn_timeout`](crate::SessionBuilder::turn_timeout) says of all turns; `None` for no
    /// limit. Has no meaning where nobody waits: for [`SessionHandle::send`](crate::SessionHandle::send).
    ///
    /// # Example
    ///
    /// ```
    /// use std::time::Duration;
    /// use byre::Prompt;
    ///
    /// let quick = Prompt::new("What is 2 + 3?").turn_timeout(Duration::from_secs(60));
    /// ```
    #[must_use]
    pub fn turn_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.turn_limit = TurnLimit::Own(limit.into());
        self
    }

    /// How long its turn may take, where all turns may take `of_all`.
    pub(crate) fn turn_limit(&self, of_all: Option<Duration>) -> Option<Duration> {
        match self.turn_limit {
            TurnLimit::AsAll => of_all,
            TurnLimit::Own(limit) => limit,
        }
    }

    /// Says whether it may be sent while a turn runs.
    pub(crate) fn may_be_sent_in_a_turn(&self) -> bool {
        self.when_busy != WhenBusy::Refuse
    }

    /// Makes the line that is sent, without its line break.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Prompt`] if an image is of no known format.
    pub(crate) fn into_line(self, uuid: &str) -> Result<String> {
        let verbatim = self.verbatim;
        let priority = match self.when_busy {
            WhenBusy::FoldIn | WhenBusy::Refuse => None,
            WhenBusy::Queue => Some("later"),
            WhenBusy::Interrupt => Some("now"),
        };
        let content = if self.images.is_empty() { Value::from(self.text) } else { self.blocks()? };
        let mut line = json!({
            "type": "user",
            "message": {"role": "user", "content": content},
            "parent_tool_use_id": null,
            "session_id": "",
            "uuid": uuid,
        });
        if verbatim {
            line["client_composed"] = true.into();
        }
        if let Some(priority) = priority {
            line["priority"] = priority.into();
        }
        Ok(line.to_string())
    }

    /// Images first: the model reads a question better after what it is about.
    fn blocks(self) -> Result<Value> {
        let mut blocks = Vec::with_capacity(self.images.len() + 1);
        for (n, image) in self.images.iter().enumerate() {
            let media_type = image_type(image).ok_or_else(|| {
                Error::new(ErrorKind::Prompt, "send the prompt").reason(format!(
                    "image {} of {} is not a PNG, JPEG, GIF or WebP file",
                    n + 1,
                    self.images.len()
                ))
            })?;
            blocks.push(json!({
                "type": "image",
                "source": {"type": "base64", "media_type": media_type, "data": BASE64.encode(image)},
            }));
        }
        if !self.text.is_empty() {
            blocks.push(json!({"type": "text", "text": self.text}));
        }
        Ok(Value::from(blocks))
    }
}

/// Tells the formats that the API takes by their first bytes.
fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

impl From<&str> for Prompt {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Prompt {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&String> for Prompt {
    fn from(text: &String) -> Self {
        Self::new(text)
    }
}

#[cfg(test)]
mod tests;
