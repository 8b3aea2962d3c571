//! The history of runs: the dry runs of this session, and the live runs that the projects store.
//!
//! Input: what to search for, references to runs. Output: lists of runs, runs again, two runs compared. Invariant: nothing
//! runs, and a run is shown with the files with which it started.

use std::sync::Arc;

use nodewise_simulation::comparison::{RunDifference, compare};
use nodewise_simulation::render::{json::usage, summary};
use nodewise_simulation::scenario::FoundScenario;
use nodewise_simulation::testing::held;
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::Uri;

use super::listed::{ListedRun, RunResult, keep_current, of_status};
#[cfg(feature = "live")]
use super::live::history as stored;
use super::simulate::{self, DryResult, RunRequest, Script, TraceIndex, refused, unknown};
use crate::request::Asked;
use crate::runs::{Ran, Trace};
use crate::view::ProjectView;

/// The argument of `nodewise.history`.
#[derive(Debug, Deserialize)]
pub(crate) struct HistoryParams {
    /// A file of the project. Without it, the runs of all projects.
    pub(crate) uri: Option<Uri>,
    /// Words that must all occur in what is known of a run.
    #[serde(default)]
    search: String,
    /// The maximum number of runs in the answer. Default: 500.
    limit: Option<usize>,
}

/// A run: the id of a kept trace, or of a live run.
#[derive(Debug, Deserialize)]
pub(crate) struct RunReference {
    trace: Option<String>,
    run: Option<String>,
}

/// The argument of `nodewise.compare`.
#[derive(Debug, Deserialize)]
pub(crate) struct ComparisonParams {
    first: RunReference,
    second: RunReference,
}

