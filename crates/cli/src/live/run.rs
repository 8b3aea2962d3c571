//! `nodewise run` and `nodewise resume`: runs graphs with real models, tools, functions and people.
//!
//! Input: what to run. Output: the finished or waiting run, and an exit code. Invariant: nothing is started or called
//! without the user's permission, and a run can be resumed wherever it stops.

mod decisions;
mod display;
mod remote;
mod terminal;
pub(super) mod trust;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueHint};
use nodewise_analysis::facts::{FileFacts, Ownership};
use nodewise_analysis::workspace::Snapshot;
use nodewise_durable::engine::Engine;
use nodewise_durable::follow::new_run;
use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::outcome::Status;
use nodewise_live::driver::RunEnd;
use nodewise_live::fork::{Fork, ForkPoint};
use nodewise_live::people::{Nobody, People, Topic};
use nodewise_live::planning::plan;
use nodewise_live::preview::{At, preview};
use nodewise_live::prompts;
use nodewise_live::restore::{self, RestoredRun};
use nodewise_live::session::{
    Continuation, Finished, RunLocation, RunObservers, RunSetup, Session, check_alone,
};
use nodewise_live::store::RunId;
use nodewise_live::systems;
use nodewise_live::trust::Plan;
use nodewise_live::wiring::Wiring;
use nodewise_model::scenario::RunLimits;
use nodewise_project::config::live::Live;
use nodewise_simulation::RunInputs;

use self::decisions::Decisions;
use self::display::Display;
use self::terminal::Terminal;
use super::configuration::{broken, configuration};
use super::runs;
use crate::outcome::Outcome;
use crate::output::{Output, complain, remark};
use crate::simulate::SimulateFormat;
use crate::subject::{self, FoundTarget, Limits};

/// The error if a file of the project cannot be read.
const UNREADABLE: &str = "the run is not started, because a file of its project cannot be read";

/// The error if the scenario is about one node.
const ALONE: &str = "a scenario with `only` runs with scripted answers\n  help: write `nodewise simulate` or `nodewise test`, or \
     `start` in the place of `only`";

/// Run a graph with real models, tools and functions.
///
/// `[live]` in `nodewise.toml` says which models and tools the run uses. The first time, nodewise shows what the run starts
/// and calls, and asks you to allow it. Every step is saved in the folder `.nodewise` of the project before it takes effect:
/// `nodewise resume` continues an interrupted run, `nodewise runs` shows and replays runs.
///
/// Ends with 0 when the run completes.
#[derive(Args)]
#[group(skip)]
pub(crate) struct RunOptions {
    /// The file, folder or scenario to run; `FILE#ID` is one graph of a file.
    #[arg(value_hint = ValueHint::FilePath, required_unless_present = "from")]
    target: Option<String>,
    #[command(flatten)]
    given: subject::RunInput,
    /// Run on a durable engine: a name in `[live.engines]`, or an address.
    ///
    /// Workers (`nodewise serve`) call the models and tools, with their own configuration and keys. The run continues when this
    /// command ends; Ctrl-C stops only the display.
    #[arg(long, value_name = "ENGINE", conflicts_with = "from")]
    on: Option<String>,
    /// Begin with the answers of a recorded run: `RUN`, `RUN@NODE` or `RUN@STEP`.
    ///
    /// The new run has the recorded answers up to this step, and pays for none of them: to the last visit of NODE, or to the step
    /// with this number (`nodewise runs show RUN --format steps`). It uses the files as they are now. From the first question that
    /// differs from the recorded one, everything is asked again.
    #[arg(
        long,
        value_name = "RUN[@NODE|@STEP]",
        conflicts_with_all = ["target", "script", "start", "seed", "profile", "as_documented"]
    )]
    from: Option<String>,
    /// With `--from`, set a key of the state: `KEY=JSON`; can be repeated.
    #[arg(long, value_name = "KEY=JSON", requires = "from")]
    set: Vec<String>,
    /// Name the run, to find it with `nodewise runs`.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Give the run a tag; repeat it for several.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Show what the run would start and call, without doing it.
    #[arg(long, alias = "dry")]
    dry_run: bool,
    /// With `--dry-run`: show what this node would send to its models.
    ///
    /// The run begins at the node. With a script or `--start`, it goes to the node with the scripted answers. `--format json` shows the
    /// exact request.
    #[arg(long, value_name = "NODE", requires = "dry_run", conflicts_with = "from")]
    node: Option<String>,
    #[command(flatten)]
    shared_options: SharedRunOptions,
}

