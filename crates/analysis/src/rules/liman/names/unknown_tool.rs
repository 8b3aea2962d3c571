//! ## What it does
//!
//! Reports a name in `tools` that no ToolNode of the project declares. Names with the prefix of
//! generated tools (`OpenAPI__` unless configured otherwise) are at most a hint.
//!
//! If several places use the name, and the only similar declaration has no user, the declaration is reported, once.
//!
//! ## Why it matters
//!
//! The node that lists the tool fails when it is compiled, on its first visit.
//!
//! ## Example
//!
//! ```yaml expect=unknown-tool
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! tools: [get_wether]
//! ---
//! kind: ToolNode
//! name: get_weather
//! description: Weather of a city
//! func: weather.get
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! tools: [get_weather]
//! ---
//! kind: ToolNode
//! name: get_weather
//! description: Weather of a city
//! func: weather.get
//! ```
//!
//! ## Options
//!
//! `[liman.external] tools` in `nodewise.toml` lists tools that the program registers in code;
//! `[liman] tool_prefixes` the prefixes of generated ones.

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::names::unresolved;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-tool",
    former: &["unresolved-tool"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:unresolved-tool"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    unresolved::check(context, "unresolved-tool", report);
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn near_names_and_generated_tools() {
        check_rule(
            "unknown-tool",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools:
  - get_wether
#   ^^^^^^^^^^ error[unknown-tool]: no tool is named `get_wether`
  - OpenAPI__get_user
#   ^^^^^^^^^^^^^^^^^ hint[unknown-tool]: `OpenAPI__get_user` is not declared here; it may be generated
---
kind: ToolNode
name: get_weather
description: Weather
func: w.get
",
        );
    }

    #[test]
    fn the_name_is_replaced_inside_its_quotes() {
        check_fix(
            "unknown-tool",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
tools: ['fnd']
---
kind: ToolNode
name: find
description: F
func: d.find
",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
tools: ['find']
---
kind: ToolNode
name: find
description: F
func: d.find
",
        );
    }
}
