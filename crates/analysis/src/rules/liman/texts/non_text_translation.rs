//! ## What it does
//!
//! Reports a number, a boolean, nothing or a tagged value in place of a text in a localized text.
//!
//! ## Why it matters
//!
//! The packages fail on it, or show nothing.
//!
//! ## Example
//!
//! ```yaml expect=non-text-translation
//! kind: Node
//! name: step
//! func: s.step
//! description: {en: 5}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: step
//! func: s.step
//! description: {en: "5"}
//! ```

use nodewise_dialect::bundle::BundleProblemKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "non-text-translation",
    former: &["bundle-non-text"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:bundle-non-text"),
        severity: Severity::Warning,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for problem in context.documents().flat_map(|document| &document.faults.bundle_problems) {
        let BundleProblemKind::NonText(found) = problem.kind else { continue };
        let finding = Finding::new(problem.at, format!("a text is expected here, not {found}"))
            .label("the packages fail on it")
            .help("write a text");
        let source = ranges::source(context, problem.at);
        let is_word = !source.is_empty()
            && source.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"+-._".contains(&letter));
        report.push(if is_word && matches!(found, "a number" | "a boolean") {
            finding.fix("Put it in quotes", false, problem.at, format!("\"{source}\""))
        } else {
            finding
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn numbers_booleans_and_nothing() {
        check_rule(
            "non-text-translation",
            r"
kind: Node
name: a
func: f.a
prompts:
  a: 5
#    ^ warning[non-text-translation]: a text is expected here, not a number
  b: true
#    ^^^^ warning[non-text-translation]: a text is expected here, not a boolean
  c: null
#    ^^^^ warning[non-text-translation]: a text is expected here, not nothing
  d: [x, 1]
#        ^ warning[non-text-translation]: a text is expected here, not a number
  e: [x, y]
",
        );
    }
}
