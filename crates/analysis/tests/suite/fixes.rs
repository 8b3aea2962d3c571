//! Every fix on every finding of the corpora: the finding is gone, no other one came, and the text is still YAML.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::diagnostic::{Diagnostic, Fix, Severity};
use nodewise_analysis::fixing::apply_fixes;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Workspace};
use nodewise_model::SourceId;
use nodewise_syntax::parse;

use crate::mistakes::{Random, clean_projects, in_json, mistaken};

/// What a fixed finding had hidden: the rule, the rule that speaks then, and why it could not before.
const UNCOVERED: [(&str, &str, &str); 13] = [
    ("undeclared-path", "unwritten-path", "a name that is declared can be written or not"),
    ("unknown-node", "duplicate-edge", "the edge was meant twice"),
    ("wrong-type", "missing-settings", "what names nothing was no name before"),
    ("invalid-value", "missing-settings", "a node of an unknown type needs nothing"),
    ("unreadable-key", "unwritten-key", "a key that may be read can be written or not"),
    ("unwritten-key", "unreadable-key", "the name stands in two places, and each is fixed by itself"),
    ("misplaced-line-break", "unknown-route", "the choice was not read before"),
    ("invalid-expression", "boolean-literal", "the expression was not read before"),
    ("unwritten-key", "unread-mapped-key", "the name stands in two places, and each is fixed by itself"),
    (
        "unwritten-key",
        "unreadable-expression-key",
        "the name stands in two places, and each is fixed by itself",
    ),
    ("prefixed-mapping", "unwritten-mapped-key", "the path was another one before"),
    ("prefixed-mapping", "undeclared-port", "the path was another one before"),
    ("invalid-yaml", "invalid-expression", "the condition was not read before"),
];

#[test]
fn every_fix_removes_its_finding_and_breaks_nothing() {
    let mut tried = Tried::default();
    for folder in folders() {
        tried.all(&folder.display().to_string(), &read(&folder));
    }
    tried.report(50);
}

#[test]
fn every_fix_of_a_beginners_mistake_removes_it() {
    let mut tried = Tried::default();
    for folder in below("tests/mistakes/open") {
        let files = read(&folder);
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        tried.all(&name, &files);
        if let Some(files) = in_json(&files) {
            tried.all(&format!("{name}, in JSON"), &files);
        }
    }
    tried.report(200);
}

#[test]
fn every_fix_of_a_mistake_removes_it() {
    let mut tried = Tried::default();
    let mut random = Random(23);
    for (name, files) in clean_projects() {
        for _ in 0..SLIPS {
            let Some(mistaken) = mistaken(&files, &mut random) else { continue };
            tried.all(&name, &mistaken);
        }
    }
    tried.report(200);
}

/// The mistakes of each document.
const SLIPS: usize = 20;

/// The fixes that were tried, and what came of those that are not as they must be.
#[derive(Default)]
struct Tried {
    rules: BTreeMap<&'static str, usize>,
    failures: Vec<String>,
}

impl Tried {
    /// Tries all fixes of what is found in a project, each alone.
    fn all(&mut self, name: &str, files: &BTreeMap<String, Arc<str>>) {
        let (workspace, sources) = open(files);
        let before = diagnostics_of(&workspace, &sources);
        for (at, diagnostic) in before.iter().enumerate() {
            for fix in &diagnostic.finding.fixes {
                *self.rules.entry(diagnostic.rule).or_default() += 1;
                self.failures.extend(check_fix(name, files, &before, at, &fix.title));
            }
        }
    }

    fn report(self, at_least: usize) {
        let count = self.rules.values().sum::<usize>();
        println!("{count} fixes of {} rules", self.rules.len());
        assert!(count >= at_least, "{:?}", self.rules);
        assert!(self.failures.is_empty(), "{} failures\n{}", self.failures.len(), self.failures.join("\n"));
    }
}

#[test]
fn all_fixes_together_come_to_an_end() {
    for folder in folders() {
        let files = read(&folder);
        let (mut workspace, sources) = open(&files);
        let fixed = apply_fixes(&mut workspace, &sources, |_, found| first_fixes(found));
        let (mut again, _) = open(&files);
        assert_eq!(
            apply_fixes(&mut again, &sources, |_, found| first_fixes(found)).texts,
            fixed.texts,
            "{}",
            folder.display()
        );
        let left = diagnostics_of(&workspace, &sources);
        let rest = apply_fixes(&mut workspace, &sources, |_, found| first_fixes(found));
        let shown: Vec<&str> = left.iter().map(|one| one.rule).collect();
        assert!(rest.texts.is_empty(), "{}: {shown:?} {:?}", folder.display(), rest.texts);
    }
}

/// The first fix of each finding.
fn first_fixes(found: Vec<Diagnostic>) -> Vec<Fix> {
    found.into_iter().filter_map(|diagnostic| diagnostic.finding.fixes.into_iter().next()).collect()
}

