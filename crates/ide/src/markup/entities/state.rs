//! Describes a key of a graph's state: what writes it, what reads it, and the schema of its values. In: a key and its
//! graph. Out: a text. Graphs that run this graph are included, with the keys that they pass.

use nodewise_analysis::graphs::GraphFacts;
use nodewise_analysis::schema::{SchemaMember, member, type_word};
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::NameUse;
use nodewise_expr::value::Value;
use nodewise_model::conventions::StateParts;
use nodewise_model::graph::Graph;
use nodewise_model::{Origin, SourceId};
use rustc_hash::FxHashSet;

use super::graphs::{artifact_key, part_around};
use super::{ITEMS_MAX, Line, Markup, MarkupLinkTarget, dialect_of};
use crate::names::{Entity, Occurrence, names};
use crate::uses::referrals;

/// A key of the state.
pub(super) fn key(
    snapshot: &Snapshot,
    entity: &Entity,
    graph: &Graph,
    facts: &GraphFacts,
    name: &str,
) -> Markup {
    let mut markup = Markup::new();
    let mut title = Line::new().strong("state key").prose(" ").code(name);
    let schema = schema_of(graph, name);
    if let Some(word) = schema.and_then(type_word) {
        title = title.prose(": ").text(word);
    }
    markup.paragraph(&title);
    if let Some(Value::Text(text)) = schema.and_then(|schema| keyword(schema, "description")) {
        markup.quote(text);
    }
    let uses = uses(snapshot, entity);
    let parted = graph.conventions.parts.is_some();
    let mut items = Vec::new();
    if facts.is_ambient(name) {
        items.push(Line::new().prose("Every node can read it"));
    }
    let of = |usage: NameUse| uses.iter().filter(move |one| one.usage == usage);
    let is_port = |one: &&Occurrence| one.at.source == graph.head.source && is_port(graph, name, one);
    if facts.is_input(name) {
        items.push(at_lines("Input of the graph", snapshot, of(NameUse::Writes).filter(is_port)));
    }
    if of(NameUse::Reads).any(|one| is_port(&one)) {
        items.push(at_lines("Output of the graph", snapshot, of(NameUse::Reads).filter(is_port)));
    }
    // The reducer is described separately.
    let is_reducer = |one: &&Occurrence| {
        graph.reducers.iter().any(|reducer| reducer.path.at.range.contains_range(one.at.range))
    };
    let written = of(NameUse::Writes).filter(|one| one.at.source != graph.head.source || !is_reducer(one));
    let written = written.filter(|one| !is_port(one));
    let mut writers: Vec<Line> = written.filter_map(|one| user(snapshot, (graph, facts), one)).collect();
    writers.extend(silent_writers(graph, facts, name));
    if writers.is_empty() && !facts.is_ambient(name) && !facts.is_input(name) && !parted {
        items.push(Line::new().prose("No node in the graph writes it"));
    }
    let readers: Vec<Line> = of(NameUse::Reads)
        .filter(|one| !is_port(one))
        .filter_map(|one| user(snapshot, (graph, facts), one))
        .collect();
    items.push(by("Written by", writers));
    items.push(by("Read by", readers));
    items.extend(reducer(snapshot, graph, name));
    items.retain(|line| !line.is_empty());
    if !items.is_empty() {
        markup.list(&items);
    }
    markup
}

/// Whether a use of a key is its declaration as an input or output of its graph.
fn is_port(graph: &Graph, name: &str, one: &Occurrence) -> bool {
    let ports = graph.inputs.iter().chain(&graph.outputs).flatten();
    ports.filter(|port| port.key.value == name).any(|port| port.key.at.range.contains_range(one.at.range))
}

/// A sentence with the lines that it refers to.
fn at_lines<'o>(sentence: &str, snapshot: &Snapshot, uses: impl Iterator<Item = &'o Occurrence>) -> Line {
    let line_of = |one: &Occurrence| {
        let file = snapshot.file(one.at.source)?;
        Some((file.line(one.at.range.start()), one.at))
    };
    let lines: Vec<_> = uses.filter_map(line_of).collect();
    match lines.is_empty() {
        true => Line::new().prose(sentence),
        false => {
            let line = Line::new().prose(sentence).prose(" (");
            let link = |line: Line, (number, at): &(_, Origin)| {
                line.link(&Line::new().prose(&format!("{number}")), MarkupLinkTarget::File(*at))
            };
            line.parts(&lines, link).prose(")")
        }
    }
}

