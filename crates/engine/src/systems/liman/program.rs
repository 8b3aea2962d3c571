//! An agent, ready to run: its nodes by kind and name, their edges with parsed conditions, prompts.
//!
//! Input: declarations in load order (with their overlays for the specification's engine, as written for the
//! releases) and the host; output: a program. Invariant: what cannot run is kept with the reason, so that a run can
//! report it at the place where it matters.

mod compile;
mod loading;

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_expr::ast::Expr;
use nodewise_expr::value::Value;
use nodewise_model::{Declaration, Localized, NodeKind, Origin};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::account::RunAccount;
use super::host::Host;
use crate::outcome::Failure;

/// The kinds of nodes as references spell them.
pub(super) const MODEL_NODE: &str = "LLMNode";
pub(super) const TOOL_NODE: &str = "ToolNode";
pub(super) const PLAIN_NODE: &str = "Node";
pub(super) const FUNCTION_NODE: &str = "FunctionNode";

/// An agent, ready to run.
#[derive(Debug)]
pub struct Program {
    /// The program around the agent.
    pub host: Host,
    nodes: Vec<ProgramNode>,
    places: FxHashMap<SmolStr, NodeIndex>,
    accounts: BTreeMap<SmolStr, RunAccount>,
}

/// A node of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeIndex(usize);

/// A node, ready to run.
#[derive(Debug)]
pub struct ProgramNode {
    /// Its kind and name, as `Kind/name`.
    pub full_name: SmolStr,
    /// The name, without the kind.
    pub name: SmolStr,
    /// The kind, as declarations spell it.
    pub kind: &'static str,
    /// Where it is declared.
    pub head: Origin,
    /// Its edges, in the order in which they are evaluated.
    pub edges: Vec<ProgramEdge>,
    pub(crate) work: NodeKind,
    pub(super) texts: Texts,
    /// The tools that its model gets, by name.
    pub(crate) tools: Arc<[SmolStr]>,
    /// The first part of the prompt, or the reason why there is none.
    pub(super) instructions: Result<SmolStr, Failure>,
    /// In the releases: the reason why its actor cannot be made.
    pub(super) flaw: Option<Failure>,
    pub(crate) arguments: Vec<Argument>,
    pub(super) function: SmolStr,
    pub(super) has_function: bool,
    pub(super) account: Option<AccountUse>,
    /// A value of the shape that its model's answers must have, if they must have one.
    pub(super) answer_example: Option<Value>,
}

/// The texts of a node in several languages.
#[derive(Debug)]
pub(super) struct Texts {
    pub(super) prompts: Localized,
    pub(super) description: Localized,
    pub(super) triggers: Vec<Localized>,
    pub(super) shown_as: Localized,
}

/// A parameter of a tool.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) name: SmolStr,
    pub(crate) types: Vec<SmolStr>,
    pub(super) is_optional: bool,
}

/// The account that a node runs with.
#[derive(Debug)]
pub(super) struct AccountUse {
    pub(super) name: SmolStr,
    /// The account, if it is declared inside the node; otherwise it is looked up by name.
    pub(super) inlined: Option<RunAccount>,
}

/// An edge from a node to others.
#[derive(Debug)]
pub struct ProgramEdge {
    pub at: Origin,
    /// The id that the author gave it.
    pub id: Option<SmolStr>,
    /// When it is followed.
    pub condition: CompiledCondition,
    /// The nodes where it leads, as written.
    pub target_text: SmolStr,
    pub(crate) targets: Vec<Target>,
    /// The edges that must be settled before it, by position.
    pub(super) depends: Vec<usize>,
    /// A name that it depends on and that no edge has.
    pub(super) unknown_dependency: Option<SmolStr>,
    /// Whether its condition asks for errors.
    pub(super) asks_for_errors: bool,
}

/// When an edge is followed.
#[derive(Debug)]
pub enum CompiledCondition {
    Always,
    /// If this expression holds.
    Holds(Expr),
    /// If this function of the program says so.
    Function(SmolStr),
    /// Never: the text is not a valid condition. Says what is wrong.
    Broken(String),
}

/// A node that an edge leads to.
#[derive(Debug)]
pub(crate) struct Target {
    pub(super) name: SmolStr,
    /// The node; the error is a key that no node has.
    pub(super) node: Result<NodeIndex, SmolStr>,
}

impl Program {
    /// Makes a program from declarations.
    pub fn new<'d>(declarations: impl IntoIterator<Item = &'d Declaration>, host: Host) -> Program {
        let loaded = loading::loaded(declarations, &host);
        let mut program =
            Program { host, nodes: Vec::new(), places: FxHashMap::default(), accounts: loaded.accounts };
        for declared in &loaded.nodes {
            let key = key(declared.kind, &declared.name);
            // If two nodes have the same name, the first one is used.
            program.places.entry(key).or_insert(NodeIndex(program.nodes.len()));
            program.nodes.push(compile::node(declared, &program.host));
        }
        compile::connect(&mut program, &loaded.nodes);
        program
    }

    /// All nodes, in load order.
    #[must_use]
    pub fn nodes(&self) -> &[ProgramNode] {
        &self.nodes
    }

    /// The node with a full name.
    #[must_use]
    pub fn node_named(&self, full_name: &str) -> Option<&ProgramNode> {
        let (kind, name) = full_name.split_once('/')?;
        self.find(kind, name).map(|index| self.node(index))
    }

    pub(super) fn node(&self, index: NodeIndex) -> &ProgramNode {
        // INVARIANT: an index is only made for a node that is there, and none is ever taken out.
        &self.nodes[index.0]
    }

    pub(super) fn find(&self, kind: &str, name: &str) -> Option<NodeIndex> {
        self.places.get(&key(kind, name)).copied()
    }

    pub(super) fn tool(&self, name: &str) -> Option<NodeIndex> {
        self.find(TOOL_NODE, name)
    }

    /// The nodes that a node can lead to: by its edges, and by the tools of its model.
    pub(crate) fn next(&self, node: &ProgramNode) -> Vec<usize> {
        let by_edges = node.edges.iter().flat_map(|edge| &edge.targets);
        let by_edges = by_edges.filter_map(|target| target.node.as_ref().ok().map(|index| index.0));
        let by_tools = node.tools.iter().filter_map(|tool| self.tool(tool)).map(|index| index.0);
        by_edges.chain(by_tools).collect()
    }

    /// The account that a node runs with. The error is the name of an account that is not declared.
    pub(super) fn account<'p>(&'p self, used: &'p AccountUse) -> Result<&'p RunAccount, &'p SmolStr> {
        match &used.inlined {
            Some(account) => Ok(account),
            None => {
                let registered = || self.host.accounts.get(&used.name);
                self.accounts.get(&used.name).or_else(registered).ok_or(&used.name)
            }
        }
    }
}

/// The releases' error for a node that is not declared.
pub(super) fn not_found(kind: &str, name: &str) -> String {
    not_found_key(&key(kind, name))
}

/// The same error, for a key.
pub(super) fn not_found_key(key: &str) -> String {
    format!("Component with key '{key}' not found in the registry.")
}

fn key(kind: &str, name: &str) -> SmolStr {
    smol_str::format_smolstr!("{kind}:{name}")
}
