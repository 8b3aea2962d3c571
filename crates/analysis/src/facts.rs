//! One file: a pure function of its text and settings. Everything a rule needs to know of a file is
//! computed here once; nothing here looks at another file.

use std::sync::{Arc, OnceLock};

use nodewise_dialect::bind::{self, Bound, Issue};
use nodewise_dialect::recovery::{Mistake, recover};
use nodewise_dialect::table::{Dialect, Kind, KindRole, Strategy, Type};
use nodewise_dialect::tight::tight;
use nodewise_dialect::value::{SpannedEntry, SpannedValue};
use nodewise_model::{Body, Origin, Rare, Reference, SourceId};
use nodewise_modules::{NoOthers, Others, is_module};
use nodewise_platform::threads::prelude::*;
use nodewise_syntax::{Document, Problem, TextRange, TextSize, Tree};
use thin_vec::ThinVec;
use tracing::debug_span;

use crate::basis::Needs;
use crate::built_parts::BuiltParts;
use crate::conditions::{ConditionFacts, condition_facts};
pub use crate::effective::Effective;
use crate::effective::{graph_facts, is_absence, is_ignored_key, may_be_mistake};
use crate::error_ranges::Damage;
pub use crate::faults::{DocumentFaults, EffectiveFaults, MissingPrompt};
use crate::file_text::FileText;
use crate::links::FileLinks;
pub use crate::ownership::{Ownership, Reason};
use crate::ownership::{candidates, is_unread, ownership};
use crate::readable::unreadable;
pub use crate::roles::DocumentRole;
use crate::roles::role;
use crate::secrets::secrets;
use crate::settings::{Pin, Settings};
use crate::suppress::Suppressions;
use crate::text_views::{TextViews, parse};
use crate::texts;

/// Texts of at least this many bytes are processed by several threads.
const LARGE: usize = 1 << 17;

/// The facts about one file. The text of a [deferred](crate::deferred) file is read when its [content](ContentFacts) is
/// first needed.
#[derive(Debug)]
pub struct FileFacts {
    /// The file's number. Numbers are in load order.
    pub source: SourceId,
    /// The path relative to the project, with `/` between its parts.
    pub path: Arc<str>,
    pub text: FileText,
    /// The settings for this file.
    pub settings: Arc<Settings>,
    /// The system that the file belongs to, if any.
    pub ownership: Ownership,
    /// For a module, the parts of the documents that it builds.
    pub(crate) parts: Rare<BuiltParts>,
    /// The facts about the text.
    pub(crate) content: OnceLock<ContentFacts>,
    /// For a deferred file, the names that it declares and refers to.
    pub(crate) links: Option<Box<FileLinks>>,
    /// Other results computed from the text, once a request needed them.
    pub(crate) views: OnceLock<Box<TextViews>>,
}

/// The facts that follow from a file's text.
#[derive(Debug, Default)]
pub struct ContentFacts {
    /// YAML syntax errors.
    pub problems: ThinVec<Problem>,
    /// Why the file belongs, or does not belong, to a system.
    pub reason: Reason,
    /// Its documents; empty if the file belongs to no system.
    pub documents: Box<[DocumentFacts]>,
    /// The comments that silence rules.
    pub suppressions: Rare<Suppressions>,
    /// The parts of the text that cannot be read.
    pub damage: Rare<Damage>,
    /// The secrets in the text, each with a description of what it is.
    pub secrets: ThinVec<(TextRange, &'static str)>,
}

/// Identifies a document of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentId {
    pub source: SourceId,
    /// The position of the document in the file, from 0.
    pub position: u32,
}