/// The places that name a key: in its own file, and in those of graphs that run its graph.
fn uses(snapshot: &Snapshot, entity: &Entity) -> Vec<Occurrence> {
    let Entity::Local { document, graph, .. } = entity else { return Vec::new() };
    let mut sources: Vec<SourceId> = vec![document.source];
    for declared in declared_graph(snapshot, entity).into_iter().take(1) {
        let callers = referrals(snapshot, &declared).into_iter().map(|referral| referral.document.source);
        sources
            .extend(callers.filter(|source| *source != document.source && graph.is_some()).take(ITEMS_MAX));
    }
    sources.dedup();
    let all = sources.into_iter().flat_map(|source| names(snapshot, source));
    all.filter(|one| one.entity == *entity).collect()
}

/// The graph that a key belongs to, as a declaration.
fn declared_graph(snapshot: &Snapshot, entity: &Entity) -> Option<Entity> {
    let Entity::Local { document, graph: Some(part), .. } = entity else { return None };
    let graph = crate::names::declaration(snapshot, *document)?.graph(*part)?;
    let declared = snapshot.index().declared(&graph.id.as_ref()?.value).iter();
    let own = { declared }.find(|declared| declared.document == *document && declared.part() == *part)?;
    Some(Entity::Declaration { document: *document, kind: own.kind, part: *part })
}

/// What uses a key at a place, as a node with its line: "`plan` (12)".
fn user(snapshot: &Snapshot, (graph, facts): (&Graph, &GraphFacts), one: &Occurrence) -> Option<Line> {
    let file = snapshot.file(one.at.source)?;
    if file.source != graph.head.source {
        return Some(Line::new().place(snapshot, one.at));
    }
    let line = file.line(one.at.range.start());
    let part = part_around(graph, facts, one.at).or_else(|| Some(Line::new().code(one.slot?.field.key)));
    part.map(|part| {
        part.prose(" (")
            .link(&Line::new().prose(&line.to_string()), MarkupLinkTarget::File(one.at))
            .prose(")")
    })
}

/// The nodes that write a key without naming it.
fn silent_writers(graph: &Graph, facts: &GraphFacts, name: &str) -> Vec<Line> {
    let has_parts = graph.conventions.parts.is_some();
    let mut lines = Vec::new();
    for (node, access) in graph.nodes.iter().zip(&facts.access) {
        let Some(id) = &node.id else { continue };
        let is_named = match has_parts {
            true => node.execution.output_as.is_some(),
            false => access.named.iter().any(|key| key == name),
        };
        let is_left = match &graph.conventions.parts {
            Some(parts) => artifact_key(parts, access).is_some_and(|key| key == name),
            None => access.implied.iter().any(|key| key == name),
        };
        if is_left && !is_named {
            lines.push(Line::new().name(&id.value, Some(id.at)).prose(", by the engine"));
        } else if access.writes_all {
            lines.push(Line::new().name(&id.value, Some(id.at)).prose(", which may write every key"));
        }
    }
    lines
}

/// How writes of the key are combined.
fn reducer(snapshot: &Snapshot, graph: &Graph, name: &str) -> Option<Line> {
    let reducer = graph.reducers.iter().find(|reducer| is_key(graph, &reducer.path.value, name))?;
    let written = reducer.operation.as_ref()?;
    let line = Line::new().prose("Writes are combined by ").code(&written.value);
    let words = dialect_of(snapshot, graph.head.source).map_or(&[][..], |dialect| dialect.reducers);
    let word = words.iter().find(|word| word.text == written.value);
    Some(match word {
        Some(word) => line.prose(": ").prose(word.doc),
        None => line,
    })
}

/// Whether a path names the key, with or without the part of the state.
fn is_key(graph: &Graph, path: &str, name: &str) -> bool {
    let parts = graph.conventions.parts.as_ref();
    path == name || parts.is_some_and(|parts| StateParts::without_part(parts.scratch, name) == path)
}

/// The schema of a key, if the graph has one.
fn schema_of<'g>(graph: &'g Graph, name: &str) -> Option<&'g Value> {
    let ports = graph.inputs.iter().chain(&graph.outputs).flatten();
    if let Some(port) = { ports }.find(|port| port.key.value == name && port.schema.is_some()) {
        return port.schema.as_ref();
    }
    let (part, key) = name.split_once('.')?;
    let part = graph.state.as_ref()?.value.iter().find(|found| found.name.value == part)?;
    match member(part.schema.as_ref()?, [key]) {
        SchemaMember::Declared(schema) => Some(schema),
        _ => None,
    }
}

fn keyword<'v>(schema: &'v Value, word: &str) -> Option<&'v Value> {
    match schema {
        Value::Map(keywords) => keywords.get(word),
        _ => None,
    }
}

fn by(label: &str, users: Vec<Line>) -> Line {
    let mut seen = FxHashSet::default();
    let distinct: Vec<Line> = users.into_iter().filter(|user| seen.insert(user.plain.clone())).collect();
    match distinct.is_empty() {
        true => Line::new(),
        false => Line::new().prose(label).prose(" ").parts(&distinct, |line, user| line.line(user)),
    }
}
