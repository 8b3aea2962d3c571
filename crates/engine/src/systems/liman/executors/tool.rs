//! ToolNode: a function is called with the arguments that it declares, and its result answers the call.

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use crate::ask::{Answer, Question, ToolCall, ToolQuestion};
use crate::outcome::Failure;
use crate::systems::liman::item::{self, Item};
use crate::systems::liman::program::{Program, ProgramNode};
use crate::systems::liman::python;

/// The argument of the function that the releases use if a tool has none. Nothing ever gives it.
const STAND_IN_ARGUMENT: &str = "args";

pub(super) fn begin(program: &Program, node: &ProgramNode, input: &Item) -> Result<Question, Failure> {
    let call = match input {
        Item::Call(call) => call.clone(),
        other if program.host.profile.is_release() => return Err(not_a_call(other)),
        other => call_from_edge(node, other),
    };
    let arguments = arguments(program, node, &call)?;
    Ok(Question::Tool(ToolQuestion {
        tool: node.name.clone(),
        arguments,
        call: Some(call.id).filter(|id| !id.is_empty()),
    }))
}

pub(super) fn finish(
    program: &Program,
    node: &ProgramNode,
    input: &Item,
    answer: &Answer,
) -> Result<Item, Failure> {
    let call = match input {
        Item::Call(call) => call.clone(),
        other => call_from_edge(node, other),
    };
    let is_release = program.host.profile.is_release();
    let text = match &answer.result {
        Ok(reply) if is_release => python::text(&super::value_of(reply)).into(),
        Ok(reply) => Item::Value(super::value_of(reply)).text(),
        // In the releases an exception is an answer: nothing records it as a failure.
        Err(failure) if is_release => failure.message.clone(),
        Err(failure) => return Err(failure.clone()),
    };
    if is_release && call.id.is_empty() {
        return Err(Failure::lasting("ValidationError", NO_CALL_ID));
    }
    Ok(item::tool_message(&call, text))
}

/// The call by an edge that leads to a tool. A mapping gives the arguments by name; other inputs give none.
fn call_from_edge(node: &ProgramNode, input: &Item) -> ToolCall {
    let arguments = match input {
        Item::Value(value @ Value::Map(_)) => value.clone(),
        _ => Map::new().into(),
    };
    ToolCall { id: SmolStr::default(), tool: node.name.clone(), arguments }
}

/// The arguments that the function declares. A required one that is missing is an error.
fn arguments(program: &Program, node: &ProgramNode, call: &ToolCall) -> Result<Value, Failure> {
    let missing =
        |name: &str| Failure::lasting("ValueError", format!("Required parameter is missing: '{name}'"));
    if !node.has_function {
        return Err(match program.host.profile.is_release() {
            true => missing(STAND_IN_ARGUMENT),
            false => {
                Failure::lasting("FunctionNotFound", format!("there is no function `{}`", node.function))
            }
        });
    }
    let given = match &call.arguments {
        Value::Map(map) => map.clone(),
        _ => Default::default(),
    };
    let mut arguments = Map::new();
    for argument in &node.arguments {
        match given.get(&argument.name) {
            Some(value) => arguments.insert(argument.name.clone(), value.clone()),
            None if argument.is_optional => {}
            None => return Err(missing(&argument.name)),
        }
    }
    Ok(arguments.into())
}

/// The releases' error for an input that is no call of a tool.
fn not_a_call(input: &Item) -> Failure {
    let shown = python::clipped(&shown(input));
    let message = format!(
        "1 validation error for ToolCall\n  Input should be a valid dictionary or instance of ToolCall \
         [type=model_type, input_value={shown}, input_type={}]\n    For further information visit \
         https://errors.pydantic.dev/2.14/v/model_type",
        input.python_type()
    );
    Failure::lasting("ValidationError", message)
}

/// The item as error texts show it: only its two ends.
fn shown(item: &Item) -> String {
    match item {
        Item::Message(message) => {
            let content = python::representation(&message.content);
            format!(
                "AIMessage(content={content}, additional_kwargs={{}}, tool_calls=[], invalid_tool_calls=[])"
            )
        }
        Item::List(items) => {
            let items: Vec<String> = items.iter().map(shown).collect();
            format!("[{}]", items.join(", "))
        }
        item => python::representation(&item.to_value()),
    }
}

/// The releases' error for a call without an id, which nobody could answer.
const NO_CALL_ID: &str = "1 validation error for ToolMessage\ntool_call_id\n  Input should be a valid string [type=string_type, input_value=None, input_type=NoneType]\n    For further information visit https://errors.pydantic.dev/2.14/v/string_type";
