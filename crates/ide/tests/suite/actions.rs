//! Every action that is offered at places of every file of the corpora and examples, applied.
//!
//! Input: the files, valid and faulty, as projects. Output: the actions that break something, none. Invariant: after an
//! action the text has no syntax problem more, no comment less; and what the action fixes is gone, with nothing in its
//! place.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_ide::actions::{Action, ActionEdit, ActionKind, ActionRequest, SourceChange, actions, resolve};
use nodewise_model::SourceId;
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::{TextRange, TextSize};

pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// How many places of a file are tried beside those of its findings.
const PLACES: usize = 24;

pub(crate) type Texts = BTreeMap<String, String>;
/// A rule, how much harm it says there is, and its message.
type Finding = (&'static str, Severity, String);
/// Findings, each with how often it is there.
type Findings = BTreeMap<Finding, usize>;

/// The projects: a folder each for Liman and the examples, else a file.
pub(crate) fn projects() -> Vec<(String, Texts)> {
    let mut projects = Vec::new();
    let corpus = Path::new(ROOT).join("tests/data/corpus");
    let folders = [corpus.join("liman"), Path::new(ROOT).join("examples")];
    for folder in folders.iter().flat_map(|root| entries(root)).filter(|path| path.is_dir()) {
        let files = files_below(&folder);
        let texts = files.iter().map(|path| (relative(path, &folder), text_of(path)));
        projects.push((folder.display().to_string(), texts.collect()));
    }
    for path in ["cycgraph", "agentos"].iter().flat_map(|system| files_below(&corpus.join(system))) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        projects.push((path.display().to_string(), Texts::from([(name, text_of(&path))])));
    }
    projects
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            files.extend(files_below(&path));
        } else if path
            .extension()
            .is_some_and(|ending| ["yaml", "yml", "json"].iter().any(|one| ending == *one))
        {
            files.push(path);
        }
    }
    files
}

fn relative(path: &Path, folder: &Path) -> String {
    path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/")
}

fn text_of(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
}

pub(crate) fn snapshot(texts: &Texts) -> Snapshot {
    let settings = Arc::new(Settings::default());
    let write = |(path, text): (&String, &String)| Change::Write {
        path: path.as_str().into(),
        text: text.as_str().into(),
        settings: Arc::clone(&settings),
    };
    let mut workspace = Workspace::new();
    workspace.apply(texts.iter().map(write).collect());
    workspace.snapshot()
}

/// The texts after a change; an error where the edits do not fit.
fn changed(snapshot: &Snapshot, texts: &Texts, change: &SourceChange) -> Result<Texts, String> {
    let mut after = texts.clone();
    for file in snapshot.files() {
        let own = change.edits.iter().filter(|edit| edit.at.source == file.source);
        let mut own: Vec<TextEdit> =
            own.map(|edit| TextEdit { range: edit.at.range, text: edit.text.clone() }).collect();
        let text = apply_edits(&file.text, &mut own).map_err(|conflict| conflict.to_string())?;
        after.insert(file.path.to_string(), text);
    }
    for file in &change.new_files {
        if after.insert(file.path.clone(), file.text.clone()).is_some() {
            return Err(format!("{} already exists", file.path));
        }
    }
    Ok(after)
}

/// The findings of a project.
fn findings(snapshot: &Snapshot) -> Findings {
    let mut findings = BTreeMap::new();
    for file in snapshot.files() {
        for diagnostic in snapshot.diagnostics(file.source) {
            let finding = (diagnostic.rule, diagnostic.severity, diagnostic.finding.message);
            *findings.entry(finding).or_insert(0) += 1;
        }
    }
    findings
}

/// The comments of a project, sorted.
fn comments(snapshot: &Snapshot) -> Vec<String> {
    let files = snapshot.files().iter();
    let all = files.flat_map(|file| file.tree().comments().map(|comment| comment.text.trim_end().to_owned()));
    let mut all: Vec<String> = all.collect();
    all.sort();
    all
}

