//! A run again up to where its record ends.
//!
//! Input: the events that are kept, a run at its beginning. Output: the run at the end of them, and what it asked and was never
//! shown. What came from outside decides: questions, answers and decisions. Everything else in a record is what followed from
//! them in the version that wrote it, so it is worked out again and not compared. Invariant: a run that continues has asked what
//! is recorded, or someone accepted the difference.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use anyhow::{Result, bail};
use nodewise_engine::ask::{Answer, Ask, Decision};
use nodewise_engine::event::{AskId, EventKind};
use nodewise_engine::kernel::Step;
use nodewise_engine::outcome::Outcome;
use nodewise_engine::time::Millis;
use nodewise_simulation::render::json;
use nodewise_simulation::run::Run;
use nodewise_simulation::trace::Replay;
use serde_json::Value as Json;

/// The record of a run, ready to be replayed.
#[derive(Debug, Clone)]
pub struct Past {
    replay: Replay,
    questions: BTreeMap<AskId, Recorded>,
    /// How many events follow the last event that came from outside (a question, an answer or a decision).
    tail: usize,
    accepts: bool,
    /// Answers that left the record when the run was reopened, to questions that are still in it.
    pub(super) spare: BTreeMap<AskId, Answer>,
}

/// A recorded question.
#[derive(Debug, Clone)]
pub(super) struct Recorded {
    pub(super) node: String,
    pub(super) kind: String,
    pub(super) question: Json,
}

/// Where a replay ended.
#[derive(Debug)]
pub(super) struct Reached {
    /// Questions without an answer, with the moments at which they were asked.
    pub(super) open: Vec<(AskId, Arc<Ask>, Millis)>,
    /// The outcome with which the run paused, if it waits for a person.
    pub(super) pause: Option<Outcome>,
    /// How many events of the run's log are in the record already.
    pub(super) kept: usize,
}

/// The state of a replay.
#[derive(Default)]
struct ReplayProgress {
    /// Recorded answers that the run has not got yet.
    answers: BTreeMap<AskId, Answer>,
    decisions: VecDeque<Decision>,
    /// Questions without an answer, with the moments at which they were asked.
    open: Vec<(AskId, Arc<Ask>, Millis)>,
    /// The outcome with which the run paused, if it waits for a person.
    pause: Option<Outcome>,
    /// How many recorded questions the run has not asked yet.
    asked: usize,
    answered: usize,
    decided: usize,
    /// How many events of the run's log were compared.
    seen: usize,
    /// How many events at the start of the log are known to be recorded.
    known: usize,
}

impl Past {
    /// Reads recorded events.
    ///
    /// # Errors
    /// Where one of them cannot be read.
    pub fn read(seed: u64, events: &[Json]) -> Result<Past> {
        let replay = Replay::of_events(seed, events)?;
        let questions = events.iter().filter_map(question).collect();
        let tail = events.iter().rev().take_while(|event| !comes_from_outside(event)).count();
        Ok(Past { replay, questions, tail, accepts: false, spare: BTreeMap::new() })
    }

    /// Adds answers that are not in the record any more, to recorded questions that have no answer.
    ///
    /// # Errors
    /// Where one of them cannot be read.
    pub fn with_spare(self, answers: &[Json]) -> Result<Past> {
        let spare = Replay::of_events(self.replay.seed, answers)?.answers;
        Ok(Past { spare, ..self })
    }

    /// Sets whether questions may differ from the recorded ones, as long as they are of the same kind and from the same node.
    #[must_use]
    pub fn accepting(self, accepts: bool) -> Past {
        Past { accepts, ..self }
    }

    /// Replays a run to the end of its record.
    ///
    /// # Errors
    /// Where the run asks something else than what is recorded, or ends before its record.
    pub fn end(&self, mut run: Run) -> Result<Run> {
        self.replay(&mut run)?;
        Ok(run)
    }

