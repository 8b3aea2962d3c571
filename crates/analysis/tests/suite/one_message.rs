//! One mistake gives one message: lines of the examples are indented too far, lost or misspelt, one at a time.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Workspace};
use nodewise_model::SourceId;

use crate::fixes::{below, diagnostics_of, open, read};

/// How often each finding is there: of a file and a rule, with a message.
type Counts = BTreeMap<(SourceId, &'static str, String), usize>;

/// A project of the examples, in which one line at a time is changed.
struct Example {
    files: BTreeMap<String, Arc<str>>,
    workspace: Workspace,
    sources: Vec<SourceId>,
}

impl Example {
    fn all() -> impl Iterator<Item = (PathBuf, Example)> {
        below("examples").into_iter().map(|folder| {
            let files = read(&folder);
            let (workspace, sources) = open(&files);
            (folder, Example { files, workspace, sources })
        })
    }

    /// Counts the findings that are at least as severe as `least`.
    fn counts(&self, least: Severity) -> Counts {
        let mut counts = Counts::new();
        let all = diagnostics_of(&self.workspace, &self.sources).into_iter();
        let severe = all.filter(|one| one.severity <= least);
        for one in severe {
            *counts.entry((one.finding.at.source, one.rule, one.finding.message)).or_default() += 1;
        }
        counts
    }

    fn write(&mut self, path: &str, text: &str) {
        let settings = Arc::new(Settings::default());
        self.workspace.apply(vec![Change::Write { path: path.into(), text: text.into(), settings }]);
    }

    /// Changes a line, calls `count`, and changes it back.
    fn with<T>(&mut self, (path, at): (&str, usize), line: &str, count: impl Fn(&Example) -> T) -> T {
        let text = self.files.get(path).cloned().unwrap_or_default();
        let changed = text.split_inclusive('\n').enumerate();
        let changed: String = changed.map(|(number, old)| if number == at { line } else { old }).collect();
        self.write(path, &changed);
        let counted = count(self);
        self.write(path, &text);
        counted
    }

    /// The lines that are neither empty nor comments, each with its file and its number, from 0.
    fn lines(&self) -> Vec<(String, usize, String)> {
        let lines = self.files.iter().flat_map(|(path, text)| {
            let lines = text.split_inclusive('\n').enumerate();
            lines.map(move |(at, line)| (path.clone(), at, line.to_owned()))
        });
        let is_content = |line: &str| !matches!(line.trim(), "" | "---") && !line.trim().starts_with('#');
        lines.filter(|(_, _, line)| is_content(line)).collect()
    }
}

/// What the second counts have more than the first.
fn added<K: Ord>(before: &BTreeMap<K, usize>, after: BTreeMap<K, usize>) -> BTreeMap<K, usize> {
    let added = after.into_iter().filter_map(|(key, count)| {
        let more = count.saturating_sub(before.get(&key).copied().unwrap_or_default());
        (more > 0).then_some((key, more))
    });
    added.collect()
}

/// Changes each line of the examples for which there is a change, one at a time. `change` gets the line and the next one. Fails if
/// a change brings more than one error or warning.
#[track_caller]
fn check_lines(at_least: usize, change: impl Fn(&str, &str) -> Option<String>) {
    let (mut tried, mut failures) = (0, Vec::new());
    for (folder, mut example) in Example::all() {
        let before = example.counts(Severity::Warning);
        let lines = example.lines();
        for (path, at, line) in lines.iter().filter(|(path, ..)| path.ends_with(".yaml")) {
            let Some(changed) = change(line, line_behind(&lines, path, *at)) else { continue };
            tried += 1;
            let count = |example: &Example| example.counts(Severity::Warning);
            let new = added(&before, example.with((path, *at), &changed, count));
            if new.values().sum::<usize>() > 1 {
                failures.push(format!("{}/{path}:{}: {new:#?}", folder.display(), at + 1));
            }
        }
    }
    assert!(tried >= at_least, "{tried} lines");
    assert!(failures.is_empty(), "{} of {tried} lines\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn a_line_that_is_indented_too_far() {
    check_lines(500, |line, _| Some(format!(" {line}")));
}

#[test]
fn an_item_without_its_first_line() {
    check_lines(20, |line, next| {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let is_first = line.trim().starts_with("- id: ") && indent(next) == indent(line) + 2;
        is_first.then(String::new)
    });
}

#[test]
fn a_list_without_its_key() {
    check_lines(3, |line, _| matches!(line, "edges:\n" | "nodes:\n").then(String::new));
}

#[test]
fn a_word_that_loses_a_letter() {
    let (mut tried, mut failures) = (0, Vec::new());
    for (folder, mut example) in Example::all() {
        let before = by_rule(&example.counts(Severity::Warning));
        for (path, at, line) in example.lines().iter().filter(|(path, ..)| path.ends_with(".yaml")) {
            let written = line.split(" #").next().unwrap_or_default();
            // With a key more, this is an object, and its parts are types.
            if written.contains("two-letter code") {
                continue;
            }
            for word in written
                .split(|letter: char| !is_word(letter))
                .filter(|word| word.is_ascii() && word.len() > 3)
            {
                let start = word.as_ptr() as usize - line.as_ptr() as usize;
                let changed = format!("{}{}", &line[..start + 2], &line[start + 3..]);
                tried += 1;
                let count = |example: &Example| by_rule(&example.counts(Severity::Warning));
                let new = added(&before, example.with((path, *at), &changed, count));
                if is_repeated(&new) {
                    failures.push(format!(
                        "{}/{path}:{}: {} {new:?}",
                        folder.display(),
                        at + 1,
                        changed.trim()
                    ));
                }
            }
        }
    }
    assert!(tried >= 1000, "{tried} words");
    assert!(failures.is_empty(), "{} of {tried} words\n{}", failures.len(), failures.join("\n"));
}

/// The line below a line, or nothing.
fn line_behind<'l>(lines: &'l [(String, usize, String)], path: &str, at: usize) -> &'l str {
    let next = lines.iter().find(|(file, number, _)| file == path && *number == at + 1);
    next.map_or("", |(_, _, line)| line.as_str())
}

