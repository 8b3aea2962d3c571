//! The project of a path as a snapshot, for commands that run what it declares.
//!
//! Input: a path, perhaps a script from elsewhere. Output: a snapshot, and which files were meant. Invariant: the files are
//! those that `check` reads for the same path.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_model::SourceId;
use nodewise_project::discovery::{self, Project, Request};
use nodewise_project::reading::{self, Unreadable};
use nodewise_project::settings::SettingsOf;

/// A project that was read.
pub(crate) struct Opened {
    /// Its files.
    pub(crate) snapshot: Snapshot,
    /// The file that was meant, unless it was a folder.
    pub(crate) target: Option<SourceId>,
    /// The script that was named beside it.
    pub(crate) script: Option<SourceId>,
}

/// Reads the project of a path.
pub(crate) fn open(path: &Path, script: Option<&Path>) -> Result<Opened> {
    let request = Request::new(&[path.to_owned()], None)?;
    let found = discovery::find(&request, None)?;
    if let Some(notice) = found.notices.iter().find(|notice| notice.is_failure) {
        bail!("{}: {}\n  help: {}", notice.path, notice.reason, notice.help);
    }
    let wanted =
        std::fs::canonicalize(path).with_context(|| format!("`{}` cannot be read", path.display()))?;
    let project =
        found.projects.first().with_context(|| format!("`{}` holds no declarations", path.display()))?;
    let mut workspace = Workspace::new();
    workspace.apply(changes(project, &wanted)?);
    let script = script.map(|script| add_script(&mut workspace, project, script)).transpose()?;
    let snapshot = workspace.snapshot();
    let relative = relative(project, &wanted);
    Ok(Opened {
        target: relative.and_then(|path| snapshot.source(path)),
        script: script.and_then(|path| snapshot.source(&path)),
        snapshot,
    })
}

fn changes(project: &Project, wanted: &Path) -> Result<Vec<Change>> {
    let mut settings = SettingsOf::new(project.config.clone(), None);
    let mut changes = Vec::with_capacity(project.files.len());
    for file in &project.files {
        match reading::read(&file.path, project.config.size_max) {
            Ok(text) => {
                let settings = settings.file(&file.relative);
                changes.push(Change::Write { path: file.relative.clone(), text, settings });
            }
            // What cannot be read and was not asked for is as good as not there.
            Err(unreadable) if same(&file.path, wanted) => return Err(refusal(&file.path, &unreadable)),
            Err(_) => {}
        }
    }
    Ok(changes)
}

/// Adds a script, unless the project has it; yields its path.
fn add_script(workspace: &mut Workspace, project: &Project, script: &Path) -> Result<String> {
    let wanted =
        std::fs::canonicalize(script).with_context(|| format!("`{}` cannot be read", script.display()))?;
    if let Some(path) = relative(project, &wanted) {
        return Ok(path.to_owned());
    }
    let text: Arc<str> =
        reading::read(&wanted, project.config.size_max).map_err(|unreadable| refusal(script, &unreadable))?;
    let path = script.to_string_lossy().replace('\\', "/");
    let settings = Arc::new(Settings::default());
    workspace.apply(vec![Change::Write { path: path.clone(), text, settings }]);
    Ok(path)
}

/// The path of a file in its project.
fn relative<'p>(project: &'p Project, wanted: &Path) -> Option<&'p str> {
    project.files.iter().find(|file| same(&file.path, wanted)).map(|file| file.relative.as_str())
}

fn same(path: &Path, canonical: &Path) -> bool {
    path == canonical
        || path.file_name() == canonical.file_name()
            && std::fs::canonicalize(path).is_ok_and(|known| known == canonical)
}

fn refusal(path: &Path, unreadable: &Unreadable) -> anyhow::Error {
    anyhow::anyhow!("{}: {}\n  help: {}", path.display(), unreadable.reason, unreadable.help)
}
