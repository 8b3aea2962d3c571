//! Whose words the parts of a document are: a node's, an edge's, a graph's, the declaration's own. In: a document; out:
//! the owner of a place, found in logarithmic time.

use nodewise_analysis::facts::{DocumentFacts, DocumentId};
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::graph::{EndpointRole, Graph, GraphNode};
use nodewise_model::{Body, Declaration, Origin};

use super::node;
use crate::names::{Entity, Target, tight};

/// Whose words a part of a document is.
#[derive(Debug, Clone)]
pub(super) enum Owner {
    /// A node's, a graph's, a declaration's.
    Entity(Entity),
    /// An edge's.
    Edge {
        /// Where the edge comes from; the graph, where a run begins.
        source: Option<Entity>,
        /// Where that is named.
        source_at: Option<Origin>,
    },
    /// Of none that leads anywhere: where a graph says that it ends.
    Nobody,
}

/// The owners of a document's parts.
#[derive(Debug)]
pub(super) struct Owners {
    /// Parts that do not overlap, in reading order.
    parts: Vec<(Origin, Owner)>,
    /// Whose everything else is.
    rest: Option<Entity>,
}

impl Owners {
    pub(super) fn new(snapshot: &Snapshot, facts: &DocumentFacts) -> Owners {
        let mut owners = Owners { parts: Vec::new(), rest: None };
        let effective = facts.effective.as_ref();
        match (&facts.overlay, effective.and_then(|effective| effective.declaration.as_ref())) {
            (Some(overlay), _) => {
                let target = overlay.target.as_ref();
                let declared =
                    target.and_then(|target| snapshot.index().first(target.kind.as_deref()?, &target.name));
                owners.rest = declared.map(|declared| Entity::Declaration {
                    document: declared.document,
                    kind: declared.kind,
                    part: declared.part,
                });
            }
            (None, Some(declaration)) => owners.read(facts.id, declaration),
            (None, None) => {}
        }
        owners.parts.sort_by_key(|(at, _)| at.range.start());
        owners
    }

    /// Whose a place is.
    pub(super) fn of(&self, at: Origin) -> Option<Owner> {
        let behind = self.parts.partition_point(|(part, _)| part.range.start() <= at.range.start());
        let part = behind.checked_sub(1).and_then(|last| self.parts.get(last));
        match part.filter(|(part, _)| part.range.contains_range(at.range)) {
            Some((_, owner)) => Some(owner.clone()),
            None => self.rest.clone().map(Owner::Entity),
        }
    }

    fn read(&mut self, document: DocumentId, declaration: &Declaration) {
        let kind = match &declaration.body {
            Body::Bundle(bundle) => bundle.graph_kind,
            _ => declaration.kind,
        };
        let declared = |part: usize| Entity::Declaration { document, kind, part };
        for (position, graph) in declaration.graphs().enumerate() {
            self.read_graph(document, position, graph, &declared(position));
        }
        if declaration.name.is_some() {
            self.rest = Some(Entity::Declaration { document, kind: declaration.kind, part: 0 });
        }
    }

    fn read_graph(&mut self, document: DocumentId, position: usize, graph: &Graph, whole: &Entity) {
        for found in &graph.nodes {
            let owner = match &found.id {
                Some(id) => Owner::Entity(node(document, position, &id.value)),
                None => Owner::Nobody,
            };
            self.parts.push((found.at, owner));
        }
        for edge in &graph.edges {
            let source = edge.source.as_ref().and_then(|end| match end.role {
                EndpointRole::Node => Some(node(document, position, &end.name.value)),
                EndpointRole::Start => Some(whole.clone()),
                EndpointRole::End | EndpointRole::Placeholder => None,
            });
            let source_at = edge.source.as_ref().map(|end| end.name.at);
            self.parts.push((edge.at, Owner::Edge { source, source_at }));
        }
        self.parts.extend(graph.start.iter().map(|start| (start.at, Owner::Entity(whole.clone()))));
        let ends = graph.ends.iter().flat_map(|ends| &ends.value);
        self.parts.extend(ends.map(|end| (end.at, Owner::Nobody)));
    }
}

/// A node as a place to go to.
pub(super) fn node_target(snapshot: &Snapshot, node: &GraphNode) -> Option<Target> {
    let id = node.id.as_ref()?;
    Some(Target { at: tight(snapshot, id.at), whole: node.at, title: format!("node `{}`", id.value) })
}
