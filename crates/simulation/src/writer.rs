//! Answers as a script, or a scenario, in its text.
//!
//! Input: what was answered in a run, in order; output: YAML, and the same read back. Invariant: each question of that run has its answer in the
//! part that the engine asks first, so that what the script uses says nothing in between.

use std::collections::{BTreeMap, BTreeSet};

use nodewise_dialect::tables::scenario::{ALWAYS, SCENARIO};
use nodewise_engine::ask::{Answer, Decision, ModelReply, RemoteReply, Reply, SessionEvent};
use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::explore::witness::Given;
use nodewise_engine::script::ScriptPart;
use nodewise_expr::json::{number_to_json, to_json};
use nodewise_expr::value::{Map, Value};
use nodewise_model::scenario::Scenario;
use nodewise_model::work::QuestionKind;
use nodewise_model::{Body, Located, SourceId};
use nodewise_syntax::write::{ScalarPosition, scalar_text};
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::chart::{ChartNode, Charts};
use crate::recording::LogIndex;

/// Everything that a script is written from, except the answers.
pub(crate) struct WriterContext<'f> {
    /// The first keys: the title, the used files, what to run.
    pub(crate) lead: Vec<(&'static str, Json)>,
    /// The main graph's id.
    pub(crate) main: &'f str,
    /// What the run begins with.
    pub(crate) scenario: &'f Scenario,
    /// The graphs.
    pub(crate) charts: &'f Charts,
    /// Whether values are written as people write them: without quotes where YAML needs none.
    pub(crate) is_plain: bool,
    /// Whether each tool call has its id. Without ids, the reader counts the calls.
    pub(crate) has_call_ids: bool,
    /// Whether it is a case of an eval. A case has no host, and the last answer of a tool is repeated as often as the tool
    /// is called.
    pub(crate) is_case: bool,
    /// What is not written, because used files already say it.
    pub(crate) left_out: LeftOut,
}

/// What a scenario leaves out, because the files that it uses already say it.
#[derive(Debug, Clone, Default)]
pub(crate) struct LeftOut {
    /// Whether it leaves out what the run begins with.
    pub(crate) start: bool,
    pub(crate) parts: BTreeSet<AnswerPart>,
}

/// Who answers: the inner graph, unless it is the main one, and the place in the script.
pub(crate) type AnswerPart = (Option<SmolStr>, Address);

