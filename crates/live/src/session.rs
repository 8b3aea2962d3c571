//! A live run from its beginning, or from where its record ends, to its end or pause.
//!
//! Input: what is to run and with what, or a stored run; output: how it ended, in the store and as a recording. Invariant: what a
//! run begins with is masked, written down and read back before it begins, so that a resume and a replay begin with the same.

mod cancellable;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::ask::Ask;
use nodewise_engine::event::AskId;
use nodewise_engine::limits::Limit;
use nodewise_engine::outcome::{Outcome, Status};
use nodewise_engine::time::Millis;
use nodewise_expr::json::{from_json, to_json};
use nodewise_expr::value::Value;
use nodewise_model::scenario::{ModelChoice, RunLimits, Scenario};
use nodewise_project::config::live::{Live, TelemetryConfig as TelemetrySettings};
use nodewise_simulation::recording::Recording;
use nodewise_simulation::render::json::EventWriter;
use nodewise_simulation::render::summary;
use nodewise_simulation::run::Run;
use nodewise_simulation::system::RunnableSystem;
use nodewise_simulation::target::SimulationTarget;
use nodewise_simulation::{RunInputs, prepare, setup};
use serde_json::Value as Json;
use smol_str::SmolStr;
use tokio::runtime::Runtime;
use tracing::info_span;

use crate::answering::{Answering, Watch};
use crate::calls::{CallId, Calls};
use crate::decisions::Webhook;
use crate::driver::{Attempt, Driver, Journal, Observer, Parts, Past, RunEnd, Taken};
use crate::fork::Fork;
use crate::models::Models;
use crate::people::{Matter, People};
use crate::pins::{self, PinnedNode};
use crate::prompts::{self, ReplacedPrompts};
use crate::providers::Providers;
use crate::reopen;
use crate::restore::{self, RestoredRun};
use crate::scripted::{ScriptedAnswers, ScriptedPeople};
use crate::secrets::Secrets;
use crate::store::{Moment, NewRun, OpenQuestion, RunId, RunOrigin, RunStatus, Store, Stored};
use crate::telemetry::{ExportReport, SpanSource, Telemetry};
use crate::tools::Notes;
use crate::wiring::Wiring;
use crate::world::World;

use crate::systems;
use cancellable::Cancellable;

/// The title of the stored scenario with which a run begins.
pub const BEGINNING: &str = "What a live run begins with.";
/// How long a run that has stopped waits for its spans to be sent.
const TIME_FOR_SPANS: Duration = Duration::from_secs(5);

/// What to run, and with what.
pub struct RunSetup<'s> {
    pub snapshot: &'s Snapshot,
    /// The graph or agent that runs.
    pub target: &'s SimulationTarget,
    /// The input of the run, and the setup of the program around it.
    pub scenario: &'s Scenario,
    /// The scripts of the project that the scenario uses.
    pub uses: &'s [String],
    /// The models that are asked instead of those that agents name.
    pub models: Option<&'s ModelChoice>,
    /// Whether the answers that the scenario scripts are used. If not, the world answers everything.
    pub is_scripted: bool,
    /// The files that are stored with the run: paths in the project with their texts.
    pub sources: Vec<(String, Arc<str>)>,
    /// The name that the user gives the run.
    pub name: Option<String>,
    /// Words that the user gives the run, to find it again.
    pub tags: Vec<String>,
    /// Outputs of stored runs that nodes get instead of answers of the world, now and when the run is resumed.
    pub pins: &'s [PinnedNode],
}

/// Where a run happens: the project and its configuration.
pub struct RunLocation<'p> {
    /// The project's folder.
    pub folder: &'p Path,
    /// What is configured.
    pub live: &'p Live,
    /// Observes what tools print besides their answers.
    pub notes: Arc<dyn Notes>,
}

/// Who takes part in a run, and who observes it.
pub struct RunObservers<'c> {
    /// Answers the questions that the run has for people.
    pub people: Arc<dyn People>,
    /// Sees the events of the run, and can stop it.
    pub observer: &'c mut dyn Observer,
    /// Observes what happens between a question and its answer.
    pub watch: Arc<dyn Watch>,
}

