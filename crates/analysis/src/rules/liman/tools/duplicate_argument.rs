//! ## What it does
//!
//! Reports an argument, or a property of one, whose name an earlier one of the same list has.
//!
//! ## Why it matters
//!
//! The last one wins in what the model is shown, and the name is required twice.
//!
//! ## Example
//!
//! ```yaml expect=duplicate-argument
//! kind: ToolNode
//! name: find
//! description: Find
//! func: t.find
//! arguments:
//!   - {name: city, type: string}
//!   - {name: city, type: number}
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
//!   - {name: city, type: string}
//!   - {name: code, type: number}
//! ```

use nodewise_model::Argument;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::first_places::FirstPlaces;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "duplicate-argument",
    former: &["tool-duplicate-argument"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:tool-duplicate-argument"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    context.nodes().for_each(|node| check_list(&node.arguments, report));
}

fn check_list(arguments: &[Argument], report: &mut Report) {
    let mut first_places = FirstPlaces::new();
    for argument in arguments {
        check_list(&argument.details.properties, report);
        if arguments.len() < 2 {
            continue;
        }
        let Some(name) = &argument.name else { continue };
        if let Some(first) = first_places.before(name.value.as_str(), name.at) {
            report.push(
                Finding::new(name.at, format!("another argument is named `{}`", short(&name.value)))
                    .label("the model would be shown the last one only")
                    .help("give it a name of its own, or leave one out")
                    .related(first, "first declared here"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn within_one_list() {
        check_rule(
            "duplicate-argument",
            r"
kind: ToolNode
name: find
description: Find
func: t.find
arguments:
  - {name: x, type: string}
  - {name: x, type: number}
#          ^ error[duplicate-argument]: another argument is named `x`
  - name: y
    type: object
    properties:
      - {name: x, type: string}
      - {name: y, type: string}
      - {name: y, type: string}
#              ^ error[duplicate-argument]: another argument is named `y`
",
        );
    }
}
