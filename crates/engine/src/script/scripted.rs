//! The provider that answers from a script.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_expr::value::Value;
use smol_str::{SmolStr, format_smolstr};

use super::{Otherwise, QuestionFilter, Script, ScriptLine, ScriptLines, ScriptPart, Then, echo};
use crate::ask::{Answer, Ask, Decision, Question, Reply, Role, ToolCall};
use crate::event::AskId;
use crate::outcome::{Failure, SCRIPT_EXHAUSTED};
use crate::provider::Provider;
use crate::random::Random;
use nodewise_model::work::QuestionKind;

/// Answers from a script. A copy continues as the original would.
#[derive(Debug, Clone)]
pub struct Scripted {
    script: Arc<Script>,
    progress: BTreeMap<ScriptPart, Progress>,
    decisions: usize,
    random: Random,
    made_up: usize,
}

/// How many answers of a part are used.
#[derive(Debug, Clone, Default)]
struct Progress {
    asked: u32,
    /// Which lines are used up.
    used: Vec<bool>,
    /// All lines before this position are used up. It saves searching them again.
    first: usize,
}

impl Scripted {
    /// The provider at the beginning of a script.
    #[must_use]
    pub fn new(script: Arc<Script>) -> Scripted {
        Scripted::seeded(script, 0)
    }

    /// The same, with a seed: lines with several answers give one of them at random.
    #[must_use]
    pub fn seeded(script: Arc<Script>, seed: u64) -> Scripted {
        Scripted { script, progress: BTreeMap::new(), decisions: 0, random: Random::new(seed), made_up: 0 }
    }

    /// The provider at the beginning of the same script, with another seed.
    #[must_use]
    pub fn again(&self, seed: u64) -> Scripted {
        Scripted::seeded(self.script.clone(), seed)
    }

    /// The answers of the script that were never given, each by its part and position.
    #[must_use]
    pub fn unused(&self) -> Vec<(ScriptPart, usize)> {
        let mut unused = Vec::new();
        for (part, lines) in &self.script.parts {
            let progress = self.progress.get(part);
            for position in 0..lines.lines.len() {
                let is_used = progress.is_some_and(|progress| progress.is_used(position));
                if !is_used {
                    unused.push((part.clone(), position));
                }
            }
        }
        unused
    }

    /// How many questions the script had no answer for, so that an answer was made up.
    #[must_use]
    pub fn made_up(&self) -> usize {
        self.made_up
    }

    /// The part of the script that answers a question.
    #[must_use]
    pub fn part_of(&self, ask: &Ask) -> Option<&ScriptPart> {
        parts_for(ask).iter().find_map(|part| Some(self.script.parts.get_key_value(part)?.0))
    }

    /// Replaces the answers of parts, and starts these parts at their first answer.
    pub fn replace(&mut self, parts: BTreeMap<ScriptPart, ScriptLines>) {
        for (part, lines) in parts {
            self.progress.remove(&part);
            Arc::make_mut(&mut self.script).parts.insert(part, lines);
        }
    }

    fn otherwise(&mut self, ask: &Ask) -> Answer {
        match self.script.otherwise {
            Otherwise::Echo => {
                self.made_up += 1;
                echo::answer(ask)
            }
            Otherwise::Fail => Answer::failed(exhausted(ask, "has nothing")),
        }
    }
}

impl Script {
    /// Every answer that the fitting part has for a question, each once; `None` if no part fits. After a model called
    /// tools, only the next line is an alternative.
    pub(crate) fn alternatives(&self, ask: &Ask) -> Option<Vec<Answer>> {
        let lines = &parts_for(ask).into_iter().find_map(|part| self.parts.get(&part))?.lines;
        let called = calls_before(&ask.what);
        let is_next = |position: usize| {
            let before = position.checked_sub(1).and_then(|before| lines.get(before));
            match called {
                Some(calls) => before.is_some_and(|line| line.answers().any(|one| calls_of(one) == calls)),
                None => before.is_none_or(|line| line.answers().all(|one| calls_of(one).is_empty())),
            }
        };
        let is_for = |line: &ScriptLine| QuestionFilter { call: None, ..line.when.clone() }.holds(ask, 0);
        let fitting = lines.iter().enumerate().filter(|(position, line)| is_next(*position) && is_for(line));
        let mut answers: Vec<Answer> = Vec::new();
        for answer in fitting.flat_map(|(_, line)| line.answers()) {
            if !answers.contains(answer) {
                answers.push(answer.clone());
            }
        }
        if answers.is_empty() {
            answers.push(Answer::failed(exhausted(ask, "has no answer")));
        }
        Some(answers)
    }
}

/// The tools that a model called last, if it got nothing but their results since.
fn calls_before(question: &Question) -> Option<&[ToolCall]> {
    let Question::Model(model) = question else { return None };
    let said = model.prompt.iter().rev().find(|message| message.role != Role::Tool)?;
    (said.role == Role::Model && !said.calls.is_empty()).then_some(said.calls.as_slice())
}

/// The tools that an answer calls.
fn calls_of(answer: &Answer) -> &[ToolCall] {
    match &answer.result {
        Ok(Reply::Model(model)) => &model.calls,
        _ => &[],
    }
}

