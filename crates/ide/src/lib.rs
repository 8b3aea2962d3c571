//! Editor features, for a language server or any other editor plugin. Each feature is a function of a snapshot and
//! usually a position, with plain data in and out. Offsets are bytes and places are origins. The server converts them
//! to URIs and UTF-16 columns.
//!
//! Reading order: [`position`] (a place in a file), [`names`] (what every name refers to), [`cursor_context`] (what is at a
//! cursor, and what is possible there), then a module for each feature. Where a name leads: [`goto`], [`references`],
//! [`highlight`], [`linked`], [`rename`], with `anchors` for YAML's own names
//! and `program_text` for modules of programs. What a thing is: [`hover`], written with
//! [`markup`], which uses [`uses`] to count; [`signature`], [`inlay`], [`inline_values`], [`lenses`], [`evaluate`],
//! [`state_values`]. The structure of a
//! file: [`symbols`], [`folding`], [`selection`], [`links`], [`tokens`] (colours). While the user types: [`on_type`],
//! [`completion`], [`formatting`]. Changes: [`actions`], and
//! [`board_edit`] for a graph as a whole. Graphs: [`calls`] (what leads to what), [`lineage`] (what happens to a state key), with `owners` (whose a place is), [`graph`] (data to
//! draw), [`marks`] (a path or a key on that drawing).

pub mod actions;
mod anchors;
pub mod board_edit;
pub mod calls;
pub mod completion;
pub mod cursor_context;
pub mod evaluate;
pub mod folding;
pub mod formatting;
pub mod goto;
pub mod graph;
pub mod highlight;
pub mod hover;
pub mod inlay;
pub mod inline_values;
pub mod lenses;
pub mod lineage;
pub mod linked;
pub mod links;
pub mod marks;
pub mod markup;
pub mod names;
pub mod on_type;
mod owners;
pub mod position;
mod program_text;
pub mod references;
pub mod rename;
pub mod selection;
pub mod signature;
pub mod state_values;
pub mod symbols;
#[cfg(test)]
mod testing;
pub mod tokens;
pub mod uses;
