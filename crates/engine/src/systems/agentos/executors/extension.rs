//! A method of an extension is called with input and scratch; what it gives back is also written to the scratch.
//!
//! Input: the extension's report; output: its success, output and error, and the write. Invariant: the write happens
//! even when the call failed, if there is an output to write.

use nodewise_expr::value::Value;
use nodewise_model::agentos::ExtensionWork;
use smol_str::{SmolStr, format_smolstr};

use super::super::Output;
use super::super::machine::{Machine, MachineContext, Progress, Report, report};
use super::super::result::NodeResult;
use super::super::turns;
use crate::ask::{ExtensionQuestion, Question};
use crate::kernel::Wake;

#[derive(Debug, Clone)]
pub(super) struct Extension {
    extension: SmolStr,
    method: SmolStr,
}

impl Extension {
    pub(super) fn new(work: &ExtensionWork) -> Extension {
        Extension {
            extension: work.extension.as_ref().map(|name| name.value.clone()).unwrap_or_default(),
            method: work.method.as_ref().map(|name| name.value.clone()).unwrap_or_default(),
        }
    }
}

impl Machine for Extension {
    fn go(&mut self, wake: Wake<Output>, work: &mut MachineContext<'_, '_>) -> Progress {
        match wake {
            Wake::Start if !work.host().extensions => {
                Progress::done(NodeResult::done(Value::from("extension-not-configured")))
            }
            Wake::Start => {
                let (extension, method) = (self.extension.clone(), self.method.clone());
                let input = work.state().shown();
                work.ask(Question::Extension(ExtensionQuestion { extension, method, input }));
                Progress::Wait
            }
            Wake::Answer(_, answer) => {
                work.turns.take(turns::SERVICE);
                Progress::done(match report(answer) {
                    Report::Thrown(error) => NodeResult::failed(format_smolstr!(
                        "Extension {}.{} failed: {error}",
                        self.extension,
                        self.method
                    )),
                    Report::Came { success, output, error } => {
                        let written =
                            matches!(output, Value::Map(_) | Value::List(_)).then(|| output.clone());
                        NodeResult { success, error, scratch: written, ..NodeResult::done(output) }
                    }
                })
            }
            _ => Progress::Wait,
        }
    }

    fn copied(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}
