//! What is wrong with the files.
//!
//! Input: the files. Output: the document of `nodewise check --format json`, and what is wrong with the configurations. Invariant: the
//! findings are those of the command, in its order.

use std::collections::BTreeSet;

use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::facts::Ownership;
use nodewise_analysis::report::JsonDiagnostic;
use nodewise_project::config::FILE_NAME;
use serde_json::{Value, json};

use crate::open_projects::{OpenProject, OpenProjects, ShownFiles};

#[derive(Default)]
struct Counts {
    files: usize,
    declarations: usize,
    left_alone: usize,
    unreadable: usize,
    errors: usize,
    warnings: usize,
    hints: usize,
}

/// Checks all files. Returns a JSON document.
pub(crate) fn check(open: &OpenProjects) -> String {
    let mut counts = Counts::default();
    let mut diagnostics: Vec<String> = Vec::new();
    for project in open.projects() {
        add(project, &mut counts, &mut diagnostics);
    }
    let configuration: Vec<Value> = open.projects().iter().flat_map(problems).collect();
    let Counts { files, declarations, left_alone, unreadable, errors, warnings, hints } = counts;
    let summary = json!({
        "files": files, "declarations": declarations, "leftAlone": left_alone, "unreadable": unreadable,
        "errors": errors, "warnings": warnings, "infos": hints,
    });
    let (diagnostics, configuration) = (diagnostics.join(","), Value::from(configuration));
    format!(
        "{{\"version\":1,\"diagnostics\":[{diagnostics}],\"configuration\":{configuration},\"summary\":{summary}}}"
    )
}

fn add(project: &OpenProject, counts: &mut Counts, diagnostics: &mut Vec<String>) {
    let snapshot = project.snapshot();
    let shown = ShownFiles::of(project, &snapshot);
    let mut with_findings = BTreeSet::new();
    for file in snapshot.files().iter() {
        let found = snapshot.diagnostics(file.source);
        let place = |origin| shown.place(origin);
        for diagnostic in &found {
            with_findings.insert(diagnostic.finding.at.source);
            match diagnostic.severity {
                Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
                Severity::Hint => counts.hints += 1,
            }
            let object = JsonDiagnostic::new(diagnostic, &place);
            diagnostics.extend(serde_json::to_string(&object).ok());
        }
    }
    for file in snapshot.files().iter() {
        counts.declarations += file.declarations();
        match matches!(file.ownership, Ownership::Ours(_)) || with_findings.contains(&file.source) {
            true => counts.files += 1,
            false => counts.left_alone += 1,
        }
    }
    counts.unreadable += project.too_large;
}

fn problems(project: &OpenProject) -> impl Iterator<Item = Value> {
    project.config_problems.iter().map(|problem| {
        json!({
            "file": format!("{}{FILE_NAME}", project.folder),
            "line": problem.at.line, "column": problem.at.column,
            "message": problem.reason, "help": problem.help,
        })
    })
}
