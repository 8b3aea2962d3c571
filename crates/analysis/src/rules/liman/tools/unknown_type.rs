//! ## What it does
//!
//! Reports a type that Liman does not have: of an argument of a tool, or of a field of a structured answer.
//!
//! ## Why it matters
//!
//! The packages check the type of an argument when they compile a node that lists the tool, and fail there. The
//! release checks the type of a field when it calls the model, and fails there.
//!
//! ## Example
//!
//! An argument:
//!
//! ```yaml expect=unknown-type
//! kind: ToolNode
//! name: find
//! description: Find
//! func: t.find
//! arguments:
//!   - {name: when, type: datetime}
//! ```
//!
//! A field of a structured answer:
//!
//! ```yaml expect=unknown-type
//! kind: LLMNode
//! name: extractor
//! prompts: {system: {en: Extract the fields.}}
//! structured_output:
//!   total: decimal
//! ```
//!
//! ## Instead
//!
//! An argument:
//!
//! ```yaml ok
//! kind: ToolNode
//! name: find
//! description: Find
//! func: t.find
//! arguments:
//!   - {name: when, type: string}
//! ```
//!
//! A field of a structured answer:
//!
//! ```yaml ok
//! kind: LLMNode
//! name: extractor
//! prompts: {system: {en: Extract the fields.}}
//! structured_output:
//!   total: float
//! ```

use nodewise_dialect::bind::IssueKind;
use nodewise_dialect::tables::liman::ARGUMENT_TYPES;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::tools::type_word;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-type",
    former: &["output-unknown-type", "tool-unknown-type"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:tool-unknown-type"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
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
            "unknown-type",
            r#"
kind: ToolNode
name: find
description: Find
func: t.find
arguments:
  - {name: a, type: datetime}
#                   ^^^^^^^^ error[unknown-type]: there is no type `datetime`
  - {name: b, type: [int, strng, "null"]}
#                         ^^^^^ error[unknown-type]: there is no type `strng`
#                                ^^^^^^ error[unknown-type]: there is no type `null`
  - {name: c, type: [int, str, array]}
"#,
        );
    }
}
