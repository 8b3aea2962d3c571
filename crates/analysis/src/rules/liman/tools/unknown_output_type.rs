//! What `unknown-type` finds here. Reports the type of a structured answer's field that does not exist.

use nodewise_dialect::bind::IssueKind;
use nodewise_dialect::tables::liman::OUTPUT_TYPES;

use crate::diagnostic::Severity;
use crate::rule::{Context, Part, Report};
use crate::rules::liman::tools::type_word;

pub(in crate::rules) static PART: Part = Part { severity: Severity::Error, check, ..Part::DEFAULT };

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
            "unknown-type",
            r"
kind: LLMNode
name: extractor
prompts: {system: {en: Extract the fields.}}
structured_output:
  total: decimal
#        ^^^^^^^ error[unknown-type]: there is no type `decimal`
  lines: [string]
#         ^^^^^^ error[unknown-type]: there is no type `string`
  seller: {name: str, country: {type: txt, optional: true}}
#                                     ^^^ error[unknown-type]: there is no type `txt`
  paid?: bool
",
        );
    }
}
