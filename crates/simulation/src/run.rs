//! A run of whatever system, with its answers: stepped, answered from a script or by others, recorded.
//!
//! Input: a run of the engine, a script; output: steps, and a recording in the end. Invariant: a copy continues like the
//! original would, and the same run driven twice leaves the same recording.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_engine::ask::{Answer, Ask, Decision};
use nodewise_engine::event::{AskId, Event, EventKind, ScopeId, VisitId};
use nodewise_engine::kernel::Step;
use nodewise_engine::outcome::{Failure, Outcome, SCRIPT_EXHAUSTED, Status};
use nodewise_engine::provider::Provider;
use nodewise_engine::running::Running;
use nodewise_engine::script::{ScriptPart, Scripted};
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_expr::value::{Map, Value};
use nodewise_model::Origin;
use nodewise_platform::sorting::Sorting;
use smol_str::SmolStr;

use crate::chart::Charts;
use crate::recording::{Recording, priced, used};
use crate::script::Scripting;
use crate::system::RunnableSystem;
use crate::trace::Replay;

/// A run together with the script that answers its questions.
pub struct Run {
    running: Box<dyn Running>,
    provider: Scripted,
    people: People,
    recorded: Replay,
    facts: Arc<Facts>,
    /// The first visit, if the run ends after it.
    alone: Option<FirstVisit>,
}

/// What is known of a run before it begins.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The system whose graph runs.
    pub system: RunnableSystem,
    /// What runs, in words.
    pub title: String,
    pub seed: u64,
    /// The graphs that it can visit.
    pub charts: Arc<Charts>,
    /// What conditions can read besides the state.
    pub beside: Map,
    /// The time that conditions read when it begins, in seconds.
    pub clock: f64,
    /// Remarks about the run that are not in its log.
    pub notes: Vec<String>,
    /// The places of the answers in the script, for each of its parts.
    pub origins: BTreeMap<ScriptPart, Vec<Origin>>,
    /// Whether it ends after its first visit.
    pub is_alone: bool,
}

/// What people decide at nodes where the run waits.
#[derive(Debug, Clone, Default)]
struct People {
    at_nodes: BTreeMap<SmolStr, Vec<Decision>>,
    taken: BTreeMap<SmolStr, usize>,
}

/// Follows the first visit of a run in its log.
#[derive(Debug, Clone, Default)]
pub struct FirstVisit {
    visit: Option<(VisitId, ScopeId)>,
    /// Its outcome, once it ended.
    pub outcome: Option<Outcome>,
    /// Whether the run waits for a person to decide about the visit.
    is_waiting: bool,
    /// Its outcome, if it ended before the decision. It becomes valid with the decision.
    undecided: Option<Outcome>,
    /// The node of the next visit in the same run of the graph.
    next: Option<SmolStr>,
    /// How many events of the log belong to the visit.
    pub seen: usize,
    is_over: bool,
}

/// The number of steps between two calls of `look`.
const STEPS_BETWEEN_LOOKS: u32 = 4096;

impl Facts {
    /// The recording of a log, and of how the run ended.
    #[must_use]
    pub(crate) fn recording(&self, events: Vec<Event>, outcome: Outcome) -> Recording {
        Recording {
            system: self.system,
            title: self.title.clone(),
            seed: self.seed,
            charts: Arc::clone(&self.charts),
            beside: self.beside.clone(),
            clock: self.clock,
            notes: self.notes.clone(),
            next: None,
            spent: used(&events),
            time: events.last().map_or(Millis::ZERO, |event| event.at),
            events,
            outcome,
        }
    }
}

impl Run {
    /// A run of the engine that a script answers.
    #[must_use]
    pub fn new(running: Box<dyn Running>, scripting: Scripting, facts: Facts) -> Run {
        let people = People { at_nodes: scripting.at_nodes, taken: BTreeMap::new() };
        let provider = Scripted::seeded(Arc::new(scripting.script), facts.seed);
        let facts = Arc::new(Facts { origins: scripting.origins, ..facts });
        let alone = facts.is_alone.then(FirstVisit::default);
        Run { running, provider, people, recorded: Replay::default(), facts, alone }
    }

    /// Makes recorded answers and decisions come before those of the script.
    pub fn recall(&mut self, recorded: Replay) {
        self.recorded = recorded;
    }

    /// What was known of the run before it began.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Does one step. The caller must answer what it asks.
    pub fn step(&mut self) -> Step {
        self.running.step()
    }

    /// When the next step is due. `None` if the run waits only for answers.
    pub fn due(&mut self) -> Option<Millis> {
        self.running.due()
    }

    /// Whether a node still waits for the answer to a question.
    #[must_use]
    pub fn awaits(&self, ask: AskId) -> bool {
        self.running.awaits(ask)
    }

    /// Whether the next step repeats a question that is already in the log.
    #[must_use]
    pub fn is_asking(&self) -> bool {
        self.running.is_asking()
    }

    /// Gives an answer.
    pub fn answer(&mut self, ask: AskId, answer: Answer) {
        self.running.answer(ask, answer);
    }

