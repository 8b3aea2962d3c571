//! Results that hold, and results that do not, on real files.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::fs::{File, FileTimes};

use nodewise_analysis::diagnostic::Finding;
use nodewise_model::Origin;
use nodewise_syntax::{TextRange, TextSize};

use super::*;
use crate::config::Config;
use crate::discovery::FilePlace;

/// A folder with a project of 500 files, and a cache beside it.
pub(super) struct Scene {
    folder: PathBuf,
    pub(super) project: Project,
    pub(super) cache: CheckCache,
    pub(super) key: CheckKey,
    pub(super) programs: Option<Vec<StampedProgram>>,
}

impl Scene {
    pub(super) fn new(name: &str) -> Scene {
        let folder = std::env::temp_dir().join(format!("nodewise-cache-{}-{name}", std::process::id()));
        std::fs::remove_dir_all(&folder).ok();
        let root = folder.join("project");
        std::fs::create_dir_all(&root).unwrap();
        let below = Arc::new(FilePlace::Below(root.clone()));
        let file = |number: usize| {
            let relative = format!("{number:03}.yaml");
            let path = root.join(&relative);
            std::fs::write(&path, format!("text: {number}\n")).unwrap();
            set_age(&path, 60);
            FoundFile::new(&below, relative.into(), &path)
        };
        let files: Vec<FoundFile> = (0..LEAST_FILES).map(file).collect();
        let project = Project {
            shown: root.clone(),
            root,
            config: Config::default(),
            config_problems: Vec::new(),
            files: Arc::new(files),
            folders: Vec::new(),
            has_config: false,
        };
        let cache = CheckCache::at(folder.join("cache"));
        let key = CheckKey::of(&project, "1", "").unwrap();
        Scene { folder, project, cache, key, programs: None }
    }

    fn keep(&self) {
        // A moment after the last change of the times of the files, as if the check came later.
        let began = CheckTime::now().later(Duration::from_secs(3));
        let stamps: Vec<FileStamp> =
            self.project.files.iter().map(|file| read(&file.path(), 1000).unwrap().stamp.unwrap()).collect();
        let programs = self.programs.as_deref();
        let inputs = CheckInputs { began, files: &stamps, programs };
        self.cache.keep(&self.key, &self.project, inputs, &result());
    }

    fn found(&self) -> Option<CheckResult> {
        self.cache.find(&self.key, &self.project).map(|known| known.result)
    }

    pub(super) fn path(&self, number: usize) -> PathBuf {
        self.project.files[number].path()
    }

    /// Adds a path that leads to a file as a link does.
    pub(super) fn add(&mut self, relative: &str, number: usize) {
        let below = Arc::new(FilePlace::Below(self.project.root.clone()));
        let path = self.path(number);
        self.files().push(FoundFile::new(&below, relative.into(), &path));
    }

