//! A project's files in a workspace, for commands that change, draw or run them.
//!
//! Input: a project, or a path and perhaps a script from elsewhere. Output: a workspace or its snapshot, and the
//! requested files. Invariant: the files are those that `check` reads for the same path.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use nodewise_analysis::functions::{Functions, PythonChange};
use nodewise_analysis::registrations::RegisteredNames;
use nodewise_analysis::settings::{Pin, Settings};
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_model::SourceId;
use nodewise_project::cache::{self, StampedProgram};
use nodewise_project::discovery::{self, DiscoveryRequest, FoundFile, Project, Stdin};
use nodewise_project::modules::{self, ReadFile};
use nodewise_project::notice::Notice;
use nodewise_project::project_folder::ProjectFolder;
use nodewise_project::reading::{self, Unreadable};
use nodewise_project::settings::SettingsOf;
use nodewise_project::{paths, python};
use rayon::prelude::*;
use tracing::info_span;

use crate::notices;

/// A project after its files were read.
pub(crate) struct Loaded<'p> {
    /// Its files.
    pub(crate) workspace: Workspace,
    /// The files that can be read, with their texts.
    pub(crate) texts: Vec<(&'p FoundFile, Arc<str>)>,
    /// The other files, with the reasons.
    pub(crate) unreadable: Vec<(&'p FoundFile, Unreadable)>,
}

/// Reads the files of a project. `forced` is the dialect from the command line, `stdin` is a file that is already read.
pub(crate) fn load<'p>(project: &'p Project, forced: Option<Pin>, stdin: Option<&Stdin>) -> Loaded<'p> {
    let folder = ProjectFolder::new(&project.root);
    let text = |file: &FoundFile| match stdin {
        Some(stdin) if stdin.path == file.path() => reading::text(&stdin.bytes),
        _ => folder.read(file, project.config.size_max),
    };
    let _entered =
        info_span!("load", project = %project.root.display(), files = project.files.len()).entered();
    let read: Vec<Result<Arc<str>, Unreadable>> = project.files.par_iter().map(text).collect();
    let (mut texts, mut unreadable) = (Vec::with_capacity(read.len()), Vec::new());
    for (file, text) in project.files.iter().zip(read) {
        match text {
            Ok(text) => texts.push((file, text)),
            Err(reason) => unreadable.push((file, reason)),
        }
    }
    let texts = without_other_modules(texts);
    let mut settings = SettingsOf::new(project.config.clone(), forced).with_named(&project.files);
    let changes = texts.iter().map(|(file, text)| Change::Write {
        path: Arc::clone(&file.relative),
        text: Arc::clone(text),
        settings: settings.file(&file.relative),
    });
    let mut workspace = Workspace::new();
    workspace.apply(changes.collect());
    add_programs(project, &mut workspace);
    Loaded { workspace, texts, unreadable }
}

/// Reads the programs of a project, if they may register what its files name and do not declare.
fn add_programs(project: &Project, workspace: &mut Workspace) {
    let snapshot = workspace.snapshot();
    if snapshot.index().lacks_registrations(snapshot.files()) {
        workspace.apply_python(programs(&project.root).into_iter().map(|(change, _)| change).collect());
    }
}

/// The names that the programs of a project register, and the files that say so.
pub(crate) fn registered(project: &Project) -> (RegisteredNames, Vec<StampedProgram>) {
    let (changes, stamped) = programs(&project.root).into_iter().unzip();
    let mut functions = Functions::default();
    functions.apply(changes);
    (functions.registered(), stamped)
}

/// The Python files of a folder.
pub(crate) fn programs(root: &Path) -> Vec<(PythonChange, StampedProgram)> {
    let read = |file: PathBuf| {
        let path = paths::slashed(file.strip_prefix(root).ok()?);
        let read = cache::read(&file, python::SIZE_MAX).ok()?;
        let stamped = StampedProgram { path: path.clone(), stamp: read.stamp? };
        Some((PythonChange { path, text: Some(read.text) }, stamped))
    };
    python::files(root).into_par_iter().filter_map(read).collect()
}

