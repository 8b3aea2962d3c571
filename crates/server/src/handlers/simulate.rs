//! The commands that simulate graphs, and that read the traces of runs.
//!
//! Input: what to run, or a trace and one of its events. Output: traces, states, results of scenarios. The decorations
//! go to the session. Invariant: a run stops soon after the client cancels it, and blocks nothing.

mod progress;
mod subject;
mod values;
pub(crate) mod written;

use std::sync::Arc;

use nodewise_analysis::facts::FileFacts;
use nodewise_expr::json::to_json;
use nodewise_ide::lenses::Runnable;
use nodewise_model::SourceId;
use nodewise_model::scenario::StartState;
use nodewise_simulation::coverage::Coverage;
use nodewise_simulation::export_scenario::{Beginning, scenario_text};
use nodewise_simulation::input_schema::input_schema;
use nodewise_simulation::matching::matching_scripts;
use nodewise_simulation::recording::Recording;
use nodewise_simulation::remarks::{self, Remark};
use nodewise_simulation::render::{summary, timeline};
use nodewise_simulation::report::Counts;
use nodewise_simulation::scenario::{scenarios_of, whole};
use nodewise_simulation::target::{SimulationTarget, TargetError};
use nodewise_simulation::testing::{Tested, check_coverage, held, watched};
use nodewise_simulation::trace::Replay;
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::Uri;

use super::request_failed;
use crate::convert;
use crate::request::{Asked, File};
use crate::runs::{self, End, Ran, Trace, TraceFacts, decorations};
use crate::view::ProjectView;
pub(crate) use progress::{Progress, Underway};
#[cfg(feature = "live")]
pub(crate) use subject::StartedSimulation;
pub(crate) use subject::{RunRequest, Script};

/// The traces of the last runs.
pub(crate) type TraceIndex = runs::Traces<RunRequest>;

/// The argument of `nodewise.simulate`.
#[derive(Debug)]
pub(crate) enum SimulationRequest {
    RunRequest(Box<RunRequest>),
    /// A run that branches off a kept one.
    Fork(Fork),
}

/// A kept run, and the event from which on the new run differs.
#[derive(Debug, Deserialize)]
pub(crate) struct Fork {
    /// The id of the kept trace.
    trace: String,
    /// The event up to which the two runs are equal.
    event: usize,
    /// The answer or decision that replaces that event.
    answer: Option<Value>,
}

/// A point of a kept trace, or of a live run that continues.
#[derive(Debug, Deserialize)]
pub(crate) struct Point {
    /// The id of the trace.
    trace: Option<String>,
    /// The client's name for a live run that it follows.
    #[cfg(feature = "live")]
    follow: Option<Value>,
    /// The position of the event, from 0.
    event: usize,
}

/// A kept run to convert to a scenario.
#[derive(Debug, Deserialize)]
pub(crate) struct ScenarioExportRequest {
    /// The id of the trace.
    trace: String,
    /// The file for the scenario. It does not have to exist.
    uri: Uri,
}

/// The file whose scripts are wanted.
#[derive(Debug, Deserialize)]
pub(crate) struct ScriptsParams {
    /// The file with the graph or the nodes.
    uri: Uri,
    graph: Option<String>,
}

/// The graph or the node whose input is described.
#[derive(Debug, Deserialize)]
pub(crate) struct InputSchemaParams {
    /// The file with the graph or the nodes.
    uri: Uri,
    graph: Option<String>,
    /// The node where the run starts.
    node: Option<String>,
}

/// The scenarios to run.
#[derive(Debug, Deserialize)]
pub(crate) struct Suite {
    /// The file with the scenarios. Without it, all files.
    uri: Option<Uri>,
}

impl SimulationRequest {
    /// Reads the argument of the command.
    pub(crate) fn read(argument: Value) -> std::result::Result<SimulationRequest, serde_json::Error> {
        match argument.get("fork") {
            Some(fork) => Fork::deserialize(fork).map(SimulationRequest::Fork),
            None => RunRequest::deserialize(argument)
                .map(|subject| SimulationRequest::RunRequest(Box::new(subject.choosing_script()))),
        }
    }
}

