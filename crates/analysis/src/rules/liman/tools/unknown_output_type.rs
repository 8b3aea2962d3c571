//! What `unknown-type` finds here. Reports the type of a structured answer's field that does not exist, or that no call can
//! use: a list of mappings, of several types or of none, and a mapping without fields.

use nodewise_dialect::bind::IssueKind;
use nodewise_dialect::tables::liman::OUTPUT_TYPES;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::liman::tools::type_word;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT };

const HARM: &str = "the first call of the node fails";

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        match &issue.kind {
            IssueKind::OutputType(word) => {
                report.push(type_word::unknown(issue.at, word, OUTPUT_TYPES, HARM));
            }
            IssueKind::OutputForm(fault, help) => {
                report.push(Finding::new(issue.at, *fault).label(HARM).help(*help));
            }
            _ => {}
        }
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

    #[test]
    fn lists_take_one_type_and_mappings_have_fields() {
        check_rule(
            "unknown-type",
            r"
kind: LLMNode
name: extractor
prompts: {system: {en: Extract the fields.}}
structured_output:
  lines: [{text: str}]
#         ^^^^^^^^^^^ error[unknown-type]: the items of a list cannot be mappings
  pair: [str, int]
#       ^^^^^^^^^^ error[unknown-type]: a list takes one type
  none: []
#       ^^ error[unknown-type]: a list takes one type
  matrix: [[int]]
  empty: {}
#        ^^ error[unknown-type]: a field of type mapping has no fields
  rows: {type: [[str]], description: Rows}
",
        );
    }
}
