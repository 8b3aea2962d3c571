//! AgentOS graphs and lone nodes as model (agentos:2). Defaults are filled in where a run needs a value.

mod condition;
mod edge;
mod node;
mod plan;
mod state;
mod work;

use nodewise_model::graph::{Graph, KeyMapping};
use nodewise_model::{Body, Declaration, Located, Origin};
use smol_str::SmolStr;

use crate::table::{Kind, KindRole};
use crate::tables::agentos::CONVENTIONS;
use crate::tight::tight;
use crate::value::{Data, SpannedValue, number_text};

/// Converts a document to a declaration.
#[must_use]
pub fn declaration(kind: &'static Kind, value: &SpannedValue<'_>) -> Option<Declaration> {
    let (name, body) = match kind.role {
        KindRole::Graph => {
            let graph = graph(value);
            (graph.id.clone(), Body::Graph(Box::new(graph)))
        }
        // Other documents cannot refer to a node that is a document of its own, so it has no name.
        KindRole::GraphNode => (None, Body::GraphNode(Box::new(node::node(value)))),
        KindRole::Plan => (None, Body::Plan(Box::new(plan::plan(kind, value)?))),
        _ => return None,
    };
    Some(Declaration { kind: kind.name, name, head: value.head(), body })
}

fn graph(value: &SpannedValue<'_>) -> Graph {
    Graph {
        is_fragment: false,
        id: text_at(value, "id"),
        name: text_at(value, "name"),
        head: value.head(),
        nodes: tight(mappings(value, "nodes").map(node::node)),
        nodes_at: list_key(value, "nodes"),
        edges: tight(mappings(value, "edges").map(edge::edge)),
        edges_at: list_key(value, "edges"),
        start: None,
        ends: None,
        inputs: None,
        outputs: None,
        strict_keys: false,
        strict_taint: false,
        state: state::partitions(value),
        reducers: state::reducers(value),
        checkpoints: text_at(value, "checkpointPolicy"),
        memory_consistency: text_at(value, "memoryConsistency"),
        conventions: &CONVENTIONS,
    }
}

/// The items of a list that are mappings.
fn mappings<'v, 't>(value: &'v SpannedValue<'t>, key: &str) -> impl Iterator<Item = &'v SpannedValue<'t>> {
    let items = value.get(key).and_then(|member| member.value.as_list()).unwrap_or_default();
    items.iter().filter(|item| item.as_map().is_some())
}

fn list_key(value: &SpannedValue<'_>, key: &str) -> Option<Origin> {
    value.get(key).filter(|member| member.value.as_list().is_some()).map(|member| member.key_at)
}

fn key_at(value: &SpannedValue<'_>, key: &str) -> Option<Origin> {
    value.get(key).map(|member| member.key_at)
}

fn text_at(value: &SpannedValue<'_>, key: &str) -> Option<Located<SmolStr>> {
    text(&value.get(key)?.value)
}

fn text(value: &SpannedValue<'_>) -> Option<Located<SmolStr>> {
    Some(Located::new(SmolStr::new(value.as_text()?), value.at))
}

/// The id of a node. An id that is not a text is reported elsewhere; the release still uses its value as a key, so keep it.
fn id_at(value: &SpannedValue<'_>, key: &str) -> Option<Located<SmolStr>> {
    let value = &value.get(key)?.value;
    let written = match value.data {
        Data::Number(number) => number_text(number),
        Data::Bool(boolean) => boolean.to_string(),
        _ => return text(value),
    };
    Some(Located::new(written.into(), value.at))
}

fn texts(value: &SpannedValue<'_>, key: &str) -> Vec<Located<SmolStr>> {
    let items = value.get(key).and_then(|member| member.value.as_list()).unwrap_or_default();
    items.iter().filter_map(text).collect()
}

fn number_at(value: &SpannedValue<'_>, key: &str) -> Option<Located<f64>> {
    let value = &value.get(key)?.value;
    match value.data {
        Data::Number(number) => Some(Located::new(number, value.at)),
        _ => None,
    }
}

fn boolean_at(value: &SpannedValue<'_>, key: &str) -> Option<Located<bool>> {
    let value = &value.get(key)?.value;
    match value.data {
        Data::Bool(boolean) => Some(Located::new(boolean, value.at)),
        _ => None,
    }
}

/// The entries of a mapping from one path to another.
fn pairs(value: &SpannedValue<'_>, key: &str) -> Vec<KeyMapping> {
    let members = value.get(key).and_then(|member| member.value.as_map()).unwrap_or_default();
    members
        .iter()
        .map(|member| KeyMapping {
            from: Located::new(SmolStr::new(&member.key), member.key_at),
            to: text(&member.value),
        })
        .collect()
}
