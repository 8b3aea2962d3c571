//! Scripts: what models, tools, functions, people and everything else outside of a graph answer in a dry run.
//!
//! Input: lines, each for a model, tool or person; output: the answers, through [`Scripted`]. Invariant: the same questions
//! in the same order get the same answers.

pub(crate) mod echo;
mod scripted;

use std::collections::BTreeMap;

use nodewise_expr::value::Value;
use nodewise_model::work::QuestionKind;
use smol_str::SmolStr;

use crate::ask::{Answer, Decision};
pub use scripted::Scripted;
pub(crate) use scripted::kind_and_name;

#[derive(Debug, Clone, Default)]
pub struct Script {
    /// What each of those who are asked answers.
    pub parts: BTreeMap<ScriptPart, ScriptLines>,
    /// What people decide when a run waits for them, in order, for any node that asks.
    pub decisions: Vec<Decision>,
    /// What is answered where the script has no part for a question.
    pub otherwise: Otherwise,
}

/// Who is asked. Of several parts that fit a question the first in this order answers: one that names graph and node,
/// node, what is asked for, none of them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScriptPart {
    pub kind: QuestionKind,
    /// Questions of this graph alone.
    pub graph: Option<SmolStr>,
    /// Questions of this node alone.
    pub node: Option<SmolStr>,
    /// The agent, tool, function, extension with its method, query or server that is asked; `None` is all.
    pub name: Option<SmolStr>,
}

/// What one who is asked answers, in order.
#[derive(Debug, Clone, Default)]
pub struct ScriptLines {
    /// The answers.
    pub lines: Vec<ScriptLine>,
    /// What comes after the last one.
    pub then: Then,
}

/// An answer, and when it is given.
#[derive(Debug, Clone)]
pub struct ScriptLine {
    /// What must hold of the question.
    pub when: QuestionFilter,
    /// Whether it can be given again.
    pub is_used_up: bool,
    pub answer: Answer,
    /// How likely that answer is, beside the others.
    pub weight: f64,
    /// What may be answered instead.
    pub others: Vec<Other>,
}

/// What may be answered instead of a line's answer.
#[derive(Debug, Clone)]
pub struct Other {
    pub answer: Answer,
    /// How likely it is, beside the others.
    pub weight: f64,
}

/// What must hold of a question.
#[derive(Debug, Clone, Default)]
pub struct QuestionFilter {
    /// The prompt of a model contains this.
    pub prompt_contains: Option<SmolStr>,
    /// The input holds these values under these keys.
    pub input: Option<Value>,
    /// It is this attempt of the node.
    pub attempt: Option<u32>,
    /// It is this question to the same part, from 1.
    pub call: Option<u32>,
}

/// What comes after the last answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Then {
    /// The next question fails.
    #[default]
    Fail,
    /// The last answer is given again.
    Repeat,
    /// As if the script had no such part.
    Otherwise,
}

/// What is answered where a script has no part for a question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Otherwise {
    /// Plain answers that let the run continue: models repeat their prompt, tools give back their arguments.
    #[default]
    Echo,
    /// A failure that names who was asked.
    Fail,
}

impl ScriptLine {
    /// An answer that is given once, to any question.
    #[must_use]
    pub fn once(answer: Answer) -> ScriptLine {
        ScriptLine {
            when: QuestionFilter::default(),
            is_used_up: true,
            answer,
            weight: 1.0,
            others: Vec::new(),
        }
    }
}

impl ScriptLine {
    /// All that it may answer.
    pub(crate) fn answers(&self) -> impl Iterator<Item = &Answer> {
        std::iter::once(&self.answer).chain(self.others.iter().map(|other| &other.answer))
    }

    /// The answer that a number from 0 up to 1 stands for.
    #[must_use]
    pub fn chosen(&self, fraction: f64) -> &Answer {
        let weigh = |weight: f64| if weight.is_finite() { weight.max(0.0) } else { 0.0 };
        let total: f64 =
            weigh(self.weight) + self.others.iter().map(|other| weigh(other.weight)).sum::<f64>();
        let mut rest = fraction * total - weigh(self.weight);
        for other in &self.others {
            if rest < 0.0 {
                break;
            }
            rest -= weigh(other.weight);
            if rest < 0.0 {
                return &other.answer;
            }
        }
        &self.answer
    }
}

impl ScriptPart {
    /// The part of all who are asked for that name.
    #[must_use]
    pub fn named(kind: QuestionKind, name: impl Into<SmolStr>) -> ScriptPart {
        ScriptPart { kind, graph: None, node: None, name: Some(name.into()) }
    }

    /// The part of a node.
    #[must_use]
    pub fn of_node(kind: QuestionKind, node: impl Into<SmolStr>) -> ScriptPart {
        ScriptPart { kind, graph: None, node: Some(node.into()), name: None }
    }

    /// The part of everybody.
    #[must_use]
    pub fn of_all(kind: QuestionKind) -> ScriptPart {
        ScriptPart { kind, graph: None, node: None, name: None }
    }
}

#[cfg(test)]
mod tests {
    use nodewise_expr::value::Value;

    use super::{Other, ScriptLine};
    use crate::ask::{Answer, Reply};

    fn check_chosen(weights: &[f64], fraction: f64, expected: f64) {
        let answer = |position: usize| Answer::value(Value::Number(position as f64));
        let others = weights.iter().enumerate().skip(1);
        let line = ScriptLine {
            weight: weights[0],
            others: others.map(|(at, weight)| Other { answer: answer(at), weight: *weight }).collect(),
            ..ScriptLine::once(answer(0))
        };
        let Ok(Reply::Value(Value::Number(chosen))) = line.chosen(fraction).result else { unreachable!() };
        assert_eq!(chosen, expected, "{weights:?} at {fraction}");
    }

    #[test]
    fn a_line_is_chosen_by_weight() {
        check_chosen(&[0.5, 0.25, 0.25], 0.0, 0.0);
        check_chosen(&[0.5, 0.25, 0.25], 0.49, 0.0);
        check_chosen(&[0.5, 0.25, 0.25], 0.5, 1.0);
        check_chosen(&[0.5, 0.25, 0.25], 0.76, 2.0);
        check_chosen(&[0.0, 2.0], 0.0, 1.0);
        check_chosen(&[0.0, 0.0], 0.9, 0.0);
        check_chosen(&[f64::NAN, -1.0, 1.0], 0.3, 2.0);
    }
}
