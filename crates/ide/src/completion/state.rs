//! Keys of a run's state. In: the graph around the cursor. Out: offers of keys, each with the node that writes or reads
//! it. For a read, keys that an earlier node writes come first. For a write, keys that other nodes read come first.

use std::collections::BTreeSet;

use nodewise_analysis::graphs::GraphFacts;
use nodewise_dialect::bind;
use nodewise_dialect::table::{Field, KindRole, NameUse, Symbol, Type, Word};
use nodewise_model::Reference;
use nodewise_model::conventions::StateParts;
use nodewise_model::graph::{Graph, GraphNode, Port};
use nodewise_model::state::{NodeAccess, WILDCARD, is_hidden, top_level};
use nodewise_platform::sorting::Sorting;
use smol_str::{SmolStr, format_smolstr};

use super::ItemKind;
use super::docs::Handle;
use super::offer::{Offer, Offers};
use super::symbols::{self, SymbolTarget, is_of_graphs};
use super::wanted::Wanted;
use crate::cursor_context::CursorContext;
use crate::names::{document, hosts};

/// A key that an earlier node or the input writes, or that other nodes read.
const LIKELY: u8 = 0;
/// A key that another node writes.
const POSSIBLE: u8 = 1;
/// A key that is only named.
const NAMED: u8 = 2;
/// All keys at once.
const ALL: u8 = 3;

/// A key with its tier and detail.
pub(super) struct StateKey {
    pub(super) name: SmolStr,
    pub(super) tier: u8,
    pub(super) detail: String,
}

/// Offers keys of the graph's own state.
pub(super) fn offer(wanted: &Wanted<'_>, usage: NameUse, offers: &mut Offers) {
    let spot = wanted.spot;
    let keys = match spot.graph() {
        Some((_, graph, facts)) => match &graph.conventions.parts {
            Some(parts) => {
                let reducers = spot.dialect.map_or(&[][..], |dialect| dialect.reducers);
                let is_reducer = matches!(wanted.keyed, Some(Type::Word(words)) if are_same(words, reducers));
                // A reducer is set for a path from the root of the state.
                let lead = if is_reducer { format!("{}.", parts.scratch) } else { String::new() };
                let keys = scratch_keys(graph, facts).into_iter();
                keys.map(|key| StateKey { name: format_smolstr!("{lead}{}", key.name), ..key }).collect()
            }
            None if usage == NameUse::Reads => readable(spot, graph, facts),
            None => writable(spot, graph, facts),
        },
        None => outside_graphs(spot, usage),
    };
    add(wanted, keys, offers);
    add(wanted, named(spot), offers);
    if wanted.mentions(WILDCARD) && wanted.keyed.is_none() {
        add(wanted, vec![key(WILDCARD, ALL, "every key".to_owned())], offers);
    }
}

/// Outside of graphs: the keys of the graphs that run the agent at the cursor, or the inputs and outputs of a bundle's
/// main graph.
fn outside_graphs(spot: &CursorContext<'_>, usage: NameUse) -> Vec<StateKey> {
    let mut keys = Vec::new();
    if let Some(id) = agent_around(spot) {
        for (host, position) in hosts(spot.snapshot, id) {
            let effective = document(spot.snapshot, host).and_then(|document| document.effective.as_ref());
            let Some((graph, facts)) = effective.and_then(|effective| effective.graph(position)) else {
                continue;
            };
            let granted = granted(graph, id, usage);
            keys.extend(granted.map(|name| key(top_level(name), LIKELY, "granted to its node".to_owned())));
            keys.extend(all_written(graph, facts));
            keys.extend(all_read(graph, facts));
        }
        keys.arrange_by_key(|key| key.tier);
        return keys;
    }
    let effective = spot.document.and_then(|document| document.effective.as_ref());
    let main = effective.and_then(|effective| effective.graph(0));
    let taken = main.into_iter().flat_map(|(graph, _)| match usage {
        NameUse::Reads => ports(graph.outputs.as_deref(), "output"),
        _ => ports(graph.inputs.as_deref(), "input"),
    });
    keys.extend(taken);
    if let Some((graph, facts)) = main {
        keys.extend(match usage {
            NameUse::Reads => all_written(graph, facts),
            _ => all_read(graph, facts),
        });
    }
    keys
}

