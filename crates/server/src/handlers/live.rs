//! The commands that start and resume live runs.
//!
//! Input: what to run, or a stored run with decisions. Output: the finished or waiting run, in the format of a dry
//! run's answer, and before that, what the run would start and call. Invariant: nothing is started or called without
//! the user's permission, and a run uses exactly what was allowed.

mod engines;
mod feed;
mod fork;
pub(crate) mod history;
mod people;
mod pins;
mod stored;
mod watching;

use std::path::PathBuf;
use std::sync::Arc;

use nodewise_analysis::facts::{FileFacts, Ownership};
use nodewise_analysis::workspace::Snapshot;
use nodewise_ide::lenses::Runnable;
use nodewise_live::driver::RunEnd;
use nodewise_live::people::{Matter, People};
use nodewise_live::pins::PinnedNode;
use nodewise_live::planning::plan;
use nodewise_live::preview::{At, preview};
use nodewise_live::prompts::{ReplacedPrompts, from_files};
use nodewise_live::restore::{self, RestoredRun};
use nodewise_live::session::{self, Continuation, Finished, RunLocation, RunObservers, Session};
use nodewise_live::store::{Store, Stored};
use nodewise_live::systems;
use nodewise_live::tools::Notes;
use nodewise_live::trust::{Plan, Trust, one_line};
use nodewise_model::SourceId;
use nodewise_project::config::live::Live;
use nodewise_simulation::RunInputs;
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Error, Result};

use super::listed::keep_current;
use super::request_failed;
use super::simulate::{
    Progress, RunRequest, Script, StartedSimulation, TraceIndex, refused, run_answer, unknown,
};
use crate::editor::{Editor, Level};
use crate::request::{Asked, File};
use crate::runs::growing::GrowingLogs;
use crate::runs::{Ran, Trace, TraceFacts};
use crate::view::ProjectView;
use feed::{Feed, Followed};
use fork::{ForkRequest, Subject};
use people::AtEditor;
pub(crate) use pins::{PinRequest, pin, unpin};
pub(crate) use stored::{Listing, Resumption};
use watching::{ToolLogWriter, Watching};

/// The work that a command for live runs asks for.
#[derive(Debug)]
pub(crate) enum Work {
    /// A new run.
    Begin(Box<RunRequest>),
    /// A new run on a durable engine.
    BeginOn(String, Box<RunRequest>),
    /// A run to resume: a stored one, or one on a durable engine.
    Resume(Resumption),
    /// A new run that begins with the answers of a stored one.
    Fork(ForkRequest),
}

impl Work {
    /// Reads the argument of `nodewise.run`.
    pub(crate) fn read(argument: Value) -> std::result::Result<Work, serde_json::Error> {
        let on = argument.get("on").filter(|on| !on.is_null()).cloned();
        match (argument.get("from"), on) {
            (Some(_), Some(_)) => Err(serde::de::Error::custom(
                "`from` and `on` exclude each other: a run on an engine begins without recorded answers",
            )),
            (Some(from), None) => ForkRequest::deserialize(from).map(Work::Fork),
            (None, None) => RunRequest::deserialize(argument).map(|subject| Work::Begin(Box::new(subject))),
            (None, Some(on)) => {
                let subject = RunRequest::deserialize(argument)?;
                Ok(Work::BeginOn(String::deserialize(on)?, Box::new(subject)))
            }
        }
    }
}

/// The client that starts a run.
pub(crate) struct Client {
    pub(crate) editor: Arc<dyn Editor>,
    /// The client's name for the run, if it follows the run.
    pub(crate) follow: Option<Value>,
    /// The logs of the runs that are followed.
    pub(crate) logs: Arc<GrowingLogs>,
}

/// What a run drives: a whole graph or a single node, and the file of the graph.
struct Driven<'d> {
    is_alone: bool,
    project: &'d ProjectView,
    source: SourceId,
}

/// What a run needs and the user has not allowed yet.
#[derive(Debug)]
pub(crate) struct Needed {
    folder: PathBuf,
    plan: Plan,
}

/// The folder of a project, where its runs are stored, and the providers of its live runs.
struct Site {
    folder: PathBuf,
    live: Arc<Live>,
}

/// The answers to the question whether a run may start what it needs.
const CHOICES: &[&str] = &[ALLOW, "Cancel"];
const ALLOW: &str = "Allow";

