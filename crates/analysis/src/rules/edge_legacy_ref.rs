//! ## What it does
//!
//! Reports an edge in `nodes` or `llm_nodes` that names its target with `ref`, as release 0.1.1 writes it.
//! In `to`, which only that release has, `ref` is the right word.
//!
//! ## Why it matters
//!
//! The specification writes `target`; `ref` edges are understood by one release only.
//!
//! ## Example
//!
//! ```yaml expect=edge-legacy-ref
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! nodes:
//!   - {ref: Node/notify, when: urgent}
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
//! nodes:
//!   - {target: notify, when: urgent}
//! ---
//! kind: Node
//! name: notify
//! func: desk.notify
//! ```
//!
//! ## Options
//!
//! With `[liman] profile = "0.1.1"` the rule is silent.

use nodewise_dialect::bind::{Issue, IssueKind};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, Rule};
use crate::settings::Profile;

pub(crate) static RULE: Rule = Rule {
    id: "edge-legacy-ref",
    spec: Some("liman:edge-legacy-ref"),
    severity: Severity::Hint,
    absence: false,
    about_syntax: false,
    source: include_str!("edge_legacy_ref.rs"),
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    if context.file.settings.profile == Profile::Release011 {
        return;
    }
    for issue in context.documents().flat_map(|document| &document.issues) {
        let (IssueKind::Superseded(key), Some(field)) = (&issue.kind, issue.field) else { continue };
        let finding = Finding::new(issue.at, format!("`{}` is how release 0.1.1 writes `{key}`", field.key))
            .help(format!("write `{key}`"));
        // The specification's form needs a condition, so the key alone may not be renamed without one.
        report.push(if has_condition(context, issue) {
            finding.fix(format!("Rename it to `{key}`"), false, issue.at, *key)
        } else {
            finding
        });
    }
}

fn has_condition(context: &Context<'_>, issue: &Issue) -> bool {
    let mut edges = context.nodes().flat_map(|node| &node.edges);
    edges.any(|edge| {
        edge.at.source == issue.at.source
            && edge.at.range.contains_range(issue.at.range)
            && edge.condition.is_some()
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn not_in_the_release_s_own_list() {
        check_rule(
            "edge-legacy-ref",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
nodes:
  - {ref: Node/n, when: a}
#    ^^^ hint[edge-legacy-ref]: `ref` is how release 0.1.1 writes `target`
---
kind: Node
name: n
func: f.n
to:
  - {ref: LLMNode/chat}
",
        );
    }
}
