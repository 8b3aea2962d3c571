//! LLMNode: a model gets its instructions, the history and new messages. It answers, or asks for tools.

use nodewise_expr::value::Value;

use super::Actor;
use crate::ask::{Answer, Message, ModelQuestion, Purpose, Question, Reply, Role};
use crate::outcome::Failure;
use crate::systems::liman::host::LimanProfile;
use crate::systems::liman::item::Item;
use crate::systems::liman::program::{Program, ProgramNode};
use crate::systems::liman::text;

/// The parameter types for which the releases can make a tool's schema.
const SCHEMA_TYPES: &[&str] =
    &["string", "str", "number", "integer", "int", "float", "boolean", "bool", "object"];

pub(super) fn begin(
    program: &Program,
    node: &ProgramNode,
    actor: &mut Actor,
    input: &Item,
) -> Result<Question, Failure> {
    let profile = program.host.profile;
    let said = messages(profile, input)?;
    if profile.is_release() {
        check_schemas(program, node)?;
    }
    let instructions = node.instructions.clone()?;
    let mut prompt = Vec::with_capacity(1 + actor.history.len() + said.len());
    if profile.is_release() || !instructions.is_empty() {
        prompt.push(Message::new(Role::System, Value::Text(instructions)));
    }
    prompt.extend(actor.history.iter().cloned());
    prompt.extend(said.iter().cloned());
    actor.pending = said;
    Ok(Question::Model(ModelQuestion {
        agent: node.name.clone(),
        purpose: Purpose::Work,
        prompt: prompt.into(),
        tools: node.tools.clone(),
        temperature: None,
        opening: None,
    }))
}

pub(super) fn finish(
    program: &Program,
    node: &ProgramNode,
    actor: &mut Actor,
    answer: &Answer,
) -> Result<Item, Failure> {
    let said = std::mem::take(&mut actor.pending);
    let reply = match &answer.result {
        Ok(Reply::Model(reply)) => reply.clone(),
        Ok(other) => {
            let value = super::value_of(other);
            crate::ask::ModelReply { text: Item::Value(value).text(), ..Default::default() }
        }
        Err(failure) => return Err(failure.clone()),
    };
    let content = match (&reply.value, program.host.profile) {
        (Some(value), LimanProfile::Release) if node.answer_example.is_some() => {
            Value::List([value.clone()].into())
        }
        (Some(value), LimanProfile::Spec) if reply.text.is_empty() => value.clone(),
        _ => Value::Text(reply.text),
    };
    let message = Message { calls: reply.calls, ..Message::new(Role::Model, content) };
    actor.history.extend(said);
    actor.history.push(message.clone());
    Ok(Item::Message(message))
}

/// The new part of the prompt. The specification's engine accepts everything; the releases accept texts, and messages
/// of people and tools.
fn messages(profile: LimanProfile, input: &Item) -> Result<Vec<Message>, Failure> {
    let human = |text| Message::new(Role::Human, Value::Text(text));
    match input {
        Item::Value(Value::Text(text)) => Ok(vec![human(text.clone())]),
        Item::Message(message) if matches!(message.role, Role::Human | Role::Tool) => {
            Ok(vec![message.clone()])
        }
        Item::List(items) => items
            .iter()
            .map(|item| match item {
                Item::Message(message) if profile.is_release() || message.role == Role::Tool => {
                    Ok(message.clone())
                }
                Item::Value(Value::Text(text)) => Ok(human(text.clone())),
                item if profile == LimanProfile::Spec => Ok(human(item.text())),
                item => Err(not_a_message(item)),
            })
            .collect(),
        item if profile == LimanProfile::Spec => Ok(vec![human(item.text())]),
        // A program may start a turn with several texts.
        Item::Value(Value::List(texts)) if profile == LimanProfile::Classic => texts
            .iter()
            .map(|text| match text {
                Value::Text(text) => Ok(human(text.clone())),
                other => Err(not_a_message(&Item::Value(other.clone()))),
            })
            .collect(),
        item => {
            let message = format!("Unsupported input type <class '{}'> for LLMNode", item.python_type());
            Err(Failure::lasting("NodeActorError", message))
        }
    }
}

fn not_a_message(item: &Item) -> Failure {
    let message = format!(
        "Unsupported message type: <class '{}'>\nFor troubleshooting, visit: \
         https://docs.langchain.com/oss/python/langchain/errors/MESSAGE_COERCION_FAILURE",
        item.python_type()
    );
    Failure::lasting("NotImplementedError", message)
}

/// Fails if a tool's schema cannot be made. The releases make the schemas before each call of the model.
fn check_schemas(program: &Program, node: &ProgramNode) -> Result<(), Failure> {
    let invalid = |message: String| Err(Failure::lasting("InvalidSpecError", message));
    for tool in node.tools.iter().filter_map(|tool| program.tool(tool)).map(|tool| program.node(tool)) {
        let is_described = !tool.texts.description.texts.is_empty();
        let description = text::description(&tool.texts.description, &program.host);
        if is_described && description.is_none_or(|description| description.is_empty()) {
            return invalid("Spec doesn't have a description.".to_owned());
        }
        for word in tool.arguments.iter().flat_map(|argument| &argument.types) {
            if word == "array" {
                return Err(Failure::lasting("NotImplementedError", "Array type is not supported yet."));
            }
            if !SCHEMA_TYPES.contains(&word.as_str()) {
                return invalid(format!("Unsupported type in tool specification: {word}"));
            }
        }
    }
    Ok(())
}
