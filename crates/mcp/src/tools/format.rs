//! `format`: the layout of files.

use serde::Deserialize;
use serde_json::json;

use crate::answer::{Answer, lines_schema};
use crate::error::ToolError;
use crate::program::{Finished, Invocation};
use crate::tool::{
    Effects, Request, Tool, object, path_of_text_schema, paths_schema, text_schema, unsaved, with_pages,
};

pub(super) const TOOL: Tool = Tool {
    name: "format",
    title: "Format workflow files",
    description: "Shows what the formatter would change, as a diff. With `write`, formats the files. With `text`, returns the formatted \
                  text. Comments, anchors and meaning stay.",
    effects: Effects::Files,
    input: || {
        object(
            with_pages(json!({
                "paths": paths_schema(),
                "text": text_schema(),
                "path": path_of_text_schema(),
                "write": {"type": "boolean", "description": "Write the files. Without it, nothing is changed."},
            })),
            &[],
        )
    },
    output: || {
        lines_schema(json!({
            "written": {"type": "boolean", "description": "Whether files could be written."},
            "clean": {"type": "boolean", "description": "Whether the layout was right."},
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
    text: Option<String>,
    path: Option<String>,
    #[serde(default)]
    write: bool,
}

fn ask(request: &Request<'_>) -> Result<Invocation, ToolError> {
    let wanted: Arguments = request.arguments()?;
    let unsaved = unsaved(&wanted.text, request.roots, wanted.path.as_deref())?;
    let shows_diff = !wanted.write && wanted.text.is_none();
    let paths = request.roots.files(&wanted.paths)?;
    Ok(Invocation::new("fmt").with_flag("--diff", shows_diff).reading(unsaved, paths))
}

fn answer(request: &Request<'_>, finished: Finished) -> Result<Answer, ToolError> {
    let wanted: Arguments = request.arguments()?;
    if finished.code > 1 {
        return Err(finished.error());
    }
    let is_clean = match &wanted.text {
        Some(text) => finished.stdout == *text,
        None => finished.code == 0,
    };
    let text = match finished.stdout.as_str() {
        "" => finished.stderr,
        text => text.to_owned(),
    };
    let members = json!({"written": wanted.write && wanted.text.is_none(), "clean": is_clean});
    Ok(request.part.lines(&text, members))
}
