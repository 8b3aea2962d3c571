//! All files of a project together: who declares a name, which overlays patch it, what it amounts to
//! after them, who uses it. Built from file facts alone, and kept true edit by edit ([`update`]): both ways come to
//! the same. Order never depends on a hash map.

mod differences;
mod document_leads;
mod documents;
mod name;
mod patches;
mod update;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use nodewise_model::{NameScope, Origin, Reference, SourceId};
use smol_str::SmolStr;

use self::document_leads::LeadsOfRules;
use self::name::Name;
use self::patches::Patched;
pub(crate) use self::patches::patched_value;
use crate::facts::{DocumentFacts, DocumentId, Effective, FileFacts, Overlay, Ownership};
use crate::files::Files;
use crate::nesting::Nesting;
use crate::persistent_map::Shards;
use crate::project_rules::ActiveRule;
use crate::registrations::RegisteredNames;
use crate::suggest::{KindSet, Names};

pub(crate) use self::document_leads::{DocumentLead, DocumentLeads};
pub(crate) use self::documents::document_ids;
pub(crate) use self::update::Delta;
pub(crate) use self::view::{LookedUp, Question, Reads, View, name_key, source_key};

/// A declaration in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared {
    /// The document that declares it.
    pub document: DocumentId,
    pub kind: &'static str,
    /// Which of the document's graphs or agents it is, from 0. There are as many declarations as documents, so it is small.
    part: u32,
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

/// All files of a project together. Copies share what they have in common.
#[derive(Debug, Clone, Default)]
pub struct Index {
    /// Who declares a name, and who refers to it.
    names: Shards<SmolStr, Name>,
    /// The overlays that aim at a name.
    overlays: Shards<SmolStr, Vec<DocumentId>>,
    /// The declarations that overlays patch.
    patched: Shards<DocumentId, Patched>,
    /// Overlays whose target is not declared.
    orphans: Shards<DocumentId, ()>,
    /// Declarations that something refers to, with the number of names under which it does.
    used: Shards<DocumentId, u32>,
    /// What is known of all files as a whole.
    totals: Totals,
    /// The files that name things in other files by their letters alone.
    lettered: Arc<BTreeSet<SourceId>>,
    /// The files that declare rules of the project.
    rule_files: Arc<BTreeSet<SourceId>>,
    /// The rules of the project that can be applied, in load order; of those with one name the first.
    project_rules: Arc<Vec<ActiveRule>>,
    /// Where paths lead from node to node that are documents, for rules that asked.
    document_leads: Arc<LeadsOfRules>,
    /// Which graphs run which others.
    nesting: Nesting,
    /// The names that programs register.
    registered: Arc<RegisteredNames>,
    /// How often programs registered other names than before.
    registered_revision: u64,
    /// The declared names, ordered for suggestions when the first one is wanted.
    near: OnceLock<Arc<Names>>,
    /// The names that lead nowhere, likewise.
    near_missed: OnceLock<Arc<Names>>,
    /// How often a name was declared in another way than before.
    declared_revision: u64,
    /// How often a name began or ceased to lead nowhere.
    missed_revision: u64,
    /// How often something was declared, referred to or patched in another way than before.
    link_revision: u64,
}

/// What is counted over all files and names.
#[derive(Debug, Clone, Default)]
struct Totals {
    /// Files of ours.
    ours: usize,
    /// Files of others.
    others: usize,
    /// Files of ours in which a name may be overlooked.
    unreadable: usize,
    /// Documents that declare an agent by themselves.
    agents: usize,
    /// Names in places for tools that are not declared.
    outside_tools: usize,
    /// LLM nodes that nothing refers to.
    idle_models: usize,
    /// The kinds of declarations that other documents refer to, with the number of such names.
    crossed: BTreeMap<&'static str, usize>,
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
pub struct SystemsInUse {
    /// Declarations that we know.
    pub ours: bool,
    /// Anything else.
    pub others: bool,
}

impl Declared {
    fn new(document: DocumentId, kind: &'static str, part: usize, at: Origin) -> Declared {
        Declared { document, kind, part: u32::try_from(part).unwrap_or(u32::MAX), at }
    }

