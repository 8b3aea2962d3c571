//! The index as a rule sees it, with a note of what was looked up. In: questions of rules; out: the index's answers.
//! Invariant: an answer that is not noted does not depend on other files, so that a file is checked again if one of
//! the noted answers changes, and need not be otherwise.

use std::cell::{Cell, RefCell};
use std::hash::BuildHasher;
use std::sync::Arc;

use nodewise_dialect::tables::scopes;
use nodewise_model::{NameScope, Reference, SourceId};
use rustc_hash::FxBuildHasher;

use super::{Declared, DocumentLeads, Index, Resolution, SystemsInUse};
use crate::facts::{DocumentFacts, DocumentId, Effective};
use crate::nesting::ProjectGraphId;
use crate::project_rules::ActiveRule;

/// The index as the rules see it while they check one file. Records what they look up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    index: &'a Index,
    source: SourceId,
    reads: Option<&'a Reads>,
}

/// Records what is looked up while one file is checked.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    /// Keys of the names and files that were looked up; see [`name_key`] and [`source_key`].
    keys: RefCell<Vec<u32>>,
    /// Questions about the whole project, with their answers.
    answers: RefCell<Vec<(Question, u64)>>,
    /// Whether the current rule got an answer that other files may change.
    looked_beyond: Cell<bool>,
    /// Whether the current rule looked at a document after overlays.
    looked_at_merged: Cell<bool>,
}

/// Everything that was looked up while one file was checked.
#[derive(Debug)]
pub(crate) struct LookedUp {
    /// Keys of the names and the other files that were looked up, sorted.
    pub(crate) keys: Box<[u32]>,
    /// Questions about the whole project, with their answers.
    pub(crate) answers: Box<[(Question, u64)]>,
}

/// A question about the whole project.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Question {
    /// Whether no use is hidden and a run can begin somewhere, so that an unused declaration is worth a finding.
    UsesAreKnown,
    /// Whether programs provide tools.
    OutsideTools,
    /// Whether the project keeps its agents in files.
    Agents,
    /// Which files the project contains.
    Holds,
    /// Whether some name of the scope leads to another document.
    Crosses(&'static NameScope),
    DeclaredNames,
    /// Which names are referred to but not declared.
    MissedNames,
    /// Which graphs run themselves through others.
    Nesting,
    /// Which graphs are run by others.
    Runs,
    /// How names connect documents.
    Links,
    /// Which names programs register.
    Registered,
}

/// The name under which the project rules are recorded as looked up. Nothing can be declared under it.
pub(super) const PROJECT_RULES: &str = "\0rules";

/// The key under which looking up a name is recorded. Two names may have the same key; then a file is checked more often
/// than needed.
pub(crate) fn name_key(name: &str) -> u32 {
    (FxBuildHasher.hash_one(name) >> 32) as u32
}

/// The key under which looking at a file is recorded. It may be the key of a name or of another file, too.
pub(crate) fn source_key(SourceId(number): SourceId) -> u32 {
    number.wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995
}

impl Index {
    /// Whether all questions about the whole project have the same answers in both indexes.
    pub(crate) fn answers_like(&self, other: &Index) -> bool {
        let revisions = |index: &Index| {
            (
                index.declared_revision,
                index.missed_revision,
                index.nesting.revision(),
                index.nesting.runs_revision(),
                index.link_revision,
                index.registered_revision,
                index.uses(),
                index.holds(),
            )
        };
        revisions(self) == revisions(other) && self.totals.crossed.keys().eq(other.totals.crossed.keys())
    }

    /// The answer to a question. For most questions it is a revision number that changes whenever the answer may.
    pub(crate) fn answer(&self, question: Question) -> u64 {
        match question {
            Question::UsesAreKnown => u64::from(self.uses().complete && self.uses().entry),
            Question::OutsideTools => u64::from(self.uses().outside_tools),
            Question::Agents => u64::from(self.uses().agents),
            Question::Holds => u64::from(self.holds().ours) + 2 * u64::from(self.holds().others),
            Question::Crosses(scope) => u64::from(self.crosses(scope)),
            Question::DeclaredNames => self.declared_revision,
            Question::MissedNames => self.missed_revision,
            Question::Nesting => self.nesting.revision(),
            Question::Runs => self.nesting.runs_revision(),
            Question::Links => self.link_revision,
            Question::Registered => self.registered_revision,
        }
    }
}

impl Reads {
    /// Whether the findings of the current rule follow from the file's own text, and starts recording for the next rule.
    /// `may_be_added`: the rule reports missing parts, which overlays can add, so looking at a document after overlays
    /// counts as well.
    pub(crate) fn take_is_own(&self, may_be_added: bool) -> bool {
        let (beyond, merged) = (self.looked_beyond.take(), self.looked_at_merged.take());
        !(beyond || merged && may_be_added)
    }

