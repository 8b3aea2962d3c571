//! ## What it does
//!
//! Reports a word in a JSON Schema that no JSON Schema has, where it is plain which one was meant: a misspelt keyword, a
//! type of another language.
//!
//! ## Why it matters
//!
//! Validators pass over what they do not know: the schema then accepts any value.
//!
//! ## Example
//!
//! ```yaml expect=invalid-schema
//! name: brief
//! description: Write a brief.
//! inputs:
//!   topic: {schema: {type: strng}}
//! nodes:
//!   - {id: a, type: router}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! inputs:
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: router}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_dialect::bind::IssueKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "invalid-schema",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        let IssueKind::Schema(fault) = &issue.kind else { continue };
        let finding = Finding::new(issue.at, fault.message.clone())
            .label("validators pass over it")
            .help(fault.help.clone());
        let place = fault
            .words
            .as_ref()
            .and_then(|(written, meant)| Some((ranges::part(context, issue.at, written)?, *meant)));
        report.push(match place {
            Some((at, meant)) => finding.fix(format!("Write `{meant}`"), false, at, meant),
            None => finding,
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn keywords_and_types_at_any_depth() {
        check_rule(
            "invalid-schema",
            r"
name: brief
description: Write a brief.
inputs:
  a: {schema: {type: object, propertis: {}}}
#                            ^^^^^^^^^ warning[invalid-schema]: JSON Schema has no keyword `propertis`
  b: {schema: {type: [str, 'null'], examples: [x], 'x-own': 1}}
#                     ^^^ warning[invalid-schema]: `str` is not a type of JSON Schema
  c: {schema: {type: object, properties: {type: {type: invoice}, d: {type: int, required: true}}}}
#                                                                          ^^^ warning[invalid-schema]: `int` is not a type of JSON Schema
#                                                                                         ^^^^ warning[invalid-schema]: `required` takes a list of names, not a boolean
  d: {schema: {titel_of: x}}
nodes:
  - {id: a, type: router}
edges: []
start_node: a
end_nodes: [a]
",
        );
    }
}