/// The keys of an answer with their values, as JSON.
type Written = Vec<(&'static str, Json)>;

/// The answers at one place, each with how often it is given in a row.
type Answers = Vec<(Written, u32)>;

/// A place for answers in a script: the section, and the name in it. `None` if the section has no names.
pub(crate) type Address = (&'static str, Option<SmolStr>);

/// The nodes at which a run waited before it continued, in order.
pub(crate) fn waits(events: &[Event]) -> Vec<SmolStr> {
    let mut cast = LogIndex::default();
    let mut waiting = SmolStr::default();
    let mut waits = Vec::new();
    for event in events {
        cast.apply(event);
        match &event.kind {
            EventKind::Paused { visit, .. } => {
                waiting = cast.visit(*visit).map(|visit| visit.node.clone()).unwrap_or_default();
            }
            EventKind::Resumed { .. } => waits.push(waiting.clone()),
            _ => {}
        }
    }
    waits
}

/// Writes a script with these answers. `None` if the format cannot express one of them.
pub(crate) fn script_text(given: &[Given], waits: &[SmolStr], frame: &WriterContext<'_>) -> Option<String> {
    let mut main: BTreeMap<Address, Answers> = BTreeMap::new();
    let mut graphs: BTreeMap<SmolStr, BTreeMap<Address, Answers>> = BTreeMap::new();
    for ((graph, address), answers) in by_part(given, waits, frame)? {
        let part = (graph, address);
        if frame.left_out.parts.contains(&part) {
            continue;
        }
        let parts = match part.0 {
            Some(graph) => graphs.entry(graph).or_default(),
            None => &mut main,
        };
        parts.insert(part.1, answers);
    }
    let mut text = head(frame);
    sections(&main, "", frame, &mut text);
    if !graphs.is_empty() {
        text.push_str("graphs:\n");
        for (graph, parts) in &graphs {
            text.push_str(&format!("  {}:\n", key(graph)));
            sections(parts, "    ", frame, &mut text);
        }
    }
    Some(text)
}

/// The places of all answers in the script. `None` if the format cannot express one of them.
pub(crate) fn parts(
    given: &[Given],
    waits: &[SmolStr],
    frame: &WriterContext<'_>,
) -> Option<BTreeSet<AnswerPart>> {
    Some(by_part(given, waits, frame)?.into_keys().collect())
}

fn by_part(
    given: &[Given],
    waits: &[SmolStr],
    frame: &WriterContext<'_>,
) -> Option<BTreeMap<AnswerPart, Answers>> {
    let mut parts: BTreeMap<AnswerPart, Answers> = BTreeMap::new();
    let mut waits = waits.iter();
    for given in given {
        let (graph, address, written) = match given {
            Given::Answer { who, answer: given } => {
                let (graph, address) = address(who, frame)?;
                (graph, address, answer(given, frame.has_call_ids)?)
            }
            Given::Decision { decision: taken, .. } => {
                let asked = waits.next().filter(|node| asks(frame.charts, node, QuestionKind::Human));
                let address = asked.map_or(("people", None), |node| ("nodes", Some(node.clone())));
                (None, address, decision(taken))
            }
        };
        let part = parts.entry((graph, address)).or_default();
        match part.last_mut() {
            Some((last, times)) if *last == written => *times += 1,
            _ => part.push((written, 1)),
        }
    }
    Some(parts)
}

/// Reads a text back as a script or scenario of this kind.
pub(crate) fn read_back(text: &str, kind: &str) -> Option<Scenario> {
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().next()?.root()?;
    let value = nodewise_dialect::value::SpannedValue::from_node(root, SourceId::default());
    match (SCENARIO.lower)(SCENARIO.kind(kind)?, &value)?.body {
        Body::Scenario(scenario) => Some(*scenario),
        _ => None,
    }
}

/// A script without answers: what a run begins with, and the settings of the program around it.
pub(crate) fn setup_text(lead: Vec<(&'static str, Json)>, scenario: &Scenario) -> String {
    head(&WriterContext {
        lead,
        main: "",
        scenario,
        charts: &Charts::default(),
        is_plain: false,
        has_call_ids: true,
        is_case: false,
        left_out: LeftOut::default(),
    })
}

/// The text in front of the answers: the first keys, the start of the run, and its settings.
pub(crate) fn head(frame: &WriterContext<'_>) -> String {
    let scenario = frame.scenario;
    let start = &scenario.start;
    let word = |word: &Option<Located<SmolStr>>| word.as_ref().map(|word| Json::from(word.value.as_str()));
    let value = |value: &Option<Located<Value>>| value.as_ref().map(|value| to_json(&value.value));
    let memory: Map = start.memory.iter().map(|(key, value)| (key.value.clone(), value.clone())).collect();
    let turns: Vec<Json> = start
        .turns
        .iter()
        .map(|turn| match &turn.context {
            Some(context) => serde_json::json!({"input": to_json(&turn.input), "context": to_json(context)}),
            None => to_json(&turn.input),
        })
        .collect();
    let constraints: Vec<Json> = start.constraints.iter().map(|one| one.value.as_str().into()).collect();
    let list = |items: Vec<Json>| (!items.is_empty()).then_some(Json::Array(items));
    let said = &scenario.host;
    let tools = said.server_tools.iter().map(|(server, tools)| {
        (server.value.to_string(), Json::from_iter(tools.iter().map(SmolStr::as_str)))
    });
    let host = [
        ("profile", word(&said.profile)),
        ("reading", word(&said.reading)),
        ("now", said.now.as_ref().map(|now| number_to_json(now.value))),
        ("mcp", (!said.server_tools.is_empty()).then(|| Json::Object(tools.collect()))),
    ];
    let limits = &scenario.limits;
    let limits = [
        ("visits", limits.visits),
        ("time", limits.time_ms),
        ("tokens", limits.tokens),
        ("cost", limits.cost_usd),
    ];
    let members = [
        ("input", value(&start.input)),
        ("goal", word(&start.goal)),
        ("constraints", list(constraints)),
        ("memory", (!memory.is_empty()).then(|| to_json(&memory.into()))),
        ("turns", list(turns)),
        ("context", value(&start.context)),
        ("language", word(&start.language)),
        ("fallback_language", word(&start.fallback_language)),
        ("host", mapping(host).filter(|_| !frame.is_case)),
        ("limits", mapping(limits.map(|(key, amount)| (key, amount.map(Json::from))))),
        ("seed", scenario.seed.map(|seed| Json::from(seed as u64))),
    ];
    let line = |key: &str, value: &Json| match value {
        Json::String(text) if frame.is_plain => {
            format!("{key}: {}\n", scalar_text(text, ScalarPosition::Block))
        }
        value => format!("{key}: {}\n", flow(value, frame.is_plain)),
    };
    let lead = frame.lead.iter().map(|(key, value)| line(key, value));
    let written = members
        .into_iter()
        .filter(|_| !frame.left_out.start)
        .filter_map(|(key, value)| Some(line(key, &value?)));
    lead.chain(written).collect()
}

fn mapping<const N: usize>(members: [(&str, Option<Json>); N]) -> Option<Json> {
    let members = members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    let map: serde_json::Map<String, Json> = members.collect();
    (!map.is_empty()).then_some(Json::Object(map))
}

/// A value on one line, as JSON or in the flow style of YAML.
fn flow(value: &Json, is_plain: bool) -> String {
    match value {
        value if !is_plain => value.to_string(),
        Json::String(text) => scalar_text(text, ScalarPosition::Flow),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| flow(item, is_plain)).collect();
            format!("[{}]", items.join(", "))
        }
        Json::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{}: {}", key(name), flow(value, is_plain)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        value => value.to_string(),
    }
}

fn sections(parts: &BTreeMap<Address, Answers>, indent: &str, frame: &WriterContext<'_>, text: &mut String) {
    let mut open = "";
    for ((section, name), answers) in parts {
        if *section != open {
            text.push_str(&format!("{indent}{section}:\n"));
            open = section;
        }
        let deeper = if name.is_some() { "    " } else { "  " };
        if let Some(name) = name {
            text.push_str(&format!("{indent}  {}:\n", key(name)));
        }
        let repeats = frame.is_case && REPEATED.contains(section);
        for (position, (written, times)) in answers.iter().enumerate() {
            let mut members: Vec<String> = written
                .iter()
                .map(|(key, value)| format!("{key}: {}", flow(value, frame.is_plain)))
                .collect();
            if repeats && position + 1 == answers.len() {
                members.push(format!("times: {ALWAYS}"));
            } else if *times > 1 {
                members.push(format!("times: {times}"));
            }
            text.push_str(&format!("{indent}{deeper}- {{{}}}\n", members.join(", ")));
        }
    }
}

/// The sections whose last answer is repeated in a case, because another model may ask more often than the recorded one.
const REPEATED: [&str; 6] = ["tools", "functions", "extensions", "servers", "searches", "recall"];

/// A key, in quotes unless it is a plain word.
pub(crate) fn key(name: &str) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|one| one.is_ascii_alphanumeric() || matches!(one, '_' | '-' | '.' | '/'));
    let is_word =
        matches!(name.to_ascii_lowercase().as_str(), "true" | "false" | "null" | "yes" | "no" | "on" | "off");
    if is_plain && !is_word { name.to_owned() } else { Json::from(name).to_string() }
}

