//! What files declare: the outline of one file, and a search over all. In: a file of a snapshot, or words typed by
//! somebody; out: names with their places. What counts as a declaration stands in the dialects' tables.

mod outline;
mod search;
#[cfg(test)]
mod tests;

use nodewise_dialect::table::{Kind, Role, Symbol as Named};
use nodewise_model::{NodeKind, Origin};
use nodewise_syntax::TextRange;

pub use outline::outline;
pub use search::{FOUND_MAX, search};

/// A part of a file's outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The name; for an edge without an id, what it connects.
    pub name: String,
    /// What kind of declaration or type of node it is, in the file's words; empty where there is nothing to add.
    pub detail: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Everything that belongs to it.
    pub range: TextRange,
    /// Its name, inside of the range.
    pub selection: TextRange,
    /// The parts of it that have names.
    pub children: Vec<Symbol>,
}

/// A declaration that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSymbol {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The kind of declaration, or the graph that holds it.
    pub container: String,
    /// Where its name stands.
    pub at: Origin,
}

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// A node that calls a model, in a file of its own.
    ModelNode,
    /// A tool.
    Tool,
    /// A node that calls a function.
    FunctionNode,
    /// An identity.
    Account,
    /// A source of credentials.
    Provider,
    /// A patch for a declaration.
    Overlay,
    /// A graph.
    Graph,
    /// Graphs and agents packed together.
    Bundle,
    /// A node of a graph.
    Node,
    /// An agent.
    Agent,
    /// A plan.
    Plan,
    /// A way between nodes.
    Edge,
    /// A server that offers tools.
    Server,
    /// A language model.
    LanguageModel,
    /// An argument, a key, or another small part with a name.
    Field,
}

impl SymbolKind {
    fn of_document(kind: &Kind) -> SymbolKind {
        match kind.role {
            Role::Node(NodeKind::Model) => SymbolKind::ModelNode,
            Role::Node(NodeKind::Tool) => SymbolKind::Tool,
            Role::Node(NodeKind::Function) => SymbolKind::FunctionNode,
            Role::Account => SymbolKind::Account,
            Role::Provider => SymbolKind::Provider,
            Role::Overlay => SymbolKind::Overlay,
            Role::Graph => SymbolKind::Graph,
            Role::Bundle => SymbolKind::Bundle,
            Role::GraphNode => SymbolKind::Node,
            Role::Agent => SymbolKind::Agent,
            Role::Plan | Role::Scenario => SymbolKind::Plan,
        }
    }

    fn of_name(named: Named) -> SymbolKind {
        match named {
            Named::Node | Named::Endpoint => SymbolKind::Node,
            Named::Edge => SymbolKind::Edge,
            Named::Graph => SymbolKind::Graph,
            Named::Agent => SymbolKind::Agent,
            Named::Tool => SymbolKind::Tool,
            Named::Server => SymbolKind::Server,
            Named::Model => SymbolKind::LanguageModel,
            Named::State
            | Named::ForeignState
            | Named::Artifact
            | Named::Guardrail
            | Named::Extension
            | Named::Trait
            | Named::Tag => SymbolKind::Field,
        }
    }
}
