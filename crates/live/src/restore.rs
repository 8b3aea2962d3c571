//! Stored runs again: the declarations as they were, what the run began with, and the run up to where its record ends.
//!
//! Input: the files of a project, or a stored run; output: what is kept of the files, and from it a run or a recording. Invariant:
//! what is read of a run comes from its record alone, whatever the files of the project are now.

#![allow(clippy::disallowed_methods, reason = "the configuration is read from its file")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_engine::event::{Event, VisitId};
use nodewise_engine::outcome::{Failure, Outcome, Status};
use nodewise_expr::json::from_json;
use nodewise_expr::value::{Map, Value};
use nodewise_model::scenario::Scenario;
use nodewise_project::config::{Config, FILE_NAME};
use nodewise_project::settings::SettingsOf;
use nodewise_simulation::recording::Recording;
use nodewise_simulation::render::json::{EventWriter, is_same_event};
use nodewise_simulation::run::Run;
use nodewise_simulation::target::SimulationTarget;
use nodewise_simulation::trace::Replay;
use nodewise_simulation::{RunInputs, prepare, setup};
use serde_json::Value as Json;

use crate::driver::Past;
use crate::store::{RunId, RunOrigin, RunStatus, Stored};

/// A stored run, ready to begin again from its first step.
pub struct RestoredRun {
    /// The declarations as they were when the run began.
    pub snapshot: Snapshot,
    /// The graph or agent that runs.
    pub target: SimulationTarget,
    /// The input of the run, with the scripts that it uses.
    pub scenario: Scenario,
    /// Changes of the state, by the visit before which they are made. Only forks have them.
    pub changes: BTreeMap<VisitId, Map>,
}

/// A stored run that was replayed in the simulator with the answers of its record.
pub struct Replayed {
    /// The recording of the replay.
    pub recording: Recording,
    /// The first difference from the record; `None` if there is none.
    pub difference: Option<Difference>,
}

/// A difference between a replay and its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The position of the first event that differs, from 0.
    pub event: usize,
    /// The recorded event; `None` if the record ends before.
    pub recorded: Option<Json>,
    /// The event of the replay; `None` if the replay ends before.
    pub found: Option<Json>,
}

/// The files that are stored with a run: the configuration, if there is one, and these texts.
#[must_use]
pub fn sources(root: &Path, texts: impl IntoIterator<Item = (String, Arc<str>)>) -> Vec<(String, Arc<str>)> {
    let config = std::fs::read_to_string(root.join(FILE_NAME)).ok();
    let config = config.map(|text| (FILE_NAME.to_owned(), Arc::from(text)));
    config.into_iter().chain(texts).collect()
}

/// The configuration among the files that are stored with a run.
#[must_use]
pub fn config(sources: &[(String, Arc<str>)]) -> Config {
    let config = sources.iter().find(|(path, _)| path == FILE_NAME).map(|(_, text)| Config::read(text));
    // A configuration that cannot be read counts as the default, as it did when the run began.
    config.and_then(Result::ok).unwrap_or_default()
}

/// The declarations in the files that are stored with a run.
#[must_use]
pub fn snapshot(sources: &[(String, Arc<str>)]) -> Snapshot {
    let mut settings = SettingsOf::new(config(sources), None);
    let files = sources.iter().filter(|(path, _)| path != FILE_NAME);
    let changes = files.map(|(path, text)| Change::Write {
        path: path.as_str().into(),
        text: Arc::clone(text),
        settings: settings.file(path),
    });
    let mut workspace = Workspace::new();
    workspace.apply(changes.collect());
    workspace.snapshot()
}

impl RestoredRun {
    /// Reads what a stored run began with.
    ///
    /// # Errors
    /// Where this version cannot read it.
    pub fn of(stored: &Stored) -> Result<RestoredRun> {
        let snapshot = snapshot(&stored.new.sources);
        let (target, mut scenario) = setup::read(&snapshot, &stored.new.scenario)?;
        scenario.limits.replace_by(&stored.limits);
        let changes = stored.new.origin.as_ref().map(state_changes).unwrap_or_default();
        Ok(RestoredRun { snapshot, target, scenario, changes })
    }

