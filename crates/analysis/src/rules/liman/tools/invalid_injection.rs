//! ## What it does
//!
//! Reports an injected variable that is neither a path nor `target: path`, and an empty list of them.
//!
//! ## Why it matters
//!
//! The account does not load, or the variable does not reach the node. Paths and targets are identifiers
//! joined by dots.
//!
//! ## Example
//!
//! ```yaml expect=invalid-injection
//! kind: ServiceAccount
//! name: reader
//! context: {inject: ["user.id as uid"]}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: ServiceAccount
//! name: reader
//! context: {inject: ["uid: user.id"]}
//! ```

use nodewise_dialect::bind::IssueKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::tools::account;

pub(crate) static RULE: Rule = Rule {
    id: "invalid-injection",
    former: &["sa-inject"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:sa-inject"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let malformed: Vec<_> = context
        .documents()
        .flat_map(|document| &document.faults.issues)
        .filter(|issue| matches!(issue.kind, IssueKind::Injection))
        .map(|issue| issue.at)
        .collect();
    for at in &malformed {
        report.push(
            Finding::new(*at, "this is neither a path nor `target: path`")
                .label("nothing can be injected")
                .help("write `user.id`, or `uid: user.id` to store it under another name"),
        );
    }
    for inject in account::accounts(context).filter_map(|account| account.inject.as_ref()) {
        // A list in which all entries are malformed is not an empty list.
        let has_malformed = malformed
            .iter()
            .any(|at| at.source == inject.at.source && inject.at.range.contains_range(at.range));
        if inject.value.is_empty() && !has_malformed {
            report.push(
                Finding::new(inject.at, "the list of injected variables is empty")
                    .label("the account does not load")
                    .help("list a variable, or remove the context"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn forms_and_empty_lists() {
        check_rule(
            "invalid-injection",
            r#"
kind: ServiceAccount
name: empty
context:
  inject: []
#         ^^ error[invalid-injection]: the list of injected variables is empty
---
kind: ServiceAccount
name: odd
context: {inject: ["user.id as uid"]}
#                  ^^^^^^^^^^^^^^^^ error[invalid-injection]: this is neither a path nor `target: path`
---
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
auth: {service_account: {context: {inject: [a.b, "c: d.e", {f: g}, {h: i, j: k}]}}}
#                                                                  ^^^^^^^^^^^^ error[invalid-injection]
"#,
        );
    }
}