/// A run that was found by its reference.
enum Found<'v> {
    /// A run whose trace this session keeps.
    Kept(String, Arc<Trace<RunRequest>>),
    /// A stored live run.
    #[cfg(feature = "live")]
    Stored(Box<stored::StoredTrace<'v>>),
    #[cfg(not(feature = "live"))]
    #[expect(dead_code, reason = "only live runs are stored")]
    Stored(std::marker::PhantomData<&'v ()>),
}

/// The default maximum number of listed runs.
const LISTED_MAX: usize = 500;

/// `nodewise.history`: the runs, the most recent first, and messages about those that cannot be read.
pub(crate) fn history(
    asked: &Asked<'_>,
    params: &HistoryParams,
    traces: &TraceIndex,
) -> Result<(Value, Vec<String>)> {
    let project = match &params.uri {
        Some(uri) => Some(asked.view.file(uri.as_str()).ok_or_else(|| unknown(uri))?.project),
        None => None,
    };
    let mut listed = dry(asked, project, traces);
    #[cfg(feature = "live")]
    let damage = stored::list(asked, params.uri.as_ref(), &mut listed)?;
    #[cfg(not(feature = "live"))]
    let damage = Vec::new();
    let words: Vec<String> = params.search.split_whitespace().map(str::to_lowercase).collect();
    listed.retain(|run| run.has(&words));
    listed.sort_by_key(|run| std::cmp::Reverse(run.at));
    listed.truncate(params.limit.unwrap_or(LISTED_MAX));
    Ok((listed.into_iter().map(|run| run.written).collect(), damage))
}

/// The dry runs of this session.
fn dry(asked: &Asked<'_>, project: Option<&ProjectView>, traces: &TraceIndex) -> Vec<ListedRun> {
    let kept = traces.list().into_iter().filter(|(_, trace)| trace.facts.run.is_none());
    let of_project = kept.filter(|(_, trace)| {
        let own = asked.view.file(trace.subject.uri.as_str()).map(|file| file.project);
        project.is_none_or(|project| own.is_some_and(|own| std::ptr::eq(own, project)))
    });
    of_project.map(|(id, trace)| listed_dry(&id, &trace)).collect()
}

fn listed_dry(id: &str, trace: &Trace<RunRequest>) -> ListedRun {
    let (recording, facts) = (&trace.recording, &trace.facts);
    let result = match &facts.verdict {
        Some((true, _)) => RunResult::Good,
        Some((false, _)) => RunResult::Bad,
        None => of_status(recording.outcome.status.word(), recording.failed_steps() > 0 || facts.is_made_up),
    };
    let text = facts.verdict.as_ref().map_or_else(|| summary(recording), |(_, text)| text.clone());
    let written = json!({
        "trace": id, "isLive": false, "uri": trace.subject.uri.as_str(), "title": recording.title,
        "system": recording.system.dialect().id, "status": recording.outcome.status.word(), "summary": text,
        "timeMs": recording.time.0, "spent": usage(&recording.spent), "isMadeUp": facts.is_made_up,
        "isOver": true, "canResume": false, "waiting": [],
    });
    ListedRun::new(i64::try_from(facts.ended_ms).unwrap_or(i64::MAX), result, written)
}

/// `nodewise.showRun`: the answer that the run had, and its decorations in the files that have not changed.
pub(crate) fn show(asked: &Asked<'_>, reference: &RunReference, traces: &TraceIndex) -> Result<(Value, Ran)> {
    match found(asked, reference, traces)? {
        Found::Kept(id, trace) => shown_again(asked, id, &trace),
        #[cfg(feature = "live")]
        Found::Stored(stored) => stored.show(asked, traces),
        #[cfg(not(feature = "live"))]
        Found::Stored(_) => Err(no_run()),
    }
}

/// The answer and the decorations of a kept run, with the declarations with which it ran.
fn shown_again(asked: &Asked<'_>, id: String, trace: &Trace<RunRequest>) -> Result<(Value, Ran)> {
    let subject = &trace.subject;
    let now = asked.view.file(subject.uri.as_str()).ok_or_else(|| unknown(&subject.uri))?;
    let project = then(now.project, trace);
    let file_at = |uri: &Uri| {
        let path = &asked.view.file(uri.as_str())?.facts.path;
        asked.file_in(&project, project.snapshot.source(path)?)
    };
    let file = file_at(&subject.uri).ok_or_else(|| unknown(&subject.uri))?;
    let script = match &subject.script {
        Some(Script::File(uri)) => Some(file_at(uri).ok_or_else(|| unknown(uri))?),
        Some(Script::Inline { .. }) | None => None,
    };
    let begun = subject.begin(&project.snapshot, &file, script.as_ref()).map_err(refused)?;
    let mut runnable = begun.runnable;
    let held_again = |found: FoundScenario<'_>| held(&project.snapshot, &found, &trace.recording);
    let (mut answer, mut ran) = match &trace.facts.run {
        Some(run) => {
            runnable.is_live = true;
            let (mut answer, ran) = simulate::run_answer(asked, &file, (Some(id), trace), None, runnable);
            answer["run"] = json!(run);
            answer["waiting"] = json!([]);
            (answer, ran)
        }
        None => {
            let tested = begun.scenario.map(held_again);
            let result = DryResult { tested, runnable, answered_by: begun.answered_by };
            simulate::dry_run_answer(asked, &file, (Some(id), trace), result)
        }
    };
    keep_current(asked, &project, &mut ran);
    answer["uri"] = json!(subject.uri.as_str());
    Ok((answer, ran))
}

/// The project with the declarations with which a kept run ran.
fn then(now: &ProjectView, trace: &Trace<RunRequest>) -> ProjectView {
    ProjectView {
        root: now.root.clone(),
        snapshot: trace.facts.snapshot.clone(),
        is_complete: true,
        live: Arc::clone(&now.live),
        open: now.open.clone(),
        ..ProjectView::default()
    }
}

/// `nodewise.compare`: two runs as texts, and what differs between them.
pub(crate) fn compared(asked: &Asked<'_>, params: &ComparisonParams, traces: &TraceIndex) -> Result<Value> {
    let first = found(asked, &params.first, traces)?;
    let second = found(asked, &params.second, traces)?;
    let (first, second) = (first.trace()?, second.trace()?);
    let compared = compare(&first.recording, &second.recording);
    let side = |trace: &Trace<RunRequest>, text: String| {
        let recording = &trace.recording;
        json!({"title": recording.title, "summary": summary(recording), "run": trace.facts.run, "text": text})
    };
    let difference = |found: &RunDifference| json!({"of": found.part.as_str(), "text": found.text});
    Ok(json!({
        "first": side(first, compared.first),
        "second": side(second, compared.second),
        "differences": compared.differences.iter().map(difference).collect::<Vec<_>>(),
    }))
}

impl Found<'_> {
    fn trace(&self) -> Result<&Trace<RunRequest>> {
        match self {
            Found::Kept(_, trace) => Ok(trace),
            #[cfg(feature = "live")]
            Found::Stored(stored) => Ok(&stored.trace),
            #[cfg(not(feature = "live"))]
            Found::Stored(_) => Err(no_run()),
        }
    }
}

fn found<'v>(asked: &Asked<'v>, reference: &RunReference, traces: &TraceIndex) -> Result<Found<'v>> {
    match (&reference.trace, &reference.run) {
        (Some(id), _) => {
            let trace = traces.get(id).ok_or_else(|| simulate::gone(id))?;
            Ok(Found::Kept(id.clone(), trace))
        }
        #[cfg(feature = "live")]
        (None, Some(run)) => Ok(Found::Stored(Box::new(stored::StoredTrace::find(asked, run)?))),
        #[cfg(not(feature = "live"))]
        (None, Some(_)) => {
            let _ = asked;
            Err(no_run())
        }
        (None, None) => Err(Error::invalid_params("name a run: `trace` or `run` is missing")),
    }
}

#[cfg(not(feature = "live"))]
fn no_run() -> Error {
    super::request_failed(format!("stored runs are not available: {}", nodewise_platform::left_out::NO_LIVE))
}
