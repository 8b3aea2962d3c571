//! Turns parts of the state into facts, and writes them to long-term memory (cycgraph:6.17). In: the slice; out: a
//! summary of what was written. Invariant: on the last attempt, a failure of extractor or writer is reported and does
//! not fail the node.

use nodewise_expr::javascript::{is_blank, json_text, length};
use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::{Extractor, ReflectionWork, Work};
use smol_str::{SmolStr, format_smolstr};

use super::done;
use crate::ask::{Answer, Message, Purpose, Question, Reply, Role};
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::opening::{self, OpeningParts};
use crate::outcome::Failure;
use crate::systems::cycgraph::action::{NodeAction, Output, Tokens};
use crate::systems::cycgraph::clean::cleaned;
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::sentences::sentences;
use crate::systems::cycgraph::structured::StructuredCall;
use crate::systems::cycgraph::{Cycgraph, failures, moment};

/// An agent's fact may have this many characters.
const LONGEST_FACT: usize = 280;
/// This many facts of an agent's answer are kept.
const MOST_FACTS: usize = 50;

/// An attempt of a reflection node.
#[derive(Debug, Clone)]
pub(super) struct Reflection {
    input: Input,
    phase: Phase,
    tokens: f64,
}

#[derive(Debug, Clone)]
enum Phase {
    Begin,
    Extracting(StructuredCall),
    Writing,
}

/// What went wrong in an attempt that is reported in place of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AttemptProblem {
    None,
    Extractor,
    Writer,
}

impl Reflection {
    pub(super) fn new(input: Input) -> Reflection {
        Reflection { input, phase: Phase::Begin, tokens: 0.0 }
    }

