//! What is shown of a stop: threads, frames, scopes, variables, what went wrong.

use nodewise_debugger::frames::{FrameKind, StackFrame};
use nodewise_debugger::state_path::StatePath;
use nodewise_debugger::variables::{Contents, ScopeKind, Variable, member_count, members};
use nodewise_engine::event::EventKind;
use nodewise_engine::outcome::Failure;
use nodewise_expr::value::Value as Data;
use serde_json::{Value, json};
use smol_str::SmolStr;

use super::Answer;
use crate::arguments::{OfFrame, StackTrace, Variables};
use crate::references::{Container, References, ValueOrigin};
use crate::refusal::{Refusal, RefusalKind};
use crate::session::{DebugSession, DebuggedRun, Phase};

/// The maximum number of lanes that are shown as threads.
const THREADS_MAX: usize = 100;
/// For a mapping with more members, the client gets their number, so that it can read them in parts.
const MEMBERS_MAX: usize = 100;

pub(super) fn threads(session: &mut DebugSession<'_>) -> Result<Answer, Refusal> {
    let mut threads = Vec::new();
    if let Some(run) = session.run.as_ref().filter(|_| session.phase == Phase::Active) {
        let lanes = run.debugger.stacks().lanes_at(run.debugger.cursor().position);
        let more = lanes.len().saturating_sub(THREADS_MAX);
        for (lane, name) in lanes.into_iter().take(THREADS_MAX) {
            threads.push(json!({"id": lane, "name": name}));
        }
        if more > 0 {
            threads.push(json!({"id": i32::MAX, "name": format!("… {more} more")}));
        }
    }
    if threads.is_empty() {
        threads.push(json!({"id": 1, "name": "run"}));
    }
    Ok(Answer::of(json!({ "threads": threads })))
}

/// `stackTrace`
pub(super) fn stack_trace(session: &mut DebugSession<'_>, given: &StackTrace) -> Result<Answer, Refusal> {
    let run = session.stopped_run()?;
    let lane = u32::try_from(given.thread_id).unwrap_or(0);
    let is_known =
        run.debugger.stacks().lanes_at(run.debugger.cursor().position).iter().any(|(one, _)| *one == lane);
    if !is_known && given.thread_id != i64::from(i32::MAX) {
        return Err(Refusal::new(
            RefusalKind::BadArguments,
            format!("there is no thread {}", given.thread_id),
        ));
    }
    let frames = if is_known { run.debugger.frames(lane) } else { Vec::new() };
    let total = frames.len();
    let start = given.start_frame.unwrap_or(0);
    let levels = given.levels.filter(|levels| *levels > 0).unwrap_or(usize::MAX);
    let mut written = Vec::new();
    for frame in frames.into_iter().skip(start).take(levels) {
        let body = described(run, &frame, session);
        written.push((frame, body));
    }
    let with_ids = written.into_iter().map(|(frame, mut body)| {
        let id = session.references.frame(frame);
        if let Value::Object(members) = &mut body {
            members.shift_insert(0, "id".to_owned(), id.into());
        }
        body
    });
    let stack_frames: Vec<Value> = with_ids.collect();
    Ok(Answer::of(json!({"stackFrames": stack_frames, "totalFrames": total})))
}

fn described(run: &DebuggedRun, frame: &StackFrame, session: &DebugSession<'_>) -> Value {
    let mut body =
        json!({"name": frame.name, "line": 0, "column": 0, "canRestart": frame.kind == FrameKind::Node});
    let Value::Object(members) = &mut body else { return body };
    let at = frame.at.and_then(|at| {
        let source = run.files.source(at.source, session.counting, session.launcher)?;
        Some((source, run.files.span(at, session.counting)?))
    });
    match at {
        Some((source, ((line, column), (end_line, end_column)))) => {
            members.insert("source".to_owned(), source);
            members.insert("line".to_owned(), line.into());
            members.insert("column".to_owned(), column.into());
            members.insert("endLine".to_owned(), end_line.into());
            members.insert("endColumn".to_owned(), end_column.into());
        }
        None => drop(members.insert("presentationHint".to_owned(), "subtle".into())),
    }
    body
}

pub(super) fn scopes(session: &mut DebugSession<'_>, given: &OfFrame) -> Result<Answer, Refusal> {
    let run = session.stopped_run()?;
    let frame = session.references.get_frame(given.frame_id)?.clone();
    let contents = Contents::of(run.debugger.stacks(), &frame);
    let counted = contents.scopes().into_iter().map(|kind| (kind, contents.variables(kind).len()));
    let counted: Vec<(ScopeKind, usize)> = counted.collect();
    let written = counted.into_iter().map(|(kind, count)| {
        let reference = session.references.container(Container::Scope(given.frame_id, kind));
        let mut body = json!({
            "name": kind.title(), "variablesReference": reference, "namedVariables": count,
            "expensive": matches!(kind, ScopeKind::Budget | ScopeKind::Surroundings),
        });
        let hint = match kind {
            ScopeKind::Inputs => Some("arguments"),
            ScopeKind::State => Some("locals"),
            ScopeKind::Result => Some("returnValue"),
            _ => None,
        };
        if let (Value::Object(members), Some(hint)) = (&mut body, hint) {
            members.insert("presentationHint".to_owned(), hint.into());
        }
        body
    });
    let written: Vec<Value> = written.collect();
    Ok(Answer::of(json!({ "scopes": written })))
}

