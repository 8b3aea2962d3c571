//! What changed in a graph since a commit.
//!
//! Input: a position, the name of a revision. Output: the graph of the files as the client has them, with what changed.
//! Invariant: the commit is read below the folder of the project alone, and nothing is written.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_diagram::marked::MarkedView;
use nodewise_diagram::view::GraphView;
use nodewise_ide::graph::{graph_at, graphs_called, nest};
use nodewise_ide::position::FilePosition;
use nodewise_model::SourceId;
use nodewise_project::git::{GitError, Repository};
use nodewise_project::paths::slashed;
use nodewise_project::reading;
use nodewise_project::texts::projects_of;
use nodewise_review::compare::review;
use nodewise_review::marks::{DrawnVersion, former_name, marked as with_marks};
use nodewise_review::version::ProjectVersion;
use tower_lsp_server::jsonrpc::Result;

use crate::handlers::request_failed;
use crate::request::File;

/// The revision if the client names none.
const LAST: &str = "HEAD";

/// The graph at a position with what changed since a revision.
pub(super) fn marked(file: &File<'_>, at: FilePosition, since: Option<&str>) -> Result<Option<MarkedView>> {
    let Some(mut view) = graph_at(file.snapshot(), at) else { return Ok(None) };
    nest(file.snapshot(), &mut view);
    let Some(root) = &file.project.root else {
        return Err(request_failed("The file is in no folder that is open, so no commit has it."));
    };
    let base = read(root, since.unwrap_or(LAST)).map_err(|error| request_failed(in_words(&error, root)))?;
    let (base, head) = (version(base), version(file.snapshot().clone()));
    let found = review(std::slice::from_ref(&base), std::slice::from_ref(&head));
    let drawn = DrawnVersion { view: &view, version: &head };
    let old = former(&base, &view, former_name(&found, drawn).as_deref());
    let old = old.as_ref().map(|view| DrawnVersion { view, version: &base });
    let since = since.map_or_else(|| "the last commit".to_owned(), |name| format!("`{name}`"));
    Ok(Some(with_marks(&found, old, drawn, &since)))
}

/// The same graph in the old version. `name` is its former name, if it has been renamed.
fn former(base: &ProjectVersion, view: &GraphView, name: Option<&str>) -> Option<GraphView> {
    // The last of the names is the id. It comes before the titles, which several graphs can share.
    let names = name.into_iter().chain(view.names.iter().rev().map(|name| name.as_str()));
    let mut found =
        names.filter_map(|name| graphs_called(&base.snapshot, &base.sources, name).into_iter().next());
    let mut old = found.next()?;
    nest(&base.snapshot, &mut old);
    Some(old)
}

fn version(snapshot: Snapshot) -> ProjectVersion {
    let sources: Vec<SourceId> = snapshot.files().iter().map(|file| file.source).collect();
    ProjectVersion { folder: String::new(), snapshot, sources }
}

/// The files of a project in a commit.
fn read(root: &Path, revision: &str) -> std::result::Result<Snapshot, GitError> {
    let repository = Repository::around(root)?;
    let commit = repository.commit(revision)?;
    let folder = repository.path_of(root)?;
    let mut texts: BTreeMap<String, Arc<str>> = BTreeMap::new();
    repository.read(&commit, &folder, &mut |path, content| {
        // A file that is not text declares nothing.
        if let (Ok(path), Ok(text)) = (path.strip_prefix(&folder), reading::text(&content)) {
            texts.insert(slashed(path), text);
        }
        Ok(())
    })?;
    let project = projects_of(&texts).into_iter().find(|project| project.folder.is_empty());
    let files = project.into_iter().flat_map(|project| project.files);
    let mut workspace = Workspace::new();
    workspace.apply(
        files
            .map(|file| Change::Write { path: file.path.into(), text: file.text, settings: file.settings })
            .collect(),
    );
    Ok(workspace.snapshot())
}

fn in_words(error: &GitError, root: &Path) -> String {
    match error {
        GitError::NotStarted => {
            "The program `git` cannot be started. Install git, or add it to the PATH.".to_owned()
        }
        GitError::NoRepository(reason) => {
            format!(
                "`{}` is in no repository of git, so there is nothing to compare with ({reason}).",
                root.display()
            )
        }
        GitError::NoRevision(name) if name == LAST => {
            "The repository has no commit to compare with.".to_owned()
        }
        error => format!("The commit cannot be read: {error}."),
    }
}
