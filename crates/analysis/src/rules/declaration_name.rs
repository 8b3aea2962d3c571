//! ## What it does
//!
//! Reports a declared name that is empty, has a `/` or a `:`, or starts or ends with a space.
//!
//! ## Why it matters
//!
//! `Kind/name` and `Kind:name` cannot spell such a name, so no reference or overlay reaches the
//! declaration, or it reaches it in some places only.
//!
//! ## Example
//!
//! ```yaml expect=declaration-name
//! kind: Node
//! name: desk/notify
//! func: desk.notify
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: desk_notify
//! func: desk.notify
//! ```

use nodewise_dialect::bind::IssueKind;

use super::place;
use super::wording::short;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "declaration-name",
    spec: None,
    systems: &["liman"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.issues) {
        if let IssueKind::BadName(fault) = issue.kind {
            let source = place::source(context, place::first_line(context, issue.at));
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
            "declaration-name",
            r#"
kind: Node
name: a/b
#     ^^^ warning[declaration-name]: `a/b` cannot be referred to everywhere
func: f.a
---
kind: Node
name: " b"
#     ^^^^ warning[declaration-name]
func: f.b
"#,
        );
    }
}
