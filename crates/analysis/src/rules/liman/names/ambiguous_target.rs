//! ## What it does
//!
//! Reports a name in `nodes` that several kinds of nodes declare.
//!
//! ## Why it matters
//!
//! Node wins over FunctionNode, FunctionNode over LLMNode, and LLMNode over ToolNode. Readers do not know
//! that order, and a new declaration can redirect the edge in silence.
//!
//! ## Example
//!
//! ```yaml expect=ambiguous-target
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! nodes: [review]
//! ---
//! kind: LLMNode
//! name: review
//! prompts: {system: {en: Review.}}
//! ---
//! kind: Node
//! name: review
//! func: desk.review
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! nodes: [Node/review]
//! ---
//! kind: LLMNode
//! name: review
//! prompts: {system: {en: Review.}}
//! ---
//! kind: Node
//! name: review
//! func: desk.review
//! ```

use nodewise_model::Reference;

use crate::diagnostic::{Finding, Severity};
use crate::index::{Declared, Outcome, Resolution};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "ambiguous-target",
    former: &[],
    category: Category::Suspicious,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:ambiguous-target"),
        severity: Severity::Warning,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for reference in context.references_with(Outcome::Ambiguous, |_| true) {
        if let Resolution::Ambiguous(all) = context.index.resolve(reference)
            && let [first, second, ..] = all.as_slice()
        {
            report.push(finding(context, reference, *first, *second, &all));
        }
    }
}

fn finding(
    context: &Context<'_>,
    reference: &Reference,
    first: Declared,
    second: Declared,
    all: &[Declared],
) -> Finding {
    let name = &reference.name;
    let mut finding = Finding::new(
        reference.at,
        format!("`{}` is declared as {} and as {}", short(name), first.kind, second.kind),
    )
    .label(format!("the {} is taken", first.kind))
    .help(format!("write `{}/{}` or `{}/{}`", first.kind, short(name), second.kind, short(name)));
    for declared in all {
        if let Some(at) = ranges::declaration(context, *declared) {
            finding = finding.related(at, format!("the {} is declared here", declared.kind));
        }
        let place = ranges::part(context, reference.at, name).filter(|_| ranges::is_word(name));
        if let Some(place) = place {
            let text = format!("{}/{name}", declared.kind);
            finding = finding.fix(format!("Write `{text}`"), false, place, text);
        }
    }
    finding
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn the_first_kind_wins() {
        check_rule(
            "ambiguous-target",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
nodes:
  - b
#   ^ warning[ambiguous-target]: `b` is declared as Node and as LLMNode
  - {target: LLMNode/b, when: a}
---
kind: LLMNode
name: b
prompts: {system: {en: Hi}}
---
kind: Node
name: b
func: f.b
llm_nodes: [b]
",
        );
    }

    #[test]
    fn the_kind_is_spelled_out() {
        check_fix(
            "ambiguous-target",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
nodes: [b]
---
kind: LLMNode
name: b
prompts: {system: {en: Hi}}
---
kind: Node
name: b
func: f.b
",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
nodes: [Node/b]
---
kind: LLMNode
name: b
prompts: {system: {en: Hi}}
---
kind: Node
name: b
func: f.b
",
        );
    }
}
