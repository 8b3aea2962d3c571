//! A run as a timeline: each visit with its place, what it read, asked and wrote, why its edges were followed or not.
//!
//! Input: a recording; output: lines. Invariant: the lines stand in the order of the log, and those of a visit below its
//! head; where visits continue side by side, a head that says so is repeated.

use std::sync::Arc;

use nodewise_engine::ask::{Answer, Ask, Message, Question, Reply, Role};
use nodewise_engine::event::{AskId, Event, EventKind, VisitId};
use nodewise_engine::fold::States;
use nodewise_engine::outcome::{Outcome, Status};
use nodewise_engine::time::Millis;
use nodewise_expr::value::{Map, Value};

use crate::chart::{ChartCondition, Charts, SourceLocation};
use crate::explain::{CONDITION_FAILS, CONDITION_UNREADABLE, explain};
use crate::recording::{LogIndex, Recording, now};
use crate::system::{ConditionContext, RunnableSystem};
use crate::words;

/// The width of the column with the time.
const TIME_WIDTH: usize = 10;
/// The width of the column with the word for what happens.
const VERB_WIDTH: usize = 8;
/// The maximum number of parts that are shown of a condition.
const PARTS_SHOWN: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineLine {
    /// The line, without a line break.
    pub text: String,
    /// The position of its event in the log. `None` for the title. The last lines, which sum up, have the last event.
    pub event: Option<usize>,
}

/// The timeline.
#[must_use]
pub fn text(recording: &Recording) -> String {
    timeline(recording).into_iter().map(|line| line.text + "\n").collect()
}

/// The timeline, line by line, each with the event that it shows.
#[must_use]
pub fn timeline(recording: &Recording) -> Vec<TimelineLine> {
    let (charts, beside) = (Arc::clone(&recording.charts), recording.beside.clone());
    let mut timeline = TimelineWriter::new(recording.system, charts, beside, recording.clock);
    timeline.begin(&recording.title, &recording.notes);
    for event in &recording.events {
        timeline.event(event);
    }
    timeline.end(recording);
    timeline.take()
}

/// Writes the timeline of a log, event by event.
#[derive(Debug, Clone)]
pub struct TimelineWriter {
    system: RunnableSystem,
    charts: Arc<Charts>,
    beside: Map,
    clock: f64,
    cast: LogIndex,
    states: States,
    current: Option<VisitId>,
    /// How the last turn ended. Shown when another turn begins.
    turn: Option<Arc<Outcome>>,
    at: Millis,
    /// The time of the last line. A line shows its time only if it differs.
    shown_at: Option<Millis>,
    /// How many events have been read.
    count: usize,
    out: Vec<TimelineLine>,
}

impl TimelineWriter {
    /// A writer for a run of these graphs that has not begun. `clock` is the time that conditions read at its beginning, in
    /// seconds.
    #[must_use]
    pub fn new(system: RunnableSystem, charts: Arc<Charts>, beside: Map, clock: f64) -> TimelineWriter {
        TimelineWriter {
            system,
            charts,
            beside,
            clock,
            cast: LogIndex::default(),
            states: States::default(),
            current: None,
            turn: None,
            at: Millis::ZERO,
            shown_at: None,
            count: 0,
            out: Vec::new(),
        }
    }

    /// The lines before the first event.
    pub fn begin(&mut self, title: &str, notes: &[String]) {
        self.push(&format!("{title} of {}", self.system.dialect().title));
        for note in notes {
            self.push(&format!("note: {note}"));
        }
    }

    /// Adds the lines of the next event.
    pub fn event(&mut self, event: &Event) {
        self.count += 1;
        self.cast.apply(event);
        self.states.apply(event);
        self.write(event);
    }

    /// The lines since the last time.
    pub fn take(&mut self) -> Vec<TimelineLine> {
        std::mem::take(&mut self.out)
    }

