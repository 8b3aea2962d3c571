//! Scripted answers as the engine gives them.
//!
//! Input: a script as model and the charts of what runs; output: the engine's script. Invariant: each answer of the text
//! becomes lines of one part, so that what is never given can be reported at its place.

use std::collections::BTreeMap;

use nodewise_engine::ask::{
    Answer, Decision, ModelReply, RemoteReply, Reply, SessionEvent, ToolCall, Verdict,
};
use nodewise_engine::outcome::Failure;
use nodewise_engine::script::{
    Other, Otherwise, QuestionFilter, Script, ScriptLine, ScriptLines, ScriptPart,
};
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_expr::json::to_json;
use nodewise_expr::value::{Map, Value};
use nodewise_model::Origin;
use nodewise_model::scenario::{
    AnswerPart, Answers, Respondent, ScriptedAnswer, ScriptedCall, ScriptedError, Times,
};
use nodewise_model::work::QuestionKind;
use smol_str::{SmolStr, format_smolstr};

use crate::chart::{ChartNode, Charts};

/// The class of a scripted error that names none.
const PLAIN_ERROR: &str = "Error";
/// The key for whether a call succeeded, besides its value, as the engine reads it.
const SUCCESS: &str = "success";

/// The scripted answers of a run.
#[derive(Debug, Clone, Default)]
pub struct Scripting {
    /// The engine's script.
    pub script: Script,
    /// What people decide at nodes where the run waits, in order.
    pub at_nodes: BTreeMap<SmolStr, Vec<Decision>>,
    /// The places of the answers in the script, for each of its parts.
    pub origins: BTreeMap<ScriptPart, Vec<Origin>>,
}

/// Turns answers into a script for the engine, for runs of these graphs.
#[must_use]
pub fn scripting(answers: &Answers, charts: &Charts) -> Scripting {
    let mut writer = Writer { charts, scripting: Scripting::default(), calls: 0 };
    for part in &answers.parts {
        writer.part(part);
    }
    let people = answers.decisions.iter().flat_map(|decisions| &decisions.value);
    writer.scripting.script.decisions = people.flat_map(repeated).map(decision).collect();
    writer.scripting.script.otherwise = match answers.otherwise.as_ref().map(|word| word.value.as_str()) {
        Some(nodewise_dialect::tables::scenario::FAIL) => Otherwise::Fail,
        _ => Otherwise::Echo,
    };
    writer.scripting
}

struct Writer<'c> {
    charts: &'c Charts,
    scripting: Scripting,
    /// The number of tool calls so far, for their ids.
    calls: u32,
}

