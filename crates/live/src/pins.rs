//! Pinned outputs: the answers that a node of a stored run had, given again in new runs.
//!
//! Input: pins and a store; output: who answers the questions of the pinned nodes. Unlike in a fork, questions may
//! differ from the recorded ones, since a node is pinned while what is around it is edited. Invariant: only questions of the
//! node are answered so, each by an answer to a question of the same kind to the same agent, tool or service; the record says so.

mod saved;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use futures::FutureExt;
use futures::future::BoxFuture;
use nodewise_engine::ask::{Answer, Ask};
use nodewise_engine::event::AskId;
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_project::config::live::Again;
use nodewise_simulation::render::json::question;
use nodewise_simulation::trace::Replay;
use serde_json::Value as Json;
use smol_str::SmolStr;

pub use self::saved::{SavedPin, SavedPins};
use crate::answering::{Answering, Asked};
use crate::store::{NodePin, Store};

/// Who is asked: the kind of question, and the name of the agent, tool or service.
type Respondent = (SmolStr, SmolStr);

/// A node with the answers that it got in a stored run.
#[derive(Debug, Clone, PartialEq)]
pub struct PinnedNode {
    pin: NodePin,
    answers: BTreeMap<Respondent, Vec<Answer>>,
}

/// Answers the questions of pinned nodes, and passes all others to the world.
struct PinsFirst {
    pins: Vec<(PinnedNode, Mutex<BTreeMap<Respondent, usize>>)>,
    world: Arc<dyn Answering>,
}

impl PinnedNode {
    /// Reads the output of a pinned node from the store.
    ///
    /// # Errors
    /// Where the run does not exist, is damaged, or has no output of the node.
    pub fn read(store: &Store, pin: &NodePin) -> Result<PinnedNode> {
        let events = store.every_event(&store.find(&pin.run)?)?;
        let without = || format!("the run {} has no output of `{}`", pin.run, pin.node);
        PinnedNode::of(pin, &events).with_context(without)
    }

    /// The answers in the last visit of a node in which every question was answered; `None` if there is no such visit.
    #[must_use]
    pub fn of(pin: &NodePin, events: &[Json]) -> Option<PinnedNode> {
        let (graph, node) = (pin.graph.as_deref(), pin.node.as_str());
        let given = Replay::of_events(0, events).ok()?.answers;
        let mut visits: BTreeMap<u64, Vec<(Respondent, Option<Answer>)>> = BTreeMap::new();
        for event in events {
            let text = |key: &str| event.get(key).and_then(Json::as_str);
            // Questions to people are not pinned, so people decide again.
            let is_its = text("event") == Some("asked")
                && text("of") != Some("human")
                && text("node") == Some(node)
                && graph.is_none_or(|graph| text("graph") == Some(graph));
            let number = |key: &str| event.get(key).and_then(Json::as_u64);
            let (true, Some(visit), Some(ask)) = (is_its, number("visit"), number("ask")) else { continue };
            let answer = given.get(&AskId(u32::try_from(ask).ok()?)).filter(|answer| answer.result.is_ok());
            let answer = answer.map(|answer| Answer {
                after: Millis::ZERO,
                usage: Usage::default(),
                retries: Vec::new(),
                fallback: None,
                pinned: Some(pin.run.as_str().into()),
                ..answer.clone()
            });
            let who = respondent(text("of")?, event.get("question")?);
            visits.entry(visit).or_default().push((who, answer));
        }
        let last = visits.into_values().rfind(|asked| asked.iter().all(|(_, answer)| answer.is_some()))?;
        let mut answers: BTreeMap<Respondent, Vec<Answer>> = BTreeMap::new();
        for (who, answer) in last {
            answers.entry(who).or_default().extend(answer);
        }
        Some(PinnedNode { pin: pin.clone(), answers })
    }

    /// The pinned node and the run that has its output.
    #[must_use]
    pub fn pin(&self) -> &NodePin {
        &self.pin
    }

    /// How many answers the node has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.answers.values().map(Vec::len).sum()
    }

    /// Whether it has no answer.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    fn is_of(&self, ask: &Ask) -> bool {
        ask.node == self.pin.node && self.pin.graph.as_ref().is_none_or(|graph| ask.graph == *graph)
    }
}

