//! What `invalid-value` finds here. Reports an overlay with a `strategy` that does not exist.

use nodewise_dialect::bind::IssueKind;
use nodewise_dialect::recovery::MistakeKind;
use nodewise_dialect::table::KindRole;

use crate::diagnostic::{Finding, Severity};
use crate::facts::DocumentRole;
use crate::rule::{Context, Report, RulePart};
use crate::rules::ranges;
use crate::rules::wording::{listed, short};

pub(in crate::rules) static PART: RulePart = RulePart {
    spec: Some("liman:overlay-bad-strategy"),
    severity: Severity::Error,
    about_form: true,
    check,
    ..RulePart::DEFAULT
};

fn check(context: &Context<'_>, report: &mut Report) {
    for document in context.documents() {
        let DocumentRole::Kind(kind) = document.role else { continue };
        for mistake in document.faults.mistakes.iter().filter(|_| kind.role == KindRole::Overlay) {
            let MistakeKind::Word { written, meant } = &mistake.kind else { continue };
            let finding = Finding::new(mistake.at, format!("no strategy is named `{}`", short(written)))
                .help(format!("write `{meant}`"));
            report.push(match ranges::part(context, mistake.at, written) {
                Some(place) => finding.fix(format!("Write `{meant}`"), false, place, *meant),
                None => finding,
            });
        }
        for issue in document.faults.issues.iter().filter(|issue| document.is_overlay_key(issue)) {
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
            "invalid-value",
            r"
kind: Overlay
to: CredentialsProvider:b
strategy: append
#         ^^^^^^ error[invalid-value]: no strategy is named `append`
type: oauth2
#     ^^^^^^ error[invalid-value]: `oauth2` is not a valid `type`
---
kind: CredentialsProvider
name: b
type: basic
func: c.b
",
        );
    }

    #[test]
    fn a_misspelt_strategy_is_fixed() {
        check_fix(
            "invalid-value",
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
