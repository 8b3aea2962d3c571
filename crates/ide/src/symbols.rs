//! What files declare: the outline of one file, and a search over all files. In: a file of a snapshot, or a query. Out:
//! names with their places. The dialects' tables define what a declaration is.

mod outline;
mod search;
#[cfg(test)]
mod tests;

use nodewise_dialect::table::{Kind, KindRole, Symbol as Named};
use nodewise_model::{NodeKind, Origin};
use nodewise_syntax::TextRange;

pub use outline::outline;
pub use search::{FOUND_MAX, search};

/// A part of a file's outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineSymbol {
    /// The name. For an edge without an id, its ends.
    pub name: String,
    /// The kind of declaration or type of node, in the words of the file. Can be empty.
    pub detail: String,
    pub kind: SymbolKind,
    /// The range of the whole symbol.
    pub range: TextRange,
    /// The range of its name, inside of `range`.
    pub selection: TextRange,
    /// Its named parts.
    pub children: Vec<OutlineSymbol>,
}

/// A declaration that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSymbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The kind of declaration, or the graph that contains it.
    pub container: String,
    /// The place of its name.
    pub at: Origin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// A node that calls a model, as a separate document.
    ModelNode,
    Tool,
    /// A node that calls a function.
    FunctionNode,
    /// An identity.
    Account,
    /// A source of credentials.
    Provider,
    /// A patch for a declaration.
    Overlay,
    Graph,
    /// Graphs and agents packed together.
    Bundle,
    /// A node of a graph.
    Node,
    Agent,
    Plan,
    /// A connection between nodes.
    Edge,
    /// A server that offers tools.
    Server,
    LanguageModel,
    /// An argument, a key, or another small part with a name.
    Field,
}

impl SymbolKind {
    fn of_document(kind: &Kind) -> SymbolKind {
        match kind.role {
            KindRole::Node(NodeKind::Model) => SymbolKind::ModelNode,
            KindRole::Node(NodeKind::Tool) => SymbolKind::Tool,
            KindRole::Node(NodeKind::Function) => SymbolKind::FunctionNode,
            KindRole::Account => SymbolKind::Account,
            KindRole::Provider => SymbolKind::Provider,
            KindRole::Overlay => SymbolKind::Overlay,
            KindRole::Graph => SymbolKind::Graph,
            KindRole::Bundle => SymbolKind::Bundle,
            KindRole::GraphNode => SymbolKind::Node,
            KindRole::Agent => SymbolKind::Agent,
            KindRole::Plan | KindRole::Scenario | KindRole::Rule => SymbolKind::Plan,
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
