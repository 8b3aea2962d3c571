//! What of a document's graphs cannot be read: a node that is none, an edge that leads nowhere. Rules about the graph as a
//! whole would report what only follows from that.
//!
//! Input: what binding found, and the declaration; output: the least that rules may need and is not there.

use nodewise_dialect::bind::{Issue, IssueKind};
use nodewise_dialect::table::{Dialect, Field, NameUse, Shape, Symbol, Type};
use nodewise_model::graph::{EndpointRole, Graph, GraphNode};
use nodewise_model::work::{HandOver, HandOverKind};
use nodewise_model::{Declaration, Located};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::basis::Needs;

/// The part of a document's graphs that cannot be read; `Nothing` if everything can. Issues, unknown values, repeated ids
/// and names of missing nodes make a graph unreadable.
pub(crate) fn unreadable<'i>(
    dialect: &'static Dialect,
    issues: impl Iterator<Item = &'i Issue>,
    unknown: &[(&'static Shape, &'static Field)],
    declaration: Option<&Declaration>,
) -> Needs {
    let of_unknown = unknown.iter().filter_map(|(shape, field)| of_unknown(shape, field));
    let of_issues = issues.filter_map(|issue| of_issue(dialect, issue)).min();
    let of_graphs = declaration.into_iter().flat_map(Declaration::graphs).filter_map(of_graph).min();
    of_issues.into_iter().chain(of_unknown).chain(of_graphs).min().unwrap_or(Needs::Nothing)
}

/// What cannot be read if the value of this field is known only at run time.
fn of_unknown(shape: &Shape, field: &Field) -> Option<Needs> {
    let is_of_node = declares_node(shape);
    match item(field.ty) {
        ty if ty.use_of_nodes() == Some(NameUse::Declares) => Some(Needs::Nodes),
        Type::Symbol(Symbol::State, _) => Some(Needs::Nodes),
        Type::Word(_) | Type::Object(_) | Type::Open(_) | Type::Variant(_) if is_of_node => {
            Some(Needs::Nodes)
        }
        Type::Expression(_) => Some(Needs::Edges),
        ty => ty.use_of_nodes().map(|_| Needs::Edges),
    }
}

/// The innermost type, without lists and other wrappers.
fn item(ty: Type) -> Type {
    match ty {
        Type::List(inner) | Type::OneOrMany(inner) | Type::Sized(inner, _) | Type::Lenient(inner) => {
            item(*inner)
        }
        ty => ty,
    }
}

fn declares_node(shape: &Shape) -> bool {
    shape.fields.iter().any(|field| field.ty.use_of_nodes() == Some(NameUse::Declares))
}

fn of_issue(dialect: &Dialect, issue: &Issue) -> Option<Needs> {
    let of_use = |what: NameUse| if what == NameUse::Declares { Needs::Nodes } else { Needs::Edges };
    match &issue.kind {
        IssueKind::WrongType(..) | IssueKind::MissingField => issue.field?.ty.use_of_nodes().map(of_use),
        // If a node's type is unknown, so is what the node reads and writes, and where it leads.
        IssueKind::BadWord(..) | IssueKind::BadVariant(..) => {
            declares_node(issue.shape).then_some(Needs::Nodes)
        }
        IssueKind::UnknownField(key) => {
            dialect.foreign(issue.shape, key).filter(|foreign| foreign.is_edge).map(|_| Needs::Edges)
        }
        _ => None,
    }
}

fn of_graph(graph: &Graph) -> Option<Needs> {
    if graph.is_fragment {
        return None;
    }
    let mut ids = FxHashSet::default();
    for id in graph.nodes.iter().filter_map(|node| node.id.as_ref()) {
        if !ids.insert(&id.value) {
            return Some(Needs::Edges);
        }
    }
    let is_known = |name: &Located<SmolStr>| ids.contains(&name.value);
    let ends = graph.edges.iter().flat_map(|edge| [&edge.source, &edge.target]);
    let are_known = ends
        .into_iter()
        .all(|end| end.as_ref().is_some_and(|end| end.role != EndpointRole::Node || is_known(&end.name)))
        && graph.start.iter().all(is_known)
        && graph.ends.iter().flat_map(|ends| &ends.value).all(is_known)
        && graph.nodes.iter().flat_map(handed).all(is_known);
    (!are_known).then_some(Needs::Edges)
}

/// The nodes to which a node can hand over a run without an edge. An empty name in some settings means no node.
fn handed(node: &GraphNode) -> impl Iterator<Item = &Located<SmolStr>> {
    let is_named = |hand_over: &HandOver<'_>| match hand_over.kind {
        HandOverKind::Delegation | HandOverKind::Worker => true,
        HandOverKind::Merge | HandOverKind::Rejection => !hand_over.target.value.is_empty(),
        HandOverKind::Violation => false,
    };
    node.work.hand_overs().into_iter().filter(is_named).map(|hand_over| hand_over.target)
}