impl Provider for Scripted {
    fn answer(&mut self, _id: AskId, ask: &Ask) -> Answer {
        let script = self.script.clone();
        let Some((part, lines)) =
            parts_for(ask).into_iter().find_map(|part| script.parts.get_key_value(&part))
        else {
            return self.otherwise(ask);
        };
        let progress = self.progress.entry(part.clone()).or_default();
        match progress.next(&lines.lines, ask) {
            Some(line) if line.others.is_empty() => line.answer.clone(),
            Some(line) => line.chosen(self.random.fraction()).clone(),
            None => match (lines.then, lines.lines.last()) {
                (Then::Repeat, Some(last)) => last.answer.clone(),
                (Then::Otherwise, _) => self.otherwise(ask),
                _ => Answer::failed(exhausted(ask, "has no answer left")),
            },
        }
    }

    fn decide(&mut self, _question: &Value) -> Option<Decision> {
        let decision = self.script.decisions.get(self.decisions).cloned();
        self.decisions += usize::from(decision.is_some());
        decision
    }

    fn pass_over(&mut self, id: AskId, ask: &Ask) {
        let _passed = self.answer(id, ask);
    }

    fn pass_over_decision(&mut self, question: &Value) {
        let _passed = self.decide(question);
    }
}

impl Progress {
    fn next<'s>(&mut self, lines: &'s [ScriptLine], ask: &Ask) -> Option<&'s ScriptLine> {
        self.asked += 1;
        if self.used.len() < lines.len() {
            self.used.resize(lines.len(), false);
        }
        let is_open = |line: &ScriptLine, used: bool| !(used && line.is_used_up);
        let asked = self.asked;
        let (position, line) =
            lines.iter().enumerate().skip(self.first).find(|(position, line)| {
                is_open(line, self.is_used(*position)) && line.when.holds(ask, asked)
            })?;
        if let Some(used) = self.used.get_mut(position) {
            *used = true;
        }
        while lines.get(self.first).is_some_and(|line| line.is_used_up && self.is_used(self.first)) {
            self.first += 1;
        }
        Some(line)
    }

    fn is_used(&self, position: usize) -> bool {
        self.used.get(position).copied().unwrap_or_default()
    }
}

impl QuestionFilter {
    fn holds(&self, ask: &Ask, asked: u32) -> bool {
        let in_prompt = self.prompt_contains.as_ref().is_none_or(|wanted| match &ask.what {
            Question::Model(model) => model.prompt_text().contains(wanted.as_str()),
            _ => false,
        });
        let in_input = self.input.as_ref().is_none_or(|wanted| holds_part(&input_of(&ask.what), wanted));
        in_prompt
            && in_input
            && self.attempt.is_none_or(|wanted| wanted == ask.attempt)
            && self.call.is_none_or(|wanted| wanted == asked)
    }
}

/// Whether a value is equal to `wanted`. A mapping only needs to match under the keys that `wanted` has.
fn holds_part(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Map(map), Value::Map(wanted)) => {
            wanted.iter().all(|(key, wanted)| map.get(key).is_some_and(|value| holds_part(value, wanted)))
        }
        (value, wanted) => value == wanted,
    }
}

/// The input of the question, as one value.
fn input_of(question: &Question) -> Value {
    match question {
        Question::Tool(tool) => tool.arguments.clone(),
        Question::Function(function) => function.input.clone(),
        Question::Extension(extension) => extension.input.clone(),
        Question::Human(human) => human.review.clone(),
        Question::Guardrail(guardrail) => guardrail.content.clone(),
        Question::Remote(remote) => remote.input.clone(),
        Question::Remember(value) | Question::Fitness(value) => value.clone(),
        Question::Model(_) | Question::Discovery(_) | Question::Recall(_) | Question::Session(_) => {
            Value::Undefined
        }
    }
}

/// The parts of a script that can answer a question, the preferred one first.
fn parts_for(ask: &Ask) -> Vec<ScriptPart> {
    let (kind, name) = kind_and_name(&ask.what);
    let graphs = [Some(ask.graph.clone()), None];
    let nodes = [Some(ask.node.clone()), None];
    let names = [name.clone(), None];
    let mut parts = Vec::with_capacity(8);
    for graph in &graphs {
        for node in &nodes {
            for name in names.iter().take(if name.is_some() { 2 } else { 1 }) {
                parts.push(ScriptPart { kind, graph: graph.clone(), node: node.clone(), name: name.clone() });
            }
        }
    }
    parts
}

/// The kind of question, and the name of who is asked.
pub(crate) fn kind_and_name(question: &Question) -> (QuestionKind, Option<SmolStr>) {
    match question {
        Question::Model(model) => (QuestionKind::Model, Some(model.agent.clone())),
        Question::Tool(tool) => (QuestionKind::Tool, Some(tool.tool.clone())),
        Question::Function(function) => (QuestionKind::Function, Some(function.path.clone())),
        Question::Extension(asked) => {
            (QuestionKind::Extension, Some(format_smolstr!("{}.{}", asked.extension, asked.method)))
        }
        Question::Human(_) => (QuestionKind::Human, None),
        Question::Guardrail(_) => (QuestionKind::Guardrail, None),
        Question::Discovery(discovery) => (QuestionKind::Discovery, Some(discovery.query.clone())),
        Question::Recall(_) => (QuestionKind::Recall, None),
        Question::Remember(_) => (QuestionKind::Remember, None),
        Question::Remote(remote) => (QuestionKind::Remote, Some(remote.server.clone())),
        Question::Fitness(_) => (QuestionKind::Fitness, None),
        Question::Session(_) => (QuestionKind::Session, None),
    }
}

fn exhausted(ask: &Ask, what: &str) -> Failure {
    let (kind, name) = kind_and_name(&ask.what);
    let who = name.map_or_else(|| kind.noun().to_owned(), |name| format!("{} `{name}`", kind.noun()));
    Failure::new(SCRIPT_EXHAUSTED, format!("the script {what} for the {who}, which node `{}` asks", ask.node))
}
