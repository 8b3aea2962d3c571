//! The commands for live runs: `nodewise run`, `resume` and `runs`.
//!
//! A build without the feature `live` has `left_out::live` instead, which returns an error.

mod run;
mod runs;

pub(crate) use run::{Options as RunOptions, ResumeOptions, resume, run};
pub(crate) use runs::{Options as RunsOptions, run as runs};
