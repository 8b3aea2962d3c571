//! The lineage of a state key: who declares, writes, reads, tests and copies it, and where its value comes from and goes to.
//!
//! Input: a snapshot and a key. Output: steps in reading order, and the keys that copies lead to, each with its own steps.
//! Everything is known to names and graph analysis; nothing is computed here a second time. Invariant: a key is visited once,
//! so graphs that run one another end the search.

use std::collections::{BTreeSet, VecDeque};

use nodewise_analysis::facts::{DocumentFacts, DocumentId, Ownership};
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::NameUse;
use nodewise_model::graph::{Graph, GraphEdge, KeyMapping};
use nodewise_model::{Body, Declaration, Origin};
use nodewise_platform::sorting::Sorting;
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use crate::names::{
    Entity, NameKind, Occurrence, declaration, declarations, document, name_at, occurrences_everywhere,
    tight, title,
};
use crate::owners::{Owner, Owners, node};
use crate::position::FilePosition;

/// The maximum number of keys that are followed for one request.
const KEYS_MAX: usize = 500;

/// A key with everything that happens to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyLineage {
    pub key: Entity,
    /// The key in words, with its graph.
    pub title: String,
    /// What happens to it, in reading order.
    pub steps: Vec<LineageStep>,
}

/// Something that happens to a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineageStep {
    /// What happens.
    pub what: KeyUse,
    pub at: Origin,
    /// The node, graph or agent that does this.
    pub owner: Option<Entity>,
    /// The name of the owner, as text.
    pub by: String,
    /// Whether the text does not name the key there: the node's type or a wildcard implies it.
    pub is_implied: bool,
}

/// What happens to a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyUse {
    Declared,
    Written,
    Read,
    /// A condition or another expression tests it.
    Tested,
    /// The value is copied to another key.
    CopiedTo(Entity),
    /// The value is copied from another key.
    CopiedFrom(Entity),
    /// The key is in the input of the graph.
    Input,
    /// The key is in the output of the graph.
    Output,
    /// A scenario or a script names it.
    Scripted,
}

impl KeyUse {
    /// The name in JSON and other data.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            KeyUse::Declared => "declared",
            KeyUse::Written => "written",
            KeyUse::Read => "read",
            KeyUse::Tested => "tested",
            KeyUse::CopiedTo(_) => "copied-to",
            KeyUse::CopiedFrom(_) => "copied-from",
            KeyUse::Input => "input",
            KeyUse::Output => "output",
            KeyUse::Scripted => "scripted",
        }
    }

    /// The other key, if this is a copy.
    #[must_use]
    pub fn partner(&self) -> Option<&Entity> {
        match self {
            KeyUse::CopiedTo(key) | KeyUse::CopiedFrom(key) => Some(key),
            _ => None,
        }
    }
}

/// Whether an entity is a key of the state.
#[must_use]
pub fn is_key(entity: &Entity) -> bool {
    matches!(
        entity,
        Entity::Local { kind: NameKind::State, .. } | Entity::Shared { kind: NameKind::State, .. }
    )
}

/// The keys with this name, in load order. With the id or name of a graph, only those of that graph.
#[must_use]
pub fn keys_called(snapshot: &Snapshot, name: &str, graph: Option<&str>) -> Vec<Entity> {
    let mut found = Vec::new();
    let mut shared: BTreeSet<&'static str> = BTreeSet::new();
    for file in snapshot.files().iter().take_while(|_| !snapshot.is_cancelled()) {
        let Ownership::Ours(dialect) = file.ownership else { continue };
        if !dialect.is_system() || !file.text.contains(name.rsplit('.').next().unwrap_or(name)) {
            continue;
        }
        if dialect.discriminator().is_some() && graph.is_none() && shared.insert(dialect.id) {
            let name = SmolStr::new(name);
            found.push(Entity::Shared { dialect: dialect.id, kind: NameKind::State, name });
            continue;
        }
        let parts = dialect.conventions.parts.as_ref();
        let names = parts.filter(|_| !name.contains('.')).map_or_else(
            || vec![SmolStr::new(name)],
            |parts| {
                [parts.input, parts.scratch, parts.artifacts]
                    .map(|part| format_smolstr!("{part}.{name}"))
                    .to_vec()
            },
        );
        for facts in &file.documents {
            let graphs =
                declaration(snapshot, facts.id).into_iter().flat_map(Declaration::graphs).enumerate();
            for (position, _) in
                graphs.filter(|(_, found)| graph.is_none_or(|wanted| is_called(found, wanted)))
            {
                found.extend(names.iter().map(|name| Entity::Local {
                    document: facts.id,
                    graph: Some(position),
                    kind: NameKind::State,
                    name: name.clone(),
                }));
            }
        }
    }
    found
}

