//! Many runs at once: each is begun, driven to its end and evaluated.
//!
//! Input: a table, the runs of it that are wanted. Output: the result of each run that came to its end. Invariant: a run that was
//! stopped early leaves nothing in the store, and no result.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Error, Result};
use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::usage::Usage;
use nodewise_project::config::live::Live;
use nodewise_simulation::render::in_words;
use nodewise_simulation::testing::{Mismatch, compare};
use smol_str::format_smolstr;

use super::budget::Budget;
use super::judging::{JudgeModels, JudgeVerdict, input_of, verdict_of};
use super::table::{Cell, EvalCase, Table};
use crate::answering::Unwatched;
use crate::driver::{Observer, RunEnd};
use crate::session::{Finished, RunLocation, RunObservers, RunSetup, Session};
use crate::store::{RunId, Store};
use crate::tools::Notes;

/// The settings for running an eval.
pub struct RunnerOptions<'m> {
    /// The project's folder.
    pub folder: &'m Path,
    /// The configuration for live runs.
    pub live: &'m Live,
    /// How many runs may be under way at once.
    pub jobs: usize,
    /// The most that all runs and judges may cost, in US dollars.
    pub limit_usd: Option<f64>,
    /// Is set when the user stops the eval.
    pub stopped: &'m AtomicBool,
    /// Observes what tools print besides their answers.
    pub notes: Arc<dyn Notes>,
    /// Is called with each result when it is ready.
    pub progress: &'m (dyn Fn(&RunResult) + Sync),
}

#[derive(Debug, Clone)]
pub struct RunResult {
    /// The place in the table and the repetition.
    pub cell: Cell,
    /// The run in the store; `None` if it could not begin.
    pub run: Option<RunId>,
    /// The outcome in words. The error says why the run could not begin.
    pub outcome: Result<String, String>,
    /// The expectations that do not hold.
    pub mismatches: Vec<Mismatch>,
    /// The verdicts of the judges.
    pub verdicts: Vec<JudgeVerdict>,
    /// The usage of the run, without judges.
    pub usage: Usage,
    /// The usage of the judges.
    pub judging: Usage,
    /// How long the run took.
    pub time: Duration,
}

/// The results of the runs that were wanted, as far as they ended.
pub struct EvalResults {
    /// The results, in the order of the table.
    pub results: Vec<RunResult>,
    /// How many runs were wanted.
    pub wanted: usize,
    /// Why some runs did not end; `None` if all did.
    pub stop: Option<Stop>,
    /// Notes for the user about the runs, each once.
    pub notes: Vec<String>,
}

/// Why an eval stopped early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The user stopped it.
    User,
    /// Another run could have exceeded the cost limit.
    Cost,
}

impl RunResult {
    /// Whether the run began, and all expectations and judges pass.
    #[must_use]
    pub fn is_passed(&self) -> bool {
        self.outcome.is_ok()
            && self.mismatches.is_empty()
            && self.verdicts.iter().all(|verdict| verdict.is_passed)
    }
}

/// The tag by which the runs of evals are found in the list of runs.
const TAG: &str = "eval";

/// Runs these places of the table, several at once.
///
/// # Errors
/// Where a judge is not configured, or no run could begin.
pub fn run(table: &Table, cells: &[Cell], options: &RunnerOptions<'_>) -> Result<EvalResults> {
    let judges = JudgeModels::new(table, options.live, options.folder)?;
    let work = Work {
        table,
        options,
        judges: judges.as_ref(),
        budget: Arc::new(Budget::new(options.limit_usd)),
        next: AtomicUsize::new(0),
        over_budget: AtomicBool::new(false),
        results: Mutex::default(),
        notes: Mutex::new(judges.as_ref().map(JudgeModels::notes).unwrap_or_default()),
        error: Mutex::default(),
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, cells.len().max(1)) {
            scope.spawn(|| work.go(cells));
        }
    });
    let mut results = work.results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let error = work.error.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let (Some(error), true) = (error, results.iter().all(|result| result.outcome.is_err())) {
        return Err(error.context("no run of the eval could begin"));
    }
    results.sort_by_key(|result| (result.cell.case, result.cell));
    let mut notes = work.notes.into_inner().unwrap_or_else(PoisonError::into_inner);
    notes.sort();
    notes.dedup();
    let is_complete = results.len() == cells.len();
    let stop = match (is_complete, work.over_budget.load(Ordering::Relaxed)) {
        (true, _) => None,
        (false, true) => Some(Stop::Cost),
        (false, false) => Some(Stop::User),
    };
    Ok(EvalResults { results, wanted: cells.len(), stop, notes })
}

/// The state that the threads of an eval share.
struct Work<'w> {
    table: &'w Table,
    options: &'w RunnerOptions<'w>,
    judges: Option<&'w JudgeModels>,
    budget: Arc<Budget>,
    next: AtomicUsize,
    over_budget: AtomicBool,
    results: Mutex<Vec<RunResult>>,
    notes: Mutex<Vec<String>>,
    error: Mutex<Option<Error>>,
}