/// The keys granted to the nodes of a graph that run an agent.
fn granted<'g>(graph: &'g Graph, agent: &'g str, usage: NameUse) -> impl Iterator<Item = &'g str> {
    let is_own = move |node: &&GraphNode| node.agent.as_ref().is_some_and(|own| own.name == agent);
    let lists = graph.nodes.iter().filter(is_own).map(move |node| match usage {
        NameUse::Reads => &node.access.reads,
        _ => &node.access.writes,
    });
    lists.flatten().map(|name| name.value.as_str()).filter(|name| *name != WILDCARD)
}

/// The id of the agent whose declaration is around the cursor.
fn agent_around<'v>(spot: &'v CursorContext<'_>) -> Option<&'v str> {
    let agent = spot.dialect?.kinds.iter().find(|kind| kind.role == KindRole::Agent)?;
    let is_id = |field: &&Field| {
        matches!(
            field.ty,
            Type::Symbol(Symbol::Agent, NameUse::Declares)
                | Type::Sized(Type::Symbol(Symbol::Agent, NameUse::Declares), _)
        )
    };
    let id = agent.shape.fields.iter().find(is_id)?;
    let ids = spot.around().into_iter().rev().filter_map(|value| value.get(id.key)?.value.as_text());
    { ids }.next()
}

/// Offers keys of the graph that the mapping around the cursor runs.
pub(super) fn offer_foreign(wanted: &Wanted<'_>, usage: NameUse, offers: &mut Offers) {
    let spot = wanted.spot;
    let Some((graph, facts)) = child(spot) else { return };
    let keys = match (&graph.conventions.parts, usage) {
        (Some(_), NameUse::Reads) => artifact_keys(graph, facts),
        (Some(parts), _) => partition_keys(graph, |name| name != parts.scratch && name != parts.artifacts),
        (None, NameUse::Reads) => {
            let mut keys = ports(graph.outputs.as_deref(), "output");
            keys.extend(all_written(graph, facts));
            keys
        }
        (None, _) => {
            let mut keys = ports(graph.inputs.as_deref(), "input");
            keys.extend(all_read(graph, facts));
            keys
        }
    };
    add(wanted, keys, offers);
}

fn add(wanted: &Wanted<'_>, keys: Vec<StateKey>, offers: &mut Offers) {
    for StateKey { name, tier, detail } in keys {
        if !name.is_empty() && !is_hidden(&name) && !wanted.is_taken(&name) && !offers.has(&name) {
            let offer = Offer::text(name.as_str(), ItemKind::State, tier).with_detail(detail);
            offers.add(offer.with_documentation(Handle::state(wanted.spot, &name)));
        }
    }
}

fn key(name: impl Into<SmolStr>, tier: u8, detail: String) -> StateKey {
    StateKey { name: name.into(), tier, detail }
}

/// The keys that the node at the cursor can read.
pub(super) fn readable(spot: &CursorContext<'_>, graph: &Graph, facts: &GraphFacts) -> Vec<StateKey> {
    let edge = source_of_edge(spot, facts);
    let is_edge = edge.is_some();
    let node = edge.or_else(|| spot.node().map(|(position, _)| position));
    let before = node.map(|node| upstream(graph, facts, node));
    let runs_before = |writer: usize| {
        let is_source = is_edge && node == Some(writer);
        is_source || before.as_ref().is_none_or(|before| before.get(writer) == Some(&true))
    };
    let mut keys = Vec::new();
    for (position, access) in facts.access.iter().enumerate() {
        let Some(id) = id_of(graph, position) else { continue };
        for written in access.writes.iter().chain(&access.leaves) {
            let (tier, detail) = match runs_before(position) {
                _ if node == Some(position) && !is_edge => (NAMED, "written by this node".to_owned()),
                true => (LIKELY, format!("written by `{id}`")),
                false => (POSSIBLE, format!("written by `{id}`, which does not run earlier")),
            };
            keys.push(key(written.clone(), tier, detail));
        }
    }
    keys.arrange_by_key(|key| key.tier);
    let likely = keys.partition_point(|key| key.tier == LIKELY);
    let inputs = ports(graph.inputs.as_deref(), "input");
    keys.splice(likely..likely, inputs);
    keys.extend(seeded(spot));
    keys
}