fn is_called(graph: &Graph, wanted: &str) -> bool {
    let names = graph.id.iter().chain(&graph.name);
    names.into_iter().any(|name| name.value == wanted)
}

/// The lineage of keys, and of all keys that are connected with them by copies. Keys that nothing uses are left out.
#[must_use]
pub fn lineage(snapshot: &Snapshot, keys: Vec<Entity>) -> Vec<KeyLineage> {
    let mut seen: BTreeSet<Entity> = keys.iter().cloned().collect();
    let mut waiting: VecDeque<Entity> = keys.into();
    let mut found = Vec::new();
    while let Some(key) = waiting.pop_front() {
        if found.len() >= KEYS_MAX || snapshot.is_cancelled() {
            break;
        }
        let steps = steps(snapshot, &key);
        for partner in steps.iter().filter_map(|step| step.what.partner()) {
            if seen.insert(partner.clone()) {
                waiting.push_back(partner.clone());
            }
        }
        if steps.iter().any(|step| !step.is_implied) {
            found.push(KeyLineage { title: key_title(snapshot, &key), key, steps });
        }
    }
    found
}

/// A key in words: "key `draft` of graph `review`".
#[must_use]
pub fn key_title(snapshot: &Snapshot, key: &Entity) -> String {
    let own = title(snapshot, key);
    let Entity::Local { document, graph: Some(position), .. } = key else { return own };
    let graph = declaration(snapshot, *document).and_then(|found| found.graph(*position));
    match graph.and_then(Graph::short_title) {
        Some(name) => format!("{own} of graph `{name}`"),
        None => own,
    }
}

/// A step as text: "written by node `plan`".
#[must_use]
pub fn in_words(snapshot: &Snapshot, step: &LineageStep) -> String {
    let partner = step.what.partner().map_or_else(String::new, |key| key_title(snapshot, key));
    let by = if step.by.is_empty() { String::new() } else { format!(" by {}", step.by) };
    match &step.what {
        KeyUse::CopiedTo(_) => format!("copied to {partner}{by}"),
        KeyUse::CopiedFrom(_) => format!("copied from {partner}{by}"),
        KeyUse::Input | KeyUse::Output => format!("{} of {}", step.what.word(), step.by),
        KeyUse::Scripted => format!("named in {}", step.by),
        what => format!("{}{by}", what.word()),
    }
}

/// Where a key is declared, or else where it is first named.
#[must_use]
pub fn key_place(snapshot: &Snapshot, key: &Entity) -> Option<Origin> {
    let declared = declarations(snapshot, key).into_iter().next().map(|target| target.at);
    let named = || {
        let all = occurrences_everywhere(snapshot, key);
        let is_own = |one: &&Occurrence| matches!(key, Entity::Local { document, .. } if document.source == one.at.source);
        all.iter().find(is_own).or(all.first()).map(|one| one.at)
    };
    declared.or_else(named)
}

/// What happens to a key, in reading order.
#[must_use]
pub fn steps(snapshot: &Snapshot, key: &Entity) -> Vec<LineageStep> {
    let mut owners: FxHashMap<DocumentId, Owners> = FxHashMap::default();
    let occurrences = occurrences_everywhere(snapshot, key);
    let mut steps: Vec<LineageStep> =
        occurrences.iter().filter_map(|one| step(snapshot, &mut owners, one)).collect();
    let implied = implied(snapshot, key, &steps);
    steps.extend(implied);
    steps.arrange_by_key(|step| step.at.reading_order());
    steps
}

