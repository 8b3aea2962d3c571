//! What the rules about graphs that run other graphs share: each node that does, with the graph that it runs. Only
//! children that the project declares and that can be read without doubt are checked.

use nodewise_model::graph::{Graph, GraphNode};
use nodewise_model::work::SubgraphWork;
use nodewise_model::{Located, Reference};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::graphs::GraphFacts;
use crate::nesting::ProjectGraphId;
use crate::rule::Context;
use crate::suggest::nearest;
use nodewise_model::state::{NodeAccess, is_hidden, top_level};

/// A node that runs another graph, with the facts of both graphs.
#[derive(Clone, Copy)]
pub(in crate::rules) struct Call<'a> {
    /// The graph that contains the node.
    pub parent: &'a Graph,
    /// The facts of the node's graph.
    pub parent_facts: &'a GraphFacts,
    pub parent_id: ProjectGraphId,
    pub node: &'a GraphNode,
    /// The position of the node in its graph.
    pub position: usize,
    /// The keys that the node reads and writes.
    pub access: &'a NodeAccess,
    /// The settings of the node.
    pub work: &'a SubgraphWork,
    /// The reference to the other graph.
    pub reference: &'a Reference,
    /// The graph that the node runs.
    pub child: &'a Graph,
    /// The facts of the graph that the node runs.
    pub child_facts: &'a GraphFacts,
    pub child_id: ProjectGraphId,
}

impl<'a> Call<'a> {
    /// The keys of the other graph that get a value: the node maps a key to them, and may read that key.
    pub(in crate::rules) fn crossing(&self) -> FxHashSet<&'a str> {
        let read: FxHashSet<&str> = self.access.reads.iter().map(|key| top_level(key)).collect();
        let can_read = |key: &str| !is_hidden(key) && (self.access.reads_all || read.contains(key));
        let crossing = self.work.inputs.iter().filter(|mapping| can_read(&mapping.from.value));
        crossing.filter_map(|mapping| Some(mapping.to.as_ref()?.value.as_str())).collect()
    }

    /// The input to which the node maps something, which the other graph does not declare, and which probably means `input`, to which
    /// the node maps nothing.
    pub(in crate::rules) fn misspelt(&self, input: &str) -> Option<&'a Located<SmolStr>> {
        let mapped = || self.work.inputs.iter().filter_map(|mapping| mapping.to.as_ref());
        if mapped().any(|to| to.value == input) {
            return None;
        }
        let declared: FxHashSet<&str> =
            self.child.inputs.iter().flatten().map(|port| port.key.value.as_str()).collect();
        let mut others = mapped().filter(|to| !declared.contains(to.value.as_str()));
        let near = nearest(input, others.clone().map(|to| to.value.as_str()))?;
        others.find(|to| to.value == near)
    }
}

/// The nodes of the file that run graphs of the project.
pub(in crate::rules) fn calls<'a>(context: &Context<'a>) -> impl Iterator<Item = Call<'a>> + use<'a> {
    let context = *context;
    let effective = context
        .documents()
        .filter_map(move |document| Some((document.id, context.index.effective(document)?)));
    effective.flat_map(move |(document, effective)| {
        context.facts_of(effective).enumerate().flat_map(move |(part, (parent, parent_facts))| {
            let nodes = parent.nodes.iter().zip(&parent_facts.access).enumerate();
            nodes.filter_map(move |(position, (node, access))| {
                let work = node.work.call()?;
                let reference = work.graph.as_ref()?;
                let declared = context.index.meant(document, reference)?;
                let child_id = (declared.document, declared.part());
                let (child, child_facts) = graph(&context, child_id)?;
                let parent_id = (document, part);
                Some(Call {
                    parent,
                    parent_facts,
                    parent_id,
                    node,
                    position,
                    access,
                    work,
                    reference,
                    child,
                    child_facts,
                    child_id,
                })
            })
        })
    })
}

/// A graph of the project with its facts. `None` if its file has syntax errors or its form is refused, because a part that
/// seems to be missing may only be unreadable.
pub(in crate::rules) fn graph<'a>(
    context: &Context<'a>,
    (document, part): ProjectGraphId,
) -> Option<(&'a Graph, &'a GraphFacts)> {
    let file = context.source(document.source).filter(|file| file.problems.is_empty())?;
    let facts = file.documents.get(document.position as usize).filter(|facts| !facts.refused)?;
    context.index.effective(facts)?.graph(part)
}