/// The facts about one document.
#[derive(Debug)]
pub struct DocumentFacts {
    pub id: DocumentId,
    /// What the document is in its dialect: a declaration of some kind, an overlay, …
    pub role: DocumentRole,
    /// The place for findings about the document as a whole: its first entry, or everything if it is no mapping.
    pub head: Origin,
    pub range: Origin,
    /// The faults that overlays cannot change.
    pub faults: Rare<DocumentFaults>,
    /// Whether the system refuses the document for its form, before it evaluates the content.
    pub refused: bool,
    /// Whether it is a bundle that uses more than it declares. The system refuses this after it has accepted the form.
    pub lacks_requirements: bool,
    /// Which parts of its graphs cannot be read.
    pub(crate) unreadable: Needs,
    pub conditions: ThinVec<ConditionFacts>,
    /// The declaration without overlays of other documents.
    pub effective: Option<Effective>,
    /// The target and the strategy, if the document is an overlay.
    pub overlay: Option<Box<Overlay>>,
}

/// The target of an overlay, and how it is applied.
#[derive(Debug)]
pub struct Overlay {
    /// The declaration that the overlay patches; `None` if `to` cannot be read.
    pub target: Option<Reference>,
    /// How the overlay's fields are combined with those of the target.
    pub strategy: Strategy,
}

impl FileFacts {
    /// The document that contains a place.
    #[must_use]
    pub fn document_at(&self, at: Origin) -> Option<&DocumentFacts> {
        if !self.parts.has_none() {
            return self.documents.get(self.parts.document_at(at.range)?);
        }
        let behind =
            self.documents.partition_point(|document| document.range.range.start() <= at.range.start());
        self.documents[..behind].last()
    }

    /// Which parts of the graphs cannot be read in the document that contains a place.
    pub(crate) fn unreadable(&self, at: Origin) -> Needs {
        let Some(document) = self.document_at(at) else { return Needs::Nothing };
        if self.damage.lacks_item(document.range.range) { Needs::Nodes } else { document.unreadable }
    }

    /// Whether the text of a document has a syntax problem, so that a part of it may be missing.
    pub(crate) fn is_damaged(&self, document: &DocumentFacts) -> bool {
        self.damage.covers(document.range.range, true)
    }

    /// Whether a mistake is exactly at this place, so that the text there is not what the author meant.
    pub(crate) fn is_mistake(&self, at: Origin) -> bool {
        self.document_at(at).is_some_and(|document| {
            let mistakes = &document.faults.mistakes;
            let before = |mistake: &Mistake| mistake.at.range.start() < at.range.start();
            let here = mistakes.get(mistakes.partition_point(before)..).unwrap_or_default();
            let here = here.iter().take_while(|mistake| mistake.at.range.start() == at.range.start());
            here.into_iter().any(|mistake| mistake.at.range == at.range)
        })
    }

    /// Whether the file's system has overlays. If so, any file may add to a declaration of this one.
    pub(crate) fn has_overlays(&self) -> bool {
        let is_overlay = |kind: &Kind| kind.role == KindRole::Overlay;
        matches!(self.ownership, Ownership::Ours(dialect) if dialect.kinds.iter().any(is_overlay))
    }

    /// The facts of a file, read without other modules.
    #[must_use]
    pub fn new(source: SourceId, path: Arc<str>, text: Arc<str>, settings: Arc<Settings>) -> FileFacts {
        FileFacts::read(source, path, text, settings, false, &NoOthers)
    }

