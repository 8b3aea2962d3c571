//! What the rules about graphs share: how a message names a node, findings
//! about a node that does not exist.

use nodewise_dialect::bind::{Issue, IssueKind};
use nodewise_model::graph::{EndpointRole, Graph, GraphNode};
use nodewise_model::{Located, Origin};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::diagnostic::Finding;
use crate::graphs::GraphFacts;
use crate::rule::Context;
use crate::rules::list_fixes::entry_at;
use crate::rules::ranges;
use crate::rules::wording::short;

/// The node in a message: its id, or a general description if it has none.
pub(in crate::rules) fn named(node: &GraphNode) -> String {
    match &node.id {
        Some(id) => format!("`{}`", short(&id.value)),
        None => "the node".to_owned(),
    }
}

/// The place for findings about the type of a node: its type, or else its first line.
pub(in crate::rules) fn type_place(node: &GraphNode) -> Origin {
    node.type_word.as_ref().map_or(node.head, |word| word.at)
}

/// The place for findings about a node as a whole: its id, or else its first line.
pub(in crate::rules) fn id_place(node: &GraphNode) -> Origin {
    node.id.as_ref().map_or(node.head, |id| id.at)
}

/// Whether the form of the value under a key is wrong, so that another rule reports why a setting in it cannot be read.
pub(in crate::rules) fn is_malformed(context: &Context<'_>, key_at: Origin) -> bool {
    let Some(document) = context.file.document_at(key_at).filter(|_| !context.file.settings.is_literal)
    else {
        return false;
    };
    let entry = context.source(key_at.source).and_then(|file| {
        let (_, entry) = entry_at(file.tree(), key_at)?;
        Some(entry.range())
    });
    let range = entry.unwrap_or(key_at.range);
    let is_extra = |kind: &IssueKind| {
        matches!(kind, IssueKind::UnknownField(_) | IssueKind::Superseded(_) | IssueKind::Unheeded)
    };
    let is_inside = |issue: &Issue| {
        let is_here = issue.at.source == key_at.source && range.contains_range(issue.at.range);
        is_here && !is_extra(&issue.kind)
    };
    let absences = document.effective.iter().flat_map(|effective| &effective.faults.absences);
    document.faults.issues.iter().chain(absences).any(is_inside)
}

/// A finding for each node that no run reaches. What only follows from another such node is left out, but not where findings are
/// compared with those of the packages.
pub(in crate::rules) fn unreachable(
    context: &Context<'_>,
    graph: &Graph,
    facts: &GraphFacts,
) -> Vec<Finding> {
    let finding = |node: &GraphNode, message: String| Finding::new(id_place(node), message);
    if context.file.settings.is_literal {
        let unreached = nodes(graph).filter(|(position, _)| !facts.is_reached(*position));
        return unreached.map(|(_, node)| finding(node, format!("{} is unreachable", named(node)))).collect();
    }
    let of_first = |(position, behind): (usize, usize)| {
        let node = graph.nodes.get(position)?;
        let message = match behind {
            0 => format!("{} is unreachable", named(node)),
            1 => format!("{} and the node behind it are unreachable", named(node)),
            _ => format!("{} and the {behind} nodes behind it are unreachable", named(node)),
        };
        Some(finding(node, message))
    };
    facts.first_unreached().into_iter().filter_map(of_first).collect()
}

/// The finding about a name that is not a node of its graph. `harm` is the label.
pub(in crate::rules) fn unknown_node(
    context: &Context<'_>,
    facts: &GraphFacts,
    name: &Located<SmolStr>,
    harm: &str,
) -> Finding {
    no_such_node(context, facts.nearest(&name.value), name, harm)
}

/// Like [`unknown_node`], if the most similar id is already known.
pub(in crate::rules) fn no_such_node(
    context: &Context<'_>,
    nearest: Option<&str>,
    name: &Located<SmolStr>,
    harm: &str,
) -> Finding {
    let finding = Finding::new(name.at, format!("no node has the id `{}`", short(&name.value))).label(harm);
    match nearest {
        Some(near) => replace(context, finding.help(format!("write `{}`", short(near))), name, near),
        None => finding.help(
            advice(context, &name.value)
                .unwrap_or_else(|| "name a node of this graph, or add one".to_owned()),
        ),
    }
}

/// What to write instead of a name for the start or end of runs from another system. `None` if the dialect has its own ids
/// for these, because another rule reports them.
fn advice(context: &Context<'_>, name: &str) -> Option<String> {
    let keys = context.dialect()?.conventions.terminal_keys.as_ref()?;
    let (node, key) = match terminal(name)? {
        Terminal::Start => ("write the first node under", keys.start),
        Terminal::End => ("list the last node in", keys.ends),
    };
    Some(format!("there is no such node: {node} `{key}`, and remove the edge"))
}

/// A place that other systems refer to like a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::rules) enum Terminal {
    /// Where a run begins.
    Start,
    /// Where it ends.
    End,
}

/// Which place a name means in other systems: `START`, `__end__`. `None` for other names.
pub(in crate::rules) fn terminal(name: &str) -> Option<Terminal> {
    match name.trim_matches(['_', '@']).to_ascii_lowercase().as_str() {
        "start" | "begin" | "entry" => Some(Terminal::Start),
        "end" | "finish" | "stop" | "exit" => Some(Terminal::End),
        _ => None,
    }
}

/// Adds a fix that replaces one name by another.
pub(in crate::rules) fn replace(
    context: &Context<'_>,
    finding: Finding,
    name: &Located<SmolStr>,
    other: &str,
) -> Finding {
    match ranges::part(context, name.at, &name.value).filter(|_| ranges::is_word(other)) {
        Some(at) => finding.fix(format!("Replace it with `{}`", short(other)), false, at, other),
        None => finding,
    }
}

/// The nodes of a graph, each with its position.
pub(in crate::rules) fn nodes(graph: &Graph) -> impl Iterator<Item = (usize, &GraphNode)> {
    graph.nodes.iter().enumerate()
}
/// Whether some edge comes from the place where runs begin.
pub(in crate::rules) fn begins(graph: &Graph) -> bool {
    let mut ends = graph.edges.iter().filter_map(|edge| edge.source.as_ref());
    ends.any(|end| end.role == EndpointRole::Start)
}

/// The only name that edges refer to and no node has, in a graph in which exactly two nodes share an id. The second of
/// these nodes should probably have it.
pub(in crate::rules) fn left_out(graph: &Graph) -> Option<&str> {
    let mut ids = FxHashSet::default();
    let repeated =
        graph.nodes.iter().filter_map(|node| node.id.as_ref()).filter(|id| !ids.insert(id.value.as_str()));
    if repeated.count() != 1 {
        return None;
    }
    let ends = graph.edges.iter().flat_map(|edge| [&edge.source, &edge.target]).flatten();
    let named = ends.filter(|end| end.role == EndpointRole::Node).map(|end| end.name.value.as_str());
    let mut unknown = named.filter(|name| !ids.contains(name));
    let first = unknown.next()?;
    unknown.all(|name| name == first).then_some(first)
}
