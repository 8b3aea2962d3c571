//! A run as a scenario, or as the case of an eval: who answered what, and how it ended.
//!
//! Input: a recording, and what its run began with; output: the text of a scenario. Invariant: the scenario was read back
//! and run again, and did the same, before it is handed out.

use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::tables::scenario::{EVAL_KIND, SCENARIO_KIND};
use nodewise_engine::ask::{Answer, Decision, Question};
use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::explore::witness::Given;
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_model::scenario::Scenario;
use nodewise_syntax::NodeValue;
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::exploration::course;
use crate::prepare::prepare;
use crate::recording::Recording;
use crate::scenario::whole;
use crate::target::{SimulationTarget, TargetError, folder_of};
use crate::testing::{main_path, next_nodes};
use crate::trace::Replay;
use crate::writer::{LeftOut, WriterContext, head, key, parts, read_back, script_text, waits};

/// What a recorded run began with.
#[derive(Debug)]
pub struct Beginning<'b> {
    /// What ran.
    pub target: &'b SimulationTarget,
    /// Its script or scenario, merged with everything that this uses.
    pub scenario: &'b Scenario,
    /// The files that say what the scenario itself cannot express, by their paths in the project.
    pub uses: &'b [String],
}

/// Writes a recorded run as a scenario, for a file at `path` in the project. What the files in `uses` already say is left
/// out.
///
/// # Errors
/// If no scenario can express the run.
pub fn scenario_text(
    snapshot: &Snapshot,
    recording: &Recording,
    beginning: &Beginning<'_>,
    path: &str,
) -> Result<String, TargetError> {
    let declared = beginning.target.graph(snapshot);
    let name = declared.and_then(|graph| graph.name.as_ref()).map(|name| name.value.as_str());
    let what = name.map_or_else(|| recording.title.replace('`', ""), str::to_owned);
    let title = format!("A run of {what}, {}.", recording.outcome.status.word());
    let (frame, text) = whole_text(snapshot, recording, beginning, path, &title)?;
    Ok(shortened(snapshot, recording, (beginning, path), frame).unwrap_or(text))
}

/// Writes a recorded run as a scenario with a title and every answer.
///
/// # Errors
/// If no scenario can express the run.
pub(crate) fn titled_scenario_text(
    snapshot: &Snapshot,
    recording: &Recording,
    beginning: &Beginning<'_>,
    path: &str,
    title: &str,
) -> Result<String, TargetError> {
    whole_text(snapshot, recording, beginning, path, title).map(|(_, text)| text)
}

/// The scenario of a run with every answer, and the context that it was written with.
fn whole_text<'r>(
    snapshot: &Snapshot,
    recording: &'r Recording,
    beginning: &Beginning<'r>,
    path: &str,
    title: &str,
) -> Result<(WriterContext<'r>, String), TargetError> {
    if !beginning.scenario.phases.is_empty() {
        return Err(TargetError::new(
            "a run that was ended and resumed cannot be written as one scenario".to_owned(),
        ));
    }
    let inexpressible =
        || TargetError::new("the scenario format cannot express an answer of this run".to_owned());
    let main = recording.events.iter().find_map(|event| match &event.kind {
        EventKind::GraphStarted { graph, .. } => Some(graph.as_str()),
        _ => None,
    });
    let first = recording.visits().next().map(|(_, _, node)| node);
    // Ids of tool calls make a scenario harder to read, so they are written only if the run needs them.
    for has_call_ids in [false, true] {
        let frame = WriterContext {
            lead: lead(snapshot, beginning, first, (folder_of(path), title)),
            main: main.unwrap_or_default(),
            scenario: beginning.scenario,
            charts: &recording.charts,
            is_plain: true,
            has_call_ids,
            is_case: false,
            left_out: LeftOut::default(),
        };
        let text = text_of(recording, &frame).ok_or_else(inexpressible)?;
        if is_same(recording, run_again(snapshot, &text, path)?.as_ref()) {
            return Ok((frame, text));
        }
    }
    Err(TargetError::new("a scenario with the answers of this run would take another path".to_owned()))
}

