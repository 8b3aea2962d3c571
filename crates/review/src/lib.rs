//! Two versions of declarations, compared by what they mean. Never any I/O.
//!
//! Reading order: [`version`] (what a version declares), `titles` (what people call its parts), `renames` (which names stand for the same thing), [`compare`] (what
//! came, went or changed), [`behaviour`] (which scenarios take another path), [`merge`] (three versions as one), [`change`] (that as data), then the forms: [`text`], [`markdown`], [`json`], with `drawing` for the
//! changed part of a graph, and [`marks`] for a whole graph with what changed.

pub mod behaviour;
pub mod change;
pub mod compare;
mod drawing;
mod fields;
pub mod json;
pub mod markdown;
pub mod marks;
pub mod merge;
mod renames;
pub mod text;
mod titles;
pub mod version;
