//! One mistake gives one message: each line of the examples is indented too far by one space.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Workspace};

use crate::fixes::{below, diagnostics_of, open, read};

/// The errors and warnings of a project, each with how often it is there.
type Counts = BTreeMap<(&'static str, String), usize>;

/// Changes each line of the examples, one at a time. Fails if a change brings more than one error or warning.
#[track_caller]
fn check_lines(change: impl Fn(&str) -> String) {
    let (mut tried, mut failures) = (0, Vec::new());
    for folder in below("examples") {
        let files = read(&folder);
        let (mut workspace, sources) = open(&files);
        let counts = |workspace: &Workspace| -> Counts {
            let mut counts = Counts::new();
            let serious = diagnostics_of(workspace, &sources);
            let serious =
                serious.into_iter().filter(|one| matches!(one.severity, Severity::Error | Severity::Warning));
            serious.for_each(|one| *counts.entry((one.rule, one.finding.message)).or_default() += 1);
            counts
        };
        let before = counts(&workspace);
        let write = |workspace: &mut nodewise_analysis::workspace::Workspace, path: &str, text: Arc<str>| {
            let settings = Arc::new(Settings::default());
            workspace.apply(vec![Change::Write { path: path.into(), text, settings }]);
        };
        for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".yaml")) {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            for (at, line) in lines.iter().enumerate() {
                let is_content = !matches!(line.trim(), "" | "---") && !line.trim().starts_with('#');
                if !is_content {
                    continue;
                }
                let changed = [&lines[..at], &[change(line).as_str()], &lines[at + 1..]].concat().concat();
                write(&mut workspace, path, changed.into());
                tried += 1;
                let new = counts(&workspace).into_iter();
                let new = new.filter_map(|(key, count)| {
                    let more = count.saturating_sub(before.get(&key).copied().unwrap_or_default());
                    (more > 0).then_some((key, more))
                });
                let new: Counts = new.collect();
                if new.values().sum::<usize>() > 1 {
                    failures.push(format!("{}/{path}:{}: {new:#?}", folder.display(), at + 1));
                }
            }
            write(&mut workspace, path, Arc::clone(text));
        }
    }
    assert!(tried >= 500, "{tried} lines");
    assert!(failures.is_empty(), "{} of {tried} lines\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn a_line_that_is_indented_too_far() {
    check_lines(|line| format!(" {line}"));
}
