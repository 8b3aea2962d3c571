//! The tables, one module a dialect.

pub mod agentos;
pub mod cycgraph;
pub mod liman;
pub mod scenario;

use crate::table::{Dialect, Language};

/// Whether files of that ending may hold declarations of some dialect. Capitals count for none of them, so that a
/// file whose system does not load it for its capitals is read all the same, and reported.
#[must_use]
pub fn is_declaration_extension(extension: &str) -> bool {
    DIALECTS.iter().any(|dialect| dialect.has_extension(extension))
}

/// Every dialect, in the order in which documents are recognised.
pub static DIALECTS: &[&Dialect] =
    &[&liman::LIMAN, &cycgraph::CYCGRAPH, &agentos::AGENTOS, &scenario::SCENARIO];

/// The expression language of that id.
#[must_use]
pub fn language(id: &str) -> Option<Language> {
    DIALECTS.iter().flat_map(|dialect| dialect.languages).find(|language| language.id() == id).copied()
}
