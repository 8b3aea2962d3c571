//! Value to model: the one place, beside the tables, that knows a dialect's keys.
//! Never fails; what cannot be read is absent from the model.

pub mod agentos;
pub mod cycgraph;
pub mod liman;
mod plain;

use nodewise_model::Declaration;

use crate::table::{Dialect, Kind};
use crate::value::Value;

/// The declaration that a document makes; `None` for one that declares nothing itself.
#[must_use]
pub fn declaration(dialect: &'static Dialect, kind: &'static Kind, value: &Value<'_>) -> Option<Declaration> {
    (dialect.lower)(kind, value)
}

/// Without spare room: the models of thousands of files are held at once.
fn tight<T>(mut items: Vec<T>) -> Vec<T> {
    items.shrink_to_fit();
    items
}
