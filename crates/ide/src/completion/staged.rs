//! Names in scripts and scenarios: those of the graph that they are about. In: the context of a cursor in a scenario. Out: offers in the
//! order of the graph's text. Invariant: only names of that graph are offered.

use nodewise_dialect::table::{KindRole, Symbol};
use nodewise_model::work::ProvidedKind;
use nodewise_model::{Body, NodeKind};

use super::ItemKind;
use super::offer::{Offer, Offers};
use super::wanted::Wanted;
use nodewise_analysis::scenario_target::{ScenarioTarget, staged};

/// Offers the names of the graph that a scenario is about. `false` if the cursor is not in a scenario.
pub(super) fn offer(wanted: &Wanted<'_>, symbol: Symbol, offers: &mut Offers) -> bool {
    let spot = wanted.spot;
    let effective = spot.document.and_then(|document| document.effective.as_ref());
    let declaration = effective.and_then(|effective| effective.declaration.as_ref());
    let Some(Body::Scenario(scenario)) = declaration.map(|declaration| &declaration.body) else {
        return false;
    };
    let Some(about) = staged(spot.snapshot, &spot.file.path, scenario) else { return true };
    match about.graph {
        Some(graph) => of_graph(wanted, about, graph, symbol, offers),
        None => of_nodes(wanted, about, symbol, offers),
    }
    true
}

fn of_graph(wanted: &Wanted<'_>, about: ScenarioTarget, graph: usize, symbol: Symbol, offers: &mut Offers) {
    let snapshot = wanted.spot.snapshot;
    let facts = snapshot
        .file(about.document.source)
        .and_then(|file| file.documents.get(about.document.position as usize));
    let Some(effective) = facts.and_then(|facts| snapshot.index().effective(facts)) else { return };
    let Some(graph) = effective.declaration.as_ref().and_then(|declaration| declaration.graph(graph)) else {
        return;
    };
    let mut add = |name: &str, kind: ItemKind, detail: &str| {
        if !name.is_empty() && !wanted.is_taken(name) && !offers.has(name) {
            offers.add(Offer::text(name, kind, 0).with_detail(detail));
        }
    };
    match symbol {
        Symbol::Node => {
            for node in &graph.nodes {
                let word = node.type_word.as_ref().map(|word| word.value.as_str()).unwrap_or_default();
                if let Some(id) = &node.id {
                    add(&id.value, ItemKind::Node, word);
                }
            }
        }
        // Where a system has no agents, nodes ask models by their own names.
        Symbol::Agent if about.dialect.kinds.iter().all(|kind| kind.role != KindRole::Agent) => {
            for node in &graph.nodes {
                if let Some(id) = &node.id {
                    add(&id.value, ItemKind::Node, "a node of the graph");
                }
            }
        }
        Symbol::Agent => {
            for reference in effective.references() {
                if reference.scope.kinds.iter().any(|kind| is_agent(about, kind)) {
                    add(&reference.name, ItemKind::Declaration, "an agent of the graph");
                }
            }
        }
        Symbol::Tool => {
            for node in &graph.nodes {
                for (kind, name) in node.work.provided() {
                    if kind == ProvidedKind::Tool {
                        add(&name.value, ItemKind::Provided, "a tool that the graph calls");
                    }
                }
            }
        }
        _ => {}
    }
}

fn is_agent(about: ScenarioTarget, kind: &str) -> bool {
    about.dialect.kind(kind).is_some_and(|kind| kind.role == KindRole::Agent)
}

/// The nodes that are separate documents.
fn of_nodes(wanted: &Wanted<'_>, about: ScenarioTarget, symbol: Symbol, offers: &mut Offers) {
    let fits = |role: KindRole| match symbol {
        Symbol::Node | Symbol::Tool => matches!(role, KindRole::Node(_)),
        Symbol::Agent => role == KindRole::Node(NodeKind::Model),
        _ => false,
    };
    let index = wanted.spot.snapshot.index();
    for (name, declared) in index.declared_from("") {
        let node = declared.iter().find(|declared| {
            let kind = about.dialect.kind(declared.kind);
            kind.is_some_and(|kind| fits(kind.role))
        });
        let Some(node) = node.filter(|_| !wanted.is_taken(name) && !offers.has(name)) else { continue };
        offers.add(Offer::text(name, ItemKind::Declaration, 0).with_detail(node.kind));
    }
}
