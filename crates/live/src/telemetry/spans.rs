//! Events to spans: the run, the graphs and nodes in it, what they ask.
//!
//! Input: events as they are stored, with the moments at which they were; output: the spans that they end. Invariant: equal runs
//! have equal spans, so that nothing is sent twice under different ids.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use nodewise_engine::outcome::{Outcome, Status as RunStatus};
use nodewise_simulation::external::spans::{OWN_NAMES, SYSTEM_ATTRIBUTE};
use serde_json::Value as Json;

use super::SpanSource;
use super::content::{Content, input, instructions, output};
use super::otlp::{
    CLIENT, INTERNAL, OtlpAttribute, OtlpEvent, OtlpSpan, OtlpStatus, SAMPLED_LOCAL_PARENT, nanoseconds,
};
use crate::store::{Moment, hash};

/// The spans of a run that have not ended.
#[derive(Debug)]
pub(super) struct Spans {
    subject: SpanSource,
    has_content: bool,
    root: Option<Open>,
    scopes: BTreeMap<u64, Open>,
    visits: BTreeMap<u64, Open>,
    asks: BTreeMap<u64, Open>,
}

/// The id of a span: eight bytes, of which not all are 0.
type SpanId = [u8; 8];

/// A span that has not ended.
#[derive(Debug)]
struct Open {
    id: SpanId,
    /// `None` for the span of the run.
    parent: Option<SpanId>,
    name: String,
    kind: i32,
    start: SystemTime,
    attributes: Vec<OtlpAttribute>,
    events: Vec<OtlpEvent>,
    /// The class of the failure, if there was one.
    error: Option<String>,
}

/// The attribute that names the operation, in OpenTelemetry's conventions.
const OPERATION: &str = "gen_ai.operation.name";
const ERROR: &str = "error.type";

impl Spans {
    pub(super) fn new(subject: SpanSource, has_content: bool) -> Spans {
        let (scopes, visits, asks) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Spans { subject, has_content, root: None, scopes, visits, asks }
    }

    /// Reads an event. Returns the spans that end with it.
    pub(super) fn read(&mut self, event: &Json, stored: Moment) -> Vec<OtlpSpan> {
        let at = time(stored);
        let number = |key: &str| event.get(key).and_then(Json::as_u64);
        match (text(event, "event"), number("scope"), number("visit"), number("ask")) {
            ("graph-started", Some(scope), ..) => self.begin_graph(event, scope, at),
            ("visit-started", Some(scope), Some(visit), _) => {
                let parent = self.around(scope, at);
                let node = text(event, "node");
                let attributes = vec![OtlpAttribute::new(OWN_NAMES.node, node.to_owned())];
                let open = self.open(("visit", visit), parent, format!("node {node}"), at, attributes);
                self.visits.insert(visit, open);
            }
            ("asked", _, Some(visit), Some(ask)) => {
                let parent = self.visits.get(&visit).map(|open| open.id);
                let open = self.question(event, ask, parent, at);
                self.asks.insert(ask, open);
            }
            ("answered", _, _, Some(ask)) => {
                let Some(mut open) = self.asks.remove(&ask) else { return Vec::new() };
                self.answer(event, &mut open);
                return vec![self.closed(open, at)];
            }
            ("retried", _, Some(visit), _) => {
                let attributes = vec![
                    OtlpAttribute::new("nodewise.attempt", number("attempt").unwrap_or(0).cast_signed()),
                    OtlpAttribute::new(ERROR, class(event).unwrap_or_default()),
                ];
                self.mark(visit, "retry", at, attributes);
            }
            ("paused", _, Some(visit), _) => self.mark(visit, "pause", at, Vec::new()),
            ("visit-ended", _, Some(visit), _) => return self.end_visit(event, visit, at),
            ("graph-ended", Some(scope), ..) => {
                let Some(mut open) = self.scopes.remove(&scope) else { return Vec::new() };
                open.error = event.get("outcome").and_then(class);
                return vec![self.closed(open, at)];
            }
            _ => {}
        }
        Vec::new()
    }

    /// Ends all open spans, and the span of the run.
    pub(super) fn end(&mut self, outcome: &Outcome, at: Moment) -> Vec<OtlpSpan> {
        let at = time(at);
        let mut left: Vec<Open> = std::mem::take(&mut self.asks).into_values().collect();
        left.extend(std::mem::take(&mut self.visits).into_values());
        left.extend(std::mem::take(&mut self.scopes).into_values());
        for open in &mut left {
            open.attributes.push(OtlpAttribute::new("nodewise.unfinished", true));
        }
        if let Some(mut root) = self.root.take() {
            root.attributes.push(OtlpAttribute::new("nodewise.outcome", outcome.status.word()));
            let class = outcome.failure.as_ref().map(|failure| failure.class.to_string());
            let is_well = matches!(outcome.status, RunStatus::Completed | RunStatus::Waiting);
            root.error = class.or_else(|| (!is_well).then(|| outcome.status.word().to_owned()));
            left.push(root);
        }
        left.into_iter().map(|open| self.closed(open, at)).collect()
    }

