//! Guardrails check the scratch.
//!
//! Input: their verdict; output: the verdict, or another way. Invariant: in the release a violation halts the run
//! whatever the document says, unless it says where else to go; as documented, `warn` and `sanitize` continue.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use nodewise_model::agentos::GuardrailWork;
use smol_str::SmolStr;

use super::super::Output;
use super::super::machine::{Machine, MachineContext, Progress};
use super::super::result::NodeResult;
use super::super::turns;
use crate::ask::{GuardrailQuestion, Question, Reply, Verdict};
use crate::kernel::Wake;

/// A check of the scratch by guardrails.
#[derive(Debug, Clone)]
pub(super) struct Guardrail {
    guardrails: Arc<[SmolStr]>,
    action: SmolStr,
    reroute: Option<SmolStr>,
}

impl Guardrail {
    pub(super) fn new(work: &GuardrailWork) -> Guardrail {
        let target = work.reroute.as_ref().map(|target| target.value.clone());
        Guardrail {
            guardrails: work.guardrails.iter().map(|name| name.value.clone()).collect(),
            action: work.on_violation.as_ref().map(|word| word.value.clone()).unwrap_or_default(),
            reroute: target.filter(|target| !target.is_empty()),
        }
    }

    fn judge(&self, verdict: Verdict, work: &MachineContext<'_, '_>) -> NodeResult {
        if let (false, "reroute", Some(target)) = (verdict.passed, self.action.as_str(), &self.reroute) {
            return NodeResult::routed(target.clone());
        }
        let goes_on = work.is_documented() && matches!(self.action.as_str(), "warn" | "sanitize");
        let mut output = Map::new();
        output.insert("passed", Value::Bool(verdict.passed));
        output.insert("results", verdict.results);
        NodeResult { success: verdict.passed || goes_on, ..NodeResult::done(output.into()) }
    }
}

impl Machine for Guardrail {
    fn go(&mut self, wake: Wake<Output>, work: &mut MachineContext<'_, '_>) -> Progress {
        match wake {
            Wake::Start if !work.host().guardrails => {
                let mut output = Map::new();
                output.insert("passed", Value::Bool(true));
                output.insert("message", Value::from("No guardrail engine configured"));
                Progress::done(NodeResult::done(output.into()))
            }
            Wake::Start => {
                let content = Value::Map(work.state().scratch.clone());
                let guardrails = self.guardrails.clone();
                work.ask(Question::Guardrail(GuardrailQuestion { guardrails, content }));
                Progress::Wait
            }
            Wake::Answer(_, answer) => {
                work.turns.take(turns::SERVICE);
                match answer.result {
                    Ok(Reply::Verdict(verdict)) => Progress::done(self.judge(verdict, work)),
                    Ok(_) => Progress::Thrown("the guardrails gave no verdict".into()),
                    Err(failure) => Progress::Thrown(failure.message),
                }
            }
            _ => Progress::Wait,
        }
    }

    fn copied(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}