/// The place for the answers to `who`. The graph is left out if it is the main one. `None` if the format has no such place.
fn address(who: &ScriptPart, frame: &WriterContext<'_>) -> Option<(Option<SmolStr>, Address)> {
    let section = match who.kind {
        QuestionKind::Discovery => return Some((None, ("searches", who.name.clone()))),
        QuestionKind::Recall => return Some((None, ("recall", None))),
        QuestionKind::Remember => return Some((None, ("remember", None))),
        QuestionKind::Fitness => return Some((None, ("fitness", None))),
        QuestionKind::Model => Some("agents"),
        QuestionKind::Tool => Some("tools"),
        QuestionKind::Function => Some("functions"),
        QuestionKind::Extension => Some("extensions"),
        QuestionKind::Remote => Some("servers"),
        QuestionKind::Guardrail | QuestionKind::Human | QuestionKind::Session => None,
    };
    let graph = who.graph.as_ref().filter(|graph| *graph != frame.main);
    let chart = frame.charts.graph(who.graph.as_ref()?);
    let fits = |node: &&ChartNode| {
        node.asks == who.kind && node.asks_for.as_ref().or(Some(&node.id)) == who.node.as_ref()
    };
    if let Some(node) = chart.and_then(|chart| chart.nodes.iter().find(fits)) {
        return Some((graph.cloned(), ("nodes", Some(node.id.clone()))));
    }
    match who.kind {
        QuestionKind::Guardrail => Some((None, ("guardrails", None))),
        _ => Some((graph.cloned(), (section?, Some(who.name.clone()?)))),
    }
}

