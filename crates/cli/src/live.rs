//! The commands for live runs: `nodewise run`, `resume`, `runs` and `trust`.
//!
//! A build without the feature `live` has `left_out::live` instead, which returns an error.

mod permissions;
mod run;
mod runs;

pub(crate) use permissions::{Options as TrustOptions, run as trust};
pub(crate) use run::{Options as RunOptions, ResumeOptions, resume, run};
pub(crate) use runs::{Options as RunsOptions, run as runs};