    /// Begins the span of a graph. The first graph begins the span of the run instead.
    fn begin_graph(&mut self, event: &Json, scope: u64, at: SystemTime) {
        let graph = text(event, "graph").to_owned();
        let by = event.get("by").and_then(Json::as_u64);
        if let Some(by) = by {
            let parent = self.visits.get(&by).map(|open| open.id);
            let attributes = vec![
                OtlpAttribute::new(OPERATION, "invoke_workflow"),
                OtlpAttribute::new(OWN_NAMES.graph, graph.clone()),
            ];
            let open =
                self.open(("graph", scope), parent, format!("invoke_workflow {graph}"), at, attributes);
            self.scopes.insert(scope, open);
        } else {
            self.begin_run(&graph, at);
        }
    }

    fn begin_run(&mut self, graph: &str, at: SystemTime) {
        if self.root.is_some() {
            return;
        }
        let (operation, key) = match self.subject.system.nodes_are_one_graph() {
            true => ("invoke_agent", "gen_ai.agent.name"),
            false => ("invoke_workflow", OWN_NAMES.graph),
        };
        let name = if graph.is_empty() { self.subject.title.clone() } else { graph.to_owned() };
        let attributes = vec![
            OtlpAttribute::new(OPERATION, operation),
            OtlpAttribute::new(key, name.clone()),
            OtlpAttribute::new("gen_ai.conversation.id", self.subject.run.clone()),
            OtlpAttribute::new(OWN_NAMES.run, self.subject.run.clone()),
            OtlpAttribute::new(SYSTEM_ATTRIBUTE, self.subject.system.dialect().id),
        ];
        self.root = Some(self.open(("run", 0), None, format!("{operation} {name}"), at, attributes));
    }

    /// The id of the span that visits belong to: that of their graph, or of the run.
    fn around(&mut self, scope: u64, at: SystemTime) -> Option<SpanId> {
        if let Some(open) = self.scopes.get(&scope) {
            return Some(open.id);
        }
        self.begin_run("", at);
        self.root.as_ref().map(|root| root.id)
    }

    fn question(&self, event: &Json, ask: u64, parent: Option<SpanId>, at: SystemTime) -> Open {
        let of = text(event, "of");
        let nothing = Json::Null;
        let question = event.get("question").unwrap_or(&nothing);
        let content = Content { mask: self.subject.mask.as_ref() };
        let mut attributes = Vec::new();
        let mut put = |key: &'static str, value: String| attributes.push(OtlpAttribute::new(key, value));
        let (name, kind) = match of {
            "model" => {
                let agent = text(question, "agent");
                put(OPERATION, "chat".to_owned());
                put("gen_ai.agent.name", agent.to_owned());
                let served = self.subject.models.get(agent);
                if let Some((provider, model)) = served {
                    put("gen_ai.provider.name", provider.to_string());
                    put("gen_ai.request.model", model.to_string());
                }
                if self.has_content {
                    put("gen_ai.input.messages", content.text(&input(question)));
                    put("gen_ai.system_instructions", content.text(&instructions(question)));
                }
                let model = served.map(|(_, model)| format!("chat {model}"));
                (model.unwrap_or_else(|| "chat".to_owned()), CLIENT)
            }
            "tool" | "function" => {
                let tool = if of == "tool" { text(question, "tool") } else { text(question, "path") };
                put(OPERATION, "execute_tool".to_owned());
                put("gen_ai.tool.name", tool.to_owned());
                put("gen_ai.tool.type", "function".to_owned());
                if let Some(call) = question.get("call").and_then(Json::as_str) {
                    put("gen_ai.tool.call.id", call.to_owned());
                }
                let arguments = question.get("arguments").or_else(|| question.get("input"));
                if let Some(arguments) = arguments.filter(|_| self.has_content) {
                    put("gen_ai.tool.call.arguments", content.text(arguments));
                }
                (format!("execute_tool {tool}"), INTERNAL)
            }
            of => (format!("ask {of}"), INTERNAL),
        };
        if let Some(temperature) = question.get("temperature").and_then(Json::as_f64) {
            attributes.push(OtlpAttribute::new("gen_ai.request.temperature", temperature));
        }
        Open { kind, ..self.open(("ask", ask), parent, name, at, attributes) }
    }