    /// The recorded answer to a question, or else the script's answer.
    pub fn scripted(&mut self, id: AskId, ask: &Ask) -> Answer {
        match self.recorded.answers.remove(&id) {
            Some(answer) => {
                self.provider.pass_over(id, ask);
                answer
            }
            None => self.provider.answer(id, ask),
        }
    }

    /// How many answers were made up, because the script has none.
    #[must_use]
    pub fn made_up(&self) -> usize {
        self.provider.made_up()
    }

    /// The recorded decision, or else the script's decision, for what the run waits for now.
    pub fn decided(&mut self, question: &Value) -> Option<Decision> {
        let node = self.waiting_node();
        let scripted =
            node.and_then(|node| self.people.next(&node)).or_else(|| self.provider.decide(question));
        match self.recorded.decisions.is_empty() {
            true => scripted,
            false => Some(self.recorded.decisions.remove(0)),
        }
    }

    /// Continues a paused run with a decision.
    pub fn resume(&mut self, decision: Decision) {
        self.running.resume(decision);
    }

    /// Changes keys of the state when a visit begins; the visit must not have begun yet.
    pub fn change_state(&mut self, visit: VisitId, changes: Map) {
        self.running.change_state(visit, changes);
    }

    /// Ends the run from outside.
    pub fn cancel(&mut self) {
        self.running.cancel();
    }

    /// What happened so far.
    #[must_use]
    pub fn log(&self) -> &[Event] {
        self.running.log()
    }

    /// Replaces the scripted answers for some nodes from now on.
    pub(crate) fn take_answers(&mut self, scripting: Scripting) {
        for (node, decisions) in scripting.at_nodes {
            self.people.taken.remove(&node);
            self.people.at_nodes.insert(node, decisions);
        }
        self.provider.replace(scripting.script.parts);
    }

    /// The virtual time.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.running.now()
    }

    /// What was used so far.
    #[must_use]
    pub fn spent(&self) -> Usage {
        self.running.spent()
    }

    /// The same run with another seed for all random choices. The run must not have begun.
    #[must_use]
    pub fn reseeded(&self, seed: u64) -> Run {
        let mut run = self.clone();
        run.running.reseed(seed);
        run.provider = self.provider.again(seed);
        run
    }

    /// The run of the engine, without the script.
    #[must_use]
    pub fn into_running(self) -> Box<dyn Running> {
        self.running
    }

    /// The run of the engine, for a caller that answers its questions.
    pub fn running(&mut self) -> &mut dyn Running {
        self.running.as_mut()
    }

    /// Does one step with the answers of the script. Returns `false` if the run has ended, or waits for something that no
    /// one decides.
    pub fn advance(&mut self) -> bool {
        match self.running.step() {
            Step::Went => true,
            Step::Asked(id, ask) => {
                let answer = self.scripted(id, &ask);
                self.running.answer(id, answer);
                true
            }
            Step::Paused(outcome) => match self.decided(&outcome.output) {
                Some(decision) => {
                    self.running.resume(decision);
                    true
                }
                None => false,
            },
            Step::Ended(_) | Step::Blocked => false,
        }
    }

    /// Drives the run until it ends, or waits for something that no one decides. `look` sees the run from time to time; if
    /// it returns `false`, the run is cancelled. A run of one node ends with the result of its first visit. Events up to
    /// the next visit still belong to it, because they show where it leads.
    pub fn drive(&mut self, mut look: impl FnMut(&Run) -> bool) -> Outcome {
        let mut steps = 0;
        loop {
            steps += 1;
            if steps % STEPS_BETWEEN_LOOKS == 0 && !look(self) {
                self.running.cancel();
            }
            let continues = self.advance();
            let log = self.running.log();
            let visit = self.alone.as_mut();
            let is_over = visit.is_some_and(|visit| visit.read(log.get(visit.seen..).unwrap_or_default()));
            if is_over || !continues {
                let outcome = self.alone.as_mut().and_then(|visit| visit.outcome.take());
                return outcome.unwrap_or_else(|| self.rest());
            }
        }
    }

    /// The outcome of a run that has ended or waits.
    pub(crate) fn rest(&mut self) -> Outcome {
        match self.running.step() {
            Step::Paused(outcome) | Step::Ended(outcome) => outcome,
            Step::Went | Step::Asked(..) | Step::Blocked => {
                let failure = Failure::lasting("Stalled", "the run neither ends nor waits for anything");
                Outcome::failed(Status::Hung, failure)
            }
        }
    }

    /// The places of the script's answers that were never used.
    #[must_use]
    pub fn unused(&self) -> Vec<Origin> {
        let mut unused = self.provider.unused();
        // `People` takes decisions for nodes where the run waits, so the provider does not know that these were used.
        unused
            .retain(|(part, _)| part.node.as_ref().is_none_or(|node| !self.people.taken.contains_key(node)));
        let place =
            |(part, position): (ScriptPart, usize)| self.facts.origins.get(&part)?.get(position).copied();
        let mut places: Vec<Origin> = unused.into_iter().filter_map(place).collect();
        places.arrange_by_key(|origin| origin.reading_order());
        places.dedup();
        places
    }

    /// Who was asked more often than the script has answers, each with the place of its last answer.
    #[must_use]
    pub fn exhausted(&self) -> Vec<(String, Origin)> {
        let mut asked: BTreeMap<AskId, &Ask> = BTreeMap::new();
        let mut found: Vec<(String, Origin)> = Vec::new();
        for event in self.running.log() {
            match &event.kind {
                EventKind::Asked { ask, what, .. } => drop(asked.insert(*ask, what.as_ref())),
                EventKind::Answered { ask, answer } => {
                    let Some(what) = asked.remove(ask) else { continue };
                    let is_exhausted =
                        answer.result.as_ref().is_err_and(|failure| failure.class == SCRIPT_EXHAUSTED);
                    let part = self.provider.part_of(what).filter(|_| is_exhausted);
                    let last = part.and_then(|part| Some((part, self.facts.origins.get(part)?.last()?)));
                    found.extend(last.map(|(part, place)| (who(part), *place)));
                }
                _ => {}
            }
        }
        found.arrange_by_key(|(_, place)| place.reading_order());
        found.dedup();
        found
    }

    /// The recording of the run. Takes the log out of the run.
    #[must_use]
    pub fn recording(&mut self, outcome: Outcome) -> Recording {
        let facts = &self.facts;
        let mut recording = Recording {
            system: facts.system,
            title: facts.title.clone(),
            seed: facts.seed,
            charts: Arc::clone(&facts.charts),
            beside: facts.beside.clone(),
            clock: facts.clock,
            notes: facts.notes.clone(),
            next: None,
            spent: priced(self.running.spent(), self.running.log()),
            time: self.running.now(),
            events: self.running.take_log(),
            outcome,
        };
        if let Some(mut visit) = self.alone.clone() {
            // The caller may have driven the run step by step, without `drive`.
            visit.read(recording.events.get(visit.seen..).unwrap_or_default());
            recording.cut(visit.seen);
            recording.next = visit.next;
        }
        recording
    }

    /// The node at which the run waits.
    fn waiting_node(&self) -> Option<SmolStr> {
        let visit = self.running.log().iter().rev().find_map(|event| match &event.kind {
            EventKind::Paused { visit, .. } => Some(*visit),
            _ => None,
        })?;
        self.running.log().iter().rev().find_map(|event| match &event.kind {
            EventKind::VisitStarted { visit: begun, node, .. } if *begun == visit => Some(node.clone()),
            _ => None,
        })
    }
}

