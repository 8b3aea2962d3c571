//! `test`: scenarios and what they expect.

use serde::Deserialize;
use serde_json::json;

use crate::answer::{Answer, lines_schema};
use crate::error::ToolError;
use crate::program::{Finished, Invocation};
use crate::tool::{Effects, Request, Tool, object, paths_schema, with_pages};

pub(super) const TOOL: Tool = Tool {
    name: "test",
    title: "Run scenarios",
    description: "Runs the scenarios (`*.scenario.yaml`) of a folder without models, tools and network, and compares each run with what \
                  it expects. Says which expectation failed and where.",
    effects: Effects::None,
    input: || {
        object(
            with_pages(json!({
                "paths": paths_schema(),
                "filter": {"type": "string", "description": "Only scenarios whose title or path contains this text."},
                "coverage": {"type": "boolean", "description": "Add which nodes, edges and conditions no scenario reaches."},
            })),
            &[],
        )
    },
    output: || {
        lines_schema(json!({"passed": {"type": "boolean", "description": "Whether all scenarios passed."}}))
    },
    ask,
    answer,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default)]
    paths: Vec<String>,
    filter: Option<String>,
    #[serde(default)]
    coverage: bool,
}

fn ask(request: &Request<'_>) -> Result<Invocation, ToolError> {
    let wanted: Arguments = request.arguments()?;
    Ok(Invocation::new("test")
        .with_value("--filter", wanted.filter)
        .with_value("--coverage", wanted.coverage.then_some("text"))
        .with_paths(request.roots.files(&wanted.paths)?))
}

fn answer(request: &Request<'_>, finished: Finished) -> Result<Answer, ToolError> {
    if finished.code > 1 {
        return Err(finished.error());
    }
    let members = json!({"passed": finished.code == 0});
    let text = format!("{}{}", finished.stdout, finished.stderr);
    Ok(request.part.lines(&text, members))
}
