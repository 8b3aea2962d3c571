//! Runs of programs outside nodewise, as their traces describe them, compared with the graphs of now.
//!
//! Input: the text of a trace and a snapshot; output: for each run of the trace whether the graph can make it, and the first
//! step at which it cannot. Reading order: [`crate::external_run`] (what a trace says), [`entries`] (the text), [`spans`]
//! (traces of every system), `route_graph` (what a graph allows), `first_edge` and `every_edge` (how runs continue after a
//! node), `departure` (where a run leaves it), [`conformance`] (the result). Invariant: what a trace does not say is not guessed: a condition that reads something
//! else decides nothing.

pub mod conformance;
mod departure;
pub mod entries;
mod every_edge;
mod first_edge;
mod route_graph;
pub mod spans;

use crate::external_run::ExternalRun;
use crate::system::RunnableSystem;
use crate::systems::SYSTEMS;

/// The runs in a trace, each with its system. `None` if nodewise does not know the format of the text.
#[must_use]
pub fn external_runs(text: &str) -> Option<Vec<(RunnableSystem, ExternalRun)>> {
    let entries = entries::entries(text)?;
    if let Some(runs) = spans::runs(text, &entries) {
        return Some(runs);
    }
    SYSTEMS.iter().find_map(|runtime| {
        let system = RunnableSystem::new(*runtime);
        let runs = system.external_runs(&entries)?;
        Some(runs.into_iter().map(|run| (system, run)).collect())
    })
}
