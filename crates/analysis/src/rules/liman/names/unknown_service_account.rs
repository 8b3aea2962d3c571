//! ## What it does
//!
//! Reports a `service_account` that no ServiceAccount of the project declares.
//!
//! If several places use the name, and the only similar declaration has no user, the declaration is reported, once.
//!
//! ## Why it matters
//!
//! The node cannot be run: its identity is looked up before every visit.
//!
//! ## Example
//!
//! ```yaml expect=unknown-service-account
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! auth: {service_account: reader}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! auth: {service_account: reader}
//! ---
//! kind: ServiceAccount
//! name: reader
//! context: {inject: [user.id]}
//! ```
//!
//! ## Options
//!
//! `[liman.external] service_accounts` in `nodewise.toml` lists accounts that the program registers in code.

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::names::unresolved;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-service-account",
    former: &["unresolved-service-account"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:unresolved-service-account"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    unresolved::check(context, "unresolved-service-account", report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn by_name_only() {
        check_rule(
            "unknown-service-account",
            r"
kind: LLMNode
name: fallback
prompts: {system: {en: Hi}}
auth: {service_account: sa1}
#                       ^^^ error[unknown-service-account]: no service account is named `sa1`
---
kind: LLMNode
name: other
prompts: {system: {en: Hi}}
auth: {service_account: {name: sa2, context: {inject: [a.b]}}}
",
        );
    }
}
