//! ## What it does
//!
//! Reports the type of a structured answer's field that does not exist.
//!
//! ## Why it matters
//!
//! The release checks the type when the model is called, and fails there.
//!
//! ## Example
//!
//! ```yaml expect=output-unknown-type
//! kind: LLMNode
//! name: extractor
//! prompts: {system: {en: Extract the fields.}}
//! structured_output:
//!   total: decimal
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: extractor
//! prompts: {system: {en: Extract the fields.}}
//! structured_output:
//!   total: float
//! ```

use nodewise_dialect::bind::IssueKind;
use nodewise_dialect::tables::liman::OUTPUT_TYPES;

use super::type_word;
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "output-unknown-type",
    spec: None,
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
        let IssueKind::OutputType(word) = &issue.kind else { continue };
        report.push(type_word::unknown(issue.at, word, OUTPUT_TYPES, "the first call of the node fails"));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn at_any_depth() {
        check_rule(
            "output-unknown-type",
            r"
kind: LLMNode
name: extractor
prompts: {system: {en: Extract the fields.}}
structured_output:
  total: decimal
#        ^^^^^^^ error[output-unknown-type]: there is no type `decimal`
  lines: [string]
#         ^^^^^^ error[output-unknown-type]: there is no type `string`
  seller: {name: str, country: {type: txt, optional: true}}
#                                     ^^^ error[output-unknown-type]: there is no type `txt`
  paid?: bool
",
        );
    }
}