    /// Replays a run to the end of its record.
    pub(super) fn replay(&self, run: &mut Run) -> Result<Reached> {
        let mut progress = ReplayProgress::default();
        progress.extend(&self.replay, self.questions.len());
        self.walk(run, &mut progress)?;
        let kept = run.log().len().min(progress.known + self.tail);
        Ok(Reached { open: progress.open, pause: progress.pause, kept })
    }

    /// Continues the replay to the end of the record.
    fn walk(&self, run: &mut Run, progress: &mut ReplayProgress) -> Result<()> {
        progress.pause = None;
        let answers = &mut progress.answers;
        progress.open.retain(|(id, ..)| match answers.remove(id) {
            Some(answer) => {
                run.answer(*id, answer);
                false
            }
            None => true,
        });
        while !progress.is_over() || run.log().len() < progress.known + self.tail {
            let step = run.step();
            let is_new = match step {
                Step::Went => false,
                Step::Asked(id, ask) => {
                    let is_recorded = self.questions.contains_key(&id);
                    match progress.answers.remove(&id) {
                        Some(answer) => run.answer(id, answer),
                        None => progress.open.push((id, ask, run.now())),
                    }
                    !is_recorded
                }
                Step::Paused(outcome) => match progress.decisions.pop_front() {
                    Some(decision) => {
                        run.resume(decision);
                        false
                    }
                    None => {
                        progress.pause = Some(outcome);
                        true
                    }
                },
                Step::Ended(_) | Step::Blocked => true,
            };
            self.look(run, progress)?;
            if is_new {
                break;
            }
        }
        if !progress.is_over() {
            let (asked, answered) = (progress.asked, progress.answered + progress.decided);
            bail!(
                "the run ends before its record: {asked} questions and {answered} answers are left\n  help: {RESTART}"
            );
        }
        Ok(())
    }

    /// Compares the new events of the run with the record.
    fn look(&self, run: &Run, progress: &mut ReplayProgress) -> Result<()> {
        let new = run.log().get(progress.seen..).unwrap_or_default();
        for event in new {
            progress.seen += 1;
            match &event.kind {
                EventKind::Asked { ask, what, .. } => {
                    let Some(recorded) = self.questions.get(ask) else {
                        // After the end of the record, this is a new question.
                        if progress.is_over() {
                            // The record may grow to include it, so it is compared again later.
                            progress.seen -= 1;
                            return Ok(());
                        }
                        bail!(
                            "the run asks a {} for `{}`, which is not recorded\n  help: {RESTART}",
                            what.what.noun(),
                            what.node
                        );
                    };
                    self.compare(*ask, recorded, what)?;
                    progress.asked = progress.asked.saturating_sub(1);
                }
                EventKind::Answered { .. } => progress.answered = progress.answered.saturating_sub(1),
                EventKind::Resumed { .. } => progress.decided = progress.decided.saturating_sub(1),
                _ => continue,
            }
            progress.known = progress.seen;
        }
        Ok(())
    }

    fn compare(&self, id: AskId, recorded: &Recorded, ask: &Ask) -> Result<()> {
        let (node, kind) = (ask.node.as_str(), ask.what.noun());
        if !recorded.is_to(ask) {
            let then = format!("a {} for `{}`", recorded.kind, recorded.node);
            bail!("question {} was to {then}, and is now to a {kind} for `{node}`\n  help: {RESTART}", id.0);
        }
        if self.accepts || recorded.question == json::question(&ask.what) {
            return Ok(());
        }
        let part = differing(&recorded.question, &json::question(&ask.what));
        bail!(
            "question {} to a {kind} for `{node}` differs from the record in {part}\n  help: {ACCEPT}",
            id.0
        )
    }
}

/// A run that is replayed while its record grows.
pub struct GrowingRun {
    run: Run,
    past: Past,
    progress: ReplayProgress,
    /// Recorded questions without an answer. The time that an answer took can only be read together with its question.
    unanswered: BTreeMap<AskId, Json>,
}

