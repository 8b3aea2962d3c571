//! A tool is called with the arguments of the document; no state goes in.
//!
//! Input: the tool service's report; output: its success, output and error. Invariant: an exception of the service is
//! not caught.

use nodewise_expr::value::{Map, Value};
use nodewise_model::work::ToolWork;
use smol_str::SmolStr;

use super::super::Output;
use super::super::machine::{Machine, MachineContext, Progress, Report, report};
use super::super::result::NodeResult;
use super::super::turns;
use crate::ask::{Question, ToolQuestion};
use crate::kernel::Wake;

/// A call of a tool.
#[derive(Debug, Clone)]
pub(super) struct Tool {
    tool: SmolStr,
    arguments: Value,
}

impl Tool {
    pub(super) fn new(work: &ToolWork) -> Tool {
        Tool {
            tool: work.tool.as_ref().map(|tool| tool.value.clone()).unwrap_or_default(),
            arguments: work.arguments.clone().unwrap_or_else(|| Map::new().into()),
        }
    }
}

impl Machine for Tool {
    fn go(&mut self, wake: Wake<Output>, work: &mut MachineContext<'_, '_>) -> Progress {
        match wake {
            Wake::Start if !work.host().tools => {
                Progress::done(NodeResult::failed("No ToolOrchestrator configured"))
            }
            Wake::Start => {
                let (tool, arguments) = (self.tool.clone(), self.arguments.clone());
                work.ask(Question::Tool(ToolQuestion { tool, arguments, call: None }));
                Progress::Wait
            }
            Wake::Answer(_, answer) => {
                work.turns.take(turns::SERVICE);
                match report(answer) {
                    Report::Thrown(error) => Progress::Thrown(error),
                    Report::Came { success, output, error } => {
                        Progress::done(NodeResult { success, error, ..NodeResult::done(output) })
                    }
                }
            }
            _ => Progress::Wait,
        }
    }

    fn copied(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}