/// Names who is answered for by a part of a script.
fn who(part: &ScriptPart) -> String {
    match (&part.name, &part.node) {
        (Some(name), _) => format!("{} `{name}`", part.kind.noun()),
        (None, Some(node)) => format!("node `{node}`"),
        (None, None) => format!("any {}", part.kind.noun()),
    }
}

impl Clone for Run {
    fn clone(&self) -> Run {
        Run {
            running: self.running.copied(),
            provider: self.provider.clone(),
            people: self.people.clone(),
            recorded: self.recorded.clone(),
            facts: Arc::clone(&self.facts),
            alone: self.alone.clone(),
        }
    }
}

impl FirstVisit {
    /// Reads new events. Returns whether the visit is complete, because the next event belongs to another node.
    pub fn read(&mut self, new: &[Event]) -> bool {
        for event in new {
            if self.is_over {
                break;
            }
            match &event.kind {
                EventKind::VisitStarted { scope, node, .. } if self.outcome.is_some() => {
                    self.is_over = true;
                    self.next = self.visit.is_some_and(|(_, own)| own == *scope).then(|| node.clone());
                    break;
                }
                EventKind::VisitStarted { visit, scope, .. } if self.visit.is_none() => {
                    self.visit = Some((*visit, *scope));
                }
                EventKind::VisitEnded { visit, result } if self.is_its(*visit) => {
                    self.outcome = Some(match result {
                        Ok(output) => Outcome::of(Status::Completed, output.clone()),
                        Err(failure) => Outcome::failed(Status::Failed, failure.clone()),
                    });
                    self.set_aside();
                }
                EventKind::Paused { visit, .. } if self.is_its(*visit) => {
                    self.is_waiting = true;
                    self.set_aside();
                }
                EventKind::Resumed { .. } if self.is_waiting => {
                    self.is_waiting = false;
                    self.outcome = self.undecided.take();
                }
                _ => {}
            }
            self.seen += 1;
        }
        self.is_over
    }

    /// Holds the outcome back: some systems end a visit before the decision about it.
    fn set_aside(&mut self) {
        if self.is_waiting && self.outcome.is_some() {
            self.undecided = self.outcome.take();
        }
    }

    fn is_its(&self, visit: VisitId) -> bool {
        self.visit.is_some_and(|(own, _)| own == visit)
    }
}

impl People {
    fn next(&mut self, node: &str) -> Option<Decision> {
        let decisions = self.at_nodes.get(node)?;
        let taken = self.taken.entry(SmolStr::new(node)).or_default();
        let decision = decisions.get(*taken).cloned();
        *taken += usize::from(decision.is_some());
        decision
    }
}
