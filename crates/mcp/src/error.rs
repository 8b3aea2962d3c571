//! Why a tool has no answer.
//!
//! Input: a message, perhaps what to do. Output: text for the agent. Invariant: it reads as the command's own errors do.

/// The error of a tool, for the agent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ToolError {
    message: String,
    help: Option<String>,
}

impl ToolError {
    pub(crate) fn new(message: String) -> ToolError {
        ToolError { message, help: None }
    }

    /// Adds what the agent can do about it.
    pub(crate) fn help(mut self, help: &str) -> ToolError {
        self.help = Some(help.to_owned());
        self
    }
}

impl std::fmt::Display for ToolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}
