//! Value to model: the one place, beside the tables, that knows a dialect's keys.
//! Never fails; what cannot be read is absent from the model.

pub mod agentos;
pub mod cycgraph;
pub mod liman;
mod plain;
pub mod rule;
pub mod scenario;

pub use plain::value as plain_value;

/// Items without spare room: the models of thousands of files are held at once.
fn tight<T>(items: impl Iterator<Item = T>) -> Vec<T> {
    // Mostly none is left out, so that a long list never moves.
    let mut list = Vec::with_capacity(items.size_hint().1.unwrap_or_default());
    list.extend(items);
    list.shrink_to_fit();
    list
}
