//! The pictures of examples in the documentation.
//!
//! Input is the examples of the checkout. Output is a picture for each, as `nodewise graph` draws it. Invariant: the
//! files and settings are those that the command uses for the same folder.

use std::path::Path;

use anyhow::{Context, Result};
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_diagram::Direction;
use nodewise_diagram::svg::{Picture, svg};
use nodewise_diagram::view::GraphView;
use nodewise_ide::graph::{graphs_called, nest};
use nodewise_model::SourceId;
use nodewise_project::discovery::{DiscoveryRequest, find};
use nodewise_project::reading;
use nodewise_project::settings::SettingsOf;

use super::GeneratedFile;

/// A picture: its file, the folder of the example, the graph, and the options.
struct Shown {
    file: &'static str,
    folder: &'static str,
    graph: &'static str,
    is_nested: bool,
    direction: Direction,
}

const SHOWN: &[Shown] = &[
    shown("cycgraph-claims", "cycgraph", "claims"),
    Shown { is_nested: true, ..shown("cycgraph-claims-nested", "cycgraph", "claims") },
    shown("cycgraph-settlement", "cycgraph", "settlement"),
    Shown { direction: Direction::Right, ..shown("cycgraph-rates", "cycgraph", "rates") },
    shown("cycgraph-broken-claims", "cycgraph-broken", "claims"),
    shown("agentos-refunds", "agentos", "refunds"),
    Shown { direction: Direction::Right, ..shown("agentos-order-history", "agentos", "order-history") },
    shown("liman-desk", "liman", "desk"),
];

const fn shown(file: &'static str, folder: &'static str, graph: &'static str) -> Shown {
    Shown { file, folder, graph, is_nested: false, direction: Direction::Down }
}

pub(super) fn pictures(root: &Path) -> Result<Vec<GeneratedFile>> {
    SHOWN
        .iter()
        .map(|shown| picture(root, shown).with_context(|| format!("the picture {}", shown.file)))
        .collect()
}

fn picture(root: &Path, shown: &Shown) -> Result<GeneratedFile> {
    let (snapshot, sources) = project(&root.join("examples").join(shown.folder))?;
    let mut graphs: Vec<GraphView> = graphs_called(&snapshot, &sources, shown.graph);
    if shown.is_nested {
        graphs.iter_mut().for_each(|graph| nest(&snapshot, graph));
    }
    let graph = graphs.first().with_context(|| format!("no graph is called {}", shown.graph))?;
    let text = svg(&graph.title, &[Picture::plain(graph)], shown.direction);
    Ok(GeneratedFile { path: format!("docs/graphs/{}.svg", shown.file), text })
}

fn project(folder: &Path) -> Result<(Snapshot, Vec<SourceId>)> {
    let found = find(&DiscoveryRequest::new(&[folder.to_owned()], None)?, None)?;
    let project = found.projects.first().context("the folder is no project")?;
    let mut settings = SettingsOf::new(project.config.clone(), None);
    let mut changes = Vec::new();
    for file in project.files.iter() {
        let read = reading::read(&file.path(), project.config.size_max);
        let text = read.map_err(|unreadable| anyhow::anyhow!("{}: {}", file.relative, unreadable.reason))?;
        changes.push(Change::Write {
            path: file.relative.clone(),
            text,
            settings: settings.file(&file.relative),
        });
    }
    let mut workspace = Workspace::new();
    workspace.apply(changes);
    let snapshot = workspace.snapshot();
    let sources = snapshot.files().iter().map(|file| file.source).collect();
    Ok((snapshot, sources))
}
