//! The answers to try for the questions of cycgraph's nodes. In: a question; out: answers that make every difference
//! that conditions after the node can see. Invariant: the first answer is no failure.

use std::sync::PoisonError;

use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::{HANDOFF_KEY, HUMAN_DECISION, HUMAN_RESPONSE, Verification, Work};
use smol_str::{SmolStr, format_smolstr};

use super::{CycgraphGuide, ask};
use crate::ask::{
    Answer, Ask, Decision, ModelQuestion, ModelReply, Purpose, Question, RemoteReply, Reply, Role, ToolCall,
};
use crate::explore::guide::{AnswerChoice, Choices};
use crate::explore::values;
use crate::outcome::Failure;
use crate::script::echo;
use crate::systems::cycgraph::program::NodeProgram;
use crate::systems::cycgraph::tools::SAVE;
use crate::time::Millis;

/// The choice by which a supervisor ends the run.
const DONE: &str = "__done__";
const APPROVED: &str = "approved";
const REJECTED: &str = "rejected";

/// A plain answer, or a failure.
pub(super) fn plain(ask: &Ask) -> Choices {
    with_fault(vec![echo::answer(ask)], ask, false)
}

fn with_fault(answers: Vec<Answer>, ask: &Ask, is_cut: bool) -> Choices {
    let mut list: Vec<AnswerChoice> = answers.into_iter().map(AnswerChoice::of).collect();
    if !matches!(ask.what, Question::Recall(_)) {
        // The failure must not be retried: a retry would only lead where success or the last failure leads anyway.
        let message = format_smolstr!("the {} fails", ask.what.noun());
        list.push(AnswerChoice::of(Answer::failed(Failure::lasting("Error", message))));
    }
    Choices { list, is_cut }
}

impl CycgraphGuide {
    pub(super) fn answers(&self, ask: &Ask, graph: usize, node: usize, most: usize) -> Choices {
        let Some(compiled) = self.node(graph, node) else { return plain(ask) };
        match &ask.what {
            Question::Model(model) => match model.purpose {
                Purpose::Work => self.work(ask, model, (graph, node), compiled, most),
                Purpose::Route => routes(ask, compiled),
                Purpose::Judge => self.scores(ask, compiled, graph, most),
                Purpose::Extract => plain(ask),
            },
            Question::Tool(tool) if tool.call.is_none() && matches!(compiled.work, Work::Tool(_)) => {
                let (values, is_cut) = self.useful((graph, node), &ask::result_key(compiled), most);
                match values.is_empty() {
                    true => plain(ask),
                    false => with_fault(values.into_iter().map(Answer::value).collect(), ask, is_cut),
                }
            }
            // Only the agent's model reads what the tool returns.
            Question::Tool(_) => Choices::of(vec![AnswerChoice::of(echo::answer(ask))]),
            Question::Remote(_) => self.remote(ask, (graph, node), compiled, most),
            Question::Fitness(_) => {
                let scores =
                    thresholds(compiled).into_iter().map(|score| Answer::value(Value::Number(score)));
                with_fault(scores.collect(), ask, false)
            }
            _ => plain(ask),
        }
    }

    /// The values of a key that something after the node distinguishes.
    fn useful(&self, (graph, node): (usize, usize), key: &SmolStr, most: usize) -> (Vec<Value>, bool) {
        let Some(variables) = self.variables.get(graph) else { return (Vec::new(), false) };
        let Some(place) = variables.places.get(node) else { return (Vec::new(), false) };
        let values = variables.values(key, &place.after, most, &self.conditions);
        (values.list, values.is_cut)
    }

    /// The answers of an agent that works.
    fn work(
        &self,
        ask: &Ask,
        model: &ModelQuestion,
        at: (usize, usize),
        node: &NodeProgram,
        most: usize,
    ) -> Choices {
        // After it has saved, what the agent says makes no difference.
        if model.prompt.last().is_some_and(|last| last.role == Role::Tool) {
            return Choices::of(vec![AnswerChoice::of(echo::answer(ask))]);
        }
        if let Work::Voting(voting) = &node.work {
            return self.votes(ask, at, node, &voting.vote_key.value, most);
        }
        if !matches!(node.work, Work::Agent(_) | Work::Synthesizer) {
            return plain(ask);
        }
        let saves = model.tools.iter().any(|tool| tool == SAVE);
        let key = (at.0, at.1, saves, most);
        if let Some(known) = self.worked.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let choices = self.writes(ask, saves, at, node, most);
        // All threads must give the same values, because lists and mappings are only equal to themselves.
        let mut worked = self.worked.write().unwrap_or_else(PoisonError::into_inner);
        worked.entry(key).or_insert(choices).clone()
    }

