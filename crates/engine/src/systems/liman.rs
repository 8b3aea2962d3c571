//! Liman: agents of model nodes, tools and functions, each in a document of its own (liman:7).
//!
//! Reading order: [`host`] (the program around an agent), [`account`], [`program`] (nodes and edges, ready to run),
//! `item` (inputs and outputs of nodes), `text` and `python` (words of prompts and messages), `executors`, `edges`
//! (which edges are followed), `frame` (a call of a node), `conversation` (the run), with the engines `calls` (the
//! specification's) and `releases`, and `start`. Input: a program and turns; output: a run. Invariant: nothing
//! recurses with the depth of a graph.
//!
//! Beside the kernel's own events there are natives: `visit` (a visit that ended, in the words of the trace: `node`,
//! `input`, `output` or `error`, `next`), `context` (what the conditions of the visited node's edges see, just before
//! they are evaluated), `turn` (how a turn ended).

pub mod account;
mod explore;
pub mod host;
pub mod program;

mod item;
mod python;
mod text;

mod executors;

mod edges;
mod frame;

mod calls;
mod conversation;
mod releases;
mod rounds;
mod start;

use std::sync::Arc;

use crate::kernel::{Kernel, System};
use crate::limits::Limits;
use conversation::Conversation;
pub use explore::LimanGuide;
pub use host::{Host, LimanProfile, UserTurn};
pub use program::Program;
pub use text::description;

/// The system, for the kernel. Its only task yields no result.
#[derive(Debug, Clone)]
pub struct Liman;

impl System for Liman {
    type Program = Program;
    type Output = ();
}

/// A run of these turns, one after another.
#[must_use]
pub fn begin(program: Arc<Program>, turns: Vec<UserTurn>, limits: Limits, seed: u64) -> Kernel<Liman> {
    Kernel::new(program, Box::new(Conversation::new(turns)), limits, seed)
}
