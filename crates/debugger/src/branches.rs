//! Runs that branched off one another.

use nodewise_simulation::timeline::Timeline;

use crate::lanes::Lanes;
use crate::stops::Cursor;

/// The run that was started first, or a fork.
pub struct RunBranch {
    /// A short description for the list of branches.
    pub label: String,
    /// The run, its lanes and its cursor. `None` for the branch that is debugged now.
    pub(crate) kept: Option<(Timeline, Lanes, Cursor)>,
}

impl RunBranch {
    pub(crate) fn new(label: impl Into<String>) -> RunBranch {
        RunBranch { label: label.into(), kept: None }
    }
}
