//! The answers to try for the questions of AgentOS' nodes. In: a question; out: answers that make every difference
//! that conditions can see. Invariant: the first answer is no failure.

use nodewise_expr::json::to_json;
use nodewise_expr::value::{Map, Value};
use nodewise_model::agentos::Work;
use nodewise_model::graph::GraphNode;
use nodewise_model::schema_example::schema_example;
use smol_str::{SmolStr, format_smolstr};

use super::{Known, SCRATCH, name_of, output_key};
use crate::ask::{Answer, Ask, Decision, ModelReply, Purpose, Question, Reply, SessionEvent, Verdict};
use crate::explore::guide::{AnswerChoice, Choices};
use crate::explore::values;
use crate::outcome::Failure;
use crate::script::echo;
use crate::time::Millis;

/// The decisions of a person.
const WORDS: [&str; 2] = ["approved", "rejected"];
/// The most turns of a session that are simulated.
const MOST_TURNS: f64 = 50.0;

/// A plain answer, or a failure.
pub(super) fn plain(ask: &Ask) -> Choices {
    with_fault(vec![echo::answer(ask)], ask, false)
}

/// The decisions to try.
pub(super) fn decisions() -> Vec<Decision> {
    WORDS
        .map(|word| Decision { word: word.into(), data: None, updates: Map::new(), after: Millis::ZERO })
        .to_vec()
}

fn with_fault(answers: Vec<Answer>, ask: &Ask, is_cut: bool) -> Choices {
    let mut list: Vec<AnswerChoice> = answers.into_iter().map(AnswerChoice::of).collect();
    let message = format_smolstr!("the {} fails", ask.what.noun());
    list.push(AnswerChoice::of(Answer::failed(Failure::lasting("Error", message))));
    Choices { list, is_cut }
}

fn certain(answers: Vec<Answer>) -> Choices {
    Choices::of(answers.into_iter().map(AnswerChoice::of).collect())
}

impl Known {
    pub(super) fn answers(&self, ask: &Ask, most: usize) -> Choices {
        let Some(node) = self.graph.nodes.iter().find(|node| name_of(node) == ask.node) else {
            return plain(ask);
        };
        match &ask.what {
            Question::Model(model) if model.purpose == Purpose::Judge => judgements(ask),
            Question::Model(_) => {
                let (values, is_cut) = self.useful(&output_key(node), most);
                let texts = values.into_iter().filter_map(|value| match value {
                    Value::Text(text) if !text.trim().is_empty() => Some(text),
                    _ => None,
                });
                let said =
                    texts.map(|text| Answer::now(Reply::Model(ModelReply { text, ..ModelReply::default() })));
                or_plain(said.collect(), ask, node, is_cut)
            }
            Question::Tool(tool) if tool.call.is_none() => {
                let (values, is_cut) = self.useful(&output_key(node), most);
                or_plain(values.into_iter().map(Answer::value).collect(), ask, node, is_cut)
            }
            Question::Extension(_) => self.extension(ask, node, most),
            Question::Guardrail(_) => certain(vec![verdict(true), verdict(false)]),
            Question::Human(_) => {
                certain(decisions().into_iter().map(|one| Answer::now(Reply::Decision(one))).collect())
            }
            Question::Discovery(_) => {
                let found: Map = [(SmolStr::new_static("id"), Value::from("found"))].into_iter().collect();
                let lists = [Value::List([found.into()].into()), Value::List([].into())];
                certain(lists.map(Answer::value).to_vec())
            }
            Question::Session(_) => sessions(ask, node),
            _ => plain(ask),
        }
    }

    /// The values of a key that something distinguishes.
    fn useful(&self, key: &SmolStr, most: usize) -> (Vec<Value>, bool) {
        let everything = self.variables.everything();
        let values = self.variables.values(key, &everything, most, &self.conditions);
        (values.list, values.is_cut)
    }