/// The keys that the node at the cursor can write for others.
fn writable(spot: &CursorContext<'_>, graph: &Graph, facts: &GraphFacts) -> Vec<StateKey> {
    let own = spot.node().and_then(|(position, _)| facts.access.get(position));
    let granted = own.into_iter().flat_map(|access| &access.writes);
    let mut keys: Vec<StateKey> =
        granted.map(|name| key(name.clone(), LIKELY, "written by this node".to_owned())).collect();
    let read = all_read(graph, facts);
    let is_missing = |name: &StateKey| !facts.is_producible(top_level(&name.name));
    let (missing, other): (Vec<StateKey>, Vec<StateKey>) = read.into_iter().partition(is_missing);
    keys.extend(missing.into_iter().map(|read| StateKey { tier: LIKELY, ..read }));
    keys.extend(ports(graph.outputs.as_deref(), "output"));
    keys.extend(other);
    keys.extend(all_written(graph, facts));
    keys
}

/// Every key that a node writes.
fn all_written(graph: &Graph, facts: &GraphFacts) -> Vec<StateKey> {
    let mut keys = Vec::new();
    for (position, access) in facts.access.iter().enumerate() {
        let id = id_of(graph, position).unwrap_or_default();
        let written = access.writes.iter().chain(&access.leaves);
        keys.extend(written.map(|name| key(name.clone(), POSSIBLE, format!("written by `{id}`"))));
    }
    keys
}

/// Every key that a node reads.
fn all_read(graph: &Graph, facts: &GraphFacts) -> Vec<StateKey> {
    let mut keys = Vec::new();
    for (position, access) in facts.access.iter().enumerate() {
        let id = id_of(graph, position).unwrap_or_default();
        let read = access.reads.iter().filter(|name| *name != WILDCARD && !facts.is_ambient(top_level(name)));
        keys.extend(read.map(|name| key(top_level(name), POSSIBLE, format!("read by `{id}`"))));
    }
    keys
}

fn ports(ports: Option<&[Port]>, noun: &str) -> Vec<StateKey> {
    let detail = |port: &Port| if port.required { noun.to_owned() } else { format!("{noun}, optional") };
    let ports = ports.unwrap_or_default().iter();
    let (needed, others): (Vec<&Port>, Vec<&Port>) = ports.partition(|port| port.required);
    needed.into_iter().chain(others).map(|port| key(port.key.value.clone(), LIKELY, detail(port))).collect()
}

fn seeded(spot: &CursorContext<'_>) -> Vec<StateKey> {
    let lists = spot.dialect.into_iter().flat_map(|dialect| {
        dialect
            .outside
            .iter()
            .filter(|list| list.symbol == Some(Symbol::State))
            .map(move |list| (dialect, list))
    });
    let names =
        lists.flat_map(|(dialect, list)| spot.file.settings.outside(dialect, list.key).unwrap_or_default());
    names.map(|name| key(name.as_str(), POSSIBLE, "set by the program".to_owned())).collect()
}

/// The keys that the document names for any purpose.
fn named(spot: &CursorContext<'_>) -> Vec<StateKey> {
    let names = symbols::of_graph(spot);
    let is_key = |what: SymbolTarget| matches!(what, SymbolTarget::Symbol(Symbol::State, _));
    let offset = spot.position.offset;
    let elsewhere =
        names.iter().filter(|name| is_key(name.what) && !name.at.range.contains_inclusive(offset));
    elsewhere.filter(|name| name.text != WILDCARD).map(|name| key(name.text, NAMED, String::new())).collect()
}

/// The source node of the edge around the cursor.
fn source_of_edge(spot: &CursorContext<'_>, facts: &GraphFacts) -> Option<usize> {
    if spot.node().is_some() {
        return None;
    }
    let named = symbols::of_graph(spot);
    let is_end = |what: SymbolTarget| {
        matches!(what, SymbolTarget::Symbol(Symbol::Node | Symbol::Endpoint, NameUse::Refers))
    };
    let is_own = |name: &&symbols::Named<'_>| name.is_around && is_end(name.what);
    // The first end that an edge names is its source, as in the order of the table.
    named.iter().find(is_own).and_then(|name| facts.node(name.text))
}

/// Whether two lists have the same words.
fn are_same(words: &[Word], others: &[Word]) -> bool {
    words.iter().map(|word| word.text).eq(others.iter().map(|word| word.text))
}

