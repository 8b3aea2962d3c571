//! The answers in a scenario: models, tools, people, memory, remote agents. They are the same as in the recording
//! program.
//!
//! Input is a scenario. Output is answers. Invariant: each turn is used once, unless it is sticky, and the first one
//! that fits is used.

use std::collections::{BTreeMap, VecDeque};

use nodewise_engine::ask::{
    Answer, Ask, Decision, ModelQuestion, ModelReply, Purpose, Question, RemoteReply, Reply, ToolCall,
};
use nodewise_engine::event::AskId;
use nodewise_engine::outcome::Failure;
use nodewise_engine::provider::Provider;
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_expr::json::to_json;
use nodewise_expr::value::{Map, Value};
use smol_str::{SmolStr, ToSmolStr, format_smolstr};

use super::values::{list, map, number, text};

/// The tokens of a turn that does not set them.
const TOKENS: (f64, f64) = (10.0, 5.0);

/// The answers in a scenario.
#[derive(Debug, Clone)]
pub(crate) struct ScenarioProvider {
    turns: BTreeMap<SmolStr, Vec<Value>>,
    calls: u32,
    tools: BTreeMap<SmolStr, Tool>,
    people: VecDeque<Decision>,
    /// The number of writes of facts that fail before one succeeds.
    failing_writes: f64,
    facts: u32,
    memory: Value,
    fitness: VecDeque<Value>,
    remote: VecDeque<Value>,
}

/// What long-term memory answers.
fn memory(scenario: &Map) -> Value {
    let Some(facts) = scenario.get("memory_facts") else { return Value::Undefined };
    let parts = [("themes", "memory_themes"), ("entities", "memory_entities")];
    let others = parts.iter().filter_map(|(key, name)| Some((*key, scenario.get(name)?.clone())));
    let others: Vec<(&str, Value)> = others.collect();
    if others.is_empty() {
        return facts.clone();
    }
    let found = std::iter::once(("facts", facts.clone())).chain(others);
    Value::from(found.map(|(key, value)| (key.into(), value)).collect::<Map>())
}

/// What a tool answers, and after how long.
#[derive(Debug, Clone)]
struct Tool {
    results: Results,
    after: Millis,
}

/// What a tool answers.
#[derive(Debug, Clone)]
enum Results {
    /// Its arguments.
    Echo,
    /// The same result every time.
    Same(Value),
    /// Results in order.
    InOrder(VecDeque<Value>),
}

impl ScenarioProvider {
    /// The answers of a scenario.
    pub(super) fn new(scenario: &Map) -> ScenarioProvider {
        let named = |key: &str| map(scenario.get(key)).into_iter().flat_map(Map::iter);
        let turns = |agent: &Value| match agent {
            Value::List(turns) => turns.to_vec(),
            Value::Map(agent) => list(agent.get("turns")).to_vec(),
            _ => Vec::new(),
        };
        ScenarioProvider {
            turns: named("agents").map(|(id, agent)| (id.clone(), turns(agent))).collect(),
            calls: 0,
            tools: named("tools").map(|(name, written)| (name.clone(), tool(written))).collect(),
            people: list(scenario.get("human")).iter().map(decision).collect(),
            failing_writes: map(scenario.get("memory_writer"))
                .and_then(|writer| number(writer.get("fail_first")))
                .unwrap_or_default(),
            facts: 0,
            memory: memory(scenario),
            fitness: list(scenario.get("fitness")).iter().cloned().collect(),
            remote: named("a2a")
                .flat_map(|(_, server)| map(Some(server)).map(|server| list(server.get("results")).to_vec()))
                .flatten()
                .collect(),
        }
    }

    fn model(&mut self, asked: &ModelQuestion) -> Answer {
        let prompt = asked.prompt_text();
        let turns = self.turns.entry(asked.agent.clone()).or_default();
        let part = |turn: &Value, key: &str| map(Some(turn)).and_then(|turn| turn.get(key)).cloned();
        let fits = |turn: &Value| {
            text(part(turn, "when").as_ref())
                .is_none_or(|wanted| wanted.is_empty() || prompt.contains(wanted.as_str()))
        };
        let Some(place) = turns.iter().position(fits) else {
            return failed(
                "Error",
                format_smolstr!("no scripted turn left for agent \"{}\"", asked.agent),
                true,
            );
        };
        let is_sticky = turns.get(place).and_then(|turn| part(turn, "sticky")) == Some(Value::Bool(true));
        let turn = match is_sticky {
            true => turns.get(place).cloned().unwrap_or(Value::Null),
            false => turns.remove(place),
        };
        if let Some(error) = text(part(&turn, "error").as_ref()) {
            return match part(&turn, "retryable") {
                Some(Value::Bool(retryable)) => failed("AI_APICallError", error, retryable),
                _ => failed("Error", error, true),
            };
        }
        let count = |key: &str, default: f64| number(part(&turn, key).as_ref()).unwrap_or(default);
        let usage = Usage {
            input_tokens: count("in", TOKENS.0),
            output_tokens: count("out", TOKENS.1),
            ..Usage::default()
        };
        let json = part(&turn, "json");
        let said = match (&json, &turn) {
            (Some(json), _) => to_json(json).to_string().to_smolstr(),
            (None, Value::Text(said)) => said.clone(),
            (None, turn) => text(part(turn, "text").as_ref()).unwrap_or_default(),
        };
        let calls = list(part(&turn, "calls").as_ref()).iter().map(|call| self.call(call)).collect();
        let reply = ModelReply { text: said, value: json.filter(|_| asked.purpose != Purpose::Work), calls };
        let after = Millis::from_f64(count("delay_ms", 0.0));
        Answer { after, usage, ..Answer::now(Reply::Model(reply)) }
    }

