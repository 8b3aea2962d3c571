//! ## What it does
//!
//! Reports an overlay with a `strategy` that does not exist.
//!
//! ## Why it matters
//!
//! Nothing says how the overlay's fields are combined with those of its target.
//!
//! ## Example
//!
//! ```yaml expect=overlay-bad-strategy
//! kind: Overlay
//! to: LLMNode:chat
//! strategy: append
//! prompts: {de: {system: Hallo}}
//! ---
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Overlay
//! to: LLMNode:chat
//! strategy: merge
//! prompts: {de: {system: Hallo}}
//! ---
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! ```

use nodewise_dialect::bind::IssueKind;
use nodewise_dialect::recovery::SlipKind;
use nodewise_dialect::table::Role;

use super::place;
use super::wording::{listed, short};
use crate::diagnostic::{Finding, Severity};
use crate::facts::DocumentRole;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "overlay-bad-strategy",
    spec: Some("liman:overlay-bad-strategy"),
    systems: &["liman"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    about_form: true,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for document in context.documents() {
        let DocumentRole::Kind(kind) = document.role else { continue };
        for slip in document.slips.iter().filter(|_| kind.role == Role::Overlay) {
            let SlipKind::Word { written, meant } = &slip.kind else { continue };
            let finding = Finding::new(slip.at, format!("no strategy is named `{}`", short(written)))
                .help(format!("write `{meant}`"));
            report.push(match place::part(context, slip.at, written) {
                Some(place) => finding.fix(format!("Write `{meant}`"), false, place, *meant),
                None => finding,
            });
        }
        for issue in document.issues.iter().filter(|issue| document.is_overlay_key(issue)) {
            let IssueKind::BadWord(text, words) = &issue.kind else { continue };
            let known: Vec<&str> = words.iter().map(|word| word.text).collect();
            report.push(
                Finding::new(issue.at, format!("no strategy is named `{}`", short(text)))
                    .help(format!("the strategies are {}", listed(known.iter().copied()))),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn only_the_strategy() {
        check_rule(
            "overlay-bad-strategy",
            r"
kind: Overlay
to: CredentialsProvider:b
strategy: append
#         ^^^^^^ error[overlay-bad-strategy]: no strategy is named `append`
type: oauth2
---
kind: CredentialsProvider
name: b
type: basic
func: c.b
",
        );
    }

    #[test]
    fn a_misspelt_strategy_is_mended() {
        check_fix(
            "overlay-bad-strategy",
            r"
kind: Overlay
to: LLMNode:chat
strategy: merg
---
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
",
            r"
kind: Overlay
to: LLMNode:chat
strategy: merge
---
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
",
        );
    }
}
