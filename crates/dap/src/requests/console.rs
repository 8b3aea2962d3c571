//! Commands of the debug console: what a client has no button for.

use nodewise_debugger::debugger::{Backward, StopReason};
use nodewise_debugger::expressions::{Completion, ExpressionCompletions};
use nodewise_debugger::variables::{Contents, ScopeKind};
use serde_json::{Value, json};

use super::{Answer, answers, execution, export};
use crate::arguments::{BreakpointConditions, FunctionBreakpoint, SetFunctionBreakpoints};
use crate::refusal::{Refusal, RefusalKind};
use crate::session::DebugSession;

/// The commands: name, arguments, what it does.
const COMMANDS: [(&str, &str, &str); 13] = [
    ("help", "", "list the commands"),
    ("state", "", "show the state"),
    ("explain", "", "show what happens here: the whole question, or the parts of the condition"),
    ("back", "[in]", "step back; `in`: also into questions and conditions"),
    ("rc", "", "continue backwards to the breakpoint before"),
    ("at", "EVENT", "go to an event by its number"),
    ("answer", "TEXT|JSON", "give another answer to the question here, as a new run"),
    ("decide", "WORD", "decide what the run waits for; a simulation continues as a new run"),
    ("branches", "", "list the branches"),
    ("branch", "NUMBER", "continue with another branch"),
    ("scenario", "FILE", "save the run as a scenario for `nodewise test`"),
    ("trace", "FILE", "save the trace of the run as JSON"),
    ("break", "NAME [if CONDITION]", "stop at a node, an edge, a graph, `agent:NAME` or `tool:NAME`"),
];

/// Runs a command. `text` is without the `.` or `/` at its start.
pub(super) fn command(session: &mut DebugSession<'_>, text: &str) -> Result<Answer, Refusal> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    match word {
        "help" => Ok(said(&help())),
        "state" => state(session),
        "explain" => {
            session.stopped_run()?;
            Ok(said(session.explained().unwrap_or_default().trim_end()))
        }
        "back" => back(session, if rest == "in" { Backward::Into } else { Backward::Step }),
        "rc" => back(session, Backward::Continue),
        "at" => at(session, rest),
        "answer" => {
            let given = answers::give(session, rest)?;
            Ok(Answer { then: Some(given.then), ..said(given.text) })
        }
        "decide" => {
            let (text, then) = answers::decide(session, rest)?;
            Ok(Answer { then, ..said(&text) })
        }
        "scenario" => export::scenario(session, rest).map(|text| said(&text)),
        "trace" => export::trace(session, rest).map(|text| said(&text)),
        "branches" => branches(session),
        "branch" => branch(session, rest),
        "break" => set_breakpoint(session, rest),
        _ => Err(wrong(format!("no command is called `{word}`: `.help` lists the commands"))),
    }
}

fn wrong(message: String) -> Refusal {
    Refusal::new(RefusalKind::BadExpression, message)
}

fn said(text: &str) -> Answer {
    Answer::of(json!({"result": text, "variablesReference": 0}))
}

fn help() -> String {
    let line =
        |(name, arguments, doc): &(&str, &str, &str)| format!(".{:<28}{doc}", format!("{name} {arguments}"));
    let lines: Vec<String> = COMMANDS.iter().map(line).collect();
    lines.join("\n")
}

fn state(session: &mut DebugSession<'_>) -> Result<Answer, Refusal> {
    let run = session.stopped_run()?;
    let frames = run.debugger.frames(run.debugger.lane());
    let frame = frames.first().ok_or_else(Refusal::not_stopped)?;
    let variables = Contents::of(run.debugger.stacks(), frame).variables(ScopeKind::State);
    let lines: Vec<String> = variables.iter().map(|one| format!("{} = {}", one.name, one.shown())).collect();
    Ok(said(&lines.join("\n")))
}

fn back(session: &mut DebugSession<'_>, motion: Backward) -> Result<Answer, Refusal> {
    session.stopped_run()?;
    Ok(Answer { then: Some(Box::new(move |session| execution::go_back(session, motion))), ..said("") })
}

fn at(session: &mut DebugSession<'_>, text: &str) -> Result<Answer, Refusal> {
    let run = session.stopped_run_mut()?;
    let known = run.debugger.timeline().log().len();
    let position = text.parse::<usize>().ok().filter(|position| *position < known);
    let position = position.ok_or_else(|| {
        wrong(format!("`{text}` is not the number of an event from 0 to {}", known.saturating_sub(1)))
    })?;
    let stop = run.debugger.jump(position, StopReason::Goto);
    Ok(Answer { then: Some(Box::new(move |session| session.stopped(&stop))), ..said("") })
}

fn branches(session: &mut DebugSession<'_>) -> Result<Answer, Refusal> {
    let run = session.stopped_run()?;
    let line = |(number, (label, is_current)): (usize, (&str, bool))| {
        format!("{} {number}  {label}", if is_current { "*" } else { " " })
    };
    let lines: Vec<String> = run.debugger.branches().enumerate().map(line).collect();
    Ok(said(&lines.join("\n")))
}

fn branch(session: &mut DebugSession<'_>, text: &str) -> Result<Answer, Refusal> {
    let run = session.stopped_run_mut()?;
    let stop = text.parse::<usize>().ok().and_then(|number| run.debugger.switch(number));
    let stop = stop.ok_or_else(|| wrong(format!("there is no branch `{text}`: `.branches` lists them")))?;
    let then = move |session: &mut DebugSession<'_>| {
        answers::forked(session);
        session.stopped(&stop);
    };
    Ok(Answer { then: Some(Box::new(then)), ..said("") })
}

fn set_breakpoint(session: &mut DebugSession<'_>, text: &str) -> Result<Answer, Refusal> {
    let (name, condition) = match text.split_once(" if ") {
        Some((name, condition)) => (name.trim(), Some(condition.trim().to_owned())),
        None => (text, None),
    };
    let mut breakpoints = session.client_breakpoints.functions.clone();
    let when = BreakpointConditions { condition, ..BreakpointConditions::default() };
    breakpoints.push(FunctionBreakpoint { name: name.to_owned(), when });
    let answer = super::breakpoints::set_functions(session, SetFunctionBreakpoints { breakpoints })?;
    let set = answer.body.get("breakpoints").and_then(Value::as_array).and_then(|list| list.last()).cloned();
    match set.as_ref().and_then(|one| one.get("message")).and_then(Value::as_str) {
        Some(message) => {
            session.client_breakpoints.functions.pop();
            Err(wrong(message.to_owned()))
        }
        None => Ok(said(&format!("stops at `{name}`"))),
    }
}

/// The commands that begin with what is typed.
pub(super) fn complete(text: &str, offset: usize) -> ExpressionCompletions {
    let indent = text.len() - text.trim_start().len() + 1;
    let typed = text.get(indent..offset.max(indent)).unwrap_or_default();
    let items = COMMANDS.iter().filter(|(name, ..)| name.starts_with(typed)).map(|(name, _, doc)| {
        Completion { label: (*name).to_owned(), kind: "keyword", detail: Some((*doc).to_owned()) }
    });
    ExpressionCompletions { start: indent, length: typed.len(), items: items.collect() }
}
