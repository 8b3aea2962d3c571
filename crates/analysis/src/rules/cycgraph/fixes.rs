//! Fixes of graphs: a key more that a node may read or write, an edge more.

use nodewise_dialect::tables::cycgraph::{EDGE_SOURCE, EDGE_TARGET, GRANTED_READS, GRANTED_WRITES};
use nodewise_model::graph::{Graph, GraphNode};
use nodewise_model::{Located, Origin};
use nodewise_syntax::write::{MemberPosition, NewValue};
use smol_str::SmolStr;

use crate::diagnostic::{Edit, Finding};
use crate::graphs::GraphFacts;
use crate::rule::Context;
use crate::rules::cycgraph::state::keys;
use crate::rules::list_fixes::{edits, offer, with_item, written};
use crate::rules::wording::short;

/// Edits that allow a node to read a key of the memory.
pub(in crate::rules) fn with_read(context: &Context<'_>, node: &GraphNode, name: &str) -> Option<Vec<Edit>> {
    granted(context, node, (node.access.reads_at, GRANTED_READS), name)
}

/// Edits that allow a node to write a key of the memory.
pub(in crate::rules) fn with_write(context: &Context<'_>, node: &GraphNode, name: &str) -> Option<Vec<Edit>> {
    granted(context, node, (node.access.writes_at, GRANTED_WRITES), name)
}

/// Edits that add a name to a list of a node, or add the list if it does not exist.
fn granted(
    context: &Context<'_>,
    node: &GraphNode,
    (key_at, key): (Option<Origin>, &str),
    name: &str,
) -> Option<Vec<Edit>> {
    if let Some(key_at) = key_at {
        return with_item(context, key_at, NewValue::text(name));
    }
    let (at, writer, mapping) = written(context, node)?;
    if mapping.get(key).is_some() {
        return None;
    }
    let names = NewValue::Sequence(vec![NewValue::text(name)]);
    Some(edits(at, writer.insert_entry(mapping, MemberPosition::Last, key, &names)))
}

/// Edits that add an edge to a graph.
pub(in crate::rules) fn with_edge(
    context: &Context<'_>,
    graph: &Graph,
    source: &str,
    target: &str,
) -> Option<Vec<Edit>> {
    let ends = [(EDGE_SOURCE, NewValue::text(source)), (EDGE_TARGET, NewValue::text(target))];
    with_item(context, graph.edges_at?, NewValue::mapping(ends))
}

/// Adds what to write to a finding about a mapped key that its node does not read.
pub(in crate::rules) fn with_mapped_read(
    context: &Context<'_>,
    (node, facts): (&GraphNode, &GraphFacts),
    key: &Located<SmolStr>,
    finding: Finding,
) -> Finding {
    if !keys::is_there(context, facts, &key.value) {
        return keys::other_key(context, facts, finding, key);
    }
    let finding = finding.help(format!("add `{}` to its `read_keys`", short(&key.value)));
    let edit = with_read(context, node, &key.value);
    offer(finding, "Let the node read it".to_owned(), true, edit)
}
