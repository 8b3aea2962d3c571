//! ## What it does
//!
//! Reports an argument that has `properties` and is no object.
//!
//! ## Why it matters
//!
//! Only objects have properties; these are dropped, and the model is not shown them.
//!
//! ## Example
//!
//! ```yaml expect=misplaced-properties
//! kind: ToolNode
//! name: find
//! description: Find
//! func: t.find
//! arguments:
//!   - name: place
//!     type: string
//!     properties: [{name: city, type: string}]
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
//!   - name: place
//!     type: object
//!     properties: [{name: city, type: string}]
//! ```

use nodewise_dialect::tables::liman::{ARGUMENT_TYPES, OBJECT_TYPE};
use nodewise_model::Argument;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "misplaced-properties",
    former: &["tool-properties"],
    category: Category::Suspicious,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:tool-properties"),
        severity: Severity::Warning,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    context.nodes().for_each(|node| check_list(&node.arguments, report));
}

fn check_list(arguments: &[Argument], report: &mut Report) {
    for argument in arguments {
        if let Some(at) = argument.details.properties_at.filter(|_| cannot_have_properties(argument)) {
            let finding = Finding::new(at, "only an `object` argument has properties")
                .label("the model would not be shown them");
            report.push(match &*argument.types {
                [only] => finding.help("write `type: object`, or leave the properties out").fix(
                    "Make it an object",
                    false,
                    only.at,
                    OBJECT_TYPE,
                ),
                _ => finding.help("add `object` to the types, or leave the properties out"),
            });
        }
        check_list(&argument.details.properties, report);
    }
}

/// Whether none of the argument's types is an object. An unknown type may have been meant as one.
fn cannot_have_properties(argument: &Argument) -> bool {
    let is_known = |word: &str| word != OBJECT_TYPE && ARGUMENT_TYPES.iter().any(|known| known.text == word);
    !argument.details.properties.is_empty()
        && !argument.types.is_empty()
        && argument.types.iter().all(|word| is_known(&word.value))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn unless_it_may_be_an_object() {
        check_rule(
            "misplaced-properties",
            r"
kind: ToolNode
name: find
description: Find
func: t.find
arguments:
  - {name: a, type: string, properties: [{name: p, type: string}]}
#                           ^^^^^^^^^^ warning[misplaced-properties]: only an `object` argument has properties
  - {name: b, type: [object, str], properties: [{name: p, type: string}]}
  - {name: c, type: dict, properties: [{name: p, type: string}]}
  - {name: d, properties: [{name: p, type: string}]}
",
        );
    }
}