    fn answer(&self, event: &Json, open: &mut Open) {
        let Some(answer) = event.get("answer") else { return };
        open.error = class(answer);
        let amount = |key: &str| answer.get("usage").and_then(|usage| usage.get(key)).and_then(Json::as_f64);
        for (key, of) in
            [("gen_ai.usage.input_tokens", "input_tokens"), ("gen_ai.usage.output_tokens", "output_tokens")]
        {
            open.attributes.extend(amount(of).map(|tokens| OtlpAttribute::new(key, tokens as i64)));
        }
        let cached = amount("cached_tokens").filter(|tokens| *tokens > 0.0);
        open.attributes.extend(
            cached.map(|tokens| OtlpAttribute::new("gen_ai.usage.cache_read.input_tokens", tokens as i64)),
        );
        let fallback = text(answer, "fallback").split_once('/');
        if let Some((provider, model)) = fallback {
            open.attributes.push(OtlpAttribute::new("gen_ai.response.model", model.to_owned()));
            open.attributes.push(OtlpAttribute::new("nodewise.response.provider", provider.to_owned()));
        }
        let cost = amount("cost_usd").filter(|cost| *cost > 0.0);
        open.attributes.extend(cost.map(|cost| OtlpAttribute::new("nodewise.cost_usd", cost)));
        let Some(reply) = answer.get("reply").filter(|_| self.has_content) else { return };
        let content = Content { mask: self.subject.mask.as_ref() };
        let said = match (text(reply, "of"), reply.get("value")) {
            ("model", _) => Some(("gen_ai.output.messages", content.text(&output(reply)))),
            ("value", Some(value)) => Some(("gen_ai.tool.call.result", content.text(value))),
            _ => None,
        };
        open.attributes.extend(said.map(|(key, text)| OtlpAttribute::new(key, text)));
    }

    /// Ends the span of a visit, and the spans of its questions that nobody answered.
    fn end_visit(&mut self, event: &Json, visit: u64, at: SystemTime) -> Vec<OtlpSpan> {
        let Some(mut open) = self.visits.remove(&visit) else { return Vec::new() };
        open.error = class(event);
        let left: Vec<u64> =
            self.asks.iter().filter(|(_, ask)| ask.parent == Some(open.id)).map(|(ask, _)| *ask).collect();
        let mut ended = Vec::new();
        for ask in left {
            if let Some(mut ask) = self.asks.remove(&ask) {
                ask.attributes.push(OtlpAttribute::new("nodewise.unfinished", true));
                ended.push(self.closed(ask, at));
            }
        }
        ended.push(self.closed(open, at));
        ended
    }

    fn mark(&mut self, visit: u64, name: &'static str, at: SystemTime, attributes: Vec<OtlpAttribute>) {
        if let Some(open) = self.visits.get_mut(&visit) {
            open.events.push(OtlpEvent {
                time_unix_nano: nanoseconds(at),
                name: name.to_owned(),
                attributes,
            });
        }
    }

    fn open(
        &self,
        (sort, number): (&str, u64),
        parent: Option<SpanId>,
        name: String,
        start: SystemTime,
        attributes: Vec<OtlpAttribute>,
    ) -> Open {
        // A process that resumes the run must give the span the same id. Zero is not a valid id.
        let id = hash(&[&self.subject.identity, sort.as_bytes(), &number.to_le_bytes()]);
        let id = id.max(1).to_be_bytes();
        Open { id, parent, name, kind: INTERNAL, start, attributes, events: Vec::new(), error: None }
    }

    fn closed(&self, open: Open, end: SystemTime) -> OtlpSpan {
        let mut attributes = open.attributes;
        let status = match open.error {
            Some(class) => {
                attributes.push(OtlpAttribute::new(ERROR, class.clone()));
                OtlpStatus::error(class)
            }
            None => OtlpStatus::default(),
        };
        OtlpSpan {
            trace_id: self.subject.identity.to_vec(),
            span_id: open.id.to_vec(),
            parent_span_id: open.parent.map(Vec::from).unwrap_or_default(),
            name: open.name,
            kind: open.kind,
            start_time_unix_nano: nanoseconds(open.start),
            end_time_unix_nano: nanoseconds(end.max(open.start)),
            attributes,
            events: open.events,
            status: Some(status),
            flags: SAMPLED_LOCAL_PARENT,
        }
    }
}

fn time(moment: Moment) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(moment.0).unwrap_or_default())
}

fn text<'j>(json: &'j Json, key: &str) -> &'j str {
    json.get(key).and_then(Json::as_str).unwrap_or_default()
}

/// The class of the failure in an event or an answer, if it has one.
fn class(json: &Json) -> Option<String> {
    Some(json.get("failure")?.get("class")?.as_str()?.to_owned())
}
