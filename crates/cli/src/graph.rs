//! `nodewise graph`: graphs as pictures, diagrams and data.
//!
//! Input: paths, perhaps the name of a graph. Output: the graphs of the files, in one of the formats. Invariant: the
//! same files give the same bytes, and a file is written completely or not at all.

use std::cell::RefCell;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use nodewise_analysis::workspace::Snapshot;
use nodewise_diagram::svg::Picture;
use nodewise_diagram::view::GraphView;
use nodewise_diagram::{dot, json, mermaid, svg, text};
use nodewise_ide::graph::{graphs_called, graphs_of, nest};
use nodewise_model::{Origin, SourceId};
use nodewise_project::config;
use nodewise_project::discovery::{self, Project};
use nodewise_simulation::target::plan_of;
use nodewise_syntax::{LineCol, LineIndex};
use rustc_hash::FxHashMap;
use serde_json::{Value, json as value};

use crate::check::dialect_pin;
use crate::outcome::Outcome;
use crate::output::{Output, remark};
use crate::print::json::to_json;
use crate::{input, notices, screen, words, workspace};

/// The maximum number of names in a list.
const NAMES_SHOWN: usize = 12;

/// Draw the graphs that files declare.
///
/// Nothing runs. If each node is a separate document, a node and everything that it reaches are one graph. Nodes
/// with errors, names without a declaration and unreachable nodes are marked; `nodewise check` explains them.
#[derive(Args)]
pub(crate) struct GraphOptions {
    /// Files and folders with graphs; `-` reads standard input.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// Draw only the graph with this id or name.
    ///
    /// The name of a node (`NAME` or `KIND/NAME`) draws everything that the node reaches.
    #[arg(long, value_name = "NAME")]
    graph: Option<String>,
    /// Output format.
    ///
    /// By default, the ending of the `-o` file decides. Without `-o`, it is `text`.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write to a file instead of standard output.
    #[arg(short = 'o', long = "output", alias = "output-file", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Direction of the edges in pictures and diagrams.
    #[arg(long, value_enum, default_value_t = Direction::Down)]
    direction: Direction,
    /// Draw subgraphs inside the nodes that run them.
    #[arg(long)]
    nested: bool,
    /// Read every file as a file of this system.
    #[arg(long, value_parser = words::dialects())]
    dialect: Option<String>,
    /// Use this file instead of each project's `nodewise.toml`.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Follow symbolic links that lead out of the project.
    #[arg(long)]
    follow_links: bool,
    /// Read standard input as if it were this file.
    ///
    /// The other files of its project are read as context.
    #[arg(long, value_name = "PATH")]
    stdin_filename: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The nodes, each with its edges.
    Text,
    /// A Mermaid flowchart of one graph.
    Mermaid,
    /// A Markdown document with a Mermaid flowchart for each graph.
    Markdown,
    /// Graphviz.
    Dot,
    /// An SVG picture.
    Svg,
    /// One JSON document, with a version.
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Direction {
    /// Downwards.
    Down,
    /// To the right.
    Right,
}

/// The file extensions, with their formats.
const ENDINGS: &[(&str, Format)] = &[
    ("txt", Format::Text),
    ("mmd", Format::Mermaid),
    ("mermaid", Format::Mermaid),
    ("md", Format::Markdown),
    ("markdown", Format::Markdown),
    ("dot", Format::Dot),
    ("gv", Format::Dot),
    ("svg", Format::Svg),
    ("json", Format::Json),
];

/// Draws the graphs.
pub(crate) fn run(options: &GraphOptions, output: &mut Output) -> Result<Outcome> {
    let format = options.format()?;
    let forced = options.dialect.as_deref().map(dialect_pin).transpose()?;
    let request = input::request(&options.paths, options.stdin_filename.as_deref())?;
    let request = request.follow_links(options.follow_links);
    let found = discovery::find(&request, options.config.as_deref())?;
    let mut notices = found.notices;
    let mut drawn = Drawn::default();
    for project in &found.projects {
        let asked = workspace::asked(project, forced, request.stdin.as_ref(), &mut notices);
        let mut graphs = match &options.graph {
            Some(name) => graphs_called(&asked.snapshot, &asked.sources, name),
            None => graphs_of(&asked.snapshot, &asked.sources),
        };
        if options.nested {
            graphs.iter_mut().for_each(|graph| nest(&asked.snapshot, graph));
        }
        let places = Places::new(project, &asked.snapshot);
        if options.graph.is_some() && graphs.is_empty() {
            drawn.others.extend(graphs_of(&asked.snapshot, &asked.sources).iter().flat_map(names));
        }
        let files = asked.sources.iter().filter_map(|source| asked.snapshot.file(*source));
        drawn.plan = drawn.plan.or(plan_of(&asked.snapshot, files));
        drawn.add(format, graphs, &places);
    }
    let is_failure = notices::print_all(notices);
    if drawn.graphs.is_empty() {
        if is_failure {
            return Ok(Outcome::Failed);
        }
        bail!("{}", options.nothing(&drawn));
    }
    let text = options.rendered(format, &drawn)?;
    match &options.file {
        Some(path) => {
            let mut file = Output::file(path)?;
            file.write(&text)?;
            file.finish()?;
        }
        None => output.write(&text)?,
    }
    Ok(if is_failure { Outcome::Failed } else { Outcome::Clean })
}

/// The graphs to draw.
#[derive(Default)]
struct Drawn {
    graphs: Vec<GraphView>,
    /// Their texts, for the formats that need the text of files: text and JSON.
    texts: Vec<String>,
    values: Vec<Value>,
    /// The names of other graphs, if the requested one does not exist.
    others: Vec<String>,
    /// The kind of a plan, which cannot be drawn.
    plan: Option<&'static str>,
}

impl Drawn {
    fn add(&mut self, format: Format, graphs: Vec<GraphView>, places: &Places<'_>) {
        for graph in graphs {
            match format {
                Format::Text => self.texts.push(text::text(&graph, &|at| places.shown(at))),
                Format::Json => self.values.push(json::graph(&graph, &|at| places.value(at))),
                Format::Mermaid | Format::Markdown | Format::Dot | Format::Svg => {}
            }
            self.graphs.push(graph);
        }
    }