    /// Which of the document's graphs or agents it is, from 0.
    #[must_use]
    pub fn part(&self) -> usize {
        self.part as usize
    }
}

impl Index {
    /// Folds the files, which are in load order and numbered by it, into an index.
    #[must_use]
    pub fn build(files: &Files) -> Index {
        let all: Vec<SourceId> = files.iter().map(|file| file.source).collect();
        Index::default().updated(&Files::default(), files, &all).0
    }

    /// Whose files the project holds.
    #[must_use]
    pub fn holds(&self) -> SystemsInUse {
        SystemsInUse { ours: self.totals.ours > 0, others: self.totals.others > 0 }
    }

    /// Whether some reference that leads nowhere may have meant the name.
    #[must_use]
    pub fn may_be_meant(&self, name: &str) -> bool {
        let missed = || {
            let missed = self.names.iter().filter(|(_, name)| name.summary().is_missed);
            Arc::new(Names::new(missed.map(|(name, _)| name.clone())))
        };
        self.near_missed.get_or_init(missed).nearest(name, |_| true).is_some()
    }

    /// What is known of the project's uses as a whole.
    #[must_use]
    pub fn uses(&self) -> Uses {
        Uses {
            complete: self.totals.unreadable == 0,
            entry: self.totals.idle_models > 0,
            outside_tools: self.totals.outside_tools > 0,
            agents: self.totals.agents > 0,
        }
    }

    /// What a document amounts to after overlays. An overlay amounts to nothing of its own, unless
    /// its target is not declared.
    #[must_use]
    pub fn effective<'a>(&'a self, document: &'a DocumentFacts) -> Option<&'a Effective> {
        if !self.patched.is_empty()
            && let Some(patched) =
                self.patched.get(&document.id).and_then(|patched| patched.effective.as_ref())
        {
            return Some(patched);
        }
        let counts = document.overlay.is_none() || self.orphans.contains(&document.id);
        document.effective.as_ref().filter(|_| counts)
    }

    /// Every declaration of a name, in load order.
    #[must_use]
    pub fn declared(&self, name: &str) -> &[Declared] {
        self.names.get(name).map(|name| &*name.declared).unwrap_or_default()
    }

