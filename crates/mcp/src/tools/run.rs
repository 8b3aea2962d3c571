//! `run`: a live run, after the user has allowed it.

use serde_json::json;

use super::simulate::{answer, of_command, run_schema};
use crate::answer::lines_schema;
use crate::error::ToolError;
use crate::program::Invocation;
use crate::tool::{Effects, Request, Tool, object, with_pages};

pub(super) const TOOL: Tool = Tool {
    name: "run",
    title: "Run with real models",
    description: "Runs a graph with real models and tools, which costs money and can have effects outside. The user sees what the run \
                  starts and calls, and is asked each time. `simulate` and `test` come first.",
    effects: Effects::Outside { plan },
    input: || object(with_pages(run_schema()), &["target"]),
    output: || {
        lines_schema(json!({
            "completed": {"type": "boolean", "description": "Whether the run completed; it may also fail or wait for people."},
        }))
    },
    ask,
    answer: |request, finished| answer(request, finished, "completed"),
};

fn plan(request: &Request<'_>) -> Result<Invocation, ToolError> {
    let mut invocation = of_command("run", request)?;
    invocation.arguments.insert(1, "--dry-run".to_owned());
    Ok(invocation)
}

fn ask(request: &Request<'_>) -> Result<Invocation, ToolError> {
    let mut invocation = of_command("run", request)?;
    invocation.is_live = true;
    // The user was asked here already. Decisions of people within the run wait for `nodewise resume`.
    for option in ["--trust", "--no-ask", "--no-progress"] {
        invocation.arguments.insert(1, option.to_owned());
    }
    Ok(invocation)
}
