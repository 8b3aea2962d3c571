//! ## What it does
//!
//! Reports a name that is declared, but only under kinds that do not fit the place: an LLMNode in `tools`,
//! a ToolNode in `llm_nodes`.
//!
//! ## Why it matters
//!
//! The place looks for other kinds only, so the name counts as missing when the node is compiled or the edge
//! is followed.
//!
//! ## Example
//!
//! ```yaml expect=wrong-kind-target
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! tools: [writer]
//! ---
//! kind: LLMNode
//! name: writer
//! prompts: {system: {en: Write.}}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! nodes:
//!   - {target: writer, when: "true"}
//! ---
//! kind: LLMNode
//! name: writer
//! prompts: {system: {en: Write.}}
//! ```

use nodewise_dialect::bind::kinds_in_words;
use nodewise_model::{Reference, UnresolvedSeverity};

use crate::diagnostic::{Finding, Severity};
use crate::facts::Ownership;
use crate::index::{Declared, Outcome, Resolution};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::names::unresolved;
use crate::rules::ranges;
use crate::rules::wording::short;

/// The maximum length of a message, so that it stays on one line.
const MESSAGE_LENGTH_MAX: usize = 80;

pub(crate) static RULE: Rule = Rule {
    id: "wrong-kind-target",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:wrong-kind-target"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    // In a dialect without kind names, different kinds have separate names.
    let Ownership::Ours(dialect) = context.file.ownership else { return };
    if dialect.discriminator().is_none() {
        return;
    }
    for reference in context.references_with(Outcome::WrongKind, |_| true) {
        let Resolution::WrongKind([first, ..]) = context.index.resolve(reference) else { continue };
        if unresolved::is_outside(context, reference) {
            continue;
        }
        let finding = finding(context, reference, *first);
        if unresolved::is_generated(context, reference) {
            report.push_at(Severity::Hint, finding);
        } else if reference.scope.severity == UnresolvedSeverity::Warning {
            report.push_at(Severity::Warning, finding);
        } else {
            report.push(finding);
        }
    }
}

fn finding(context: &Context<'_>, reference: &Reference, first: Declared) -> Finding {
    let name = short(&reference.name);
    let noun = reference.scope.noun;
    let (fault, fitting) = match reference.kind() {
        Some(kind) => (format!("not as {kind}"), kind.to_string()),
        None => (format!("which is no {noun}"), kinds_in_words(reference.scope)),
    };
    let mut message = format!("`{name}` is declared as {}, {fault}", first.kind);
    if message.chars().count() > MESSAGE_LENGTH_MAX {
        message = format!("`{name}` is declared under a kind that does not fit");
    }
    let finding = Finding::new(reference.at, message)
        .label(format!("the place takes {fitting}"))
        .help(format!("name another {noun}, or declare `{name}` as {fitting}"));
    match ranges::declaration(context, first) {
        Some(at) => finding.related(at, format!("the {} is declared here", first.kind)),
        None => finding,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn each_place_has_its_kinds() {
        check_rule(
            "wrong-kind-target",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [writer]
#       ^^^^^^ error[wrong-kind-target]: `writer` is declared as LLMNode, which is no tool
nodes: [calc]
to: [Node/calc]
#    ^^^^^^^^^ error[wrong-kind-target]: `calc` is declared as ToolNode, not as Node
---
kind: Node
name: step
func: s.step
llm_nodes:
  - {target: calc, when: a}
#            ^^^^ error[wrong-kind-target]: `calc` is declared as ToolNode, which is no LLM node
---
kind: LLMNode
name: writer
prompts: {system: {en: Hi}}
auth: {service_account: {credentials_provider: calc}}
#                                              ^^^^ warning[wrong-kind-target]
---
kind: ToolNode
name: calc
description: Calculate
func: m.calc
",
        );
    }
}