/// The outputs that a stored run began with. The texts are notes about pins whose run is gone: these nodes ask the world.
pub(crate) fn of_run(store: &Store, pins: &[NodePin]) -> (Vec<PinnedNode>, Vec<String>) {
    let (mut found, mut gone) = (Vec::new(), Vec::new());
    for pin in pins {
        match PinnedNode::read(store, pin) {
            Ok(output) => found.push(output),
            Err(_) => gone.push(format!(
                "the pinned output of `{}` is gone with the run {}, so the node asks its models, tools and services",
                pin.node, pin.run
            )),
        }
    }
    (found, gone)
}

/// Puts the pinned outputs in front of the world.
pub(crate) fn before(pins: Vec<PinnedNode>, world: Arc<dyn Answering>) -> impl Answering {
    PinsFirst { pins: pins.into_iter().map(|pin| (pin, Mutex::default())).collect(), world }
}

impl PinsFirst {
    fn pinned(&self, ask: &Ask) -> Option<Answer> {
        let (pin, given) = self.pins.iter().find(|(pin, _)| pin.is_of(ask))?;
        let who = respondent(ask.what.noun(), &question(&ask.what));
        let answers = pin.answers.get(&who)?;
        let mut given = given.lock().unwrap_or_else(PoisonError::into_inner);
        let count = given.entry(who).or_default();
        // If the node asks more often than before, it gets the same answers again, from the first on.
        let answer = answers.get(*count % answers.len().max(1)).cloned();
        *count += 1;
        answer
    }
}

impl Answering for PinsFirst {
    fn answer(&self, asked: Asked) -> BoxFuture<'static, Answer> {
        match self.pinned(&asked.ask) {
            Some(answer) => std::future::ready(answer).boxed(),
            None => self.world.answer(asked),
        }
    }

    fn again(&self, ask: &Ask) -> Again {
        self.world.again(ask)
    }
}

fn respondent(of: &str, question: &Json) -> Respondent {
    let keys = ["agent", "tool", "path", "extension", "server"];
    let name = keys.iter().find_map(|key| question.get(key)?.as_str()).unwrap_or_default();
    (of.into(), name.into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(ask: u32, visit: u32, node: &str, of: &str, who: &Json) -> Json {
        json!({"event": "asked", "at": 0, "ask": ask, "visit": visit, "graph": "g", "node": node, "of": of, "question": who})
    }

    fn answered(ask: u32, text: &str) -> Json {
        let reply = json!({"of": "model", "text": text, "calls": []});
        json!({"event": "answered", "at": 5, "ask": ask, "answer": {"after": 5, "usage": {"input_tokens": 3}, "reply": reply}})
    }

    #[track_caller]
    fn check(events: &[Json], graph: Option<&str>, expected: &[&str]) {
        let pin = NodePin { graph: graph.map(str::to_owned), node: "a".to_owned(), run: "r1".to_owned() };
        let found = PinnedNode::of(&pin, events);
        let shown = found.iter().flat_map(|pin| &pin.answers).flat_map(|((of, who), answers)| {
            answers.iter().map(move |answer| {
                let usage = answer.usage.is_zero() && answer.after == Millis::ZERO;
                let run = answer.pinned.as_deref().unwrap_or_default();
                let reply = json_of(answer);
                format!("{of} {who}: {reply} of {run}, free: {usage}")
            })
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }

    fn json_of(answer: &Answer) -> String {
        match &answer.result {
            Ok(nodewise_engine::ask::Reply::Model(reply)) => reply.text.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn the_last_visit_with_every_answer_is_pinned() {
        let writer = json!({"agent": "writer"});
        let find = json!({"tool": "find"});
        let events = [
            asked(0, 0, "a", "model", &writer),
            answered(0, "first"),
            asked(1, 1, "b", "model", &writer),
            answered(1, "other"),
            asked(2, 2, "a", "model", &writer),
            answered(2, "calls"),
            asked(3, 2, "a", "tool", &find),
            answered(3, "found"),
            asked(4, 2, "a", "model", &writer),
            answered(4, "done"),
            asked(5, 3, "a", "model", &writer),
        ];
        let whole = [
            "model writer: calls of r1, free: true",
            "model writer: done of r1, free: true",
            "tool find: found of r1, free: true",
        ];
        check(&events, None, &whole);
        check(&events, Some("g"), &whole);
        check(&events[..7], None, &["model writer: first of r1, free: true"]);
        check(&events, Some("another"), &[]);
        check(&events[..1], None, &[]);
    }
}
