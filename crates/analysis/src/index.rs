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
use crate::suggest::{KindSet, Names, differ_in_a_number};

pub(crate) use self::document_leads::{DocumentLead, DocumentLeads};
pub(crate) use self::documents::document_ids;
pub(crate) use self::update::Delta;
pub(crate) use self::view::{LookedUp, Question, Reads, View, name_key, source_key};

/// A declaration in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared {
    /// The document with the declaration.
    pub document: DocumentId,
    pub kind: &'static str,
    /// Which of the document's graphs or agents it is, from 0. Stored as `u32` because there is one entry for each
    /// declaration.
    part: u32,
    /// The place of the name.
    pub at: Origin,
}

/// What a reference resolves to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution<'a> {
    /// A declaration of the only kind that fits.
    To(Declared),
    /// Declarations of several kinds that fit. The first one counts.
    Ambiguous(Vec<Declared>),
    /// Declarations with this name exist, but none has a kind that fits. These are all of them.
    WrongKind(&'a [Declared]),
    /// No declaration has this name.
    Nothing,
}

/// What the files of a project declare and refer to, taken together. Clones share the parts that do not change.
#[derive(Debug, Clone, Default)]
pub struct Index {
    /// For each name, its declarations and the references to it.
    names: Shards<SmolStr, Name>,
    /// For each name, the overlays that target it.
    overlays: Shards<SmolStr, Vec<DocumentId>>,
    /// For each declaration that overlays patch, the overlays and the result.
    patched: Shards<DocumentId, Patched>,
    /// Overlays whose target is not declared.
    orphans: Shards<DocumentId, ()>,
    /// For each declaration that something refers to, the number of names by which it is referred to.
    used: Shards<DocumentId, u32>,
    /// Counts over all files and names.
    totals: Totals,
    /// Files that name things in other files by text alone; see [`Index::lettered`].
    lettered: Arc<BTreeSet<SourceId>>,
    /// Files that declare project rules.
    rule_files: Arc<BTreeSet<SourceId>>,
    /// The usable project rules in load order. Of several rules with the same name, only the first.
    project_rules: Arc<Vec<ActiveRule>>,
    /// Results of path searches over nodes that are documents, for the rules that need them.
    document_leads: Arc<LeadsOfRules>,
    /// Which graphs run which other graphs.
    nesting: Nesting,
    /// The names that the project's programs register.
    registered: Arc<RegisteredNames>,
    /// Increases whenever programs register other names than before.
    registered_revision: u64,
    /// The declared names, prepared for suggestions when the first one is needed.
    near: OnceLock<Arc<Names>>,
    /// The names that references use but nothing declares, prepared when first needed.
    near_missed: OnceLock<Arc<Names>>,
    /// Increases whenever the declarations of some name change.
    declared_revision: u64,
    /// Increases whenever a name starts or stops being referred to without a fitting declaration.
    missed_revision: u64,
    /// Increases whenever a declaration, a reference or an overlay changes in more than its position.
    link_revision: u64,
}

/// Counts over all files and names.
#[derive(Debug, Clone, Default)]
struct Totals {
    /// Files that belong to a supported system.
    ours: usize,
    /// Files that belong to no supported system.
    others: usize,
    /// Files of supported systems that cannot be read completely, so that a name in them may be overlooked.
    unreadable: usize,
    /// Documents that declare an agent as a document of their own.
    agents: usize,
    /// Undeclared names that are used as tools.
    outside_tools: usize,
    /// LLM nodes to which nothing refers.
    idle_models: usize,
    /// For each kind to which other documents refer, the number of names with such a declaration.
    crossed: BTreeMap<&'static str, usize>,
}

/// Facts about the whole project that decide whether an unused declaration is worth a finding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Uses {
    /// Whether every document of a supported system could be read, so that no use is hidden.
    pub complete: bool,
    /// Whether an LLM node exists to which nothing refers, so that a run can begin there.
    pub entry: bool,
    /// Whether some name that is used as a tool is not declared, so that programs provide tools.
    pub outside_tools: bool,
    /// Whether some document declares an agent of its own, so that the project keeps its agents in files.
    pub agents: bool,
}

