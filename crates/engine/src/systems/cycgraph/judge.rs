//! A call of an agent that scores something (cycgraph:6.5). In: what is scored; out: a score from 0 to 1, and why.
//! Invariant: an answer of another shape is a failure of the agent.

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::action::{Judgement, Output};
use super::input::Input;
use super::structured::StructuredCall;
use super::{Cycgraph, failures};
use crate::ask::{Message, Purpose, Role};
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::opening::{self, OpeningParts};
use crate::outcome::Failure;

/// A call of an agent that scores something.
#[derive(Debug, Clone)]
pub(crate) struct JudgeCall {
    agent: SmolStr,
    call: StructuredCall,
}

/// A judge that runs as a task of its own.
#[derive(Debug, Clone)]
pub(crate) struct Judge {
    pub(crate) agent: SmolStr,
    /// What it scores.
    pub(crate) subject: Value,
    /// The criteria for the score.
    pub(crate) criteria: Option<SmolStr>,
    /// The attempt that it belongs to.
    pub(crate) input: Input,
    /// The call, after it was begun.
    pub(crate) call: Option<JudgeCall>,
}

impl JudgeCall {
    /// Asks an agent for a score. Fails if the host has no such agent.
    pub(crate) fn begin(
        agent: &SmolStr,
        subject: &Value,
        criteria: Option<&str>,
        input: &Input,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<JudgeCall, Failure> {
        let mut messages = Vec::with_capacity(3);
        if let Some(criteria) = criteria.filter(|criteria| !criteria.is_empty()) {
            messages.push(Message::new(Role::System, criteria.into()));
        }
        messages.push(Message::new(Role::Human, Value::Text(input.state.goal.clone())));
        messages.push(Message::new(Role::State, subject.clone()));
        let parts = OpeningParts::Judge(opening::JudgeParts {
            goal: input.state.goal.clone(),
            subject: subject.clone(),
            criteria: criteria.filter(|criteria| !criteria.is_empty()).map(SmolStr::new),
        });
        let call = StructuredCall::begin(agent, Purpose::Judge, messages, parts, input, context)?;
        Ok(JudgeCall { agent: agent.clone(), call })
    }

    /// Continues after a wake. Wakes that belong to others are ignored.
    pub(crate) fn wake(
        &mut self,
        wake: &Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<Judgement, Failure>> {
        let result = self.call.wake(wake, context)?;
        Some(result.and_then(|(value, tokens)| {
            let judgement = judgement(&value).ok_or_else(|| failures::no_object(&self.agent))?;
            Ok(Judgement { tokens: tokens.total, ..judgement })
        }))
    }
}

/// The judgement in an answer; `None` if the answer has another shape.
fn judgement(value: &Value) -> Option<Judgement> {
    let Value::Map(answer) = value else { return None };
    let part = |key: &str| answer.get(key).unwrap_or(&Value::Undefined);
    match (part("score"), part("reasoning"), part("suggestions")) {
        (Value::Number(score), Value::Text(reasoning), Value::Text(_) | Value::Undefined)
            if (0.0..=1.0).contains(score) =>
        {
            Some(Judgement { score: *score, reasoning: reasoning.clone(), tokens: 0.0 })
        }
        _ => None,
    }
}

/// The judgement of a host's own function: a number, or a mapping with `score` and perhaps `reasoning`.
pub(crate) fn host_judgement(value: &Value) -> Judgement {
    let nothing = Map::new();
    let parts = match value {
        Value::Map(parts) => parts.as_ref(),
        _ => &nothing,
    };
    let score = match (value, parts.get("score")) {
        (Value::Number(score), _) | (_, Some(Value::Number(score))) => *score,
        _ => f64::NAN,
    };
    let reasoning = match parts.get("reasoning") {
        Some(Value::Text(reasoning)) => reasoning.clone(),
        _ => SmolStr::default(),
    };
    Judgement { score, reasoning, tokens: 0.0 }
}

impl Task<Cycgraph> for Judge {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        let result = match &mut self.call {
            Some(call) => call.wake(&wake, context),
            None => {
                let criteria = self.criteria.as_deref();
                match JudgeCall::begin(&self.agent, &self.subject, criteria, &self.input, context) {
                    Ok(call) => {
                        self.call = Some(call);
                        None
                    }
                    Err(failure) => Some(Err(failure)),
                }
            }
        };
        result.map_or(Flow::Wait, |result| Flow::Done(Output::Judged(result)))
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }
}
