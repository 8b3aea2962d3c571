//! The beginning and the end of a session.

use serde_json::{Value, json};

use super::{Answer, breakpoints, data_breakpoints};
use crate::arguments::{Initialize, Restart};
use crate::capabilities::capabilities;
use crate::files::Counting;
use crate::refusal::{Refusal, RefusalKind};
use crate::session::{DebugSession, Phase};

fn out_of_order(message: &str) -> Refusal {
    Refusal::new(RefusalKind::BadOrder, message)
}

/// `initialize`
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
    Ok(Answer::of(capabilities()))
}

/// `launch`: compiles the run. It begins at `configurationDone`.
pub(super) fn launch(session: &mut DebugSession<'_>, given: &Value) -> Result<Answer, Refusal> {
    if session.phase != Phase::Initialized {
        return Err(out_of_order("a run is debugged already: use `restart`"));
    }
    session.launch(given)?;
    session.phase = Phase::Launched;
    Ok(Answer::then(|session| {
        prepare(session, "new");
        session.event("initialized", Value::Null);
    }))
}

/// Sets what the client wants to stop at, and says what there is to know about the run.
fn prepare(session: &mut DebugSession<'_>, reason: &str) {
    let mut set = breakpoints::put_all(session);
    set.extend(data_breakpoints::put_all(session));
    for breakpoint in set {
        session.event("breakpoint", json!({"reason": reason, "breakpoint": breakpoint}));
    }
    let notes = session.run.as_ref().map(|run| run.debugger.timeline().facts().notes.clone());
    for note in notes.into_iter().flatten() {
        session.output("console", &format!("note: {note}\n"), None);
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
    let arguments = given.arguments.clone().unwrap_or_else(|| session.raw_arguments.clone());
    session.launch(&arguments)?;
    Ok(Answer::then(|session| {
        prepare(session, "changed");
        session.begin();
    }))
}

/// `terminate`: ends the run. It has not left anything behind.
pub(super) fn terminate(session: &mut DebugSession<'_>) -> Result<Answer, Refusal> {
    match session.phase {
        Phase::Terminated => Ok(Answer::of(Value::Null)),
        Phase::Launched | Phase::Active => Ok(Answer::then(|session| {
            session.phase = Phase::Terminated;
            session.event("terminated", Value::Null);
        })),
        _ => Err(out_of_order("there is no run")),
    }
}

/// `disconnect`
pub(super) fn disconnect(session: &mut DebugSession<'_>) -> Answer {
    session.phase = Phase::Disconnected;
    Answer::of(Value::Null)
}
