//! All files of a project together: who declares a name, which overlays patch it, what it amounts to
//! after them, who uses it. Built from file facts alone; order never depends on a hash map.

use std::sync::{Arc, OnceLock};

use nodewise_dialect::bind::{Issue, IssueKind};
use nodewise_dialect::overlay;
use nodewise_dialect::tables::liman::{LLM_NODE, TOOL};
use nodewise_dialect::value::Value;
use nodewise_model::{Body, Declaration, Located, Origin, Reference, Scope};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::facts::{DocumentFacts, DocumentId, DocumentRole, Effective, FileFacts, Overlay, Ownership};
use crate::files::Files;
use crate::near::Names;
use crate::nesting::Nesting;

/// A declaration in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared {
    /// The document that declares it.
    pub document: DocumentId,
    /// Its kind.
    pub kind: &'static str,
    /// Which of the document's graphs or agents it is, from 0.
    pub part: usize,
    /// Where its name stands.
    pub at: Origin,
}

/// How a reference resolves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution<'a> {
    /// To this declaration.
    To(Declared),
    /// To several kinds; the first wins.
    Ambiguous(Vec<Declared>),
    /// The name is declared, but under kinds that do not fit.
    WrongKind(&'a [Declared]),
    /// Nothing has the name.
    Nothing,
}

/// All files of a project together.
#[derive(Debug, Default)]
pub struct Index {
    /// Declarations by name, in load order.
    names: FxHashMap<SmolStr, Vec<Declared>>,
    /// What patched declarations amount to.
    patched: FxHashMap<DocumentId, Arc<Effective>>,
    /// Overlays whose target is not declared.
    orphans: FxHashSet<DocumentId>,
    /// Declarations that something refers to.
    used: FxHashSet<DocumentId>,
    /// The declared names, ordered for suggestions when the first one is wanted.
    near: OnceLock<Names>,
    /// The names that lead nowhere, likewise.
    near_missed: OnceLock<Names>,
    /// Whose files the project holds.
    holds: Holds,
    /// The kinds of declarations that other documents refer to.
    crossed: FxHashSet<&'static str>,
    /// What is known of uses as a whole.
    uses: Uses,
    /// Names that references do not reach under a kind that fits, sorted.
    missed: Vec<SmolStr>,
    /// Which graphs run which others.
    nesting: Nesting,
}

/// What is known of a project's uses as a whole: when a name that nobody uses says something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Uses {
    /// Every document of our files could be read, so that no use is hidden.
    pub complete: bool,
    /// An LLM node that nothing refers to exists, so that a run can begin there.
    pub entry: bool,
    /// Some name in a place for tools is not declared, so that programs add tools.
    pub outside_tools: bool,
    /// Some document declares an agent by itself, so that the project keeps its agents in files.
    pub agents: bool,
}

/// Whose files a project holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Holds {
    /// Declarations that we know.
    pub ours: bool,
    /// Anything else.
    pub others: bool,
}

impl Index {
    /// Folds the files, which are in load order and numbered by it, into an index.
    #[must_use]
    pub fn build(files: &Files) -> Index {
        let mut index = Index::default();
        for document in files.iter().flat_map(|file| &file.documents) {
            let declaration =
                document.effective.as_ref().and_then(|effective| effective.declaration.as_ref());
            index.uses.agents |=
                declaration.is_some_and(|declaration| matches!(declaration.body, Body::Agent(_)));
            for (kind, part, name) in declaration.into_iter().flat_map(declared_names) {
                let declared = Declared { document: document.id, kind, part, at: name.at };
                index.names.entry(name.value.clone()).or_default().push(declared);
            }
        }
        index.apply_overlays(files);
        index.mark_used(files);
        index.nesting = Nesting::new(files, &index);
        index.uses.complete = files.iter().all(|file| is_readable(file));
        index.uses.entry = index.names.values().flatten().any(|declared| {
            LLM_NODE.kinds.contains(&declared.kind) && !index.used.contains(&declared.document)
        });
        index.holds = Holds {
            ours: files.iter().any(|file| matches!(file.ownership, Ownership::Ours(_))),
            others: files.iter().any(|file| matches!(file.ownership, Ownership::NotOurs)),
        };
        index
    }