impl Writer<'_> {
    fn part(&mut self, part: &AnswerPart) {
        let name = part.name.as_ref().map(|name| &name.value);
        let graph = part.graph.as_ref().map(|graph| graph.value.clone());
        let by_name =
            |kind: QuestionKind| ScriptPart { kind, graph: graph.clone(), node: None, name: name.cloned() };
        let target = match part.subject {
            Respondent::Node => return self.node(part, graph),
            Respondent::Agent => by_name(QuestionKind::Model),
            Respondent::Tool => by_name(QuestionKind::Tool),
            Respondent::Function => return self.function(part, by_name(QuestionKind::Function)),
            Respondent::Extension => by_name(QuestionKind::Extension),
            Respondent::Server => by_name(QuestionKind::Remote),
            Respondent::Search => by_name(QuestionKind::Discovery),
            Respondent::Guardrails => ScriptPart::of_all(QuestionKind::Guardrail),
            Respondent::Recall => ScriptPart::of_all(QuestionKind::Recall),
            Respondent::Remember => ScriptPart::of_all(QuestionKind::Remember),
            Respondent::Fitness => ScriptPart::of_all(QuestionKind::Fitness),
        };
        for (position, answer) in part.answers.iter().enumerate() {
            let stays = part.subject == Respondent::Fitness && position + 1 == part.answers.len();
            self.answer(&target, answer, stays);
        }
    }

    /// Adds the answers for a node. What the node asks depends on its work.
    fn node(&mut self, part: &AnswerPart, graph: Option<SmolStr>) {
        let Some(name) = part.name.as_ref() else { return };
        let node = self.node_of(name.value.as_str(), graph.as_deref());
        let id = match node {
            Some(node) => node.asks_for.as_ref().unwrap_or(&node.id).clone(),
            None => name.value.clone(),
        };
        let asks = node.map_or(QuestionKind::Model, |node| node.asks);
        for answer in &part.answers {
            let kind = match asks {
                // A value or text is an answer of a model that decides in the person's place.
                QuestionKind::Human if answer.value.is_some() || answer.text.is_some() => QuestionKind::Model,
                asks => asks,
            };
            if kind == QuestionKind::Human {
                let decisions = repeated(answer).map(decision);
                self.scripting.at_nodes.entry(id.clone()).or_default().extend(decisions);
            }
            let target = ScriptPart { kind, graph: graph.clone(), node: Some(id.clone()), name: None };
            self.answer(&target, answer, false);
        }
    }

    fn node_of(&self, name: &str, graph: Option<&str>) -> Option<&ChartNode> {
        match graph {
            Some(graph) => self.charts.graph(graph)?.node_called(name),
            None => self.charts.node_called(name),
        }
    }

    /// Adds the answers of a function. The name may be that of the node that calls it.
    fn function(&mut self, part: &AnswerPart, by_name: ScriptPart) {
        let node = part.name.as_ref().and_then(|name| self.node_of(&name.value, by_name.graph.as_deref()));
        let target = match node {
            Some(node) => ScriptPart { node: Some(node.id.clone()), name: None, ..by_name },
            None => by_name,
        };
        for answer in &part.answers {
            self.answer(&target, answer, false);
        }
    }

    fn answer(&mut self, part: &ScriptPart, answer: &ScriptedAnswer, stays: bool) {
        let count = match answer.times {
            Times::Count(count) => count,
            Times::Always => 1,
        };
        let is_used_up = answer.times != Times::Always && !stays;
        for _ in 0..count {
            let line = self.line(part, answer, is_used_up);
            let lines: &mut ScriptLines = self.scripting.script.parts.entry(part.clone()).or_default();
            lines.lines.push(line);
            self.scripting.origins.entry(part.clone()).or_default().push(answer.at);
        }
    }

    fn line(&mut self, part: &ScriptPart, answer: &ScriptedAnswer, is_used_up: bool) -> ScriptLine {
        let when = QuestionFilter {
            prompt_contains: answer.when.prompt.clone(),
            input: answer.when.input.clone(),
            attempt: answer.when.attempt,
            call: answer.when.call,
        };
        let mut choices: Vec<(f64, Answer)> = Vec::new();
        for choice in &answer.one_of {
            let weight = choice.weight.as_ref().map_or(1.0, |weight| weight.value);
            choices.push((weight, self.engine_answer(part, choice, is_used_up)));
        }
        let mut choices = choices.into_iter();
        let (weight, first) = match choices.next() {
            Some(first) => first,
            None => (1.0, self.engine_answer(part, answer, is_used_up)),
        };
        let others = choices.map(|(weight, answer)| Other { answer, weight }).collect();
        ScriptLine { when, is_used_up, weight, others, ..ScriptLine::once(first) }
    }

    fn engine_answer(&mut self, part: &ScriptPart, answer: &ScriptedAnswer, is_used_up: bool) -> Answer {
        let calls: Vec<ToolCall> =
            answer.calls.iter().map(|call| self.call(part, call, is_used_up)).collect();
        let amount =
            |number: &Option<nodewise_model::Located<f64>>| number.as_ref().map_or(0.0, |one| one.value);
        let usage = Usage {
            input_tokens: amount(&answer.input_tokens),
            output_tokens: amount(&answer.output_tokens),
            cost_usd: amount(&answer.cost_usd),
            ..Usage::default()
        };
        let result = match &answer.error {
            Some(error) => Err(failure(error)),
            None => Ok(reply(part.kind, answer, calls)),
        };
        Answer {
            after: Millis::from_f64(amount(&answer.after_ms)),
            usage,
            aside: aside(part.kind, answer),
            ..Answer::of(result)
        }
    }

    /// A tool call that a model asks for. If the script says here what the tool returns, that becomes an answer of the
    /// tool.
    fn call(&mut self, part: &ScriptPart, call: &ScriptedCall, is_used_up: bool) -> ToolCall {
        self.calls += 1;
        let said = match (&call.returns, &call.error) {
            (_, Some(error)) => Some(Answer::failed(failure(error))),
            (Some(value), None) => Some(Answer::value(value.clone())),
            (None, None) => None,
        };
        if let Some(said) = said {
            let of_tool =
                ScriptPart { kind: QuestionKind::Tool, name: Some(call.tool.value.clone()), ..part.clone() };
            // If the tool is a node of its own, that node asks, and not the model's node.
            let is_node =
                self.charts.node_called(&call.tool.value).is_some_and(|node| node.asks == QuestionKind::Tool);
            let of_tool = ScriptPart { node: part.node.clone().filter(|_| !is_node), ..of_tool };
            let lines = self.scripting.script.parts.entry(of_tool.clone()).or_default();
            lines.lines.push(ScriptLine { is_used_up, ..ScriptLine::once(said) });
            self.scripting.origins.entry(of_tool).or_default().push(call.tool.at);
        }
        ToolCall {
            id: call.id.clone().unwrap_or_else(|| format_smolstr!("call-{}", self.calls)),
            tool: call.tool.value.clone(),
            arguments: call.arguments.clone(),
        }
    }
}

