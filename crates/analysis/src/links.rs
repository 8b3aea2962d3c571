//! What a file has to do with other files: the names that it declares, and those that it refers to. The index is built
//! from this alone, so a project can be known before its texts are read.
//!
//! Input: the facts of a file. Output: its links, if they say everything that an index takes from the file. Invariant: an
//! index of links is the index of the files that they are of.

use nodewise_dialect::bind::{Issue, IssueKind};
use nodewise_model::{Body, Declaration, Located, Origin, Reference, SourceId};
use smol_str::SmolStr;

use crate::facts::{DocumentFacts, DocumentRole, FileFacts, Ownership};

/// What a file has to do with other files.
#[derive(Debug, Clone, Default)]
pub struct FileLinks {
    /// The names that its documents declare, in their order.
    pub declared: Box<[DeclaredName]>,
    /// The names that its documents refer to, in their order.
    pub references: Box<[Reference]>,
    /// For each document, how many of the references come before its end.
    pub reference_ends: Box<[u32]>,
    /// How many of its documents declare an agent by themselves.
    pub agents: u32,
    /// Whether every document could be read, so that no name is overlooked.
    pub is_readable: bool,
    /// Whether its documents name things of other files by their letters alone.
    pub is_lettered: bool,
}

/// A name that a document declares.
#[derive(Debug, Clone)]
pub struct DeclaredName {
    /// The position of the document in the file, from 0.
    pub document: u32,
    /// The kind of what is declared.
    pub kind: &'static str,
    /// Which of the document's graphs or agents it is, from 0.
    pub part: usize,
    /// The name.
    pub name: SmolStr,
    /// Where it stands.
    pub at: Origin,
}

impl FileLinks {
    /// The links of a file; `None` if an index takes more from it: overlays, rules of the project, and graphs that run
    /// others. A module is read with those that it imports, and a large file by several threads, so both have to be read.
    #[must_use]
    pub fn of(file: &FileFacts) -> Option<FileLinks> {
        if let Some(links) = file.links() {
            return Some(links.clone());
        }
        if file.is_module() || file.is_large() || !file.documents.iter().all(is_told_by_names) {
            return None;
        }
        let mut references = Vec::new();
        let mut reference_ends = Vec::with_capacity(file.documents.len());
        for document in &file.documents {
            let own = document.effective.iter().flat_map(|effective| &effective.references);
            references.extend(own.cloned());
            reference_ends.push(u32::try_from(references.len()).ok()?);
        }
        let declared = file.documents.iter().flat_map(|document| {
            let names = declaration(document).into_iter().flat_map(declared_names);
            names.map(|(kind, part, name)| DeclaredName {
                document: document.id.position,
                kind,
                part,
                name: name.value.clone(),
                at: name.at,
            })
        });
        Some(FileLinks {
            declared: declared.collect(),
            references: references.into(),
            reference_ends: reference_ends.into(),
            agents: u32::try_from(agents(file)).ok()?,
            is_readable: is_readable(file),
            is_lettered: file.documents.iter().filter_map(declaration).any(is_lettered),
        })
    }

    /// How many documents the file has.
    #[must_use]
    pub fn documents(&self) -> u32 {
        u32::try_from(self.reference_ends.len()).unwrap_or(u32::MAX)
    }

    /// The names that the document at a position refers to.
    pub(crate) fn references(&self, document: u32) -> &[Reference] {
        let document = document as usize;
        let start = document.checked_sub(1).map_or(Some(0), |before| self.reference_ends.get(before).copied());
        let range = start.zip(self.reference_ends.get(document)).map(|(start, end)| start as usize..*end as usize);
        range.and_then(|range| self.references.get(range)).unwrap_or_default()
    }

    /// The same for a file with another number.
    pub(crate) fn numbered(mut self, source: SourceId) -> FileLinks {
        self.declared.iter_mut().for_each(|declared| declared.at.source = source);
        self.references.iter_mut().for_each(|reference| reference.at.source = source);
        self
    }
}

/// Whether names say all that a document has to do with others.
fn is_told_by_names(document: &DocumentFacts) -> bool {
    let runs_others = |declaration: &Declaration| {
        let mut nodes = declaration.graphs().flat_map(|graph| &graph.nodes);
        nodes.any(|node| node.work.call().is_some())
    };
    let is_rule = |declaration: &Declaration| matches!(declaration.body, Body::Rule(_));
    let asks_more = |declaration: &Declaration| is_rule(declaration) || runs_others(declaration);
    document.overlay.is_none() && !declaration(document).is_some_and(asks_more)
}

/// What a document declares before overlays.
pub(crate) fn declaration(document: &DocumentFacts) -> Option<&Declaration> {
    document.effective.as_ref()?.declaration.as_ref()
}

/// Whether a declaration names things of other files by their letters alone.
pub(crate) fn is_lettered(declaration: &Declaration) -> bool {
    matches!(declaration.body, Body::Scenario(_) | Body::Plan(_))
}

/// How many documents of a file declare an agent by themselves.
pub(crate) fn agents(file: &FileFacts) -> usize {
    let is_agent = |declaration: &&Declaration| matches!(declaration.body, Body::Agent(_));
    file.documents.iter().filter_map(declaration).filter(is_agent).count()
}

/// What a document declares: itself, and what is packed in it, each with its position among those of its kind.
pub(crate) fn declared_names(
    declaration: &Declaration,
) -> impl Iterator<Item = (&'static str, usize, &Located<SmolStr>)> {
    let own = declaration.name.iter().map(|name| (declaration.kind, 0, name));
    let graphs = declaration.graphs().count();
    let packed = declaration.packed().enumerate().filter_map(move |(position, (kind, name))| {
        let part = if position < graphs { position } else { position - graphs };
        Some((kind, part, name?))
    });
    own.chain(packed)
}

/// Whether every document of a file of ours could be read, so that no name in it is overlooked.
pub(crate) fn is_readable(file: &FileFacts) -> bool {
    let read = |document: &DocumentFacts| {
        let known =
            matches!(document.role, DocumentRole::Kind(_) | DocumentRole::Empty | DocumentRole::Foreign);
        let unread =
            |issue: &Issue| matches!(issue.kind, IssueKind::WrongType(..) | IssueKind::Qualified(..));
        known && !document.faults.issues.iter().any(unread)
    };
    match file.ownership {
        // Where no word tells the kind, names are not declared for other files to use.
        Ownership::Ours(dialect) if dialect.discriminator().is_none() => true,
        Ownership::Ours(_) => file.problems.is_empty() && file.documents.iter().all(read),
        Ownership::Empty | Ownership::NotOurs => true,
    }
}
