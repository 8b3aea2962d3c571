//! The policies of a node that the release ignores, carried out as documented: what it recalls and remembers, and which
//! guardrails look at what goes in and comes out.
//!
//! Input: a node's policies and its executor; output: a machine around it. Invariant: in the release's reading there is
//! no such machine; the executor sees what was recalled, and its result leaves only past the guardrails.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use nodewise_model::graph::{GraphNode, GuardrailPolicy};
use smol_str::{SmolStr, format_smolstr};

use super::Output;
use super::machine::{Machine, MachineContext, Progress, Situation};
use super::result::NodeResult;
use crate::ask::{GuardrailQuestion, Question, RecallQuestion, Reply, Verdict};
use crate::event::AskId;
use crate::kernel::Wake;

/// The policies of a node that are carried out.
#[derive(Debug)]
struct Policies {
    /// What the node looks for in long-term memory.
    query: Option<SmolStr>,
    /// Whether the node's output is written to long-term memory.
    remembers: bool,
    input: Arc<[SmolStr]>,
    output: Arc<[SmolStr]>,
    on_violation: SmolStr,
    reroute: Option<SmolStr>,
}

/// An executor that is wrapped in the policies of its node.
#[derive(Debug)]
struct Policed {
    policies: Arc<Policies>,
    executor: Box<dyn Machine>,
    /// What the executor sees: the situation, with what was recalled from memory.
    situation: Option<Box<Situation>>,
    asked: Option<(AskId, Stage)>,
    /// The result of the executor.
    result: Option<Box<NodeResult>>,
}

/// A question that the policies ask, before or after the executor's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Recall,
    Input,
    Output,
    Remember,
}

/// Wraps the executor in the node's policies, if the node has any that are carried out.
pub(super) fn around(node: &GraphNode, executor: Box<dyn Machine>) -> Box<dyn Machine> {
    let Some(host) = &node.host else { return executor };
    let names = |names: fn(&GuardrailPolicy) -> &Vec<nodewise_model::Located<SmolStr>>| -> Arc<[SmolStr]> {
        host.guardrails
            .iter()
            .flat_map(|policy| names(policy).iter().map(|name| name.value.clone()))
            .collect()
    };
    let of_guardrails = host.guardrails.as_ref();
    let policies = Policies {
        query: host.memory.as_ref().and_then(|memory| Some(memory.query.as_ref()?.value.clone())),
        remembers: host.memory.as_ref().is_some_and(|memory| memory.auto_encode.is_some()),
        input: names(|policy| &policy.input),
        output: names(|policy| &policy.output),
        on_violation: of_guardrails
            .and_then(|policy| Some(policy.on_violation.as_ref()?.value.clone()))
            .unwrap_or_default(),
        reroute: of_guardrails.and_then(|policy| Some(policy.reroute.as_ref()?.value.clone())),
    };
    let is_idle = policies.query.is_none()
        && !policies.remembers
        && policies.input.is_empty()
        && policies.output.is_empty();
    if is_idle {
        return executor;
    }
    let policies = Arc::new(policies);
    Box::new(Policed { policies, executor, situation: None, asked: None, result: None })
}

impl Policed {
    /// Continues after a stage, or at the beginning. Stages that have nothing to ask are skipped.
    fn after(&mut self, stage: Option<Stage>, work: &mut MachineContext<'_, '_>) -> Progress {
        let policies = Arc::clone(&self.policies);
        match stage {
            None => match &policies.query {
                Some(query) => {
                    let question = RecallQuestion {
                        text: Some(query.clone()),
                        entities: Vec::new(),
                        tags: Vec::new(),
                        max_facts: None,
                    };
                    self.ask(Stage::Recall, Question::Recall(question), work)
                }
                None => self.after(Some(Stage::Recall), work),
            },
            Some(Stage::Recall) if !policies.input.is_empty() => {
                let content = self.seen(work).state.shown();
                self.ask_guardrails(Stage::Input, &policies.input, content, work)
            }
            Some(Stage::Recall | Stage::Input) => self.execute(Wake::Start, work),
            Some(Stage::Output) if policies.remembers => {
                let output = self.result.as_ref().map_or(Value::Undefined, |result| result.output.clone());
                self.ask(Stage::Remember, Question::Remember([output].into_iter().collect()), work)
            }
            Some(Stage::Output | Stage::Remember) => match self.result.take() {
                Some(result) => Progress::Done(result),
                None => Progress::Wait,
            },
        }
    }

    fn ask(&mut self, stage: Stage, question: Question, work: &mut MachineContext<'_, '_>) -> Progress {
        self.asked = Some((work.ask(question), stage));
        Progress::Wait
    }

