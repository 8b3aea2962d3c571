//! Value to model: the one place, beside the tables, that knows a dialect's keys.
//! Never fails; what cannot be read is absent from the model.

pub mod agentos;
pub mod cycgraph;
pub mod liman;
mod plain;

/// Without spare room: the models of thousands of files are held at once.
fn tight<T>(mut items: Vec<T>) -> Vec<T> {
    items.shrink_to_fit();
    items
}
