//! ## What it does
//!
//! Reports two rules of your own with one name.
//!
//! ## Why it matters
//!
//! Findings, comments and `nodewise.toml` name a rule, so nobody can distinguish two rules with one name. nodewise applies
//! only the first one.
//!
//! ## Example
//!
//! ```yaml expect=duplicate-rule-name
//! #- /rules/models.rules.yaml
//! rule: approved-models
//! message: "`{model}` is not an approved model"
//! agent: {model: {not: [claude-*]}}
//! ---
//! rule: approved-models
//! message: "`{provider}` is not an approved provider"
//! agent: {provider: {not: [anthropic]}}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! #- /rules/models.rules.yaml
//! rule: approved-models
//! message: "`{model}` is not an approved model"
//! agent: {model: {not: [claude-*]}}
//! ---
//! rule: approved-providers
//! message: "`{provider}` is not an approved provider"
//! agent: {provider: {not: [anthropic]}}
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::project_rules::ActiveRule;
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "duplicate-rule-name",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let all = context.index.project_rules();
    for own in context.documents().filter_map(ActiveRule::of_document) {
        let Some(first) = all.iter().find(|rule| rule.id == own.id) else { continue };
        let Some(name) = own.rule.id.as_ref().filter(|_| first.document != own.document) else { continue };
        let message = format!("another rule is called `{}`", name.value);
        let finding = Finding::new(name.at, message)
            .label("nodewise skips this rule")
            .help("give the rule another name");
        let related = first.rule.id.as_ref().map(|other| other.at);
        report.push(match related {
            Some(at) => finding.related(at, "the first rule of that name"),
            None => finding,
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn the_first_in_load_order_counts() {
        check_rule(
            "duplicate-rule-name",
            "
#- /a.rule.yaml
rule: one
message: m
node: {}
#- /b.rules.yaml
rule: one
#     ^^^ error[duplicate-rule-name]: another rule is called `one`
message: m
node: {}
---
rule: two
message: m
node: {}
",
        );
    }
}