/// `nodewise.simulate`: the answer, and the decorations.
pub(crate) fn simulate(
    asked: &Asked<'_>,
    wanted: SimulationRequest,
    traces: &TraceIndex,
    progress: &mut Progress,
) -> Result<(Value, Ran)> {
    let (subject, recorded) = match wanted {
        SimulationRequest::Fork(fork) => forked(&fork, traces)?,
        SimulationRequest::RunRequest(subject) => (*subject, None),
    };
    let file = asked.file(&subject.uri).ok_or_else(|| unknown(&subject.uri))?;
    let script = match &subject.script {
        Some(Script::File(uri)) => Some(asked.file(uri).ok_or_else(|| unknown(uri))?),
        Some(Script::Inline { .. }) | None => None,
    };
    let begun = subject.begin(file.snapshot(), &file, script.as_ref()).map_err(refused)?;
    let mut run = begun.run;
    if let Some(recorded) = recorded {
        run.recall(recorded);
    }
    let outcome = run.drive(|run| progress.look(run));
    let recording = run.recording(outcome);
    if asked.cancel.is_cancelled() {
        return Err(Error::request_cancelled());
    }
    let is_made_up = !begun.has_answers && run.made_up() > 0;
    let tested = begun.scenario.map(|found| held(file.snapshot(), &found, &recording));
    let verdict = tested.as_ref().map(|tested| (tested.is_passed(), verdict(tested, &summary(&recording))));
    let snapshot = file.project.snapshot.clone();
    let facts = TraceFacts { snapshot, is_made_up, verdict, ..TraceFacts::default() };
    let trace = Arc::new(Trace::new(subject, recording, facts));
    let id = traces.keep(Arc::clone(&trace));
    let result = DryResult { tested, runnable: begun.runnable, answered_by: begun.answered_by };
    Ok(dry_run_answer(asked, &file, (id, &trace), result))
}

/// What is known of a dry run when it has ended.
pub(crate) struct DryResult {
    /// The result of its scenario, if it has one with expectations.
    pub(crate) tested: Option<Tested>,
    /// The run as lenses name it, to show its result there.
    pub(crate) runnable: Runnable,
    /// The file of the script that answered.
    pub(crate) answered_by: Option<SourceId>,
}

/// The answer to a dry run, and its decorations.
pub(crate) fn dry_run_answer(
    asked: &Asked<'_>,
    file: &File<'_>,
    (id, trace): (Option<String>, &Trace<RunRequest>),
    result: DryResult,
) -> (Value, Ran) {
    let answered_by =
        result.answered_by.and_then(|source| file.project.uri(&file.snapshot().file(source)?.path));
    let (mut answer, mut ran) = run_answer(asked, file, (id, trace), result.tested.as_ref(), result.runnable);
    answer["script"] = json!(answered_by.as_deref());
    answer["madeUp"] = json!(trace.facts.is_made_up);
    if trace.facts.is_made_up {
        ran.mark_made_up();
        answer["summary"] = json!(ran.summary);
    }
    (answer, ran)
}

/// The answer to a run, and its decorations.
pub(crate) fn run_answer(
    asked: &Asked<'_>,
    file: &File<'_>,
    (id, trace): (Option<String>, &Trace<RunRequest>),
    tested: Option<&Tested>,
    runnable: Runnable,
) -> (Value, Ran) {
    let recording = &trace.recording;
    let short = match tested {
        Some(tested) => verdict(tested, &summary(recording)),
        None => summary(recording),
    };
    let title = tested.map_or(&recording.title, |tested| &tested.title);
    // The title of a scenario is often a sentence.
    let line = format!("{}: {short}", title.trim_end_matches('.'));
    let (text, lines) = written::timeline(timeline(recording));
    let answer = json!({
        "id": id,
        "trace": written::trace(recording, file),
        "text": text,
        "lines": lines,
        "summary": line,
        "scenario": tested.map(|tested| written::scenario(tested, file)),
    });
    let coverage = Coverage::of(recording);
    let ran = Ran {
        trace: id,
        title: title.clone(),
        summary: line,
        status: status(recording, tested).to_owned(),
        files: decorations::files(asked.view, file.places(), &coverage, &remarks_of(recording, tested)),
        ends: vec![End { uri: trace.subject.uri.as_str().into(), run: runnable, summary: short }],
    };
    (answer, ran)
}

/// The errors of a run. If a scenario has expectations, only failed expectations are errors.
fn remarks_of(recording: &Recording, tested: Option<&Tested>) -> Vec<Remark> {
    match tested {
        Some(tested) => remarks::of_scenario(tested),
        None => remarks::of_run(recording),
    }
}

fn status<'r>(recording: &'r Recording, tested: Option<&Tested>) -> &'r str {
    match tested {
        Some(tested) if tested.is_passed() => "passed",
        Some(_) => "failed",
        None => recording.outcome.status.word(),
    }
}

