//! Live runs on a durable engine: the same kernel, models, tools and people as those of `live`, with an engine's journal under them.
//!
//! Input: runs that someone starts somewhere; output: runs that end although machines do not last. Reading order: [`host`] (the
//! loop, and what it needs of an engine), [`wire`] (what goes between machines), [`client`] (who starts, decides and reads runs),
//! [`engine`] (the same for threads that wait), [`follow`] (a run until it ends or waits), [`decisions`] (the runs of the page for
//! decisions), `worker` (who carries runs). Invariant: nothing here decides what a run does, nor opens the store of a project.

#![allow(clippy::disallowed_methods, reason = "workers read clocks and configurations")]

pub mod host;

pub mod wire;

pub mod client;

pub mod engine;

pub mod follow;

pub mod decisions;

#[cfg(feature = "worker")]
pub mod worker;