/// The name that a line declares under `key`, if other lines use it. `next`: the line below.
fn used_name<'a>(example: &Example, key: &str, line: &'a str, next: &str) -> Option<&'a str> {
    let (_, value) = entry(line).filter(|(own, _)| *own == key)?;
    let is_edge = [line, next].iter().any(|line| line.contains("source"));
    let name = value.split(',').next()?.trim().trim_matches('"');
    let declares = |line: &str| entry(line).is_some_and(|(key, _)| matches!(key, "id" | "name"));
    let mut lines = example.lines().into_iter().map(|(_, _, line)| line);
    let is_used = lines.any(|line| !declares(&line) && has_word(&line, name));
    (name.len() > 3 && !is_edge && is_used).then_some(name)
}

/// The first key of a line, and what is behind it.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.trim().trim_start_matches(['-', ' ', '{']).split_once(':')?;
    Some((key.trim_matches('"'), value))
}

fn has_word(line: &str, name: &str) -> bool {
    line.split(|letter: char| !is_word(letter)).any(|word| word == name)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-')
}

/// How many findings each rule has in each file.
fn by_rule(counts: &Counts) -> BTreeMap<(SourceId, &'static str), usize> {
    let mut rules = BTreeMap::new();
    counts.iter().for_each(|((file, rule, _), count)| *rules.entry((*file, *rule)).or_default() += count);
    rules
}

/// Whether a file has more than one finding.
fn is_repeated(counts: &BTreeMap<(SourceId, &str), usize>) -> bool {
    let mut files = BTreeMap::new();
    counts.iter().for_each(|((file, _), count)| *files.entry(*file).or_insert(0) += count);
    files.values().any(|count| *count > 1)
}

/// Takes the last letter from each name that is declared under `key` and used elsewhere, one at a time. Fails if that brings no
/// finding, or more than one error or warning in a file.
#[track_caller]
fn check_names(project: &str, key: &str, at_least: usize) {
    let (mut tried, mut failures) = (0, Vec::new());
    let mut projects = Example::all();
    let (_, mut example) = projects.find(|(folder, _)| folder.ends_with(project)).unwrap();
    let [before, serious] = [Severity::Hint, Severity::Warning].map(|least| example.counts(least));
    let lines = example.lines();
    let declaring = lines.iter().filter(|(path, ..)| !path.contains(".eval.") && !path.contains(".bundle."));
    for (path, at, line) in declaring {
        let Some(name) = used_name(&example, key, line, line_behind(&lines, path, *at)) else { continue };
        let changed = line.replacen(name, &name[..name.len() - 1], 1);
        tried += 1;
        let count =
            |example: &Example| [Severity::Hint, Severity::Warning].map(|least| example.counts(least));
        let [all, severe] = example.with((path, *at), &changed, count);
        // The messages of other findings may have the name, so only the rules are compared.
        let severe = added(&by_rule(&serious), by_rule(&severe));
        if added(&before, all.clone()).is_empty() || is_repeated(&severe) {
            failures.push(format!("{path}:{}: {changed}{:#?}", at + 1, added(&before, all)));
        }
    }
    assert!(tried >= at_least, "{tried} names");
    assert!(failures.is_empty(), "{} of {tried} names\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn a_declaration_that_loses_a_letter_is_reported_once() {
    check_names("liman", "name", 5);
    check_names("liman", "id", 2);
    check_names("cycgraph", "id", 15);
    check_names("agentos", "id", 5);
}
