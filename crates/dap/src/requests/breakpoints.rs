//! Breakpoints in files, by name, and on what goes wrong.

use std::sync::Arc;

use nodewise_debugger::breakpoints::{BreakpointSpec, ExceptionFilter, HitCondition, LogMessage, Trigger};
use nodewise_debugger::expressions;
use nodewise_debugger::locations::{BreakpointLocation, Subject};
use nodewise_model::Origin;
use serde_json::{Value, json};

use super::Answer;
use crate::arguments::{
    BreakpointConditions, Lines, SetBreakpoints, SetExceptionBreakpoints, SetFunctionBreakpoints,
    SourceBreakpoint,
};
use crate::refusal::Refusal;
use crate::session::{DebugSession, DebuggedRun};

/// The name of the list of breakpoints by name.
pub(super) const FUNCTIONS: &str = "functions";
const EXCEPTIONS: &str = "exceptions";

/// A breakpoint that the client wants: what to stop at and where it is, or why it cannot be set.
pub(super) type Wanted = Result<(BreakpointSpec, Option<Origin>), String>;

/// Reads the condition, the hit count and the log message of a breakpoint. The error is a message for the user.
pub(super) fn spec(
    run: &DebuggedRun,
    trigger: Trigger,
    when: &BreakpointConditions,
) -> Result<BreakpointSpec, String> {
    let text = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let timeline = run.debugger.timeline();
    let condition = text(&when.condition);
    if let Some(condition) = &condition {
        expressions::check(timeline, condition)?;
    }
    let hit = text(&when.hit_condition).map(|text| HitCondition::parse(&text)).transpose()?;
    let log = text(&when.log_message).map(|text| LogMessage::parse(&text)).transpose()?;
    for expression in log.iter().flat_map(LogMessage::expressions) {
        expressions::check(timeline, expression)?;
    }
    Ok(BreakpointSpec { trigger, condition, hit, log })
}

/// Sets the breakpoints of a list, and describes each of them for the client. With `noDebug`, none is set.
pub(super) fn put(session: &mut DebugSession<'_>, list: &str, wanted: Vec<Wanted>) -> Vec<Value> {
    let Some(run) = &mut session.run else { return Vec::new() };
    let specs = wanted.iter().filter_map(|one| one.as_ref().ok()).map(|(spec, _)| spec.clone()).collect();
    let is_off = session.arguments.no_debug;
    let mut ids = run.debugger.breakpoints.replace(list, if is_off { Vec::new() } else { specs }).into_iter();
    let mut described = Vec::new();
    for one in wanted {
        described.push(match one {
            Ok((_, at)) => {
                // With `noDebug` nothing is set, but each breakpoint in the response needs a number.
                let id = ids.next().unwrap_or_else(|| run.debugger.breakpoints.fresh_id());
                let mut written = json!({"id": id, "verified": true});
                let span = at.and_then(|at| run.files.span(at, session.counting));
                if let (Value::Object(members), Some(((line, column), (end_line, end_column)))) =
                    (&mut written, span)
                {
                    members.insert("line".to_owned(), line.into());
                    members.insert("column".to_owned(), column.into());
                    members.insert("endLine".to_owned(), end_line.into());
                    members.insert("endColumn".to_owned(), end_column.into());
                }
                if let (Value::Object(members), Some(at)) = (&mut written, at)
                    && let Some(source) = run.files.source(at.source, session.counting, session.launcher)
                {
                    members.insert("source".to_owned(), source);
                }
                written
            }
            Err(message) => {
                let id = run.debugger.breakpoints.fresh_id();
                json!({"id": id, "verified": false, "message": message, "reason": "failed"})
            }
        });
    }
    described
}

/// `setBreakpoints`
pub(super) fn set(session: &mut DebugSession<'_>, given: SetBreakpoints) -> Result<Answer, Refusal> {
    let path = given.source.path.clone().unwrap_or_default();
    session.client_breakpoints.files.insert(path.clone(), given.breakpoints);
    let described = set_file(session, &path);
    Ok(Answer::of(json!({ "breakpoints": described })))
}

/// Sets the breakpoints of a file.
fn set_file(session: &mut DebugSession<'_>, path: &str) -> Vec<Value> {
    let client_breakpoints = session.client_breakpoints.files.get(path).cloned().unwrap_or_default();
    let Some(run) = &session.run else {
        return client_breakpoints.iter().map(|_| json!({"verified": false, "reason": "pending"})).collect();
    };
    let source = run.files.find(path, session.launcher);
    let wanted = client_breakpoints.iter().map(|wish| {
        // Editors send the breakpoints of every YAML file, also of files that are not part of the run.
        let source = source.ok_or_else(|| "no graph of the run is in this file".to_owned())?;
        let location = located(run, source, wish, session)
            .ok_or_else(|| "no node, edge or graph of the run begins here".to_owned())?;
        let trigger = Trigger::At(location.subject.clone());
        Ok((spec(run, trigger, &wish.when)?, Some(location.at)))
    });
    let wanted: Vec<Wanted> = wanted.collect();
    put(session, path, wanted)
}