    /// The facts of a file. Keeps the syntax tree if later requests will need it. A module may import from `others`.
    pub fn read(
        source: SourceId,
        path: Arc<str>,
        text: Arc<str>,
        settings: Arc<Settings>,
        keeps_tree: bool,
        others: &dyn Others,
    ) -> FileFacts {
        let _entered = debug_span!("parse", file = &*path).entered();
        let mut candidates = candidates(&path, &text, settings.dialect).peekable();
        if candidates.peek().is_none() {
            drop(candidates);
            let reason = Reason::of_no_candidates(settings.dialect);
            return FileFacts::not_ours(source, path, text, settings, reason);
        }
        let Parsed { tree, imports } = Parsed::new(&path, &text, others);
        let reading = |document| Reading { document, source, value: OnceLock::new() };
        let readings: Vec<Reading<'_>> = tree.documents().map(reading).collect();
        let (ownership, reason) = owner(&path, &readings, settings.dialect, candidates);
        let documents = match ownership {
            Ownership::Ours(dialect) => {
                let named = dialect.kind_of_file(&path);
                let is_unread = is_unread(dialect, &path, settings.dialect);
                let read = |(position, reading): (usize, &Reading<'_>)| {
                    let id = DocumentId { source, position: u32::try_from(position).unwrap_or(u32::MAX) };
                    reading.facts(dialect, named, is_unread, id, &tree, &settings)
                };
                match text.len() {
                    ..LARGE => readings.iter().enumerate().map(read).collect(),
                    _ => readings.par_iter().enumerate().map(read).collect(),
                }
            }
            Ownership::Empty | Ownership::NotOurs => Box::default(),
        };
        let of_tree = || (Rare::from(Suppressions::read(&tree)), Rare::from(Damage::read(&tree)));
        let (suppressions, damage) = match text.len() {
            ..LARGE => of_tree(),
            _ => nodewise_platform::threads::join(of_tree, move || drop(readings)).0,
        };
        let problems = ThinVec::from(tree.problems());
        let secrets = match ownership {
            Ownership::NotOurs if !settings.is_named => ThinVec::new(),
            _ => secrets(&text),
        };
        let parts = Rare::from(BuiltParts::new(&tree, imports));
        // A module cannot be read again later without the modules that it imports, so keep its tree.
        let keeps_tree = keeps_tree || tree.is_built();
        let views = if keeps_tree { TextViews::of_tree(tree) } else { OnceLock::new() };
        let content = ContentFacts { problems, reason, documents, suppressions, damage, secrets };
        FileFacts {
            source,
            path,
            text: text.into(),
            settings,
            ownership,
            parts,
            content: OnceLock::from(content),
            links: None,
            views,
        }
    }

    /// The facts of a file that cannot belong to any system.
    fn not_ours(
        source: SourceId,
        path: Arc<str>,
        text: Arc<str>,
        settings: Arc<Settings>,
        reason: Reason,
    ) -> FileFacts {
        let of_text = || ThinVec::from(parse(&path, &text).problems());
        let problems = settings.is_named.then(of_text).unwrap_or_default();
        let secrets = if settings.is_named { secrets(&text) } else { ThinVec::new() };
        let (documents, suppressions, damage) = (Box::default(), Rare::default(), Rare::default());
        let content = ContentFacts { problems, reason, documents, suppressions, damage, secrets };
        FileFacts {
            source,
            path,
            text: text.into(),
            settings,
            ownership: Ownership::NotOurs,
            parts: Rare::default(),
            content: OnceLock::from(content),
            links: None,
            views: OnceLock::new(),
        }
    }

    /// Whether the file belongs to no system but must parse all the same: a YAML or JSON file that the user named.
    pub(crate) fn must_parse(&self) -> bool {
        self.settings.is_named && matches!(self.ownership, Ownership::NotOurs)
    }

    /// For a module, the paths of all modules on which its facts depend, including those that do not exist.
    #[must_use]
    pub fn imports(&self) -> &[String] {
        &self.parts.imports
    }

    /// Whether it is a module in TypeScript or JavaScript. nodewise never changes such a file.
    #[must_use]
    pub fn is_module(&self) -> bool {
        is_module(&self.path)
    }

    /// How many documents belong to the file's system, including those of an unknown kind.
    #[must_use]
    pub fn declarations(&self) -> usize {
        let is_foreign = |role: &DocumentRole| matches!(role, DocumentRole::Empty | DocumentRole::Foreign);
        self.documents.iter().filter(|document| !is_foreign(&document.role)).count()
    }

    /// The tree of the text.
    pub fn tree(&self) -> &Tree {
        self.views().tree(&self.path, self.text.shared())
    }

    /// The line of an offset, counted from 1.
    #[must_use]
    pub fn line(&self, offset: TextSize) -> u32 {
        self.views().lines(&self.text).line_col(offset).line
    }