/// A run that is about to begin or to continue.
pub struct Session {
    runtime: Runtime,
    store: Store,
    id: RunId,
    calls: Calls,
    run: Run,
    providers: Arc<dyn Answering>,
    past: Past,
    /// Questions whose answers were paid for already, in events that were discarded.
    paid: Vec<Json>,
    away: Millis,
    decisions: Vec<Taken>,
    telemetry: Option<Telemetry>,
    webhook: Option<Webhook>,
    /// The open questions when the run paused last. The webhook is not called again for the same ones.
    asked_before: Option<Json>,
    notes: Vec<String>,
}

/// A run that has stopped, because it ended, waits or was interrupted.
pub struct Finished {
    pub id: RunId,
    /// Why the run stopped.
    pub rest: RunEnd,
    /// The recording of the run up to where it stopped.
    pub recording: Recording,
    /// How many spans were sent; `None` if no collector is configured.
    pub spans: Option<ExportReport>,
    /// Why the webhook could not be called; `None` if it was called or did not have to be.
    pub webhook_fault: Option<String>,
}

/// A new run that takes over the answers of a recorded one.
struct Forked {
    /// The events of the new run up to the point where the two runs part.
    events: Vec<Json>,
    origin: RunOrigin,
    note: String,
}

/// The started world of a run, and the threads on which it runs.
struct Started {
    runtime: Runtime,
    world: World,
}

/// How a stored run continues.
#[derive(Debug, Default)]
pub struct Continuation {
    /// The decisions that were made meanwhile, besides those that the store keeps.
    pub decisions: Vec<Taken>,
    /// Whether recorded answers count even if this version asks in other words.
    pub accepts: bool,
    /// Limits that replace those of the run. A limit that is not set stays as it is.
    pub limits: RunLimits,
}

impl Session {
    /// Starts what a new run needs, and stores what the run begins with.
    ///
    /// # Errors
    /// Where something is not configured, cannot be started, or the run cannot be kept.
    pub fn begin(subject: &RunSetup<'_>, place: &RunLocation<'_>) -> Result<Session> {
        Session::new(subject, None, place)
    }

    /// Begins a run that takes over answers of a recorded run.
    ///
    /// # Errors
    /// Where something is not configured, cannot be started, or the run cannot be kept; where the recorded run cannot be read, or
    /// its state cannot be changed at that step.
    pub fn fork(subject: &RunSetup<'_>, fork: &Fork<'_>, place: &RunLocation<'_>) -> Result<Session> {
        check_alone(&Store::open(place.folder)?, &fork.from.id)?;
        Session::new(subject, Some(fork), place)
    }

    fn new(subject: &RunSetup<'_>, fork: Option<&Fork<'_>>, place: &RunLocation<'_>) -> Result<Session> {
        let RunSetup { snapshot, target, .. } = *subject;
        let system = target.system(snapshot).context("the graph of this run is no longer declared")?;
        let inputs = RunInputs { snapshot, target, scenario: subject.scenario };
        let replaced = prompts::from_files(&inputs, &subject.sources, place.live, place.folder)?;
        let started = Started::new(&inputs, system, place, subject.models)?;
        let mut scenario = subject.scenario.clone();
        let facts = started.world.facts();
        facts.complete(&mut scenario);
        let (mut new, mut run) =
            new_run(subject, &scenario, replaced.as_ref(), &|text| facts.mask_text(text))?;
        let forked = fork.map(|fork| forked(fork, &mut run, &started.world.secrets)).transpose()?;
        new.origin = forked.as_ref().map(|forked| forked.origin.clone());
        let mut store = Store::open(place.folder)?;
        let id = store.begin_with(&new, forked.as_ref().map_or(&[], |forked| &forked.events))?;
        let stored = store.read(&id)?;
        let script = subject.is_scripted.then(|| ScriptedAnswers::of(&subject.scenario.answers, &run));
        let mut session = started.session(place, store, &stored, run, script)?.giving(subject.pins.to_vec());
        if let Some(Forked { note, .. }) = forked {
            session.notes.insert(0, note);
        }
        Ok(session)
    }

