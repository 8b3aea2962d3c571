//! The waiting runs of a project on this machine.
//!
//! Input: the folder of the project; output: what its store has. Invariant: what a person writes is kept without secrets, as all that
//! is stored of runs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nodewise_engine::ask::Decision;

use super::{FoundQuestion, QuestionState, RunFacts, WaitingRun, WaitingRuns};
use crate::environment::Environment;
use crate::secrets::{NeededKeys, Secrets};
use crate::store::{DecisionResult, OpenQuestion, RunId, RunStatus, Store};

/// The waiting runs of a project on this machine.
pub struct LocalRuns {
    folder: PathBuf,
    secrets: Secrets,
}

impl LocalRuns {
    /// The waiting runs of a project. The project may have no store yet.
    ///
    /// # Errors
    /// Where the variables of the project cannot be read.
    pub fn of_folder(folder: &Path) -> Result<LocalRuns> {
        let environment = Environment::of_folder(folder)?;
        let secrets = Secrets::resolve_in(&NeededKeys::default(), environment);
        Ok(LocalRuns { folder: folder.to_owned(), secrets })
    }

    fn store(&self) -> Result<Option<Store>> {
        Store::open_existing(&self.folder)
    }

    /// The run with this id; `None` if there is none.
    fn id(store: &Store, run: &str) -> Result<Option<RunId>> {
        let runs = store.list()?.runs;
        Ok(runs.into_iter().map(|summary| summary.id).find(|id| id.as_str() == run))
    }

    /// The runs that wait with a decision that is kept, so that they can be resumed.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn decided(&self) -> Result<Vec<RunId>> {
        let Some(store) = self.store()? else { return Ok(Vec::new()) };
        let mut decided = Vec::new();
        for run in store.list()?.runs {
            if matches!(run.status, RunStatus::Waiting(_)) && !store.read(&run.id)?.pending.is_empty() {
                decided.push(run.id);
            }
        }
        Ok(decided)
    }
}

impl WaitingRuns for LocalRuns {
    fn list(&self) -> Result<Vec<WaitingRun>> {
        let Some(store) = self.store()? else { return Ok(Vec::new()) };
        let mut waiting = Vec::new();
        for run in store.list()?.runs {
            let questions = OpenQuestion::all(&run.status);
            // A run of an eval cannot continue alone, so it is not shown.
            if !questions.is_empty() && store.eval_of(&run.id)?.is_none() {
                let (id, title) = (run.id.to_string(), run.title);
                let facts = RunFacts { id, title, name: run.name, begun: run.begun, status: run.status };
                waiting.push(WaitingRun { facts, questions });
            }
        }
        Ok(waiting)
    }

    fn find(&self, run: &str, key: &str) -> Result<Option<FoundQuestion>> {
        let Some(store) = self.store()? else { return Ok(None) };
        let Some(id) = LocalRuns::id(&store, run)? else { return Ok(None) };
        let stored = store.read(&id)?;
        let mut open = OpenQuestion::all(&stored.status).into_iter();
        let open = open.find(|question| question.key == key && question.decided.is_none());
        let decided = stored.decisions.iter().rev().find(|decision| decision.key == key);
        let state = match (open, decided) {
            (Some(question), _) => QuestionState::Open(Box::new(question)),
            (None, Some(decision)) => QuestionState::Decided(decision.record.clone()),
            (None, None) => QuestionState::Closed,
        };
        let run = RunFacts {
            id: id.to_string(),
            title: stored.new.title,
            name: stored.new.name,
            begun: stored.begun,
            status: stored.status,
        };
        Ok(Some(FoundQuestion { run, state }))
    }

    fn decide(&self, run: &str, key: &str, by: &str, decision: &Decision) -> Result<DecisionResult> {
        let mut store = self.store()?.context("the project has no runs any more")?;
        let Some(id) = LocalRuns::id(&store, run)? else { return Ok(DecisionResult::NotWaiting) };
        crate::session::check_alone(&store, &id)?;
        let masked = Decision {
            word: self.secrets.mask_text(&decision.word).into(),
            data: decision.data.as_ref().map(|data| self.secrets.mask_value(data)),
            ..decision.clone()
        };
        store.decide(&id, key, &self.secrets.mask_text(by), &masked)
    }
}
