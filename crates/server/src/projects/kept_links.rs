//! The links between the files of a large project, from a former reading. With them, the editor knows the project
//! before the files are read.
//!
//! Input: a project on disk, and the state of its files. Output: files to read later, and the links of all files for
//! the next start. Invariant: a file is deferred only if its size and its times are those of the former reading.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_analysis::TextSource;
use nodewise_analysis::deferred::DeferredFile;
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::links::FileLinks;
use nodewise_analysis::workspace::{Snapshot, Workspace};
use nodewise_model::SourceId;
use nodewise_project::cache::known_files::{KnownFile, KnownLinks};
use nodewise_project::cache::{CheckCache, CheckKey, CheckTime, FileState};
use nodewise_project::discovery::Project;
use nodewise_project::dropped_texts::DroppedTexts;
use nodewise_project::settings::SettingsOf;
use rustc_hash::FxHashMap;
use tracing::{info, info_span};

use crate::disk::Disk;

/// Where the links of a project are kept.
#[derive(Debug)]
pub(crate) struct KeptLinks {
    cache: CheckCache,
    key: CheckKey,
    /// A moment before the first file was looked at.
    began: CheckTime,
}

/// The files of a project that were read before, by path.
#[derive(Debug, Default)]
pub(super) struct FormerFiles(FxHashMap<Arc<str>, KnownFile>);

impl KeptLinks {
    /// The kept links of a project. `None` for small projects, and without a cache.
    pub(super) fn of(disk: &Disk, project: &Project) -> Option<KeptLinks> {
        let (cache, key) = disk.kept_links(project)?;
        Some(KeptLinks { cache, key, began: CheckTime::now() })
    }

    /// The files that were read before.
    pub(super) fn former_files(&self) -> FormerFiles {
        let files = self.cache.known_files(&self.key).unwrap_or_default();
        FormerFiles(files.into_iter().map(|file| (Arc::clone(&file.path), file)).collect())
    }

    /// Reads the deferred files. Then keeps the links of all files, unless they are kept already.
    pub(crate) fn complete(&self, snapshot: &Snapshot, states: &BTreeMap<Arc<str>, FileState>) {
        let entered = info_span!("read deferred files").entered();
        snapshot.read_deferred();
        drop(entered);
        let is_new = |file: &&Arc<FileFacts>| {
            let is_old = states.get(&file.path).is_some_and(|state| state.is_older_than(self.began));
            !file.is_deferred() && is_old && FileLinks::of(file).is_some()
        };
        if snapshot.files().iter().any(|file| is_new(&file)) {
            let files = snapshot.files().iter();
            let files = files.filter_map(|file| Some((&**file, *states.get(&file.path)?)));
            self.cache.keep_files(&self.key, self.began, &files.collect::<Vec<_>>());
        }
    }
}

impl FormerFiles {
    /// Whether a file still is in the state in which it was read.
    pub(super) fn have(&self, path: &str, state: Option<FileState>) -> bool {
        state.is_some() && self.0.get(path).map(|file| file.state) == state
    }

    /// A workspace in which the files with these positions are read later.
    pub(super) fn workspace(
        mut self,
        project: &Project,
        deferred: &[usize],
        settings: &mut SettingsOf,
    ) -> Workspace {
        info!(files = deferred.len(), of = project.files.len(), "files are known from a former reading");
        let files = deferred.iter().filter_map(|position| {
            let KnownFile { path, links, .. } = self.0.remove(&project.files.get(*position)?.relative)?;
            let KnownLinks { mark, ownership, links } = links;
            let number = SourceId(u32::try_from(*position).ok()?);
            let settings = settings.file(&path);
            Some(DeferredFile { path, mark, number, ownership, links, settings })
        });
        let files = files.collect();
        let texts: Arc<dyn TextSource> = Arc::new(DroppedTexts::of(project));
        Workspace::deferred(files, &texts)
    }
}