    fn write(&mut self, event: &Event) {
        self.at = event.at;
        match &event.kind {
            EventKind::GraphStarted { graph, by: Some(by), .. } => {
                self.line(*by, "runs", &format!("graph `{graph}`"));
                self.current = None;
            }
            EventKind::GraphStarted { by: None, .. } => self.next_turn(),
            EventKind::VisitStarted { visit, reads, .. } => {
                self.head(*visit, false);
                self.reads(*visit, reads);
            }
            EventKind::Retried { visit, attempt, wait, failure } => {
                let text = format!("after attempt {attempt}, in {}: {failure}", words::time(*wait));
                self.line(*visit, "retries", &text);
            }
            EventKind::Asked { visit, what, .. } => {
                let (verb, text) = asked(what);
                self.line(*visit, verb, &text);
            }
            EventKind::Answered { ask, answer } => self.answered(*ask, answer),
            EventKind::Wrote { visit: Some(visit), key, value, .. } => match value {
                Value::Undefined => self.line(*visit, "removes", key),
                value => self.line(*visit, "writes", &format!("{key} = {}", words::value(value))),
            },
            EventKind::Dropped { visit, key, reason } => {
                self.line(*visit, "drops", &format!("{key}: {reason}"));
            }
            EventKind::EdgeJudged { visit, edge, target, followed, reason } => {
                self.edge(*visit, (*edge, target), *followed, reason.as_deref());
            }
            EventKind::HandedOver { visit, target, reason } => {
                self.line(*visit, "routes", &format!("to {target}: {}", words::shortened(reason, 100)));
            }
            EventKind::Skipped { node, .. } => self.aside("skips", node),
            EventKind::CheckpointSaved { checkpoint, node, .. } => {
                self.aside("saves", &format!("checkpoint {checkpoint} at {node}"));
            }
            EventKind::VisitEnded { visit, result: Err(failure) } => {
                self.line(*visit, "fails", &failure.to_string());
            }
            EventKind::Paused { visit, question } => {
                self.line(*visit, "waits", &format!("for a person: {}", words::value(question)));
            }
            EventKind::Resumed { decision } => {
                let data = decision.data.as_ref().map(|data| format!(", {}", words::value(data)));
                self.aside("resumes", &format!("{}{}", decision.word, data.unwrap_or_default()));
            }
            EventKind::Cancelled => self.aside("ends", "cancelled from outside"),
            EventKind::GraphEnded { scope, outcome } => match self.cast.scope(*scope) {
                Some(running) if running.depth > 0 => {
                    let graph = running.graph.clone();
                    self.aside("ends", &format!("graph `{graph}`: {}", in_words(outcome)));
                    self.current = None;
                }
                _ => self.turn = Some(Arc::clone(outcome)),
            },
            _ => {}
        }
    }

    /// Adds the result of the turn before, because another turn begins.
    fn next_turn(&mut self) {
        let Some(turn) = self.turn.take() else { return };
        self.current = None;
        self.aside("ends", &format!("the turn: {}", in_words(&turn)));
        if !matches!(turn.output, Value::Null | Value::Undefined) {
            self.aside("", &format!("output {}", words::value(&turn.output)));
        }
    }

    /// Adds the first line of a visit, or of the rest of a visit.
    fn head(&mut self, visit: VisitId, goes_on: bool) {
        self.current = Some(visit);
        let indent = self.indent(visit);
        let node = self.cast.node(&self.charts, visit);
        let (label, kind, place) = match node {
            Some(node) => (node.label.as_str(), node.kind.as_str(), node.place.as_ref()),
            None => (self.cast.visit(visit).map_or("", |visit| visit.node.as_str()), "", None),
        };
        let time = words::time(self.at);
        self.shown_at = Some(self.at);
        let mut line = format!("{time:>TIME_WIDTH$}  {indent}{label}");
        if !kind.is_empty() {
            line.push_str(&format!("  {kind}"));
        }
        if goes_on {
            line.push_str("  continues");
        } else if let Some(place) = place {
            line.push_str(&format!("  {}", shown(place)));
        }
        self.push(&line);
    }

    fn reads(&mut self, visit: VisitId, reads: &Value) {
        match reads {
            Value::Undefined | Value::Null => {}
            Value::Map(map) => {
                for (key, value) in map.iter() {
                    self.line(visit, "reads", &format!("{key} = {}", words::value(value)));
                }
            }
            value => self.line(visit, "reads", &words::value(value)),
        }
    }

    fn answered(&mut self, ask: AskId, answer: &Answer) {
        let Some(visit) = self.cast.asker(ask) else { return };
        for retry in &answer.retries {
            let text = format!("the call, after {}: {}", words::time(retry.wait), retry.reason);
            self.line(visit, "repeats", &text);
        }
        let mut text = match &answer.result {
            Ok(reply) => replied(reply),
            Err(failure) => failure.to_string(),
        };
        if let Some(usage) = words::usage(&answer.usage) {
            text.push_str(&format!("  ({usage})"));
        }
        if let Some(model) = &answer.fallback {
            text.push_str(&format!("  (of {model})"));
        }
        if let Some(run) = &answer.pinned {
            text.push_str(&format!("  (pinned, from {run})"));
        }
        let verb = if answer.result.is_ok() { "answer" } else { "error" };
        self.line(visit, verb, &text);
    }

