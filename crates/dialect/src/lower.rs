//! Value to model: the one place, beside the tables, that knows a dialect's keys.
//! Never fails; what cannot be read is absent from the model.

pub mod agentos;
pub mod cycgraph;
pub mod liman;
mod plain;
pub mod rule;
pub mod scenario;

pub use plain::value as plain_value;
