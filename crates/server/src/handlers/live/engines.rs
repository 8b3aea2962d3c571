//! Runs on durable engines: listed, started, followed and decided from the editor.
//!
//! Input: the name of an engine in the configuration of a project, or its address. Output: runs as those of this machine. Invariant:
//! an engine is called only for a command that names it, and to stop the command stops the looking, not the run.

use std::path::Path;
use std::sync::Arc;

use nodewise_durable::client::{ListedRun, RemoteRun};
use nodewise_durable::engine::Engine;
use nodewise_durable::follow::{Followed, Followers, matter_of, new_run, places_of};
use nodewise_live::driver::Rest;
use nodewise_live::restore::RestoredRun;
use nodewise_live::session::Finished;
use nodewise_live::store::{Moment, RunId};
use nodewise_live::systems;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::Uri;

use super::feed::Feed;
use super::people::AtEditor;
use super::stored::{Resumption, projects};
use super::watching::Watching;
use super::{RunThen, Site, beginning, begun_answer, failed, inputs, with_begun};
use crate::editor::Editor;
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
    editor: &Arc<dyn Editor>,
    progress: &mut Progress,
) -> Result<(Value, Ran)> {
    if subject.only {
        return Err(request_failed(
            "a single node does not run on an engine\n  help: run the graph there, or the node on this machine",
        ));
    }
    with_begun(asked, subject, |file, begun, site| {
        // What the user has not allowed was asked before; what cannot be planned here is up to the workers.
        if let Ok(Some(needed)) = super::missing(&inputs(file, begun), site) {
            return Err(needed.refusal());
        }
        let engine = Engine::named(on, &site.folder, &site.live).map_err(failed)?;
        let beginning = beginning(file, begun, site, &[]);
        let inputs = inputs(file, begun);
        let gone = || request_failed("the graph, node or scenario to run is no longer declared");
        let system = inputs.target.system(inputs.snapshot).ok_or_else(gone)?;
        let wiring = systems::configured_wiring(&inputs, system, &site.live);
        let new = new_run(&beginning, &wiring, &site.folder, &site.live).map_err(failed)?;
        let id = engine.start(&new).map_err(failed)?;
        let run = followed(&engine, &id, Vec::new(), editor, progress)?;
        let again = RestoredRun::of(&run.stored).map_err(failed)?;
        let setup = run.stored.new.scenario.clone();
        let finished = finished(&run, &again)?;
        let (mut answer, ran) = begun_answer(asked, file, (finished, setup), subject, begun, traces, site)?;
        answer["on"] = on.into();
        Ok((answer, ran))
    })
}

/// Takes decisions about a run on an engine, and follows it.
pub(super) fn resume(
    asked: &Asked<'_>,
    resumption: &Resumption,
    traces: &TraceIndex,
    editor: &Arc<dyn Editor>,
    progress: &mut Progress,
) -> Result<(Value, Ran)> {
    let on = resumption.on.as_deref().unwrap_or_default();
    let (project, engine) = found(asked, on, resumption.uri.as_ref())?;
    let id = engine.find(&resumption.run).map_err(failed)?;
    let decisions = resumption.taken();
    let settled = match decisions.is_empty() {
        true => Vec::new(),
        false => {
            let before = engine.read(&id).map_err(failed)?;
            engine.decide_all(&id, &decisions).map_err(failed)?;
            places_of(&decisions, &before.matters)
        }
    };
    let run = followed(&engine, &id, settled, editor, progress)?;
    let again = RestoredRun::of(&run.stored).map_err(failed)?;
    let then = RunThen::of(project, &again);
    let shown = then.shown(asked, &run.stored)?;
    let (mut answer, ran) = then.answered(asked, shown, finished(&run, &again)?, traces)?;
    answer["on"] = on.into();
    Ok((answer, ran))
}

/// Follows a run until it ends, waits, or the user stops the command.
fn followed(
    engine: &Engine,
    id: &RunId,
    settled: Vec<String>,
    editor: &Arc<dyn Editor>,
    progress: &mut Progress,
) -> Result<RemoteRun> {
    let people = Arc::new(AtEditor::new(Arc::clone(editor)));
    let mut watching = Watching::new(progress, false, Feed::default());
    let followers = Followers { people, observer: &mut watching, settled };
    match engine.follow(id, followers).map_err(failed)? {
        Followed::Ended(run) | Followed::Waiting(run) => Ok(*run),
        Followed::Left => {
            let on = engine.name();
            editor.show(format!(
                "The run {id} continues on `{on}`. To follow it again, use `nodewise.resume`; to end it, use `nodewise runs cancel {id} \
                 --on {on}`."
            ));
            Err(Error::request_cancelled())
        }
    }
}

/// Where a run came to, as one of this machine.
fn finished(run: &RemoteRun, again: &RestoredRun) -> Result<Finished> {
    let recording = again.recorded(&run.stored).map_err(failed)?;
    let rest = match run.stored.status.question() {
        Some(_) => Rest::Waiting(run.matters.iter().map(matter_of).collect()),
        None => Rest::Ended(recording.outcome.clone()),
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
