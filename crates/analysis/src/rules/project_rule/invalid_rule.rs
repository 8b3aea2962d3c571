//! ## What it does
//!
//! Reports a rule of your own that cannot be applied: its name is not one, it looks at nothing or at two things, its
//! message names something that is not there, or its patterns are too large.
//!
//! ## Why it matters
//!
//! nodewise skips the rule, so what it should report is not reported.
//!
//! ## Example
//!
//! ```yaml expect=invalid-rule
//! #- /rules/budget.rule.yaml
//! rule: agent-with-budget
//! message: "`{nod}` has no token budget"
//! node: {kind: agent}
//! must: {max_tokens: {set: true}}
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
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::project_rules::{of_declaration, problems};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "invalid-rule",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for rule in context.declarations().filter_map(of_declaration) {
        for problem in problems(rule) {
            let label = "nodewise skips the rule";
            report.push(Finding::new(problem.at, problem.message).label(label).help(problem.help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_help, check_rule};

    #[test]
    fn names_subjects_and_placeholders() {
        check_rule(
            "invalid-rule",
            r#"
#- /a.rules.yaml
rule: No Spaces
#     ^^^^^^^^^ error[invalid-rule]: `No Spaces` cannot be the name of a rule
message: m
node: {}
---
rule: nothing
#     ^^^^^^^ error[invalid-rule]: the rule looks at nothing
message: m
---
rule: two
message: m
node: {}
graph: {}
^^^^^ error[invalid-rule]: a rule looks at one thing, and this is another one
---
rule: must-beside-path
message: m
path: {from: start, to: {kind: tool}}
must: {kind: agent}
^^^^ error[invalid-rule]: `must` means nothing beside `path`
---
rule: braces
message: "{node} {to} {mdel} {} { x"
#        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-rule]: `{mdel}` stands for nothing
#        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-rule]: `{to}` stands for nothing in a rule about this
node: {}
"#,
        );
        let text = "#- /a.rules.yaml\nrule: a\nmessage: \"{mdel}\"\nnode: {}\n---\nrule: b\nmessage: \"{frm} {x}\"\npath: {from: start, to: end}\n";
        check_help(
            "invalid-rule",
            text,
            &["write `{model}`", "write `{from}`", "write `{from}`, `{to}`, `{path}`"],
        );
    }

    #[test]
    fn patterns_have_a_limit() {
        let many = vec!["{kind: agent}"; 120].join(", ");
        let text = format!(
            "#- /a.rule.yaml\nrule: large\n#     ^^^^^ error[invalid-rule]: the rule has 241 patterns and tests, more than 200\nmessage: m\nnode: {{any: [{many}]}}\n"
        );
        check_rule("invalid-rule", &text);
    }
}