impl GrowingRun {
    /// Creates a run at its beginning, with an empty record.
    #[must_use]
    pub fn new(run: Run) -> GrowingRun {
        let replay = Replay { seed: run.facts().seed, ..Replay::default() };
        let past =
            Past { replay, questions: BTreeMap::new(), tail: 0, accepts: true, spare: BTreeMap::new() };
        GrowingRun { run, past, progress: ReplayProgress::default(), unanswered: BTreeMap::new() }
    }

    /// Adds events to the record, and replays the run to its end.
    ///
    /// # Errors
    /// Where an event cannot be read, or the run takes another path than its record.
    pub fn extend(&mut self, events: &[Json]) -> Result<()> {
        let readable: Vec<Json> = self.unanswered.values().chain(events).cloned().collect();
        let replay = Replay::of_events(self.past.replay.seed, &readable)?;
        for event in events {
            let word = event.get("event").and_then(Json::as_str);
            match (word, event.get("ask").and_then(Json::as_u64).and_then(|ask| u32::try_from(ask).ok())) {
                (Some("asked"), Some(ask)) => drop(self.unanswered.insert(AskId(ask), event.clone())),
                (Some("answered"), Some(ask)) => drop(self.unanswered.remove(&AskId(ask))),
                _ => {}
            }
        }
        let questions: Vec<(AskId, Recorded)> = events.iter().filter_map(question).collect();
        self.progress.extend(&replay, questions.len());
        self.past.questions.extend(questions);
        let tail = events.iter().rev().take_while(|event| !comes_from_outside(event)).count();
        self.past.tail = if tail == events.len() { self.past.tail + tail } else { tail };
        self.past.walk(&mut self.run, &mut self.progress)
    }

    #[must_use]
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The run, to drive it further than its record.
    pub fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }
}

impl Recorded {
    /// Whether a question comes from the recorded node and is of the recorded kind.
    pub(super) fn is_to(&self, ask: &Ask) -> bool {
        self.node == ask.node && self.kind == ask.what.noun()
    }
}

impl ReplayProgress {
    /// Adds recorded answers and decisions, and the number of recorded questions.
    fn extend(&mut self, replay: &Replay, questions: usize) {
        self.asked += questions;
        self.answered += replay.answers.len();
        self.decided += replay.decisions.len();
        self.answers.extend(replay.answers.iter().map(|(ask, answer)| (*ask, answer.clone())));
        self.decisions.extend(replay.decisions.iter().cloned());
    }

    /// Whether everything in the record that came from outside has been replayed.
    fn is_over(&self) -> bool {
        self.asked == 0 && self.answered == 0 && self.decided == 0
    }
}

pub(super) fn question(event: &Json) -> Option<(AskId, Recorded)> {
    if event.get("event")?.as_str()? != "asked" {
        return None;
    }
    let text = |key: &str| Some(event.get(key)?.as_str()?.to_owned());
    let id = AskId(u32::try_from(event.get("ask")?.as_u64()?).ok()?);
    let recorded =
        Recorded { node: text("node")?, kind: text("of")?, question: event.get("question")?.clone() };
    Some((id, recorded))
}

fn comes_from_outside(event: &Json) -> bool {
    matches!(event.get("event").and_then(Json::as_str), Some("asked" | "answered" | "resumed"))
}

/// The names of the members in which a question differs from the recorded one.
pub(super) fn differing(recorded: &Json, found: &Json) -> String {
    let (Some(recorded), Some(found)) = (recorded.as_object(), found.as_object()) else {
        return "its content".to_owned();
    };
    let keys = recorded.keys().chain(found.keys().filter(|key| !recorded.contains_key(*key)));
    let parts: Vec<String> =
        keys.filter(|key| recorded.get(*key) != found.get(*key)).map(|key| format!("`{key}`")).collect();
    parts.join(", ")
}

const RESTART: &str =
    "this version of nodewise takes another path than the one that wrote the record; start a new run";
const ACCEPT: &str =
    "this version of nodewise asks in other words; `nodewise resume --accept` keeps the recorded answers";