/// What a run needs and the user has not allowed yet. `None` if everything is allowed.
pub(crate) fn needed(asked: &Asked<'_>, work: &Work) -> Result<Option<Needed>> {
    match work {
        Work::Begin(subject) => {
            with_begun(asked, subject, |file, begun, site| missing(&inputs(file, begun), site))
        }
        // The providers of an engine are configured there. If they are not known here, the user is not asked.
        Work::BeginOn(_, subject) => with_begun(asked, subject, |file, begun, site| {
            Ok(missing(&inputs(file, begun), site).unwrap_or_default())
        }),
        // A run on an engine was allowed when it began, here and by its workers.
        Work::Resume(resumption) if resumption.on.is_some() => Ok(None),
        Work::Resume(resumption) => {
            let found = resumption.found(asked)?;
            missing(&found.again.inputs(), &found.site)
        }
        Work::Fork(request) => {
            let found = request.found(asked)?;
            let Subject { target, scenario } = ForkRequest::subject(&found)?;
            let snapshot = &found.project.snapshot;
            missing(&RunInputs { snapshot, target: &target, scenario: &scenario }, &found.site)
        }
    }
}

impl Needed {
    /// Asks the user to allow what the run needs, and stores the permission. It is an error if the user does not allow it.
    pub(crate) async fn ask(self, editor: &dyn Editor) -> Result<()> {
        let (text, folder) = (self.plan.text(), one_line(&self.folder.to_string_lossy()));
        let message = format!("A live run in {folder}\n{text}Allow this here, from now on?");
        match editor.ask(Level::Warning, message, CHOICES).await.as_deref() {
            Some(ALLOW) => {
                let trust = Trust::of_user().map_err(failed)?;
                trust.give(&self.folder, &self.plan).map_err(failed)
            }
            _ => Err(self.refusal()),
        }
    }

    fn refusal(&self) -> Error {
        let text = self.plan.text();
        request_failed(format!(
            "you have not allowed yet what this run starts and calls:\n{text}  help: answer the question with `{ALLOW}`, or start \
             the run once with `nodewise run` in a terminal, which also asks"
        ))
    }
}

/// `nodewise.run` and `nodewise.resume`: the answer, and the decorations of the run.
pub(crate) fn run(
    asked: &Asked<'_>,
    work: Work,
    traces: &TraceIndex,
    client: &Client,
    progress: &mut Progress,
) -> Result<(Value, Ran)> {
    progress.show();
    match work {
        Work::Begin(subject) => with_begun(asked, &subject, |file, begun, site| {
            check_allowed(&inputs(file, begun), site)?;
            let pins = site.pinned(&file.project.snapshot)?;
            let beginning = beginning(file, begun, site, &pins);
            let session = Session::begin(&beginning, &site.place(&client.editor)).map_err(failed)?;
            let driven = Driven {
                is_alone: begun.script.target.is_alone,
                project: file.project,
                source: file.source(),
            };
            let finished = drive(asked, session, &driven, client, progress)?;
            let setup = site.setup(&finished)?;
            begun_answer(asked, file, (finished, setup), &subject, begun, traces, site)
        }),
        Work::BeginOn(on, subject) => engines::begin(asked, &on, &subject, traces, client, progress),
        Work::Fork(request) => run_fork(asked, &request, traces, client, progress),
        Work::Resume(resumption) if resumption.on.is_some() => {
            engines::resume(asked, &resumption, traces, client, progress)
        }
        Work::Resume(resumption) => {
            let found = resumption.found(asked)?;
            check_allowed(&found.again.inputs(), &found.site)?;
            let then = RunThen::of(found.project, &found.again);
            let shown = then.shown(asked, &found.stored)?;
            let place = found.site.place(&client.editor);
            let continuation = Continuation { decisions: resumption.taken(), ..Continuation::default() };
            let session =
                Session::resume(found.store, &found.stored, continuation, &place).map_err(failed)?;
            let source = found.again.target.document().source;
            let driven = Driven { is_alone: false, project: &then.project, source };
            let finished = drive(asked, session, &driven, client, progress)?;
            then.answered(asked, shown, finished, traces)
        }
    }
}

