//! The files of the last request, as projects.
//!
//! Input: the files of a request. Output: snapshots of the projects that they make. Invariant: a snapshot holds exactly the files of
//! the last request; only what changed since the one before is read again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nodewise_analysis::report::{ReportPlace, ReportPosition};
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_model::Origin;
use nodewise_project::config::ConfigProblem;
use nodewise_project::texts::{TextProject, projects_of};
use nodewise_syntax::{LineIndex, TextSize};

/// The projects, in the order of their folders.
#[derive(Debug, Default)]
pub(crate) struct OpenProjects {
    projects: Vec<OpenProject>,
}

/// A project of the last request.
#[derive(Debug)]
pub(crate) struct OpenProject {
    /// Its folder, with a `/` at the end.
    pub(crate) folder: String,
    /// What is wrong with its configuration.
    pub(crate) config_problems: Vec<ConfigProblem>,
    /// The number of files that were not read because they are too large.
    pub(crate) too_large: usize,
    workspace: Workspace,
    /// The paths of the files in the workspace.
    paths: BTreeSet<String>,
}

impl OpenProjects {
    /// Replaces all files with those of a request. A project in the same folder as before keeps its workspace, so
    /// that only changes are read.
    pub(crate) fn set(&mut self, texts: &BTreeMap<String, Arc<str>>) {
        let mut known: BTreeMap<String, OpenProject> =
            self.projects.drain(..).map(|project| (project.folder.clone(), project)).collect();
        self.projects = projects_of(texts)
            .into_iter()
            .map(|project| OpenProject::with(known.remove(&project.folder), project))
            .collect();
    }

    pub(crate) fn projects(&self) -> &[OpenProject] {
        &self.projects
    }

    /// The project with a file, and the file's path in it.
    pub(crate) fn find<'f>(&self, path: &'f str) -> Option<(&OpenProject, &'f str)> {
        self.projects.iter().find_map(|project| {
            let inside = path.strip_prefix(project.folder.as_str())?;
            project.paths.contains(inside).then_some((project, inside))
        })
    }
}

impl OpenProject {
    /// A project with the files of a request. `known` is the project that the request before had in this folder.
    fn with(known: Option<OpenProject>, project: TextProject) -> OpenProject {
        let (mut workspace, before) =
            known.map_or_else(Default::default, |known| (known.workspace, known.paths));
        let TextProject { folder, config_problems, files, too_large, .. } = project;
        let paths: BTreeSet<String> = files.iter().map(|file| file.path.clone()).collect();
        let gone = before.difference(&paths).map(|path| Change::Remove { path: path.as_str().into() });
        let mut changes: Vec<Change> = gone.collect();
        changes.extend(files.into_iter().map(|file| Change::Write {
            path: file.path.into(),
            text: file.text,
            settings: file.settings,
        }));
        workspace.apply(changes);
        OpenProject { folder, config_problems, too_large, workspace, paths }
    }

    /// Whether it has no files.
    pub(crate) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        self.workspace.snapshot()
    }
}

/// The files of a project, to find lines and columns. The lines of each file are counted once.
pub(crate) struct ShownFiles {
    files: BTreeMap<u32, (String, LineIndex)>,
}

impl ShownFiles {
    pub(crate) fn of(project: &OpenProject, snapshot: &Snapshot) -> ShownFiles {
        let files = snapshot.files().iter().map(|file| {
            (file.source.0, (format!("{}{}", project.folder, file.path), LineIndex::new(&file.text)))
        });
        ShownFiles { files: files.collect() }
    }

    /// The path and the positions of an origin. `None` if the project does not have the file.
    pub(crate) fn place(&self, origin: Origin) -> Option<ReportPlace<'_>> {
        let (path, lines) = self.files.get(&origin.source.0)?;
        let position =
            |offset: TextSize| ReportPosition { at: lines.line_col(offset), offset: offset.into() };
        let (start, end) = (position(origin.range.start()), position(origin.range.end()));
        Some(ReportPlace { path, start, end })
    }
}