fn text_of(recording: &Recording, frame: &WriterContext<'_>) -> Option<String> {
    let answers = script_text(&given(recording.seed, &recording.events), &waits(&recording.events), frame)?;
    Some(format!("{answers}{}", expectations(recording, frame.scenario.target.is_alone)))
}

/// Whether another run took the same course and ended with the same status.
fn is_same(recording: &Recording, again: Option<&(Vec<Event>, &'static str)>) -> bool {
    again.is_some_and(|(events, status)| {
        course(events) == course(&recording.events) && *status == recording.outcome.status.word()
    })
}

/// The scenario without what the files that it uses already say. `None` if it uses no files, or if the run is too long to
/// try this.
fn shortened(
    snapshot: &Snapshot,
    recording: &Recording,
    (beginning, path): (&Beginning<'_>, &str),
    mut frame: WriterContext<'_>,
) -> Option<String> {
    // Whether a part can be left out is found by a run, so long runs are not tried.
    const EVENTS_MAX: usize = 5_000;
    if beginning.uses.is_empty() || recording.events.len() > EVENTS_MAX {
        return None;
    }
    let every = text_of(recording, &frame)?;
    let parts = parts(&given(recording.seed, &recording.events), &waits(&recording.events), &frame)?;
    // Runs the scenario without the parts that are left out. Returns its text if the run still gives every answer.
    let gives_every = |frame: &WriterContext<'_>| {
        let text = text_of(recording, frame)?;
        let again = run_again(snapshot, &text, path).ok()??;
        let all = WriterContext { left_out: LeftOut::default(), lead: frame.lead.clone(), ..*frame };
        let answers = script_text(&given(recording.seed, &again.0), &waits(&again.0), &all)?;
        (is_same(recording, Some(&again)) && every.starts_with(&answers)).then_some(text)
    };
    // Two parts that share a list of answers can only be left out together. So what failed is tried again after each
    // success.
    let mut count = None;
    while count != Some(frame.left_out.parts.len()) {
        count = Some(frame.left_out.parts.len());
        for part in &parts {
            if frame.left_out.parts.insert(part.clone()) && gives_every(&frame).is_none() {
                frame.left_out.parts.remove(part);
            }
        }
    }
    frame.left_out.start = true;
    let begins_the_same = |text: &str| {
        let scenario = whole(snapshot, &read_back(text, SCENARIO_KIND)?, path).ok()?;
        let start = |scenario| {
            let left_out = LeftOut::default();
            head(&WriterContext { scenario, left_out, lead: frame.lead.clone(), ..frame })
        };
        (start(&scenario) == start(frame.scenario)).then_some(())
    };
    let without_start = gives_every(&frame).filter(|text| begins_the_same(text).is_some());
    without_start.or_else(|| {
        frame.left_out.start = false;
        gives_every(&frame)
    })
}

/// Writes a file of evals with a run as one of its cases: its input, the answers of tools, functions and people, and what
/// must hold. Answers of models are left out, because an eval asks models. `existing` is the text of the file that gets the
/// case.
///
/// # Errors
/// If no case can express the run, or if the file has no place for it.
pub fn eval_with_case(
    snapshot: &Snapshot,
    recording: &Recording,
    beginning: &Beginning<'_>,
    path: &str,
    (title, existing): (&str, Option<&str>),
) -> Result<String, TargetError> {
    let case = case_text(recording, beginning, title)?;
    let text = match existing {
        Some(text) => with_case(text, &case)?,
        None => {
            let what = subject(snapshot, beginning.target, folder_of(path)).into_iter();
            let what: String = what.map(|(key, value)| format!("{key}: {value}\n")).collect();
            let about = format!("Runs of {}.", recording.title.replace('`', ""));
            format!("eval: {}\n{what}cases:\n{}", Json::from(about), item(&case, 2))
        }
    };
    let count = |text: &str| Some(read_back(text, EVAL_KIND)?.eval?.cases.len());
    let before = existing.map_or(Some(0), count);
    match (before, count(&text)) {
        (Some(before), Some(after)) if after == before + 1 => Ok(text),
        _ => Err(TargetError::new("the case cannot be added to the file".to_owned())),
    }
}

/// The expectations of a scenario: the status and the path of the run, and for a run of one node also where it leads.
fn expectations(recording: &Recording, is_alone: bool) -> String {
    let listed = |names: &[SmolStr]| names.iter().map(|name| key(name)).collect::<Vec<_>>().join(", ");
    let (status, path) = (key(recording.outcome.status.word()), listed(&main_path(recording)));
    let next = is_alone.then(|| format!("  next: [{}]\n", listed(&next_nodes(recording))));
    format!("expect:\n  status: {status}\n  path: [{path}]\n{}", next.unwrap_or_default())
}

/// A run as the text of a case, one key per line.
fn case_text(recording: &Recording, beginning: &Beginning<'_>, title: &str) -> Result<String, TargetError> {
    let events = &recording.events;
    let main = events.iter().find_map(|event| match &event.kind {
        EventKind::GraphStarted { graph, .. } => Some(graph.as_str()),
        _ => None,
    });
    let frame = WriterContext {
        lead: vec![("case", title.into())],
        main: main.unwrap_or_default(),
        scenario: beginning.scenario,
        charts: &recording.charts,
        is_plain: false,
        has_call_ids: true,
        is_case: true,
        left_out: LeftOut::default(),
    };
    let mut answers = Replay::of(recording.seed, events).answers;
    let given = events.iter().filter_map(|event| match &event.kind {
        EventKind::Asked { ask, what, .. } => {
            let answer = answers.remove(ask)?;
            let is_model = matches!(what.what, Question::Model(_));
            let answer = Answer { after: Millis::ZERO, usage: Usage::default(), ..answer };
            (!is_model).then(|| Given::answer(what, answer))
        }
        EventKind::Resumed { decision } => {
            let decision = Decision { after: Millis::ZERO, ..(**decision).clone() };
            Some(Given::Decision { node: None, decision })
        }
        _ => None,
    });
    let inexpressible =
        || TargetError::new("the scenario format cannot express an answer of this run".to_owned());
    let given: Vec<Given> = given.collect();
    let answers = script_text(&given, &waits(events), &frame).ok_or_else(inexpressible)?;
    Ok(format!("{answers}{}", expectations(recording, false)))
}

/// A mapping as an item of a list whose dash is in this column.
fn item(mapping: &str, column: usize) -> String {
    let (dash, indent) = (" ".repeat(column), " ".repeat(column + 2));
    let lines = mapping.lines().enumerate();
    let lines = lines.map(|(number, line)| match number {
        0 => format!("{dash}- {line}\n"),
        _ => format!("{indent}{line}\n"),
    });
    lines.collect()
}

/// Adds a case to the text of a file of evals, as the last one of its first eval.
fn with_case(text: &str, case: &str) -> Result<String, TargetError> {
    let no_list = || TargetError {
        message: "the file has no eval with a list of `cases`".to_owned(),
        help: Some("write its cases as a list with a `-` for each, or name a new file".to_owned()),
    };
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().next().and_then(|document| document.root()).ok_or_else(no_list)?;
    let NodeValue::Mapping(root) = root.value() else { return Err(no_list()) };
    let cases = root.entries().find(|entry| entry.key_text().as_deref() == Some(CASES));
    let Some(NodeValue::Sequence(cases)) = cases.and_then(|entry| entry.value()).map(|node| node.value())
    else {
        return Err(no_list());
    };
    let last = cases.items().last().filter(|_| !cases.is_flow()).ok_or_else(no_list)?;
    let start = usize::from(last.range().start());
    let line = text.get(..start).unwrap_or_default().rfind('\n').map_or(0, |end| end + 1);
    let column = text.get(line..start).unwrap_or_default().chars().count();
    let before = text.get(..usize::from(last.range().end())).unwrap_or_default().trim_end();
    let rest = text.get(before.len()..).unwrap_or_default();
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')).unwrap_or(rest);
    Ok(format!("{before}\n{}{rest}", item(case, column)))
}

/// The key of the cases of an eval.
const CASES: &str = "cases";

/// The first keys of a scenario: the title, the used files, and what to run.
fn lead(
    snapshot: &Snapshot,
    beginning: &Beginning<'_>,
    main: Option<&SmolStr>,
    (folder, title): (&str, &str),
) -> Vec<(&'static str, Json)> {
    let mut lead = vec![("scenario", Json::from(title))];
    let uses: Vec<String> = beginning.uses.iter().map(|path| name_from(folder, path)).collect();
    match uses.as_slice() {
        [] => {}
        [one] => lead.push(("uses", one.as_str().into())),
        several => lead.push(("uses", several.into())),
    }
    lead.extend(subject(snapshot, beginning.target, folder));
    if beginning.scenario.target.is_alone {
        // Without a named node, the run begins at the first node of the graph.
        let first = main.map(|name| ("only", Json::from(name.as_str())));
        match lead.iter_mut().find(|(key, _)| *key == "start") {
            Some((key, _)) => *key = "only",
            None => lead.extend(first),
        }
    }
    lead
}

/// The keys that say what to run, for a file in `folder`.
pub(crate) fn subject(
    snapshot: &Snapshot,
    target: &SimulationTarget,
    folder: &str,
) -> Vec<(&'static str, Json)> {
    let mut words = Vec::new();
    let file = snapshot.file(target.document().source);
    words.extend(file.map(|file| ("file", Json::from(name_from(folder, &file.path)))));
    let graph = target.graph(snapshot).and_then(|graph| graph.id.as_ref());
    words.extend(graph.map(|id| ("graph", Json::from(id.value.as_str()))));
    let start = match target {
        SimulationTarget::Graph { node, .. } => node.as_deref(),
        SimulationTarget::Agent { start, .. } => Some(start.as_str()),
    };
    words.extend(start.map(|start| ("start", Json::from(start))));
    words
}

/// How a file in `folder` names another file: by a relative path inside the folder, else by a path from the project's
/// folder with `/` in front.
fn name_from(folder: &str, path: &str) -> String {
    let inside = match folder {
        "" => Some(path),
        folder => path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
    };
    inside.map_or_else(|| format!("/{path}"), str::to_owned)
}

/// The answers and decisions of a run, in the order of the questions.
fn given(seed: u64, events: &[Event]) -> Vec<Given> {
    let mut answers = Replay::of(seed, events).answers;
    let given = events.iter().filter_map(|event| match &event.kind {
        EventKind::Asked { ask, what, .. } => Some(Given::answer(what, answers.remove(ask)?)),
        EventKind::Resumed { decision } => {
            Some(Given::Decision { node: None, decision: (**decision).clone() })
        }
        _ => None,
    });
    given.collect()
}

/// Runs a scenario, and returns its log and status. `None` if the text is not a scenario.
fn run_again(
    snapshot: &Snapshot,
    text: &str,
    path: &str,
) -> Result<Option<(Vec<Event>, &'static str)>, TargetError> {
    let Some(own) = read_back(text, SCENARIO_KIND) else { return Ok(None) };
    let scenario = whole(snapshot, &own, path)?;
    let target = SimulationTarget::find(snapshot, &scenario.target, folder_of(path))?;
    let mut run = prepare(snapshot, &target, &scenario)?;
    let outcome = run.drive(|_| true);
    let recording = run.recording(outcome);
    Ok(Some((recording.events, recording.outcome.status.word())))
}
