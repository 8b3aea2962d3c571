//! What `tainted-prompt` finds in AgentOS: the instructions of models.

use nodewise_model::agentos::Work;

use super::trust::trust_of;
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::security::{prompts, trust};

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Hint, needs: Needs::Edges, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for trusted in trust::graphs(context, trust_of) {
        let instructions = |node| match Work::of(node) {
            Work::Model(model) => model.instructions.iter().map(|text| (text.at, text)).collect(),
            _ => Vec::new(),
        };
        prompts::report_prompts(&trusted, instructions, report);
    }
}
