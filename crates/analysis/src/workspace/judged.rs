//! What the rules had for a file, and what they looked up for it. In: files that are checked, and what a change makes
//! readers see differently; out: the files to check again. Invariant: a file whose result is kept would
//! get the same result now.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nodewise_model::SourceId;
use rustc_hash::FxHashMap;

use crate::check::{self, Found};
use crate::diagnostic::Diagnostic;
use crate::facts::FileFacts;
use crate::files::Files;
use crate::index::{Delta, Index, LookedUp, Question, Reads, name_key, source_key};

/// The result of checking a file.
#[derive(Debug)]
pub(super) struct Judged {
    /// The diagnostics. Some of them may be in other files.
    found: Found,
    looked_up: LookedUp,
}

/// The result of checking a file, to be saved for a later process.
#[derive(Debug, Clone, Default)]
pub struct KeptJudgement {
    /// The diagnostics. Some of them may be in other files.
    pub findings: Vec<Diagnostic>,
    /// The keys of the names and files that the rules looked up, sorted.
    pub keys: Box<[u32]>,
    /// The numbers of the questions about the whole project that the rules asked.
    pub questions: Box<[u32]>,
}

/// Which files depend on which lookups.
#[derive(Debug, Default)]
pub(super) struct Readers {
    /// For each key of a name or file, the files whose check looked it up, sorted.
    of_key: FxHashMap<u32, Vec<SourceId>>,
    /// The files whose check asked a question about the whole project.
    askers: BTreeMap<SourceId, Arc<Judged>>,
}

impl KeptJudgement {
    /// Checks a file.
    #[must_use]
    pub fn of(files: &Files, index: &Index, file: &FileFacts) -> KeptJudgement {
        let Judged { found, looked_up } = Judged::new(files, index, file);
        let mut findings = found.own;
        findings.extend(found.others);
        let questions = looked_up.answers.iter().map(|(question, _)| question.number()).collect();
        KeptJudgement { findings, keys: looked_up.keys, questions }
    }
}

impl Judged {
    /// Restores the result of an earlier check that is still valid. `None` if a question has an unknown number.
    pub(super) fn kept(judgement: KeptJudgement, index: &Index) -> Option<Judged> {
        let KeptJudgement { findings, keys, questions } = judgement;
        let answer = |number: &u32| {
            let question = Question::of_number(*number)?;
            Some((question, index.answer(question)))
        };
        let answers = questions.iter().map(answer).collect::<Option<_>>()?;
        let found = Found { own: Vec::new(), others: findings };
        Some(Judged { found, looked_up: LookedUp { keys, answers } })
    }

    pub(super) fn new(files: &Files, index: &Index, file: &FileFacts) -> Judged {
        let reads = Reads::default();
        let mut found = Found::default();
        check::judge_noting(files, index, file, Some(&reads), &mut found);
        Judged { found, looked_up: reads.into_looked_up() }
    }

    /// All diagnostics, those that other files may change included.
    pub(super) fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.own().chain(&self.found.others)
    }

    /// The diagnostics that follow from the file's own text.
    pub(super) fn own(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.own.iter()
    }

    /// Whether the questions about the whole project still have the same answers.
    pub(super) fn holds(&self, index: &Index) -> bool {
        self.looked_up.holds(index)
    }
}

impl Readers {
    /// Records the lookups of a file.
    pub(super) fn add(&mut self, source: SourceId, judged: &Arc<Judged>) {
        for key in &judged.looked_up.keys {
            let readers = self.of_key.entry(*key).or_default();
            if let Err(position) = readers.binary_search(&source) {
                readers.insert(position, source);
            }
        }
        if !judged.looked_up.answers.is_empty() {
            self.askers.insert(source, Arc::clone(judged));
        }
    }

    /// Removes the lookups of a file.
    pub(super) fn remove(&mut self, source: SourceId, judged: &Judged) {
        for key in &judged.looked_up.keys {
            let Some(readers) = self.of_key.get_mut(key) else { continue };
            if let Ok(position) = readers.binary_search(&source) {
                readers.remove(position);
            }
            if readers.is_empty() {
                self.of_key.remove(key);
            }
        }
        self.askers.remove(&source);
    }

    /// The changed files, and the files whose check looked up something that changed.
    pub(super) fn concerned(&self, delta: &Delta) -> BTreeSet<SourceId> {
        let keys = delta.names.iter().map(|name| name_key(name));
        let keys = keys.chain(delta.sources.iter().map(|source| source_key(*source)));
        let readers = keys.filter_map(|key| self.of_key.get(&key)).flatten();
        readers.chain(&delta.sources).copied().collect()
    }

    /// The files whose check asked a question that now has another answer.
    pub(super) fn answered_otherwise<'a>(&'a self, index: &'a Index) -> impl Iterator<Item = SourceId> + 'a {
        self.askers.iter().filter(|(_, judged)| !judged.holds(index)).map(|(source, _)| *source)
    }
}