    /// The title of the whole drawing.
    fn title(&self) -> String {
        match self.graphs.as_slice() {
            [graph] => graph.title.clone(),
            graphs => format!("{} graphs", graphs.len()),
        }
    }
}

impl GraphOptions {
    fn format(&self) -> Result<Format> {
        let ending =
            self.file.as_ref().and_then(|file| file.extension()).map(|ending| ending.to_string_lossy());
        let by_ending =
            ENDINGS.iter().find(|(known, _)| ending.as_deref() == Some(*known)).map(|(_, format)| *format);
        match (self.format, by_ending, &self.file) {
            // In a Markdown file, the diagrams are in code blocks.
            (Some(Format::Mermaid), Some(Format::Markdown), _) => Ok(Format::Markdown),
            (Some(format), ..) | (None, Some(format), _) => Ok(format),
            (None, None, None) => Ok(Format::Text),
            (None, None, Some(file)) => {
                let endings: Vec<&str> = ENDINGS.iter().map(|(ending, _)| *ending).collect();
                bail!(
                    "cannot guess the output format from the name `{}`\n  help: add `--format`, or use one of the endings {}",
                    file.display(),
                    endings.join(", ")
                )
            }
        }
    }

    /// The reason why there is nothing to draw.
    fn nothing(&self, drawn: &Drawn) -> String {
        let others = drawn.others.as_slice();
        let Some(name) = &self.graph else {
            if let Some(kind) = drawn.plan {
                return format!(
                    "no graphs to draw\n  help: nodewise checks a {kind}, but does not draw it: your program compiles it to a graph"
                );
            }
            return "no graphs to draw\n  help: name files or folders that declare graphs or nodes; `nodewise check \
                    --list-files` shows which files are read"
                .to_owned();
        };
        let known: Vec<&str> = others.iter().map(String::as_str).collect();
        let help = match config::suggestion(name, &known) {
            _ if known.is_empty() => "these files declare no graphs".to_owned(),
            _ if known.len() > NAMES_SHOWN
                && nodewise_analysis::nearest(name, known.iter().copied()).is_none() =>
            {
                listed(others)
            }
            suggestion => suggestion,
        };
        format!("no graph is called `{name}`\n  help: {help}")
    }

