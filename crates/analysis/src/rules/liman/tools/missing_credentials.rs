//! ## What it does
//!
//! Reports a service account, declared or written in place, with neither a context nor a credentials
//! provider.
//!
//! ## Why it matters
//!
//! An account without both says nothing; it does not load.
//!
//! ## Example
//!
//! ```yaml expect=missing-credentials
//! kind: ServiceAccount
//! name: reader
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: ServiceAccount
//! name: reader
//! context: {inject: [user.id]}
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::tools::account;

pub(crate) static RULE: Rule = Rule {
    id: "missing-credentials",
    former: &["sa-empty"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:sa-empty"),
        severity: Severity::Error,
        absence: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for account in account::accounts(context) {
        if [account.context_at, account.provider_at, account.providers_at].iter().all(Option::is_none) {
            report.push(
                Finding::new(account.head, "the account has neither context nor credentials")
                    .label("it does not load")
                    .help("inject variables with `context`, or name a credentials provider"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn declared_and_in_place() {
        check_rule(
            "missing-credentials",
            r"
kind: ServiceAccount
^^^^ error[missing-credentials]: the account has neither context nor credentials
name: nothing
---
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
auth:
  service_account:
    name: label
#   ^^^^ error[missing-credentials]: the account has neither context nor credentials
",
        );
    }

    #[test]
    fn empty_values_are_none() {
        check_rule(
            "missing-credentials",
            r"
kind: ServiceAccount
^^^^ error[missing-credentials]: the account has neither context nor credentials
name: nothing
context:
credentials_provider:
credentials_providers: []
",
        );
    }

    #[test]
    fn an_overlay_may_bring_it() {
        check_rule(
            "missing-credentials",
            r"
kind: ServiceAccount
name: nothing
---
kind: Overlay
to: ServiceAccount:nothing
context: {inject: [user.id]}
",
        );
    }
}
