//! From declarations and scripts to runs, and from runs to what people and programs read. Never any I/O.
//!
//! Reading order: [`system`] (what runs mean), [`runtime`] (how a system prepares them), [`systems`] (the list), [`target`] (what is to run), [`chart`] (graphs with the places of their
//! nodes and edges), [`scenario`] (what files say about runs), [`input_schema`] (what a run is given), [`script`] (what is answered), [`prepare`] (declarations to
//! runs), [`run`] (a run and its answers), [`dry_run`] (a run as people ask for it), [`continuations`] (what happens after a run), [`recording`] (what it left behind),
//! [`exploration`] (all that can happen), [`sampling`] (many random runs), [`shard`] (a part of them, in a file), [`export_scenario`] (a run as a scenario), [`scenario_generation`] (scenarios that
//! reach a goal), [`explain`] (why an
//! edge was followed), [`source_map`]
//! (where events happen), [`log_moments`] (the states and spans of a
//! log), [`state_at_event`] (how a run stands after one of its events), [`feed`] (a run that is driven elsewhere), [`timeline`] (a run with its log and its
//! states), [`log_parts`] (the log of a run under way), [`comparison`] (two runs side by side), [`coverage`] (what runs went through),
//! [`testing`] (scenarios compared with what they expect), [`external_run`] (runs of other programs), [`external`] (and whether graphs can make them), [`report`] (the results of scenarios), [`remarks`] (what went
//! wrong, about the text), [`render`] (recordings as text, JSON and pictures).

pub mod runtime;
pub mod system;
pub mod systems;
pub mod target;

pub mod chart;
pub mod input_schema;
pub mod matching;
pub mod scenario;
pub mod script;

pub mod recording;
pub mod run;

mod cores;
mod inputs;
mod phases;
mod prepare;

pub use inputs::{RunInputs, title_of};
pub use prepare::prepare;

pub mod setup;

pub mod continuations;
pub mod dry_run;
pub mod exploration;
pub mod export_scenario;
pub mod sampling;
pub mod scenario_generation;
pub mod shard;

mod writer;

pub mod condition_state;
pub mod explain;

pub mod feed;
pub mod log_moments;
pub mod log_parts;
pub mod source_map;
pub mod state_at_event;
pub mod timeline;

pub mod comparison;
pub mod coverage;
pub mod external;
pub mod external_run;
pub mod testing;

pub mod remarks;
pub mod report;

mod paint;
pub mod render;
pub mod trace;
pub mod words;
