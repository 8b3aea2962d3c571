//! ## What it does
//!
//! Reports a `ref`, or a text in `to`, that is not `Kind/name`, or that leads to a ToolNode.
//!
//! ## Why it matters
//!
//! Release 0.1.1, which has this form of edges, rejects the declaration.
//!
//! ## Example
//!
//! ```yaml expect=invalid-reference
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! to:
//!   - {ref: notify, when: urgent}
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
//! to:
//!   - {ref: Node/notify, when: urgent}
//! ---
//! kind: Node
//! name: notify
//! func: desk.notify
//! ```

use nodewise_dialect::bind::{Issue, IssueKind};
use nodewise_dialect::table::Type;
use nodewise_dialect::tables::liman::TOOL;
use nodewise_model::NameScope;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::names::qualified_reference;

/// The separator between kind and name.
const SEPARATOR: char = '/';

pub(crate) static RULE: Rule = Rule {
    id: "invalid-reference",
    former: &["bad-ref"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("liman:bad-ref"), severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        if let IssueKind::Qualified(text, SEPARATOR) = &issue.kind {
            report.push(finding(context, issue, text));
        }
    }
}

fn finding(context: &Context<'_>, issue: &Issue, text: &str) -> Finding {
    let key = issue.field.map_or(issue.shape.name, |field| field.key);
    let kind = text.split_once(SEPARATOR).map(|(kind, _)| kind);
    if kind.is_some_and(|kind| TOOL.kinds.contains(&kind)) {
        return Finding::new(issue.at, format!("`{key}` cannot lead to a ToolNode"))
            .label("release 0.1.1 rejects it")
            .help("list the tool in `tools`, or lead to a node of another kind");
    }
    let finding =
        Finding::new(issue.at, qualified_reference::fault(context, key, (issue.at, text), SEPARATOR))
            .label("release 0.1.1 rejects it");
    match issue.field.and_then(|field| scope(field.ty)) {
        Some(scope) => qualified_reference::suggest(context, finding, (issue.at, text), scope, SEPARATOR),
        None => finding,
    }
}

/// The scope of a type whose values are `Kind/name`.
fn scope(ty: Type) -> Option<&'static NameScope> {
    match ty {
        Type::Qualified(scope, _) => Some(scope),
        Type::List(item) | Type::OneOrMany(item) | Type::TextOr(item, _) => scope(*item),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn texts_tools_and_other_values() {
        check_rule(
            "invalid-reference",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
to:
  - {ref: ToolNode/t}
#         ^^^^^^^^^^ error[invalid-reference]: `ref` cannot lead to a ToolNode
  - {ref: b}
#         ^ error[invalid-reference]: `ref` takes `Kind/name`, not `b`
  - Node/b/c
#   ^^^^^^^^ error[invalid-reference]: `to` takes `Kind/name`, not `Node/b/c`
  - {ref: 7}
#         ^ error[invalid-reference]: `ref` takes `Kind/name`, not a number
  - Node/b
---
kind: Node
name: b
func: f.b
nodes:
  - {ref: LLmNode/a, when: x}
#         ^^^^^^^^^ error[invalid-reference]: `ref` takes `Kind/name`, not `LLmNode/a`
",
        );
    }

    #[test]
    fn a_declared_name_gets_its_kind() {
        check_fix(
            "invalid-reference",
            r#"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
to: [{ref: "a"}]
"#,
            r#"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
to: [{ref: "LLMNode/a"}]
"#,
        );
    }
}