    fn begin(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Result<Option<NodeAction>, Failure> {
        let program = context.program().clone();
        let node = self.input.node(&program);
        let lacks = || failures::node_config("reflection", &node.id, "reflection_config");
        let settings = settings(&node.work).ok_or_else(lacks)?;
        if !program.host.memory_writer {
            return Err(failures::memory_writer_missing(&node.id));
        }
        let corpus = self.corpus(settings);
        match settings.extractor.as_ref().ok_or_else(lacks)? {
            Extractor::Sentences { least_length } => {
                Ok(self.write(&sentences(&corpus, least_length.value), "derived", context))
            }
            Extractor::Agent { .. } if corpus.trim_matches(is_blank).is_empty() => {
                Ok(Some(self.action(&[], AttemptProblem::None, context)))
            }
            Extractor::Agent { agent, instruction, max_facts } => {
                let agent = agent.as_ref().map(|agent| agent.name.clone()).unwrap_or_default();
                let mut messages = Vec::with_capacity(2);
                if let Some(instruction) = instruction {
                    messages.push(Message::new(Role::System, Value::Text(instruction.clone())));
                }
                let source = SmolStr::from(corpus);
                messages.push(Message::new(Role::Human, Value::Text(source.clone())));
                let parts = OpeningParts::Extract(opening::ExtractParts {
                    source,
                    instruction: instruction.clone(),
                    most: max_facts.value,
                });
                match StructuredCall::begin(&agent, Purpose::Extract, messages, parts, &self.input, context) {
                    Ok(call) => self.phase = Phase::Extracting(call),
                    Err(failure) => {
                        return self.problem(failure, AttemptProblem::Extractor, context).map(Some);
                    }
                }
                Ok(None)
            }
        }
    }

    /// The texts of the sources, joined. Values that are not texts appear as JSON.
    fn corpus(&self, settings: &ReflectionWork) -> String {
        let sources = settings.sources.iter().filter_map(|key| self.input.slice.memory.get(&key.value));
        let texts = sources.filter_map(|value| match value {
            Value::Undefined | Value::Null => None,
            Value::Text(text) => Some(text.to_string()),
            value => Some(json_text(value).unwrap_or_default()),
        });
        texts.collect::<Vec<String>>().join("\n\n")
    }

    /// Writes the facts, if there are any.
    fn write(
        &mut self,
        facts: &[String],
        source: &str,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<NodeAction> {
        if facts.is_empty() {
            return Some(self.action(&[], AttemptProblem::None, context));
        }
        let program = context.program().clone();
        let settings = settings(&self.input.node(&program).work)?;
        let state = &self.input.state;
        let mut provenance = Map::new();
        provenance.insert("workflow_id", Value::Text(state.workflow_id.clone()));
        provenance.insert("run_id", Value::Text(state.run_id.clone()));
        provenance.insert("graph_id", Value::Text(self.input.graph(&program).id.clone()));
        provenance.insert("node_id", Value::Text(self.input.node(&program).id.clone()));
        provenance.insert("source", source.into());
        let provenance = Value::from(provenance);
        let (tags, entities) = (tags(settings), self.entities(settings));
        let fact = |content: &String| {
            let mut fact = Map::new();
            fact.insert("content", Value::Text(cleaned(content).into()));
            fact.insert("tags", tags.clone());
            if let Some(entities) = &entities {
                fact.insert("entities", entities.clone());
            }
            fact.insert("provenance", provenance.clone());
            Value::from(fact)
        };
        let question = Question::Remember(facts.iter().map(fact).collect());
        let ask = self.input.ask(&program, question);
        context.ask(self.input.visit, ask);
        self.phase = Phase::Writing;
        None
    }

    fn entities(&self, settings: &ReflectionWork) -> Option<Value> {
        let named =
            settings.entities.iter().filter_map(|key| match self.input.slice.memory.get(&key.value) {
                Some(Value::Text(name)) if !name.trim_matches(is_blank).is_empty() => Some(name),
                _ => None,
            });
        let entity = |name: &SmolStr| {
            let mut entity = Map::new();
            entity.insert("name", Value::Text(name.clone()));
            entity.insert("type", "concept".into());
            Value::from(entity)
        };
        let entities: Vec<Value> = named.map(entity).collect();
        (!entities.is_empty()).then(|| Value::List(entities.into()))
    }

    fn extracted(
        &mut self,
        result: Result<(Value, Tokens), Failure>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<Option<NodeAction>, Failure> {
        let program = context.program().clone();
        let Some(settings) = settings(&self.input.node(&program).work) else { return Ok(None) };
        let Some(Extractor::Agent { agent, max_facts, .. }) = &settings.extractor else { return Ok(None) };
        let facts = result.and_then(|(value, tokens)| {
            self.tokens = tokens.total;
            let agent = agent.as_ref().map_or("", |agent| &agent.name);
            facts_of(&value).ok_or_else(|| failures::no_object(agent))
        });
        match facts {
            Ok(facts) => {
                let facts: Vec<String> = facts.into_iter().take(max_facts.value as usize).collect();
                Ok(self.write(&facts, "agent", context))
            }
            Err(failure) => self.problem(failure, AttemptProblem::Extractor, context).map(Some),
        }
    }

    fn written(
        &mut self,
        answer: Answer,
        context: &TaskContext<'_, Cycgraph>,
    ) -> Result<NodeAction, Failure> {
        match answer.result {
            Ok(Reply::Value(value)) => Ok(self.action(&ids_of(&value), AttemptProblem::None, context)),
            Ok(_) => Ok(self.action(&[], AttemptProblem::None, context)),
            Err(failure) => self.problem(failure, AttemptProblem::Writer, context),
        }
    }

    /// Fails the attempt. On the last attempt, reports the problem instead.
    fn problem(
        &mut self,
        failure: Failure,
        problem: AttemptProblem,
        context: &TaskContext<'_, Cycgraph>,
    ) -> Result<NodeAction, Failure> {
        if self.input.attempt < self.input.node(context.program()).attempts {
            return Err(failure);
        }
        self.tokens = 0.0;
        Ok(self.action(&[], problem, context))
    }

    fn action(
        &self,
        ids: &[Value],
        problem: AttemptProblem,
        context: &TaskContext<'_, Cycgraph>,
    ) -> NodeAction {
        let node = self.input.node(context.program());
        let Some(settings) = settings(&node.work) else { return NodeAction::update(Map::new()) };
        let kind = match &settings.extractor {
            Some(Extractor::Agent { .. }) => "llm",
            _ => "rule_based",
        };
        let mut members = Map::new();
        members.insert("extractor_type", kind.into());
        members.insert("fact_ids", ids.iter().cloned().collect());
        members.insert("tags", tags(settings));
        match problem {
            AttemptProblem::None => {}
            AttemptProblem::Extractor => members.insert("extractor_failed", Value::Bool(true)),
            AttemptProblem::Writer => members.insert("writer_failed", Value::Bool(true)),
        }
        members.insert("reflected_at", moment::text(context.now()));
        let key = match &settings.result_key {
            Some(key) => key.value.clone(),
            None => format_smolstr!("{}_reflection", node.id),
        };
        let usage = (self.tokens > 0.0).then(|| Tokens { total: self.tokens, ..Tokens::default() });
        NodeAction { usage, ..NodeAction::update([(key, members.into())].into_iter().collect()) }
    }

    fn goes_on(
        &mut self,
        wake: Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        match (&mut self.phase, wake) {
            (Phase::Begin, _) => self.begin(context).transpose(),
            (Phase::Extracting(call), wake) => {
                let result = call.wake(&wake, context)?;
                self.extracted(result, context).transpose()
            }
            (Phase::Writing, Wake::Answer(_, answer)) => Some(self.written(answer, context)),
            (Phase::Writing, _) => None,
        }
    }
}

fn settings(work: &Work) -> Option<&ReflectionWork> {
    match work {
        Work::Reflection(reflection) if reflection.settings_at.is_some() => Some(reflection),
        _ => None,
    }
}

fn tags(settings: &ReflectionWork) -> Value {
    settings.tags.iter().map(|tag| Value::Text(tag.value.clone())).collect()
}

/// The facts of an agent's answer; `None` if it has another shape than the question wants.
fn facts_of(value: &Value) -> Option<Vec<String>> {
    let Value::Map(answer) = value else { return None };
    let Some(Value::List(facts)) = answer.get("facts") else { return None };
    let has_reasoning = matches!(answer.get("reasoning"), None | Some(Value::Text(_) | Value::Undefined));
    if !has_reasoning || facts.len() > MOST_FACTS {
        return None;
    }
    let fact = |fact: &Value| match fact {
        Value::Text(fact) if (1..=LONGEST_FACT).contains(&length(fact)) => {
            Some(fact.trim_matches(is_blank).to_owned())
        }
        _ => None,
    };
    let facts: Option<Vec<String>> = facts.iter().map(fact).collect();
    facts.map(|facts| facts.into_iter().filter(|fact| !fact.is_empty()).collect())
}

/// The ids that the memory returned for the facts: a list, by itself or under `fact_ids`.
fn ids_of(value: &Value) -> Vec<Value> {
    let ids = match value {
        Value::Map(answer) => answer.get("fact_ids"),
        value => Some(value),
    };
    match ids {
        Some(Value::List(ids)) => ids.to_vec(),
        _ => Vec::new(),
    }
}

impl Task<Cycgraph> for Reflection {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.goes_on(wake, context).map_or(Flow::Wait, done)
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }
}
