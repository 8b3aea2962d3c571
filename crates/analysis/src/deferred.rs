//! Files whose texts are read when someone asks for what they say. What they have to do with other files is known before.
//!
//! Input: the facts of a file; later its links, and where its text is read. Output: its links, if they say everything that an
//! index takes from the file; later its facts. Invariant: an index of links is the index of the files that they are of. A
//! deferred file is never large and no module, so to read it needs one thread and no other file. A text that is no longer
//! the one that the links are of says nothing, until the project gets the new one.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use nodewise_dialect::bind::{Issue, IssueKind};
use nodewise_model::{Body, Declaration, Located, Rare, SourceId};
use nodewise_modules::NoOthers;
use smol_str::SmolStr;

use crate::facts::{ContentFacts, DocumentFacts, DocumentRole, Effective, FileFacts, Ownership};
use crate::file_text::{FileText, TextMark, TextSource};
use crate::links::{DeclaredName, FileLinks};
use crate::settings::Settings;

/// A file whose links are known from an earlier reading and whose text has not changed since.
#[derive(Debug, Clone)]
pub struct DeferredFile {
    /// The path relative to the project, with `/` between its parts.
    pub path: Arc<str>,
    /// The length and hash of its text.
    pub mark: TextMark,
    /// The number under which the source of texts knows the file.
    pub number: SourceId,
    /// The system that the file belongs to.
    pub ownership: Ownership,
    /// The names that it declares and refers to.
    pub links: FileLinks,
    /// The settings for this file.
    pub settings: Arc<Settings>,
}

impl FileLinks {
    /// The links of a file. `None` if links are not enough for the index: the file has overlays, project rules, or graphs
    /// that run others. Also `None` for modules, which are read together with their imports, and for large files, which
    /// several threads read.
    #[must_use]
    pub fn of(file: &FileFacts) -> Option<FileLinks> {
        if let Some(links) = file.links() {
            return Some(links.clone());
        }
        if file.is_module() || file.is_large() || !file.documents.iter().all(is_known_by_names) {
            return None;
        }
        let mut references = Vec::new();
        let mut reference_ends = Vec::with_capacity(file.documents.len());
        for document in &file.documents {
            let own = document.effective.iter().flat_map(Effective::references);
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
}

impl FileFacts {
    /// The facts of a file whose text is only read from `texts` when someone asks for its content.
    pub(crate) fn deferred(source: SourceId, file: DeferredFile, texts: &Arc<dyn TextSource>) -> FileFacts {
        FileFacts {
            source,
            path: file.path,
            text: FileText::unread(file.number, file.mark, texts),
            settings: file.settings,
            ownership: file.ownership,
            parts: Rare::default(),
            content: OnceLock::new(),
            links: Some(Box::new(file.links.numbered(source))),
            views: OnceLock::new(),
        }
    }

    /// The links of the file, if it is deferred.
    pub(crate) fn links(&self) -> Option<&FileLinks> {
        self.links.as_deref()
    }

    /// Whether the text has been read already.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.content.get().is_some()
    }

    /// The facts about the text. Reads the text if that has not happened yet.
    pub(crate) fn read_now(&self) -> &ContentFacts {
        self.content.get_or_init(|| self.read_content())
    }

    /// Whether the file is deferred, read or not.
    #[must_use]
    pub fn is_deferred(&self) -> bool {
        self.links.is_some()
    }

    fn read_content(&self) -> ContentFacts {
        let (path, text) = (Arc::clone(&self.path), Arc::clone(self.text.shared()));
        let read = FileFacts::read(self.source, path, text, Arc::clone(&self.settings), false, &NoOthers);
        read.content.into_inner().unwrap_or_default()
    }
}

impl Deref for FileFacts {
    type Target = ContentFacts;

    fn deref(&self) -> &ContentFacts {
        self.read_now()
    }
}

/// Whether the names in a document are its only connection to other documents.
fn is_known_by_names(document: &DocumentFacts) -> bool {
    let runs_others = |declaration: &Declaration| {
        let mut nodes = declaration.graphs().flat_map(|graph| &graph.nodes);
        nodes.any(|node| node.work.call().is_some())
    };
    let is_rule = |declaration: &Declaration| matches!(declaration.body, Body::Rule(_));
    let asks_more = |declaration: &Declaration| is_rule(declaration) || runs_others(declaration);
    document.overlay.is_none() && !declaration(document).is_some_and(asks_more)
}

/// The declaration of a document before overlays are applied.
pub(crate) fn declaration(document: &DocumentFacts) -> Option<&Declaration> {
    document.effective.as_ref()?.declaration.as_ref()
}

/// Whether a declaration names things in other files by text alone, so that the index cannot tell who uses what.
pub(crate) fn is_lettered(declaration: &Declaration) -> bool {
    matches!(declaration.body, Body::Scenario(_) | Body::Plan(_))
}

/// How many documents of a file declare an agent as a document of its own.
pub(crate) fn agents(file: &FileFacts) -> usize {
    let is_agent = |declaration: &&Declaration| matches!(declaration.body, Body::Agent(_));
    file.documents.iter().filter_map(declaration).filter(is_agent).count()
}

/// The names that a document declares, for itself and for everything packed in it, each with its position among those of
/// its kind.
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

/// Whether every document of a file of a supported system could be read, so that no name in it is overlooked.
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
