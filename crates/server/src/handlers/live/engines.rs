//! Runs on durable engines: listed, started, followed and decided from the editor.
//!
//! Input: the name of an engine in the configuration of a project, or its address. Output: runs as those of this
//! machine. Invariant: an engine is called only for a command that names it. If the user stops the command, the run
//! continues.

use std::path::Path;
use std::sync::Arc;

use nodewise_durable::client::{ListedRun, RemoteRun};
use nodewise_durable::engine::Engine;
use nodewise_durable::follow::{self, Followers, matter_of, new_run, places_of};
use nodewise_ide::lenses::Runnable;
use nodewise_live::driver::RunEnd;
use nodewise_live::restore::RestoredRun;
use nodewise_live::session::Finished;
use nodewise_live::store::{Moment, RunId};
use nodewise_live::systems;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::Uri;

use super::feed::{Feed, Followed};
use super::people::AtEditor;
use super::stored::{Resumption, projects};
use super::watching::Watching;
use super::{Client, RunThen, Site, beginning, failed, inputs, with_begun};
use crate::handlers::request_failed;
use crate::handlers::simulate::{Progress, RunRequest, TraceIndex};
use crate::request::Asked;
use crate::runs::Ran;
use crate::view::ProjectView;

/// The statuses of runs that have not ended.
const UNDER_WAY: [&str; 2] = ["running", "waiting"];

/// The runs of an engine, the most recent first.
pub(super) fn list(asked: &Asked<'_>, on: &str, uri: Option<&Uri>) -> Result<Value> {
    let (project, engine) = found(asked, on, uri)?;
    let folder = project.root.as_deref().map(Path::to_string_lossy).unwrap_or_default();
    let listed = |run: ListedRun| {
        let is_over = !UNDER_WAY.contains(&run.status.as_str());
        json!({
            "run": run.id.as_str(), "title": run.title, "status": run.status, "isOver": is_over, "canResume": !is_over,
            "begun": run.begun.map(Moment::iso).unwrap_or_default(), "waiting": run.matters, "folder": folder, "on": on,
        })
    };
    Ok(engine.list().map_err(failed)?.into_iter().map(listed).collect())
}

/// Starts a run on an engine, and follows it.
pub(super) fn begin(
    asked: &Asked<'_>,
    on: &str,
    subject: &RunRequest,
    traces: &TraceIndex,
    client: &Client,
    progress: &mut Progress,
) -> Result<(Value, Ran)> {
    if subject.only {
        return Err(request_failed(
            "a single node does not run on an engine\n  help: run the graph there, or the node on this machine",
        ));
    }
    with_begun(asked, subject, |file, here, site| {
        // The files may have changed since the user was asked. If no plan can be made here, the workers decide.
        if let Ok(Some(needed)) = super::missing(&inputs(file, here), site) {
            return Err(needed.refusal());
        }
        let engine = Engine::named(on, &site.folder, &site.live).map_err(failed)?;
        let beginning = beginning(file, here, site, &[]);
        let inputs = inputs(file, here);
        let gone = || request_failed("the graph, node or scenario to run is no longer declared");
        let system = inputs.target.system(inputs.snapshot).ok_or_else(gone)?;
        let wiring = systems::configured_wiring(&inputs, system, &site.live);
        let new = new_run(&beginning, &wiring, &site.folder, &site.live).map_err(failed)?;
        let id = engine.start(&new).map_err(failed)?;
        let run = begun(&engine, &id, client, progress)?;
        let again = RestoredRun::of(&run.stored).map_err(failed)?;
        let then = RunThen::of(file.project, &again);
        let (shown, setup, _) = then.shown(asked, &run.stored)?;
        let runnable = Runnable { is_live: true, ..here.runnable.clone() };
        let run = followed(asked, (&engine, run, &then), RunBefore::default(), client, progress)?;
        let mut answer = then.answered(asked, (shown, setup, runnable), finished(&run, &again)?, traces)?;
        answer.0["on"] = on.into();
        Ok(answer)
    })
}

