//! ## What it does
//!
//! Reports a condition that is not a text to YAML: a boolean, a number, a list, a mapping, or a value
//! with a tag, which is what `!ready` without quotes is.
//!
//! ## Why it matters
//!
//! The packages reject the whole declaration.
//!
//! ## Example
//!
//! ```yaml expect=non-text-condition
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: true}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: done, when: "true"}
//! ---
//! kind: Node
//! name: done
//! func: r.done
//! ```

use std::ops::Range;

use nodewise_dialect::bind::IssueKind;
use nodewise_model::Origin;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "non-text-condition",
    former: &["when-type"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:when-type"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.issues) {
        let IssueKind::ConditionType(found) = issue.kind else { continue };
        let finding = Finding::new(issue.at, format!("the condition is {found}, not a text"))
            .label("the packages reject the declaration");
        report.push(if is_true(context, issue.at) {
            finding.help("write `\"true\"`").fix("Put it in quotes", true, issue.at, "\"true\"")
        } else {
            let source = ranges::source(context, issue.at);
            let finding = finding.help(match source.starts_with('!') {
                true => "put the condition in quotes: YAML reads `!` as a tag",
                false => "write the condition in quotes",
            });
            match source.starts_with('!') && !source.contains(['"', '\\', '\n']) {
                true => finding.fix("Put it in quotes", false, issue.at, format!("\"{source}\"")),
                false => finding,
            }
        });
    }
}

/// Whether the place holds YAML's `true`, in any of its spellings.
fn is_true(context: &Context<'_>, at: Origin) -> bool {
    let range = Range::<usize>::from(at.range);
    context.file.text.get(range).is_some_and(|text| text.eq_ignore_ascii_case("true"))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn booleans_numbers_collections_and_tags() {
        check_rule(
            "non-text-condition",
            r"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: true}
#                          ^^^^ error[non-text-condition]: the condition is a boolean, not a text
  - {target: router, when: 1}
#                          ^ error[non-text-condition]: the condition is a number, not a text
  - {target: router, when: [a]}
#                          ^^^ error[non-text-condition]: the condition is a list, not a text
  - {target: router, when: {a: b}}
#                          ^^^^^^ error[non-text-condition]: the condition is a mapping, not a text
  - target: router
    when: !ready && done
#                   ^^^^ error[non-text-condition]: the condition is a tagged value, not a text
  - {target: router, when: yes}
",
        );
    }
}
