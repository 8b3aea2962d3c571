//! The event log of the release: what nodes wrote, and where the run went.
//!
//! Input: events as the log's writer stores them; output: runs. Each event counts as the release's own recovery counts it:
//! actions are folded into the memory, and `_advance` says which edge was followed. Invariant: memory is known completely from
//! the first `workflow_started` of a graph on, and not before.

use std::collections::BTreeMap;

use nodewise_engine::time::Millis;
use nodewise_expr::json::from_json;
use nodewise_expr::value::{Map, Value};
use serde_json::Value as Json;
use smol_str::SmolStr;

use super::MEMORY;
use crate::external_run::{ExternalRun, ExternalScope, ExternalStep, KnownState, NextStep, TraceEntry};

/// The types of events.
const STARTED: &str = "workflow_started";
const NODE: &str = "node_started";
const ACTION: &str = "action_dispatched";
const INTERNAL: &str = "internal_dispatched";
/// The prefix of the types of events of inner graphs.
const CHILD: &str = "child_";
/// The key with the run of an inner graph.
const CHILD_RUN: &str = "_child_run_id";
/// The maximum length of a value, in characters of its JSON.
const VALUE_MAX: usize = 1_048_576;

/// A graph that runs.
struct LoggedScope {
    scope: ExternalScope,
    /// The prefix of the names of its nodes in the log.
    prefix: String,
    /// Its memory. `None` if a part of it is not known.
    memory: Option<Map>,
    /// What conditions can read besides the memory.
    beside: Map,
    iterations: Option<f64>,
    is_resumed: bool,
    /// Whether a person has rejected.
    is_rejected: bool,
}

/// A run that is put together from events.
struct LoggedRun {
    run: ExternalRun,
    scopes: Vec<LoggedScope>,
    /// The positions of the scopes, by the ids of their runs in the log; the main one has no id.
    numbers: BTreeMap<String, usize>,
    times: Vec<i64>,
}

/// The runs of a log; `None` if the entries are no events.
pub(super) fn runs(entries: &[TraceEntry]) -> Option<Vec<ExternalRun>> {
    let is_event = |entry: &TraceEntry| {
        entry.value.get("sequence_id").is_some_and(Json::is_u64)
            && !entry.text("event_type").is_empty()
            && !entry.text("run_id").is_empty()
    };
    if entries.is_empty() || !entries.iter().all(is_event) {
        return None;
    }
    let mut sorted: Vec<&TraceEntry> = entries.iter().collect();
    sorted.sort_by_key(|entry| entry.value.get("sequence_id").and_then(Json::as_u64));
    let mut runs: Vec<LoggedRun> = Vec::new();
    for entry in entries {
        if runs.iter().all(|run| run.run.id != entry.text("run_id")) {
            runs.push(LoggedRun::new(entry));
        }
    }
    for entry in sorted {
        if let Some(run) = runs.iter_mut().find(|run| run.run.id == entry.text("run_id")) {
            run.read(entry);
        }
    }
    let runs = runs.into_iter().map(LoggedRun::finished);
    Some(runs.filter(|run| run.scopes.iter().any(|scope| !scope.steps.is_empty())).collect())
}

impl LoggedRun {
    fn new(entry: &TraceEntry) -> LoggedRun {
        let id = SmolStr::new(entry.text("run_id"));
        let run = ExternalRun { id, line: entry.line, ..ExternalRun::default() };
        LoggedRun { run, scopes: Vec::new(), numbers: BTreeMap::new(), times: Vec::new() }
    }

    fn finished(self) -> ExternalRun {
        let time = self.times.iter().max().zip(self.times.iter().min()).map(|(last, first)| last - first);
        let time = Millis(time.and_then(|time| u64::try_from(time).ok()).unwrap_or_default());
        let scopes = self.scopes.into_iter().map(|scope| scope.scope).collect();
        ExternalRun { time, scopes, ..self.run }
    }

