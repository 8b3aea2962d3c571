//! Answers that lead somewhere, as a script that leads there again.
//!
//! Input: what was answered, in order; output: a script. Invariant: the script answers each question of that run, and
//! nothing else that it says is ever given.

use std::sync::Arc;

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use super::guide::Guide;
use super::view::{Observation, View};
use crate::ask::{Answer, Ask, Decision};
use crate::event::{AskId, Event, EventKind};
use crate::outcome::Outcome;
use crate::provider::{Provider, drive};
use crate::running::Running;
use crate::script::{Script, ScriptLine, ScriptPart, Scripted, Then};

/// Answers that lead to something.
#[derive(Debug, Clone, Default)]
pub struct Witness {
    /// The answers, in the order of the questions.
    pub given: Vec<Given>,
    /// The nodes that are visited, each with its graph.
    pub path: Vec<(SmolStr, SmolStr)>,
}

/// One of these answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// An answer to a question.
    Answer {
        /// Who was asked, with graph and node, and with the name if there is one.
        who: Box<ScriptPart>,
        answer: Answer,
    },
    /// A person's decision while the run waited.
    Decision {
        /// The node that asked.
        node: Option<SmolStr>,
        decision: Decision,
    },
}

impl Given {
    /// An answer to a question.
    #[must_use]
    pub fn answer(ask: &Ask, answer: Answer) -> Given {
        Given::Answer { who: Box::new(part_of(ask)), answer }
    }
}

impl Witness {
    /// The script that gives these answers.
    #[must_use]
    pub fn script(&self) -> Script {
        let mut script = Script::default();
        for given in &self.given {
            match given {
                Given::Answer { who, answer } => {
                    let lines = script.parts.entry((**who).clone()).or_default();
                    lines.then = Then::Otherwise;
                    lines.lines.push(ScriptLine::once(answer.clone()));
                }
                Given::Decision { decision, .. } => script.decisions.push(decision.clone()),
            }
        }
        script
    }

    /// Removes the answers that the run with this log did not need.
    pub(super) fn trim(&mut self, log: &[Event]) {
        let count = |wanted: fn(&EventKind) -> bool| log.iter().filter(|event| wanted(&event.kind)).count();
        self.given
            .truncate(count(|kind| matches!(kind, EventKind::Asked { .. } | EventKind::Resumed { .. })));
        self.path.truncate(count(|kind| matches!(kind, EventKind::VisitStarted { .. })));
    }

    /// Repeats the run up to its end. After these answers, every question gets the plainest one. Returns all answers,
    /// the events and the outcome.
    #[must_use]
    pub fn completed(&self, run: &dyn Running, guide: &dyn Guide) -> (Vec<Given>, Vec<Event>, Outcome) {
        let mut run = run.copied();
        let mut plainly = KnownAnswers { known: self.given.iter(), guide, given: Vec::new() };
        let outcome = drive(run.as_mut(), &mut plainly);
        (plainly.given, run.take_log(), outcome)
    }

    /// Repeats the run from its beginning; returns the events and the outcome.
    #[must_use]
    pub fn replay(&self, run: &dyn Running) -> (Vec<Event>, Outcome) {
        let mut run = run.copied();
        let mut provider = Scripted::new(Arc::new(self.script()));
        let outcome = drive(run.as_mut(), &mut provider);
        (run.take_log(), outcome)
    }
}

/// Gives the known answers in order, as long as they fit what is asked; after that, the guide's first choice each time.
struct KnownAnswers<'w> {
    known: std::slice::Iter<'w, Given>,
    guide: &'w dyn Guide,
    given: Vec<Given>,
}

impl Provider for KnownAnswers<'_> {
    fn answer(&mut self, _: AskId, ask: &Ask) -> Answer {
        let known = self.known.next().and_then(|known| answer_to(known, ask));
        let answer = match known {
            Some(answer) => answer,
            None => {
                self.known = std::slice::Iter::default();
                let first = self.guide.choices(ask, usize::MAX).list.into_iter().next();
                first.map_or_else(|| crate::script::echo::answer(ask), |choice| choice.answer)
            }
        };
        self.given.push(Given::answer(ask, answer.clone()));
        answer
    }

    fn decide(&mut self, question: &Value) -> Option<Decision> {
        let (node, decision) = match self.known.next() {
            Some(Given::Decision { node, decision }) => (node.clone(), decision.clone()),
            _ => {
                self.known = std::slice::Iter::default();
                (None, self.guide.decisions(None, question).into_iter().next()?)
            }
        };
        self.given.push(Given::Decision { node, decision: decision.clone() });
        Some(decision)
    }
}

/// The known answer, if it answers this question.
fn answer_to(known: &Given, ask: &Ask) -> Option<Answer> {
    match known {
        Given::Answer { who, answer } if **who == part_of(ask) => Some(answer.clone()),
        _ => None,
    }
}

/// Who is asked, with graph and node, and with the name if there is one.
fn part_of(ask: &Ask) -> ScriptPart {
    let (kind, name) = crate::script::kind_and_name(&ask.what);
    ScriptPart { kind, graph: Some(ask.graph.clone()), node: Some(ask.node.clone()), name }
}

/// What the events of a log mean for findings.
pub(super) fn observations(log: &[Event], mut view: View) -> (Vec<Observation>, View) {
    let mut observations = Vec::new();
    log.iter().for_each(|event| view.apply(event, &mut observations));
    (observations, view)
}
