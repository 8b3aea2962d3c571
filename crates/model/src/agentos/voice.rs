//! A voice session: what it does and what ends it. Where it leads by the reason for which it ended stands with the
//! node ([`crate::graph::ExecutionOptions::exits`]).

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use crate::graph::ExitReason;
use crate::origin::{Located, Origin};

/// A voice session.
#[derive(Debug, Clone, Default)]
pub struct VoiceWork {
    /// The place of the settings; `None` if the node has none.
    pub settings_at: Option<Origin>,
    /// The settings as they were written. The record of the session contains them.
    pub settings: Option<Value>,
    /// What the session does, as the word in the file.
    pub mode: Option<Located<SmolStr>>,
    /// Whether the session ends as soon as it has spoken a line.
    pub speaks_only: bool,
    pub line: Option<Located<SmolStr>>,
    /// The maximum number of turns; 0 and negative numbers mean no limit.
    pub max_turns: Option<Located<f64>>,
    /// What ends the session, apart from a hangup: the place of the word, and the trigger; `None` inside if there is
    /// no such trigger.
    pub exit: Option<Located<Option<VoiceTrigger>>>,
    /// The words that end the session when someone says them.
    pub keywords: Vec<Located<SmolStr>>,
    /// The key of the words, if it was written.
    pub keywords_at: Option<Origin>,
}

/// What a voice session waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceTrigger {
    /// Someone says one of the keywords.
    Keyword,
    /// The last turn is over.
    Turns,
    Silence,
}

impl VoiceWork {
    /// Whether a session may end for that reason.
    #[must_use]
    pub fn can_end(&self, reason: &ExitReason) -> bool {
        let trigger = self.exit.as_ref().and_then(|exit| exit.value);
        match reason {
            ExitReason::Completed => self.speaks_only,
            _ if self.speaks_only => false,
            ExitReason::Hangup | ExitReason::Interrupted => true,
            ExitReason::Turns => self.max_turns.as_ref().is_some_and(|turns| turns.value > 0.0),
            ExitReason::Silence => trigger == Some(VoiceTrigger::Silence),
            ExitReason::Keyword(word) => {
                let is_listed = self.keywords.iter().any(|listed| listed.value == *word);
                trigger == Some(VoiceTrigger::Keyword) && is_listed
            }
        }
    }
}