    /// Whose files the project holds.
    #[must_use]
    pub fn holds(&self) -> Holds {
        self.holds
    }

    /// Whether some reference that leads nowhere may have meant the name.
    #[must_use]
    pub fn may_be_meant(&self, name: &str) -> bool {
        let missed = self.near_missed.get_or_init(|| Names::new(self.missed.iter().cloned()));
        missed.nearest(name, |_| true).is_some()
    }

    /// What is known of the project's uses as a whole.
    #[must_use]
    pub fn uses(&self) -> Uses {
        self.uses
    }

    /// What a document amounts to after overlays. An overlay amounts to nothing of its own, unless
    /// its target is not declared.
    #[must_use]
    pub fn effective<'a>(&'a self, document: &'a DocumentFacts) -> Option<&'a Effective> {
        if !self.patched.is_empty()
            && let Some(patched) = self.patched.get(&document.id)
        {
            return Some(patched);
        }
        let counts = document.overlay.is_none() || self.orphans.contains(&document.id);
        document.effective.as_ref().filter(|_| counts)
    }

    /// Every declaration of a name, in load order.
    #[must_use]
    pub fn declared(&self, name: &str) -> &[Declared] {
        self.names.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The first declaration of a kind and name.
    #[must_use]
    pub fn first(&self, kind: &str, name: &str) -> Option<Declared> {
        self.declared(name).iter().find(|declared| declared.kind == kind).copied()
    }

    /// What a name in a document means: what is packed beside it comes before what other documents declare.
    #[must_use]
    pub fn meant(&self, document: DocumentId, reference: &Reference) -> Option<Declared> {
        let candidates = self.declared(&reference.name);
        let fits = |declared: &&Declared| reference.accepts(declared.kind);
        let first_own = candidates.partition_point(|declared| declared.document < document);
        let own = candidates.iter().skip(first_own).take_while(|declared| declared.document == document);
        own.clone().find(fits).or_else(|| candidates.iter().find(fits)).copied()
    }

    /// Which graphs run which others.
    #[must_use]
    pub fn nesting(&self) -> &Nesting {
        &self.nesting
    }

    /// Where a reference leads (Liman digest §2.9).
    #[must_use]
    pub fn resolve(&self, reference: &Reference) -> Resolution<'_> {
        let candidates = self.declared(&reference.name);
        let fits = |kind: &&&str| reference.accepts(kind);
        let mut fitting = reference
            .scope
            .kinds
            .iter()
            .filter(fits)
            .filter_map(|kind| candidates.iter().find(|declared| declared.kind == *kind).copied());
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Resolution::To(only),
            (Some(first), Some(second)) => {
                Resolution::Ambiguous([first, second].into_iter().chain(fitting).collect())
            }
            (None, _) if candidates.is_empty() => Resolution::Nothing,
            (None, _) => Resolution::WrongKind(candidates),
        }
    }

    /// Whether some name of the scope leads to another document, so that the project keeps such things in
    /// documents.
    #[must_use]
    pub fn crosses(&self, scope: &Scope) -> bool {
        scope.kinds.iter().any(|kind| self.crossed.contains(kind))
    }

    /// Whether anything refers to the declaration.
    #[must_use]
    pub fn is_used(&self, document: DocumentId) -> bool {
        self.used.contains(&document)
    }

    /// Whether the document is an overlay without a target.
    #[must_use]
    pub fn is_orphan(&self, document: DocumentId) -> bool {
        self.orphans.contains(&document)
    }

    /// The name nearest to `word` that is declared under one of `kinds`.
    #[must_use]
    pub fn nearest(&self, word: &str, kinds: &[&str]) -> Option<&str> {
        let names = self.near.get_or_init(|| Names::new(self.names.keys().cloned()));
        names.nearest(word, |name| self.declared(name).iter().any(|declared| kinds.contains(&declared.kind)))
    }

    /// Applies overlays: fewest folders first, then path order, then document order.
    fn apply_overlays(&mut self, files: &Files) {
        let mut patches: Vec<(usize, DocumentId, &Overlay)> = Vec::new();
        for file in files {
            let folders = file.path.matches('/').count();
            let overlays =
                file.documents.iter().filter_map(|document| Some((document.id, document.overlay.as_ref()?)));
            patches.extend(overlays.map(|(id, overlay)| (folders, id, overlay)));
        }
        patches.sort_by_key(|(folders, id, _)| (*folders, *id));

        let mut by_target: Vec<(Declared, Vec<(DocumentId, &Overlay)>)> = Vec::new();
        let mut positions: FxHashMap<DocumentId, usize> = FxHashMap::default();
        for (_, id, overlay) in patches {
            let target =
                overlay.target.as_ref().and_then(|target| self.first(target.kind.as_deref()?, &target.name));
            match target {
                None => {
                    self.orphans.insert(id);
                }
                Some(target) => {
                    let position = *positions.entry(target.document).or_insert_with(|| {
                        by_target.push((target, Vec::new()));
                        by_target.len() - 1
                    });
                    by_target[position].1.push((id, overlay));
                }
            }
        }
        for (target, overlays) in by_target {
            if let Some(effective) = patched(files, target, &overlays) {
                self.patched.insert(target.document, Arc::new(effective));
            }
        }
    }

    fn mark_used(&mut self, files: &Files) {
        let mut used = FxHashSet::default();
        let mut outside_tools = false;
        let mut crossed = FxHashSet::default();
        let mut missed = Vec::new();
        for document in files.iter().flat_map(|file| &file.documents) {
            let Some(effective) = self.effective(document) else { continue };
            for reference in &effective.references {
                match self.resolve(reference) {
                    Resolution::To(declared) => {
                        if declared.document != document.id {
                            used.insert(declared.document);
                            crossed.insert(declared.kind);
                        }
                    }
                    Resolution::Ambiguous(all) => used.extend(all.first().map(|declared| declared.document)),
                    Resolution::WrongKind(_) | Resolution::Nothing => {
                        missed.push(reference.name.clone());
                        outside_tools |= TOOL.kinds.iter().any(|kind| reference.accepts(kind));
                    }
                }
            }
        }
        self.used = used;
        self.uses.outside_tools = outside_tools;
        self.crossed = crossed;
        missed.sort_unstable();
        missed.dedup();
        self.missed = missed;
    }
}