/// The decisions that an answer stands for. Of random alternatives, the first one is used.
fn repeated(answer: &ScriptedAnswer) -> impl Iterator<Item = &ScriptedAnswer> {
    let count = match answer.times {
        Times::Count(count) => count as usize,
        Times::Always => DECISIONS_MAX,
    };
    std::iter::repeat_n(answer.one_of.first().unwrap_or(answer), count)
}

/// How many decisions stand for a person who always decides the same.
const DECISIONS_MAX: usize = 1000;

fn reply(kind: QuestionKind, answer: &ScriptedAnswer, calls: Vec<ToolCall>) -> Reply {
    match kind {
        QuestionKind::Model => Reply::Model(model_reply(answer, calls)),
        QuestionKind::Human => Reply::Decision(decision(answer)),
        QuestionKind::Guardrail => Reply::Verdict(Verdict {
            passed: match (&answer.passed, &answer.short) {
                (Some(passed), _) => passed.value,
                (None, Some(Value::Bool(passed))) => *passed,
                _ => true,
            },
            results: answer.results.as_ref().map_or(Value::List([].into()), |results| results.value.clone()),
        }),
        QuestionKind::Remote => Reply::Remote(RemoteReply {
            task: answer.task.clone().unwrap_or_else(|| "task-1".into()),
            state: answer.state.as_ref().map_or_else(|| "completed".into(), |state| state.value.clone()),
            artifacts: answer.artifacts.clone(),
            message: answer.message.clone().or_else(|| answer.short.as_ref().map(text_of)),
        }),
        QuestionKind::Session => {
            let events = answer.events.iter().map(|event| SessionEvent {
                name: event.name.clone(),
                after: Millis::from_f64(event.after_ms),
                data: event.data.clone(),
            });
            Reply::Session(events.collect())
        }
        _ => Reply::Value(plain_value(answer)),
    }
}

fn model_reply(answer: &ScriptedAnswer, calls: Vec<ToolCall>) -> ModelReply {
    let value = answer.value.as_ref().map(|value| value.value.clone());
    let (text, value) = match (&answer.text, &answer.short) {
        (Some(text), _) => (text.value.clone(), value),
        (None, Some(short)) => match short {
            Value::Text(text) => (text.clone(), value),
            short => (text_of(short), Some(short.clone())),
        },
        (None, None) => (SmolStr::default(), value),
    };
    ModelReply { text, value, calls }
}

/// The value that a tool, a function or the like returns.
fn plain_value(answer: &ScriptedAnswer) -> Value {
    let value = answer.value.as_ref().map(|value| value.value.clone());
    let text = || answer.text.as_ref().map(|text| Value::Text(text.value.clone()));
    value.or_else(|| answer.short.clone()).or_else(text).unwrap_or(Value::Undefined)
}

fn decision(answer: &ScriptedAnswer) -> Decision {
    let word = match (&answer.decision, &answer.short) {
        (Some(word), _) => word.value.clone(),
        (None, Some(Value::Bool(false))) => "rejected".into(),
        (None, Some(Value::Text(word))) => word.clone(),
        _ => "approved".into(),
    };
    let updates: Map = answer.updates.iter().map(|(key, value)| (key.value.clone(), value.clone())).collect();
    let after = answer.after_ms.as_ref().map_or(Millis::ZERO, |after| Millis::from_f64(after.value));
    Decision { word, data: answer.data.as_ref().map(|data| data.value.clone()), updates, after }
}

/// What an answer says besides its value, in the form that the engine reads.
fn aside(kind: QuestionKind, answer: &ScriptedAnswer) -> Option<Value> {
    if let Some(context) = &answer.context {
        return Some(context.clone());
    }
    let reports = matches!(kind, QuestionKind::Tool | QuestionKind::Extension);
    let passed = answer.passed.as_ref().filter(|_| reports)?;
    let aside: Map = [(SmolStr::new_static(SUCCESS), Value::Bool(passed.value))].into_iter().collect();
    Some(aside.into())
}

fn failure(error: &ScriptedError) -> Failure {
    Failure {
        class: error.class.clone().unwrap_or_else(|| PLAIN_ERROR.into()),
        message: error.message.clone(),
        retryable: error.retryable.unwrap_or(true),
        cause: error.cause.clone(),
    }
}

fn text_of(value: &Value) -> SmolStr {
    match value {
        Value::Text(text) => text.clone(),
        value => to_json(value).to_string().into(),
    }
}
