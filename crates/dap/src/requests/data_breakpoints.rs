//! Breakpoints on keys of the state.

use nodewise_debugger::breakpoints::Trigger;
use nodewise_debugger::frames::StackFrame;
use nodewise_debugger::variables::{Contents, ScopeKind};
use serde_json::{Value, json};

use super::Answer;
use super::breakpoints::{Wanted, put, spec};
use crate::arguments::{DataBreakpoint, DataBreakpointInfo, SetDataBreakpoints};
use crate::references::Container;
use crate::refusal::Refusal;
use crate::session::{DebugSession, DebuggedRun};

/// How the id of a key begins.
const STATE: &str = "state:";
const DATA: &str = "data";

/// `dataBreakpointInfo`
pub(super) fn info(session: &mut DebugSession<'_>, given: &DataBreakpointInfo) -> Result<Answer, Refusal> {
    let run = session.stopped_run()?;
    let frame = match given.variables_reference {
        Some(reference) if reference > 0 => match session.references.get_container(reference)? {
            Container::Scope(frame, ScopeKind::State) => Some(session.references.get_frame(*frame)?.clone()),
            _ => None,
        },
        _ => match given.frame_id {
            Some(frame) => Some(session.references.get_frame(frame)?.clone()),
            None => run.debugger.frames(run.debugger.lane()).into_iter().next(),
        },
    };
    let key = frame.as_ref().and_then(|frame| Some((graph(run, frame)?, key(run, frame, &given.name)?)));
    Ok(Answer::of(match key {
        Some((graph, key)) => json!({
            "dataId": format!("{STATE}{graph}:{key}"),
            "description": key,
            "accessTypes": ["write", "read", "readWrite"],
            "canPersist": true,
        }),
        None => json!({
            "dataId": null,
            "description": format!("`{}` is not a key of the state: only those can be watched", given.name),
        }),
    }))
}

fn graph(run: &DebuggedRun, frame: &StackFrame) -> Option<String> {
    let who = run.debugger.timeline().moments().who();
    who.scope(frame.scope).map(|run| run.graph.to_string())
}

/// The key that a name or an expression means.
fn key(run: &DebuggedRun, frame: &StackFrame, name: &str) -> Option<String> {
    let contents = Contents::of(run.debugger.stacks(), frame);
    let variables = contents.variables(ScopeKind::State);
    let found = variables.iter().find(|one| one.name == name || one.expression.as_deref() == Some(name));
    found.map(|one| one.name.clone())
}

/// `setDataBreakpoints`
pub(super) fn set(session: &mut DebugSession<'_>, given: SetDataBreakpoints) -> Result<Answer, Refusal> {
    session.wishes.data = given.breakpoints;
    Ok(Answer::of(json!({ "breakpoints": put_all(session) })))
}

/// Sets those that the client wants.
pub(super) fn put_all(session: &mut DebugSession<'_>) -> Vec<Value> {
    let Some(run) = &session.run else {
        return session.wishes.data.iter().map(|_| json!({"verified": false, "reason": "pending"})).collect();
    };
    let wanted: Vec<Wanted> = session.wishes.data.iter().map(|wish| wanted(run, wish)).collect();
    put(session, DATA, wanted)
}

fn wanted(run: &DebuggedRun, wish: &DataBreakpoint) -> Wanted {
    let unknown = || format!("`{}` is not the id of a key of the state", wish.data_id);
    let rest = wish.data_id.strip_prefix(STATE).ok_or_else(unknown)?;
    let (graph, key) = rest.rsplit_once(':').ok_or_else(unknown)?;
    let access = wish.access_type.as_deref().unwrap_or("write");
    let trigger = Trigger::Data {
        graph: graph.into(),
        key: key.into(),
        on_write: access != "read",
        on_read: access != "write",
    };
    Ok((spec(run, trigger, &wish.when)?, None))
}
