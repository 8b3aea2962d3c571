//! Runs that branched off one another.

use nodewise_simulation::timeline::Timeline;

use crate::lanes::Lanes;
use crate::stops::Cursor;

/// A run that another one branched off, or that branched off another one.
pub struct RunBranch {
    /// What it is, in words.
    pub label: String,
    /// The run, unless it is the one that is debugged now.
    pub(crate) kept: Option<(Timeline, Lanes, Cursor)>,
}

impl RunBranch {
    pub(crate) fn new(label: impl Into<String>) -> RunBranch {
        RunBranch { label: label.into(), kept: None }
    }
}