    /// Whether a request already needed the tree. The next edit will then need it again.
    pub(crate) fn keeps_tree(&self) -> bool {
        self.views.get().is_some_and(|views| views.has_tree())
    }

    fn views(&self) -> &TextViews {
        self.views.get_or_init(Box::default)
    }

    /// Whether the text is large enough for several threads.
    pub(crate) fn is_large(&self) -> bool {
        self.text.len() >= LARGE
    }
}

/// A parsed text.
struct Parsed {
    tree: Tree,
    /// See [`FileFacts::imports`].
    imports: ThinVec<String>,
}

impl Parsed {
    fn new(path: &str, text: &Arc<str>, others: &dyn Others) -> Parsed {
        if !is_module(path) {
            return Parsed { tree: parse(path, text), imports: ThinVec::new() };
        }
        let (tree, imports) = nodewise_modules::read(path, text, others).into_tree(text);
        Parsed { tree, imports: tight(imports.into_iter()) }
    }
}

/// A document while its facts are computed.
struct Reading<'t> {
    document: Document<'t>,
    source: SourceId,
    /// Its value, kept only if recognising the file's system already needed it.
    value: OnceLock<Option<SpannedValue<'t>>>,
}

impl<'t> Reading<'t> {
    fn value(&self) -> Option<&SpannedValue<'t>> {
        self.value.get_or_init(|| self.read()).as_ref()
    }

    fn read(&self) -> Option<SpannedValue<'t>> {
        Some(SpannedValue::from_large_node(self.document.root()?, self.source))
    }

    /// Computes the facts of the document. Its value is freed afterwards, so that a large file holds only few values at a
    /// time.
    fn facts(
        &self,
        dialect: &'static Dialect,
        named: Option<&'static Kind>,
        is_unread: bool,
        id: DocumentId,
        tree: &Tree,
        settings: &Settings,
    ) -> DocumentFacts {
        let read;
        let value = match self.value.get() {
            Some(value) => value.as_ref(),
            None => {
                read = self.read();
                read.as_ref()
            }
        };
        let named = self.document.kind().map_or(named, |kind| dialect.kind(kind));
        let role = match role(dialect, named, value, settings.is_literal) {
            DocumentRole::Kind(kind) if is_unread => DocumentRole::Unread(kind),
            role => role,
        };
        DocumentFacts::new(role, dialect, id, tree, self.document, value, settings)
    }
}

/// The kind of each document of a file; the inner `None` for a document without one. `None` if the file belongs to no
/// system. [`FileFacts`] contains the same, for callers that need more.
#[must_use]
pub fn kinds(path: &str, tree: &Tree, pin: Pin) -> Option<Vec<Option<&'static Kind>>> {
    if is_module(path) {
        return None;
    }
    let mut candidates = candidates(path, tree.text(), pin).peekable();
    candidates.peek()?;
    let reading = |document| Reading { document, source: SourceId(0), value: OnceLock::new() };
    let readings: Vec<Reading<'_>> = tree.documents().map(reading).collect();
    let (Ownership::Ours(dialect), _) = owner(path, &readings, pin, candidates) else { return None };
    let named = dialect.kind_of_file(path);
    let kind = |reading: &Reading<'_>| match role(dialect, named, reading.value(), false) {
        DocumentRole::Kind(kind) => Some(kind),
        _ => None,
    };
    Some(readings.iter().map(kind).collect())
}

