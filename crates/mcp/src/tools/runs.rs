//! `runs`: live runs that are recorded.

use serde::Deserialize;
use serde_json::json;

use crate::answer::{Answer, lines_schema};
use crate::error::ToolError;
use crate::program::{Finished, Invocation};
use crate::tool::{Effects, Request, Tool, object, with_pages};

pub(super) const TOOL: Tool = Tool {
    name: "runs",
    title: "Show recorded runs",
    description: "Lists the live runs that are recorded in the workspace (status, time, tokens, cost), or shows one of them step by step. \
                  Starts nothing.",
    effects: Effects::None,
    input: || {
        object(
            with_pages(json!({
                "run": {"type": "string", "description": "The run to show: its id, the first letters of it, its name, or `last`."},
            })),
            &[],
        )
    },
    output: || lines_schema(json!({})),
    ask: |request| {
        let wanted: Arguments = request.arguments()?;
        Ok(match wanted.run {
            Some(run) => Invocation::new("runs").with("show").with_paths([run]),
            None => Invocation::new("runs"),
        })
    },
    answer,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    run: Option<String>,
}

fn answer(request: &Request<'_>, finished: Finished) -> Result<Answer, ToolError> {
    if finished.code > 1 {
        return Err(finished.error());
    }
    let text = if finished.stdout.is_empty() { finished.stderr } else { finished.stdout };
    Ok(request.part.lines(&text, json!({})))
}