/// What a new run begins with.
fn beginning<'s>(
    file: &File<'s>,
    begun: &'s StartedSimulation<'_>,
    site: &Site,
    pins: &'s [PinnedNode],
) -> session::RunSetup<'s> {
    let inputs = inputs(file, begun);
    session::RunSetup {
        snapshot: inputs.snapshot,
        target: inputs.target,
        scenario: inputs.scenario,
        uses: begun.uses.get(..1).unwrap_or_default(),
        models: None,
        is_scripted: false,
        sources: site.sources(inputs.snapshot),
        name: None,
        tags: Vec::new(),
        pins,
    }
}

/// The answer to a new run. `setup` is the stored start of the run, from which it can be shown again.
fn begun_answer(
    asked: &Asked<'_>,
    file: &File<'_>,
    (finished, setup): (Finished, String),
    subject: &RunRequest,
    begun: &StartedSimulation<'_>,
    traces: &TraceIndex,
    site: &Site,
) -> Result<(Value, Ran)> {
    let mut runnable = begun.runnable.clone();
    runnable.is_live = true;
    let mut kept = subject.clone();
    kept.setup = Some(setup);
    let (answer, mut ran) = answered(asked, file, finished, kept, traces, runnable)?;
    site.keep_marks(&mut ran);
    Ok((answer, ran))
}

/// A run with its project as it was when the run started.
struct RunThen<'r> {
    project: ProjectView,
    again: &'r RestoredRun,
}

/// The file of a run that is shown again, what it begins with, and how lenses name it.
type ShownAgain<'t> = (File<'t>, RunRequest, Runnable);

impl<'r> RunThen<'r> {
    fn of(now: &ProjectView, again: &'r RestoredRun) -> RunThen<'r> {
        RunThen { project: stored::project_then(now, again), again }
    }

    fn shown<'t>(&'t self, asked: &Asked<'_>, stored: &Stored) -> Result<ShownAgain<'t>> {
        let source = self.again.target.document().source;
        let gone = || request_failed("the record of the run does not contain the file of its graph");
        let file = asked.file_in(&self.project, source).ok_or_else(gone)?;
        let subject = stored::subject_of(stored, &file)?;
        let runnable = subject.begin(&self.again.snapshot, &file, None).map_err(refused)?.runnable;
        Ok((file, subject, runnable))
    }

    fn answered(
        &self,
        asked: &Asked<'_>,
        (file, subject, runnable): ShownAgain<'_>,
        finished: Finished,
        traces: &TraceIndex,
    ) -> Result<(Value, Ran)> {
        let (answer, mut ran) = answered(asked, &file, finished, subject, traces, runnable)?;
        keep_current(asked, &self.project, &mut ran);
        Ok((answer, ran))
    }
}

/// Starts a run that begins with the answers of a stored one.
fn run_fork(
    asked: &Asked<'_>,
    request: &ForkRequest,
    traces: &TraceIndex,
    client: &Client,
    progress: &mut Progress,
) -> Result<(Value, Ran)> {
    let found = request.found(asked)?;
    let Subject { target, scenario } = ForkRequest::subject(&found)?;
    let snapshot = &found.project.snapshot;
    let (target, scenario) = (&target, &scenario);
    check_allowed(&RunInputs { snapshot, target, scenario }, &found.site)?;
    let gone = || request_failed("the file of the graph is not in the project any more");
    let file = asked.file_in(found.project, target.document().source).ok_or_else(gone)?;
    let uri = file.project.uri(&file.facts.path).and_then(|uri| uri.parse().ok()).ok_or_else(gone)?;
    let uses = scenario.uses.first().map(|name| name.value.trim_start_matches('/').to_owned());
    let uses: Vec<String> = uses.into_iter().collect();
    let sources = found.site.sources(snapshot);
    let pins = found.site.pinned(snapshot)?;
    let beginning = session::RunSetup {
        snapshot,
        target,
        scenario,
        uses: &uses,
        models: None,
        is_scripted: false,
        sources,
        name: None,
        tags: Vec::new(),
        pins: &pins,
    };
    let fork = request.fork(&found)?;
    let session = Session::fork(&beginning, &fork, &found.site.place(&client.editor)).map_err(failed)?;
    let driven = Driven { is_alone: false, project: found.project, source: file.source() };
    let finished = drive(asked, session, &driven, client, progress)?;
    let kept = RunRequest::kept(uri, found.site.setup(&finished)?);
    let mut runnable = kept.begin(snapshot, &file, None).map_err(refused)?.runnable;
    runnable.is_live = true;
    let (answer, mut ran) = answered(asked, &file, finished, kept, traces, runnable)?;
    found.site.keep_marks(&mut ran);
    Ok((answer, ran))
}

/// `nodewise.runs`: the live runs of the projects or of an engine, the most recent first, and messages about those
/// that cannot be read.
pub(crate) fn runs(asked: &Asked<'_>, listing: &Listing) -> Result<(Value, Vec<String>)> {
    match &listing.on {
        Some(on) => Ok((engines::list(asked, on, listing.uri.as_ref())?, Vec::new())),
        None => stored::runs(asked, listing),
    }
}

/// `nodewise.request`: what a node would send to its models, as data and as text. Nothing is started or called.
pub(crate) fn request(asked: &Asked<'_>, subject: &RunRequest) -> Result<Value> {
    let Some(node) = subject.node.as_deref() else {
        return Err(request_failed("`node` is missing: the request of a node is shown"));
    };
    with_begun(asked, subject, |file, begun, site| {
        let (inputs, at) = (inputs(file, begun), At::Start(node));
        let sources = site.sources(inputs.snapshot);
        let replaced = from_files(&inputs, &sources, &site.live, &site.folder).map_err(failed)?;
        let preview = match &replaced {
            Some(ReplacedPrompts { snapshot, target, scenario, .. }) => {
                preview(&RunInputs { snapshot, target, scenario }, &site.live, at)
            }
            None => preview(&inputs, &site.live, at),
        };
        let preview = preview.map_err(failed)?;
        let mut answer = preview.to_json();
        answer["text"] = preview.to_text().into();
        Ok(answer)
    })
}

/// Finds what to run and its project, and calls `work` with them.
fn with_begun<T>(
    asked: &Asked<'_>,
    subject: &RunRequest,
    work: impl FnOnce(&File<'_>, &StartedSimulation<'_>, &Site) -> Result<T>,
) -> Result<T> {
    let file = asked.file(&subject.uri).ok_or_else(|| unknown(&subject.uri))?;
    let script = match &subject.script {
        Some(Script::File(uri)) => Some(asked.file(uri).ok_or_else(|| unknown(uri))?),
        Some(Script::Inline { .. }) | None => None,
    };
    let site = Site::of(file.project)?;
    let begun = subject.begin(&file.project.snapshot, &file, script.as_ref()).map_err(refused)?;
    work(&file, &begun, &site)
}

fn inputs<'m>(file: &File<'m>, begun: &'m StartedSimulation<'_>) -> RunInputs<'m> {
    RunInputs { snapshot: &file.project.snapshot, target: &begun.target, scenario: &begun.script }
}

