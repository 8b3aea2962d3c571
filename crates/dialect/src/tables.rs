//! The tables, one module a dialect.

pub mod agentos;
pub mod cycgraph;
mod every_shape;
pub mod liman;
pub mod rule;
pub mod scenario;

use std::sync::LazyLock;

use nodewise_model::registry::Registry;
use nodewise_model::{NodeKind, for_each_system};

pub use self::every_shape::{has_field, scopes, shapes};
use crate::table::{Dialect, KindRole, Language};

/// Whether files with this extension may contain declarations of some dialect. Ignores case, so that a file is read and
/// reported even if its system does not load it because of the case.
#[must_use]
pub fn is_declaration_extension(extension: &str) -> bool {
    is_document_extension(extension) || is_module_extension(extension)
}

/// Whether files with this extension may contain documents of some dialect.
#[must_use]
pub fn is_document_extension(extension: &str) -> bool {
    DIALECTS.iter().any(|dialect| dialect.has_extension(extension))
}

/// The extensions of modules that may build documents.
pub const MODULE_EXTENSIONS: [&str; 8] = ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx"];

/// Whether files with this extension are TypeScript or JavaScript modules.
#[must_use]
pub fn is_module_extension(extension: &str) -> bool {
    MODULE_EXTENSIONS.contains(&extension)
}

macro_rules! dialects {
    ($($system:ident $dialect:ident),*) => { &[$(&$system::$dialect,)* &scenario::SCENARIO, &rule::RULE] };
}

/// Every dialect, in the order in which recognition tries them.
pub static DIALECTS: Registry<Dialect> = Registry::new(for_each_system!(dialects));

/// The position of a dialect in [`DIALECTS`], for lists with an item for each dialect.
#[must_use]
pub fn position(dialect: &Dialect) -> Option<usize> {
    DIALECTS.iter().position(|known| known.id == dialect.id)
}

/// The dialects of systems, in the order of [`DIALECTS`].
pub fn systems() -> impl Iterator<Item = &'static Dialect> {
    DIALECTS.iter().copied().filter(|dialect| dialect.is_system())
}

/// The kinds of declarations that call a model, of all dialects.
pub static MODEL_KINDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| kinds(NodeKind::Model));

/// The kinds of declarations that are tools, of all dialects.
pub static TOOL_KINDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| kinds(NodeKind::Tool));

fn kinds(wanted: NodeKind) -> Vec<&'static str> {
    let kinds = DIALECTS.iter().flat_map(|dialect| dialect.kinds);
    kinds.filter(|kind| kind.role == KindRole::Node(wanted)).map(|kind| kind.name).collect()
}

/// The expression language with an id.
#[must_use]
pub fn language(id: &str) -> Option<Language> {
    DIALECTS.iter().flat_map(|dialect| dialect.languages).find(|language| language.id() == id).copied()
}
