//! Graphs that TypeScript and JavaScript modules build, read without running them.
//!
//! [`read`] evaluates what can be known of a module without running it: literals, constants, imports within the project,
//! spreads, template texts, methods of arrays and texts, arrow functions. Calls of a system's builders (the table says which
//! they are) become documents in the form of the system's files. Everything has its place in the module, and what cannot be
//! known is [`PlacedData::Unknown`](nodewise_syntax::build::PlacedData::Unknown) with the reason.
//!
//! Reading order: `source`, `nodes` and `trees` (the syntax tree), `sources` (the modules that are read), `scope` (who declares a name), `value` (what is known), `evaluate`
//! and `names` (expressions), `calls` and `methods` (functions), `builders`, `chains`, `additions`, `plans` and `graphs` (what the table says
//! of builders), `schemas` (schemas in code), `environment` (its variables), `placed` (the documents).

mod additions;
mod builders;
mod calls;
mod chains;
mod environment;
mod evaluate;
mod exports;
mod graphs;
mod methods;
mod names;
mod nodes;
mod placed;
mod plans;
mod schemas;
mod scope;
mod source;
mod sources;
mod trees;
mod value;

use std::sync::Arc;

use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::{DIALECTS, is_module_extension};
use nodewise_syntax::build::{PlacedDocument, PlacedValue, build};
use nodewise_syntax::{TextRange, Tree};

use source::Source;
pub use trees::Trees;

/// Endings of files that only declare types.
const DECLARATIONS: [&str; 3] = [".d.ts", ".d.mts", ".d.cts"];

/// Access to the other modules of the project.
pub trait Others {
    /// The text of the module at a path relative to the project, with `/` between its parts.
    fn text(&self, path: &str) -> Option<Arc<str>>;

    /// Whether to assume that no environment variable is set. Otherwise, everything that depends on one is unknown.
    fn has_empty_environment(&self) -> bool {
        false
    }

    /// Recently used syntax trees, if the caller keeps them.
    fn trees(&self) -> Option<&Trees> {
        None
    }
}

/// For a module without access to others.
#[derive(Debug, Clone, Copy)]
pub struct NoOthers;

impl Others for NoOthers {
    fn text(&self, _path: &str) -> Option<Arc<str>> {
        None
    }
}

/// The result of reading a module.
#[derive(Debug, Default)]
pub struct ModuleReading {
    /// The documents that it builds, in the order of the text.
    pub documents: Vec<ModuleDocument>,
    /// The ranges of its comments, in order.
    pub comments: Vec<TextRange>,
    /// The paths of the modules on which the documents depend, including paths where no file exists.
    pub imports: Vec<String>,
}

/// A document that a module builds.
#[derive(Debug)]
pub struct ModuleDocument {
    /// The system of the document.
    pub dialect: &'static Dialect,
    /// The name of its kind.
    pub kind: &'static str,
    /// The constant that holds the document, if there is one.
    pub name: Option<String>,
    /// The expression that builds it.
    pub range: TextRange,
    /// The content, with the place of each part.
    pub root: PlacedValue,
}

impl ModuleReading {
    /// The documents as a tree over the module's text, and the imports. If the module builds documents of several systems,
    /// only those of the first one.
    #[must_use]
    pub fn into_tree(self, text: &Arc<str>) -> (Tree, Vec<String>) {
        let dialect = self.dialect();
        let is_of_system = |document: &ModuleDocument| {
            dialect.is_some_and(|dialect| std::ptr::eq(dialect, document.dialect))
        };
        let documents = self.documents.into_iter().filter(is_of_system).map(|document| PlacedDocument {
            kind: document.kind,
            range: document.range,
            root: document.root,
        });
        (build(Arc::clone(text), &documents.collect::<Vec<_>>(), &self.comments), self.imports)
    }

    /// The system of the first document.
    #[must_use]
    pub fn dialect(&self) -> Option<&'static Dialect> {
        self.documents.first().map(|document| document.dialect)
    }
}

/// Whether a path is that of a module that may contain values. Files that only declare types do not.
#[must_use]
pub fn is_module(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    is_module_extension(extension) && !DECLARATIONS.iter().any(|ending| path.ends_with(ending))
}

/// Whether the text contains the name of a package with builders. If not, the module need not be read.
#[must_use]
pub fn imports_builders(text: &str) -> bool {
    systems(text).next().is_some()
}

/// The systems for whose packages the text contains the name.
pub fn systems(text: &str) -> impl Iterator<Item = &'static Dialect> {
    let stands = |package: &&str| memchr::memmem::find(text.as_bytes(), package.as_bytes()).is_some();
    DIALECTS
        .iter()
        .copied()
        .filter(move |dialect| dialect.builders.is_some_and(|builders| builders.packages.iter().any(stands)))
}

/// The project's modules that a module may import: for each one, the paths where it may be. Does not parse the text: every
/// string in quotes that looks like a relative path counts.
#[must_use]
pub fn imported_paths(path: &str, text: &str) -> Vec<Vec<String>> {
    let specifier = |at: usize| {
        let (quote, behind) = (text.get(at..=at)?, text.get(at + 1..)?);
        let is_path = behind.starts_with('.');
        is_path.then(|| behind.split(quote).next().unwrap_or_default())
    };
    let specifiers = memchr::memchr2_iter(b'\'', b'"', text.as_bytes()).filter_map(specifier);
    let specifiers = specifiers.filter(|specifier| !specifier.contains('\n'));
    let paths = specifiers.map(|specifier| exports::candidates(path, specifier));
    paths.filter(|paths| !paths.is_empty()).collect()
}

/// Reads a module. `path` is relative to the project.
#[must_use]
pub fn read(path: &str, text: &Arc<str>, others: &dyn Others) -> ModuleReading {
    if !imports_builders(text) {
        return ModuleReading::default();
    }
    let Some(source) = Source::parse(path, text, others.trees()) else { return ModuleReading::default() };
    evaluate::module(source, others)
}

#[cfg(test)]
mod tests;
