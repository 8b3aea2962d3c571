//! `evaluate`: an expression and its value.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, lines_schema};
use crate::error::ToolError;
use crate::program::{Finished, Invocation};
use crate::tool::{Effects, Request, Tool, object, with_pages};

pub(super) const TOOL: Tool = Tool {
    name: "evaluate",
    title: "Evaluate an expression",
    description: "Parses a condition or path in a language of a system and, with `values`, evaluates it as the system does.",
    effects: Effects::None,
    input: || {
        object(
            with_pages(json!({
                "language": {"type": "string", "description": "One of {languages}."},
                "expression": {"type": "string"},
                "values": {"description": "{values}"},
            })),
            &["language", "expression"],
        )
    },
    output: || {
        lines_schema(
            json!({"valid": {"type": "boolean", "description": "Whether the expression is one of the language."}}),
        )
    },
    ask,
    answer,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    language: String,
    expression: String,
    values: Option<Value>,
}

fn ask(request: &Request<'_>) -> Result<Invocation, ToolError> {
    let wanted: Arguments = request.arguments()?;
    Ok(Invocation::new("expr")
        .with_value("--context", wanted.values)
        .with_paths([wanted.language, wanted.expression]))
}

fn answer(request: &Request<'_>, finished: Finished) -> Result<Answer, ToolError> {
    if finished.code > 1 {
        return Err(finished.error());
    }
    let members = json!({"valid": finished.code == 0});
    let text = format!("{}{}", finished.stdout, finished.stderr);
    Ok(request.part.lines(&text, members))
}
