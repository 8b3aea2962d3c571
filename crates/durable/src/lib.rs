//! Live runs on a durable engine: the same kernel, models, tools and people as those of `live`, with an engine's journal under them.
//!
//! Input: runs that someone starts somewhere; output: runs that end although machines do not last. Reading order: [`host`] (the
//! loop, and what it needs of an engine). Invariant: nothing here decides what a run does, nor opens the store of a project.

pub mod host;