    /// What an extension returns; both the scratch and the node's artifact get it.
    fn extension(&self, ask: &Ask, node: &GraphNode, most: usize) -> Choices {
        let mut keys: Vec<(SmolStr, Vec<Value>)> = Vec::new();
        let mut is_cut = false;
        for key in self.scratch_keys() {
            let (list, list_is_cut) = self.useful(&key, most);
            is_cut |= list_is_cut;
            let name = key.strip_prefix(SCRATCH).and_then(|key| key.strip_prefix('.')).unwrap_or(&key);
            if !list.is_empty() {
                keys.push((name.into(), list));
            }
        }
        let (whole, whole_is_cut) = self.useful(&output_key(node), most);
        let options: Vec<usize> = keys.iter().map(|(_, list)| list.len()).collect();
        let (picks, picks_are_cut) = values::combinations(&options, most);
        let mapping = |pick: Vec<usize>| -> Value {
            let chosen = keys.iter().zip(pick);
            let members =
                chosen.filter_map(|((key, list), place)| Some((key.clone(), list.get(place)?.clone())));
            members.collect::<Map>().into()
        };
        let mut outputs: Vec<Value> = Vec::new();
        if !keys.is_empty() {
            outputs.extend(picks.into_iter().map(mapping));
        }
        outputs.extend(whole);
        let is_cut = is_cut || whole_is_cut || picks_are_cut;
        or_plain(outputs.into_iter().map(Answer::value).collect(), ask, node, is_cut)
    }
}

fn or_plain(answers: Vec<Answer>, ask: &Ask, node: &GraphNode, is_cut: bool) -> Choices {
    match answers.is_empty() {
        true => with_fault(vec![declared(ask, node).unwrap_or_else(|| echo::answer(ask))], ask, false),
        false => with_fault(answers, ask, is_cut),
    }
}

/// An answer that fits the schema of the node's output.
fn declared(ask: &Ask, node: &GraphNode) -> Option<Answer> {
    let schema = node.host.as_ref()?.output_schema.as_ref()?;
    let example = schema_example(Some(&schema.value));
    if !matches!(ask.what, Question::Model(_)) {
        return Some(Answer::value(example));
    }
    let text = match example {
        Value::Text(text) => text,
        example => to_json(&example).to_string().into(),
    };
    Some(Answer::now(Reply::Model(ModelReply { text, ..ModelReply::default() })))
}

fn verdict(passed: bool) -> Answer {
    Answer::now(Reply::Verdict(Verdict { passed, results: Value::List([].into()) }))
}

/// A judge that approves, one that rejects, and one that is not sure.
fn judgements(ask: &Ask) -> Choices {
    let judged = |approved: bool, confidence: f64| {
        let mut value = Map::new();
        value.insert("approved", Value::Bool(approved));
        value.insert("confidence", Value::Number(confidence));
        let reply = ModelReply { value: Some(value.into()), ..ModelReply::default() };
        Answer::now(Reply::Model(reply))
    };
    with_fault(vec![judged(true, 1.0), judged(false, 1.0), judged(true, 0.0)], ask, false)
}

/// All kinds of end that a session can have.
fn sessions(ask: &Ask, node: &GraphNode) -> Choices {
    let Work::Voice(voice) = Work::of(node) else { return plain(ask) };
    let event = |name: &str, data: Value| SessionEvent { name: name.into(), after: Millis(1000), data };
    let mut sessions: Vec<Vec<SessionEvent>> = vec![vec![event("close", Value::Undefined)]];
    let turns = voice.max_turns.as_ref().map_or(0.0, |turns| turns.value);
    if (1.0..=MOST_TURNS).contains(&turns) {
        sessions.push((0..turns as usize).map(|_| event("turn_complete", Value::Undefined)).collect());
    }
    for keyword in &voice.keywords {
        let mut data = Map::new();
        data.insert("text", Value::Text(keyword.value.clone()));
        let said = event("final_transcript", data.into());
        sessions.push(vec![said, event("close", Value::Undefined)]);
    }
    if voice.exit.as_ref().and_then(|exit| exit.value) == Some(nodewise_model::agentos::VoiceTrigger::Silence)
    {
        sessions.push(Vec::new());
    }
    with_fault(sessions.into_iter().map(|events| Answer::now(Reply::Session(events))).collect(), ask, false)
}
