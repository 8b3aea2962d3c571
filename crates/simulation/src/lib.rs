//! From declarations and scripts to runs, and from runs to what people and programs read. Never any I/O.
//!
//! Reading order: [`system`] (whose graphs run), [`chart`] (graphs with the places of their nodes and edges),
//! [`recording`] (what a run left behind), [`explain`] (why an edge was followed), [`render`] (recordings as text, JSON
//! and pictures).

pub mod system;

pub mod chart;
pub mod recording;

pub mod explain;
pub mod render;
mod words;
