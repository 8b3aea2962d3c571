//! ## What it does
//!
//! Reports a second declaration of the same kind and name, in the order in which files are loaded. The same
//! name under two kinds is fine.
//!
//! ## Why it matters
//!
//! The first declaration stays, and the second one fails to load.
//!
//! ## Example
//!
//! ```yaml expect=duplicate-declaration
//! kind: ToolNode
//! name: lookup
//! description: Look a customer up
//! func: crm.lookup
//! ---
//! kind: ToolNode
//! name: lookup
//! description: Look an order up
//! func: shop.lookup
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: ToolNode
//! name: lookup
//! description: Look a customer up
//! func: crm.lookup
//! ---
//! kind: ToolNode
//! name: lookup_order
//! description: Look an order up
//! func: shop.lookup
//! ```

use super::place;
use super::wording::short;
use crate::diagnostic::{Finding, Severity};
use crate::facts::Ownership;
use crate::rule::{Context, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "duplicate-declaration",
    spec: Some("liman:duplicate-declaration"),
    systems: &["liman"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    source: include_str!("duplicate_declaration.rs"),
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    let Ownership::Ours(dialect) = context.file.ownership else { return };
    for document in context.documents() {
        let declaration =
            context.index.effective(document).and_then(|effective| effective.declaration.as_ref());
        let Some(declaration) = declaration else { continue };
        let Some(name) = &declaration.name else { continue };
        let first = context.index.first(declaration.kind, &name.value);
        let Some(first) = first.filter(|first| first.document != document.id) else { continue };
        // What is packed in a bundle is a copy.
        let Some(other) = place::of(context, first) else { continue };
        if other.name.is_none() {
            continue;
        }
        if dialect.discriminator().is_none() {
            report.push_at(
                Severity::Warning,
                Finding::new(
                    name.at,
                    format!("{} `{}` is declared twice", declaration.kind, short(&name.value)),
                )
                .label("which of them is meant elsewhere cannot be told")
                .help("give one of them another id")
                .related(other.head, "it is declared here first"),
            );
            continue;
        }
        let finding = Finding::new(
            declaration.head,
            format!("{} `{}` is declared twice", declaration.kind, short(&name.value)),
        )
        .label("this one fails to load; the first stays")
        .help("rename one of them, or make this one an overlay of the other");
        report.push(match place::declaration(context, first) {
            Some(at) => finding.related(at, "it is declared here first"),
            None => finding,
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn on_the_later_document_also_across_files() {
        check_rule(
            "duplicate-declaration",
            r"
#- /a/tool.yaml
kind: ToolNode
name: lookup
description: First
func: a.first
#- /b.yaml
kind: ToolNode
^^^^ error[duplicate-declaration]: ToolNode `lookup` is declared twice
name: lookup
description: Second
func: a.second
---
kind: LLMNode
name: lookup
prompts: {system: {en: Hi}}
",
        );
    }
}
