//! Names that `nodewise.toml` defines: tools, servers and models of live runs.
//!
//! Input: a name in a file. Output: its line in the configuration, and the function that it names. Invariant: a name
//! that is not in the configuration gives no result.

use std::sync::Arc;

use nodewise_ide::markup::{Line, Markup};
use nodewise_ide::names::{Entity, NameKind, name_at};
use nodewise_ide::position::FilePosition;
use nodewise_model::Origin;
use nodewise_project::config::{FILE_NAME, assist};
use nodewise_project::reading;
use nodewise_syntax::{TextRange, TextSize};
use tower_lsp_server::ls_types as lsp;

use crate::convert;
use crate::positions::LineTable;
use crate::request::{Asked, File};

/// What the configuration says about a name.
pub(crate) struct Bound {
    /// The place of the name in the file.
    pub(crate) origin: Origin,
    name: String,
    /// The table of `[live]` that contains it.
    table: &'static str,
    /// The dotted path of the Python function that live runs call, if the name is a tool with one.
    pub(crate) function: Option<String>,
    /// The server that provides the tool.
    server: Option<String>,
}

/// What the configuration says about the name at a position.
pub(crate) fn at(file: &File<'_>, position: FilePosition) -> Option<Bound> {
    let live = &file.project.live;
    let name = name_at(file.snapshot(), position)?;
    let key = match &name.entity {
        Entity::Shared { name, .. } | Entity::Missing { name, .. } => name.as_str(),
        _ => return None,
    };
    let tool = live.tools.get(key);
    let table = match &name.entity {
        Entity::Shared { kind: NameKind::Tool, .. } | Entity::Missing { .. } => tool.map(|_| "tools"),
        Entity::Shared { kind: NameKind::Server, .. } => live.mcp.get(key).map(|_| "mcp"),
        Entity::Shared { kind: NameKind::Model, .. } => live.models.get(key).map(|_| "models"),
        _ => None,
    }?;
    let tool = tool.filter(|_| table == "tools");
    Some(Bound {
        origin: name.at,
        name: key.to_owned(),
        table,
        function: tool.and_then(|tool| tool.function.clone()),
        server: tool.and_then(|tool| tool.mcp.clone()),
    })
}

impl Bound {
    /// The place in the configuration that defines the name.
    pub(crate) fn place(&self, asked: &Asked<'_>, file: &File<'_>) -> Option<(lsp::Uri, lsp::Range)> {
        let uri = file.project.uri(FILE_NAME)?;
        let text: Arc<str> = match asked.view.documents.get(&uri) {
            Some(document) => Arc::clone(&document.text),
            None => {
                asked.view.disk.read(&file.project.root.as_deref()?.join(FILE_NAME), reading::MIB).ok()?
            }
        };
        let range = assist::key_at(&text, &["live", self.table, &self.name])?;
        let offset = |offset: usize| TextSize::try_from(offset).unwrap_or_default();
        let range = TextRange::new(offset(range.start), offset(range.end));
        let span = LineTable::new(&text, asked.view.encoding).span(range);
        Some((convert::uri(&uri)?, convert::range(span)))
    }

    /// The text that a hover shows about the name.
    pub(crate) fn to_markup(&self) -> Markup {
        let mut markup = Markup::new();
        let line = match (&self.function, &self.server) {
            (Some(function), _) => Line::new().prose("Live runs call the Python function ").code(function),
            (None, Some(server)) => Line::new().prose("Live runs call this tool of the server ").code(server),
            (None, None) => Line::new().prose("Available in live runs"),
        };
        markup.paragraph(&line.prose(&format!(" (configured in `{FILE_NAME}`).")));
        markup
    }
}
