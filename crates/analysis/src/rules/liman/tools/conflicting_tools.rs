//! ## What it does
//!
//! Reports an LLMNode with a structured answer and a list of tools that is not empty.
//!
//! ## Why it matters
//!
//! Release 0.1.1 refuses to compile the node. The specification does not know `structured_output`.
//!
//! ## Example
//!
//! ```yaml expect=conflicting-tools
//! kind: LLMNode
//! name: extractor
//! prompts: {system: {en: Extract the fields.}}
//! tools: [find]
//! structured_output:
//!   total: float
//! ---
//! kind: ToolNode
//! name: find
//! description: Find
//! func: t.find
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

use nodewise_dialect::tables::liman::OUTPUT_BESIDE_TOOLS;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "conflicting-tools",
    former: &["output-with-tools"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (output, tools) in context.exclusive(OUTPUT_BESIDE_TOOLS) {
        report.push(
            Finding::new(output, "a structured answer excludes tools")
                .label("release 0.1.1 refuses to compile the node")
                .help("let another node call the tools")
                .related(tools, "the tools are listed here"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn an_empty_list_does_no_harm() {
        check_rule(
            "conflicting-tools",
            r"
kind: LLMNode
name: extractor
prompts: {system: {en: Extract the fields.}}
tools: [a]
structured_output: {total: float}
^^^^^^^^^^^^^^^^^ warning[conflicting-tools]: a structured answer excludes tools
---
kind: LLMNode
name: extractor
prompts: {system: {en: Extract the fields.}}
structured_output:
  total: float
tools: []
",
        );
    }
}