    fn call(&mut self, written: &Value) -> ToolCall {
        self.calls += 1;
        let part = |key: &str| map(Some(written)).and_then(|call| call.get(key)).cloned();
        ToolCall {
            id: format_smolstr!("call-{}", self.calls),
            tool: text(part("tool").as_ref()).unwrap_or_default(),
            arguments: part("args").unwrap_or_else(|| Map::new().into()),
        }
    }

    fn tool(&mut self, name: &SmolStr, arguments: &Value) -> Answer {
        let Some(tool) = self.tools.get_mut(name) else { return Answer::value(arguments.clone()) };
        let after = tool.after;
        Answer { after, ..tool.results.answer(name, arguments) }
    }

    fn write_facts(&mut self, facts: &Value) -> Answer {
        if self.failing_writes > 0.0 {
            self.failing_writes -= 1.0;
            return failed("Error", "writer down".into(), true);
        }
        let ids = list(Some(facts)).iter().map(|_| {
            self.facts += 1;
            Value::Text(format_smolstr!("fact-{}", self.facts))
        });
        Answer::value(ids.collect())
    }

    fn score(&mut self) -> Answer {
        let score = match self.fitness.len() {
            0 | 1 => self.fitness.front().cloned(),
            _ => self.fitness.pop_front(),
        };
        let mut scored = Map::new();
        scored.insert("score", score.unwrap_or(Value::Undefined));
        scored.insert("reasoning", "scripted".into());
        Answer::value(scored.into())
    }

    fn remote(&mut self) -> Answer {
        let Some(result) = self.remote.pop_front() else {
            return failed("Error", "no scripted a2a result left".into(), true);
        };
        let part = |key: &str| map(Some(&result)).and_then(|result| result.get(key)).cloned();
        if let Some(error) = text(part("throw").as_ref()) {
            return failed("Error", error, true);
        }
        let artifact = |artifact: &Value| {
            let artifact = map(Some(artifact))?;
            Some((text(artifact.get("name"))?, artifact.get("value").cloned().unwrap_or(Value::Undefined)))
        };
        Answer::now(Reply::Remote(RemoteReply {
            task: text(part("task_id").as_ref()).unwrap_or_else(|| "task-1".into()),
            state: text(part("state").as_ref()).unwrap_or_default(),
            artifacts: list(part("artifacts").as_ref()).iter().filter_map(artifact).collect(),
            message: text(part("message").as_ref()),
        }))
    }
}

impl Results {
    fn answer(&mut self, name: &SmolStr, arguments: &Value) -> Answer {
        let result = match self {
            Results::Echo => return Answer::value(arguments.clone()),
            Results::Same(result) => return Answer::value(result.clone()),
            Results::InOrder(results) => results.pop_front(),
        };
        let Some(result) = result else {
            return failed("Error", format_smolstr!("no scripted result left for tool \"{name}\""), true);
        };
        let part = |key: &str| map(Some(&result)).and_then(|result| result.get(key)).cloned();
        match text(part("throw").as_ref()) {
            Some(error) => failed("Error", error, true),
            None => Answer::value(part("value").unwrap_or(Value::Undefined)),
        }
    }
}

impl Provider for ScenarioProvider {
    fn answer(&mut self, _id: AskId, ask: &Ask) -> Answer {
        match &ask.what {
            Question::Model(asked) => self.model(asked),
            Question::Tool(asked) => self.tool(&asked.tool, &asked.arguments),
            Question::Recall(_) => Answer::value(self.memory.clone()),
            Question::Remember(facts) => self.write_facts(facts),
            Question::Fitness(_) => self.score(),
            Question::Remote(_) => self.remote(),
            other => failed("Error", format_smolstr!("no answer for a {}", other.noun()), false),
        }
    }

    fn decide(&mut self, _question: &Value) -> Option<Decision> {
        self.people.pop_front()
    }
}

fn tool(written: &Value) -> Tool {
    let settings = map(Some(written));
    let part = |key: &str| settings.and_then(|tool| tool.get(key)).cloned();
    let results = match part("results") {
        _ if part("echo") == Some(Value::Bool(true)) => Results::Echo,
        Some(Value::List(results)) => Results::InOrder(results.iter().cloned().collect()),
        _ => Results::Same(part("result").unwrap_or(Value::Undefined)),
    };
    Tool { results, after: Millis::from_f64(number(part("delay_ms").as_ref()).unwrap_or_default()) }
}

fn decision(written: &Value) -> Decision {
    let settings = map(Some(written));
    let part = |key: &str| settings.and_then(|decision| decision.get(key)).cloned();
    Decision {
        word: text(part("decision").as_ref()).unwrap_or_default(),
        data: part("data"),
        updates: map(part("memory_updates").as_ref()).cloned().unwrap_or_default(),
        after: Millis::ZERO,
    }
}

fn failed(class: &str, message: SmolStr, retryable: bool) -> Answer {
    Answer::failed(Failure { retryable, ..Failure::new(class, message) })
}