/// Carries one fix out alone; says what is wrong with what came of it.
fn check_fix(
    name: &str,
    files: &BTreeMap<String, Arc<str>>,
    before: &[Diagnostic],
    at: usize,
    title: &str,
) -> Option<String> {
    let wanted = &before[at];
    let (mut workspace, sources) = open(files);
    let used = Cell::new(false);
    let fixed = apply_fixes(&mut workspace, &sources, |_, found| {
        // In the first round alone: what comes afterwards has other places.
        let it = found.into_iter().find(|diagnostic| !used.get() && diagnostic == wanted);
        used.set(used.get() || it.is_some());
        let fixes = it.into_iter().flat_map(|diagnostic| diagnostic.finding.fixes);
        fixes.filter(|fix| fix.title == title).take(1).collect()
    });
    let place = format!("{name}: {}[{}] `{title}`", wanted.rule, wanted.finding.message);
    if fixed.texts.is_empty() {
        return Some(format!("{place}: changes nothing"));
    }
    if let Some(text) = fixed.texts.values().find(|text| !parse(Arc::clone(text)).is_valid()) {
        let was_valid = files.values().all(|text| parse(Arc::clone(text)).is_valid());
        return was_valid.then(|| format!("{place}: no YAML any more\n{text}"));
    }
    let is_json = |files: &BTreeMap<String, Arc<str>>, texts: &BTreeMap<SourceId, Arc<str>>| {
        files.keys().all(|path| path.ends_with(".json"))
            && texts.values().all(|text| serde_json::from_str::<serde_json::Value>(text).is_ok())
    };
    if is_json(files, &BTreeMap::new())
        && files.values().all(|text| serde_json::from_str::<serde_json::Value>(text).is_ok())
        && !is_json(files, &fixed.texts)
    {
        return Some(format!("{place}: no JSON any more\n{:?}", fixed.texts.values().next()));
    }
    let after = diagnostics_of(&workspace, &sources);
    let (old, new) = (counted(before), counted(&after));
    let own = key(wanted);
    if new.get(&own).copied().unwrap_or_default() >= old[&own] {
        return Some(format!("{place}: is still there"));
    }
    // A rule of the project may ask for the name that the fix changes.
    let is_own = |brought: &str| brought.starts_with("project/");
    let was_hidden = |brought: &str| {
        is_own(brought) || UNCOVERED.iter().any(|(rule, other, _)| *rule == own.0 && *other == brought)
    };
    let is_more = |key: &(String, String), count: usize| old.get(key).copied().unwrap_or_default() < count;
    let added = new.iter().find(|(key, count)| is_more(key, **count) && !was_hidden(&key.0));
    added.map(|(key, _)| format!("{place}: brings {key:?}\n{:?}", fixed.texts.values().next()))
}

fn counted(diagnostics: &[Diagnostic]) -> BTreeMap<(String, String), usize> {
    let mut counted = BTreeMap::new();
    for one in
        diagnostics.iter().filter(|one| one.severity != Severity::Hint || !one.finding.fixes.is_empty())
    {
        *counted.entry(key(one)).or_default() += 1;
    }
    counted
}

fn key(diagnostic: &Diagnostic) -> (String, String) {
    (diagnostic.rule.to_owned(), diagnostic.finding.message.clone())
}

pub(crate) fn diagnostics_of(workspace: &Workspace, sources: &[SourceId]) -> Vec<Diagnostic> {
    let snapshot = workspace.snapshot();
    sources.iter().flat_map(|source| snapshot.diagnostics(*source)).collect()
}

pub(crate) fn open(files: &BTreeMap<String, Arc<str>>) -> (Workspace, Vec<SourceId>) {
    let mut workspace = Workspace::new();
    let change = |(path, text): (&String, &Arc<str>)| Change::Write {
        path: path.as_str().into(),
        text: Arc::clone(text),
        settings: Arc::new(Settings::default()),
    };
    workspace.apply(files.iter().map(change).collect());
    let snapshot = workspace.snapshot();
    let sources = files.keys().filter_map(|path| snapshot.source(path)).collect();
    (workspace, sources)
}

/// The folders below one, in order.
pub(crate) fn below(base: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let entries = std::fs::read_dir(root.join(base)).unwrap().map(|entry| entry.unwrap().path());
    let mut below: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    below.sort();
    below
}

/// The folders that hold declarations, each a project of its own; files of the other systems are one each.
fn folders() -> Vec<PathBuf> {
    let bases = ["tests/data/corpus/liman", "tests/data/corpus/agentos", "tests/data/corpus", "examples"];
    let mut folders: Vec<PathBuf> = bases.into_iter().flat_map(below).collect();
    folders.retain(|folder| !read(folder).is_empty());
    folders
}

pub(crate) fn read(folder: &Path) -> BTreeMap<String, Arc<str>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_ours = path.extension().is_some_and(|end| end == "yaml" || end == "yml" || end == "json");
        if path.is_file() && is_ours {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if let Ok(text) = std::fs::read_to_string(&path) {
                files.insert(name, Arc::from(text));
            }
        }
    }
    files
}
