//! `nodewise.status`: what the server has loaded, and what it does with a document.
//!
//! Input: a view, and the URI of a document. Output: JSON. Invariant: a document that is not checked has a reason.

use std::collections::BTreeMap;
use std::path::Path;

use nodewise_analysis::facts::{DocumentRole, FileFacts, Ownership, Reason};
use nodewise_project::config::FILE_NAME;
use nodewise_project::exclusion::{Exclusion, exclusion};
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp_server::ls_types::Uri;

use crate::request::Asked;
use crate::uri;
use crate::view::View;

/// The argument of `nodewise.status`.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct StatusParams {
    /// The document to describe.
    uri: Option<Uri>,
}

/// What the server does with a document, and why.
struct DocumentStatus {
    system: Option<&'static str>,
    /// One sentence for the user.
    text: String,
    /// The configuration and its line, from 0, that leaves the document out.
    place: Option<(String, u32)>,
}

/// `nodewise.status`
pub(crate) fn status(asked: &Asked<'_>, parameters: &StatusParams) -> Value {
    let view = asked.view;
    let projects = view.projects.values().map(|project| {
        json!({
            "root": project.root.as_deref().map(Path::to_string_lossy),
            "files": project.snapshot.files().len(),
            "open": project.open.len(),
            "isComplete": project.is_complete,
            "engines": project.live.engines.keys().collect::<Vec<_>>(),
        })
    });
    let mut status = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "folders": view.folders.iter().map(|folder| folder.to_string_lossy()).collect::<Vec<_>>(),
        "documents": view.documents.len(),
        "projects": projects.collect::<Vec<_>>(),
    });
    if let Some(uri) = &parameters.uri {
        let DocumentStatus { system, text, place } = of_document(view, uri.as_str());
        let place = place.map(|(uri, line)| json!({"uri": uri, "line": line}));
        status["document"] = json!({"system": system, "text": text, "place": place});
    }
    status
}

fn of_document(view: &View, uri: &str) -> DocumentStatus {
    if let Some(found) = view.file(uri) {
        let project = found.project.root.as_deref().map(|root| shown(view, root));
        return of_file(found.facts, project.as_deref());
    }
    let file = uri::to_path(uri);
    let folder = file.as_deref().and_then(|file| {
        view.folders
            .iter()
            .filter(|folder| file.starts_with(folder))
            .max_by_key(|folder| folder.as_os_str().len())
    });
    let found = file.as_deref().zip(folder).and_then(|(file, folder)| exclusion(file, folder));
    match found {
        Some(found) => excluded(view, &found),
        None if file.as_deref().and_then(Path::file_name).is_some_and(|name| name == FILE_NAME) => {
            DocumentStatus { system: None, text: "the configuration of a project".to_owned(), place: None }
        }
        None => DocumentStatus {
            system: None,
            text: "not checked: nodewise reads YAML and JSON files".to_owned(),
            place: None,
        },
    }
}

/// A file of a project, which may hold nothing of a system.
fn of_file(facts: &FileFacts, project: Option<&str>) -> DocumentStatus {
    let project = project.map(|project| format!(", project {project}")).unwrap_or_default();
    if let Ownership::Ours(dialect) = facts.ownership {
        let kinds = kinds(facts);
        let kinds = if kinds.is_empty() { String::new() } else { format!(" ({kinds})") };
        let text = format!("{}{kinds}{project}", dialect.title);
        return DocumentStatus { system: Some(dialect.id), text, place: None };
    }
    let reason = match facts.reason {
        Reason::Chosen => format!("`[dialect]` in {FILE_NAME} says that it is of no system"),
        Reason::NoDocument => "it has no document yet".to_owned(),
        Reason::NoDialect if facts.is_module() => "the module builds no graph of a known system".to_owned(),
        Reason::NoDialect | Reason::Name(_) | Reason::Builders(_) | Reason::Document(..) => {
            "none of its documents is of a known system".to_owned()
        }
    };
    DocumentStatus { system: None, text: format!("not checked: {reason}{project}"), place: None }
}

/// The kinds of a file's documents, with numbers if there are several.
fn kinds(facts: &FileFacts) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for document in &facts.documents {
        if let DocumentRole::Kind(kind) = &document.role {
            *kinds.entry(kind.name).or_default() += 1;
        }
    }
    let counted = |(kind, count): (&str, usize)| match count {
        1 => kind.to_owned(),
        _ => format!("{count} {kind}"),
    };
    kinds.into_iter().map(counted).collect::<Vec<_>>().join(", ")
}

fn excluded(view: &View, found: &Exclusion) -> DocumentStatus {
    let config = shown(view, &found.config);
    let line = found.line.map(|line| format!(", line {line}")).unwrap_or_default();
    let text = match &found.pattern {
        Some(pattern) => format!("not checked: excluded by `{pattern}` in {config}{line}"),
        None => format!("not checked: `include` in {config}{line} lists other files"),
    };
    let place = (uri::from_path(&found.config), found.line.map_or(0, |line| line - 1));
    DocumentStatus { system: None, text, place: Some(place) }
}

/// A path, relative to the open folder around it if there is one.
fn shown(view: &View, path: &Path) -> String {
    let relative = view.folders.iter().find_map(|folder| path.strip_prefix(folder).ok());
    let shown = relative.unwrap_or(path).to_string_lossy().replace('\\', "/");
    let name = || path.file_name().map(|name| name.to_string_lossy().into_owned());
    if shown.is_empty() { name().unwrap_or_default() } else { shown }
}
