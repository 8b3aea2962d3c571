//! Which declarations an engine has after loading. The releases refuse some declarations, and do not know some kinds
//! at all (liman:1, liman:2, liman:3).
//!
//! Invariant: the specification's engine has every declaration that has a name.

use std::collections::BTreeMap;

use nodewise_model::{Body, Declaration, Edge, EdgeForm, EdgeList, Node, NodeKind, Origin};
use smol_str::SmolStr;

use super::PLAIN_NODE;
use crate::systems::liman::account::RunAccount;
use crate::systems::liman::host::{Host, LimanProfile};

/// The declarations that remain after loading.
pub(super) struct Loaded<'d> {
    pub(super) nodes: Vec<DeclaredNode<'d>>,
    pub(super) accounts: BTreeMap<SmolStr, RunAccount>,
}

/// A node that was loaded.
pub(super) struct DeclaredNode<'d> {
    pub(super) kind: &'static str,
    pub(super) name: SmolStr,
    pub(super) head: Origin,
    pub(super) node: &'d Node,
}

/// Loads declarations as the engine does.
pub(super) fn loaded<'d>(declarations: impl IntoIterator<Item = &'d Declaration>, host: &Host) -> Loaded<'d> {
    let mut loaded = Loaded { nodes: Vec::new(), accounts: BTreeMap::new() };
    for declaration in declarations {
        let Some(name) = &declaration.name else { continue };
        match &declaration.body {
            Body::Node(node) if !is_refused(declaration.kind, node, host.profile) => {
                loaded.nodes.push(DeclaredNode {
                    kind: declaration.kind,
                    name: name.value.clone(),
                    head: declaration.head,
                    node: node.as_ref(),
                });
            }
            // The loaders of the releases skip accounts, because a program registers them.
            Body::Account(account) if host.profile == LimanProfile::Spec => {
                loaded.accounts.entry(name.value.clone()).or_insert_with(|| account.as_ref().into());
            }
            _ => {}
        }
    }
    loaded
}

fn is_refused(kind: &str, node: &Node, profile: LimanProfile) -> bool {
    match profile {
        LimanProfile::Spec => false,
        LimanProfile::Release => {
            let is_mixed = |edge: &Edge| edge.list != EdgeList::Qualified;
            let has_way = node.edges.iter().any(|edge| edge.list == EdgeList::Qualified);
            let reads_nodes = node.kind == NodeKind::Function;
            is_named_account(kind, node)
                || node.edges.iter().any(|edge| is_read(edge, node.kind) && !is_release_edge(edge))
                || (has_way
                    && node
                        .edges
                        .iter()
                        .any(|edge| is_mixed(edge) && (reads_nodes || is_read(edge, node.kind))))
        }
        LimanProfile::Classic => {
            kind == PLAIN_NODE
                || is_named_account(kind, node)
                || node.edges.iter().any(|edge| is_read(edge, node.kind) && !is_classic_edge(edge, node.kind))
        }
    }
}

/// Whether the node names its account. The releases expect another type there, and ignore the document (liman:2.7).
fn is_named_account(kind: &str, node: &Node) -> bool {
    node.details.account.is_some() && kind != super::FUNCTION_NODE
}

/// Whether the kind has this list of edges at all. An unknown field is ignored.
fn is_read(edge: &Edge, kind: NodeKind) -> bool {
    match (edge.list, kind) {
        (EdgeList::Qualified, _) => true,
        (EdgeList::Nodes, NodeKind::Tool) | (EdgeList::Models, NodeKind::Model) => false,
        (EdgeList::Nodes | EdgeList::Models, _) => true,
    }
}

fn is_release_edge(edge: &Edge) -> bool {
    match edge.form {
        EdgeForm::Name => true,
        EdgeForm::Qualified => !edge.targets.is_empty() && !leads_to_tool(edge),
        EdgeForm::Named => false,
    }
}

fn leads_to_tool(edge: &Edge) -> bool {
    edge.targets.iter().any(|target| target.kind() == Some(super::TOOL_NODE))
}

fn is_classic_edge(edge: &Edge, kind: NodeKind) -> bool {
    match (edge.list, edge.form) {
        // The field was added after that release.
        (EdgeList::Qualified, _) => true,
        (_, EdgeForm::Name) => kind != NodeKind::Tool,
        (_, EdgeForm::Named) => edge.targets.len() == 1,
        (_, EdgeForm::Qualified) => false,
    }
}