fn asks(charts: &Charts, node: &str, kind: QuestionKind) -> bool {
    charts.node_called(node).is_some_and(|node| node.asks == kind)
}

fn answer(answer: &Answer, has_call_ids: bool) -> Option<Written> {
    let mut written = match &answer.result {
        Ok(reply) => reply_of(reply, has_call_ids)?,
        Err(failure) => {
            let cause = failure.cause.as_ref().map(|cause| Json::from(cause.as_str()));
            let error = mapping([
                ("class", Some(failure.class.as_str().into())),
                ("message", Some(failure.message.as_str().into())),
                ("retryable", Some(failure.retryable.into())),
                ("cause", cause),
            ]);
            vec![("error", error?)]
        }
    };
    if answer.after.0 > 0 && written.iter().all(|(key, _)| *key != "after") {
        written.push(("after", answer.after.0.into()));
    }
    let usage = &answer.usage;
    if usage.tokens() > 0.0 {
        let tokens = serde_json::json!({"input": usage.input_tokens, "output": usage.output_tokens});
        written.push(("tokens", tokens));
    }
    if usage.cost_usd > 0.0 {
        written.push(("cost", usage.cost_usd.into()));
    }
    if let Some(aside) = &answer.aside {
        written.push(("context", to_json(aside)));
    }
    Some(written)
}

fn reply_of(reply: &Reply, has_call_ids: bool) -> Option<Written> {
    Some(match reply {
        Reply::Model(model) => model_reply(model, has_call_ids),
        Reply::Value(Value::Undefined) => Vec::new(),
        Reply::Value(value) => vec![("value", to_json(value))],
        Reply::Decision(taken) => decision(taken),
        Reply::Verdict(verdict) => {
            vec![("passed", verdict.passed.into()), ("results", to_json(&verdict.results))]
        }
        Reply::Remote(remote) => remote_reply(remote),
        Reply::Session(events) => vec![("events", events.iter().map(session_event).collect::<Option<_>>()?)],
    })
}

fn model_reply(model: &ModelReply, has_call_ids: bool) -> Written {
    let mut written = Written::new();
    if !model.text.is_empty() || (model.value.is_none() && model.calls.is_empty()) {
        written.push(("text", model.text.as_str().into()));
    }
    if let Some(value) = &model.value {
        written.push(("value", to_json(value)));
    }
    if !model.calls.is_empty() {
        let call = |call: &nodewise_engine::ask::ToolCall| {
            let mut written = serde_json::Map::new();
            written.insert("tool".to_owned(), call.tool.as_str().into());
            if has_call_ids {
                written.insert("id".to_owned(), call.id.as_str().into());
            }
            written.insert("arguments".to_owned(), to_json(&call.arguments));
            Json::Object(written)
        };
        written.push(("calls", model.calls.iter().map(call).collect()));
    }
    written
}

fn decision(decision: &Decision) -> Written {
    let mut written = vec![("decision", decision.word.as_str().into())];
    if let Some(data) = &decision.data {
        written.push(("data", to_json(data)));
    }
    if !decision.updates.is_empty() {
        written.push(("updates", to_json(&decision.updates.clone().into())));
    }
    if decision.after.0 > 0 {
        written.push(("after", decision.after.0.into()));
    }
    written
}

fn remote_reply(remote: &RemoteReply) -> Written {
    let mut written: Written =
        vec![("task", remote.task.as_str().into()), ("state", remote.state.as_str().into())];
    if !remote.artifacts.is_empty() {
        let artifacts: serde_json::Map<String, Json> =
            remote.artifacts.iter().map(|(name, value)| (name.to_string(), to_json(value))).collect();
        written.push(("artifacts", artifacts.into()));
    }
    if let Some(message) = &remote.message {
        written.push(("message", message.as_str().into()));
    }
    written
}

/// An event of a session, with its data.
fn session_event(event: &SessionEvent) -> Option<Json> {
    let mut written = match to_json(&event.data) {
        Json::Object(written) => written,
        Json::Null => serde_json::Map::new(),
        _ => return None,
    };
    written.insert("event".to_owned(), event.name.as_str().into());
    if event.after.0 > 0 {
        written.insert("after".to_owned(), event.after.0.into());
    }
    Some(Json::Object(written))
}