/// Resume a live run after a decision, a crash or Ctrl-C.
///
/// Recorded steps are not repeated. A call whose result is not recorded is repeated, and reported.
#[derive(Args)]
#[group(skip)]
pub(crate) struct ResumeOptions {
    /// The run: its id, the first letters of its id, or `last`.
    #[arg(default_value = "last")]
    run: String,
    #[command(flatten)]
    decisions: Decisions,
    /// Keep recorded answers if this version of nodewise asks in other words.
    #[arg(long)]
    accept: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    place: runs::StoreOptions,
    #[command(flatten)]
    shared_options: SharedRunOptions,
}

/// The options of `run` and `resume`.
#[derive(Args)]
#[group(skip)]
struct SharedRunOptions {
    /// Allow everything that the run starts and calls, without asking you.
    #[arg(long)]
    trust: bool,
    /// Do not ask for approval here: the run waits for `nodewise resume`.
    #[arg(long)]
    no_ask: bool,
    /// Output format of the run.
    #[arg(long, value_enum, default_value_t)]
    format: SimulateFormat,
    /// Hide the progress of the run.
    #[arg(long)]
    no_progress: bool,
    /// With `--on`: print the id of the run, and do not follow it.
    #[arg(long, requires = "on")]
    detach: bool,
}

/// Runs a graph.
pub(crate) fn run(options: &RunOptions, output: &mut Output) -> Result<Outcome> {
    if let Some(node) = &options.node {
        return show_requests(options, node, output);
    }
    match &options.from {
        Some(name) => run_from(name, options, output),
        None => {
            let found = options.given.find(options.target.as_deref().unwrap_or_default())?;
            start(options, &found, None, output)
        }
    }
}

/// Runs a graph again with the answers of a recorded run.
fn run_from(name: &str, options: &RunOptions, output: &mut Output) -> Result<Outcome> {
    let (name, step) = match name.split_once('@') {
        Some((name, step)) => (name, Some(step)),
        None => (name, None),
    };
    let (stored, folder) = runs::StoreOptions::default().read(name)?;
    let limits = options.given.limits();
    let point = ForkPoint::find(&stored, step, &limits)?;
    let changes = decisions::state_changes(&options.set)?;
    let mut found = options.given.find_again(&folder, &stored.new.scenario, stored.new.seed)?;
    let mut all = stored.limits.clone();
    all.replace_by(&limits);
    found.scenario.limits.replace_by(&all);
    start(options, &found, Some(&Fork { from: &stored, point, changes }), output)
}