pub(super) fn variables(session: &mut DebugSession<'_>, given: &Variables) -> Result<Answer, Refusal> {
    let run = session.stopped_run()?;
    let (start, count) = (given.start.unwrap_or(0), given.count.unwrap_or(0));
    let found: Vec<(Option<StatePath>, Variable)> =
        match session.references.get_container(given.variables_reference)? {
            Container::Scope(frame, kind) => {
                let frame = session.references.get_frame(*frame)?;
                let all = Contents::of(run.debugger.stacks(), frame).variables(*kind);
                let count = if count == 0 { usize::MAX } else { count };
                let graph = graph_of(run, frame).filter(|_| *kind == ScopeKind::State);
                let path = |one: &Variable| Some(StatePath::new(graph.clone()?, one.name.as_str()));
                let shown = all.into_iter().skip(start).take(count);
                shown.map(|one| (path(&one), one)).collect()
            }
            Container::Value(ValueOrigin { value, expression, path }) => {
                let all = match (given.filter.as_deref(), member_count(value)) {
                    (Some("indexed"), (_, false)) | (Some("named"), (_, true)) => Vec::new(),
                    _ => members(value, expression.as_deref(), start, count),
                };
                let below = |one: &Variable| Some(path.as_ref()?.member(&one.name));
                all.into_iter().map(|one| (below(&one), one)).collect()
            }
        };
    let found = found.into_iter().map(|(path, one)| written(&mut session.references, one, path));
    let written: Vec<Value> = found.collect();
    Ok(Answer::of(json!({ "variables": written })))
}

/// The id in the log of the graph that a frame is in.
pub(super) fn graph_of(run: &DebuggedRun, frame: &StackFrame) -> Option<SmolStr> {
    let who = run.debugger.timeline().moments().who();
    who.scope(frame.scope).map(|run| run.graph.clone())
}

/// A variable as the protocol describes it. `path` is the part of the state that it is, if it is one.
fn written(references: &mut References, variable: Variable, path: Option<StatePath>) -> Value {
    let mut body = json!({"name": variable.name, "value": variable.shown(), "variablesReference": 0});
    let Value::Object(fields) = &mut body else { return body };
    if variable.value != Data::Undefined {
        fields.insert("type".to_owned(), variable.value.type_name().into());
    }
    if let Some(expression) = &variable.expression {
        fields.insert("evaluateName".to_owned(), expression.as_str().into());
    }
    if let Some(writer) = variable.writer {
        // For some clients, 0 is no id.
        fields.insert("valueLocationReference".to_owned(), (writer + 1).into());
    }
    if !variable.is_editable {
        fields.insert("presentationHint".to_owned(), json!({"attributes": ["readOnly"]}));
    }
    let origin = ValueOrigin { value: variable.value, expression: variable.expression, path };
    refer(references, fields, origin);
    body
}

/// Adds the number with which the client requests the members of a value. A value without members gets none.
pub(super) fn refer(
    references: &mut References,
    fields: &mut serde_json::Map<String, Value>,
    origin: ValueOrigin,
) {
    let (count, is_numbered) = member_count(&origin.value);
    if count == 0 {
        return;
    }
    let reference = references.container(Container::Value(origin));
    fields.insert("variablesReference".to_owned(), reference.into());
    if count > MEMBERS_MAX || is_numbered {
        let key = if is_numbered { "indexedVariables" } else { "namedVariables" };
        fields.insert(key.to_owned(), count.into());
    }
}

/// `exceptionInfo`
pub(super) fn exception_info(session: &mut DebugSession<'_>) -> Result<Answer, Refusal> {
    let run = session.stopped_run()?;
    let debugger = &run.debugger;
    let position = debugger.cursor().position;
    let log = debugger.timeline().log();
    let failure = match log.get(position).map(|event| &event.kind) {
        Some(EventKind::VisitEnded { result: Err(failure), .. } | EventKind::Retried { failure, .. }) => {
            Some(failure)
        }
        Some(EventKind::Answered { answer, .. }) => answer.result.as_ref().err(),
        None => debugger.timeline().outcome().and_then(|outcome| outcome.failure.as_ref()),
        _ => None,
    };
    let what = debugger.what(position);
    let frames = debugger.frames(debugger.lane());
    let path: Vec<String> = frames.iter().map(|frame| format!("  at {}", frame.name)).collect();
    let id = failure.map_or("exception", |failure| failure.class.as_str());
    let message = failure.map_or(what.as_str(), |failure| failure.message.as_str());
    let mut details = json!({"message": message, "typeName": id, "stackTrace": path.join("\n")});
    if let (Value::Object(members), Some(Failure { cause: Some(cause), .. })) = (&mut details, failure) {
        members.insert("innerException".to_owned(), json!([{"typeName": cause.as_str()}]));
    }
    Ok(Answer::of(json!({
        "exceptionId": id, "description": message, "breakMode": "always", "details": details,
    })))
}
