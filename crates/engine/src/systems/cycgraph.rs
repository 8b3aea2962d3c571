//! cycgraph 1.4.0: graphs whose nodes share a memory, one node after another (cycgraph:6).
//!
//! In: graphs of the model, a host, what a run is begun with; out: a run. Reading order: [`start`] and [`host`] (what is
//! given), [`program`] (graphs ready for execution), [`state`] and [`action`] (what changes, and by what), `slice` and
//! `input` (what a node sees), `run` (the loop), `agent_call` and `structured` (calls of models), `executors` (one file
//! a type of node), `failures` (the errors). Invariant: visits, writes and reports are in the release's order.

mod explore;
pub mod host;
pub mod pending;
pub mod program;
pub mod start;

pub mod action;
pub mod input;
pub mod slice;
pub mod state;

mod ballot;
mod breeding;
pub mod clean;
mod interface;
mod moment;
mod schedule;
mod sentences;

pub(crate) mod agent_call;
mod boundary;
mod gathered;
mod judge;
mod pool;
mod report;
mod spending;
mod structured;
mod taint;
pub(crate) mod tools;

mod executors;
mod run;

pub mod failures;

use std::sync::Arc;

use crate::kernel::{Kernel, System};
use crate::limits::Limits;
use action::Output;
pub use explore::CycgraphGuide;
use program::Program;
use start::Start;
use state::RunState;

#[derive(Debug, Clone)]
pub struct Cycgraph;

impl System for Cycgraph {
    type Program = Program;
    type Output = Output;

    const RUNS_TO_REST: bool = true;
}

/// A run of the main graph of a program.
#[must_use]
pub fn begin(program: Arc<Program>, start: &Start, limits: Limits, seed: u64) -> Kernel<Cycgraph> {
    let run = run::Run::main(RunState::new(start));
    Kernel::new(program, Box::new(run), limits, seed)
}