    /// The declared names from a word on, in the order of their letters, each with its declarations.
    pub fn declared_from<'a>(
        &'a self,
        word: &str,
    ) -> impl Iterator<Item = (&'a str, &'a [Declared])> + use<'a> {
        self.near().from(word).map(|name| (name, self.declared(name)))
    }

    /// The names that may have all letters of a word in lower or upper case, and may be declared under one of these kinds,
    /// in the order of their letters. Most other names are left out, and no declaration is read.
    pub fn declared_with_letters<'a>(
        &'a self,
        word: &str,
        kinds: &[&str],
    ) -> impl Iterator<Item = &'a str> + use<'a> {
        self.near().with_letters(word, KindSet::of(kinds.iter().copied()))
    }

    /// Whether the names are in order already.
    pub(crate) fn is_prepared(&self) -> bool {
        self.near.get().is_some()
    }

    /// Puts the names in order, once for this index and those that edits make of it.
    pub(crate) fn prepare(&self) {
        self.near();
    }

    /// The documents that refer to a name after overlays, in load order.
    pub fn users<'a>(&'a self, name: &str) -> impl Iterator<Item = DocumentId> + use<'a> {
        let users = self.names.get(name).map(|name| &*name.users).unwrap_or_default();
        let mut before = None;
        users
            .iter()
            .map(|user| user.document)
            .filter(move |document| before.replace(*document) != Some(*document))
    }

    /// The declaration that an overlay aims at, if there is one.
    #[must_use]
    pub fn overlaid(&self, overlay: &Overlay) -> Option<Declared> {
        let target = overlay.target.as_ref()?;
        self.first(target.kind()?, &target.name)
    }

    /// The files that name things of other files by their letters alone, in load order: scripts and scenarios, which name
    /// what is inside of graphs, and plans. The index knows no users of what they name so.
    pub fn lettered(&self) -> impl Iterator<Item = SourceId> {
        self.lettered.iter().copied()
    }

    /// A number that is another one after every change of what is declared, referred to or patched, so that what is
    /// informed about names beside other files' texts may have changed. What only moved in its text does not change it.
    #[must_use]
    pub fn link_revision(&self) -> u64 {
        self.link_revision
    }

    /// The index, in the place of another one that it has nothing in common with.
    pub(crate) fn relinked_since(mut self, other: &Index) -> Index {
        self.link_revision += other.link_revision;
        self.registered = Arc::clone(&other.registered);
        self.registered_revision = other.registered_revision;
        self
    }

    /// The index of a project whose programs register these names.
    #[must_use]
    pub fn with_registered(mut self, registered: RegisteredNames) -> Index {
        if *self.registered != registered {
            self.registered = Arc::new(registered);
            self.registered_revision += 1;
        }
        self
    }

    /// Whether a program registers what a reference names.
    #[must_use]
    pub fn is_registered(&self, reference: &Reference) -> bool {
        self.registered.have(&reference.name, |kind| reference.accepts(kind))
    }

    /// Whether some name of the files leads nowhere that a program may register.
    #[must_use]
    pub fn lacks_registrations(&self, files: &Files) -> bool {
        let registers = |file: &FileFacts| matches!(file.ownership, Ownership::Ours(dialect) if dialect.registrations.is_some());
        let undeclared = self.names.iter().filter(|(_, name)| name.declared.is_empty());
        undeclared.into_iter().any(|(word, name)| {
            name.users.iter().any(|user| {
                let is_registered = || self.registered.have(word, |kind| user.want.accepts(kind));
                files.get(user.document.source).is_some_and(registers) && !is_registered()
            })
        })
    }

    /// Whether overlays patch anything.
    pub(crate) fn has_patches(&self) -> bool {
        !self.patched.is_empty()
    }

    /// The overlays that patch a document, in the order in which they do.
    pub fn patches(&self, document: DocumentId) -> impl Iterator<Item = DocumentId> {
        self.patched
            .get(&document)
            .into_iter()
            .flat_map(|patched| &patched.patches)
            .map(|patch| patch.overlay)
    }

    /// Every name with its declarations, in no order: the code that shows them sorts them.
    pub fn each_declared(&self) -> impl Iterator<Item = (&str, &[Declared])> {
        let names = self.names.iter().map(|(name, entry)| (name.as_str(), &*entry.declared));
        names.filter(|(_, declared)| !declared.is_empty())
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

    /// The rules of the project that can be applied, in load order.
    #[must_use]
    pub fn project_rules(&self) -> &[ActiveRule] {
        &self.project_rules
    }

    /// Which graphs run which others.
    #[must_use]
    pub fn nesting(&self) -> &Nesting {
        &self.nesting
    }

    /// Where a reference leads.
    #[must_use]
    pub fn resolve(&self, reference: &Reference) -> Resolution<'_> {
        let candidates = self.declared(&reference.name);
        Resolution::of(candidates, reference.scope, |kind| reference.accepts(kind))
    }

    /// Whether some name of the scope leads to another document, so that the project keeps such things in
    /// documents.
    #[must_use]
    pub fn crosses(&self, scope: &NameScope) -> bool {
        scope.kinds.iter().any(|kind| self.totals.crossed.contains_key(kind))
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
        let fits = |name: &str| self.declared(name).iter().any(|declared| kinds.contains(&declared.kind));
        // Behind a kind, a folder or a module: `ToolNode/find`, `tools.find`.
        let last = word.rsplit(['/', ':', '.']).next().filter(|last| fits(last));
        self.near().nearest(last.unwrap_or(word), fits)
    }

    fn near(&self) -> &Names {
        let declared = || {
            let declared = self.names.iter();
            let declared = declared.filter_map(|(name, entry)| Some((name.clone(), entry.kinds()?)));
            Arc::new(Names::with_kinds(declared))
        };
        self.near.get_or_init(declared)
    }
}

/// Which [`Resolution`] it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    To,
    Ambiguous,
    WrongKind,
    Nothing,
}

impl Resolution<'_> {
    pub(crate) fn outcome(&self) -> Outcome {
        match self {
            Resolution::To(_) => Outcome::To,
            Resolution::Ambiguous(_) => Outcome::Ambiguous,
            Resolution::WrongKind(_) => Outcome::WrongKind,
            Resolution::Nothing => Outcome::Nothing,
        }
    }

    /// Where a name leads in a scope, in which `accepts` takes only declarations of some kinds.
    fn of<'a>(
        candidates: &'a [Declared],
        scope: &NameScope,
        accepts: impl Fn(&str) -> bool,
    ) -> Resolution<'a> {
        let mut fitting = scope
            .kinds
            .iter()
            .filter(|kind| accepts(kind))
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
}
