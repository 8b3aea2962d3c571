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

/// The index for the rules that judge one file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    index: &'a Index,
    source: SourceId,
    reads: Option<&'a Reads>,
}

/// What is being looked up for one file.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    /// Names and files.
    keys: RefCell<Vec<u32>>,
    /// What is asked of all files as a whole, with the answers.
    answers: RefCell<Vec<(Question, u64)>>,
    /// Whether an answer was given since the last rule that other files may change.
    looked_beyond: Cell<bool>,
    /// Whether a document after overlays was looked at since the last rule.
    looked_at_merged: Cell<bool>,
}

/// What was looked up for one file, when all is done.
#[derive(Debug)]
pub(crate) struct LookedUp {
    /// The names and the other files that were looked at, sorted.
    pub(crate) keys: Box<[u32]>,
    /// What was asked of all files as a whole, with the answers.
    pub(crate) answers: Box<[(Question, u64)]>,
}

/// What is asked of all files as a whole.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Question {
    /// Whether no use is hidden, and a run can begin somewhere, so that a name that nobody uses says something.
    UsesAreKnown,
    /// Whether programs add tools.
    OutsideTools,
    /// Whether the project keeps its agents in files.
    Agents,
    /// Whose files the project holds.
    Holds,
    /// Whether some name of the scope leads to another document.
    Crosses(&'static NameScope),
    DeclaredNames,
    /// Which names lead nowhere.
    MissedNames,
    /// Which graphs come back to themselves through others.
    Nesting,
    /// Which graphs others run.
    Runs,
    /// How names connect documents.
    Links,
    /// Which names programs register.
    Registered,
}

/// What stands for the rules of the project among the names that are looked up. Nothing can be declared under it.
pub(super) const PROJECT_RULES: &str = "\0rules";

/// The key of a name among what is looked up. Two may share one: then a file is checked once too often.
pub(crate) fn name_key(name: &str) -> u32 {
    (FxBuildHasher.hash_one(name) >> 32) as u32
}

/// The key of a file, likewise.
pub(crate) fn source_key(SourceId(number): SourceId) -> u32 {
    number.wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995
}

impl Index {
    /// Whether no question about all files as a whole has another answer in the other index.
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

    /// The answer to a question, or a number that is another one when the answer may be.
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
    /// Whether a rule looked at nothing that other files may change, since this was asked last. Whether overlays may
    /// add what it misses makes a difference only to what a document amounts to after them.
    pub(crate) fn take_is_own(&self, may_be_added: bool) -> bool {
        let (beyond, merged) = (self.looked_beyond.take(), self.looked_at_merged.take());
        !(beyond || merged && may_be_added)
    }

    /// Notes a key.
    pub(crate) fn note(&self, key: u32) {
        self.looked_beyond.set(true);
        self.keys.borrow_mut().push(key);
    }

    /// Notes a question and its answer.
    fn note_answer(&self, question: Question, answer: u64) {
        self.looked_beyond.set(true);
        let mut answers = self.answers.borrow_mut();
        if !answers.iter().any(|(known, _)| known.is_same(question)) {
            answers.push((question, answer));
        }
    }

    /// Notes what another one noted.
    pub(crate) fn take_over(&self, other: &Reads) {
        self.keys.borrow_mut().extend(other.keys.borrow().iter());
        other.answers.borrow().iter().for_each(|(question, answer)| self.note_answer(*question, *answer));
    }

    /// All that was noted, put together small.
    pub(crate) fn into_looked_up(self) -> LookedUp {
        let mut keys = self.keys.into_inner();
        keys.sort_unstable();
        keys.dedup();
        LookedUp { keys: keys.into_boxed_slice(), answers: self.answers.into_inner().into_boxed_slice() }
    }
}

impl LookedUp {
    /// Whether what was asked of all files as a whole has the same answers.
    pub(crate) fn holds(&self, index: &Index) -> bool {
        self.answers.iter().all(|(question, answer)| index.answer(*question) == *answer)
    }
}

impl Question {
    /// The questions about no scope, by their numbers.
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

    /// What stands for the question outside of the program. Another build may have other numbers.
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

