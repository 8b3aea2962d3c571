//! `graph`: nodes and edges.

use serde::Deserialize;
use serde_json::json;

use crate::answer::{Answer, lines_schema};
use crate::error::ToolError;
use crate::program::{Finished, Invocation};
use crate::tool::{
    Effects, Request, Tool, object, path_of_text_schema, paths_schema, text_schema, unsaved, with_pages,
};

pub(super) const TOOL: Tool = Tool {
    name: "graph",
    title: "Show graphs",
    description: "Lists the nodes of graphs with what they read and write, and their edges with conditions; or draws one graph with \
                  Mermaid. Nothing runs. Shorter than reading the files.",
    effects: Effects::None,
    input: || {
        object(
            with_pages(json!({
                "paths": paths_schema(),
                "text": text_schema(),
                "path": path_of_text_schema(),
                "graph": {"type": "string", "description": "Only the graph with this id or name, or all that this node reaches."},
                "nested": {"type": "boolean", "description": "Show subgraphs inside the nodes that run them."},
                "format": {"enum": ["text", "mermaid", "json"], "description": "`text` if absent. Mermaid draws one graph."},
            })),
            &[],
        )
    },
    output: || lines_schema(json!({})),
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
    graph: Option<String>,
    #[serde(default)]
    nested: bool,
    #[serde(default)]
    format: Format,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Text,
    Mermaid,
    Json,
}

fn ask(request: &Request<'_>) -> Result<Invocation, ToolError> {
    let wanted: Arguments = request.arguments()?;
    let unsaved = unsaved(&wanted.text, request.roots, wanted.path.as_deref())?;
    let format = match wanted.format {
        Format::Text => "text",
        Format::Mermaid => "mermaid",
        Format::Json => "json",
    };
    Ok(Invocation::new("graph")
        .with_value("--format", Some(format))
        .with_value("--graph", wanted.graph)
        .with_flag("--nested", wanted.nested)
        .reading(unsaved, request.roots.files(&wanted.paths)?))
}

fn answer(request: &Request<'_>, finished: Finished) -> Result<Answer, ToolError> {
    match finished.code {
        0 => Ok(request.part.lines(&finished.stdout, json!({}))),
        _ => Err(finished.error()),
    }
}