impl Work<'_> {
    /// Runs one place after another until none is left, or the eval stops. Each thread does this.
    fn go(&self, cells: &[Cell]) {
        while let Some(cell) = cells.get(self.next.fetch_add(1, Ordering::SeqCst)) {
            if self.options.stopped.load(Ordering::Relaxed) {
                return;
            }
            if !self.budget.begins() {
                self.over_budget.store(true, Ordering::Relaxed);
                return;
            }
            let result = match self.run(*cell) {
                Ok(Some(result)) => result,
                Ok(None) => continue,
                Err(error) => {
                    let result = RunResult::broken(*cell, &error);
                    locked(&self.error).get_or_insert(error);
                    result
                }
            };
            self.budget.ends(result.usage.cost_usd + result.judging.cost_usd);
            (self.options.progress)(&result);
            locked(&self.results).push(result);
        }
    }

    /// Runs one place of the table. Returns `None` if the run was stopped early.
    fn run(&self, cell: Cell) -> Result<Option<RunResult>> {
        let gone = "the table has no such place";
        let prompts = self.table.prompts.get(cell.prompt).context(gone)?;
        let models = self.table.models.get(cell.model).context(gone)?;
        let case = self.table.cases.get(cell.case).context(gone)?;
        let setup = RunSetup {
            snapshot: &prompts.snapshot,
            target: &prompts.target,
            scenario: &case.scenario,
            uses: &case.uses,
            models: models.choice.as_ref(),
            is_scripted: true,
            sources: prompts.sources.clone(),
            name: None,
            tags: vec![TAG.to_owned()],
            pins: &[],
        };
        // A prompt of the table comes before a prompt file of the configuration.
        let mut live = self.options.live.clone();
        live.prompts.retain(|name, _| !prompts.names.contains(name));
        let place =
            RunLocation { folder: self.options.folder, live: &live, notes: Arc::clone(&self.options.notes) };
        let session = Session::begin(&setup, &place)?;
        let id = session.id().clone();
        let mut store = Store::open(self.options.folder)?;
        store.note_eval(&id, &self.table.title)?;
        locked(&self.notes).extend(session.notes().iter().cloned());
        let people = session.scripted_people(&case.scenario);
        let mut observer = Spending {
            budget: Arc::clone(&self.budget),
            stopped: self.options.stopped,
            over: &self.over_budget,
        };
        let company = RunObservers { people, observer: &mut observer, watch: Arc::new(Unwatched) };
        let finished = session.drive(company)?;
        if finished.rest == RunEnd::Interrupted {
            store.remove(&id)?;
            return Ok(None);
        }
        let result = self.evaluated(cell, case, &finished);
        if let RunEnd::Waiting(_) = finished.rest {
            store.end(&id, finished.recording.outcome.status.word(), "waited for a person in an eval")?;
        }
        Ok(Some(result))
    }

    fn evaluated(&self, cell: Cell, case: &EvalCase, finished: &Finished) -> RunResult {
        let recording = &finished.recording;
        let snapshot = self.table.prompts.get(cell.prompt).map(|prompts| &prompts.snapshot);
        let mismatches =
            snapshot.map(|snapshot| compare(snapshot, recording, case.expect.as_ref(), case.head));
        let input = input_of(&case.scenario);
        let mut judging = Usage::default();
        let mut verdicts = Vec::with_capacity(case.judges.len());
        for (number, judge) in (1_u32..).zip(&case.judges) {
            let key = format_smolstr!("{}/judge-{number}", finished.id);
            let (verdict, usage) = verdict_of(judge, recording, &input, key, self.judges);
            self.budget.pay(usage.cost_usd);
            judging += usage;
            verdicts.push(verdict);
        }
        RunResult {
            cell,
            run: Some(finished.id.clone()),
            outcome: Ok(in_words(&recording.outcome)),
            mismatches: mismatches.unwrap_or_default(),
            verdicts,
            usage: recording.spent,
            judging,
            time: Duration::from_millis(recording.time.0),
        }
    }
}

impl RunResult {
    fn broken(cell: Cell, error: &Error) -> RunResult {
        RunResult {
            cell,
            run: None,
            outcome: Err(format!("{error:#}")),
            mismatches: Vec::new(),
            verdicts: Vec::new(),
            usage: Usage::default(),
            judging: Usage::default(),
            time: Duration::ZERO,
        }
    }
}

/// Adds the cost of a run to the budget while it runs, and stops the run at the limit.
struct Spending<'s> {
    budget: Arc<Budget>,
    stopped: &'s AtomicBool,
    over: &'s AtomicBool,
}

impl Observer for Spending<'_> {
    fn happened(&mut self, events: &[Event]) {
        for event in events {
            if let EventKind::Answered { answer, .. } = &event.kind {
                self.budget.pay(answer.usage.cost_usd);
            }
        }
    }

    fn is_stopped(&self) -> bool {
        let is_over = self.budget.is_over();
        if is_over {
            self.over.store(true, Ordering::Relaxed);
        }
        is_over || self.stopped.load(Ordering::Relaxed)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