    /// Records a key.
    pub(crate) fn note(&self, key: u32) {
        self.looked_beyond.set(true);
        self.keys.borrow_mut().push(key);
    }

    /// Records a question and its answer.
    fn note_answer(&self, question: Question, answer: u64) {
        self.looked_beyond.set(true);
        let mut answers = self.answers.borrow_mut();
        if !answers.iter().any(|(known, _)| known.is_same(question)) {
            answers.push((question, answer));
        }
    }

    /// Adds everything that `other` recorded.
    pub(crate) fn take_over(&self, other: &Reads) {
        self.keys.borrow_mut().extend(other.keys.borrow().iter());
        other.answers.borrow().iter().for_each(|(question, answer)| self.note_answer(*question, *answer));
    }

    /// Everything recorded, without duplicates and in little memory.
    pub(crate) fn into_looked_up(self) -> LookedUp {
        let mut keys = self.keys.into_inner();
        keys.sort_unstable();
        keys.dedup();
        LookedUp { keys: keys.into_boxed_slice(), answers: self.answers.into_inner().into_boxed_slice() }
    }
}

impl LookedUp {
    /// Whether all recorded questions still have the same answers.
    pub(crate) fn holds(&self, index: &Index) -> bool {
        self.answers.iter().all(|(question, answer)| index.answer(*question) == *answer)
    }
}

impl Question {
    /// The questions without a scope. The position is the number.
    const PLAIN: [Question; 10] = [
        Question::UsesAreKnown,
        Question::OutsideTools,
        Question::Agents,
        Question::Holds,
        Question::DeclaredNames,
        Question::MissedNames,
        Question::Nesting,
        Question::Runs,
        Question::Links,
        Question::Registered,
    ];

    /// The number of the question in a saved result. Another build may use other numbers.
    pub(crate) fn number(self) -> u32 {
        let position = match self {
            Question::Crosses(scope) => {
                let scope = scopes().iter().position(|known| std::ptr::eq(*known, scope));
                scope.map(|scope| Question::PLAIN.len() + scope)
            }
            _ => Question::PLAIN.iter().position(|known| known.is_same(self)),
        };
        position.and_then(|position| u32::try_from(position).ok()).unwrap_or(u32::MAX)
    }

    /// The question with this number.
    pub(crate) fn of_number(number: u32) -> Option<Question> {
        let number = number as usize;
        match number.checked_sub(Question::PLAIN.len()) {
            Some(scope) => scopes().get(scope).map(|scope| Question::Crosses(scope)),
            None => Question::PLAIN.get(number).copied(),
        }
    }

    fn is_same(self, other: Question) -> bool {
        match (self, other) {
            (Question::Crosses(one), Question::Crosses(other)) => std::ptr::eq(one, other),
            _ => std::mem::discriminant(&self) == std::mem::discriminant(&other),
        }
    }
}