/// Takes decisions about a run on an engine, and follows it.
pub(super) fn resume(
    asked: &Asked<'_>,
    resumption: &Resumption,
    traces: &TraceIndex,
    client: &Client,
    progress: &mut Progress,
) -> Result<(Value, Ran)> {
    let on = resumption.on.as_deref().unwrap_or_default();
    let (project, engine) = found(asked, on, resumption.uri.as_ref())?;
    let id = engine.find(&resumption.run).map_err(failed)?;
    let run = begun(&engine, &id, client, progress)?;
    let decisions = resumption.taken();
    engine.decide_all(&id, &decisions).map_err(failed)?;
    let past = RunBefore { settled: places_of(&decisions, &run.matters), events: run.stored.events.len() };
    let again = RestoredRun::of(&run.stored).map_err(failed)?;
    let then = RunThen::of(project, &again);
    let shown = then.shown(asked, &run.stored)?;
    let run = followed(asked, (&engine, run, &then), past, client, progress)?;
    let mut answer = then.answered(asked, shown, finished(&run, &again)?, traces)?;
    answer.0["on"] = on.into();
    Ok(answer)
}

/// What had happened in a run before it is followed.
#[derive(Default)]
struct RunBefore {
    /// The places of the questions that were decided.
    settled: Vec<String>,
    /// The number of events.
    events: usize,
}

/// Waits until a worker has begun a run, or the user stops the command.
fn begun(engine: &Engine, id: &RunId, client: &Client, progress: &mut Progress) -> Result<RemoteRun> {
    let watching = Watching::new(progress, false, Feed::default());
    let run = engine.begun(id, &watching).map_err(failed)?;
    run.ok_or_else(|| left(engine, id, client))
}

/// Follows a run until it ends, waits, or the user stops the command.
fn followed(
    asked: &Asked<'_>,
    (engine, run, then): (&Engine, RemoteRun, &RunThen<'_>),
    RunBefore { settled, events: before }: RunBefore,
    client: &Client,
    progress: &mut Progress,
) -> Result<RemoteRun> {
    let id = run.stored.id.clone();
    let people = Arc::new(AtEditor::new(Arc::clone(&client.editor)));
    let to_client = client.follow.clone().map(|follow| Followed {
        follow,
        logs: Arc::clone(&client.logs),
        run: id.as_str().to_owned(),
        open: Box::new(|| asked.file_in(&then.project, then.again.target.document().source)),
    });
    let at_beginning = then.again.run().map_err(failed)?;
    let came = std::thread::scope(|scope| {
        let (feed, _end) = Feed::start(scope, at_beginning.facts(), to_client, &client.editor);
        let mut watching = Watching::new(progress, false, feed);
        engine.follow_begun(run, Followers { people, observer: &mut watching, settled, before })
    });
    match came.map_err(failed)? {
        follow::Followed::Ended(run) | follow::Followed::Waiting(run) => Ok(*run),
        follow::Followed::Left => Err(left(engine, &id, client)),
    }
}

/// Explains to the user who stopped a command that the run continues. Returns the error for the client.
fn left(engine: &Engine, id: &RunId, client: &Client) -> Error {
    let on = engine.name();
    client.editor.show(format!(
        "The run {id} continues on `{on}`. To follow it again, use `nodewise.resume`; to end it, use `nodewise runs cancel {id} --on \
         {on}`."
    ));
    Error::request_cancelled()
}

/// The end of a run on an engine, or what it waits for, as that of a run on this machine.
fn finished(run: &RemoteRun, again: &RestoredRun) -> Result<Finished> {
    let recording = again.recorded(&run.stored).map_err(failed)?;
    let rest = match run.stored.status.question() {
        Some(_) => RunEnd::Waiting(run.matters.iter().map(matter_of).collect()),
        None => RunEnd::Ended(recording.outcome.clone()),
    };
    Ok(Finished { id: run.stored.id.clone(), rest, recording, spans: None, webhook_fault: None })
}

/// An engine, and the project whose configuration names it.
fn found<'v>(asked: &Asked<'v>, on: &str, uri: Option<&Uri>) -> Result<(&'v ProjectView, Engine)> {
    let projects = projects(asked, uri)?;
    let named = |project: &&ProjectView| project.live.engines.contains_key(on);
    let mut naming = projects.iter().copied().filter(named);
    let project = match (naming.next(), projects.first()) {
        (Some(project), _) => project,
        (None, Some(any)) => any,
        (None, None) => return Err(request_failed("no folder is open")),
    };
    if naming.any(|other| other.live.engines.get(on) != project.live.engines.get(on)) {
        return Err(request_failed(format!(
            "several projects configure an engine `{on}`\n  help: choose the project with the `uri` of one of its files"
        )));
    }
    let site = Site::of(project)?;
    Ok((project, Engine::named(on, &site.folder, &site.live).map_err(failed)?))
}
