//! Fixtures for tests: several files, a cursor and expected findings in one readable text. The notation is that of
//! [`nodewise_syntax::fixture`], in which users write the tests of their rules too.
//!
//! Input is the text of a fixture; output is its files without any mark, and the same notation
//! written back from what a check found. Invariant: a rendered file, parsed again, has the marks
//! that it was rendered from, so a failed comparison reads as a diff of two fixtures.
//!
//! ```
//! use nodewise_test_support::{Fixture, ReportedFinding, Severity};
//!
//! let fixture = Fixture::parse("kind: Nod\n#     ^^^ error[unknown-kind]: no kind is named `Nod`\n");
//! let actual = fixture.actual(|file| {
//!     assert_eq!(file.text, "kind: Nod\n");
//!     let range = nodewise_test_support::TextRange::new(6.into(), 9.into());
//!     let message = "no kind is named `Nod`".to_owned();
//!     let rule = "unknown-kind".to_owned();
//!     vec![ReportedFinding { range, severity: Severity::Error, rule, message }]
//! });
//! assert_eq!(actual, fixture.expected());
//! ```

pub mod model_server;
pub mod running;
pub mod workspace;

pub use nodewise_syntax::fixture::{
    FindingMark as Mark, Fixture, FixtureFile, MAIN_PATH, MarkSeverity as Severity, ReportedFinding, render,
};
pub use nodewise_syntax::{TextRange, TextSize};
