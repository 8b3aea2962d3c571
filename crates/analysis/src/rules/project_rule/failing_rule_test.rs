//! ## What it does
//!
//! Reports a test of a rule of your own that fails, or whose files cannot be read.
//!
//! ## Why it matters
//!
//! The rule reports something else than its author meant. `nodewise rules test` shows the difference line by line.
//!
//! ## Example
//!
//! ```yaml expect=failing-rule-test
//! #- /rules/budget.rule.yaml
//! rule: agent-with-budget
//! message: "`{node}` has no token budget"
//! node: {kind: agent}
//! must: {max_tokens: {set: true}}
//! tests:
//!   - test: an agent without a budget is reported
//!     files: |
//!       id: g
//!       name: g
//!       description: d
//!       nodes: [{id: a, type: agent, agent_id: x}]
//!       edges: []
//!       start_node: a
//!       end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! #- /rules/budget.rule.yaml
//! rule: agent-with-budget
//! message: "`{node}` has no token budget"
//! node: {kind: agent}
//! must: {max_tokens: {set: true}}
//! tests:
//!   - test: an agent with a budget is fine
//!     files: |
//!       id: g
//!       name: g
//!       description: d
//!       nodes: [{id: a, type: agent, agent_id: x, budget: {max_tokens: 500}}]
//!       edges: []
//!       start_node: a
//!       end_nodes: [a]
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::project_rules::ActiveRule;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rule_application::rule_test::{RuleTestResult, difference, run};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "failing-rule-test",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for rule in context.documents().filter_map(ActiveRule::of_document) {
        for test in &rule.rule.tests {
            let at = test.title.as_ref().map_or(test.text.at, |title| title.at);
            report.push(match run(&rule, test) {
                RuleTestResult::Passed => continue,
                RuleTestResult::Malformed(mistake) => {
                    Finding::new(test.text.at, "the files of the test cannot be read")
                        .help(format!("{mistake}; docs/own-rules.md shows how to write files and carets"))
                }
                RuleTestResult::Failed { expected, actual } => {
                    let Some(line) = difference(&expected, &actual).into_iter().next() else { continue };
                    let text = shown(&line.text);
                    let help = match line.is_expected {
                        true => format!("expected, and not reported: `{text}`"),
                        false => format!("reported, and not expected: `{text}`"),
                    };
                    let number = line.number;
                    Finding::new(at, format!("the test fails at line {number} of its files")).help(help)
                }
            });
        }
    }
}

fn shown(line: &str) -> String {
    let label = line.trim_start_matches(['#', ' ', '^']);
    match label.split_once(": ") {
        Some((rule, message)) if message.chars().count() > 60 => format!("{rule}: {}", short(message)),
        _ => label.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_help, check_rule};

    #[test]
    fn tests_that_fail_or_cannot_be_read() {
        let text = "
#- /a.rule.yaml
rule: no-tools
message: \"`{node}` calls a tool\"
node: {kind: tool}
tests:
  - test: it reports
#         ^^^^^^^^^^ error[failing-rule-test]: the test fails at line 2 of its files
    files: \"kind: ToolNode\\nname: a\\n#     ^ error[project/no-tools]\\n\"
  - test: it reports what nobody expects
#         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[failing-rule-test]: the test fails at line 2 of its files
    files: \"kind: ToolNode\\nname: a\\n\"
  - test: carets of another rule
    files: \"kind: Node\\n^^^^ error[project/x]\\n\"
#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[failing-rule-test]: the files of the test cannot be read
";
        check_rule("failing-rule-test", text);
        check_help(
            "failing-rule-test",
            text,
            &[
                "expected, and not reported: `error[project/no-tools]`",
                "reported, and not expected: `warning[project/no-tools]: `a` calls a tool`",
                "line 1: the rule is called `project/no-tools`, not `project/x`; docs/own-rules.md shows how to write files and carets",
            ],
        );
    }
}
