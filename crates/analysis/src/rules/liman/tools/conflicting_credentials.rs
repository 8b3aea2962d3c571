//! ## What it does
//!
//! Reports a service account, declared or written in place, with both `credentials_provider` and
//! `credentials_providers`.
//!
//! ## Why it matters
//!
//! The two exclude one another; the account does not load.
//!
//! ## Example
//!
//! ```yaml expect=conflicting-credentials
//! kind: ServiceAccount
//! name: reader
//! credentials_provider: vault
//! credentials_providers: [vault, db]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: ServiceAccount
//! name: reader
//! credentials_providers: [vault, db]
//! ---
//! kind: CredentialsProvider
//! name: vault
//! type: custom
//! func: hr.secrets.vault
//! ---
//! kind: CredentialsProvider
//! name: db
//! type: basic
//! func: hr.secrets.db
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::tools::account;
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "conflicting-credentials",
    former: &["sa-both-credentials"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:sa-both-credentials"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for account in account::accounts(context) {
        let (Some(one), Some(many)) = (account.provider_at, account.providers_at) else { continue };
        let (first, second) =
            if one.reading_order() < many.reading_order() { (one, many) } else { (many, one) };
        report.push(
            Finding::new(second, "the account has both forms of credentials providers")
                .label("it does not load")
                .help(format!("keep one of them; `{}` takes any number", ranges::source(context, many)))
                .related(first, "the other form is here"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn declared_and_in_place() {
        check_rule(
            "conflicting-credentials",
            r"
kind: ServiceAccount
name: both
credentials_provider: a
credentials_providers: [b]
^^^^^^^^^^^^^^^^^^^^^ error[conflicting-credentials]: the account has both forms of credentials providers
---
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
auth: {service_account: {credentials_providers: [b], credentials_provider: a}}
#                                                    ^^^^^^^^^^^^^^^^^^^^ error[conflicting-credentials]
",
        );
    }
    #[test]
    fn an_empty_list_is_no_form() {
        check_rule(
            "conflicting-credentials",
            r"
kind: ServiceAccount
name: one
credentials_provider: a
credentials_providers: []
",
        );
    }
}
