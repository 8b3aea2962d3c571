//! `explain`: the page of a rule.

use serde::Deserialize;
use serde_json::json;

use crate::answer::{Answer, lines_schema};
use crate::error::ToolError;
use crate::program::{Finished, Invocation};
use crate::tool::{Effects, Request, Tool, object, with_pages};

pub(super) const TOOL: Tool = Tool {
    name: "explain",
    title: "Explain a rule",
    description: "Explains a rule that `check` names: what it reports, why, and an example with its correction. Without a rule, lists \
                  all rules, one a line.",
    effects: Effects::None,
    input: || {
        object(
            with_pages(json!({
                "rule": {"type": "string", "description": "The id of the rule, such as `unknown-tool`, or a category."},
                "dialect": {"type": "string", "description": "Without `rule`: only the rules of this system."},
            })),
            &[],
        )
    },
    output: || lines_schema(json!({})),
    ask: |request| {
        let wanted: Arguments = request.arguments()?;
        let page = Invocation::new("explain").with_value("--dialect", wanted.dialect);
        Ok(page.with_paths(wanted.rule))
    },
    answer,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    rule: Option<String>,
    dialect: Option<String>,
}

fn answer(request: &Request<'_>, finished: Finished) -> Result<Answer, ToolError> {
    match finished.code {
        0 => Ok(request.part.lines(&finished.stdout, json!({}))),
        _ => Err(finished.error()),
    }
}
