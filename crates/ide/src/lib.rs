//! Editor features: what a language server, or any other editor's helper, asks of a project. Each feature is a
//! function of a snapshot and, mostly, a position; plain data goes in and comes out. Offsets are bytes, places are
//! origins; what is a URI or a UTF-16 column is the wire's business.
//!
//! Reading order: [`position`] (where something is asked), [`names`] (what every name stands for), [`spot`] (what is at a
//! cursor, and what may stand there), then a module for each feature. Where a name leads: [`goto`], [`references`],
//! [`highlight`], [`linked`], [`rename`], with `anchors` for YAML's own names. What a thing is: [`hover`], written with
//! [`markup`], which counts [`uses`]; [`signature`], [`inlay`], [`lenses`], [`evaluate`]. The shape of a file: [`symbols`],
//! [`folding`], [`selection`], [`links`], [`tokens`] (its colours). While somebody types: [`on_type`], [`completion`], [`formatting`]. What
//! can be mended or written otherwise: [`actions`].
//! As a whole: [`calls`] (who leads to whom), [`graph`] (what can be drawn).

pub mod actions;
mod anchors;
pub mod calls;
pub mod completion;
pub mod evaluate;
pub mod folding;
pub mod formatting;
pub mod goto;
pub mod graph;
pub mod highlight;
pub mod hover;
pub mod inlay;
pub mod lenses;
pub mod linked;
pub mod links;
pub mod markup;
pub mod names;
pub mod on_type;
pub mod position;
pub mod references;
pub mod rename;
pub mod selection;
pub mod signature;
pub mod spot;
pub mod symbols;
#[cfg(test)]
mod testing;
pub mod tokens;
pub mod uses;