    fn edge(&mut self, visit: VisitId, (number, target): (u32, &str), followed: bool, reason: Option<&str>) {
        let charts = Arc::clone(&self.charts);
        let chart = self.cast.chart(&charts, visit);
        let from = self.cast.visit(visit).map(|visit| visit.node.clone()).unwrap_or_default();
        let edge = chart.and_then(|chart| chart.edge(&from, number, target));
        let condition = edge.and_then(|edge| edge.condition.as_ref());
        let mut text = format!("{} {target}", if followed { "->" } else { "-x" });
        match (condition, reason) {
            (Some(condition), _) => {
                text.push_str(&format!("  when {}", words::shortened(&condition.text, 120)))
            }
            (None, Some(reason)) => text.push_str(&format!("  {reason}")),
            (None, None) => {}
        }
        if let Some(place) = edge.and_then(|edge| edge.place.as_ref()) {
            text.push_str(&format!("  {}", shown(place)));
        }
        self.line(visit, "edge", &text);
        if reason.is_some_and(|reason| reason.starts_with(CONDITION_UNREADABLE)) {
            self.line(visit, "", &format!("   {}", reason.unwrap_or_default()));
        } else if let Some(condition) = condition {
            self.explain(visit, condition, chart.is_some_and(|chart| chart.strict_taint));
            if let Some(reason) = reason.filter(|reason| !reason.starts_with(CONDITION_FAILS)) {
                self.line(visit, "", &format!("   {reason}"));
            }
        }
    }

    fn explain(&mut self, visit: VisitId, condition: &ChartCondition, strict_taint: bool) {
        let visited = self.cast.visit(visit).cloned().unwrap_or_default();
        let Some(state) = self.states.of(visited.scope).cloned() else { return };
        let moment = ConditionContext {
            now: now(self.clock, self.at),
            state: &state,
            beside: &self.beside,
            native: self.cast.seen(),
            error: visited.error.as_ref(),
        };
        let explained = explain(self.system, condition, &moment, strict_taint);
        let Some(explanation) = explained else { return };
        // A condition without parts is shown as a whole, unless its text is already its value.
        if let Ok(value) = &explanation.value
            && explanation.parts.is_empty()
            && words::value(value) != *condition.text
        {
            self.line(visit, "", &format!("   {} = {}", condition.text, words::value(value)));
        }
        let mut messages: Vec<&str> = Vec::new();
        if let Err(message) = &explanation.value {
            self.line(visit, "", &format!("   {message}"));
            messages.push(message);
        }
        for (part, value) in explanation.parts.iter().take(PARTS_SHOWN) {
            match value {
                Ok(value) => self.line(visit, "", &format!("   {part} = {}", words::value(value))),
                // A part that fails makes the parts around it fail too. Each message is shown once.
                Err(message) if messages.contains(&message.as_str()) => {}
                Err(message) => {
                    self.line(visit, "", &format!("   {message}"));
                    messages.push(message);
                }
            }
        }
    }

    /// Adds a line of a visit.
    fn line(&mut self, visit: VisitId, verb: &str, text: &str) {
        if self.current != Some(visit) {
            self.head(visit, true);
        }
        let indent = self.indent(visit);
        self.put(&indent, verb, text);
    }

    /// Adds a line that belongs to no visit.
    fn aside(&mut self, verb: &str, text: &str) {
        let indent = self.current.map(|visit| self.indent(visit)).unwrap_or_default();
        self.put(&indent, verb, text);
    }

    fn put(&mut self, indent: &str, verb: &str, text: &str) {
        let time = match self.shown_at.replace(self.at) {
            Some(last) if last != self.at => words::time(self.at),
            _ => String::new(),
        };
        let line = format!("{time:>TIME_WIDTH$}  {indent}  {verb:<VERB_WIDTH$}{text}");
        self.push(line.trim_end());
    }

    /// Adds a text, which can have several lines if it contains a failure.
    fn push(&mut self, text: &str) {
        let event = self.count.checked_sub(1);
        self.out.extend(text.split('\n').map(|line| TimelineLine { text: line.to_owned(), event }));
    }

    fn indent(&self, visit: VisitId) -> String {
        let scope = self.cast.visit(visit).and_then(|visit| self.cast.scope(visit.scope));
        "  ".repeat(scope.map_or(0, |scope| scope.depth.min(16)) as usize)
    }

