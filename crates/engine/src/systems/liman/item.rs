//! Inputs and outputs of nodes: texts and values, messages, tool calls, lists of them.
//!
//! Output: values for traces, texts for people and models. Invariant: a message keeps who said it, and which call it
//! answers.

use nodewise_expr::json;
use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::python;
use crate::ask::{Message, Role, ToolCall};

/// An input or output of a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    /// A value; [`Value::Null`] is nothing.
    Value(Value),
    Message(Message),
    /// A model's call of a tool.
    Call(ToolCall),
    /// Several items.
    List(Vec<Item>),
}

impl Item {
    /// Nothing; the output of a branch that failed.
    pub(super) const NOTHING: Item = Item::Value(Value::Null);

    /// The item as traces show it.
    pub(super) fn to_value(&self) -> Value {
        match self {
            Item::Value(value) => value.clone(),
            Item::Message(message) => message_value(message),
            Item::Call(call) => call_value(call),
            Item::List(items) => items.iter().map(Item::to_value).collect(),
        }
    }

    /// The item as text: a text is itself, a message its content, anything else its JSON (liman:7.5, clause 9).
    pub(super) fn text(&self) -> SmolStr {
        match self {
            Item::Value(value) => value_text(value),
            Item::Message(message) => match &message.content {
                Value::List(items) => {
                    let texts: Vec<SmolStr> = items.iter().map(value_text).collect();
                    texts.join("\n").into()
                }
                content => value_text(content),
            },
            Item::Call(_) | Item::List(_) => json_text(&self.to_value()),
        }
    }

    /// The name of the item's type in the releases.
    pub(super) fn python_type(&self) -> &'static str {
        match self {
            Item::Value(value) => python::type_name(value),
            Item::Message(message) => match message.role {
                Role::Human => "HumanMessage",
                Role::Tool => "ToolMessage",
                Role::System => "SystemMessage",
                _ => "AIMessage",
            },
            Item::Call(_) => "dict",
            Item::List(_) => "list",
        }
    }
}

/// A tool's answer to a call.
pub(super) fn tool_message(call: &ToolCall, text: impl Into<SmolStr>) -> Item {
    let answers = Some(ToolCall { arguments: Value::Null, ..call.clone() });
    Item::Message(Message { answers, ..Message::new(Role::Tool, Value::Text(text.into())) })
}

fn value_text(value: &Value) -> SmolStr {
    match value {
        Value::Text(text) => text.clone(),
        value => json_text(value),
    }
}

fn json_text(value: &Value) -> SmolStr {
    json::to_json(value).to_string().into()
}

fn message_value(message: &Message) -> Value {
    let mut shown = Map::new();
    let role = match message.role {
        Role::System => "system",
        Role::Human => "human",
        Role::Model => "ai",
        Role::Tool => "tool",
        Role::State => "state",
        Role::Task => "task",
    };
    shown.insert(role, message.content.clone());
    if !message.calls.is_empty() {
        shown.insert("tool_calls", message.calls.iter().map(call_value).collect());
    }
    if let Some(call) = &message.answers {
        shown.insert("name", Value::Text(call.tool.clone()));
        shown.insert("id", id_value(&call.id));
    }
    shown.into()
}

fn call_value(call: &ToolCall) -> Value {
    let mut shown = Map::new();
    shown.insert("name", Value::Text(call.tool.clone()));
    shown.insert("args", call.arguments.clone());
    shown.insert("id", id_value(&call.id));
    shown.into()
}

fn id_value(id: &SmolStr) -> Value {
    if id.is_empty() { Value::Null } else { Value::Text(id.clone()) }
}
