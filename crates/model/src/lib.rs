//! What declarations mean, free of the text and the dialect they were written in: origins,
//! references, localized texts and the graph of nodes and edges. Linter and engine meet here.
//!
//! Reading order: [`origin`] (where a thing was written), [`reference`] (a name that points at a
//! declaration), [`text`] (localized texts), [`condition`] (the text of a condition), [`declaration`] (what a document declares),
//! [`graph`] (a graph in one document), [`work`] (what its nodes do, with a module for each system), [`state`] (what they
//! read and write), [`plan`] (steps that a program makes a graph of),
//! [`scenario`] (what is answered in a dry run, and what must hold), [`project_rule`] (rules that a project writes itself), [`registry`] (the list of systems, and those that follow
//! from it). [`few`] and [`rare`] save memory where there is mostly one item, or nothing.

pub mod agentos;
pub mod answer_schema;
pub mod condition;
pub mod conventions;
pub mod cycgraph;
pub mod declaration;
pub mod few;
pub mod graph;
pub mod origin;
pub mod plan;
pub mod project_rule;
pub mod rare;
pub mod reference;
pub mod registry;
pub mod scenario;
pub mod schema_example;
pub mod state;
pub mod text;
pub mod uuid;
pub mod work;

pub use condition::Condition;
pub use declaration::{
    Account, Argument, ArgumentDetails, Body, CredentialsProvider, Declaration, Edge, EdgeForm, EdgeId,
    EdgeList, Injection, InlinedAccount, Node, NodeDetails, OutputField,
};
pub use few::Few;
pub use origin::{Located, Origin, Setting, SourceId};
pub use rare::{MostlyEmpty, Rare};
pub use reference::{NameScope, Reference, UnresolvedSeverity};
pub use text::{Localized, LocalizedText};
pub use uuid::is_uuid;
pub use work::NodeKind;