    fn read(&mut self, entry: &TraceEntry) {
        self.times.extend(entry.value.get("created_at").and_then(Json::as_str).and_then(milliseconds));
        let word = entry.text("event_type");
        let payload = entry.value.get("internal_payload").unwrap_or(&Json::Null);
        let is_child = word.starts_with(CHILD);
        let word = word.strip_prefix(CHILD).unwrap_or(word);
        let action = entry.value.get("action").unwrap_or(&Json::Null);
        let run = [payload, action.get("payload").unwrap_or(&Json::Null)];
        let run = run.iter().find_map(|payload| payload.get(CHILD_RUN).and_then(Json::as_str));
        let node = entry.text("node_id");
        let Some(scope) = self.scope(is_child, run, node, word == INTERNAL) else { return };
        match word {
            STARTED => scope.started(payload),
            NODE => scope.visit(node, entry.line),
            ACTION => scope.action(action),
            INTERNAL => scope.change(entry.text("internal_type"), payload),
            _ => {}
        }
    }

    /// The scope of an event. Events of inner graphs name their run, except for actions, which the node's prefix tells.
    fn scope(
        &mut self,
        is_child: bool,
        run: Option<&str>,
        node: &str,
        is_internal: bool,
    ) -> Option<&mut LoggedScope> {
        let number = match (is_child, run) {
            (false, _) => self.numbered("", || (String::new(), None)),
            (true, Some(run)) => {
                let caller =
                    if is_internal || self.numbers.contains_key(run) { node } else { parent_of(node) };
                let around = self.around(caller);
                self.numbered(run, || (format!("{caller}/"), around))
            }
            (true, None) => {
                let prefix = format!("{}/", parent_of(node));
                self.scopes.iter().rposition(|scope| scope.prefix == prefix)?
            }
        };
        self.scopes.get_mut(number)
    }

    fn numbered(&mut self, run: &str, make: impl FnOnce() -> (String, Option<(usize, SmolStr)>)) -> usize {
        if let Some(number) = self.numbers.get(run) {
            return *number;
        }
        let (prefix, caller) = make();
        self.scopes.push(LoggedScope::new(prefix, caller));
        self.numbers.insert(run.to_owned(), self.scopes.len() - 1);
        self.scopes.len() - 1
    }

    /// The scope whose last visit has that name in the log, and the name of its node.
    fn around(&self, caller: &str) -> Option<(usize, SmolStr)> {
        let is_it = |scope: &LoggedScope| {
            let node = &scope.scope.steps.last()?.node;
            (format!("{}{node}", scope.prefix) == caller).then(|| node.clone())
        };
        let scopes = self.scopes.iter().enumerate();
        scopes.rev().find_map(|(number, scope)| Some((number, is_it(scope)?)))
    }
}

impl LoggedScope {
    fn new(prefix: String, caller: Option<(usize, SmolStr)>) -> LoggedScope {
        LoggedScope {
            scope: ExternalScope { caller, ..ExternalScope::default() },
            prefix,
            memory: None,
            beside: Map::new(),
            iterations: None,
            is_resumed: false,
            is_rejected: false,
        }
    }

    /// A graph starts, or continues: the event has the whole memory.
    fn started(&mut self, payload: &Json) {
        let Some(config) = payload.get("config") else { return };
        let memory = config.get("memory").cloned().unwrap_or_else(|| Json::Object(serde_json::Map::new()));
        if let Value::Map(memory) = from_json(memory) {
            self.memory = Some(memory.as_ref().clone());
        }
        for key in ["goal", "constraints", "max_iterations"] {
            if let Some(value) = config.get(key) {
                self.beside.insert(key, from_json(value.clone()));
            }
        }
    }

    fn visit(&mut self, node: &str, line: u32) {
        let node = SmolStr::new(node.strip_prefix(&self.prefix).unwrap_or(node));
        let is_resumed = std::mem::take(&mut self.is_resumed);
        self.scope.steps.push(ExternalStep { node, line, is_resumed, ..ExternalStep::default() });
    }

