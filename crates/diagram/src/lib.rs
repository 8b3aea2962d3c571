//! Graphs as they are shown: one model for all that draw, one layout, and the forms that a drawing takes. Never any I/O.
//!
//! Reading order: [`view`] (a graph as data), [`marks`] (what a drawing says about its parts), [`marked`] (a graph with such marks), [`trail`] (what a run did in it), `measure` (how much room texts take),
//! [`layout`] (where everything stands), then the forms: [`svg`], [`mermaid`], [`dot`], [`json`], [`text`],
//! and [`changes`], the changed part of a graph as a Mermaid flowchart.

pub mod marked;
pub mod marks;
pub mod trail;
pub mod view;

pub mod layout;

mod measure;

pub mod changes;
pub mod dot;
pub mod json;
pub mod mermaid;
pub mod svg;
pub mod text;

pub use layout::Direction;
