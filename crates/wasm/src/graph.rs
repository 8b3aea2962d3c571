//! The graphs that the files declare.
//!
//! Input: the files, perhaps the name of a graph. Output: the drawings and data of `nodewise graph`. Invariant: the same files give the
//! same bytes.

use nodewise_diagram::svg::Picture;
use nodewise_diagram::view::GraphView;
use nodewise_diagram::{Direction, dot, json, mermaid, svg, text};
use nodewise_ide::graph::{graphs_called, graphs_of, nest};
use nodewise_model::Origin;
use serde::Deserialize;
use serde_json::{Value, json as value};

use crate::error::JsError;
use crate::open_projects::{OpenProjects, ShownFiles};

/// What to draw, and how.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct JsGraphOptions {
    graph: Option<String>,
    format: JsGraphFormat,
    direction: JsDirection,
    nested: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsGraphFormat {
    #[default]
    Json,
    Text,
    Mermaid,
    Markdown,
    Dot,
    Svg,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsDirection {
    #[default]
    Down,
    Right,
}

/// Draws the graphs. It is an error if there are none, or if the format cannot show several.
pub(crate) fn graph(open: &OpenProjects, options: &JsGraphOptions) -> Result<String, JsError> {
    let mut graphs: Vec<GraphView> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    let mut values: Vec<String> = Vec::new();
    for project in open.projects() {
        let snapshot = project.snapshot();
        let sources: Vec<_> = snapshot.files().iter().map(|file| file.source).collect();
        let mut found = match &options.graph {
            Some(name) => graphs_called(&snapshot, &sources, name),
            None => graphs_of(&snapshot, &sources),
        };
        if options.nested {
            found.iter_mut().for_each(|graph| nest(&snapshot, graph));
        }
        let shown = ShownFiles::of(project, &snapshot);
        for graph in &found {
            match options.format {
                JsGraphFormat::Text => texts.push(text::text(graph, &|at| line(&shown, at))),
                JsGraphFormat::Json => values.push(json::graph(graph, &|at| place(&shown, at)).to_string()),
                _ => {}
            }
        }
        graphs.extend(found);
    }
    if graphs.is_empty() {
        return Err(nothing(options));
    }
    let title = match graphs.as_slice() {
        [graph] => graph.title.clone(),
        graphs => format!("{} graphs", graphs.len()),
    };
    let direction = match options.direction {
        JsDirection::Down => Direction::Down,
        JsDirection::Right => Direction::Right,
    };
    let pictures: Vec<Picture<'_>> = graphs.iter().map(Picture::plain).collect();
    let text = match options.format {
        JsGraphFormat::Json => {
            return Ok(format!("{{\"version\":{},\"graphs\":[{}]}}", json::VERSION, values.join(",")));
        }
        JsGraphFormat::Text => texts.join("\n"),
        JsGraphFormat::Dot => dot::dot(&title, &graphs.iter().collect::<Vec<_>>(), direction),
        JsGraphFormat::Svg => svg::svg(&title, &pictures, direction),
        JsGraphFormat::Markdown => mermaid::markdown(&graphs, direction),
        JsGraphFormat::Mermaid => match pictures.as_slice() {
            [_] => mermaid::mermaid(&pictures, direction),
            all => {
                let message = format!("a Mermaid diagram shows one graph, but there are {}", all.len());
                return Err(JsError::new(message, "name one with `graph`, or use the format `markdown`"));
            }
        },
    };
    Ok(Value::from(text).to_string())
}

fn nothing(options: &JsGraphOptions) -> JsError {
    match &options.graph {
        Some(name) => {
            JsError::new(format!("no graph is called `{name}`"), "leave the name out to draw all graphs")
        }
        None => JsError::new("no graphs to draw".to_owned(), "add files that declare graphs or nodes"),
    }
}

fn line(shown: &ShownFiles, at: Origin) -> Option<String> {
    let place = shown.place(at)?;
    Some(format!("{}:{}", place.path, place.start.at.line))
}

fn place(shown: &ShownFiles, at: Origin) -> Option<Value> {
    let place = shown.place(at)?;
    let [start, end] = [place.start, place.end]
        .map(|one| value!({"line": one.at.line, "column": one.at.column, "offset": one.offset}));
    Some(value!({"file": place.path, "range": {"start": start, "end": end}}))
}
