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
    /// The answers of each model, tool, function or other party that is asked.
    pub parts: BTreeMap<ScriptPart, ScriptLines>,
    /// The decisions of people for a waiting run, in order, whichever node asks.
    pub decisions: Vec<Decision>,
    /// How questions are answered that no part fits.
    pub otherwise: Otherwise,
}

/// Who is asked. If several parts fit a question, the most specific one answers: first those with graph and node,
/// then those with a node, then those with a name, then the one without any of these.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScriptPart {
    pub kind: QuestionKind,
    /// Only questions of this graph; `None` is any graph.
    pub graph: Option<SmolStr>,
    /// Only questions of this node; `None` is any node.
    pub node: Option<SmolStr>,
    /// The agent, tool, function, extension with its method, query or server that is asked; `None` is any.
    pub name: Option<SmolStr>,
}

/// The answers of one part, in order.
#[derive(Debug, Clone, Default)]
pub struct ScriptLines {
    /// The answers.
    pub lines: Vec<ScriptLine>,
    /// What happens after the last answer.
    pub then: Then,
}

/// An answer, and the questions that it is for.
#[derive(Debug, Clone)]
pub struct ScriptLine {
    /// The conditions on the question.
    pub when: QuestionFilter,
    /// Whether the answer can be given only once.
    pub is_used_up: bool,
    pub answer: Answer,
    /// How likely the answer is, relative to `others`.
    pub weight: f64,
    /// Alternatives, one of which may be given instead.
    pub others: Vec<Other>,
}

/// An alternative to a line's answer.
#[derive(Debug, Clone)]
pub struct Other {
    pub answer: Answer,
    /// How likely it is, relative to the other answers.
    pub weight: f64,
}

/// Conditions on a question. All of them must hold.
#[derive(Debug, Clone, Default)]
pub struct QuestionFilter {
    /// The prompt of a model must contain this text.
    pub prompt_contains: Option<SmolStr>,
    /// The input must have these values under these keys.
    pub input: Option<Value>,
    /// The node must be at this attempt.
    pub attempt: Option<u32>,
    /// It must be this question to the same part, from 1.
    pub call: Option<u32>,
}

/// What happens after the last answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Then {
    /// The next question fails.
    #[default]
    Fail,
    /// The last answer is given again.
    Repeat,
    /// The question is answered as if the script had no such part.
    Otherwise,
}

/// How questions are answered that no part of a script fits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Otherwise {
    /// Plain answers that let the run continue: models repeat their prompt, tools give back their arguments.
    #[default]
    Echo,
    /// The question fails; the failure names who was asked.
    Fail,
}

impl ScriptLine {
    /// An answer to any question that can be given once.
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
    /// All answers that the line can give: its own, and the alternatives.
    pub(crate) fn answers(&self) -> impl Iterator<Item = &Answer> {
        std::iter::once(&self.answer).chain(self.others.iter().map(|other| &other.answer))
    }

    /// The answer for a random number from 0 up to 1.
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
    /// The part for everyone with that name.
    #[must_use]
    pub fn named(kind: QuestionKind, name: impl Into<SmolStr>) -> ScriptPart {
        ScriptPart { kind, graph: None, node: None, name: Some(name.into()) }
    }

    /// The part of a node.
    #[must_use]
    pub fn of_node(kind: QuestionKind, node: impl Into<SmolStr>) -> ScriptPart {
        ScriptPart { kind, graph: None, node: Some(node.into()), name: None }
    }

    /// The part for everyone who is asked that kind of question.
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
