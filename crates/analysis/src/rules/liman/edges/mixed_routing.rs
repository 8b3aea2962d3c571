//! ## What it does
//!
//! Reports a node that has both `to` and a `nodes` or `llm_nodes` that is not empty.
//!
//! ## Why it matters
//!
//! They are two ways of saying where a node leads; release 0.1.1 rejects a declaration with both.
//!
//! ## Example
//!
//! ```yaml expect=mixed-routing
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! nodes: [notify]
//! to: [Node/notify]
//! ---
//! kind: Node
//! name: notify
//! func: desk.notify
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! nodes: [notify]
//! ---
//! kind: Node
//! name: notify
//! func: desk.notify
//! ```

use nodewise_dialect::tables::liman::MIXED_ROUTING;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "mixed-routing",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:mixed-routing"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (to, other) in context.exclusive(MIXED_ROUTING) {
        let key = ranges::source(context, other);
        report.push(
            Finding::new(to, format!("`to` and `{key}` exclude one another"))
                .label("the declaration does not load")
                .help(format!("move what it lists to `{key}`"))
                .related(other, format!("`{key}` is here")),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn empty_lists_do_not_count() {
        check_rule(
            "mixed-routing",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
nodes: [b]
to: [Node/b]
^^ error[mixed-routing]: `to` and `nodes` exclude one another
---
kind: Node
name: b
func: f.b
nodes: []
to: [LLMNode/a]
---
kind: Node
name: c
func: f.c
nodes: [b]
to: []
",
        );
    }

    #[test]
    fn an_overlays_own_key_is_no_way_of_routing() {
        check_rule(
            "mixed-routing",
            r#"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
---
kind: Overlay
to: LLMNode:a
nodes: [{target: a, when: "true"}]
"#,
        );
    }
}