/// The files without the modules that have nothing to do with any graph.
pub(crate) fn without_other_modules(files: Vec<(&FoundFile, Arc<str>)>) -> Vec<(&FoundFile, Arc<str>)> {
    let read =
        files.iter().map(|(file, text)| ReadFile { path: &file.relative, text, is_named: file.is_named });
    let needed = modules::needed(&read.collect::<Vec<_>>());
    files.into_iter().zip(needed).filter_map(|(file, is_needed)| is_needed.then_some(file)).collect()
}

/// The project of a path.
pub(crate) struct Opened {
    /// Its folder and its configuration.
    pub(crate) project: Project,
    /// Its files.
    pub(crate) snapshot: Snapshot,
    /// The requested file, unless the path is a folder.
    pub(crate) target: Option<SourceId>,
    /// The requested script.
    pub(crate) script: Option<SourceId>,
    /// Whether a requested file cannot be read. This is already reported.
    pub(crate) has_failed: bool,
}

/// The requested files of a project, in a snapshot of all its files.
pub(crate) struct Asked {
    /// The project's files.
    pub(crate) snapshot: Snapshot,
    /// The requested files, in load order.
    pub(crate) sources: Vec<SourceId>,
}

/// Reads a project. Requested files that cannot be read become notices.
pub(crate) fn asked(
    project: &Project,
    forced: Option<Pin>,
    stdin: Option<&Stdin>,
    notices: &mut Vec<Notice>,
) -> Asked {
    let Loaded { workspace, unreadable, .. } = load(project, forced, stdin);
    notices.extend(unreadable.into_iter().map(|(file, reason)| without_text(project, file, reason)));
    let snapshot = workspace.snapshot();
    let reported = project.files.iter().filter(|file| file.is_reported);
    let sources = reported.filter_map(|file| snapshot.source(&file.relative)).collect();
    Asked { snapshot, sources }
}

/// The notice about a file that cannot be read. It is a failure only if the file was requested.
pub(crate) fn without_text(project: &Project, file: &FoundFile, unreadable: Unreadable) -> Notice {
    Notice {
        is_failure: file.is_reported,
        ..Notice::failure(project.shown_path(file), unreadable.reason, unreadable.help)
    }
}

/// Reads the project of a path, and reports files that cannot be read.
pub(crate) fn open(path: &Path, script: Option<&Path>, follows_links: bool) -> Result<Opened> {
    let request = DiscoveryRequest::new(&[path.to_owned()], None)?.follow_links(follows_links);
    let found = discovery::find(&request, None)?;
    if let Some(notice) = found.notices.iter().find(|_| found.projects.is_empty()) {
        bail!("{}: {}\n  help: {}", notice.path, notice.reason, notice.help);
    }
    let mut notices = found.notices;
    let wanted =
        std::fs::canonicalize(path).with_context(|| format!("`{}` cannot be read", path.display()))?;
    let project = found
        .projects
        .into_iter()
        .next()
        .with_context(|| format!("`{}` contains no declarations", path.display()))?;
    let Loaded { mut workspace, unreadable, .. } = load(&project, None, None);
    if let Some((file, reason)) = unreadable.iter().find(|(file, _)| same(&file.path(), &wanted)) {
        return Err(refusal(&file.path(), reason));
    }
    notices.extend(unreadable.into_iter().map(|(file, reason)| without_text(&project, file, reason)));
    let has_failed = notices::print_all(notices);
    let script = script.map(|script| add_script(&mut workspace, &project, script)).transpose()?;
    let snapshot = workspace.snapshot();
    let target = relative(&project, &wanted).and_then(|path| snapshot.source(path));
    let script = script.and_then(|path| snapshot.source(&path));
    Ok(Opened { project, target, script, snapshot, has_failed })
}

/// Adds a script, unless the project contains it. Returns its path.
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
    workspace.apply(vec![Change::Write { path: path.as_str().into(), text, settings }]);
    Ok(path)
}

/// The path of a file in its project.
fn relative<'p>(project: &'p Project, wanted: &Path) -> Option<&'p str> {
    project.files.iter().find(|file| same(&file.path(), wanted)).map(|file| &*file.relative)
}

fn same(path: &Path, canonical: &Path) -> bool {
    path == canonical
        || path.file_name() == canonical.file_name()
            && std::fs::canonicalize(path).is_ok_and(|known| known == canonical)
}

fn refusal(path: &Path, unreadable: &Unreadable) -> anyhow::Error {
    anyhow::anyhow!("{}: {}\n  help: {}", path.display(), unreadable.reason, unreadable.help)
}