/// The result of a scenario in a few words.
fn verdict(tested: &Tested, run: &str) -> String {
    match (&tested.ended, tested.mismatches.len()) {
        (Err(_), _) => "cannot run".to_owned(),
        (Ok(_), 0) => format!("passed, {run}"),
        (Ok(_), 1) => format!("failed, 1 expectation not met, {run}"),
        (Ok(_), count) => format!("failed, {count} expectations not met, {run}"),
    }
}

/// What to run again, with the answers that lead to the point where it branches off.
fn forked(fork: &Fork, traces: &TraceIndex) -> Result<(RunRequest, Option<Replay>)> {
    let trace = traces.get(&fork.trace).ok_or_else(|| gone(&fork.trace))?;
    let recording = &trace.recording;
    let (Some(before), Some(event)) = (recording.events.get(..fork.event), recording.events.get(fork.event))
    else {
        return Err(past(fork.event, recording));
    };
    let replay = Replay::of(recording.seed, before);
    let replay = match &fork.answer {
        Some(answer) => replay.otherwise(before, event, answer).map_err(refused)?,
        None => replay,
    };
    Ok((trace.subject.clone(), Some(replay)))
}

/// `nodewise.stateAt`
pub(crate) fn state_at(asked: &Asked<'_>, point: &Point, traces: &TraceIndex) -> Result<Value> {
    #[cfg(feature = "live")]
    if let Some(follow) = &point.follow {
        let found = traces.growing.state_at(&follow.to_string(), point.event);
        let (standing, events) =
            found.ok_or_else(|| request_failed(format!("no run {follow} is followed")))?;
        return Ok(written::state(&standing, point.event, events));
    }
    let id = point.trace.as_deref().unwrap_or_default();
    let trace = traces.get(id).ok_or_else(|| gone(id))?;
    let recording = &trace.recording;
    match trace.state_at(point.event) {
        Some(standing) => {
            let mut answer = written::state(&standing, point.event, recording.events.len());
            answer["values"] = Value::Array(values::values(asked, &trace, point.event, &standing));
            Ok(answer)
        }
        None => Err(past(point.event, recording)),
    }
}

/// `nodewise.scenario`: the text of a scenario that repeats a kept run.
pub(crate) fn scenario(
    asked: &Asked<'_>,
    keeping: &ScenarioExportRequest,
    traces: &TraceIndex,
) -> Result<Value> {
    let trace = traces.get(&keeping.trace).ok_or_else(|| gone(&keeping.trace))?;
    let subject = &trace.subject;
    let file = asked.file(&subject.uri).ok_or_else(|| unknown(&subject.uri))?;
    let path = asked.view.path_in(file.project, keeping.uri.as_str());
    let path = path
        .ok_or_else(|| request_failed("the scenario must be in the same project as its graph".to_owned()))?;
    let script = match &subject.script {
        Some(Script::File(uri)) => Some(asked.file(uri).ok_or_else(|| unknown(uri))?),
        Some(Script::Inline { .. }) | None => None,
    };
    let begun = subject.begin(file.snapshot(), &file, script.as_ref()).map_err(refused)?;
    let beginning = Beginning { target: &begun.target, scenario: &begun.script, uses: &begun.uses };
    let text = scenario_text(file.snapshot(), &trace.recording, &beginning, &path).map_err(refused)?;
    Ok(json!({"text": text}))
}

/// `nodewise.scripts`: the scripts that can answer in simulations of a file, the best first.
pub(crate) fn scripts(asked: &Asked<'_>, subject: &ScriptsParams) -> Result<Value> {
    let file = asked.file(&subject.uri).ok_or_else(|| unknown(&subject.uri))?;
    let scripts = matching_scripts(file.snapshot(), file.facts, subject.graph.as_deref());
    let listed = scripts.into_iter().filter_map(|script| {
        let uri = file.project.uri(script.found.path)?;
        let mut answer = json!({"uri": &*uri, "isMadeFor": script.is_made_for});
        let whole = whole(file.snapshot(), script.found.scenario, script.found.path);
        match whole.map(|whole| whole.start) {
            Ok(start) if !start.turns.is_empty() => answer["turns"] = start.turns.len().into(),
            Ok(StartState { input: Some(input), .. }) => answer["input"] = to_json(&input.value),
            Ok(_) | Err(_) => {}
        }
        Some(answer)
    });
    Ok(listed.collect())
}

