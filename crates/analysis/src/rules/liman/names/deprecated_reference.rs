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
//! ```yaml expect=deprecated-reference
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
use nodewise_dialect::tables::liman::{LIMAN, RELEASE_0_1_1};
use nodewise_model::Origin;
use nodewise_syntax::TextRange;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "deprecated-reference",
    former: &["edge-legacy-ref"],
    category: Category::Style,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:edge-legacy-ref"),
        severity: Severity::Hint,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    if context.file.settings.profile(&LIMAN) == RELEASE_0_1_1 {
        return;
    }
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        let (IssueKind::Superseded(key), Some(field)) = (&issue.kind, issue.field) else { continue };
        let finding = Finding::new(issue.at, format!("`{}` is how release 0.1.1 writes `{key}`", field.key))
            .help(format!("write `{key}`"));
        report.push(if is_complete(context, issue) {
            finding.fix(format!("Rename it to `{key}`"), false, issue.at, *key)
        } else {
            finding
        });
    }
}

/// Whether the edge has a condition and no other target, so that it is enough to rename the key.
fn is_complete(context: &Context<'_>, issue: &Issue) -> bool {
    let is_here = |at: Origin| at.source == issue.at.source && at.range.contains_range(issue.at.range);
    let mut edges = context.nodes().flat_map(|node| &node.edges).filter(|edge| is_here(edge.at));
    edges.any(|edge| {
        edge.condition.is_some()
            && edge.targets.iter().any(|target| {
                let between =
                    TextRange::new(issue.at.range.end(), issue.at.range.end().max(target.at.range.start()));
                ranges::source(context, Origin::new(issue.at.source, between)).trim() == ":"
            })
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn not_in_the_release_s_own_list() {
        check_rule(
            "deprecated-reference",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
nodes:
  - {ref: Node/n, when: a}
#    ^^^ hint[deprecated-reference]: `ref` is how release 0.1.1 writes `target`
---
kind: Node
name: n
func: f.n
to:
  - {ref: LLMNode/chat}
",
        );
    }

    #[test]
    fn the_key_is_renamed() {
        check_fix(
            "deprecated-reference",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
nodes: [{ref: LLMNode/a, when: x}]
",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
nodes: [{target: LLMNode/a, when: x}]
",
        );
    }
}
