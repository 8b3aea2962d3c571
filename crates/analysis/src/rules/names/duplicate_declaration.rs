//! ## What it does
//!
//! Reports a second declaration of the same kind and name, in the order in which files are loaded. The same
//! name under two kinds is fine. For graphs and agents of cycgraph, which go by their ids, it is a warning; those that
//! a bundle packs are copies and are compared within the bundle only.
//!
//! ## Why it matters
//!
//! In Liman the first declaration stays, and the second one fails to load. Of two graphs or agents with one id, one
//! silently takes the other's place.
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

use nodewise_model::{Declaration, Located};
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::facts::{DocumentId, Ownership};
use crate::rule::{Category, Context, Report, Rule};
use crate::rules::first_places::FirstPlaces;
use crate::rules::ranges;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "duplicate-declaration",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};

/// Reports the pattern in the declarations of a file.
pub(in crate::rules) fn check(context: &Context<'_>, report: &mut Report) {
    let Ownership::Ours(dialect) = context.file.ownership else { return };
    for document in context.documents() {
        let declaration =
            context.index.effective(document).and_then(|effective| effective.declaration.as_ref());
        let Some(declaration) = declaration else { continue };
        if dialect.discriminator().is_none() {
            check_packed(declaration, report);
            check_ids(context, document.id, declaration, report);
            continue;
        }
        let Some(name) = &declaration.name else { continue };
        let first = context.index.first(declaration.kind, &name.value);
        let Some(first) = first.filter(|first| first.document != document.id) else { continue };
        let finding = Finding::new(
            declaration.head,
            format!("{} `{}` is declared twice", declaration.kind, short(&name.value)),
        )
        .label("this one fails to load; the first stays")
        .help("rename one of them, or make this one an overlay of the other");
        report.push(match ranges::declaration(context, first) {
            Some(at) => finding.related(at, "it is declared here first"),
            None => finding,
        });
    }
}

/// Reports ids that several documents declare. Graphs and agents packed in a bundle are copies and do not count.
fn check_ids(context: &Context<'_>, document: DocumentId, declaration: &Declaration, report: &mut Report) {
    let Some(name) = &declaration.name else { return };
    let declared = context.index.declared(&name.value).iter();
    let mut alike = declared.filter(|declared| declared.kind == declaration.kind);
    let first = alike.find(|declared| ranges::of(context, **declared).is_some_and(|one| one.name.is_some()));
    if let Some(first) = first.filter(|first| first.document != document) {
        let finding = twice(declaration.kind, name).label("references to it are ambiguous");
        let finding = match ranges::name(context, *first) {
            Some(at) => finding.related(at, "it is declared here first"),
            None => finding,
        };
        report.push_at(Severity::Warning, finding);
    }
}

/// Reports ids that several graphs, or several agents, of a bundle have.
fn check_packed(declaration: &Declaration, report: &mut Report) {
    let mut first_places = FirstPlaces::new();
    for (kind, name) in declaration.packed() {
        let Some(name) = name else { continue };
        if let Some(first) = first_places.before((kind, name.value.as_str()), name.at) {
            report.push_at(
                Severity::Warning,
                twice(kind, name)
                    .label("one of them replaces the other when the bundle is loaded")
                    .related(first, "it is declared here first"),
            );
        }
    }
}

fn twice(kind: &str, name: &Located<SmolStr>) -> Finding {
    Finding::new(name.at, format!("{kind} `{}` is declared twice", short(&name.value)))
        .help("give one of them another id")
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

    #[test]
    fn graphs_and_agents_by_their_ids() {
        check_rule(
            "duplicate-declaration",
            r#"
#- /a.bundle.yaml
manifest: {name: b, version: "1", requires: {models: [m]}}
graph: {id: g, name: g, description: d, nodes: [], edges: [], start_node: a, end_nodes: []}
graphs:
  - {id: h, name: g, description: d, nodes: [], edges: [], start_node: a, end_nodes: []}
  - {id: g, name: g, description: d, nodes: [], edges: [], start_node: a, end_nodes: []}
#        ^ warning[duplicate-declaration]: Graph `g` is declared twice
agents:
  - {id: g, name: W, model: m, provider: p, system_prompt: s}
  - {id: w, name: W, model: m, provider: p, system_prompt: s}
  - {id: w, name: W, model: m, provider: p, system_prompt: s}
#        ^ warning[duplicate-declaration]: Agent `w` is declared twice
#- /b.yaml
{id: g, name: g, description: d, nodes: [], edges: [], start_node: a, end_nodes: []}
#- /c.yaml
{id: g, name: g, description: d, nodes: [], edges: [], start_node: a, end_nodes: []}
#    ^ warning[duplicate-declaration]: Graph `g` is declared twice
"#,
        );
    }
}