/// What a run needs and the user has not allowed.
fn missing(inputs: &RunInputs<'_>, site: &Site) -> Result<Option<Needed>> {
    let gone = || request_failed("the graph, node or scenario to run is no longer declared");
    let system = inputs.target.system(inputs.snapshot).ok_or_else(gone)?;
    let wiring = systems::configured_wiring(inputs, system, &site.live);
    let plan = plan(&site.live, &wiring, &site.folder).map_err(failed)?;
    if plan.is_empty() {
        return Ok(None);
    }
    let missing = Trust::of_user().and_then(|trust| trust.missing(&site.folder, &plan)).map_err(failed)?;
    Ok((!missing.is_empty()).then(|| Needed { folder: site.folder.clone(), plan: missing }))
}

/// Checks again, because the files may have changed since the user allowed the run.
fn check_allowed(inputs: &RunInputs<'_>, site: &Site) -> Result<()> {
    missing(inputs, site)?.map_or(Ok(()), |needed| Err(needed.refusal()))
}

/// Drives a run until it ends or waits. A node that runs alone is driven to the end of its visit.
fn drive(
    asked: &Asked<'_>,
    session: Session,
    driven: &Driven<'_>,
    client: &Client,
    progress: &mut Progress,
) -> Result<Finished> {
    let editor = &client.editor;
    for note in session.notes() {
        editor.log(Level::Warning, note.clone());
    }
    let id = session.id().clone();
    let people: Arc<dyn People> = Arc::new(AtEditor::new(Arc::clone(editor)));
    let followed = client.follow.clone().map(|follow| Followed {
        follow,
        run: id.as_str().to_owned(),
        logs: Arc::clone(&client.logs),
        open: Box::new(|| asked.file_in(driven.project, driven.source)),
    });
    let finished = std::thread::scope(|scope| {
        let (feed, _end) = Feed::start(scope, session.run().facts(), followed, editor);
        let watch = Arc::new(ToolLogWriter::new(Arc::clone(editor), feed.clone()));
        let mut watching = Watching::new(progress, driven.is_alone, feed);
        let company = RunObservers { people, observer: &mut watching, watch };
        let mut finished = session.drive(company).map_err(failed)?;
        watching.end(&mut finished);
        Ok::<Finished, Error>(finished)
    })?;
    if let Some(reason) = finished.spans.as_ref().and_then(|spans| spans.reason.as_ref()) {
        editor.log(Level::Warning, format!("some spans of the run {id} were not sent: {reason}"));
    }
    if progress.is_stopped() {
        if finished.rest == RunEnd::Interrupted {
            editor.show(format!("The run {id} was stopped. To continue it, use `nodewise.resume`."));
        }
        return Err(Error::request_cancelled());
    }
    Ok(finished)
}