    pub(super) fn files(&mut self) -> &mut Vec<FoundFile> {
        Arc::make_mut(&mut self.project.files)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

fn set_age(path: &Path, seconds: u64) {
    let times = FileTimes::new().set_modified(SystemTime::now() - Duration::from_secs(seconds));
    File::options().write(true).open(path).unwrap().set_times(times).unwrap();
}

/// A result with a finding in the file 6 that has everything that a finding can have.
pub(super) fn result() -> CheckResult {
    let at = |source, start, end| Origin {
        source: SourceId(source),
        range: TextRange::new(TextSize::from(start), TextSize::from(end)),
    };
    let finding = Finding::new(at(6, 0, 4), "`text` is \"wrong\"")
        .label("here")
        .help("write `words`")
        .spec("agentos:I5")
        .also("agentos:I7")
        .related(at(8, 1, 2), "as there")
        .fix("Write `words`", true, at(6, 0, 4), "words");
    let rule = project_rule();
    let file = CheckedFile { declarations: 2, is_declaration: true };
    let mut files = vec![Some(file); LEAST_FILES];
    // A module without a graph: the numbers of the others stay.
    files[3] = None;
    CheckResult {
        files,
        diagnostics: vec![Diagnostic::reported(rule.id, Some("agentos:I5"), Severity::Warning, finding)],
        rules: vec![rule],
    }
}

fn project_rule() -> DeclaredRule {
    let id = nodewise_analysis::project_rules::finding_id("no-text").unwrap();
    DeclaredRule { id, severity: Severity::Error, message: "m".to_owned(), why: Some("w".to_owned()) }
}

#[test]
fn a_result_holds_while_nothing_changes() {
    let scene = Scene::new("same");
    assert_eq!(scene.found(), None);
    scene.keep();
    let known = scene.cache.find(&scene.key, &scene.project).unwrap();
    assert_eq!(known.result, result());
    let texts: Vec<(u32, &str)> = known.texts.iter().map(|(source, text)| (source.0, &**text)).collect();
    assert_eq!(texts, [(6, "text: 6\n"), (8, "text: 8\n")]);
}

#[test]
fn a_change_ends_a_result() {
    let scene = Scene::new("changed");
    scene.keep();
    // The same length and the same time: only the text says it.
    let before = std::fs::metadata(scene.path(400)).unwrap().modified().unwrap();
    std::fs::write(scene.path(400), "text: 401\n".replace("401", "999")).unwrap();
    let times = FileTimes::new().set_modified(before);
    File::options().write(true).open(scene.path(400)).unwrap().set_times(times).unwrap();
    if cfg!(unix) {
        assert_eq!(scene.found(), None, "the system knows when the file was changed");
    }
    std::fs::write(scene.path(400), "text: 400\n").unwrap();
    assert_eq!(scene.found(), Some(result()), "the former text is there again");
    std::fs::remove_file(scene.path(400)).unwrap();
    assert_eq!(scene.found(), None);
}

#[test]
fn new_times_of_the_same_texts_change_nothing() {
    let scene = Scene::new("times");
    scene.keep();
    let entry = scene.folder.join("cache").join(&scene.key.name);
    let before = std::fs::read(&entry).unwrap();
    set_age(&scene.path(1), 30);
    assert_eq!(scene.found(), Some(result()));
    assert_ne!(std::fs::read(&entry).unwrap(), before, "the new times are kept");
    assert_eq!(scene.found(), Some(result()));
}

#[test]
fn files_that_come_or_are_read_as_something_else_end_a_result() {
    let mut scene = Scene::new("files");
    scene.keep();
    scene.files()[5].is_named = true;
    assert_eq!(scene.found(), None);
    scene.files()[5].is_named = false;
    assert_eq!(scene.found(), Some(result()));
    scene.add("more.yaml", 0);
    assert_eq!(scene.found(), None);
}

#[test]
fn a_program_that_changes_ends_a_result_that_rests_on_it() {
    let mut scene = Scene::new("programs");
    let path = scene.project.root.join("tools.py");
    std::fs::write(&path, "one = 1\n").unwrap();
    scene.keep();
    std::fs::write(&path, "two = 2\n").unwrap();
    assert_eq!(scene.found(), Some(result()), "it does not rest on any program");
    let stamp = read(&path, 1000).unwrap().stamp.unwrap();
    scene.programs = Some(vec![StampedProgram { path: "tools.py".to_owned(), stamp }]);
    scene.keep();
    assert_eq!(scene.found(), Some(result()));
    std::fs::write(&path, "one = 1\n").unwrap();
    assert_eq!(scene.found(), None);
    std::fs::write(&path, "two = 2\n").unwrap();
    assert_eq!(scene.found(), Some(result()), "the former text is there again");
    std::fs::write(scene.project.root.join("more.py"), "").unwrap();
    assert_eq!(scene.found(), None);
}

#[test]
fn another_configuration_or_version_ends_a_result() {
    let mut scene = Scene::new("configuration");
    scene.keep();
    scene.key = CheckKey::of(&scene.project, "2", "").unwrap();
    assert_eq!(scene.found(), None);
    scene.project.config = Config::read("[rules]\nunknown-tool = \"off\"\n").unwrap();
    scene.key = CheckKey::of(&scene.project, "1", "").unwrap();
    assert_eq!(scene.found(), None);
}

#[test]
fn a_damaged_result_is_none() {
    let scene = Scene::new("damaged");
    scene.keep();
    let entry = scene.folder.join("cache").join(&scene.key.name);
    let whole = std::fs::read(&entry).unwrap();
    for at in (0..whole.len()).step_by(whole.len() / 300) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        std::fs::write(&entry, &damaged).unwrap();
        assert_eq!(scene.found(), None, "byte {at}");
        std::fs::write(&entry, &whole[..at]).unwrap();
        assert_eq!(scene.found(), None, "cut at {at}");
    }
    std::fs::write(&entry, &whole).unwrap();
    assert_eq!(scene.found(), Some(result()));
}

#[test]
fn two_processes_keep_results_at_one_time() {
    let scene = Scene::new("shared");
    scene.keep();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..10).for_each(|_| scene.keep()));
            scope.spawn(|| (0..10).for_each(|_| assert_eq!(scene.found(), Some(result()))));
        }
    });
}

#[test]
fn results_are_counted_and_deleted() {
    let scene = Scene::new("clean");
    assert_eq!(scene.cache.clean().unwrap(), StoredResults::default());
    scene.keep();
    let stored = scene.cache.stored().unwrap();
    assert_eq!(stored.count, 1);
    assert!(stored.bytes > 1000);
    std::fs::write(scene.folder.join("cache/notes.txt"), "mine").unwrap();
    assert_eq!(scene.cache.clean().unwrap(), stored);
    assert_eq!(scene.found(), None);
    assert!(scene.folder.join("cache/notes.txt").exists(), "other files stay");
}

#[test]
fn small_projects_are_checked_at_once() {
    let mut scene = Scene::new("small");
    scene.files().truncate(LEAST_FILES - 1);
    assert!(CheckKey::of(&scene.project, "1", "").is_none());
}

#[test]
fn the_folder_is_the_one_of_the_user() {
    let folder = |known: &[(&str, &str)]| {
        folder_with(|name| known.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    };
    if cfg!(not(windows)) {
        let all = [("NODEWISE_CACHE_DIR", "/own"), ("XDG_CACHE_HOME", "/cache"), ("HOME", "/users/me")];
        assert_eq!(folder(&all), Some("/own".into()));
        assert_eq!(folder(&all[1..]), Some("/cache/nodewise".into()));
        assert_eq!(folder(&[("XDG_CACHE_HOME", "relative")]), None);
    }
    assert_eq!(folder(&[]), None);
}
