//! The beginning and the end of a session.

use nodewise_project::debug_configuration::DebugRequest;
use serde_json::{Value, json};

use super::{Answer, breakpoints, data_breakpoints};
use crate::arguments::{Cancel, Initialize, Restart};
use crate::capabilities::capabilities;
use crate::files::Counting;
use crate::refusal::{Refusal, RefusalKind};
use crate::session::{DebugSession, Phase};

fn out_of_order(message: &str) -> Refusal {
    Refusal::new(RefusalKind::BadOrder, message)
}

pub(super) fn initialize(session: &mut DebugSession<'_>, given: &Initialize) -> Result<Answer, Refusal> {
    if session.phase != Phase::New {
        return Err(out_of_order("`initialize` came twice"));
    }
    session.phase = Phase::Initialized;
    session.counting = Counting {
        first_line: i64::from(given.lines_start_at1.unwrap_or(true)),
        first_column: i64::from(given.columns_start_at1.unwrap_or(true)),
        is_uri: given.path_format.as_deref() == Some("uri"),
    };
    session.progress.is_supported = given.supports_progress_reporting;
    session.children.are_supported = given.supports_start_debugging_request;
    Ok(Answer::of(capabilities(given.client_id.as_deref())))
}

/// `launch`: compiles the run. `attach`: opens a stored run. The run begins at `configurationDone`.
pub(super) fn launch(
    session: &mut DebugSession<'_>,
    request: DebugRequest,
    given: &Value,
) -> Result<Answer, Refusal> {
    if session.phase != Phase::Initialized {
        return Err(out_of_order("a run is debugged already: use `restart`"));
    }
    session.launch(request, given)?;
    session.phase = Phase::Launched;
    Ok(Answer::then(|session| {
        prepare(session, "new");
        session.event("initialized", Value::Null);
    }))
}

/// Sets the breakpoints of the client, and shows the notes about the run.
fn prepare(session: &mut DebugSession<'_>, reason: &str) {
    let mut set = breakpoints::put_all(session);
    set.extend(data_breakpoints::put_all(session));
    for breakpoint in set {
        session.event("breakpoint", json!({"reason": reason, "breakpoint": breakpoint}));
    }
    let Some(run) = &mut session.run else { return };
    let own = std::mem::take(&mut run.notes);
    let notes = run.debugger.timeline().facts().notes.iter().map(|note| format!("note: {note}"));
    for note in notes.chain(own).collect::<Vec<String>>() {
        session.output("console", &format!("{note}\n"), None);
    }
}

/// `configurationDone`
pub(super) fn configuration_done(session: &mut DebugSession<'_>) -> Result<Answer, Refusal> {
    match session.phase {
        Phase::Launched => Ok(Answer::then(|session| session.begin())),
        _ => Err(out_of_order("`configurationDone` came without `launch`")),
    }
}

/// `restart`: reads the files again, and begins again.
pub(super) fn restart(session: &mut DebugSession<'_>, given: &Restart) -> Result<Answer, Refusal> {
    if !matches!(session.phase, Phase::Active | Phase::Terminated) {
        return Err(out_of_order("`restart` came without `launch`"));
    }
    let (request, own) = session.raw_arguments.clone();
    let arguments = given.arguments.clone().filter(|arguments| !arguments.is_null()).unwrap_or(own);
    session.launch(request, &arguments)?;
    Ok(Answer::then(|session| {
        prepare(session, "changed");
        session.begin();
    }))
}

/// `cancel`: stops a long move whose progress the client shows. It has no effect on a request, because every earlier
/// request has been answered.
pub(super) fn cancel(session: &mut DebugSession<'_>, given: &Cancel) -> Answer {
    let is_own = given.progress_id.as_deref().is_some_and(|id| session.progress.is(id));
    Answer::then(move |session| {
        if is_own && let Some(stop) = session.run.as_mut().and_then(|run| run.debugger.pause()) {
            session.stopped(&stop);
        }
    })
}

/// `terminate`: ends the run. A simulation leaves nothing behind, and a live run can be resumed.
pub(super) fn terminate(session: &mut DebugSession<'_>) -> Result<Answer, Refusal> {
    match session.phase {
        Phase::Terminated => Ok(Answer::of(Value::Null)),
        Phase::Launched | Phase::Active => Ok(Answer::then(|session| {
            session.phase = Phase::Terminated;
            leave(session);
            session.event("terminated", Value::Null);
        })),
        _ => Err(out_of_order("there is no run")),
    }
}

pub(super) fn disconnect(session: &mut DebugSession<'_>) -> Answer {
    session.phase = Phase::Disconnected;
    leave(session);
    Answer::of(Value::Null)
}

/// Drops a live run, so that it can be resumed.
fn leave(session: &mut DebugSession<'_>) {
    session.end_progress();
    if session.run.as_ref().is_some_and(|run| run.debugger.has_live_run()) {
        session.run = None;
    }
}