    fn action(&mut self, action: &Json) {
        let payload = action.get("payload").unwrap_or(&Json::Null);
        let word = action.get("type").and_then(Json::as_str).unwrap_or_default();
        match word {
            "update_memory" | "merge_parallel_results" => self.write(payload.get("updates")),
            "handoff" | "goto_node" => {
                self.write(payload.get("memory_updates"));
                let target = payload.get("node_id").and_then(Json::as_str);
                self.go(target.map_or(NextStep::Unknown, |target| NextStep::HandOver(target.into())));
            }
            "request_human_input" => {
                self.write(payload.get("memory_updates"));
                self.go(NextStep::Wait);
            }
            "resume_from_human" => {
                if let (Some(memory), Some(decision)) = (&mut self.memory, payload.get("decision")) {
                    memory.insert("human_decision", from_json(decision.clone()));
                    if let Some(response) = payload.get("response") {
                        memory.insert("human_response", from_json(response.clone()));
                    }
                }
                self.write(payload.get("memory_updates"));
                self.is_rejected = payload.get("decision").and_then(Json::as_str) == Some("rejected");
            }
            "set_status" => self.go(NextStep::Stop),
            // Anything else can change the memory in any way, so it is unknown from here on.
            _ => self.memory = None,
        }
    }

    fn change(&mut self, word: &str, payload: &Json) {
        match word {
            "_init" => {
                self.is_resumed = payload.get("resume").and_then(Json::as_bool) == Some(true);
                if !self.is_resumed && self.scope.steps.is_empty() {
                    self.scope.is_from_start = true;
                    self.iterations = Some(0.0);
                }
            }
            "_increment_iteration" => self.iterations = self.iterations.map(|count| count + 1.0),
            "_advance" => {
                let Some(target) = payload.get("node_id").and_then(Json::as_str).map(SmolStr::new) else {
                    return;
                };
                match std::mem::take(&mut self.is_rejected) {
                    true => self.go(NextStep::HandOver(target)),
                    false => self.go(NextStep::Edge(target)),
                }
            }
            "_complete" => self.go(NextStep::End),
            "_fail" | "_cancel" | "_timeout" => self.go(NextStep::Stop),
            _ => {}
        }
    }

    /// Sets how the run continues after the last visit.
    fn go(&mut self, next: NextStep) {
        let known = self.memory.as_ref().map(|memory| {
            let mut visible = self.beside.clone();
            visible.insert(MEMORY, memory.clone().into());
            if let Some(iterations) = self.iterations {
                visible.insert("iteration_count", Value::Number(iterations));
            }
            KnownState { visible, complete: vec![MEMORY.into()] }
        });
        if let Some(step) = self.scope.steps.last_mut() {
            step.known = known;
            step.next = next;
        }
    }

    /// Writes to the memory what the release writes.
    fn write(&mut self, updates: Option<&Json>) {
        let (Some(memory), Some(Json::Object(updates))) = (&mut self.memory, updates) else { return };
        for (key, value) in updates {
            let is_oversized = value.to_string().chars().count() > VALUE_MAX;
            if !key.starts_with('_') && !is_oversized {
                memory.insert(key.as_str(), from_json(value.clone()));
            }
        }
    }
}

/// The node that runs the graph of a node: `settle` of `settle/weigh`.
fn parent_of(node: &str) -> &str {
    node.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// The milliseconds of a moment as JavaScript writes it, `2026-01-31T10:00:00.000Z`, from some day on.
fn milliseconds(text: &str) -> Option<i64> {
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    let (hour, minute, second) = (part(11, 13)?, part(14, 16)?, part(17, 19)?);
    let milliseconds = part(20, 23).unwrap_or_default();
    // Years begin in March, so that the day that some of them have more is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + milliseconds)
}