    /// Starts what a stored run needs to continue.
    ///
    /// # Errors
    /// Where the run cannot continue, another process drives it, or something that it needs cannot be started.
    pub fn resume(
        mut store: Store,
        stored: &Stored,
        continuation: Continuation,
        place: &RunLocation<'_>,
    ) -> Result<Session> {
        check_alone(&store, &stored.id)?;
        let opened = reopened(&mut store, stored, &continuation.limits)?;
        let stored = opened.as_ref().unwrap_or(stored);
        store.take(&stored.id)?;
        let again = RestoredRun::of(stored)?;
        let run = again.run()?;
        let inputs = again.inputs();
        let started = Started::new(&inputs, run.facts().system, place, None)?;
        let (pins, gone) = pins::of_run(&store, &stored.new.pins);
        let mut session = started.session(place, store, stored, run, None)?.giving(pins);
        session.notes.extend(gone);
        session.away = away(stored);
        session.asked_before = stored.status.question().cloned();
        let kept = stored.pending.iter().map(Taken::of_stored);
        session.decisions = kept.chain(continuation.decisions).collect();
        session.past = session.past.accepting(continuation.accepts);
        Ok(session)
    }

    #[must_use]
    pub fn id(&self) -> &RunId {
        &self.id
    }

    fn giving(mut self, pins: Vec<PinnedNode>) -> Session {
        if !pins.is_empty() {
            self.providers = Arc::new(pins::before(pins, self.providers));
        }
        self
    }

    /// The run, before its first step.
    #[must_use]
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// People who decide as a scenario scripts it, and leave everything else open.
    #[must_use]
    pub fn scripted_people(&self, scenario: &Scenario) -> Arc<dyn People> {
        Arc::new(ScriptedPeople::of(&scenario.answers, &self.run))
    }

    /// Notes that a user should read before the run continues.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Drives the run until it ends, waits or is stopped, and stores how it stopped.
    ///
    /// # Errors
    /// Where the run cannot be stored, or takes another path than its record.
    pub fn drive(self, company: RunObservers<'_>) -> Result<Finished> {
        let _entered = info_span!("run", id = %self.id).entered();
        let Session {
            runtime,
            mut store,
            id,
            calls,
            run,
            providers,
            past,
            paid,
            away,
            decisions,
            mut telemetry,
            webhook,
            asked_before,
            ..
        } = self;
        let request = store.cancel_request(&id);
        let mut observer = Cancellable::new(company.observer, request.clone());
        let mut journal = StoreJournal { store: &mut store, calls, paid, telemetry: telemetry.as_mut() };
        let parts = Parts {
            runtime: runtime.handle().clone(),
            answering: providers,
            people: company.people,
            journal: &mut journal,
            observer: &mut observer,
            watch: company.watch,
        };
        let mut driver = Driver::new(run, parts);
        driver.resume(&past, away, decisions)?;
        let rest = match driver.drive()? {
            RunEnd::Interrupted if request.is_made() => RunEnd::Cancelled,
            rest => rest,
        };
        let recording = driver.recording(outcome_of(&rest, &id));
        drop(driver);
        let mut webhook_fault = None;
        match &rest {
            RunEnd::Ended(outcome) => store.end(&id, outcome.status.word(), &summary(&recording))?,
            RunEnd::Waiting(matters) => {
                let questions = Matter::all_stored(matters, recording.events.len());
                store.pause(&id, &questions)?;
                if let Some(webhook) = webhook.filter(|_| asked_before.as_ref() != Some(&questions)) {
                    let open = OpenQuestion::all(&RunStatus::Waiting(questions));
                    let sent = runtime.block_on(webhook.notify(&id, &recording.title, &open));
                    webhook_fault = sent.err().map(|error| format!("{error:#}"));
                }
            }
            RunEnd::Interrupted => store.let_go(&id),
            RunEnd::Cancelled => store.end_cancelled(&id)?,
        }
        if let (Some(telemetry), RunEnd::Ended(outcome)) = (&mut telemetry, &rest) {
            telemetry.end(outcome, Moment::now());
        }
        let spans = telemetry.map(|telemetry| telemetry.finish(TIME_FOR_SPANS));
        Ok(Finished { id, rest, recording, spans, webhook_fault })
    }
}