fn step(
    snapshot: &Snapshot,
    owners: &mut FxHashMap<DocumentId, Owners>,
    one: &Occurrence,
) -> Option<LineageStep> {
    let facts = snapshot.file(one.at.source)?.document_at(one.at)?;
    let declaration = facts.effective.as_ref().and_then(|effective| effective.declaration.as_ref());
    if matches!(declaration.map(|found| &found.body), Some(Body::Scenario(_))) {
        let by = snapshot.file(one.at.source).map_or_else(String::new, |file| format!("`{}`", file.path));
        return Some(LineageStep { what: KeyUse::Scripted, at: one.at, owner: None, by, is_implied: false });
    }
    let copied = declaration.and_then(|found| copied(snapshot, found, one));
    let what = copied.unwrap_or(match (one.usage, one.in_expression) {
        (NameUse::Declares, _) => KeyUse::Declared,
        (NameUse::Writes, _) => KeyUse::Written,
        (NameUse::Reads | NameUse::Refers, true) => KeyUse::Tested,
        (NameUse::Reads | NameUse::Refers, false) => KeyUse::Read,
    });
    let known = owners.entry(facts.id).or_insert_with(|| Owners::new(snapshot, facts));
    let (owner, by) = match known.of(one.at) {
        Some(Owner::Entity(entity)) if is_graph_of(&entity, &one.entity) => {
            (Some(entity), of_graph(facts, one.at))
        }
        Some(Owner::Entity(entity)) => {
            let by = title(snapshot, &entity);
            (Some(entity), by)
        }
        Some(Owner::Edge { source, .. }) => {
            let edge = declaration.and_then(|found| edge_at(found, one.at));
            (source, edge.map_or_else(|| "an edge".to_owned(), ends_in_words))
        }
        Some(Owner::Nobody) | None => (None, of_graph(facts, one.at)),
    };
    let is_of_graph = owner.as_ref().is_none_or(|owner| is_graph_of(owner, &one.entity));
    let what = match what {
        KeyUse::Written if is_of_graph => KeyUse::Input,
        KeyUse::Read if is_of_graph => KeyUse::Output,
        what => what,
    };
    Some(LineageStep { what, at: one.at, owner, by, is_implied: false })
}

/// Whether an entity is the graph of a key.
fn is_graph_of(entity: &Entity, key: &Entity) -> bool {
    match (entity, key) {
        (
            Entity::Declaration { document, part, .. },
            Entity::Local { document: own, graph: Some(graph), .. },
        ) => document == own && part == graph,
        _ => false,
    }
}

/// The graph in a document that contains a place outside of all nodes and edges.
fn of_graph(facts: &DocumentFacts, at: Origin) -> String {
    let declaration = facts.effective.as_ref().and_then(|effective| effective.declaration.as_ref());
    let before = |graph: &&Graph| graph.head.range.start() <= at.range.start();
    let graph = declaration.into_iter().flat_map(Declaration::graphs).filter(before);
    let graph = graph.max_by_key(|graph| graph.head.range.start());
    graph.and_then(Graph::short_title).map_or_else(String::new, |title| format!("graph `{title}`"))
}

fn edge_at(declaration: &Declaration, at: Origin) -> Option<&GraphEdge> {
    let holds = |edge: &&GraphEdge| edge.at.source == at.source && edge.at.range.contains_range(at.range);
    declaration.graphs().flat_map(|graph| &graph.edges).find(holds)
}

fn ends_in_words(edge: &GraphEdge) -> String {
    let end = |end: &Option<nodewise_model::graph::Endpoint>| {
        end.as_ref().map_or("?", |end| end.name.value.as_str()).to_owned()
    };
    format!("edge `{}` → `{}`", end(&edge.source), end(&edge.target))
}

/// The copy that a use of a key belongs to: a mapping between the states of two graphs.
fn copied(snapshot: &Snapshot, declaration: &Declaration, one: &Occurrence) -> Option<KeyUse> {
    let nodes = declaration.graphs().flat_map(|graph| &graph.nodes);
    let calls =
        nodes.filter(|node| node.at.range.contains_range(one.at.range)).filter_map(|node| node.work.call());
    let mut mappings = calls.flat_map(|call| call.inputs.iter().chain(&call.outputs));
    let is_here = |at: Origin| at.source == one.at.source && at.range.contains_range(one.at.range);
    mappings.find_map(|KeyMapping { from, to }| {
        let to = to.as_ref()?;
        let partner = |at: Origin| {
            let at = tight(snapshot, at);
            let position = FilePosition { source: at.source, offset: at.range.start() };
            name_at(snapshot, position).map(|name| name.entity).filter(is_key)
        };
        match (is_here(from.at), is_here(to.at)) {
            (true, _) => partner(to.at).map(KeyUse::CopiedTo),
            (_, true) => partner(from.at).map(KeyUse::CopiedFrom),
            _ => None,
        }
    })
}