/// Starts a run, after the user has allowed what it needs.
fn start(
    options: &RunOptions,
    found: &FoundTarget,
    fork: Option<&Fork<'_>>,
    output: &mut Output,
) -> Result<Outcome> {
    let project = &found.opened.project;
    let (folder, live) = (project.root.as_path(), &project.config.live);
    if let Some(problem) = project.config_problems.first() {
        return Err(broken(problem));
    }
    anyhow::ensure!(!found.opened.has_failed, UNREADABLE);
    anyhow::ensure!(!found.scenario.target.is_alone, ALONE);
    let snapshot = &found.opened.snapshot;
    let inputs = RunInputs { snapshot, target: &found.target, scenario: &found.scenario };
    let wiring = wiring(&inputs, live)?;
    let planned = match plan(live, &wiring, folder) {
        // What answers on an engine is configured there.
        Err(_) if options.on.is_some() && !options.dry_run => Plan::default(),
        planned => planned?,
    };
    if options.dry_run {
        output.write(&trust::shown_as(&planned, options.shared_options.format)?)?;
        return Ok(Outcome::Clean);
    }
    trust::ask(folder, &planned, options.shared_options.trust)?;
    let uses = fork.and_then(|_| found.scenario.uses.first());
    let uses = uses.map(|name| name.value.trim_start_matches('/'));
    let uses: Vec<String> = found.uses().or(uses).map(str::to_owned).into_iter().collect();
    let subject = RunSetup {
        snapshot,
        target: &found.target,
        scenario: &found.scenario,
        uses: &uses,
        models: None,
        is_scripted: false,
        sources: sources(snapshot, folder),
        name: options.name.clone(),
        tags: options.tag.clone(),
        pins: &[],
    };
    if let Some(on) = &options.on {
        let engine = Engine::named(on, folder, live)?;
        let new = new_run(&subject, &wiring, folder, live)?;
        return remote::start(engine, &new, &options.shared_options, output);
    }
    let display = Arc::new(Display::new(!options.shared_options.no_progress));
    let place = RunLocation { folder, live, notes: display.clone() };
    let session = match fork {
        Some(fork) => Session::fork(&subject, fork, &place)?,
        None => Session::begin(&subject, &place)?,
    };
    options.shared_options.drive(session, &display, output)
}

/// The files that a run keeps.
pub(super) fn sources(snapshot: &Snapshot, folder: &Path) -> Vec<(String, Arc<str>)> {
    let is_ours = |file: &&Arc<FileFacts>| matches!(file.ownership, Ownership::Ours(_));
    let texts = snapshot.files().iter().filter(is_ours);
    restore::sources(folder, texts.map(|file| (file.path.to_string(), Arc::clone(file.text.shared()))))
}

/// Shows what a node would send to its models. Nothing is started or called.
fn show_requests(options: &RunOptions, node: &str, output: &mut Output) -> Result<Outcome> {
    let (found, begins_there) =
        options.given.find_node(options.target.as_deref().unwrap_or_default(), node)?;
    let at = if begins_there { At::Start(node) } else { At::Node(node) };
    let project = &found.opened.project;
    if let Some(problem) = project.config_problems.first() {
        return Err(broken(problem));
    }
    let inputs =
        RunInputs { snapshot: &found.opened.snapshot, target: &found.target, scenario: &found.scenario };
    let live = &project.config.live;
    let replaced =
        prompts::from_files(&inputs, &sources(&found.opened.snapshot, &project.root), live, &project.root)?;
    let preview = match &replaced {
        Some(prompts::ReplacedPrompts { snapshot, target, scenario, .. }) => {
            preview(&RunInputs { snapshot, target, scenario }, live, at)?
        }
        None => preview(&inputs, live, at)?,
    };
    let text = match options.shared_options.format {
        SimulateFormat::Text => crate::screen::lines(&preview.to_text()).into_owned(),
        SimulateFormat::Json => format!("{:#}\n", preview.to_json()),
        SimulateFormat::Mermaid | SimulateFormat::Svg => {
            bail!("a request is no picture\n  help: write `--format text` or `--format json`")
        }
    };
    output.write(&text)?;
    Ok(Outcome::Clean)
}

/// Resumes a run.
pub(crate) fn resume(options: &ResumeOptions, output: &mut Output) -> Result<Outcome> {
    if let Some((engine, run)) = options.place.engine(&options.run)? {
        anyhow::ensure!(
            options.limits.set() == RunLimits::default() && !options.accept,
            "a run on an engine keeps its limits and its questions\n  help: leave out `--accept` and the limits"
        );
        return remote::resume(engine, &run, &options.decisions.taken()?, &options.shared_options, output);
    }
    let (store, folder) = options.place.store()?;
    let stored = store.read(&store.find(&options.run)?)?;
    check_alone(&store, &stored.id)?;
    let live = configuration(&folder)?.live;
    let again = RestoredRun::of(&stored)?;
    let wiring = wiring(&again.inputs(), &live)?;
    trust::ask(&folder, &plan(&live, &wiring, &folder)?, options.shared_options.trust)?;
    let display = Arc::new(Display::new(!options.shared_options.no_progress));
    let place = RunLocation { folder: &folder, live: &live, notes: display.clone() };
    let continuation = Continuation {
        decisions: options.decisions.taken()?,
        accepts: options.accept,
        limits: options.limits.set(),
    };
    let session = Session::resume(store, &stored, continuation, &place)?;
    options.shared_options.drive(session, &display, output)
}

