//! ## What it does
//!
//! Reports a number or a length outside the bounds of its key.
//!
//! ## Why it matters
//!
//! The loader rejects the document. Where a system runs it all the same, the finding is a warning, and the
//! value does not do what it says.
//!
//! ## Example
//!
//! ```yaml expect=out-of-range
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, write_keys: [brief], failure_policy: {max_retries: 20}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, write_keys: [brief], failure_policy: {max_retries: 10}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use nodewise_dialect::bind::IssueKind;

pub(crate) static RULE: Rule = Rule {
    id: "out-of-range",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT };

/// The maximum length of a message, so that it stays on one line.
const MESSAGE_LENGTH_MAX: usize = 80;

fn check(context: &Context<'_>, report: &mut Report) {
    let Some(violations) = context.violations() else { return };
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        let IssueKind::OutOfRange(expected, found) = &issue.kind else { continue };
        let Some(field) = issue.field else { continue };
        let mut message = format!("`{}` takes {expected}, not {found}", field.key);
        if message.chars().count() > MESSAGE_LENGTH_MAX {
            message = format!("`{}` cannot be {found}", field.key);
        }
        let is_refused = match issue.violation() {
            Some(violation) => violation.is_refused,
            None => violations.range_is_refused,
        };
        let harm = if is_refused {
            "the loader rejects the document"
        } else {
            "the value does not have the effect that it describes"
        };
        let finding = Finding::new(issue.at, message)
            .spec(field.range_class.or(violations.out_of_range))
            .label(harm)
            .help(format!("write {expected}"));
        if is_refused {
            report.push(finding);
        } else {
            report.push_at(Severity::Warning, finding);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn numbers_and_lengths() {
        check_rule(
            "out-of-range",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: x, budget: {max_tokens: 0, max_cost_usd: 0}}
#                                                          ^ error[out-of-range]: `max_tokens` takes a whole number from 1 on, not 0
#                                                                           ^ error[out-of-range]: `max_cost_usd` takes a number above 0, not 0
  - {id: b, type: voting, voting_config: {voter_agent_ids: [], quorum: 1.5}}
#                                                          ^^ error[out-of-range]: `voter_agent_ids` takes 1 to 50 items, not no items
#                                                                      ^^^ error[out-of-range]: `quorum` takes a whole number from 1 on, not 1.5
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
