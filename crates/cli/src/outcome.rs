//! The result of a command.
//!
//! Input: what happened in a command. Output: the exit code. Invariant: the worst outcome wins.

/// The result of a command, from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Nothing to report.
    Clean,
    /// Findings, or files that need a change.
    Findings,
    /// The other side closed the connection without a shutdown.
    Deserted,
    /// Wrong usage, or a file that cannot be read.
    Failed,
}

impl Outcome {
    pub(crate) fn exit_code(self) -> i32 {
        match self {
            Outcome::Clean => 0,
            Outcome::Findings | Outcome::Deserted => 1,
            Outcome::Failed => 2,
        }
    }
}
