//! What runs when a node is visited: one file for each kind of work, named here and nowhere else.
//!
//! Input: what the node is given, and later the world's answer; output: a question to the world, then the node's
//! output. Invariant: an executor looks at its own node and actor alone.

mod function;
mod model;
mod tool;

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use nodewise_model::NodeKind;

use super::item::Item;
use super::program::{Program, ProgramNode};
use crate::ask::{Answer, Message, Question, Reply};
use crate::outcome::Failure;

/// The memory of a node: a new one for each call of the node, and a lasting one for the start node.
#[derive(Debug, Clone, Default)]
pub(super) struct Actor {
    /// The conversation of a model so far.
    pub(super) history: Vec<Message>,
    /// What functions set for conditions of edges.
    pub(super) state: Arc<Map>,
    /// Messages that join the history when the model answers.
    pub(super) pending: Vec<Message>,
}

/// The question with which a visit of the node begins.
pub(super) fn begin(
    program: &Program,
    node: &ProgramNode,
    actor: &mut Actor,
    input: &Item,
) -> Result<Question, Failure> {
    match node.work {
        NodeKind::Model => model::begin(program, node, actor, input),
        NodeKind::Tool => tool::begin(program, node, input),
        NodeKind::Function => function::begin(program, node, input),
    }
}

/// The output that results from an answer.
pub(super) fn finish(
    program: &Program,
    node: &ProgramNode,
    actor: &mut Actor,
    input: &Item,
    answer: &Answer,
) -> Result<Item, Failure> {
    match node.work {
        NodeKind::Model => model::finish(program, node, actor, answer),
        NodeKind::Tool => tool::finish(program, node, input, answer),
        NodeKind::Function => function::finish(answer),
    }
}

/// An answer as a value.
pub(super) fn value_of(reply: &Reply) -> Value {
    match reply {
        Reply::Value(value) => value.clone(),
        Reply::Model(reply) => reply.value.clone().unwrap_or_else(|| Value::Text(reply.text.clone())),
        Reply::Decision(decision) => decision.data.clone().unwrap_or(Value::Null),
        Reply::Verdict(verdict) => Value::Bool(verdict.passed),
        Reply::Remote(_) | Reply::Session(_) => Value::Null,
    }
}
