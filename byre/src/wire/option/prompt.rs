//! The system prompt in all its forms.

use std::path::PathBuf;

use serde_json::{Map, Value};

/// What divides the blocks that stay the same from those that belong to one session.
const BOUNDARY: &str = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";

/// What the model is told before the conversation begins.
///
/// byre's default is [Claude Code's own](Self::claude_code): without it the model does not know how to
/// work with its built-in tools. (The SDKs for TypeScript and Python start with an empty one instead.)
///
/// # Example
///
/// ```
/// use byre::{Session, options::SystemPrompt};
///
/// let builder = Session::builder().system_prompt("You are a build robot.");
/// let builder = Session::builder()
///     .system_prompt(SystemPrompt::claude_code().append("Answer in French."));
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct SystemPrompt {
    base: Base,
    append: Option<String>,
    without_dynamic_sections: bool,
    snapshot: Option<bool>,
}

#[derive(Clone, Debug, Default)]
enum Base {
    #[default]
    ClaudeCode,
    Blocks(Vec<String>),
    File(PathBuf),
}

impl SystemPrompt {
    /// Makes Claude Code's own prompt, which is the default.
    ///
    /// # Example
    ///
    /// ```
    /// let prompt = byre::options::SystemPrompt::claude_code().append("Answer in French.");
    /// ```
    pub fn claude_code() -> Self {
        Self::default()
    }

    /// Makes a prompt of your own, in place of Claude Code's. Empty text makes an empty prompt.
    ///
    /// # Example
    ///
    /// ```
    /// let prompt = byre::options::SystemPrompt::custom("You are a build robot.");
    /// ```
    pub fn custom(text: impl Into<String>) -> Self {
        Self { base: Base::Blocks(vec![text.into()]), ..Self::default() }
    }

    /// Makes a prompt of your own from blocks: first those that are the same in every session, which the
    /// API can cache, then those that are not.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::options::SystemPrompt;
    ///
    /// let prompt = SystemPrompt::blocks(["You are a build robot."], ["Today is Monday."]);
    /// ```
    pub fn blocks(
        same: impl IntoIterator<Item = impl Into<String>>,
        own: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let mut blocks: Vec<String> = same.into_iter().map(Into::into).collect();
        let mut own = own.into_iter().map(Into::into).peekable();
        if own.peek().is_some() {
            blocks.push(BOUNDARY.to_owned());
            blocks.extend(own);
        }
        Self { base: Base::Blocks(blocks), ..Self::default() }
    }

    /// Takes the prompt from a file, which the CLI reads.
    ///
    /// # Example
    ///
    /// ```
    /// let prompt = byre::options::SystemPrompt::file("/etc/robot/prompt.md");
    /// ```
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self { base: Base::File(path.into()), ..Self::default() }
    }

    /// Adds text at the end; a second call adds a paragraph.
    ///
    /// # Example
    ///
    /// ```
    /// let prompt = byre::options::SystemPrompt::claude_code().append("Answer in French.");
    /// ```
    pub fn append(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        self.append = Some(match self.append.take() {
            Some(before) => format!("{before}\n\n{text}"),
            None => text,
        });
        self
    }

    /// Moves what differs from machine to machine, the folder of Claude's notes for example, out of Claude
    /// Code's prompt into the first message, so that sessions in different folders share a cache.
    ///
    /// # Example
    ///
    /// ```
    /// let prompt = byre::options::SystemPrompt::claude_code().without_dynamic_sections();
    /// ```
    pub fn without_dynamic_sections(mut self) -> Self {
        self.without_dynamic_sections = true;
        self
    }

    /// Says whether the prompt of a conversation's first request is used for the later ones too, also
    /// after a resume with another prompt. The CLI does so unless told `false` here.
    ///
    /// # Example
    ///
    /// ```
    /// let prompt = byre::options::SystemPrompt::custom("It is noon.").snapshot(false);
    /// ```
    pub fn snapshot(mut self, snapshot: bool) -> Self {
        self.snapshot = Some(snapshot);
        self
    }

    pub(crate) fn file_path(&self) -> Option<&PathBuf> {
        match &self.base {
            Base::File(path) => Some(path),
            _ => None,
        }
    }

    /// Why the CLI would not do as it is told.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        match &self.base {
            Base::ClaudeCode => None,
            _ if self.without_dynamic_sections => {
                Some("only Claude Code's own system prompt has dynamic sections to leave out")
            }
            Base::Blocks(blocks) if blocks.is_empty() => {
                Some("a system prompt of no blocks would be Claude Code's own; say `custom(\"\")`")
            }
            _ => None,
        }
    }

    /// Writes the fields of `initialize`.
    pub(crate) fn write(&self, body: &mut Map<String, Value>) {
        if let Base::Blocks(blocks) = &self.base {
            body.insert("systemPrompt".to_owned(), blocks.clone().into());
        }
        if let Some(text) = &self.append {
            body.insert("appendSystemPrompt".to_owned(), text.clone().into());
        }
        if self.without_dynamic_sections {
            body.insert("excludeDynamicSections".to_owned(), true.into());
        }
        if let Some(snapshot) = self.snapshot {
            body.insert("systemPromptSnapshot".to_owned(), snapshot.into());
        }
    }
}

impl From<&str> for SystemPrompt {
    fn from(text: &str) -> Self {
        Self::custom(text)
    }
}

impl From<String> for SystemPrompt {
    fn from(text: String) -> Self {
        Self::custom(text)
    }
}
