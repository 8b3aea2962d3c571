//! `simulate`: a run with scripted answers. `explore`: all possible runs.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, lines_schema};
use crate::error::ToolError;
use crate::program::{Finished, Invocation};
use crate::tool::{Effects, Request, Tool, object, with_pages};

pub(super) const SIMULATE: Tool = Tool {
    name: "simulate",
    title: "Simulate a run",
    description: "Runs a graph without models, tools and network: a script answers in their place, and time is virtual. Shows each \
                  step with what it reads and writes, and why each edge is followed. Without a script, a model answers `echo of NODE`, \
                  so conditions on answers do not hold.",
    effects: Effects::None,
    input: || object(with_pages(run_schema()), &["target"]),
    output: || {
        lines_schema(json!({
            "completed": {"type": "boolean", "description": "Whether the run completed; it may also fail or wait."},
        }))
    },
    ask: invocation,
    answer: |request, finished| answer(request, finished, "completed"),
};

pub(super) const EXPLORE: Tool = Tool {
    name: "explore",
    title: "Explore all runs",
    description: "Tries all possible runs of a graph, within limits: how runs end, with which path, and what goes wrong: nodes and edges \
                  that no run reaches, keys read before they are written, loops without an end. Slower than `check`, and more \
                  certain.",
    effects: Effects::None,
    input: || object(with_pages(run_schema()), &["target"]),
    output: || {
        lines_schema(json!({"clean": {"type": "boolean", "description": "Whether no problem was found."}}))
    },
    ask: |request| {
        let mut invocation = invocation(request)?;
        invocation.arguments.insert(1, "--explore".to_owned());
        Ok(invocation)
    },
    answer: |request, finished| answer(request, finished, "clean"),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    target: String,
    script: Option<String>,
    input: Option<Value>,
    start: Option<String>,
    seed: Option<u64>,
}

/// The schema of the input of a run.
pub(super) fn run_schema() -> Value {
    json!({
        "target": {"type": "string", "description": "A file, a graph of a file (`FILE#ID`), a folder, or a scenario file."},
        "script": {"type": "string", "description": "A file with the input and the answers of models, tools and people."},
        "input": {"description": "The input of the run, any JSON value."},
        "start": {"type": "string", "description": "Begin at this node."},
        "seed": {"type": "integer", "minimum": 0, "description": "The seed for random choices."},
    })
}

fn invocation(request: &Request<'_>) -> Result<Invocation, ToolError> {
    of_command("simulate", request)
}

/// A command with the input of a run.
pub(super) fn of_command(command: &str, request: &Request<'_>) -> Result<Invocation, ToolError> {
    let wanted: Arguments = request.arguments()?;
    let script = wanted.script.as_deref().map(|script| request.roots.file(script)).transpose()?;
    let target = request.roots.target(&wanted.target)?;
    Ok(Invocation::new(command)
        .with_value("--script", script)
        // The input is passed as JSON, so that a text is not read as the name of a file.
        .with_value("--input", wanted.input.as_ref())
        .with_value("--start", wanted.start.as_ref())
        .with_value("--seed", wanted.seed)
        .with_paths([target]))
}

/// The timeline of a run. A member called `name` of the structured answer says whether the command succeeded.
pub(super) fn answer(request: &Request<'_>, finished: Finished, name: &str) -> Result<Answer, ToolError> {
    if finished.code > 1 || finished.stdout.is_empty() {
        return Err(finished.error());
    }
    let mut members = serde_json::Map::new();
    members.insert(name.to_owned(), json!(finished.code == 0));
    let text = format!("{}{}", finished.stdout, finished.stderr);
    Ok(request.part.lines(&text, Value::Object(members)))
}