    fn rendered(&self, format: Format, drawn: &Drawn) -> Result<String> {
        let direction = match self.direction {
            Direction::Down => nodewise_diagram::Direction::Down,
            Direction::Right => nodewise_diagram::Direction::Right,
        };
        Ok(match format {
            Format::Text => screen::lines(&drawn.texts.join("\n")).into_owned(),
            Format::Json => {
                let graphs: Vec<String> = drawn.values.iter().map(to_json).collect();
                format!("{{\"version\":{},\"graphs\":[\n{}\n]}}\n", json::VERSION, graphs.join(",\n"))
            }
            Format::Dot => dot::dot(&drawn.title(), &drawn.graphs.iter().collect::<Vec<_>>(), direction),
            Format::Svg => {
                let pictures: Vec<Picture<'_>> = drawn.graphs.iter().map(Picture::plain).collect();
                svg::svg(&drawn.title(), &pictures, direction)
            }
            Format::Markdown => {
                drawn.graphs.iter().for_each(warn_of_size);
                mermaid::markdown(&drawn.graphs, direction)
            }
            Format::Mermaid => {
                let [graph] = drawn.graphs.as_slice() else { bail!("{}", too_many(&drawn.graphs)) };
                warn_of_size(graph);
                mermaid::mermaid(&[Picture::plain(graph)], direction)
            }
        })
    }
}

/// Warns if Mermaid does not draw a diagram of this size by default.
fn warn_of_size(graph: &GraphView) {
    let edges = mermaid::edges(graph);
    if edges > mermaid::EDGES_MAX {
        remark(&format!(
            "warning: {} has {edges} edges; Mermaid draws at most {}, unless you raise `maxEdges`, which GitHub does \
             not allow\n  help: use `--format svg`",
            graph.title,
            mermaid::EDGES_MAX
        ));
    }
}

fn too_many(graphs: &[GraphView]) -> String {
    let mut all: Vec<String> = graphs.iter().flat_map(names).collect();
    all.dedup();
    format!(
        "a Mermaid diagram shows one graph, but there are {}\n  help: choose one with `--graph NAME`: {}; or write all of \
         them to a Markdown file with `-o FILE.md`",
        graphs.len(),
        listed(&all)
    )
}

/// The first of some names, and the number of the others.
fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(NAMES_SHOWN).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(NAMES_SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The names for a graph: its own, else those of its nodes.
fn names(graph: &GraphView) -> Vec<String> {
    match graph.names.first() {
        Some(name) => vec![name.to_string()],
        None => {
            graph.nodes.iter().filter(|node| node.at.is_some()).map(|node| node.label.to_string()).collect()
        }
    }
}

/// Converts places in the files of a project. The lines of each file are counted once.
struct Places<'p> {
    snapshot: &'p Snapshot,
    shown: FxHashMap<&'p str, String>,
    lines: RefCell<FxHashMap<SourceId, LineIndex>>,
}

impl<'p> Places<'p> {
    fn new(project: &'p Project, snapshot: &'p Snapshot) -> Places<'p> {
        let shown = project.files.iter().map(|file| (&*file.relative, project.shown_path(file)));
        Places { snapshot, shown: shown.collect(), lines: RefCell::default() }
    }

    fn shown(&self, at: Origin) -> Option<String> {
        let (path, start, _) = self.find(at)?;
        Some(format!("{path}:{}", start.line))
    }

    fn value(&self, at: Origin) -> Option<Value> {
        let (file, start, end) = self.find(at)?;
        let position =
            |at: LineCol, offset: u32| value!({"line": at.line, "column": at.column, "offset": offset});
        let start = position(start, at.range.start().into());
        let end = position(end, at.range.end().into());
        Some(value!({"file": file, "range": {"start": start, "end": end}}))
    }

    fn find(&self, at: Origin) -> Option<(&str, LineCol, LineCol)> {
        let file = self.snapshot.file(at.source)?;
        let mut known = self.lines.borrow_mut();
        let lines = known.entry(at.source).or_insert_with(|| LineIndex::new(&file.text));
        let path = self.shown.get(&*file.path)?;
        Some((path, lines.line_col(at.range.start()), lines.line_col(at.range.end())))
    }
}
