//! Breakpoints on keys of the state, and on parts below them.

use nodewise_debugger::breakpoints::Trigger;
use nodewise_debugger::frames::StackFrame;
use nodewise_debugger::state_path::StatePath;
use nodewise_debugger::variables::{Contents, ScopeKind, Variable};
use serde_json::{Value, json};

use super::breakpoints::{Wanted, put, spec};
use super::{Answer, inspection};
use crate::arguments::{DataBreakpoint, DataBreakpointInfo, SetDataBreakpoints};
use crate::references::{Container, ValueOrigin};
use crate::refusal::Refusal;
use crate::session::{DebugSession, DebuggedRun};

/// The name of the list of breakpoints on the state.
const DATA: &str = "data";

/// `dataBreakpointInfo`
pub(super) fn info(session: &mut DebugSession<'_>, given: &DataBreakpointInfo) -> Result<Answer, Refusal> {
    let run = session.stopped_run()?;
    let path = match given.variables_reference {
        Some(reference) if reference > 0 => match session.references.get_container(reference)? {
            Container::Scope(frame, ScopeKind::State) => {
                in_state(run, session.references.get_frame(*frame)?, &given.name)
            }
            Container::Scope(..) => None,
            Container::Value(ValueOrigin { path, .. }) => path.as_ref().map(|path| path.member(&given.name)),
        },
        _ => {
            let frame = match given.frame_id {
                Some(frame) => Some(session.references.get_frame(frame)?.clone()),
                None => run.debugger.frames(run.debugger.lane()).into_iter().next(),
            };
            frame.and_then(|frame| in_state(run, &frame, given.name.trim()))
        }
    };
    Ok(Answer::of(match path {
        Some(path) => json!({
            "dataId": path.id(),
            "description": path.shown(),
            "accessTypes": ["write", "read", "readWrite"],
            "canPersist": true,
        }),
        None => json!({
            "dataId": null,
            "description": format!("`{}` is not a part of the state: only those can be watched", given.name),
        }),
    }))
}

/// The part of the state that a name or an expression means: a key, or something below a key that exists now.
fn in_state(run: &DebuggedRun, frame: &StackFrame, name: &str) -> Option<StatePath> {
    let graph = inspection::graph_of(run, frame)?;
    let variables = Contents::of(run.debugger.stacks(), frame).variables(ScopeKind::State);
    let key = |one: &Variable| StatePath::new(graph.clone(), one.name.as_str());
    let is_it = |one: &&Variable| one.name == name || one.expression.as_deref() == Some(name);
    if let Some(found) = variables.iter().find(is_it) {
        return Some(key(found));
    }
    variables.iter().find_map(|one| {
        let begins = [Some(one.name.as_str()), one.expression.as_deref()].into_iter().flatten();
        let below = |begin: &str| name.strip_prefix(begin)?.strip_prefix('.');
        let path = begins.filter_map(below).next()?.split('.').fold(key(one), |path, name| path.member(name));
        path.part(&one.value).is_some().then_some(path)
    })
}

/// `setDataBreakpoints`
pub(super) fn set(session: &mut DebugSession<'_>, given: SetDataBreakpoints) -> Result<Answer, Refusal> {
    session.client_breakpoints.data = given.breakpoints;
    Ok(Answer::of(json!({ "breakpoints": put_all(session) })))
}

/// Sets the breakpoints on the state that the client wants, and describes each of them for the client.
pub(super) fn put_all(session: &mut DebugSession<'_>) -> Vec<Value> {
    let Some(run) = &session.run else {
        return session
            .client_breakpoints
            .data
            .iter()
            .map(|_| json!({"verified": false, "reason": "pending"}))
            .collect();
    };
    let wanted: Vec<Wanted> = session.client_breakpoints.data.iter().map(|wish| wanted(run, wish)).collect();
    put(session, DATA, wanted)
}

fn wanted(run: &DebuggedRun, wish: &DataBreakpoint) -> Wanted {
    let path = StatePath::parse(&wish.data_id)
        .ok_or_else(|| format!("`{}` is not the id of a part of the state", wish.data_id))?;
    let access = wish.access_type.as_deref().unwrap_or("write");
    let trigger = Trigger::Data { path, on_write: access != "read", on_read: access != "write" };
    Ok((spec(run, trigger, &wish.when)?, None))
}