/// What a new run begins with, as a local store or an engine keeps it, and the prepared run. Secrets are masked first, so that
/// the run itself is prepared from the masked text.
///
/// # Errors
/// Where the run cannot be prepared.
pub fn new_run(
    subject: &RunSetup<'_>,
    scenario: &Scenario,
    replaced: Option<&ReplacedPrompts>,
    mask: &dyn Fn(&str) -> String,
) -> Result<(NewRun, Run)> {
    let RunSetup { snapshot, target, uses, .. } = *subject;
    let text = mask(&setup::text(snapshot, target, scenario, BEGINNING, uses));
    let (snapshot, sources) =
        replaced.map_or((snapshot, &subject.sources), |replaced| (&replaced.snapshot, &replaced.sources));
    let (target, scenario) = setup::read(snapshot, &text)?;
    let run = prepare(snapshot, &target, &scenario)?;
    let facts = run.facts();
    let new = NewRun {
        system: facts.system.dialect().id.to_owned(),
        title: facts.title.clone(),
        scenario: text,
        seed: facts.seed,
        sources: sources.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        origin: None,
        pins: subject.pins.iter().map(|output| output.pin().clone()).collect(),
        name: subject.name.clone(),
        tags: subject.tags.clone(),
    };
    Ok((new, run))
}

impl Started {
    fn new(
        inputs: &RunInputs<'_>,
        system: RunnableSystem,
        place: &RunLocation<'_>,
        models: Option<&ModelChoice>,
    ) -> Result<Started> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .thread_name("nodewise-live")
            .build()
            .context("cannot start the threads of the run")?;
        let mut wiring = systems::configured_wiring(inputs, system, place.live);
        if let Some(models) = models {
            wiring.choose(models);
        }
        let starting = World::start(place.live, place.folder, wiring, Arc::clone(&place.notes));
        let world = runtime.block_on(starting)?;
        Ok(Started { runtime, world })
    }

    fn session(
        self,
        place: &RunLocation<'_>,
        store: Store,
        stored: &Stored,
        run: Run,
        script: Option<ScriptedAnswers>,
    ) -> Result<Session> {
        let Started { runtime, world: World { tools, wiring, secrets } } = self;
        let telemetry = match &place.live.telemetry {
            Some(settings) => Some(spans(settings, stored, place.live, &wiring, &secrets)?),
            None => None,
        };
        let is_scripted = |tool: &SmolStr| script.as_ref().is_some_and(|script| script.has_tool(tool));
        let offered = tools.offered_beside(&is_scripted);
        let webhook = Webhook::of(place.live, place.folder, &secrets)?;
        let models = Models::new(place.live, &wiring, offered, Arc::clone(&secrets))?;
        let mut notes = models.notes();
        let unwired = tools.unwired().into_iter().filter(|tool| !is_scripted(tool));
        notes.extend(unwired.map(|tool| {
            format!(
                "no function or server is set for the tool `{tool}`, so its calls fail; set one under \
                 [live.tools] in nodewise.toml"
            )
        }));
        Ok(Session {
            runtime,
            store,
            id: stored.id.clone(),
            calls: Calls::of(stored),
            run,
            providers: match script {
                Some(script) => Arc::new(script.before(Arc::new(Providers::new(models, tools, secrets)))),
                None => Arc::new(Providers::new(models, tools, secrets)),
            },
            past: Past::read(stored.new.seed, &stored.events())?.with_spare(&stored.spare)?,
            paid: stored.spare.iter().filter_map(|answer| answer.get("ask").cloned()).collect(),
            away: Millis::ZERO,
            decisions: Vec::new(),
            telemetry,
            webhook,
            asked_before: None,
            notes,
        })
    }
}

/// Refuses a run that belongs to an eval. If it continued alone, it would call what its case scripts.
///
/// # Errors
/// Where the run belongs to an eval, or the store cannot be read.
pub fn check_alone(store: &Store, run: &RunId) -> Result<()> {
    match store.eval_of(run)? {
        Some(eval) => bail!(
            "the run {run} belongs to the eval {eval:?}, and does not continue alone\n  help: run `nodewise eval` again"
        ),
        None => Ok(()),
    }
}

/// Drives a new run to the point where it parts from the recorded one.
fn forked(fork: &Fork<'_>, run: &mut Run, secrets: &Secrets) -> Result<Forked> {
    let mut fork = fork.clone();
    let masked = |value: &Value| {
        let mut value = to_json(value);
        secrets.mask_json(&mut value);
        from_json(value)
    };
    fork.changes = fork.changes.iter().map(|(key, value)| (key.clone(), masked(value))).collect();
    let changes = fork.state_changes()?;
    restore::change_state(run, &changes);
    // A copy is driven, because the session itself replays `run` from the stored events.
    let mut follower = run.clone();
    let recalled = fork.recall()?.follow(&mut follower);
    let facts = run.facts();
    let mut writer =
        EventWriter::new(facts.system, Arc::clone(&facts.charts), facts.beside.clone(), facts.clock);
    let events = follower.log().iter().map(|event| writer.event(event)).collect();
    Ok(Forked { events, origin: fork.origin(&recalled, &changes)?, note: fork.note(&recalled) })
}