/// Whether a sorted list has every member of another; a comment that silences may have become longer.
fn contains(list: &[String], part: &[String]) -> bool {
    let is_kept = |one: &String| !one.contains("nodewise:");
    let mut list = list.iter().filter(|one| is_kept(one));
    part.iter().filter(|one| is_kept(one)).all(|wanted| list.any(|one| one == wanted))
}

/// What is wrong with an action.
fn fault(before: &Snapshot, texts: &Texts, source: SourceId, action: &Action) -> Option<String> {
    let change = resolve(before, source, &action.change)?;
    if change.edits.is_empty() && change.new_files.is_empty() {
        return Some("it changes nothing".to_owned());
    }
    let after_texts = match changed(before, texts, &change) {
        Ok(texts) => texts,
        Err(conflict) => return Some(conflict),
    };
    if after_texts == *texts {
        return Some("the text stays the same".to_owned());
    }
    let after = snapshot(&after_texts);
    let problems = |snapshot: &Snapshot| -> usize {
        snapshot.files().iter().map(|file| file.tree().problems().len()).sum()
    };
    if problems(&after) > problems(before) {
        return Some("it breaks the text".to_owned());
    }
    // The fix of a comment that silences nothing takes the comment out.
    let is_about_comments =
        action.title == "Remove the comment" || matches!(action.change, ActionEdit::FixAll);
    if !is_about_comments && !contains(&comments(&after), &comments(before)) {
        return Some("a comment is lost".to_owned());
    }
    let (was, is) = (findings(before), findings(&after));
    let of_rule = |all: &Findings, rule: &str| -> usize {
        all.iter().filter(|((one, ..), _)| *one == rule).map(|(_, count)| count).sum()
    };
    if let Some(left) = action.fixes.iter().find(|one| of_rule(&is, one.rule) >= of_rule(&was, one.rule)) {
        return Some(format!("{} is still there: {is:#?}", left.rule));
    }
    let total = |all: &Findings| -> usize { all.values().sum() };
    // What was masked by the fixed finding may show now; it must not be more than what is gone.
    let is_fix = matches!(action.kind, ActionKind::QuickFix | ActionKind::FixAll);
    let is_masked = is_fix && total(&is) <= total(&was);
    // A new declaration is not yet used, and a finding says so. It must have no other finding.
    let is_begun = action.title.starts_with("Create ") || action.title.starts_with("Add ");
    let is_new = |finding: &Finding, count: usize| was.get(finding).is_none_or(|before| *before < count);
    let mut new = is.iter().filter(|(finding, count)| is_new(finding, **count)).map(|(finding, _)| finding);
    let new = new.find(|(_, severity, _)| !is_masked && (!is_begun || *severity == Severity::Error));
    new.map(|finding| format!("a finding comes: {finding:?}"))
}

#[test]
fn every_action_does_what_it_says() {
    let mut faults = String::new();
    let mut applied: BTreeMap<String, usize> = BTreeMap::new();
    for (name, texts) in projects() {
        let before = snapshot(&texts);
        for file in before.files() {
            let length = file.text.len();
            let mut places: Vec<usize> = (0..PLACES).map(|place| place * length / PLACES).collect();
            let diagnostics = before.diagnostics(file.source);
            places.extend(diagnostics.iter().map(|one| usize::from(one.finding.at.range.start())));
            places.sort_unstable();
            places.dedup();
            let mut tried: Vec<Action> = Vec::new();
            for place in places {
                let range = TextRange::empty(TextSize::try_from(place).unwrap());
                let request = ActionRequest { source: file.source, range, only: &[], can_create_files: true };
                for action in actions(&before, request) {
                    if tried.contains(&action) {
                        continue;
                    }
                    let sort = action.title.split('`').next().unwrap_or_default().trim().to_owned();
                    *applied.entry(sort).or_insert(0) += 1;
                    if let Some(fault) = fault(&before, &texts, file.source, &action) {
                        let _ =
                            writeln!(faults, "{name}/{} at {place}, `{}`: {fault}", file.path, action.title);
                    }
                    tried.push(action);
                }
            }
        }
    }
    println!("{applied:#?}");
    assert!(faults.is_empty(), "{faults}");
}
