//! Simulates graphs: in virtual time, with answers from scripts, exactly as each system's own runtime would run them.
//!
//! Input: declarations as model, a script, limits, a seed; output: a log of events. Reading order: [`time`],
//! [`usage`], [`limits`], [`random`], [`outcome`] (the basic types), [`ask`] (questions of a run, and answers),
//! [`opening`] (how prompts begin), [`event`] (the log), [`kernel`] (tasks, queue, virtual time), [`running`] (a run
//! of any system), [`provider`] and [`script`] (what answers), [`policies`] and [`systems`] (what runs), [`replay`]
//! and [`fold`] (what is derived from the log), [`explore`] (everything that can happen). Invariant: equal input
//! gives an equal log; there is no clock, no thread and no I/O in here.

pub mod limits;
pub mod outcome;
pub mod random;
pub mod time;
pub mod usage;

pub mod ask;
pub mod event;
pub mod opening;

pub mod kernel;
pub mod provider;
pub mod running;

pub mod script;

pub mod policies;

pub mod systems;

pub mod fold;
pub mod replay;

pub mod explore;