    /// The parts of which the run is prepared.
    #[must_use]
    pub fn inputs(&self) -> RunInputs<'_> {
        RunInputs { snapshot: &self.snapshot, target: &self.target, scenario: &self.scenario }
    }

    /// Prepares the run at its beginning.
    ///
    /// # Errors
    /// Where it cannot be prepared.
    pub fn run(&self) -> Result<Run> {
        let mut run = prepare(&self.snapshot, &self.target, &self.scenario)?;
        change_state(&mut run, &self.changes);
        Ok(run)
    }

    /// The recording of the run up to the end of its record, ready to be shown.
    ///
    /// # Errors
    /// Where the run takes another path than its record.
    pub fn recorded(&self, stored: &Stored) -> Result<Recording> {
        let (mut run, outcome) = self.at_end(stored)?;
        Ok(run.recording(outcome))
    }

    /// Replays the run to the end of its record. Also returns its outcome there.
    ///
    /// # Errors
    /// Where the run takes another path than its record.
    pub fn at_end(&self, stored: &Stored) -> Result<(Run, Outcome)> {
        let past = Past::read(stored.new.seed, &stored.events())?.accepting(true);
        let mut run = past.end(self.run()?)?;
        let outcome = outcome_of(&mut run, &stored.status, stored.is_cancelled, &stored.id);
        Ok((run, outcome))
    }

    /// Replays the run in the simulator with the answers of its record. A run that has not ended is replayed up to the end of its
    /// record.
    ///
    /// # Errors
    /// Where the record cannot be read, or the run cannot be prepared.
    pub fn replayed(&self, stored: &Stored) -> Result<Replayed> {
        if stored.is_cancelled || !matches!(stored.status, RunStatus::Ended { .. }) {
            return Ok(Replayed { recording: self.recorded(stored)?, difference: None });
        }
        let events = stored.events();
        let mut run = self.run()?;
        run.recall(Replay::of_events(stored.new.seed, &events)?);
        let outcome = run.drive(|_| true);
        let recording = run.recording(outcome);
        let difference = difference(&recording, &events);
        Ok(Replayed { recording, difference })
    }
}

/// The changes of the state of a fork, as values.
pub(crate) fn state_changes(origin: &RunOrigin) -> BTreeMap<VisitId, Map> {
    let keys = |keys: &serde_json::Map<String, Json>| {
        keys.iter().map(|(key, value)| (key.into(), from_json(value.clone()))).collect()
    };
    origin.changes.iter().map(|(visit, changes)| (*visit, keys(changes))).collect()
}

/// Sets the changes of the state in a run that has not begun yet.
pub(crate) fn change_state(run: &mut Run, changes: &BTreeMap<VisitId, Map>) {
    for (visit, changes) in changes {
        run.change_state(*visit, changes.clone());
    }
}

/// The first difference between a replay and its record.
fn difference(recording: &Recording, recorded: &[Json]) -> Option<Difference> {
    let mut writer = EventWriter::new(
        recording.system,
        Arc::clone(&recording.charts),
        recording.beside.clone(),
        recording.clock,
    );
    let mut write = |event: Option<&Event>| event.map(|event| writer.event(event));
    (0..recording.events.len().max(recorded.len())).find_map(|event| {
        let found = write(recording.events.get(event));
        let recorded = recorded.get(event);
        let is_same = match (&found, recorded) {
            (Some(found), Some(recorded)) => is_same_event(recorded, found),
            (found, recorded) => found.is_none() && recorded.is_none(),
        };
        (!is_same).then(|| Difference { event, recorded: recorded.cloned(), found })
    })
}

/// The outcome of a run at the end of its record.
pub(crate) fn outcome_of(run: &mut Run, status: &RunStatus, is_cancelled: bool, id: &RunId) -> Outcome {
    match status {
        _ if is_cancelled => cancelled(),
        RunStatus::Ended { .. } => run.drive(|_| true),
        RunStatus::Waiting(_) => waiting(),
        RunStatus::Running | RunStatus::Interrupted => interrupted(id),
    }
}

/// The outcome of a run that waits for people.
pub(crate) fn waiting() -> Outcome {
    Outcome::of(Status::Waiting, Value::Null)
}

/// The outcome of a run that was cancelled.
pub(crate) fn cancelled() -> Outcome {
    let failure = Failure::lasting("Cancelled", "the run was cancelled with `nodewise runs cancel`");
    Outcome::failed(Status::Cancelled, failure)
}

/// The outcome of a run that was interrupted.
pub(crate) fn interrupted(id: &RunId) -> Outcome {
    let message = format!("the run is not finished; resume it with `nodewise resume {id}`");
    Outcome::failed(Status::Cancelled, Failure::new("Interrupted", message))
}