/// The system to which the documents of a file belong.
fn owner(
    path: &str,
    readings: &[Reading<'_>],
    pin: Pin,
    candidates: impl Iterator<Item = &'static Dialect>,
) -> (Ownership, Reason) {
    if is_module(path) {
        return module_owner(readings, candidates);
    }
    let is_empty = readings.iter().all(|reading| reading.document.root().is_none());
    ownership(path, is_empty, || readings.iter().filter_map(Reading::value), pin, candidates)
}

/// The system whose documents a module builds.
fn module_owner(
    readings: &[Reading<'_>],
    mut candidates: impl Iterator<Item = &'static Dialect>,
) -> (Ownership, Reason) {
    let kind = readings.first().and_then(|reading| reading.document.kind());
    let dialect = kind.and_then(|kind| candidates.find(|dialect| dialect.kind(kind).is_some()));
    match dialect {
        Some(dialect) => (Ownership::Ours(dialect), Reason::Builders(dialect)),
        None => (Ownership::NotOurs, Reason::NoDialect),
    }
}

impl DocumentFacts {
    fn new(
        role: DocumentRole,
        dialect: &'static Dialect,
        id: DocumentId,
        tree: &Tree,
        document: Document<'_>,
        value: Option<&SpannedValue<'_>>,
        settings: &Settings,
    ) -> DocumentFacts {
        let range = Origin::new(id.source, document.range());
        let head = value.map_or(range, SpannedValue::head);
        let mut facts = DocumentFacts {
            id,
            role,
            head,
            range,
            faults: Rare::default(),
            refused: false,
            lacks_requirements: false,
            unreadable: Needs::Nothing,
            conditions: ThinVec::new(),
            effective: None,
            overlay: None,
        };
        if let (DocumentRole::Kind(kind), Some(value)) = (&facts.role, value) {
            let kind = *kind;
            if kind.role == KindRole::Overlay {
                facts.read_overlay(dialect, kind, tree, value, settings)
            } else {
                facts.read(dialect, kind, tree, value, settings)
            }
        }
        facts
    }

    fn read(
        &mut self,
        dialect: &'static Dialect,
        kind: &'static Kind,
        tree: &Tree,
        value: &SpannedValue<'_>,
        settings: &Settings,
    ) {
        let is_large = self.is_large();
        let lower = |value: &SpannedValue<'_>| {
            let declaration = (dialect.lower)(kind, value);
            // The rules of a large graph run in parallel, and all of them would wait for these facts, so compute them now.
            let graphs = is_large.then(|| graph_facts(declaration.as_ref()));
            (declaration, graphs)
        };
        let (bound, (declaration, graphs)) = match is_large {
            false => (bind::bind(kind, value), lower(value)),
            true => nodewise_platform::threads::join(|| bind::bind(kind, value), || lower(value)),
        };
        self.refused = dialect.violations.halt && bound.issues.iter().any(|issue| !is_ignored_key(issue));
        let is_extra = |key: &str| settings.is_extra_field(dialect, key);
        let names_kind = |key| value.get(key).is_some_and(|member| member.value.as_text() == Some(kind.name));
        let is_misnamed = dialect.discriminator().is_some_and(|key| !names_kind(key));
        let has_odd_texts = holds_lists(kind, value);
        let may_have_mistakes = is_misnamed || has_odd_texts || bound.issues.iter().any(may_be_mistake);
        let recovered = match may_have_mistakes && !settings.is_literal {
            true => recover(dialect, kind, value, &is_extra),
            false => None,
        };
        let mut faults = DocumentFaults::default();
        let effective = match &recovered {
            Some((meant, mistakes)) => {
                faults.mistakes.extend(mistakes.iter().cloned());
                let bound = bind::bind(kind, meant);
                self.read_in_place(tree, &bound, &mut faults);
                Effective::new(dialect, kind, meant, bound, lower(meant).0).with_written(declaration)
            }
            None => {
                self.read_in_place(tree, &bound, &mut faults);
                let effective = Effective::new(dialect, kind, value, bound, declaration);
                effective.graphs.iter().zip(graphs).for_each(|(known, graphs)| drop(known.set(graphs)));
                effective
            }
        };
        let violations = faults.issues.iter().chain(&effective.faults.absences);
        let unknown = &effective.faults.unknown;
        self.unreadable = unreadable(dialect, violations, unknown, effective.declaration.as_ref());
        self.faults = faults.into();
        self.lacks_requirements = match effective.declaration.as_ref().map(|declaration| &declaration.body) {
            Some(Body::Bundle(bundle)) => !self.refused && !bundle.undeclared().is_empty(),
            _ => false,
        };
        self.effective = Some(effective);
    }

    fn read_overlay(
        &mut self,
        dialect: &'static Dialect,
        overlay: &'static Kind,
        tree: &Tree,
        value: &SpannedValue<'_>,
        settings: &Settings,
    ) {
        // Keys of the patched declaration are not misspelt keys of the overlay.
        let is_extra = |key: &str| {
            settings.is_extra_field(dialect, key)
                || dialect.kinds.iter().any(|kind| kind.is_declarable() && kind.shape.field(key).is_some())
        };
        let recovered = match settings.is_literal {
            true => None,
            false => recover(dialect, overlay, value, &is_extra),
        };
        let mut faults = DocumentFaults::default();
        if let Some((_, mistakes)) = &recovered {
            faults.mistakes.extend(mistakes.iter().cloned());
        }
        let value = recovered.as_ref().map_or(value, |(meant, _)| meant);
        let target_kind = dialect.overlay_kind(value).filter(|kind| kind.is_declarable());
        let mut bound = bind::bind_overlay(overlay, target_kind, value);
        self.read_in_place(tree, &bound, &mut faults);
        let (target, strategy) = match dialect.overlays.and_then(|overlays| (overlays.target)(value)) {
            Some((target, strategy)) => (Some(target), strategy),
            None => (None, Strategy::Merge),
        };
        bound.references.retain(|reference| Some(reference.at) != target.as_ref().map(|target| target.at));
        faults.issues.extend(bound.issues.iter().filter(|issue| is_absence(issue)).cloned());
        faults.uncoded_texts =
            bound.bundles.iter().filter_map(|text| texts::first_uncoded(&text.bundle)).collect();
        self.faults = faults.into();
        self.overlay = Some(Box::new(Overlay { target, strategy }));
        // As long as the target is not declared, the names that the overlay uses still count as used.
        self.effective = Some(Effective::of_references(bound.references));
    }

    /// Whether the document is large enough for several threads.
    fn is_large(&self) -> bool {
        usize::from(self.range.range.len()) >= LARGE
    }

    /// Collects the faults that overlays cannot change.
    fn read_in_place(&mut self, tree: &Tree, bound: &Bound<'_, '_>, faults: &mut DocumentFaults) {
        faults.issues.extend(bound.issues.iter().filter(|issue| !is_absence(issue)).cloned());
        self.conditions = match self.is_large() {
            false => tight(bound.expressions.iter().filter_map(|used| condition_facts(tree, *used))),
            true => {
                let facts = bound.expressions.par_iter().filter_map(|used| condition_facts(tree, *used));
                facts.collect::<Vec<ConditionFacts>>().into()
            }
        };
        for text in &bound.bundles {
            texts::lone_braces(tree, &text.bundle, &mut faults.lone_braces);
            texts::lines_as_keys(text.value, &mut faults.lines_as_keys);
            faults.bundle_problems.extend(text.conflicts.iter().cloned());
        }
    }
}

impl DocumentFacts {
    /// Whether the document is an overlay and the issue is about one of its own keys instead of a field for its target.
    #[must_use]
    pub fn is_overlay_key(&self, issue: &Issue) -> bool {
        match self.role {
            DocumentRole::Kind(kind) => {
                kind.role == KindRole::Overlay && std::ptr::eq(&raw const kind.shape, issue.shape)
            }
            _ => false,
        }
    }
}

/// Whether a list is among the texts of a document, where only texts are allowed.
fn holds_lists(kind: &Kind, value: &SpannedValue<'_>) -> bool {
    let texts = kind.shape.fields.iter().filter(|field| matches!(field.ty, Type::Bundle(_)));
    let holds = |member: &SpannedEntry<'_>| {
        let inside = member.value.as_map().unwrap_or_default();
        inside.iter().any(|member| member.value.as_list().is_some())
    };
    texts.filter_map(|field| value.get(field.key)).any(holds)
}
