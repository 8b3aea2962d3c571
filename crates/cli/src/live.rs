//! The commands for live runs: `nodewise run`, `resume`, `runs`, `eval`, `import`, `trust` and `serve`.
//!
//! A build without the feature `live` has `left_out::live` instead, which returns an error.

mod configuration;
mod debug;
mod eval;
mod import;
mod permissions;
mod run;
mod runs;
mod serve;

pub(crate) use debug::{attach as debug_stored_run, launch as debug_live_run};
pub(crate) use eval::{EvalOptions, run as eval};
pub(crate) use import::{ImportOptions, run as import};
pub(crate) use permissions::{TrustOptions, run as trust};
pub(crate) use run::{ResumeOptions, RunOptions, resume, run};
pub(crate) use runs::{RunsOptions, run as runs};
pub(crate) use serve::{ServeOptions, run as serve};