/// `nodewise.inputSchema`: `null` if the declarations do not describe the input, or if nothing has the names.
pub(crate) fn input_schema_of(asked: &Asked<'_>, subject: &InputSchemaParams) -> Result<Value> {
    let file = asked.file(&subject.uri).ok_or_else(|| unknown(&subject.uri))?;
    let (graph, node) = (subject.graph.as_deref(), subject.node.as_deref());
    let target = SimulationTarget::named(file.snapshot(), Some(file.source()), graph, node).ok();
    Ok(target.and_then(|target| input_schema(file.snapshot(), &target)).unwrap_or_default())
}

/// `nodewise.test`: the answer, and the decorations.
pub(crate) fn test(asked: &Asked<'_>, suite: &Suite, progress: &mut Progress) -> Result<(Value, Vec<Ran>)> {
    let files = match &suite.uri {
        Some(uri) => vec![asked.file(uri).ok_or_else(|| unknown(uri))?],
        None => asked.view.projects.values().flat_map(|project| with_scenarios(asked, project)).collect(),
    };
    let mut answers = Vec::new();
    let mut shown = Vec::new();
    let mut counts = Counts::default();
    for file in &files {
        let found = scenarios_of(file.snapshot(), file.facts);
        let positions_and_tests = found.map(|found| {
            let tested = watched(file.snapshot(), &found, |run| progress.look(run));
            (found.document.position, tested)
        });
        let (positions, mut tests): (Vec<u32>, Vec<Tested>) =
            positions_and_tests.take_while(|_| !asked.cancel.is_cancelled()).unzip();
        if asked.cancel.is_cancelled() {
            return Err(Error::request_cancelled());
        }
        check_coverage(&mut tests);
        let own = Counts::of(&tests);
        counts.passed += own.passed;
        counts.failed += own.failed;
        counts.broken += own.broken;
        answers.extend(tests.iter().map(|tested| written::scenario(tested, file)));
        if !tests.is_empty() {
            shown.push(suite_decorations(asked, file, &positions, &tests, own));
        }
    }
    let answer = json!({
        "passed": counts.passed, "failed": counts.failed, "broken": counts.broken,
        "scenarios": answers,
        "files": shown.iter().flat_map(|ran: &Ran| &ran.files).map(convert::runs::file).collect::<Vec<_>>(),
    });
    Ok((answer, shown))
}

/// The files of a project that contain scenarios.
fn with_scenarios<'v>(asked: &'v Asked<'_>, project: &'v ProjectView) -> impl Iterator<Item = File<'v>> {
    let files = project.snapshot.files().iter();
    let holds = |file: &&Arc<FileFacts>| scenarios_of(&project.snapshot, file).next().is_some();
    files.filter(holds).filter_map(|file| asked.file_in(project, file.source))
}

/// The decorations for the scenarios of a file.
fn suite_decorations(
    asked: &Asked<'_>,
    file: &File<'_>,
    positions: &[u32],
    tests: &[Tested],
    counts: Counts,
) -> Ran {
    let mut coverage = Coverage::default();
    tests.iter().for_each(|tested| coverage.add(&tested.coverage));
    let remarks: Vec<Remark> = tests.iter().flat_map(remarks::of_scenario).collect();
    let uri = file.project.uri(&file.facts.path).unwrap_or_default();
    let ends = positions.iter().zip(tests).map(|(position, tested)| {
        let outcome = tested.ended.as_ref().map(|ended| ended.outcome.as_str()).unwrap_or_default();
        End {
            uri: Arc::clone(&uri),
            run: Runnable { scenario: Some(*position), ..Runnable::default() },
            summary: verdict(tested, outcome),
        }
    });
    Ran {
        trace: None,
        title: file.facts.path.to_string(),
        summary: format!("{} passed, {} failed", counts.passed, counts.all() - counts.passed),
        status: if counts.passed == counts.all() { "passed" } else { "failed" }.to_owned(),
        files: decorations::files(asked.view, file.places(), &coverage, &remarks),
        ends: ends.collect(),
    }
}

pub(crate) fn unknown(uri: &Uri) -> Error {
    Error::invalid_params(format!("the file `{}` is not in any project", uri.as_str()))
}

pub(crate) fn gone(trace: &str) -> Error {
    request_failed(format!("the trace `{trace}` is no longer available"))
}

fn past(event: usize, recording: &Recording) -> Error {
    request_failed(format!(
        "the trace has only {} events, so there is no event {event}",
        recording.events.len()
    ))
}

pub(crate) fn refused(fault: TargetError) -> Error {
    request_failed(fault.to_string())
}
