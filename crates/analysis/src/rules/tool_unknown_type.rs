//! ## What it does
//!
//! Reports the type of a tool's argument that does not exist.
//!
//! ## Why it matters
//!
//! The packages check the type when a node that lists the tool is compiled, and fail there.
//!
//! ## Example
//!
//! ```yaml expect=tool-unknown-type
//! kind: ToolNode
//! name: find
//! description: Find
//! func: t.find
//! arguments:
//!   - {name: when, type: datetime}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: ToolNode
//! name: find
//! description: Find
//! func: t.find
//! arguments:
//!   - {name: when, type: string}
//! ```

use nodewise_dialect::bind::IssueKind;
use nodewise_dialect::tables::liman::ARGUMENT_TYPES;

use super::type_word;
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "tool-unknown-type",
    spec: Some("liman:tool-unknown-type"),
    systems: &["liman"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.issues) {
        let IssueKind::ArgumentType(word) = &issue.kind else { continue };
        report.push(type_word::unknown(issue.at, word, ARGUMENT_TYPES, "the tool cannot be compiled"));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn alone_and_in_unions() {
        check_rule(
            "tool-unknown-type",
            r#"
kind: ToolNode
name: find
description: Find
func: t.find
arguments:
  - {name: a, type: datetime}
#                   ^^^^^^^^ error[tool-unknown-type]: there is no type `datetime`
  - {name: b, type: [int, strng, "null"]}
#                         ^^^^^ error[tool-unknown-type]: there is no type `strng`
#                                ^^^^^^ error[tool-unknown-type]: there is no type `null`
  - {name: c, type: [int, str, array]}
"#,
        );
    }
}