/// What a document declares: itself, and what is packed in it, each with its position among those of its kind.
fn declared_names(declaration: &Declaration) -> Vec<(&'static str, usize, &Located<SmolStr>)> {
    let own = declaration.name.iter().map(|name| (declaration.kind, 0, name));
    let graphs = declaration.graphs().count();
    let packed = declaration.packed().enumerate().filter_map(|(position, (kind, name))| {
        let part = if position < graphs { position } else { position - graphs };
        Some((kind, part, name?))
    });
    own.chain(packed).collect()
}

/// Whether every document of a file of ours could be read, so that no name in it is overlooked.
fn is_readable(file: &FileFacts) -> bool {
    let read = |document: &DocumentFacts| {
        let known =
            matches!(document.role, DocumentRole::Kind(_) | DocumentRole::Empty | DocumentRole::Foreign);
        let unread =
            |issue: &Issue| matches!(issue.kind, IssueKind::WrongType(..) | IssueKind::Qualified(..));
        known && !document.issues.iter().any(unread)
    };
    match file.ownership {
        // Where no word tells the kind, names are not declared for other files to use.
        Ownership::Ours(dialect) if dialect.discriminator().is_none() => true,
        Ownership::Ours(_) => file.problems.is_empty() && file.documents.iter().all(read),
        Ownership::Empty | Ownership::NotOurs => true,
    }
}

/// The value of a document, read again from its tree.
fn value_of(files: &Files, id: DocumentId) -> Option<Value<'_>> {
    let file = files.get(id.source)?;
    let root = file.tree().documents().nth(id.position as usize)?.root()?;
    Some(Value::from_node(root, id.source))
}

fn patched(files: &Files, target: Declared, overlays: &[(DocumentId, &Overlay)]) -> Option<Effective> {
    let Ownership::Ours(dialect) = files.get(target.document.source)?.ownership else {
        return None;
    };
    let kind = dialect.kind(target.kind)?;
    let mut value = value_of(files, target.document)?;
    for (id, patch) in overlays {
        if let Some(patch_value) = value_of(files, *id) {
            value = overlay::apply(dialect, kind, &value, &patch_value, patch.strategy);
        }
    }
    Some(Effective::of_declaration(dialect, kind, &value))
}
