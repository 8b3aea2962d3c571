//! A voice session: what it does and what ends it. Where it leads by the reason for which it ended stands with the
//! node ([`crate::graph::Conduct::exits`]).

use smol_str::SmolStr;

use crate::origin::{Located, Origin};

/// A voice session.
#[derive(Debug, Clone, Default)]
pub struct VoiceWork {
    /// The settings, if they were written.
    pub settings_at: Option<Origin>,
    /// What the session does: the word.
    pub mode: Option<Located<SmolStr>>,
    /// Whether it only delivers a line.
    pub speaks_only: bool,
    /// The line.
    pub line: Option<Located<SmolStr>>,
    /// The most turns; 0 and less is no limit.
    pub max_turns: Option<Located<f64>>,
    /// What ends it beside a hangup: the word.
    pub exit: Option<VoiceExit>,
    /// The words that end it.
    pub keywords: Vec<Located<SmolStr>>,
    /// The key of the words, if it was written.
    pub keywords_at: Option<Origin>,
}

/// What ends a voice session beside a hangup.
#[derive(Debug, Clone)]
pub struct VoiceExit {
    /// Where the word stands.
    pub at: Origin,
    /// Which it is.
    pub kind: VoiceExitKind,
}

/// A kind of end of a voice session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceExitKind {
    /// One of the words is heard.
    Keyword,
    /// The turns are used up.
    Turns,
    /// Nobody speaks for a while.
    Silence,
    /// Nothing that the session decides.
    Other,
}
