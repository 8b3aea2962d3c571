//! ## What it does
//!
//! Reports the type `array` of a tool's argument.
//!
//! ## Why it matters
//!
//! The specification knows the type; no package implements it, and a node that lists the tool fails when
//! it is compiled.
//!
//! ## Example
//!
//! ```yaml expect=untyped-array
//! kind: ToolNode
//! name: find
//! description: Find
//! func: t.find
//! arguments:
//!   - {name: cities, type: array}
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
//!   - {name: cities, type: string, description: "names, joined by commas"}
//! ```

use nodewise_dialect::tables::liman::ARRAY_TYPE;
use nodewise_model::Argument;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "untyped-array",
    former: &["tool-array"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:tool-array"),
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
        for array in argument.types.iter().filter(|word| word.value == ARRAY_TYPE) {
            report.push(
                Finding::new(array.at, "no package implements the type `array`")
                    .label("the tool cannot be compiled")
                    .help("take a text, or an object with properties"),
            );
        }
        check_list(&argument.details.properties, report);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn at_any_depth() {
        check_rule(
            "untyped-array",
            r"
kind: ToolNode
name: find
description: Find
func: t.find
arguments:
  - {name: a, type: array}
#                   ^^^^^ warning[untyped-array]: no package implements the type `array`
  - {name: b, type: [str, array]}
#                         ^^^^^ warning[untyped-array]: no package implements the type `array`
  - {name: c, type: object, properties: [{name: d, type: array}]}
#                                                        ^^^^^ warning[untyped-array]: no package implements the type `array`
",
        );
    }
}
