//! What happens after a run of AgentOS: another run resumes from a checkpoint, or forks from one.
//!
//! Input: a scenario and its first recording; output: a recording for each run. Invariant: a phase that names a checkpoint
//! that does not exist is a fault that lists those that do.

use nodewise_engine::systems::agentos::Opening;
use nodewise_engine::systems::agentos::checkpoint::{Checkpoint, CheckpointStore};
use nodewise_engine::time::Millis;
use nodewise_expr::value::{Map, Value};
use nodewise_model::scenario::Phase;
use smol_str::{SmolStr, format_smolstr};

use super::{SYSTEM, keep, resumed, store};
use crate::inputs::RunInputs;
use crate::phases::{RUN, put_over};
use crate::recording::Recording;
use crate::run::Run;
use crate::target::TargetError;

/// The phases of an AgentOS graph.
pub(super) struct PhaseRuns<'s> {
    inputs: RunInputs<'s>,
    store: CheckpointStore,
    /// The ids of the runs so far.
    runs: Vec<SmolStr>,
    clock: Millis,
}

impl<'s> PhaseRuns<'s> {
    pub(super) fn new(inputs: RunInputs<'s>) -> PhaseRuns<'s> {
        let store = store(&inputs);
        let runs = vec![Opening::default().run];
        PhaseRuns { inputs, store, runs, clock: Millis::ZERO }
    }

    pub(super) fn recordings(
        mut self,
        first: Recording,
        look: &mut dyn FnMut(&Run) -> bool,
    ) -> Result<Vec<Recording>, TargetError> {
        self.note(&first)?;
        let mut recordings = vec![first];
        for phase in &self.inputs.scenario.phases {
            let checkpoint = self.checkpoint(phase)?;
            let mut scenario = self.inputs.scenario.clone();
            put_over(&mut scenario.answers, phase);
            let opening = Opening {
                run: checkpoint.run.clone(),
                clock: self.clock,
                checkpoints: self.last_number(),
                ..Opening::default()
            };
            let inputs = RunInputs { scenario: &scenario, ..self.inputs };
            let prepared = resumed(&inputs, &checkpoint, opening).ok_or_else(gone)?;
            let mut run = prepared.run(SYSTEM, &scenario);
            let outcome = run.drive(&mut *look);
            let recording = run.recording(outcome);
            self.note(&recording)?;
            recordings.push(recording);
        }
        Ok(recordings)
    }

    /// Keeps what a run saved, and advances the clock.
    fn note(&mut self, recording: &Recording) -> Result<(), TargetError> {
        let (store, log) = (&mut self.store, &recording.events);
        keep(&self.inputs, store, log).ok_or_else(gone)?;
        self.clock = self.clock + recording.time;
        Ok(())
    }

    /// The checkpoint from which a phase resumes.
    fn checkpoint(&mut self, phase: &Phase) -> Result<Checkpoint, TargetError> {
        if let Some(name) = &phase.fork {
            let source = self.named(&name.value)?.clone();
            let patch = match &phase.patch {
                Some(Value::Map(patch)) => patch.as_ref().clone(),
                _ => Map::new(),
            };
            let run = format_smolstr!("run{}", self.runs.len() + 1);
            self.runs.push(run.clone());
            // The release looks for the latest checkpoint: a fork comes after what it is made of.
            self.clock = self.clock + Millis(1);
            let number = self.last_number().saturating_add(1);
            return Ok(self.store.fork(&source, &patch, run, number, self.clock));
        }
        let name = phase.resume.as_ref().map_or(RUN, |resume| resume.value.as_str());
        let last = self.runs.last().map_or("", SmolStr::as_str);
        let found = match (name, name.strip_prefix("node:")) {
            (RUN, _) => self.store.latest(last),
            (_, Some(node)) => self.store.at_node(last, node),
            _ => return self.named(name).cloned(),
        };
        found.cloned().ok_or_else(|| self.missing(name))
    }

    fn named(&self, name: &str) -> Result<&Checkpoint, TargetError> {
        let number = name.strip_prefix("cp").and_then(|number| number.parse::<u32>().ok());
        let found = self.store.all().iter().find(|checkpoint| Some(checkpoint.number) == number);
        found.ok_or_else(|| self.missing(name))
    }

    fn missing(&self, name: &str) -> TargetError {
        let saved = match self.last_number() {
            0 => "no checkpoint was saved".to_owned(),
            1 => "only cp1 was saved".to_owned(),
            last => format!("cp1 to cp{last} were saved"),
        };
        TargetError::new(format!("there is no checkpoint `{name}`: {saved}"))
    }

    fn last_number(&self) -> u32 {
        self.store.all().iter().map(|checkpoint| checkpoint.number).max().unwrap_or_default()
    }
}

fn gone() -> TargetError {
    TargetError::new("the graph of this run is no longer declared".to_owned())
}