fn located(
    run: &DebuggedRun,
    source: nodewise_model::SourceId,
    wish: &SourceBreakpoint,
    session: &DebugSession<'_>,
) -> Option<BreakpointLocation> {
    let line = session.counting.line(wish.line)?;
    let column = wish.column.and_then(|column| run.files.offset(source, line, column, session.counting));
    let text = run.files.text(source)?;
    run.debugger.locations().on_line(source, text, line, column).cloned()
}

/// `setFunctionBreakpoints`: names of nodes, edges, graphs, agents and tools.
pub(super) fn set_functions(
    session: &mut DebugSession<'_>,
    given: SetFunctionBreakpoints,
) -> Result<Answer, Refusal> {
    session.client_breakpoints.functions = given.breakpoints;
    Ok(Answer::of(json!({ "breakpoints": put_functions(session) })))
}

fn put_functions(session: &mut DebugSession<'_>) -> Vec<Value> {
    let Some(run) = &session.run else {
        let pending = |_| json!({"verified": false, "reason": "pending"});
        return session.client_breakpoints.functions.iter().map(pending).collect();
    };
    let wanted = session.client_breakpoints.functions.iter().map(|wish| {
        let subject = run.debugger.locations().named(&wish.name)?;
        let at = place(run, &subject);
        Ok((spec(run, Trigger::At(subject), &wish.when)?, at))
    });
    let wanted: Vec<Wanted> = wanted.collect();
    put(session, FUNCTIONS, wanted)
}

fn place(run: &DebuggedRun, subject: &Subject) -> Option<Origin> {
    let locations = Arc::clone(run.debugger.locations());
    let files = run.files.snapshot.files().iter();
    let found = files.flat_map(|file| locations.of_file(file.source)).find(|one| one.subject == *subject);
    found.map(|location| location.at)
}

/// `setExceptionBreakpoints`
pub(super) fn set_exceptions(
    session: &mut DebugSession<'_>,
    given: SetExceptionBreakpoints,
) -> Result<Answer, Refusal> {
    session.client_breakpoints.exceptions = given;
    Ok(Answer::of(json!({ "breakpoints": put_exceptions(session) })))
}

fn put_exceptions(session: &mut DebugSession<'_>) -> Vec<Value> {
    let wish = session.client_breakpoints.exceptions.clone();
    let plain = wish.filters.iter().map(|filter| (filter, None));
    let with_options =
        wish.filter_options.iter().map(|option| (&option.filter_id, option.condition.as_ref()));
    let wanted = plain.chain(with_options).map(|(id, condition)| {
        let filter =
            ExceptionFilter::of(id).ok_or_else(|| format!("no exception filter is called `{id}`"))?;
        let classes = condition.into_iter().flat_map(|text| text.split('|'));
        let classes =
            classes.map(|class| class.trim().to_owned()).filter(|class| !class.is_empty()).collect();
        let trigger = Trigger::Exception { filter, classes };
        Ok((BreakpointSpec { trigger, condition: None, hit: None, log: None }, None))
    });
    let wanted: Vec<Wanted> = wanted.collect();
    match session.run {
        Some(_) => put(session, EXCEPTIONS, wanted),
        None => wanted.iter().map(|_| json!({"verified": false, "reason": "pending"})).collect(),
    }
}

/// Sets all breakpoints in files, by name and on what goes wrong, for a run that was just compiled. Describes those
/// in files and by name for the client.
pub(super) fn put_all(session: &mut DebugSession<'_>) -> Vec<Value> {
    let paths: Vec<String> = session.client_breakpoints.files.keys().cloned().collect();
    let mut all = Vec::new();
    for path in paths {
        all.extend(set_file(session, &path));
    }
    all.extend(put_functions(session));
    put_exceptions(session);
    all
}

/// `breakpointLocations`
pub(super) fn locations(session: &mut DebugSession<'_>, given: &Lines) -> Result<Answer, Refusal> {
    let mut found = Vec::new();
    if let Some(run) = &session.run
        && let Some(source) =
            run.files.find(given.source.path.as_deref().unwrap_or_default(), session.launcher)
    {
        let last = given.end_line.unwrap_or(given.line);
        for location in run.debugger.locations().of_file(source) {
            let Some(((line, column), (end_line, end_column))) =
                run.files.span(location.at, session.counting)
            else {
                continue;
            };
            if (given.line..=last).contains(&line) {
                let written =
                    json!({"line": line, "column": column, "endLine": end_line, "endColumn": end_column});
                found.push(written);
            }
        }
    }
    Ok(Answer::of(json!({ "breakpoints": found })))
}
