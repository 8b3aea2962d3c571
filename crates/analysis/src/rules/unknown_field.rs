//! ## What it does
//!
//! Reports a key that its declaration, edge, argument or account does not have.
//!
//! ## Why it matters
//!
//! The loader ignores the key: what it says has no effect. It may be misspelt.
//!
//! ## Example
//!
//! ```yaml expect=unknown-field
//! kind: ToolNode
//! name: find
//! descripton: Find a customer
//! description: Find
//! func: desk.find
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: ToolNode
//! name: find
//! description: Find a customer
//! func: desk.find
//! ```
//!
//! ## Options
//!
//! `extra_fields` in `nodewise.toml`, for instance under `[liman]`, lists fields that plugins add.

use nodewise_dialect::bind::IssueKind;
use nodewise_dialect::table::Dialect;

use super::wording::{listed, short};
use crate::diagnostic::{Finding, Severity};
use crate::facts::Ownership;
use crate::near::nearest;
use crate::rule::{Context, EVERY_SYSTEM, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unknown-field",
    spec: Some("liman:unknown-field"),
    systems: EVERY_SYSTEM,
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    let Ownership::Ours(dialect) = context.file.ownership else { return };
    for issue in context.documents().flat_map(|document| &document.issues) {
        let IssueKind::UnknownField(key, meant) = &issue.kind else { continue };
        if context.file.settings.is_extra_field(dialect, key) {
            continue;
        }
        // A field that the shape has all the same is one that an overlay may not hold.
        if issue.shape.field(key).is_some() {
            report.push(
                Finding::new(
                    issue.at,
                    format!("an overlay cannot change the `{}` of its target", short(key)),
                )
                .label("it has no effect")
                .help("remove it"),
            );
            continue;
        }
        let finding = Finding::new(issue.at, format!("`{}` has no field `{}`", issue.shape.name, short(key)))
            .spec(dialect.departures.unknown_key)
            .label("it has no effect");
        report.push(match nearest(key, meant.iter().copied()) {
            Some(near) => finding.help(format!("write `{near}`")).fix(
                format!("Rename it to `{near}`"),
                false,
                issue.at,
                near,
            ),
            None => finding.help(elsewhere(dialect, key)),
        });
    }
}

/// The kinds that do have the field, or what to do about it.
fn elsewhere(dialect: &Dialect, key: &str) -> String {
    let owners: Vec<&str> =
        dialect.kinds.iter().filter(|kind| kind.shape.field(key).is_some()).map(|kind| kind.name).collect();
    if owners.is_empty() {
        "remove it, or list it in nodewise.toml if a plugin adds it".to_owned()
    } else {
        format!("remove it here; it is a field of {}", listed(owners))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn at_any_depth_with_near_names() {
        check_rule(
            "unknown-field",
            r"
kind: LLMNode
node: StartNode
^^^^ warning[unknown-field]: `LLMNode` has no field `node`
name: chat
prompts: {system: {en: Hi}}
tool: [find]
^^^^ warning[unknown-field]: `LLMNode` has no field `tool`
llm_nodes: []
^^^^^^^^^ warning[unknown-field]: `LLMNode` has no field `llm_nodes`
nodes:
  - {target: chat, whn: a, when: b}
#                  ^^^ warning[unknown-field]: `Edge` has no field `whn`
---
kind: Overlay
to: LLMNode:chat
name: other
^^^^ warning[unknown-field]: an overlay cannot change the `name` of its target
arguments: [{name: a, type: string}]
^^^^^^^^^ warning[unknown-field]: `LLMNode` has no field `arguments`
",
        );
    }

    #[test]
    fn a_misspelt_key_is_renamed() {
        check_fix(
            "unknown-field",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
tool: []
",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
tools: []
",
        );
    }
}