/// For each node, whether a run can visit it before the node at `target`.
fn upstream(graph: &Graph, facts: &GraphFacts, target: usize) -> Vec<bool> {
    let mut leading: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for position in 0..graph.nodes.len() {
        let edges = facts.outgoing(position).iter().filter_map(|edge| graph.edges.get(*edge));
        let targets = edges.filter_map(|edge| facts.node(&edge.target.as_ref()?.name.value));
        for next in targets.chain(facts.handed(position).iter().copied()) {
            if let Some(before) = leading.get_mut(next) {
                before.push(position);
            }
        }
    }
    let mut is_before = vec![false; graph.nodes.len()];
    let mut pending = vec![facts.meant(target)];
    while let Some(node) = pending.pop() {
        for before in leading.get(node).into_iter().flatten() {
            if let Some(seen) = is_before.get_mut(*before).filter(|seen| !**seen) {
                *seen = true;
                pending.push(*before);
            }
        }
    }
    is_before
}

fn id_of(graph: &Graph, position: usize) -> Option<&str> {
    graph.nodes.get(position)?.id.as_ref().map(|id| id.value.as_str())
}

/// The top-level keys that nodes write during a run.
pub(super) fn scratch_keys(graph: &Graph, facts: &GraphFacts) -> Vec<StateKey> {
    let Some(parts) = &graph.conventions.parts else { return Vec::new() };
    let mut keys = partition_keys(graph, |name| name == parts.scratch);
    for (node, access) in graph.nodes.iter().zip(&facts.access) {
        let id = node.id.as_ref().map_or("", |id| id.value.as_str());
        let written = keys_of(access, parts.scratch);
        keys.extend(written.map(|name| key(name, LIKELY, format!("written by `{id}`"))));
    }
    for reducer in &graph.reducers {
        let path = reducer.path.value.as_str();
        let name = StateParts::without_part(parts.scratch, path);
        keys.push(key(name, POSSIBLE, "combined by a reducer".to_owned()));
    }
    keys.extend(parts.host_keys.iter().map(|name| key(*name, NAMED, "written by the host".to_owned())));
    keys
}

/// The keys under which nodes store their output.
pub(super) fn artifact_keys(graph: &Graph, facts: &GraphFacts) -> Vec<StateKey> {
    let mut keys = Vec::new();
    for (node, access) in graph.nodes.iter().zip(&facts.access) {
        let (Some(id), Some(parts)) = (&node.id, &graph.conventions.parts) else { continue };
        let outputs = keys_of(access, parts.artifacts);
        keys.extend(outputs.map(|name| key(name, LIKELY, format!("output of `{}`", id.value))));
    }
    if let Some(parts) = &graph.conventions.parts {
        keys.extend(partition_keys(graph, |name| name == parts.artifacts));
    }
    keys
}

/// The keys of a part of the state that a node can leave there.
fn keys_of<'a>(access: &'a NodeAccess, part: &str) -> impl Iterator<Item = &'a str> {
    access.leaves.iter().filter_map(move |path| path.strip_prefix(part)?.strip_prefix('.'))
}

/// The keys that the schemas of parts of the state list.
pub(super) fn partition_keys(graph: &Graph, is_wanted: impl Fn(&str) -> bool) -> Vec<StateKey> {
    let parts = graph.state.iter().flat_map(|state| &state.value);
    let parts = parts.filter(|part| is_wanted(&part.name.value));
    let mut seen = BTreeSet::new();
    let names = parts.flat_map(|part| part.keys.iter().flatten().map(move |name| (&part.name.value, name)));
    names
        .filter(|(_, name)| seen.insert(name.value.clone()))
        .map(|(part, name)| key(name.value.clone(), LIKELY, format!("declared in `{part}`")))
        .collect()
}

/// The graph that the mapping around the cursor runs.
fn child<'s>(spot: &CursorContext<'s>) -> Option<(&'s Graph, &'s GraphFacts)> {
    let dialect = spot.dialect?;
    let named = symbols::of_graph(spot);
    let (scope, name) =
        named.iter().rev().filter(|name| name.is_around).find_map(|name| match name.what {
            SymbolTarget::Reference(scope) if is_of_graphs(dialect, scope) => Some((scope, name)),
            _ => None,
        })?;
    let value = nodewise_dialect::value::SpannedValue {
        data: nodewise_dialect::value::Data::Null,
        at: name.at,
        node: None,
    };
    let reference: Reference = bind::reference(name.text, &value, scope);
    let declared = spot.snapshot.index().meant(spot.document?.id, &reference)?;
    document(spot.snapshot, declared.document)?.effective.as_ref()?.graphs().nth(declared.part())
}
