//! The owner of each part of a document: a node, an edge, a graph, the declaration. In: a document. Out: the owner of a
//! place, found in logarithmic time.

use nodewise_analysis::facts::{DocumentFacts, DocumentId};
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::graph::{EndpointRole, Graph, GraphNode};
use nodewise_model::{Body, Declaration, Origin};
use nodewise_platform::sorting::Sorting;
use smol_str::SmolStr;

use crate::names::{Entity, NameKind, NavigationTarget, tight};

/// The owner of a part of a document.
#[derive(Debug, Clone)]
pub(crate) enum Owner {
    /// A node, a graph, a declaration.
    Entity(Entity),
    Edge {
        /// The source of the edge, or the graph if a run starts there.
        source: Option<Entity>,
        /// The place that names the source.
        source_at: Option<Origin>,
    },
    /// No owner: a place where a graph names its end.
    Nobody,
}

/// The owners of the parts of a document.
#[derive(Debug)]
pub(crate) struct Owners {
    /// Parts that do not overlap, in reading order.
    parts: Vec<(Origin, Owner)>,
    /// The owner of everything else.
    rest: Option<Entity>,
}

impl Owners {
    pub(crate) fn new(snapshot: &Snapshot, facts: &DocumentFacts) -> Owners {
        let mut owners = Owners { parts: Vec::new(), rest: None };
        let effective = facts.effective.as_ref();
        match (&facts.overlay, effective.and_then(|effective| effective.declaration.as_ref())) {
            (Some(overlay), _) => {
                let target = overlay.target.as_ref();
                let declared = target.and_then(|target| snapshot.index().first(target.kind()?, &target.name));
                owners.rest = declared.map(|declared| Entity::Declaration {
                    document: declared.document,
                    kind: declared.kind,
                    part: declared.part(),
                });
            }
            (None, Some(declaration)) => owners.read(facts.id, declaration),
            (None, None) => {}
        }
        owners.parts.arrange_by_key(|(at, _)| at.range.start());
        owners
    }

    /// The owner of a place.
    pub(crate) fn of(&self, at: Origin) -> Option<Owner> {
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

pub(crate) fn node_target(snapshot: &Snapshot, node: &GraphNode) -> Option<NavigationTarget> {
    let id = node.id.as_ref()?;
    Some(NavigationTarget {
        at: tight(snapshot, id.at),
        whole: node.at,
        title: format!("node `{}`", id.value),
    })
}

/// A node of a graph, as an entity.
pub(crate) fn node(document: DocumentId, graph: usize, name: &SmolStr) -> Entity {
    Entity::Local { document, graph: Some(graph), kind: NameKind::Node, name: name.clone() }
}
