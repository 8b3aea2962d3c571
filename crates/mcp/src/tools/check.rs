//! `check`: what is wrong, where, and what to write instead.
//!
//! Input: files, or a text. Output: findings, errors first. Invariant: the lines are those of `nodewise check --format agent`.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, Entry, entries_schema};
use crate::error::ToolError;
use crate::program::{Finished, Invocation};
use crate::tool::{
    Effects, Request, Tool, object, path_of_text_schema, paths_schema, text_schema, unsaved, with_pages,
};

pub(super) const TOOL: Tool = Tool {
    name: "check",
    title: "Check workflow files",
    description: "Reports what is wrong in files that declare agent workflows ({systems}): unknown names, state keys \
                  that nothing writes, conditions that never hold, fields that have no effect. Each finding says where it is and what \
                  to write. Call it after each edit; correct the first causes first. `text` checks a text before it is saved.",
    effects: Effects::None,
    input: || {
        object(
            with_pages(json!({
                "paths": paths_schema(),
                "text": text_schema(),
                "path": path_of_text_schema(),
                "rules": {"type": "array", "items": {"type": "string"}, "description": "Only these rules or categories."},
                "min_severity": {"enum": ["error", "warning", "hint"], "description": "The least severity; `warning` if absent."},
            })),
            &[],
        )
    },
    output: || entries_schema(finding_schema(), counts_schema()),
    ask,
    answer,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default)]
    paths: Vec<String>,
    text: Option<String>,
    path: Option<String>,
    #[serde(default)]
    rules: Vec<String>,
    min_severity: Option<String>,
}

fn ask(request: &Request<'_>) -> Result<Invocation, ToolError> {
    let wanted: Arguments = request.arguments()?;
    let unsaved = unsaved(&wanted.text, request.roots, wanted.path.as_deref())?;
    let rules = (!wanted.rules.is_empty()).then(|| wanted.rules.join(","));
    Ok(Invocation::new("check")
        .with("--format=json")
        .with("--no-progress")
        .with_value("--min-severity", Some(wanted.min_severity.as_deref().unwrap_or("warning")))
        .with_value("--select", rules)
        .reading(unsaved, request.roots.files(&wanted.paths)?))
}

fn answer(request: &Request<'_>, finished: Finished) -> Result<Answer, ToolError> {
    let report: Report = match serde_json::from_str(&finished.stdout) {
        Ok(report) => report,
        Err(_) => return Err(finished.error()),
    };
    let mut findings = report.diagnostics;
    // The sort is stable, so findings of one severity stay in the order of files and lines.
    findings.sort_by_key(|finding| finding.severity);
    let Summary { errors, warnings, infos, files, declarations, .. } = report.summary;
    let mut counts = vec![count(errors, "error"), count(warnings, "warning")];
    if infos > 0 {
        counts.push(count(infos, "hint"));
    }
    let (files_read, declarations) = (count(files, "file"), count(declarations, "declaration"));
    let mut head = format!("{} in {files_read} ({declarations})\n", counts.join(", "));
    // This says which files could not be read, and why there may be nothing to check.
    head.push_str(&finished.stderr);
    let entries = findings.iter().map(Finding::entry).collect();
    let members = json!({
        "errors": errors, "warnings": warnings, "hints": infos, "files": files,
        "unreadable": report.summary.unreadable,
    });
    Ok(request.part.entries(&head, entries, members))
}

/// A number with its noun.
fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// The parts of the report of `check --format json` that agents need.
#[derive(Deserialize)]
struct Report {
    diagnostics: Vec<Finding>,
    summary: Summary,
}

#[derive(Deserialize)]
struct Summary {
    errors: usize,
    warnings: usize,
    infos: usize,
    files: usize,
    declarations: usize,
    unreadable: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Error,
    Warning,
    Hint,
}

#[derive(Deserialize)]
struct Finding {
    file: Option<String>,
    rule: String,
    severity: Severity,
    message: String,
    range: Option<Range>,
    label: Option<String>,
    help: Option<String>,
    #[serde(default)]
    fixes: Vec<Fix>,
}

#[derive(Deserialize)]
struct Range {
    start: Position,
}

#[derive(Deserialize)]
struct Position {
    line: u32,
    column: u32,
}

#[derive(Deserialize)]
struct Fix {
    title: String,
    safe: bool,
}

impl Severity {
    fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

impl Finding {
    fn entry(&self) -> Entry {
        Entry { group: self.file.clone().unwrap_or_default(), text: self.line(), value: self.value() }
    }

    /// The finding as a line of `--format agent`.
    fn line(&self) -> String {
        let mut line = match self.range {
            Some(Range { start: Position { line, column } }) => format!("  {line}:{column} "),
            None => String::new(),
        };
        line.push_str(&format!("{} {}: {}", self.severity.word(), self.rule, self.message));
        for more in self.label.iter().chain(&self.help) {
            line.push_str(&format!("; {more}"));
        }
        for Fix { title, safe } in &self.fixes {
            line.push_str(&format!("; {}: {title}", if *safe { "fix" } else { "unsafe fix" }));
        }
        line.push('\n');
        line
    }

    fn value(&self) -> Value {
        let fixes = self.fixes.iter().map(|fix| json!({"title": fix.title, "safe": fix.safe}));
        let mut value = json!({
            "file": self.file,
            "line": self.range.as_ref().map(|range| range.start.line),
            "column": self.range.as_ref().map(|range| range.start.column),
            "severity": self.severity.word(),
            "rule": self.rule,
            "message": self.message,
            "fixes": fixes.collect::<Vec<Value>>(),
        });
        for (name, text) in [("label", &self.label), ("help", &self.help)] {
            if let (Some(text), Value::Object(members)) = (text, &mut value) {
                members.insert(name.to_owned(), json!(text));
            }
        }
        value
    }
}

/// The schema of the counts of a report.
fn counts_schema() -> Value {
    let count = json!({"type": "integer"});
    json!({"errors": count, "warnings": count, "hints": count, "files": count, "unreadable": count})
}

fn finding_schema() -> Value {
    let text = json!({"type": "string"});
    let number = json!({"type": ["integer", "null"]});
    json!({
        "type": "object",
        "properties": {
            "file": {"type": ["string", "null"]},
            "line": number,
            "column": number,
            "severity": {"enum": ["error", "warning", "hint"]},
            "rule": text,
            "message": text,
            "label": text,
            "help": text,
            "fixes": {"type": "array", "items": {
                "type": "object",
                "properties": {"title": text, "safe": {"type": "boolean"}},
                "required": ["title", "safe"],
            }},
        },
        "required": ["file", "line", "column", "severity", "rule", "message", "fixes"],
    })
}