/// Opens a run again if it failed or was stopped, or if a limit is raised. `None` if it just continues.
fn reopened(store: &mut Store, stored: &Stored, limits: &RunLimits) -> Result<Option<Stored>> {
    let (id, is_raised) = (&stored.id, *limits != RunLimits::default());
    let keep = match &stored.status {
        RunStatus::Ended { outcome, .. } if outcome == Status::Completed.word() => bail!(
            "the run {id} has ended: {outcome}\n  help: `nodewise runs show {id}` shows it; start a new run"
        ),
        RunStatus::Ended { outcome, summary, .. } => match reopen::good_point(stored, limits)? {
            Some(keep) => keep,
            None => bail!("the run {id} would end again: {outcome}: {summary}\n  help: {}", way_out(outcome)),
        },
        _ if is_raised => stored.events.len(),
        _ => return Ok(None),
    };
    store.reopen(id, keep, limits)?;
    Ok(Some(store.read(id)?))
}

/// The help for a run that would end in the same way again.
fn way_out(outcome: &str) -> &'static str {
    match outcome == Status::Stopped(Limit::Tokens).word() {
        true => "raise the limit that ended it, for example with `--limit-tokens`, or start a new run",
        false => "no failed call of it can be repeated; start a new run",
    }
}

/// Begins to send the spans of a run. Spans of its earlier events were sent before.
fn spans(
    settings: &TelemetrySettings,
    stored: &Stored,
    live: &Live,
    wiring: &Wiring,
    secrets: &Arc<Secrets>,
) -> Result<Telemetry> {
    let about = (stored.identity, stored.id.to_string(), stored.new.title.clone());
    let headers = secrets.headers()?;
    let secrets = Arc::clone(secrets);
    let subject = SpanSource::new(about, live, wiring, Arc::new(move |text| secrets.mask_text(text)));
    let mut telemetry = Telemetry::start(settings, &headers, subject)?;
    telemetry.recall(&stored.events);
    Ok(telemetry)
}

/// The journal of a run in the local store.
struct StoreJournal<'k> {
    store: &'k mut Store,
    calls: Calls,
    paid: Vec<Json>,
    telemetry: Option<&'k mut Telemetry>,
}

impl Journal for StoreJournal<'_> {
    fn append(&mut self, events: &[Json], starting: &[(AskId, &Ask)]) -> Result<Vec<Attempt>> {
        let calls: Vec<CallId> = starting.iter().map(|(id, ask)| self.calls.call(*id, ask)).collect();
        let numbers: Vec<u64> = calls.iter().map(|call| call.number()).collect();
        let is_paid = |event: &Json| event.get("ask").is_some_and(|ask| self.paid.contains(ask));
        let before = self.store.append_paid(self.calls.run(), events, &numbers, is_paid)?;
        if let Some(telemetry) = &mut self.telemetry {
            telemetry.happened(events, Moment::now());
        }
        let attempt = |(call, before)| Attempt { before, key: self.calls.key(call) };
        Ok(calls.into_iter().zip(before).map(attempt).collect())
    }

    fn attempts(&mut self, id: AskId, ask: &Ask) -> Result<u32> {
        self.store.attempts(self.calls.run(), self.calls.call(id, ask).number())
    }
}

/// How much time to add to the run's clock. The clock runs while the run waits for a person, and stops while an interrupted run
/// has no process.
fn away(stored: &Stored) -> Millis {
    match (&stored.status, stored.events.last()) {
        (RunStatus::Waiting(_), Some(last)) => {
            Millis(u64::try_from(Moment::now().0 - last.stored.0).unwrap_or_default())
        }
        _ => Millis::ZERO,
    }
}

/// The outcome that a stopped run is shown with. It is the same when the run is shown from its record.
fn outcome_of(rest: &RunEnd, id: &RunId) -> Outcome {
    match rest {
        RunEnd::Ended(outcome) => outcome.clone(),
        RunEnd::Waiting(_) => restore::waiting(),
        RunEnd::Interrupted => restore::interrupted(id),
        RunEnd::Cancelled => restore::cancelled(),
    }
}

/// The time in whole seconds since 1970.
pub(crate) fn now_s() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64().floor())
}