pub(super) fn wiring(inputs: &RunInputs<'_>, live: &Live) -> Result<Wiring> {
    let system =
        inputs.target.system(inputs.snapshot).context("the graph of this run is no longer declared")?;
    Ok(systems::configured_wiring(inputs, system, live))
}

impl SharedRunOptions {
    /// Drives a run until it ends or waits, and reports the result.
    fn drive(&self, session: Session, display: &Arc<Display>, output: &mut Output) -> Result<Outcome> {
        for note in session.notes() {
            remark(&format!("note: {note}"));
        }
        let people: Arc<dyn People> = match self.no_ask || !Terminal::is_there() {
            true => Arc::new(Nobody),
            false => Arc::new(Terminal::new(display.clone())),
        };
        let stopped = Arc::new(AtomicBool::new(false));
        let flag = stopped.clone();
        ctrlc::set_handler(move || {
            // The second Ctrl-C ends the process.
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        })
        .context("Ctrl-C cannot be handled")?;
        display.begin(session.id());
        let mut observer = display.observer(stopped);
        let company = RunObservers { people, observer: &mut observer, watch: display.clone() };
        let finished = session.drive(company)?;
        display.end();
        output.write(&self.format.rendered(&finished.recording))?;
        output.finish()?;
        Ok(concluded(&finished))
    }
}

/// Whether a call failed, which can be made again.
fn has_failed_call(finished: &Finished) -> bool {
    let is_failed =
        |event: &Event| matches!(&event.kind, EventKind::Answered { answer, .. } if answer.result.is_err());
    finished.recording.events.iter().any(is_failed)
}

/// Reports how a run ended or why it waits, and what to do.
fn concluded(finished: &Finished) -> Outcome {
    let id: &RunId = &finished.id;
    if let Some(reason) = finished.spans.as_ref().and_then(|spans| spans.reason.as_ref()) {
        remark(&format!("warning: not all spans were sent: {reason}"));
    }
    if let Some(reason) = &finished.webhook_fault {
        remark(&format!("warning: the webhook did not learn that the run waits: {reason}"));
    }
    match &finished.rest {
        RunEnd::Ended(outcome) if outcome.status == Status::Completed => Outcome::Clean,
        RunEnd::Ended(outcome) => {
            match outcome.status {
                Status::Failed if has_failed_call(finished) => remark(&format!(
                    "  help: when the cause is fixed, continue the run with `nodewise resume {id}`"
                )),
                Status::Stopped(_) => remark(&format!(
                    "  help: to continue the run, raise the limit with `nodewise resume {id}`; `nodewise resume --help` lists the limits"
                )),
                _ => {}
            }
            Outcome::Findings
        }
        RunEnd::Waiting(matters) => {
            for matter in matters {
                complain(&format!("the run {id} waits for a decision at `{}`", matter.node));
                if let (Topic::Again, Some(question)) = (matter.topic, matter.question.as_str()) {
                    complain(&format!("  {question}"));
                }
            }
            let is_again = matters.iter().any(|matter| matter.topic == Topic::Again);
            let gives = if is_again { ", or give the result with `--answer NODE=JSON`" } else { "" };
            complain(&format!(
                "  help: decide with `nodewise resume {id} --approve` or `--reject`{gives}; `nodewise runs show {id}` shows the run"
            ));
            Outcome::Findings
        }
        RunEnd::Cancelled => {
            complain(&format!("the run {id} was cancelled"));
            Outcome::Findings
        }
        RunEnd::Interrupted => {
            complain(&format!(
                "the run {id} was interrupted\n  help: continue it with `nodewise resume {id}`"
            ));
            Outcome::Findings
        }
    }
}
