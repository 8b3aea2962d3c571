//! ## What it does
//!
//! Reports an edge without a condition that leads back to its own node, at once or by further edges without one.
//!
//! ## Why it matters
//!
//! A run that comes here goes round until it exceeds its limit of iterations, and fails. Each round calls the model or
//! the function again.
//!
//! ## Example
//!
//! ```yaml expect=endless-loop
//! kind: LLMNode
//! name: desk
//! prompts: {system: {en: Answer the customer.}}
//! nodes:
//!   - {target: review, when: "true"}
//! ---
//! kind: Node
//! name: review
//! func: desk.review
//! llm_nodes:
//!   - desk
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: desk
//! prompts: {system: {en: Answer the customer.}}
//! nodes:
//!   - {target: review, when: "true"}
//! ---
//! kind: Node
//! name: review
//! func: desk.review
//! llm_nodes:
//!   - {target: desk, when: verdict == 'again'}
//! ```

use nodewise_dialect::tables::liman::LIMAN;
use nodewise_model::{Body, Edge, EdgeForm, Node, Reference};
use rustc_hash::FxHashSet;

use crate::conditions::always_holds;
use crate::diagnostic::{Finding, Severity};
use crate::facts::DocumentId;
use crate::index::Resolution;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;
use crate::settings::Profile;

pub(crate) static RULE: Rule = Rule {
    id: "endless-loop",
    former: &[],
    category: Category::Cost,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

/// Longer loops are not searched for.
const NODES_MAX: usize = 100;

fn check(context: &Context<'_>, report: &mut Report) {
    // The releases only follow the edges of tools.
    if context.file.settings.profile(&LIMAN) != Profile::Specification {
        return;
    }
    for document in context.documents() {
        for target in ways(context, document.id) {
            if closes_loop(context, document.id, target) {
                report.push(finding(context, document.id, target));
            }
        }
    }
}

fn finding(context: &Context<'_>, from: DocumentId, target: &Reference) -> Finding {
    let is_itself = document_of(context, target) == Some(from);
    let message = match is_itself {
        true => "the node always leads to itself".to_owned(),
        false => format!("`{}` always leads back here", short(&target.name)),
    };
    Finding::new(target.at, message)
        .label("the run never ends: it fails when it exceeds its limit of iterations")
        .help("give the edge a `when`, or remove it")
}

/// Whether the edge leads back to its node. A loop is reported only once, at the edge that leaves its last document.
fn closes_loop(context: &Context<'_>, from: DocumentId, target: &Reference) -> bool {
    let Some(first) = document_of(context, target) else { return false };
    let mut visited = FxHashSet::default();
    let mut open = vec![first];
    while let Some(document) = open.pop() {
        if document == from {
            return true;
        }
        if document < from && visited.insert(document) && visited.len() < NODES_MAX {
            open.extend(ways(context, document).filter_map(|target| document_of(context, target)));
        }
    }
    false
}

/// The nodes to which the node in a document always leads.
fn ways<'a>(context: &Context<'a>, document: DocumentId) -> impl Iterator<Item = &'a Reference> + use<'a> {
    let edges = node(context, document).map_or(&[][..], |node| node.edges.as_slice());
    edges.iter().filter(|edge| is_always_followed(edge)).flat_map(|edge| &edge.targets)
}

fn node<'a>(context: &Context<'a>, document: DocumentId) -> Option<&'a Node> {
    let facts = context.source(document.source)?.documents.get(document.position as usize)?;
    match &context.index.effective(facts)?.declaration.as_ref()?.body {
        Body::Node(node) => Some(node),
        _ => None,
    }
}

fn document_of(context: &Context<'_>, target: &Reference) -> Option<DocumentId> {
    match context.index.resolve(target) {
        Resolution::To(declared) => Some(declared.document),
        _ => None,
    }
}

fn is_always_followed(edge: &Edge) -> bool {
    // If a condition is missing, another rule reports that first.
    let is_always = match &edge.condition {
        Some(condition) => always_holds(condition),
        None => edge.form == EdgeForm::Name,
    };
    is_always && edge.depends.is_empty()
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn at_once_and_by_others() {
        check_rule(
            "endless-loop",
            r#"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
nodes: [step]
---
kind: Node
name: step
func: f.step
nodes:
  - step
#   ^^^^ warning[endless-loop]: the node always leads to itself
  - target: step
    when: again
    depends: x
llm_nodes:
  - {target: chat, when: "true"}
#            ^^^^ warning[endless-loop]: `chat` always leads back here
---
kind: Node
name: asks
func: f.asks
nodes:
  - {target: asks, when: more == 'yes'}
  - {target: chat, when: ""}
"#,
        );
    }
}
