//! The commands that run graphs for real: `nodewise run`, `resume` and `runs`.
//!
//! A build without the feature `live` has `left_out::live` in their place, which says what is missing.

mod run;
mod runs;

pub(crate) use run::{Options as RunOptions, ResumeOptions, resume, run};
pub(crate) use runs::{Options as RunsOptions, run as runs};
