//! The results of scenarios: as text for people, as JSON for programs, as JUnit's XML for build servers.
//!
//! Input: suites of scenarios that were run; output: text. Invariant: the order is that of the projects, their files and
//! the scenarios in them, and times are virtual, so that equal scenarios give equal bytes.

mod json;
mod junit;
mod text;

use crate::chart::SourceLocation;
use crate::coverage::Coverage;
use crate::testing::Tested;

pub use json::json;
pub use junit::{escaped as escaped_xml, junit};
pub use text::{summary, text};

/// The scenarios of a project.
#[derive(Debug, Clone, Default)]
pub struct Suite {
    /// The folder of the project as it is shown; empty for the current one.
    pub folder: String,
    /// Its scenarios, file by file.
    pub tests: Vec<Tested>,
    /// What they went through together.
    pub coverage: Coverage,
}

/// How many scenarios there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// The scenarios that hold.
    pub passed: usize,
    /// The scenarios that ran and do not hold.
    pub failed: usize,
    /// The scenarios that could not run.
    pub broken: usize,
}

impl Suite {
    /// A path of the project as it is shown.
    #[must_use]
    pub fn shown(&self, path: &str) -> String {
        match self.folder.trim_end_matches('/') {
            "" | "." => path.to_owned(),
            folder => format!("{folder}/{path}"),
        }
    }

    /// A place of the project as it is shown: `path:line`.
    fn place(&self, place: &SourceLocation) -> String {
        format!("{}:{}", self.shown(&place.path), place.line)
    }

    /// The scenarios, file by file.
    fn files(&self) -> impl Iterator<Item = &[Tested]> {
        self.tests.chunk_by(|one, other| one.place.path == other.place.path)
    }
}

impl Counts {
    /// How many scenarios these are.
    #[must_use]
    pub fn of<'t>(tests: impl IntoIterator<Item = &'t Tested>) -> Counts {
        let mut counts = Counts::default();
        for tested in tests {
            match (&tested.ended, tested.is_passed()) {
                (Err(_), _) => counts.broken += 1,
                (Ok(_), true) => counts.passed += 1,
                (Ok(_), false) => counts.failed += 1,
            }
        }
        counts
    }

    #[must_use]
    pub fn all(self) -> usize {
        self.passed + self.failed + self.broken
    }
}
