//! Node and FunctionNode: a function of the program is called with what the node is given.

use crate::ask::{Answer, FunctionQuestion, Question};
use crate::outcome::Failure;
use crate::systems::liman::item::Item;
use crate::systems::liman::program::{PLAIN_NODE, Program, ProgramNode};

pub(super) fn begin(program: &Program, node: &ProgramNode, input: &Item) -> Result<Question, Failure> {
    let is_release = program.host.profile.is_release();
    if is_release && node.kind == PLAIN_NODE {
        let message = format!("Unsupported node type {PLAIN_NODE} for execution");
        return Err(Failure::lasting("NodeActorError", message));
    }
    if !node.has_function {
        return Err(match is_release {
            true => {
                let message = format!("'{}' object has no attribute 'func'", node.kind);
                Failure::lasting("AttributeError", message)
            }
            false => {
                Failure::lasting("FunctionNotFound", format!("there is no function `{}`", node.function))
            }
        });
    }
    let path = node.function.clone();
    Ok(Question::Function(FunctionQuestion { path, input: input.to_value() }))
}

pub(super) fn finish(answer: &Answer) -> Result<Item, Failure> {
    match &answer.result {
        Ok(reply) => Ok(Item::Value(super::value_of(reply))),
        Err(failure) => Err(failure.clone()),
    }
}
