//! Expressions, and values that the client changes.

use nodewise_debugger::expressions::ExpressionCompletions as Found;
use nodewise_debugger::frames::{FrameKind, StackFrame};
use nodewise_debugger::variables::{Contents, ScopeKind, shown, shown_whole};
use nodewise_expr::value::Value as Data;
use serde_json::{Map, Value, json};

use super::{Answer, answers, console, inspection};
use crate::arguments::{Completions, Evaluate, SetExpression, SetVariable};
use crate::references::{Container, ValueOrigin};
use crate::refusal::{Refusal, RefusalKind};
use crate::session::{DebugSession, DebuggedRun};

/// The name of the variable that has the answer.
const ANSWER: &str = "answer";

/// The frame with this number. Without a number, the innermost frame of the current event.
fn frame(session: &DebugSession<'_>, run: &DebuggedRun, id: Option<i64>) -> Result<StackFrame, Refusal> {
    match id {
        Some(id) => session.references.get_frame(id).cloned(),
        None => run.debugger.frames(run.debugger.lane()).into_iter().next().ok_or_else(Refusal::not_stopped),
    }
}

pub(super) fn evaluate(session: &mut DebugSession<'_>, given: &Evaluate) -> Result<Answer, Refusal> {
    let context = given.context.as_deref().unwrap_or("repl");
    let text = given.expression.trim();
    if context == "repl" && text.starts_with(['.', '/']) {
        return console::command(session, text.get(1..).unwrap_or_default());
    }
    let run = session.stopped_run()?;
    let frame = frame(session, run, given.frame_id)?;
    let bad = |message: String| Refusal::new(RefusalKind::BadExpression, message);
    let contents = Contents::of(run.debugger.stacks(), &frame);
    let value = match answer(&contents, &frame, text) {
        Some(value) => value,
        None => {
            let evaluation = contents.view().evaluate(text).map_err(bad)?;
            evaluation.value.map_err(|failure| bad(failure.message))?
        }
    };
    let result = if context == "clipboard" { shown_whole(&value) } else { shown(&value) };
    Ok(Answer::of(result_of(session, result, value, Some(text.to_owned()))))
}

/// The value of the variable `answer`, if `text` names it and the frame is about a question.
fn answer(contents: &Contents<'_>, frame: &StackFrame, text: &str) -> Option<Data> {
    let is_wanted = text == ANSWER && frame.kind == FrameKind::Question;
    let found = is_wanted.then(|| contents.variables(ScopeKind::Answer))?;
    found.into_iter().find(|variable| variable.name == ANSWER).map(|variable| variable.value)
}

/// The body of a result: the value with its type, and the number for its members.
fn result_of(
    session: &mut DebugSession<'_>,
    result: String,
    value: Data,
    expression: Option<String>,
) -> Value {
    let mut fields = Map::new();
    fields.insert("result".to_owned(), result.into());
    fields.insert("type".to_owned(), value.type_name().into());
    fields.insert("variablesReference".to_owned(), 0.into());
    let origin = ValueOrigin { value, expression, path: None };
    inspection::refer(&mut session.references, &mut fields, origin);
    Value::Object(fields)
}

pub(super) fn completions(session: &mut DebugSession<'_>, given: &Completions) -> Result<Answer, Refusal> {
    let run = session.stopped_run()?;
    let frame = frame(session, run, given.frame_id)?;
    let text = &given.text;
    let column = usize::try_from(given.column.saturating_sub(session.counting.first_column)).unwrap_or(0);
    let offset = offset_of(text, column);
    let found = match text.trim_start().starts_with(['.', '/']) {
        true => console::complete(text, offset),
        false => Contents::of(run.debugger.stacks(), &frame).view().complete(text, offset),
    };
    let start = units(text.get(..found.start).unwrap_or_default());
    let length = units(text.get(found.start..found.start + found.length).unwrap_or_default());
    let Found { items, .. } = found;
    let targets = items.into_iter().map(|item| {
        let mut written = json!({"label": item.label, "type": item.kind, "start": start, "length": length});
        if let (Value::Object(members), Some(detail)) = (&mut written, item.detail) {
            members.insert("detail".to_owned(), detail.into());
        }
        written
    });
    let targets: Vec<Value> = targets.collect();
    Ok(Answer::of(json!({ "targets": targets })))
}

/// The offset in bytes of a column, which counts UTF-16 units from 0.
fn offset_of(text: &str, column: usize) -> usize {
    let mut units = 0;
    for (offset, character) in text.char_indices() {
        if units >= column {
            return offset;
        }
        units += character.len_utf16();
    }
    text.len()
}

fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// `setVariable`: gives another answer, which begins a fork. Nothing else can be changed.
pub(super) fn set_variable(session: &mut DebugSession<'_>, given: &SetVariable) -> Result<Answer, Refusal> {
    session.stopped_run()?;
    let container = session.references.get_container(given.variables_reference)?.clone();
    let is_answer = matches!(container, Container::Scope(_, ScopeKind::Answer)) && given.name == ANSWER;
    set(session, is_answer, &given.name, &given.value)
}

/// `setExpression`: the same, for the expression `answer`.
pub(super) fn set_expression(
    session: &mut DebugSession<'_>,
    given: &SetExpression,
) -> Result<Answer, Refusal> {
    let run = session.stopped_run()?;
    let frame = frame(session, run, given.frame_id)?;
    let is_answer = frame.kind == FrameKind::Question && given.expression.trim() == ANSWER;
    set(session, is_answer, given.expression.trim(), &given.value)
}

fn set(session: &mut DebugSession<'_>, is_answer: bool, name: &str, value: &str) -> Result<Answer, Refusal> {
    if !is_answer {
        let message =
            format!("`{name}` is what the run wrote: change the answer of a model or a tool instead");
        return Err(Refusal::new(RefusalKind::ReadOnlyState, message));
    }
    let given = answers::give(session, value)?;
    Ok(Answer { body: json!({"value": value, "variablesReference": 0}), then: Some(given.then) })
}