    /// The first answers of an agent: what it can write.
    fn writes(&self, ask: &Ask, saves: bool, at: (usize, usize), node: &NodeProgram, most: usize) -> Choices {
        let Some(variables) = self.variables.get(at.0) else { return plain(ask) };
        let mut is_cut = false;
        let mut keys: Vec<(SmolStr, Vec<Option<Value>>)> = Vec::new();
        for key in ask::written_by_agent(node, &self.program, variables) {
            let Some(place) = variables.places.get(at.1) else { continue };
            let values = variables.values(&key, &place.after, most, &self.conditions);
            is_cut |= values.is_cut;
            let mut options: Vec<Option<Value>> = values.list.into_iter().map(Some).collect();
            if !saves {
                options.retain(|value| matches!(value, Some(Value::Text(text)) if !text.trim().is_empty()));
            } else if values.absence_matters {
                options.push(None);
            }
            if !options.is_empty() {
                keys.push((key, options));
            }
        }
        let (mut writes, product_is_cut) = combined(&keys, most);
        writes.extend(delegations(node, saves, &self.written(node, at.0)));
        let answers = match writes.iter().all(Vec::is_empty) {
            true => vec![echo::answer(ask)],
            false => writes.into_iter().map(|writes| written(writes, saves, ask)).collect(),
        };
        with_fault(answers, ask, is_cut || product_is_cut)
    }

    fn written(&self, node: &NodeProgram, graph: usize) -> Vec<SmolStr> {
        let variables = self.variables.get(graph);
        variables.map(|variables| ask::written_by_agent(node, &self.program, variables)).unwrap_or_default()
    }

    /// The votes of a voter.
    fn votes(
        &self,
        ask: &Ask,
        at: (usize, usize),
        node: &NodeProgram,
        vote_key: &SmolStr,
        most: usize,
    ) -> Choices {
        let (values, is_cut) = self.useful(at, &format_smolstr!("{}_consensus", node.id), most);
        match values.is_empty() {
            true => plain(ask),
            false => {
                let vote = |value| written(vec![(vote_key.clone(), value)], true, ask);
                with_fault(values.into_iter().map(vote).collect(), ask, is_cut)
            }
        }
    }

    /// The scores of a judge.
    fn scores(&self, ask: &Ask, node: &NodeProgram, graph: usize, most: usize) -> Choices {
        let reasons = match (
            &node.work,
            self.program.graphs().get(graph).and_then(|graph| super::index_of(graph, &node.id)),
        ) {
            (Work::Voting(_), Some(position)) => {
                self.useful((graph, position), &format_smolstr!("{}_consensus", node.id), most).0
            }
            _ => Vec::new(),
        };
        let mut reasons: Vec<Value> =
            reasons.into_iter().filter(|reason| matches!(reason, Value::Text(_))).collect();
        if reasons.is_empty() {
            reasons.push(Value::Text(format_smolstr!("verdict for {}", node.id)));
        }
        let scored = |score: f64, reason: &Value| {
            let mut value = Map::new();
            value.insert("score", Value::Number(score));
            value.insert("reasoning", reason.clone());
            structured(value)
        };
        let scores = thresholds(node);
        let answers = scores.iter().flat_map(|score| reasons.iter().map(|reason| scored(*score, reason)));
        with_fault(answers.collect(), ask, false)
    }

    /// The results of a remote agent.
    fn remote(&self, ask: &Ask, at: (usize, usize), node: &NodeProgram, most: usize) -> Choices {
        let Work::RemoteAgent(work) = &node.work else { return plain(ask) };
        let mut keys = Vec::new();
        let mut is_cut = false;
        for mapping in &work.outputs {
            let Some(to) = &mapping.to else { continue };
            let (values, values_are_cut) = self.useful(at, &to.value, most);
            is_cut |= values_are_cut;
            if !values.is_empty() {
                let name = mapping.from.value.clone();
                keys.push((name, values.into_iter().map(Some).collect()));
            }
        }
        let (made, product_is_cut) = combined(&keys, most);
        let reply = |state: &str, artifacts: Vec<(SmolStr, Value)>| {
            let message = (state != COMPLETED).then(|| format_smolstr!("the task is {state}"));
            Answer::now(Reply::Remote(RemoteReply {
                task: "task-1".into(),
                state: state.into(),
                artifacts,
                message,
            }))
        };
        let mut answers: Vec<Answer> = made.into_iter().map(|made| reply(COMPLETED, made)).collect();
        let is_new = matches!(&ask.what, Question::Remote(remote) if remote.resumed.is_none());
        if is_new {
            answers.push(reply("input-required", Vec::new()));
        }
        let mut choices = with_fault(answers, ask, is_cut || product_is_cut);
        choices.list.push(AnswerChoice { answer: reply("failed", Vec::new()), is_fault: true });
        choices
    }

