//! A project that another process has checked. What the rules had for its files is known, so only what changed since has to be
//! checked, and what depends on it.
//!
//! Input: the files as they were, each with what the rules had for it. Output: a workspace to which changes are applied.
//! Invariant: after changes to files that [`Snapshot::can_lack_text`] allows, the diagnostics are those of a check of all files.

use std::sync::Arc;

use nodewise_model::SourceId;
use nodewise_platform::threads::prelude::*;

use super::judged::{Judged, KeptJudgement, Readers};
use super::modules::ModuleTexts;
use super::{Snapshot, State, Workspace, numbers};
use crate::deferred::DeferredFile;
use crate::facts::FileFacts;
use crate::file_text::TextSource;
use crate::files::Files;
use crate::functions::{Functions, PythonChange};
use crate::index::{Index, document_ids};
use crate::persistent_map::Shards;
use crate::settings::Settings;

/// A file with the result of an earlier check.
#[derive(Debug, Clone)]
pub struct CheckedBefore {
    /// The number that the file had among the [numbers of the project](file_numbers).
    pub source: SourceId,
    /// The content of the file.
    pub content: ContentBefore,
    /// The result of checking the file.
    pub judgement: KeptJudgement,
}

/// The content of a file that was checked before.
#[derive(Debug, Clone)]
pub enum ContentBefore {
    /// The file has not changed and is read when needed.
    Deferred(DeferredFile),
    Text {
        /// The path relative to the project, with `/` between its parts.
        path: Arc<str>,
        /// The whole text.
        text: Arc<str>,
        /// The settings for the file.
        settings: Arc<Settings>,
    },
}

/// Numbers for the files of a project in load order, with room for more files between them.
pub fn file_numbers(count: usize) -> impl Iterator<Item = SourceId> {
    numbers::anew(count)
}

impl Workspace {
    /// Restores a project from the results of an earlier check: its files in load order, and its Python files if the check
    /// needed them. Deferred files are read from `texts`. `None` if the results contain something that this program does
    /// not know.
    #[must_use]
    pub fn checked_before(
        files: Vec<CheckedBefore>,
        programs: Vec<PythonChange>,
        texts: &Arc<dyn TextSource>,
    ) -> Option<Workspace> {
        let modules = files.iter().filter_map(|file| match &file.content {
            ContentBefore::Text { path, text, .. } => Some((&**path, text)),
            ContentBefore::Deferred(_) => None,
        });
        let others: ModuleTexts<'_> = modules.collect();
        let read = |CheckedBefore { source, content, judgement }: CheckedBefore| {
            let facts = match content {
                ContentBefore::Deferred(file) => FileFacts::deferred(source, file, texts),
                ContentBefore::Text { path, text, settings } => {
                    FileFacts::read(source, path, text, settings, false, &others)
                }
            };
            (Arc::new(facts), (source, judgement))
        };
        let (facts, judgements): (Vec<Arc<FileFacts>>, Vec<(SourceId, KeptJudgement)>) =
            files.into_par_iter().map(read).unzip();
        let files: Files = facts.into_iter().collect();
        let mut functions = Functions::default();
        functions.apply(programs);
        let index = Index::build(&files).with_registered(functions.registered());
        let mut kept = Shards::with_capacity(judgements.len());
        let mut readers = Readers::default();
        for (source, judgement) in judgements {
            let judged = Arc::new(Judged::kept(judgement, &index)?);
            readers.add(source, &judged);
            kept.insert(source, judged);
        }
        let state = Arc::new(State { files, index, kept, ..State::default() });
        let now = Snapshot { state, functions: Arc::new(functions), ..Snapshot::default() };
        Some(Workspace { now, readers, ..Workspace::default() })
    }
}

impl Snapshot {
    /// Whether a file without a known text may be changed or removed. That is the case if other files only need its links.
    #[must_use]
    pub fn can_lack_text(&self, path: &str) -> bool {
        let Some(file) = self.files().at_path(path) else { return true };
        let mut documents = document_ids(self.files(), file.source);
        file.is_deferred() && documents.all(|id| self.index().patches(id).next().is_none())
    }
}