/// Which files a project contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SystemsInUse {
    /// Files of supported systems.
    pub ours: bool,
    /// Other files.
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
    /// Builds the index of files, which must be in load order and numbered in that order.
    #[must_use]
    pub fn build(files: &Files) -> Index {
        let all: Vec<SourceId> = files.iter().map(|file| file.source).collect();
        Index::default().updated(&Files::default(), files, &all).0
    }

    /// Which files the project contains.
    #[must_use]
    pub fn holds(&self) -> SystemsInUse {
        SystemsInUse { ours: self.totals.ours > 0, others: self.totals.others > 0 }
    }

    /// Whether a reference without a declaration may be a misspelling of `name`.
    #[must_use]
    pub fn may_be_meant(&self, name: &str) -> bool {
        self.near_missed().nearest(name, |_| true).is_some()
    }

    /// The declaration that all users of an undeclared name may mean: nothing uses the declaration, and of all names these two are
    /// nearest to each other.
    #[must_use]
    pub fn misnamed_declaration(&self, used: &str) -> Option<Declared> {
        let near = self.nearest(used, self.scope_of_users(used)?.kinds)?;
        self.misnamed_pair(used, near).filter(|_| self.near_missed().nearest(near, |_| true) == Some(used))
    }

    /// The reverse of [`Index::misnamed_declaration`]: the name that others use for a declaration, and the scope in which they do.
    #[must_use]
    pub fn meant_name(&self, document: DocumentId, declared: &str) -> Option<(&str, &'static NameScope)> {
        let used = self.near_missed().nearest(declared, |_| true)?;
        let found = self.misnamed_declaration(used).filter(|found| found.document == document)?;
        let scope = self.scope_of_users(used)?;
        self.declared(declared).contains(&found).then_some((used, scope))
    }

    /// The scope of the first use of a name that shows how a declaration should be named.
    fn scope_of_users(&self, used: &str) -> Option<&'static NameScope> {
        let mut scopes = self.names.get(used)?.users.iter().map(|user| user.want.scope());
        scopes.find(|scope| !scope.is_secondary)
    }

    /// The only declaration of a name that nothing uses, if all users of an undeclared name accept it.
    fn misnamed_pair(&self, used: &str, declared: &str) -> Option<Declared> {
        let (users, name) = (self.names.get(used)?, self.names.get(declared)?);
        let [only] = &*name.declared else { return None };
        let is_wanted = users.users.iter().all(|user| user.want.accepts(only.kind));
        let is_unused = name.users.is_empty() && !self.is_used(only.document);
        let is_pair = users.declared.is_empty() && is_unused && is_wanted;
        (is_pair && !differ_in_a_number(used, declared)).then_some(*only)
    }

    fn near_missed(&self) -> &Names {
        let missed = || {
            let missed = self.names.iter().filter(|(_, name)| name.summary().is_missed);
            Arc::new(Names::new(missed.map(|(name, _)| name.clone())))
        };
        self.near_missed.get_or_init(missed)
    }

    /// Whether the missed name that is nearest to a declared one may be what was meant. This depends on the missed names alone.
    pub(crate) fn may_misname(&self, declared: &str) -> bool {
        let near = self.near_missed().nearest(declared, |_| true);
        near.is_some_and(|used| !differ_in_a_number(used, declared))
    }

    /// Facts about how the project's declarations are used.
    #[must_use]
    pub fn uses(&self) -> Uses {
        Uses {
            complete: self.totals.unreadable == 0,
            entry: self.totals.idle_models > 0,
            outside_tools: self.totals.outside_tools > 0,
            agents: self.totals.agents > 0,
        }
    }

    /// The effective declaration of a document. `None` for an overlay whose target is declared, because it only changes the
    /// target.
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

    /// All declarations of a name, in load order.
    #[must_use]
    pub fn declared(&self, name: &str) -> &[Declared] {
        self.names.get(name).map(|name| &*name.declared).unwrap_or_default()
    }

    /// The declared names from `word` on, alphabetically, each with its declarations.
    pub fn declared_from<'a>(
        &'a self,
        word: &str,
    ) -> impl Iterator<Item = (&'a str, &'a [Declared])> + use<'a> {
        self.near().from(word).map(|name| (name, self.declared(name)))
    }

    /// Candidates for names that contain all letters of `word`, whatever their case, and are declared under one of `kinds`,
    /// alphabetically. This is a quick filter that reads no declaration, so some results may not fit.
    pub fn declared_with_letters<'a>(
        &'a self,
        word: &str,
        kinds: &[&str],
    ) -> impl Iterator<Item = &'a str> + use<'a> {
        self.near().with_letters(word, KindSet::of(kinds.iter().copied()))
    }

    /// Whether the sorted list of names is already computed.
    pub(crate) fn is_prepared(&self) -> bool {
        self.near.get().is_some()
    }

    /// Computes the sorted list of names now. The indexes that later edits produce keep it.
    pub(crate) fn prepare(&self) {
        self.near();
    }

    /// The documents that refer to a name after overlays are applied, in load order, each once.
    pub fn users<'a>(&'a self, name: &str) -> impl Iterator<Item = DocumentId> + use<'a> {
        let users = self.names.get(name).map(|name| &*name.users).unwrap_or_default();
        let mut before = None;
        users
            .iter()
            .map(|user| user.document)
            .filter(move |document| before.replace(*document) != Some(*document))
    }

    /// The declaration that an overlay targets, if it exists.
    #[must_use]
    pub fn overlaid(&self, overlay: &Overlay) -> Option<Declared> {
        let target = overlay.target.as_ref()?;
        self.first(target.kind()?, &target.name)
    }

    /// The files that name things in other files by text alone, in load order: scripts and scenarios, which name parts of
    /// graphs, and plans. [`Index::users`] does not include these uses.
    pub fn lettered(&self) -> impl Iterator<Item = SourceId> {
        self.lettered.iter().copied()
    }

    /// A number that changes with every change of a declaration, reference or overlay. What only moved in its text does not
    /// change it. If the number is the same, results that depend only on names in other files are still valid.
    #[must_use]
    pub fn link_revision(&self) -> u64 {
        self.link_revision
    }

    /// The same index as the successor of `other`, for a project that was read from scratch: the revisions continue to
    /// increase, and registered names are kept.
    pub(crate) fn relinked_since(mut self, other: &Index) -> Index {
        self.link_revision += other.link_revision;
        self.registered = Arc::clone(&other.registered);
        self.registered_revision = other.registered_revision;
        self
    }

    /// The same index for a project whose programs register these names.
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

    /// Whether some file uses an undeclared name of a kind that programs can register, and no program registers it.
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

    /// Whether any overlay patches something.
    pub(crate) fn has_patches(&self) -> bool {
        !self.patched.is_empty()
    }

    /// The overlays that patch a document, in the order in which they are applied.
    pub fn patches(&self, document: DocumentId) -> impl Iterator<Item = DocumentId> {
        self.patched
            .get(&document)
            .into_iter()
            .flat_map(|patched| &patched.patches)
            .map(|patch| patch.overlay)
    }

    /// All names with their declarations, unordered: callers that show them sort them.
    pub fn each_declared(&self) -> impl Iterator<Item = (&str, &[Declared])> {
        let names = self.names.iter().map(|(name, entry)| (name.as_str(), &*entry.declared));
        names.filter(|(_, declared)| !declared.is_empty())
    }

    /// The first declaration with a kind and a name.
    #[must_use]
    pub fn first(&self, kind: &str, name: &str) -> Option<Declared> {
        self.declared(name).iter().find(|declared| declared.kind == kind).copied()
    }

    /// The declaration to which a reference in a document leads. Declarations packed in the same document come before those
    /// of other documents.
    #[must_use]
    pub fn meant(&self, document: DocumentId, reference: &Reference) -> Option<Declared> {
        let candidates = self.declared(&reference.name);
        let fits = |declared: &&Declared| reference.accepts(declared.kind);
        let first_own = candidates.partition_point(|declared| declared.document < document);
        let own = candidates.iter().skip(first_own).take_while(|declared| declared.document == document);
        own.clone().find(fits).or_else(|| candidates.iter().find(fits)).copied()
    }

    /// The usable project rules, in load order.
    #[must_use]
    pub fn project_rules(&self) -> &[ActiveRule] {
        &self.project_rules
    }

    /// Which graphs run which other graphs.
    #[must_use]
    pub fn nesting(&self) -> &Nesting {
        &self.nesting
    }

    /// What a reference resolves to.
    #[must_use]
    pub fn resolve(&self, reference: &Reference) -> Resolution<'_> {
        let candidates = self.declared(&reference.name);
        Resolution::of(candidates, reference.scope, |kind| reference.accepts(kind))
    }

    /// Whether some name with a kind of the scope is declared in a document other than the one that uses it. If so, the
    /// project keeps such things in documents.
    #[must_use]
    pub fn crosses(&self, scope: &NameScope) -> bool {
        scope.kinds.iter().any(|kind| self.totals.crossed.contains_key(kind))
    }

    /// Whether anything refers to a declaration of the document.
    #[must_use]
    pub fn is_used(&self, document: DocumentId) -> bool {
        self.used.contains(&document)
    }

    /// Whether the document is an overlay whose target is not declared.
    #[must_use]
    pub fn is_orphan(&self, document: DocumentId) -> bool {
        self.orphans.contains(&document)
    }

    /// The name most similar to `word` that is declared under one of `kinds`.
    #[must_use]
    pub fn nearest(&self, word: &str, kinds: &[&str]) -> Option<&str> {
        let fits = |name: &str| self.declared(name).iter().any(|declared| kinds.contains(&declared.kind));
        // If the part after a kind, a folder or a module is a declared name, take that: `ToolNode/find`, `tools.find`.
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

/// Which variant a [`Resolution`] is.
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

    /// Resolves a name to one of `candidates` in a scope. `accepts` may exclude some kinds of the scope.
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
