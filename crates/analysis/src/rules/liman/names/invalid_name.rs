//! What `invalid-name` finds here. Reports a declared name that is empty, has a `/` or a `:`, or starts or ends
//! with a space.

use nodewise_dialect::bind::IssueKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::ranges;
use crate::rules::wording::short;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        if let IssueKind::BadName(fault) = issue.kind {
            let source = ranges::source(context, ranges::first_line(context, issue.at));
            report.push(
                Finding::new(issue.at, format!("`{}` cannot be referred to everywhere", short(source)))
                    .label(fault)
                    .help("use letters, digits, `_` and `-`"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn separators_and_blanks() {
        check_rule(
            "invalid-name",
            r#"
kind: Node
name: a/b
#     ^^^ warning[invalid-name]: `a/b` cannot be referred to everywhere
func: f.a
---
kind: Node
name: " b"
#     ^^^^ warning[invalid-name]
func: f.b
"#,
        );
    }
}