/// What nodes do with a key without naming it: because of their type, a wildcard, or the nodes that they manage.
fn implied(snapshot: &Snapshot, key: &Entity, known: &[LineageStep]) -> Vec<LineageStep> {
    let Entity::Local { document: id, graph: Some(position), name, .. } = key else { return Vec::new() };
    let effective = document(snapshot, *id).and_then(|document| document.effective.as_ref());
    let Some((graph, facts)) = effective.and_then(|effective| effective.graph(*position)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (found_node, access) in graph.nodes.iter().zip(&facts.access) {
        let Some(node_id) = &found_node.id else { continue };
        let entity = node(*id, *position, &node_id.value);
        let is_known = |writes: bool| {
            known.iter().any(|step| {
                let is_write = matches!(step.what, KeyUse::Written | KeyUse::CopiedFrom(_));
                step.owner.as_ref() == Some(&entity) && is_write == writes
            })
        };
        let writes = access.writes_all || access.writes.contains(name) || access.leaves.contains(name);
        let reads = access.reads_all || access.reads.contains(name);
        let mut add = |what: KeyUse| {
            let (owner, by) = (Some(entity.clone()), title(snapshot, &entity));
            found.push(LineageStep { what, at: tight(snapshot, node_id.at), owner, by, is_implied: true });
        };
        if writes && !is_known(true) {
            add(KeyUse::Written);
        }
        if reads && !is_known(false) {
            add(KeyUse::Read);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::{key_title, keys_called, lineage};
    use crate::testing::{places, project};

    /// Lists the lineage of the keys of a name.
    fn check_lineage(fixture: &str, key: &str, graph: Option<&str>, expected: &str) {
        let (snapshot, _) = project(fixture);
        let mut list = String::new();
        for found in lineage(&snapshot, keys_called(&snapshot, key, graph)) {
            writeln!(list, "{}", found.title).unwrap();
            for step in &found.steps {
                let place = places(&snapshot, &[step.at]);
                let place = place.trim_end();
                let partner = step
                    .what
                    .partner()
                    .map_or_else(String::new, |key| format!(" {}", key_title(&snapshot, key)));
                let implied = if step.is_implied { " (implied)" } else { "" };
                writeln!(list, "  {}{partner} by {}{implied}: {place}", step.what.word(), step.by).unwrap();
            }
        }
        assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
    }

    const GRAPHS: &str = "
#- /a.yaml
id: parent
name: parent
description: d
inputs: {claim: {schema: {type: string}}}
outputs: {letter: {schema: {type: string}}}
nodes:
  - {id: intake, type: agent, agent_id: x, read_keys: [claim], write_keys: [amount]}
  - {id: settle, type: subgraph, read_keys: [amount], subgraph_config: {subgraph_id: child, input_mapping: {amount: claimed}, output_mapping: {paid: letter}}}
  - {id: any, type: agent, agent_id: x, read_keys: ['*']}
edges:
  - {source: intake, target: settle, condition: {type: conditional, condition: memory.amount > 10}}
  - {source: settle, target: any}
start_node: intake
end_nodes: [any]
#- /b.yaml
id: child
name: child
description: d
inputs: {claimed: {schema: {type: number}}}
outputs: {paid: {schema: {type: number}}}
nodes:
  - {id: pay, type: agent, agent_id: x, read_keys: [claimed], write_keys: [paid]}
edges: []
start_node: pay
end_nodes: [pay]
";

    #[test]
    fn a_key_is_followed_through_graphs() {
        check_lineage(
            GRAPHS,
            "amount",
            None,
            "
state key `amount` of graph `parent`
  written by node `intake`: a.yaml:7:77 amount
  read by node `settle`: a.yaml:8:46 amount
  copied-to state key `claimed` of graph `child` by node `settle`: a.yaml:8:109 amount
  read by node `any` (implied): a.yaml:9:10 any
  tested by edge `intake` → `settle`: a.yaml:11:87 amount
state key `claimed` of graph `child`
  copied-from state key `amount` of graph `parent` by node `settle`: a.yaml:8:117 claimed
  input by graph `child`: b.yaml:4:10 claimed
  read by node `pay`: b.yaml:7:53 claimed
",
        );
    }

    #[test]
    fn a_result_comes_from_another_graph() {
        check_lineage(
            GRAPHS,
            "letter",
            Some("parent"),
            "
state key `letter` of graph `parent`
  output by graph `parent`: a.yaml:5:11 letter
  copied-from state key `paid` of graph `child` by node `settle`: a.yaml:8:150 letter
  read by node `any` (implied): a.yaml:9:10 any
state key `paid` of graph `child`
  copied-to state key `letter` of graph `parent` by node `settle`: a.yaml:8:144 paid
  output by graph `child`: b.yaml:5:11 paid
  written by node `pay`: b.yaml:7:76 paid
",
        );
    }
}
