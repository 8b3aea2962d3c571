//! The nodes and edges of the graph around the cursor. In: the context of a cursor. Out: offers in the order of the document. Those that
//! the node or edge at the cursor already names come last.

use nodewise_dialect::table::{NameUse, Symbol};
use nodewise_model::Body;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::ItemKind;
use super::offer::{Offer, Offers};
use super::symbols::{self, Named, SymbolTarget};
use super::wanted::Wanted;
use crate::cursor_context::CursorContext;

/// Offers the nodes, and the start and end of a run if they fit.
pub(super) fn offer_nodes(wanted: &Wanted<'_>, symbol: Symbol, offers: &mut Offers) {
    let spot = wanted.spot;
    let named = symbols::of_graph(spot);
    let is_node =
        |name: &&Named<'_>| matches!(name.what, SymbolTarget::Symbol(Symbol::Node | Symbol::Endpoint, _));
    let offset = spot.position.offset;
    let is_elsewhere = |name: &&Named<'_>| !name.at.range.contains_inclusive(offset);
    let around: Vec<&str> = named
        .iter()
        .filter(is_node)
        .filter(|name| name.is_around && is_elsewhere(name))
        .map(|name| name.text)
        .collect();
    let types = types(spot);
    let is_declared =
        |name: &&Named<'_>| matches!(name.what, SymbolTarget::Symbol(Symbol::Node, NameUse::Declares));
    for name in named.iter().filter(is_declared) {
        if wanted.is_taken(name.text) || offers.has(name.text) || name.text.is_empty() {
            continue;
        }
        let tier = if around.contains(&name.text) { 2 } else { 0 };
        let detail = types.get(name.text).map(SmolStr::as_str).unwrap_or_default();
        offers.add(Offer::text(name.text, ItemKind::Node, tier).with_detail(detail));
    }
    if symbol == Symbol::Endpoint {
        let terminals = spot.dialect.map_or(&[][..], |dialect| dialect.terminals);
        for word in terminals {
            let is_named = wanted.mentions(word.text);
            let is_other = !is_named && terminals.iter().any(|other| wanted.mentions(other.text));
            if !is_other && !around.contains(&word.text) && !offers.has(word.text) {
                offers.add(Offer::text(word.text, ItemKind::Node, 1).with_detail(word.doc));
            }
        }
    }
}

/// The source and target of the edge around the cursor, in the order of the document.
pub(super) fn ends_around<'v>(named: &[Named<'v>]) -> Vec<&'v str> {
    let is_end = |name: &&Named<'_>| {
        matches!(name.what, SymbolTarget::Symbol(Symbol::Node | Symbol::Endpoint, NameUse::Refers))
            && name.is_around
    };
    named.iter().filter(is_end).map(|name| name.text).collect()
}

/// Offers the edges of the graph.
pub(super) fn offer_edges(wanted: &Wanted<'_>, offers: &mut Offers) {
    for name in symbols::of_graph(wanted.spot) {
        let is_declared = matches!(name.what, SymbolTarget::Symbol(Symbol::Edge, NameUse::Declares));
        if is_declared && !wanted.is_taken(name.text) && !offers.has(name.text) {
            offers.add(Offer::text(name.text, ItemKind::Edge, 0));
        }
    }
}

/// Offers the ids of the other edges of a node, if the document is the node.
pub(super) fn offer_edge_ids(wanted: &Wanted<'_>, offers: &mut Offers) {
    let spot = wanted.spot;
    if wanted.slot.is_some_and(|slot| slot.field.identity) {
        return;
    }
    let effective = spot.document.and_then(|document| document.effective.as_ref());
    let Some(Body::Node(node)) =
        effective.and_then(|effective| effective.declaration.as_ref()).map(|declaration| &declaration.body)
    else {
        return;
    };
    for edge in &node.edges {
        let Some(id) = edge.id.as_ref().filter(|id| !wanted.is_taken(&id.value)) else { continue };
        let targets: Vec<&str> = edge.targets.iter().map(|target| target.name.as_str()).collect();
        let is_own = edge.at.range.contains_inclusive(spot.position.offset);
        if !is_own {
            let detail = format!("the edge to {}", targets.join(", "));
            offers.add(Offer::text(id.value.as_str(), ItemKind::Edge, 0).with_detail(detail));
        }
    }
}

/// The type of each node of the graph around the cursor, as a word.
fn types(spot: &CursorContext<'_>) -> FxHashMap<SmolStr, SmolStr> {
    let Some((_, graph, _)) = spot.graph() else { return FxHashMap::default() };
    let typed = graph
        .nodes
        .iter()
        .filter_map(|node| Some((node.id.as_ref()?.value.clone(), node.type_word.as_ref()?.value.clone())));
    typed.collect()
}