/// The answer to a run that ended or waits.
fn answered(
    asked: &Asked<'_>,
    file: &File<'_>,
    finished: Finished,
    subject: RunRequest,
    traces: &TraceIndex,
    runnable: Runnable,
) -> Result<(Value, Ran)> {
    let waiting: Vec<Value> = match &finished.rest {
        RunEnd::Waiting(matters) => matters.iter().map(Matter::to_json).collect(),
        RunEnd::Ended(_) | RunEnd::Interrupted | RunEnd::Cancelled => Vec::new(),
    };
    let facts = TraceFacts {
        snapshot: file.project.snapshot.clone(),
        run: Some(finished.id.as_str().to_owned()),
        ..TraceFacts::default()
    };
    let trace = Arc::new(Trace::new(subject, finished.recording, facts));
    let id = traces.keep(Arc::clone(&trace));
    let (mut answer, ran) = run_answer(asked, file, (id, &trace), None, runnable);
    answer["run"] = json!(finished.id.as_str());
    answer["waiting"] = Value::Array(waiting);
    Ok((answer, ran))
}

impl Site {
    /// Where the runs of a project are stored. It is an error if the project has no folder, or if its configuration
    /// has problems.
    fn of(project: &ProjectView) -> Result<Site> {
        if let Some(problem) = project.config_problems.first() {
            return Err(request_failed(format!(
                "nodewise.toml:{}: {}\n  help: {}",
                problem.at.line, problem.reason, problem.help
            )));
        }
        let without = "a live run needs a project folder to save its steps, and this file is not in one\n  help: open the folder of the file";
        let folder = project.root.clone().ok_or_else(|| request_failed(without))?;
        Ok(Site { folder, live: Arc::clone(&project.live) })
    }

    fn place(&self, editor: &Arc<dyn Editor>) -> RunLocation<'_> {
        let notes: Arc<dyn Notes> = Arc::new(ToolLogWriter::new(Arc::clone(editor), Feed::default()));
        RunLocation { folder: &self.folder, live: &self.live, notes }
    }

    /// Removes decorations that may not fit: the prompts from `[live.prompts]` are longer or shorter than those in the texts.
    fn keep_marks(&self, ran: &mut Ran) {
        if !self.live.prompts.is_empty() {
            ran.files.clear();
        }
    }

    /// The texts that are stored with a run.
    fn sources(&self, snapshot: &Snapshot) -> Vec<(String, Arc<str>)> {
        let is_ours = |file: &&Arc<FileFacts>| matches!(file.ownership, Ownership::Ours(_));
        let texts = snapshot.files().iter().filter(is_ours);
        restore::sources(
            &self.folder,
            texts.map(|file| (file.path.to_string(), Arc::clone(file.text.shared()))),
        )
    }

    /// The stored start of a run.
    fn setup(&self, finished: &Finished) -> Result<String> {
        let store = Store::open(&self.folder).map_err(failed)?;
        Ok(store.read(&finished.id).map_err(failed)?.new.scenario)
    }
}

fn failed(error: anyhow::Error) -> Error {
    request_failed(format!("{error:#}"))
}
