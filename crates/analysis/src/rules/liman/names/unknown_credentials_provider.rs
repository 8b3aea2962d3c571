//! ## What it does
//!
//! Reports a credentials provider that no declaration of the project has the name of.
//!
//! If several places use the name, and the only similar declaration has no user, the declaration is reported, once.
//!
//! ## Why it matters
//!
//! Unless the program registers it before the run, the account has no credentials.
//!
//! ## Example
//!
//! ```yaml expect=unknown-credentials-provider
//! kind: ServiceAccount
//! name: reader
//! credentials_provider: vault
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: ServiceAccount
//! name: reader
//! credentials_provider: vault
//! ---
//! kind: CredentialsProvider
//! name: vault
//! type: custom
//! func: hr.secrets.vault
//! ```
//!
//! ## Options
//!
//! `[liman.external] credentials_providers` in `nodewise.toml` lists providers that the program registers in
//! code.

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::names::unresolved;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-credentials-provider",
    former: &["unresolved-credentials-provider"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:unresolved-credentials-provider"),
        severity: Severity::Warning,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    unresolved::check(context, "unresolved-credentials-provider", report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_both_forms_and_in_place() {
        check_rule(
            "unknown-credentials-provider",
            r"
kind: ServiceAccount
name: reader
credentials_provider: valt
#                     ^^^^ warning[unknown-credentials-provider]: no credentials provider is named `valt`
---
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
auth: {service_account: {credentials_providers: [vault, db]}}
#                                                       ^^ warning[unknown-credentials-provider]: no credentials provider is named `db`
---
kind: CredentialsProvider
name: vault
type: custom
func: hr.secrets.vault
",
        );
    }
}
