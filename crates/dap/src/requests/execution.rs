//! Moves through the run.

use nodewise_debugger::debugger::{Backward, Forward, StopReason};
use serde_json::{Value, json};

use super::Answer;
use crate::arguments::{Goto, Lines, OfFrame, Step};
use crate::refusal::{Refusal, RefusalKind};
use crate::session::{DebugSession, Phase};

/// The granularity of a step that ends at the next event.
const INSTRUCTION: &str = "instruction";

/// `continue`, `next`, `stepIn`, `stepOut`
pub(super) fn forward(
    session: &mut DebugSession<'_>,
    command: &str,
    given: &Step,
) -> Result<Answer, Refusal> {
    session.stopped_run()?;
    let target = given.target_id.and_then(|id| id.checked_sub(1));
    let is_event = given.granularity.as_deref() == Some(INSTRUCTION);
    let motion = match (command, target) {
        ("stepIn", Some(position)) => Forward::To(position),
        ("next" | "stepIn", _) if is_event => Forward::Event,
        ("next", _) => Forward::Next,
        ("stepIn", _) => Forward::Into,
        ("stepOut", _) => Forward::Out,
        _ => Forward::Continue,
    };
    let body = if command == "continue" { json!({"allThreadsContinued": true}) } else { Value::Null };
    session.references.clear();
    session.stopped_run_mut()?.debugger.go(motion);
    Ok(Answer::of(body))
}

/// `stepBack`, `reverseContinue`
pub(super) fn backward(
    session: &mut DebugSession<'_>,
    command: &str,
    given: &Step,
) -> Result<Answer, Refusal> {
    session.stopped_run()?;
    let motion = match command {
        "reverseContinue" => Backward::Continue,
        _ if given.granularity.as_deref() == Some(INSTRUCTION) => Backward::Event,
        _ => Backward::Step,
    };
    Ok(Answer::then(move |session| go_back(session, motion)))
}

/// Moves back, and reports the stop to the client.
pub(super) fn go_back(session: &mut DebugSession<'_>, motion: Backward) {
    let Some(run) = &mut session.run else { return };
    let stop = run.debugger.back(motion);
    session.stopped(&stop);
}

/// `stepInTargets`: the questions, edges and graphs that follow in the visit of the frame.
pub(super) fn step_in_targets(session: &mut DebugSession<'_>, given: &OfFrame) -> Result<Answer, Refusal> {
    session.stopped_run()?;
    let frame = session.references.get_frame(given.frame_id)?.clone();
    let run = session.stopped_run_mut()?;
    let targets = run.debugger.step_targets(&frame).into_iter();
    // For some clients, 0 is no id.
    let written = targets.map(|(position, label)| json!({"id": position + 1, "label": label}));
    Ok(Answer::of(json!({ "targets": written.collect::<Vec<Value>>() })))
}

/// `restartFrame`
pub(super) fn restart_frame(session: &mut DebugSession<'_>, given: &OfFrame) -> Result<Answer, Refusal> {
    session.stopped_run()?;
    let frame = session.references.get_frame(given.frame_id)?.clone();
    let run = session.stopped_run_mut()?;
    let stop = run.debugger.restart(&frame);
    let stop = stop.ok_or_else(|| {
        Refusal::new(RefusalKind::BadArguments, format!("`{}` is not the visit of a node", frame.name))
    })?;
    Ok(Answer::then(move |session| session.stopped(&stop)))
}

/// `gotoTargets`: the visits of the node on a line.
pub(super) fn goto_targets(session: &mut DebugSession<'_>, given: &Lines) -> Result<Answer, Refusal> {
    let run = session.stopped_run()?;
    let mut targets = Vec::new();
    if let (Some(line), Some(source)) = (
        session.counting.line(given.line),
        run.files.find(given.source.path.as_deref().unwrap_or_default(), session.launcher),
    ) && let Some(text) = run.files.text(source)
        && let Some(location) = run.debugger.locations().on_line(source, text, line, None)
        && let Some(((line, column), _)) = run.files.span(location.at, session.counting)
    {
        for (position, label) in run.debugger.visits_of(&location.subject) {
            // For some clients, 0 is no id.
            targets.push(json!({"id": position + 1, "label": label, "line": line, "column": column}));
        }
    }
    Ok(Answer::of(json!({ "targets": targets })))
}

pub(super) fn goto(session: &mut DebugSession<'_>, given: &Goto) -> Result<Answer, Refusal> {
    let run = session.stopped_run_mut()?;
    let position = given.target_id.checked_sub(1).filter(|at| *at < run.debugger.timeline().log().len());
    let position = position.ok_or_else(|| {
        Refusal::new(RefusalKind::BadArguments, format!("there is no target {}", given.target_id))
    })?;
    let stop = run.debugger.jump(position, StopReason::Goto);
    Ok(Answer::then(move |session| session.stopped(&stop)))
}

pub(super) fn pause(session: &mut DebugSession<'_>) -> Result<Answer, Refusal> {
    if session.phase != Phase::Active {
        return Err(Refusal::new(RefusalKind::BadOrder, "the run has not begun, or is over"));
    }
    Ok(Answer::then(|session| {
        if let Some(stop) = session.run.as_mut().and_then(|run| run.debugger.pause()) {
            session.stopped(&stop);
        }
    }))
}