    /// The lines that sum up a run.
    fn end(&mut self, recording: &Recording) {
        let visits = recording.visits().count();
        let mut line = format!(
            "{} after {}, {} {}",
            ended(&recording.outcome),
            words::time(recording.time),
            visits,
            if visits == 1 { "visit" } else { "visits" },
        );
        if let Some(usage) = words::usage(&recording.spent) {
            line.push_str(&format!(", {usage}"));
        }
        if let Some(failure) = &recording.outcome.failure {
            line.push_str(&format!(": {failure}"));
        }
        self.push(&line);
        if let Some(place) = recording.failure_place() {
            self.push(&format!("  at {}", shown(&place)));
        }
        if !matches!(recording.outcome.output, Value::Null | Value::Undefined) {
            let output = words::value(&recording.outcome.output);
            self.push(&format!("  output {output}"));
        }
    }
}

pub(crate) fn shown(place: &SourceLocation) -> String {
    format!("{}:{}", place.path, place.line)
}

/// How a run ended: "completed", "failed: Class: message".
#[must_use]
pub fn in_words(outcome: &Outcome) -> String {
    match &outcome.failure {
        Some(failure) => format!("{}: {failure}", ended(outcome)),
        None => ended(outcome),
    }
}

/// How a run ended, without the reason.
fn ended(outcome: &Outcome) -> String {
    match outcome.status {
        Status::Stopped(limit) => format!("stopped at its limit of {}", limit.noun()),
        Status::Waiting => "waiting for a person".to_owned(),
        status => status.word().to_owned(),
    }
}

/// Whether a message says nothing.
fn is_blank(content: &Value) -> bool {
    match content {
        Value::Text(text) => text.trim().is_empty(),
        Value::Map(map) => map.is_empty(),
        Value::Null | Value::Undefined => true,
        _ => false,
    }
}

/// What is asked, as a verb and its object.
fn asked(ask: &Ask) -> (&'static str, String) {
    match &ask.what {
        Question::Model(model) => {
            let says = |message: &&Message| message.role != Role::System && !is_blank(&message.content);
            let last = model.prompt.iter().rev().find(says);
            let said = last.map(|message| format!(": {}", words::value(&message.content)));
            ("asks", format!("model of `{}`{}", model.agent, said.unwrap_or_default()))
        }
        Question::Tool(tool) => ("calls", format!("tool {}({})", tool.tool, words::value(&tool.arguments))),
        Question::Function(function) => {
            ("calls", format!("function {}({})", function.path, words::value(&function.input)))
        }
        Question::Extension(asked) => {
            ("calls", format!("{}.{}({})", asked.extension, asked.method, words::value(&asked.input)))
        }
        Question::Human(human) => ("asks", format!("a person: {}", words::quoted(&human.prompt))),
        Question::Guardrail(guardrail) => (
            "asks",
            format!("guardrails {}: {}", guardrail.guardrails.join(", "), words::value(&guardrail.content)),
        ),
        Question::Discovery(discovery) => {
            ("looks", format!("for a capability: {}", words::quoted(&discovery.query)))
        }
        Question::Recall(recall) => {
            let text = recall.text.as_ref().map(|text| format!(": {}", words::quoted(text)));
            ("looks", format!("into memory{}", text.unwrap_or_default()))
        }
        Question::Remember(facts) => ("stores", words::value(facts)),
        Question::Remote(remote) => {
            ("asks", format!("server `{}`: {}", remote.server, words::value(&remote.input)))
        }
        Question::Fitness(candidate) => ("scores", words::value(candidate)),
        Question::Session(session) => ("holds", format!("a voice session: {}", session.mode)),
    }
}

/// What is answered.
fn replied(reply: &Reply) -> String {
    match reply {
        Reply::Model(model) => {
            let mut parts = Vec::new();
            if let Some(value) = &model.value {
                parts.push(words::value(value));
            } else if !model.text.is_empty() || model.calls.is_empty() {
                parts.push(words::quoted(&model.text));
            }
            let calls = model.calls.iter();
            parts.extend(calls.map(|call| format!("wants {}({})", call.tool, words::value(&call.arguments))));
            parts.join(", ")
        }
        Reply::Value(value) => words::value(value),
        Reply::Decision(decision) => {
            let data = decision.data.as_ref().map(|data| format!(", {}", words::value(data)));
            format!("{}{}", decision.word, data.unwrap_or_default())
        }
        Reply::Verdict(verdict) => if verdict.passed { "passed" } else { "violated" }.to_owned(),
        Reply::Remote(remote) => match &remote.message {
            Some(message) => format!("{}: {}", remote.state, words::quoted(message)),
            None => remote.state.to_string(),
        },
        Reply::Session(events) => {
            let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
            names.join(", ")
        }
    }
}