    /// The decisions of a person to try.
    pub(super) fn decided(&self) -> Vec<Decision> {
        let decision = |word: SmolStr, data: Option<Value>| Decision {
            word,
            data,
            updates: Map::new(),
            after: Millis::ZERO,
        };
        let all = |key: &str| -> Vec<Value> {
            let Some(variables) = self.variables.first() else { return Vec::new() };
            let key = SmolStr::new(key);
            variables.values(&key, &variables.everything(), usize::MAX, &self.conditions).list
        };
        let mut words: Vec<SmolStr> = vec![APPROVED.into(), REJECTED.into()];
        for value in all(HUMAN_DECISION) {
            if let Value::Text(word) = value
                && !words.contains(&word)
            {
                words.push(word);
            }
        }
        let mut responses: Vec<Option<Value>> = all(HUMAN_RESPONSE).into_iter().map(Some).collect();
        if responses.is_empty() {
            responses.push(None);
        }
        let each = |word: SmolStr| responses.iter().map(move |data| decision(word.clone(), data.clone()));
        words.into_iter().flat_map(each).collect()
    }
}

const COMPLETED: &str = "completed";

/// The nodes that a supervisor may choose.
fn routes(ask: &Ask, node: &NodeProgram) -> Choices {
    let Work::Supervisor(supervisor) = &node.work else { return plain(ask) };
    let managed = supervisor.managed.iter().map(|managed| managed.value.clone());
    let route = |target: SmolStr| {
        let mut value = Map::new();
        value.insert("reasoning", Value::Text(format_smolstr!("{target} is next")));
        value.insert("next_node", Value::Text(target));
        structured(value)
    };
    with_fault(managed.chain([DONE.into()]).map(route).collect(), ask, false)
}

fn structured(value: Map) -> Answer {
    let reply = ModelReply { value: Some(value.into()), ..ModelReply::default() };
    Answer::now(Reply::Model(reply))
}

/// Scores on both sides of a node's threshold.
fn thresholds(node: &NodeProgram) -> Vec<f64> {
    const LESS: f64 = 0.01;
    let threshold = match &node.work {
        Work::Verifier(verifier) => match &verifier.verification {
            Some(Verification::Judge { threshold, .. }) => Some(threshold.value),
            _ => None,
        },
        Work::Agent(agent) => agent.annealing.as_ref().map(|annealing| annealing.threshold.value),
        Work::Evolution(evolution) => Some(evolution.fitness_threshold.value),
        Work::Tool(_)
        | Work::Router(_)
        | Work::Subgraph(_)
        | Work::Human(_)
        | Work::Supervisor(_)
        | Work::Synthesizer
        | Work::RemoteAgent(_)
        | Work::Map(_)
        | Work::Voting(_)
        | Work::Reflection(_)
        | Work::Unknown => None,
    };
    match threshold.filter(|threshold| threshold.is_finite()) {
        Some(threshold) => vec![threshold.clamp(0.0, 1.0), (threshold - LESS).clamp(0.0, 1.0)],
        None => vec![1.0],
    }
}

/// An agent's answer that writes these keys.
fn written(writes: Vec<(SmolStr, Value)>, saves: bool, ask: &Ask) -> Answer {
    let reply = match (saves, writes.as_slice()) {
        (_, []) => return echo::answer(ask),
        (false, [(_, Value::Text(text)), ..]) => ModelReply { text: text.clone(), ..ModelReply::default() },
        _ => {
            let call = |(position, (key, value)): (usize, (SmolStr, Value))| {
                let mut arguments = Map::new();
                arguments.insert("key", Value::Text(key));
                arguments.insert("value", value);
                ToolCall {
                    id: format_smolstr!("save-{}", position + 1),
                    tool: SAVE.into(),
                    arguments: arguments.into(),
                }
            };
            let calls = writes.into_iter().enumerate().map(call).collect();
            ModelReply { calls, ..ModelReply::default() }
        }
    };
    Answer::now(Reply::Model(reply))
}

/// The writes by which an agent hands over to each of its peers.
fn delegations(node: &NodeProgram, saves: bool, written: &[SmolStr]) -> Vec<Vec<(SmolStr, Value)>> {
    let Work::Agent(agent) = &node.work else { return Vec::new() };
    let is_granted = saves && (written.iter().any(|key| key == HANDOFF_KEY) || node.grant.all);
    let peers = agent.swarm.iter().filter(|_| is_granted).flat_map(|swarm| &swarm.peers);
    let handed = peers.map(|peer| {
        let mut delegation = Map::new();
        delegation.insert("peer_node_id", Value::Text(peer.value.clone()));
        delegation.insert("reason", Value::Text(format_smolstr!("{} is next", peer.value)));
        vec![(SmolStr::new_static(HANDOFF_KEY), delegation.into())]
    });
    handed.collect()
}

/// The combinations of values; and whether some were left out because of the bound.
fn combined(keys: &[(SmolStr, Vec<Option<Value>>)], most: usize) -> (Vec<Vec<(SmolStr, Value)>>, bool) {
    let options: Vec<usize> = keys.iter().map(|(_, options)| options.len()).collect();
    let (picks, is_cut) = values::combinations(&options, most);
    let picked = |pick: Vec<usize>| -> Vec<(SmolStr, Value)> {
        let chosen = keys
            .iter()
            .zip(pick)
            .filter_map(|((key, options), position)| Some((key.clone(), options.get(position)?.clone()?)));
        chosen.collect()
    };
    (picks.into_iter().map(picked).collect(), is_cut)
}
