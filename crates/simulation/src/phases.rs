//! What happens after a run: it goes on where it waits, goes on from a checkpoint, or another run forks from one.
//!
//! Input: a scenario with all that it uses; output: the recording of the run, and one for each phase. Invariant: a phase
//! that names what is not there is a fault that says what there is, and so is one that its system does not have.

use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::outcome::Status;
use nodewise_engine::systems::agentos::Opening;
use nodewise_engine::systems::agentos::checkpoint::{Checkpoint, Store};
use nodewise_engine::time::Millis;
use nodewise_expr::value::{Map, Value};
use nodewise_model::scenario::{AnswerPart, Answers, Phase, Scenario, Subject};
use smol_str::{SmolStr, format_smolstr};

use crate::prepare::{keep, prepare, resumed, store};
use crate::recording::Recording;
use crate::run::Run;
use crate::script::scripting;
use crate::system::System;
use crate::target::{Fault, Target};

/// The word for going on where the last run stopped.
const RUN: &str = "run";

/// Runs a scenario and its phases. `look` sees each run now and then, and says whether it shall go on.
///
/// # Errors
/// Where the run cannot be prepared, or a phase names what is not there.
pub fn recordings(
    snapshot: &Snapshot,
    target: &Target,
    scenario: &Scenario,
    look: &mut dyn FnMut(&Run) -> bool,
) -> Result<Vec<Recording>, Fault> {
    let mut run = prepare(snapshot, target, scenario)?;
    let outcome = run.drive(&mut *look);
    if scenario.phases.is_empty() {
        return Ok(vec![run.recording(outcome)]);
    }
    match run.facts().system {
        System::AgentOs => Sequel::new(snapshot, target, scenario).recordings(run.recording(outcome), look),
        _ => go_on(run, scenario, look),
    }
}

/// The phases of a run that waits for people.
fn go_on(
    mut run: Run,
    scenario: &Scenario,
    look: &mut dyn FnMut(&Run) -> bool,
) -> Result<Vec<Recording>, Fault> {
    let mut recordings = Vec::new();
    for phase in &scenario.phases {
        let outcome = run.drive(&mut *look);
        let is_plain = phase.fork.is_none() && phase.resume.as_ref().is_none_or(|resume| resume.value == RUN);
        if !is_plain {
            return Err(Fault::new(format!(
                "runs of {} save no checkpoints; write `resume: {RUN}` to resume the run",
                run.facts().system.dialect().title
            )));
        }
        if outcome.status != Status::Waiting {
            return Err(Fault::new(format!("the run is {} and cannot be resumed", outcome.status.word())));
        }
        recordings.push(run.clone().recording(outcome));
        let answers = Answers { parts: phase.nodes.clone(), ..Answers::default() };
        let charts = run.facts().charts.clone();
        run.take_answers(scripting(&answers, &charts));
    }
    let outcome = run.drive(&mut *look);
    recordings.push(run.recording(outcome));
    Ok(recordings)
}

/// The phases of an AgentOS graph.
struct Sequel<'s> {
    snapshot: &'s Snapshot,
    target: &'s Target,
    scenario: &'s Scenario,
    store: Store,
    /// The ids of the runs so far.
    runs: Vec<SmolStr>,
    clock: Millis,
}

impl<'s> Sequel<'s> {
    fn new(snapshot: &'s Snapshot, target: &'s Target, scenario: &'s Scenario) -> Sequel<'s> {
        let store = store(snapshot, target, scenario);
        let runs = vec![Opening::default().run];
        Sequel { snapshot, target, scenario, store, runs, clock: Millis::ZERO }
    }

    fn recordings(
        mut self,
        first: Recording,
        look: &mut dyn FnMut(&Run) -> bool,
    ) -> Result<Vec<Recording>, Fault> {
        self.note(&first)?;
        let mut recordings = vec![first];
        for phase in &self.scenario.phases {
            let checkpoint = self.checkpoint(phase)?;
            let mut scenario = self.scenario.clone();
            put_over(&mut scenario.answers, phase);
            let opening = Opening {
                run: checkpoint.run.clone(),
                clock: self.clock,
                checkpoints: self.last_number(),
                ..Opening::default()
            };
            let run = resumed(self.snapshot, self.target, &scenario, &checkpoint, opening);
            let mut run = run.ok_or_else(gone)?;
            let outcome = run.drive(&mut *look);
            let recording = run.recording(outcome);
            self.note(&recording)?;
            recordings.push(recording);
        }
        Ok(recordings)
    }

    /// Keeps what a run saved, and goes on in time.
    fn note(&mut self, recording: &Recording) -> Result<(), Fault> {
        let (store, log) = (&mut self.store, &recording.events);
        keep(self.snapshot, self.target, self.scenario, store, log).ok_or_else(gone)?;
        self.clock = self.clock + recording.time;
        Ok(())
    }

    /// The checkpoint that a phase goes on from.
    fn checkpoint(&mut self, phase: &Phase) -> Result<Checkpoint, Fault> {
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

    fn named(&self, name: &str) -> Result<&Checkpoint, Fault> {
        let number = name.strip_prefix("cp").and_then(|number| number.parse::<u32>().ok());
        let found = self.store.all().iter().find(|checkpoint| Some(checkpoint.number) == number);
        found.ok_or_else(|| self.missing(name))
    }

    fn missing(&self, name: &str) -> Fault {
        let saved = match self.last_number() {
            0 => "no checkpoint was saved".to_owned(),
            1 => "only cp1 was saved".to_owned(),
            last => format!("cp1 to cp{last} were saved"),
        };
        Fault::new(format!("there is no checkpoint `{name}`: {saved}"))
    }

    fn last_number(&self) -> u32 {
        self.store.all().iter().map(|checkpoint| checkpoint.number).max().unwrap_or_default()
    }
}

fn gone() -> Fault {
    Fault::new("the graph of this run is no longer declared".to_owned())
}

/// Puts the answers of a phase in the place of those of the script.
fn put_over(answers: &mut Answers, phase: &Phase) {
    let name = |part: &AnswerPart| {
        (
            part.name.as_ref().map(|name| name.value.clone()),
            part.graph.as_ref().map(|graph| graph.value.clone()),
        )
    };
    let is_replaced = |part: &AnswerPart| {
        part.subject == Subject::Node && phase.nodes.iter().any(|own| name(own) == name(part))
    };
    answers.parts.retain(|part| !is_replaced(part));
    answers.parts.extend(phase.nodes.iter().cloned());
}
