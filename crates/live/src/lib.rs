//! Real runs: the kernel that the simulator drives, with models, tools and people behind it, in real time, every step on disk.
//!
//! Input: a prepared run, the configuration, an explicit command of the user; output: effects in the world, and a record from
//! which the run can be resumed, replayed and shown. Reading order: [`wiring`] (what a target needs), [`environment`]
//! (variables), [`secrets`] (keys, and how they are kept out of everything), [`answering`] (who answers), `calls` (which
//! call is which), [`models`], [`tools`], [`people`] (the
//! answers), [`world`] (all of them, started), [`store`] (what is on disk), [`driver`] (the loop in real time), [`restore`] (stored runs, to
//! be resumed or shown), [`followed_run`] (runs of other processes), [`prompts`] (prompts in files), [`fork`] (new runs from recorded ones),
//! [`pins`] (outputs of nodes, given again), [`costs`] (what runs cost), [`trust`] (what the user allowed),
//! [`planning`] (what would be started), [`preview`] (what would be sent), [`telemetry`] (spans for
//! observers), [`session`] (a run from its beginning to its end or pause), [`decisions`] (people decide on a web page), [`eval`] (many runs, evaluated and compared), [`modules`] (what a module builds).
//! Invariant: nothing here decides what a run does; an
//! answer that is recorded is never asked for again.

#![allow(clippy::disallowed_methods, reason = "real runs read clocks, files and the environment")]

pub mod wiring;

pub mod systems;

pub mod environment;
pub mod needed_keys;

pub mod secrets;

pub mod answering;
mod calls;

pub mod models;
pub mod people;
pub mod tools;

mod providers;
mod scripted;
pub mod world;

mod limits;

mod state_file;

pub mod store;

pub mod driver;

pub mod restore;

pub mod followed_run;

pub mod prompts;

pub mod reopen;

pub mod fork;

pub mod pins;

pub mod costs;

pub mod trust;

pub mod planning;

pub mod preview;

pub mod telemetry;

pub mod session;

pub mod decisions;

pub mod eval;

pub mod modules;
