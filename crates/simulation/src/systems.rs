//! The systems, each in a module of its own.

pub mod agentos;
pub mod cycgraph;
pub mod liman;

use crate::system::System;

/// Every system whose graphs run.
pub const SYSTEMS: &[System] = &[liman::SYSTEM, cycgraph::SYSTEM, agentos::SYSTEM];