    fn ask_guardrails(
        &mut self,
        stage: Stage,
        guardrails: &Arc<[SmolStr]>,
        content: Value,
        work: &mut MachineContext<'_, '_>,
    ) -> Progress {
        if !work.host().guardrails {
            return self.after(Some(stage), work);
        }
        let question = GuardrailQuestion { guardrails: guardrails.clone(), content };
        self.ask(stage, Question::Guardrail(question), work)
    }

    fn seen<'s>(&'s self, work: &'s MachineContext<'_, '_>) -> &'s Situation {
        self.situation.as_deref().unwrap_or(work.situation)
    }

    /// Lets the executor take a step.
    fn execute(&mut self, wake: Wake<Output>, work: &mut MachineContext<'_, '_>) -> Progress {
        let situation = self.situation.as_deref().unwrap_or(work.situation);
        let mut inner = MachineContext { situation, context: work.context, turns: work.turns };
        match self.executor.go(wake, &mut inner) {
            Progress::Done(result) => self.executed(result, work),
            progress => progress,
        }
    }

    fn executed(&mut self, mut result: Box<NodeResult>, work: &mut MachineContext<'_, '_>) -> Progress {
        if let Some(situation) = &self.situation {
            result.memory = Some(situation.state.memory.clone());
        }
        if !result.success {
            return Progress::Done(result);
        }
        let content = result.output.clone();
        self.result = Some(result);
        let guardrails = self.policies.output.clone();
        match guardrails.is_empty() {
            true => self.after(Some(Stage::Output), work),
            false => self.ask_guardrails(Stage::Output, &guardrails, content, work),
        }
    }

    /// Applies the verdict of guardrails: the node leads elsewhere, fails, or continues.
    fn judged(&mut self, stage: Stage, verdict: &Verdict, work: &mut MachineContext<'_, '_>) -> Progress {
        if verdict.passed || matches!(self.policies.on_violation.as_str(), "warn" | "sanitize") {
            return self.after(Some(stage), work);
        }
        if let ("reroute", Some(target)) = (self.policies.on_violation.as_str(), &self.policies.reroute) {
            return Progress::done(NodeResult::routed(target.clone()));
        }
        let what = if stage == Stage::Input { "input" } else { "output" };
        let error = format_smolstr!("Guardrails stopped the {what} of node {}", work.node().name);
        Progress::done(NodeResult::failed(error))
    }

    fn answered(
        &mut self,
        stage: Stage,
        reply: Option<Reply>,
        work: &mut MachineContext<'_, '_>,
    ) -> Progress {
        match (stage, reply) {
            (Stage::Input | Stage::Output, Some(Reply::Verdict(verdict))) => {
                self.judged(stage, &verdict, work)
            }
            (Stage::Recall, Some(Reply::Value(traces))) => {
                let mut situation = work.situation.clone();
                situation.state.memory = recalled(&situation.state.memory, traces);
                self.situation = Some(Box::new(situation));
                self.after(Some(stage), work)
            }
            // A failure of something beside the work does not stop the work.
            _ => self.after(Some(stage), work),
        }
    }
}

impl Machine for Policed {
    fn go(&mut self, wake: Wake<Output>, work: &mut MachineContext<'_, '_>) -> Progress {
        match wake {
            Wake::Start => self.after(None, work),
            Wake::Answer(id, answer) => match self.asked {
                Some((asked, stage)) if asked == id => {
                    self.asked = None;
                    self.answered(stage, answer.result.ok(), work)
                }
                _ => self.execute(Wake::Answer(id, answer), work),
            },
            wake => self.execute(wake, work),
        }
    }

    fn timed_out(&mut self, error: SmolStr, work: &mut MachineContext<'_, '_>) -> Progress {
        self.executor.timed_out(error, work)
    }

    fn copied(&self) -> Box<dyn Machine> {
        Box::new(Policed {
            policies: Arc::clone(&self.policies),
            executor: self.executor.copied(),
            situation: self.situation.clone(),
            asked: self.asked,
            result: self.result.clone(),
        })
    }
}

/// What the node sees as memory after it recalled something.
fn recalled(before: &Value, traces: Value) -> Value {
    let mut memory = match before {
        Value::Map(memory) => memory.as_ref().clone(),
        _ => Map::new(),
    };
    let count = match &traces {
        Value::List(traces) => traces.len(),
        _ => 0,
    };
    memory.insert("traces", traces);
    memory.insert("totalTracesRead", Value::Number(count as f64));
    memory.into()
}
