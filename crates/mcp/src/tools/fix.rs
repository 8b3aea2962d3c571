//! `fix`: the corrections of `check`, shown or written.

use serde::Deserialize;
use serde_json::json;

use crate::answer::{Answer, lines_schema};
use crate::error::ToolError;
use crate::program::{Finished, Invocation};
use crate::tool::{Effects, Request, Tool, object, paths_schema, with_pages};

pub(super) const TOOL: Tool = Tool {
    name: "fix",
    title: "Fix workflow files",
    description: "Shows the corrections of findings as a diff. With `write`, applies them to the files; call `check` afterwards. Only \
                  corrections that keep the meaning, unless `unsafe` is set: those may not match what was meant, so read the diff.",
    effects: Effects::Files,
    input: || {
        object(
            with_pages(json!({
                "paths": paths_schema(),
                "rules": {"type": "array", "items": {"type": "string"}, "description": "Only these rules or categories."},
                "unsafe": {"type": "boolean", "description": "Also corrections that may not match what was meant, such as a similar name."},
                "write": {"type": "boolean", "description": "Write the files. Without it, nothing is changed."},
            })),
            &[],
        )
    },
    output: || {
        lines_schema(json!({
            "written": {"type": "boolean", "description": "Whether files were written."},
            "clean": {"type": "boolean", "description":
                "Without `write`: nothing to correct. With `write`: no errors and warnings are left."},
        }))
    },
    ask,
    answer,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    rules: Vec<String>,
    #[serde(default, rename = "unsafe")]
    is_unsafe: bool,
    #[serde(default)]
    write: bool,
}

fn ask(request: &Request<'_>) -> Result<Invocation, ToolError> {
    let wanted: Arguments = request.arguments()?;
    let rules = (!wanted.rules.is_empty()).then(|| wanted.rules.join(","));
    Ok(Invocation::new("check")
        .with(if wanted.write { "--fix" } else { "--diff" })
        .with_flag("--unsafe-fixes", wanted.is_unsafe)
        .with("--no-progress")
        .with("--format=agent")
        .with_value("--select", rules)
        .with_paths(request.roots.files(&wanted.paths)?))
}

fn answer(request: &Request<'_>, finished: Finished) -> Result<Answer, ToolError> {
    let wanted: Arguments = request.arguments()?;
    if finished.code > 1 {
        return Err(finished.error());
    }
    let members = json!({"written": wanted.write, "clean": finished.code == 0});
    let text = match finished.stdout.as_str() {
        "" if !wanted.write => "nothing to correct\n".to_owned(),
        text => format!("{text}{}", finished.stderr),
    };
    Ok(request.part.lines(&text, members))
}
