//! The visits of a run, each with everything that was read, asked, answered and written in it.
//!
//! Input: a recording; output: steps in the order in which they began. Invariant: what nodes did side by side stands with its
//! visit, so that the order of their answers changes nothing.

use std::collections::BTreeMap;

use nodewise_engine::ask::{Answer, Ask, Question, Reply};
use nodewise_engine::event::{Event, EventKind, VisitId};
use nodewise_expr::value::Value;
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use super::shown;
use crate::recording::{LogIndex, Recording};
use crate::render::json;
use crate::words;

/// A visit.
#[derive(Debug, Clone, Default)]
pub(super) struct ComparedStep {
    pub(super) graph: SmolStr,
    pub(super) node: SmolStr,
    label: SmolStr,
    kind: SmolStr,
    pub(super) depth: usize,
    /// What was asked, as traces write it.
    pub(super) questions: Vec<Json>,
    /// What was answered, as traces write it, without time and cost.
    pub(super) answers: Vec<Json>,
    /// The lines of the step, each with its depth.
    pub(super) lines: Vec<(usize, String)>,
}

struct Reader<'r> {
    recording: &'r Recording,
    cast: LogIndex,
    steps: Vec<ComparedStep>,
    positions: BTreeMap<VisitId, usize>,
}

impl ComparedStep {
    /// The node, as people call it.
    pub(super) fn name(&self) -> String {
        self.label.to_string()
    }

    /// The node and its kind.
    pub(super) fn title(&self) -> String {
        match self.kind.is_empty() {
            true => self.label.to_string(),
            false => format!("{} ({})", self.label, self.kind),
        }
    }

    fn line(&mut self, depth: usize, text: impl Into<String>) {
        self.lines.push((depth, text.into()));
    }

    fn value(&mut self, name: &str, value: &Value) {
        let text = shown(value);
        match text.contains('\n') {
            true => {
                self.line(0, format!("{name}:"));
                self.line(1, text);
            }
            false => self.line(0, format!("{name}: {text}")),
        }
    }
}

/// The visits of a run.
pub(super) fn steps_of(recording: &Recording) -> Vec<ComparedStep> {
    let mut reader =
        Reader { recording, cast: LogIndex::default(), steps: Vec::new(), positions: BTreeMap::new() };
    for event in &recording.events {
        reader.cast.apply(event);
        reader.event(event);
    }
    reader.steps
}

impl Reader<'_> {
    fn event(&mut self, event: &Event) {
        match &event.kind {
            EventKind::VisitStarted { visit, node, reads, .. } => {
                self.begin(*visit, node);
                self.step(*visit, |step| reads_of(step, reads));
            }
            EventKind::Asked { visit, what, .. } => self.step(*visit, |step| asked(step, what)),
            EventKind::Answered { ask, answer } => {
                if let Some(visit) = self.cast.asker(*ask) {
                    self.step(visit, |step| answered(step, answer));
                }
            }
            EventKind::Wrote { visit: Some(visit), key, value, .. } => {
                self.step(*visit, |step| match value {
                    Value::Undefined => step.line(0, format!("removes {key}")),
                    value => step.value(&format!("writes {key}"), value),
                })
            }
            EventKind::EdgeJudged { visit, target, followed: true, .. } => {
                self.step(*visit, |step| step.line(0, format!("goes to {target}")));
            }
            EventKind::HandedOver { visit, target, reason } => {
                self.step(*visit, |step| step.line(0, format!("goes to {target}: {reason}")));
            }
            EventKind::Retried { visit, attempt, failure, .. } => {
                self.step(*visit, |step| step.line(0, format!("retries after attempt {attempt}: {failure}")));
            }
            EventKind::VisitEnded { visit, result: Err(failure) } => {
                self.step(*visit, |step| step.line(0, format!("fails: {failure}")));
            }
            EventKind::Paused { visit, question } => {
                self.step(*visit, |step| step.value("waits for a person", question));
            }
            _ => {}
        }
    }

    fn begin(&mut self, visit: VisitId, node: &SmolStr) {
        let charted = self.cast.node(&self.recording.charts, visit);
        let scope = self.cast.visit(visit).and_then(|visit| self.cast.scope(visit.scope));
        self.positions.insert(visit, self.steps.len());
        self.steps.push(ComparedStep {
            graph: scope.map(|scope| scope.graph.clone()).unwrap_or_default(),
            node: node.clone(),
            label: charted.map_or_else(|| node.clone(), |node| node.label.as_str().into()),
            kind: charted.map(|node| node.kind.as_str().into()).unwrap_or_default(),
            depth: scope.map_or(0, |scope| scope.depth as usize),
            ..ComparedStep::default()
        });
    }

    fn step(&mut self, visit: VisitId, change: impl FnOnce(&mut ComparedStep)) {
        let step = self.positions.get(&visit).and_then(|position| self.steps.get_mut(*position));
        if let Some(step) = step {
            change(step);
        }
    }
}

fn reads_of(step: &mut ComparedStep, reads: &Value) {
    match reads {
        Value::Undefined | Value::Null => {}
        Value::Map(map) => map.iter().for_each(|(key, value)| step.value(&format!("reads {key}"), value)),
        value => step.value("reads", value),
    }
}

fn asked(step: &mut ComparedStep, ask: &Ask) {
    let question = json::question(&ask.what);
    match &ask.what {
        Question::Model(model) => {
            step.line(0, format!("asks the model of {}:", model.agent));
            let prompt = question.get("prompt").and_then(Json::as_array).into_iter().flatten();
            for (message, written) in model.prompt.iter().zip(prompt) {
                step.line(1, format!("{}:", written.get("role").and_then(Json::as_str).unwrap_or_default()));
                step.line(2, shown(&message.content));
                for call in &message.calls {
                    step.line(2, format!("calls {}({})", call.tool, shown(&call.arguments)));
                }
            }
            if !model.tools.is_empty() {
                step.line(1, format!("tools: {}", model.tools.join(", ")));
            }
        }
        Question::Tool(tool) => {
            step.line(0, format!("calls {}:", tool.tool));
            step.line(1, shown(&tool.arguments));
        }
        what => {
            step.line(0, format!("asks for: {}", what.noun()));
            step.line(1, format!("{question:#}"));
        }
    }
    step.questions.push(question);
}

fn answered(step: &mut ComparedStep, answer: &Answer) {
    let usage = words::usage(&answer.usage).map(|usage| format!(" ({usage})")).unwrap_or_default();
    match &answer.result {
        Ok(reply) => {
            step.line(0, format!("answer{usage}:"));
            let written = json::reply(reply);
            match reply {
                Reply::Model(model) => {
                    if let Some(value) = &model.value {
                        step.line(1, shown(value));
                    } else if !model.text.is_empty() {
                        step.line(1, model.text.as_str());
                    }
                    for call in &model.calls {
                        step.line(1, format!("calls {}({})", call.tool, shown(&call.arguments)));
                    }
                }
                Reply::Value(value) => step.line(1, shown(value)),
                _ => step.line(1, format!("{written:#}")),
            }
            step.answers.push(written);
        }
        Err(failure) => {
            step.line(0, format!("error{usage}: {failure}"));
            step.answers.push(json!({"failure": failure.to_string()}));
        }
    }
}