    /// The question of that number.
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
    /// The index for the file `source`; what is looked up is noted in `reads`.
    pub(crate) fn new(index: &'a Index, source: SourceId, reads: Option<&'a Reads>) -> View<'a> {
        View { index, source, reads }
    }

    /// What a document amounts to after overlays.
    pub(crate) fn effective(self, document: &'a DocumentFacts) -> Option<&'a Effective> {
        self.note_source(document.id.source);
        if let Some(reads) = self.reads {
            reads.looked_at_merged.set(true);
            if self.index.patches(document.id).next().is_some() {
                // Which declaration an overlay means is for all files together to say.
                reads.looked_beyond.set(true);
            }
        }
        self.index.effective(document)
    }

    /// Every declaration of a name, in load order. Code that reads the place of one depends on its file too.
    pub(crate) fn declared(self, name: &str) -> &'a [Declared] {
        self.note_name(name);
        self.index.declared(name)
    }

    /// The first declaration of a kind and name.
    pub(crate) fn first(self, kind: &str, name: &str) -> Option<Declared> {
        self.note_name(name);
        self.index.first(kind, name)
    }

    /// What a name in a document means.
    pub(crate) fn meant(self, document: DocumentId, reference: &Reference) -> Option<Declared> {
        self.note_name(&reference.name);
        self.index.meant(document, reference)
    }

    /// Where a reference leads.
    pub(crate) fn resolve(self, reference: &Reference) -> Resolution<'a> {
        self.note_name(&reference.name);
        self.index.resolve(reference)
    }

    /// Whether anything refers to the declaration.
    pub(crate) fn is_used(self, document: DocumentId) -> bool {
        self.note_source(document.source);
        self.note_beyond();
        self.index.is_used(document)
    }

    /// Whether the document is an overlay without a target.
    pub(crate) fn is_orphan(self, document: DocumentId) -> bool {
        self.note_source(document.source);
        self.note_beyond();
        self.index.is_orphan(document)
    }

    /// The name nearest to `word` that is declared under one of `kinds`.
    pub(crate) fn nearest(self, word: &str, kinds: &[&str]) -> Option<&'a str> {
        self.asks(Question::DeclaredNames);
        self.index.nearest(word, kinds)
    }

    /// Whether a program registers what a reference names.
    pub(crate) fn is_registered(self, reference: &Reference) -> bool {
        self.asks(Question::Registered);
        self.index.is_registered(reference)
    }

    /// Whether some reference that leads nowhere may have meant the name.
    pub(crate) fn may_be_meant(self, name: &str) -> bool {
        self.asks(Question::MissedNames);
        self.index.may_be_meant(name)
    }

    /// Whether no use is hidden, and a run can begin somewhere, so that a name that nobody uses says something.
    pub(crate) fn uses_are_known(self) -> bool {
        self.asks(Question::UsesAreKnown) != 0
    }

    /// Whether some name in a place for tools is not declared, so that programs add tools.
    pub(crate) fn has_outside_tools(self) -> bool {
        self.asks(Question::OutsideTools) != 0
    }

    /// Whether some document declares an agent by itself, so that the project keeps its agents in files.
    pub(crate) fn keeps_agents(self) -> bool {
        self.asks(Question::Agents) != 0
    }

    /// Whether some name of the scope leads to another document, so that the project keeps such things in
    /// documents.
    pub(crate) fn crosses(self, scope: &'static NameScope) -> bool {
        self.asks(Question::Crosses(scope)) != 0
    }

    /// Whose files the project holds.
    pub(crate) fn holds(self) -> SystemsInUse {
        self.asks(Question::Holds);
        self.index.holds()
    }

    /// Whether a graph that runs `child` is run by it again, at any depth.
    pub(crate) fn comes_back(self, parent: ProjectGraphId, child: ProjectGraphId) -> bool {
        self.asks(Question::Nesting);
        self.index.nesting().comes_back(parent, child)
    }

    /// The rules of the project that can be applied.
    pub(crate) fn project_rules(self) -> &'a [ActiveRule] {
        self.note_name(PROJECT_RULES);
        self.index.project_rules()
    }

    /// The same without notes.
    pub(crate) fn without_notes(self) -> View<'a> {
        View { reads: None, ..self }
    }

    /// The paths of a rule over nodes that are documents, worked out by `find` where they are not known.
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

    /// Notes that another file was looked at.
    pub(crate) fn note_source(self, source: SourceId) {
        if let Some(reads) = self.reads.filter(|_| source != self.source) {
            reads.note(source_key(source));
        }
    }

    /// Notes that other files decide, about a document of this file: its own key changes with them.
    fn note_beyond(self) {
        if let Some(reads) = self.reads {
            reads.looked_beyond.set(true);
        }
    }

    /// Notes that a file was looked for by its path.
    pub(crate) fn note_path(self, path: &str) {
        self.note_name(path);
    }

    /// Whether what is looked up is noted.
    pub(crate) fn is_noting(self) -> bool {
        self.reads.is_some()
    }

    /// Notes that something was asked of a name.
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