impl<'a> View<'a> {
    /// A view for checking the file `source`. If `reads` is given, everything that is looked up is recorded there.
    pub(crate) fn new(index: &'a Index, source: SourceId, reads: Option<&'a Reads>) -> View<'a> {
        View { index, source, reads }
    }

    /// The effective declaration of a document.
    pub(crate) fn effective(self, document: &'a DocumentFacts) -> Option<&'a Effective> {
        self.note_source(document.id.source);
        if let Some(reads) = self.reads {
            reads.looked_at_merged.set(true);
            if self.index.patches(document.id).next().is_some() {
                // Which declaration an overlay patches depends on all files.
                reads.looked_beyond.set(true);
            }
        }
        self.index.effective(document)
    }

    /// All declarations of a name, in load order. Code that uses the position of one must also record its file.
    pub(crate) fn declared(self, name: &str) -> &'a [Declared] {
        self.note_name(name);
        self.index.declared(name)
    }

    /// The declaration that all users of an undeclared name may mean.
    pub(crate) fn misnamed_declaration(self, used: &str) -> Option<Declared> {
        self.asks(Question::Links);
        self.index.misnamed_declaration(used)
    }

    /// The name that others use for a declaration, and the scope in which they do.
    pub(crate) fn meant_name(
        self,
        document: DocumentId,
        declared: &str,
    ) -> Option<(&'a str, &'static NameScope)> {
        self.asks(Question::MissedNames);
        if !self.index.may_misname(declared) {
            return None;
        }
        self.asks(Question::Links);
        self.index.meant_name(document, declared)
    }

    /// The documents that refer to a name, in load order.
    pub(crate) fn users(self, name: &str) -> impl Iterator<Item = DocumentId> + use<'a> {
        self.asks(Question::Links);
        self.index.users(name)
    }

    /// The first declaration with a kind and a name.
    pub(crate) fn first(self, kind: &str, name: &str) -> Option<Declared> {
        self.note_name(name);
        self.index.first(kind, name)
    }

    /// The declaration to which a reference in a document leads.
    pub(crate) fn meant(self, document: DocumentId, reference: &Reference) -> Option<Declared> {
        self.note_name(&reference.name);
        self.index.meant(document, reference)
    }

    /// What a reference resolves to.
    pub(crate) fn resolve(self, reference: &Reference) -> Resolution<'a> {
        self.note_name(&reference.name);
        self.index.resolve(reference)
    }

    /// Whether anything refers to a declaration of the document.
    pub(crate) fn is_used(self, document: DocumentId) -> bool {
        self.note_source(document.source);
        self.note_beyond();
        self.index.is_used(document)
    }

    /// Whether the document is an overlay whose target is not declared.
    pub(crate) fn is_orphan(self, document: DocumentId) -> bool {
        self.note_source(document.source);
        self.note_beyond();
        self.index.is_orphan(document)
    }

    /// The name most similar to `word` that is declared under one of `kinds`.
    pub(crate) fn nearest(self, word: &str, kinds: &[&str]) -> Option<&'a str> {
        self.asks(Question::DeclaredNames);
        self.index.nearest(word, kinds)
    }

    /// Whether a program registers what a reference names.
    pub(crate) fn is_registered(self, reference: &Reference) -> bool {
        self.asks(Question::Registered);
        self.index.is_registered(reference)
    }

    /// Whether a reference without a declaration may be a misspelling of the name.
    pub(crate) fn may_be_meant(self, name: &str) -> bool {
        self.asks(Question::MissedNames);
        self.index.may_be_meant(name)
    }

    /// Whether no use is hidden and a run can begin somewhere, so that an unused declaration is worth a finding.
    pub(crate) fn uses_are_known(self) -> bool {
        self.asks(Question::UsesAreKnown) != 0
    }

    /// Whether some name that is used as a tool is not declared, so that programs provide tools.
    pub(crate) fn has_outside_tools(self) -> bool {
        self.asks(Question::OutsideTools) != 0
    }

    /// Whether some document declares an agent of its own, so that the project keeps its agents in files.
    pub(crate) fn keeps_agents(self) -> bool {
        self.asks(Question::Agents) != 0
    }

    /// Whether some name with a kind of the scope leads to another document, so that the project keeps such things in
    /// documents.
    pub(crate) fn crosses(self, scope: &'static NameScope) -> bool {
        self.asks(Question::Crosses(scope)) != 0
    }

    /// Which files the project contains.
    pub(crate) fn holds(self) -> SystemsInUse {
        self.asks(Question::Holds);
        self.index.holds()
    }

    /// Whether `child`, which the graph `parent` runs, runs `parent` again, directly or through others.
    pub(crate) fn comes_back(self, parent: ProjectGraphId, child: ProjectGraphId) -> bool {
        self.asks(Question::Nesting);
        self.index.nesting().comes_back(parent, child)
    }

    /// The usable project rules.
    pub(crate) fn project_rules(self) -> &'a [ActiveRule] {
        self.note_name(PROJECT_RULES);
        self.index.project_rules()
    }

    /// The same view without recording.
    pub(crate) fn without_notes(self) -> View<'a> {
        View { reads: None, ..self }
    }

    /// The search result of a project rule over nodes that are documents. `find` computes it on first use.
    pub(crate) fn document_leads(
        self,
        rule: &'static str,
        find: impl FnOnce() -> DocumentLeads,
    ) -> Arc<DocumentLeads> {
        self.asks(Question::Links);
        self.index.document_leads(rule, find)
    }

    /// Whether some graph of the project runs this one.
    pub(crate) fn is_run_by_another(self, graph: ProjectGraphId) -> bool {
        self.asks(Question::Runs);
        self.index.nesting().is_run(graph)
    }

    /// Records that another file was looked at.
    pub(crate) fn note_source(self, source: SourceId) {
        if let Some(reads) = self.reads.filter(|_| source != self.source) {
            reads.note(source_key(source));
        }
    }

    /// Records that the answer about a document of this file depends on other files. No key is needed, because this file is
    /// checked again when the answer changes.
    fn note_beyond(self) {
        if let Some(reads) = self.reads {
            reads.looked_beyond.set(true);
        }
    }

    /// Records that a file was looked up by its path, whether it exists or not.
    pub(crate) fn note_path(self, path: &str) {
        self.note_name(path);
    }

    /// Whether lookups are recorded.
    pub(crate) fn is_noting(self) -> bool {
        self.reads.is_some()
    }

    /// Records that a name was looked up.
    pub(crate) fn note_name(self, name: &str) {
        if let Some(reads) = self.reads {
            reads.note(name_key(name));
        }
    }

    fn asks(self, question: Question) -> u64 {
        let answer = self.index.answer(question);
        if let Some(reads) = self.reads {
            reads.note_answer(question, answer);
        }
        answer
    }
}
