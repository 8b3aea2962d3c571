//! Reads of keys that nothing writes: whether the reads are wrong, or the key that is written or declared.
//!
//! Input: a graph and the reads of such keys. Output: a finding about another key. Invariant: several reads agree on a name that is
//! nearly the key's own, and nothing reads the key.

use nodewise_model::Located;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::{Graph, GraphNode};
use nodewise_model::state::WILDCARD;
use smol_str::SmolStr;

use crate::diagnostic::Finding;
use crate::graphs::GraphFacts;
use crate::rule::Context;
use crate::rules::graph_findings;
use crate::rules::wording::short;

/// A read of a key by name.
pub(super) struct ReadKey<'g> {
    /// The position of the node.
    node: usize,
    pub(super) key: &'g Located<SmolStr>,
    /// The class of the specification that it violates if nothing writes the key. The package does not check all reads.
    pub(super) class: Option<&'static str>,
}

/// The keys that a node reads by name.
pub(super) fn reads((position, node): (usize, &GraphNode)) -> impl Iterator<Item = ReadKey<'_>> {
    let (read, source) = ("cycgraph:R51", "cycgraph:R52");
    let reads = node.access.reads.iter().map(move |key| (key, Some(read)));
    let works = std::iter::once(Work::of(node)).chain(Work::idle(node));
    let sources = works.flat_map(|work| match work {
        Work::Reflection(reflection) => reflection.sources.as_slice(),
        _ => &[],
    });
    let shown = match Work::of(node) {
        Work::Human(human) => human.review_keys.as_deref().unwrap_or_default(),
        _ => &[],
    };
    // The package does not check the keys that are shown to a person.
    let shown = shown.iter().filter(|key| key.value != WILDCARD).map(|key| (key, None));
    let reads = reads.filter(|(key, _)| key.value != WILDCARD);
    let all = reads.chain(sources.map(move |key| (key, Some(source)))).chain(shown);
    all.map(move |(key, class)| ReadKey { node: position, key, class })
}

/// The finding about a declared or written key whose name is probably wrong: `reads` of several nodes use the similar name `key`, and
/// nothing in the graph reads the key. `read` are the keys that something reads.
pub(super) fn misnamed_key(
    context: &Context<'_>,
    (graph, facts): (&Graph, &GraphFacts),
    (key, reads): (&str, &[&ReadKey<'_>]),
    read: impl FnOnce(&str) -> bool,
) -> Option<Finding> {
    let first = reads.first()?;
    // One node may be wrong alone.
    reads.iter().find(|read| read.node != first.node)?;
    let near = facts.nearest_key(key).filter(|near| !read(near))?;
    let input = graph.inputs.iter().flatten().map(|input| &input.key).find(|key| key.value == near);
    let declared = match (input, facts.writers(near)) {
        (Some(input), []) => input,
        (None, [writer]) => {
            let writer = graph.nodes.get(*writer)?;
            let outputs = writer.work.call().into_iter().flat_map(|call| &call.outputs);
            let mapped = outputs.filter_map(|mapping| mapping.to.as_ref());
            writer.access.writes.iter().chain(mapped).find(|key| key.value == near)?
        }
        _ => return None,
    };
    let message = format!("nothing reads `{}`, and no node writes `{}`", short(near), short(key));
    let finding = Finding::new(declared.at, message)
        .label("nodes use another name")
        .help(format!("write `{}`", short(key)))
        .related(first.key.at, "named like this here");
    Some(graph_findings::replace(context, finding, declared, key))
}
