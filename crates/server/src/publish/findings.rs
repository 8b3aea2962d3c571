//! The known diagnostics of a file, with positions.
//!
//! Input: a view and a file, or the problems of a configuration. Output: diagnostics. Invariant: if there are too
//! many, the most severe ones are shown.

use nodewise_analysis::diagnostic::{Diagnostic, Fix, Severity};
use nodewise_analysis::facts::FileFacts;
use nodewise_project::config::ConfigProblem;
use nodewise_syntax::LineCol;

use crate::placed::{FindingSeverity, FindingSource, FindingTag, Placed, PlacedFix, RelatedPlace};
use crate::positions::{Position, Span};
use crate::view::{Places, ProjectView, View};

/// The known diagnostics of a file, in output order.
pub(crate) fn of_file(view: &View, project: &ProjectView, file: &FileFacts) -> Vec<Placed> {
    let places = view.places(project);
    let found = match project.is_complete {
        true => project.snapshot.diagnostics(file.source),
        // Leave out findings that may disappear when more files are read.
        false => project.snapshot.own_diagnostics(file.source),
    };
    let is_shown = |diagnostic: &&Diagnostic| view.options.hints || diagnostic.severity != Severity::Hint;
    let mut all: Vec<Placed> =
        found.iter().filter(is_shown).filter_map(|diagnostic| placed(&places, diagnostic)).collect();
    let uri = project.uri(&file.path).filter(|_| !view.ran.is_empty());
    let ran = uri.iter().flat_map(|uri| view.ran.iter().flat_map(move |ran| ran.failures(uri)));
    all.extend(ran.cloned());
    most_severe(all, &file.path)
}

/// The maximum number of findings of a file in an editor.
const SHOWN_MAX: usize = 1000;

/// The most severe findings if there are too many, and how to see the others. The order stays the same.
fn most_severe(all: Vec<Placed>, path: &str) -> Vec<Placed> {
    let Some(left_out) = all.len().checked_sub(SHOWN_MAX).filter(|left_out| *left_out > 0) else {
        return all;
    };
    let count = |severity: FindingSeverity| all.iter().filter(|placed| placed.severity == severity).count();
    let mut rest = SHOWN_MAX;
    let mut room =
        [FindingSeverity::Error, FindingSeverity::Warning, FindingSeverity::Hint].map(|severity| {
            let room = count(severity).min(rest);
            rest -= room;
            (severity, room)
        });
    let start = Position { line: 0, column: 0 };
    let more = Placed {
        span: Span { start, end: Position { column: 1, ..start } },
        severity: FindingSeverity::Hint,
        source: FindingSource::Text,
        rule: None,
        message: format!(
            "{left_out} more findings are not shown\nhelp: run `nodewise check {path}` to see all of them"
        ),
        tag: None,
        related: Vec::new(),
        fixes: Vec::new(),
    };
    let mut is_shown = |placed: &Placed| {
        let room = room.iter_mut().find(|(severity, _)| *severity == placed.severity).map(|(_, room)| room);
        room.is_some_and(|room| {
            let has_room = *room > 0;
            *room = room.saturating_sub(1);
            has_room
        })
    };
    let mut shown: Vec<Placed> = all.into_iter().filter(|placed| is_shown(placed)).collect();
    shown.push(more);
    shown
}

/// The problems of a configuration, and the former names that it uses.
pub(crate) fn of_configuration(problems: &[ConfigProblem], notes: &[ConfigProblem]) -> Vec<Placed> {
    let problems = problems.iter().map(|problem| of_problem(problem, FindingSeverity::Error, None));
    let notes =
        notes.iter().map(|note| of_problem(note, FindingSeverity::Warning, Some(FindingTag::Deprecated)));
    problems.chain(notes).collect()
}

fn of_problem(problem: &ConfigProblem, severity: FindingSeverity, tag: Option<FindingTag>) -> Placed {
    let place =
        |at: LineCol| Position { line: at.line.saturating_sub(1), column: at.column.saturating_sub(1) };
    let (start, end) = (place(problem.at), place(problem.end));
    // A problem of several lines is shown at its start.
    let end = match end.line == start.line && end.column > start.column {
        true => end,
        false => Position { column: start.column + 1, ..start },
    };
    Placed {
        span: Span { start, end },
        severity,
        source: FindingSource::Text,
        rule: None,
        message: format!("{}\nhelp: {}", problem.reason, problem.help),
        tag,
        related: Vec::new(),
        fixes: Vec::new(),
    }
}

fn placed(places: &Places<'_>, diagnostic: &Diagnostic) -> Option<Placed> {
    let finding = &diagnostic.finding;
    let related = finding.related.iter().filter_map(|related| {
        let (uri, span) = places.place(related.at)?;
        Some(RelatedPlace { uri, span, message: related.message.clone() })
    });
    Some(Placed {
        span: places.span(finding.at)?,
        severity: severity(diagnostic.severity),
        source: FindingSource::Text,
        rule: Some(diagnostic.rule),
        message: message(diagnostic),
        tag: tag(diagnostic.rule),
        related: related.collect(),
        fixes: finding.fixes.iter().filter_map(|fix| placed_fix(places, fix)).collect(),
    })
}

fn placed_fix(places: &Places<'_>, fix: &Fix) -> Option<PlacedFix> {
    let edits = fix.edits.iter().map(|edit| {
        let (uri, span) = places.place(edit.at)?;
        Some((uri, span, edit.text.clone()))
    });
    Some(PlacedFix { title: fix.title.clone(), is_safe: fix.safe, edits: edits.collect::<Option<_>>()? })
}

fn severity(severity: Severity) -> FindingSeverity {
    match severity {
        Severity::Error => FindingSeverity::Error,
        Severity::Warning => FindingSeverity::Warning,
        Severity::Hint => FindingSeverity::Hint,
    }
}

fn message(diagnostic: &Diagnostic) -> String {
    let finding = &diagnostic.finding;
    let mut message = finding.message.clone();
    if let Some(label) = &finding.label {
        message.push_str(&format!("\n{label}"));
    }
    if let Some(help) = &finding.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    message
}

/// The name of a rule says what is wrong, then with what. So the name says whether the rule is about something without
/// effect or out of date.
fn tag(rule: &str) -> Option<FindingTag> {
    match rule.split_once('-')? {
        ("unused" | "unread" | "redundant", _) => Some(FindingTag::Unnecessary),
        // Exceptions: duplicate ids are errors, an unreachable limit has an effect, and a host may follow a policy.
        ("duplicate", "edge" | "entry") | ("ignored", "setting" | "condition") | ("unreachable", "node") => {
            Some(FindingTag::Unnecessary)
        }
        ("deprecated" | "outdated", _) => Some(FindingTag::Deprecated),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use nodewise_analysis::rules::RULES;

    use super::{FindingTag, tag};

    #[test]
    fn names_of_rules_say_what_has_no_effect() {
        let shaded = |wanted: FindingTag| {
            let rules = RULES.iter().filter(|rule| tag(rule.id).is_some_and(|tag| tag == wanted));
            rules.map(|rule| rule.id).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            shaded(FindingTag::Deprecated),
            "deprecated-operator deprecated-reference outdated-rule-id"
        );
        assert_eq!(
            shaded(FindingTag::Unnecessary),
            "duplicate-edge duplicate-entry ignored-condition ignored-setting redundant-read unreachable-node \
             unread-file unread-input unread-key unread-mapped-key unread-worker-key unused-declaration \
             unused-permission unused-requirement unused-suppression"
        );
    }
}
