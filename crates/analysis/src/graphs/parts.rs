//! The state of a run whose state has parts, as far as the graph tells: which keys its nodes leave there, what its schema
//! says about a path. In: a graph of the model; out: answers about paths of expressions.
//! What a node writes under keys that no document shows counts as any key.

use nodewise_expr::ast::{Path, Segment};
use nodewise_expr::value::Value;
use nodewise_model::conventions::StateParts;
use nodewise_model::graph::{Graph, GraphNode, Partition};
use rustc_hash::{FxHashMap, FxHashSet};

use super::GraphFacts;
use crate::schema::{self, SchemaMember};

/// What a graph document says about the parts of its state: which keys nodes write, and what the schema declares.
#[derive(Debug)]
pub(crate) struct State<'g> {
    graph: &'g Graph,
    facts: &'g GraphFacts,
    parts: Option<&'static StateParts>,
    /// The first names of the paths in the scratch part that nodes or the host write.
    scratch_keys: FxHashSet<&'g str>,
    /// Whether some node may write any scratch key, so that no path can be called unwritten.
    writes_any_scratch: bool,
    /// The nodes that write each artifact, in order.
    producers: FxHashMap<&'g str, Vec<usize>>,
    /// Whether some node writes an artifact whose key is only known at run time.
    produces_any: bool,
}

impl<'g> State<'g> {
    pub(crate) fn new(graph: &'g Graph, facts: &'g GraphFacts) -> State<'g> {
        let parts = graph.conventions.parts.as_ref();
        let host_keys = parts.map_or(&[][..], |parts| parts.host_keys);
        let mut state = State {
            graph,
            facts,
            parts,
            scratch_keys: host_keys.iter().copied().collect(),
            writes_any_scratch: false,
            producers: FxHashMap::default(),
            produces_any: false,
        };
        for (position, access) in facts.access.iter().enumerate() {
            let Some(parts) = parts else { break };
            state.writes_any_scratch |= access.leaves_any_of.contains(&parts.scratch);
            state.produces_any |= access.leaves_any_of.contains(&parts.artifacts);
            for path in &access.leaves {
                match path.split_once('.') {
                    Some((part, key)) if part == parts.scratch => {
                        state.scratch_keys.extend(key.split('.').next());
                    }
                    Some((part, key)) if part == parts.artifacts => {
                        state.producers.entry(key).or_default().push(position);
                    }
                    _ => {}
                }
            }
        }
        state
    }

    /// Whether some node may write the value at a path in the scratch part.
    pub(crate) fn may_write_scratch(&self, names: &[Segment]) -> bool {
        let is_written = |name: &Segment| self.scratch_keys.contains(name.name.as_str());
        self.writes_any_scratch || names.first().is_none_or(is_written)
    }

    /// Whether some node may write an artifact with this key.
    pub(crate) fn may_produce(&self, key: &str) -> bool {
        self.produces_any || self.producers.contains_key(key)
    }

    /// The nodes that write an artifact with this key.
    pub(crate) fn producers(&self, key: &str) -> Vec<&'g GraphNode> {
        let positions = self.producers.get(key).map(Vec::as_slice).unwrap_or_default();
        positions.iter().filter_map(|position| self.graph.nodes.get(*position)).collect()
    }

    /// The keys of all artifacts, sorted alphabetically.
    pub(crate) fn artifact_keys(&self) -> Vec<&'g str> {
        let mut keys: Vec<&str> = self.producers.keys().copied().collect();
        keys.sort_unstable();
        keys
    }

    /// What the schema of the state says about a path, and to which part of the state the path belongs.
    pub(crate) fn declared(&self, path: &Path) -> Option<(&'g Partition, SchemaMember<'g>)> {
        let (root, names) = path.segments.split_first()?;
        let parts = &self.graph.state.as_ref()?.value;
        let part = parts.iter().find(|part| part.name.value == root.name)?;
        let member = schema::member(part.schema.as_ref()?, names.iter().map(|name| &name.name));
        Some((part, member))
    }

    /// What the schema says about a path that it does not declare, and the part of the state. `None` if the schema allows the
    /// path, or if some node writes its first key.
    pub(crate) fn undeclared(&self, path: &Path) -> Option<(&'g Partition, SchemaMember<'g>)> {
        let (root, names) = path.segments.split_first()?;
        let key = names.first()?.name.as_str();
        let part = root.name.as_str();
        let is_brought = self.parts.is_some_and(|parts| {
            part == parts.scratch && self.scratch_keys.contains(key)
                || part == parts.artifacts && self.may_produce(key)
        });
        self.declared(path).filter(|(_, member)| match member {
            SchemaMember::Undeclared(position, _) => *position > 0 || !is_brought,
            SchemaMember::InPlain(..) => true,
            SchemaMember::Declared(_) | SchemaMember::Open => false,
        })
    }

    /// Whether the value at a path can become this text.
    pub(crate) fn can_be_text(&self, path: &Path, text: &str) -> bool {
        !self.is_mapping(path)
            && self.schema_at(path).is_none_or(|declared| schema::can_be_text(declared, text))
    }

    /// The schema of the value at a path.
    pub(crate) fn schema_at(&self, path: &Path) -> Option<&'g Value> {
        match self.declared(path)?.1 {
            SchemaMember::Declared(schema) => Some(schema),
            _ => None,
        }
    }

    /// Whether the path is the whole output of nodes that always return a mapping.
    pub(crate) fn is_mapping(&self, path: &Path) -> bool {
        let [root, key] = path.segments.as_slice() else { return path.segments.len() == 1 };
        let producers = self.producers.get(key.name.as_str()).map(Vec::as_slice).unwrap_or_default();
        let leaves_mapping =
            |position: &usize| self.facts.access.get(*position).is_some_and(|access| access.leaves_mapping);
        self.parts.is_some_and(|parts| root.name == parts.artifacts)
            && !producers.is_empty()
            && producers.iter().all(leaves_mapping)
    }
}
