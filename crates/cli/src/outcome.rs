//! How a command ended.
//!
//! Input: what a command met. Output: the exit code. Invariant: the worst outcome wins.

/// How a command ended, from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Nothing to report.
    Clean,
    /// Findings, or a text that is not what it should be.
    Findings,
    /// A conversation that the other side broke off.
    Deserted,
    /// Wrong usage, or something that cannot be read.
    Failed,
}

impl Outcome {
    /// The exit code that stands for it.
    pub(crate) fn exit_code(self) -> i32 {
        match self {
            Outcome::Clean => 0,
            Outcome::Findings | Outcome::Deserted => 1,
            Outcome::Failed => 2,
        }
    }
}
