//! Comments that ignore a rule, for a line or for the file, or by adding the rule to an existing comment. In: the
//! findings at the selection. Out: actions. If a line cannot have a comment, for example inside a block scalar, the
//! line above is tried. JSON has no comments.

use std::ops::Range;

use nodewise_analysis::diagnostic::{Diagnostic, Edit};
use nodewise_analysis::rules::can_be_silenced;
use nodewise_analysis::suppress::{Suppression, SuppressionScope};
use nodewise_syntax::{TextRange, TextSize};

use super::draft::Draft;
use super::{Action, ActionKind, Scene};

/// Offers to ignore each rule with a finding at the selection.
pub(super) fn offer(scene: &Scene<'_>, found: &mut Vec<Action>) {
    if scene.is_json() {
        return;
    }
    let mut for_file: Vec<&'static str> = Vec::new();
    for diagnostic in scene.findings().filter(|one| can_be_silenced(one.rule)) {
        let rule = diagnostic.rule;
        if let Some(edit) = on_line(scene, diagnostic) {
            let title = format!("Ignore `{rule}` here");
            let action = Action::new(title, ActionKind::QuickFix, vec![edit]).fixing(diagnostic);
            if !found.iter().any(|known| known.change == action.change) {
                found.push(action);
            }
        }
        if !for_file.contains(&rule) {
            for_file.push(rule);
        }
    }
    for rule in for_file {
        if let Some(edit) = in_file(scene, rule) {
            let title = format!("Ignore `{rule}` in this file");
            let action = Action::new(title, ActionKind::QuickFix, vec![edit]);
            let silenced = scene.findings().filter(|one| one.rule == rule);
            found.push(silenced.fold(action, Action::fixing));
        }
    }
}

/// Ignores a rule on the line where a finding begins.
fn on_line(scene: &Scene<'_>, diagnostic: &Diagnostic) -> Option<Edit> {
    let offset = diagnostic.finding.at.range.start();
    let rule = diagnostic.rule;
    let speaks_here = |comment: &&Suppression| match comment.scope {
        SuppressionScope::Line(line) => line.contains_inclusive(offset) && !comment.rules.is_empty(),
        SuppressionScope::File | SuppressionScope::Unknown => false,
    };
    let comments = &scene.file.suppressions.comments;
    if let Some(edit) =
        comments.iter().find(speaks_here).and_then(|comment| longer_list(scene, comment, rule))
    {
        return Some(edit);
    }
    let text = &*scene.file.text;
    let line = line_around(text, offset.into());
    let behind = text.get(line.clone())?;
    let mut tries = Vec::new();
    if !behind.trim().is_empty() {
        tries.push(
            scene.edit(at(line.start + behind.trim_end().len()), format!("  # nodewise: ignore[{rule}]")),
        );
    }
    let indent: String = behind.chars().take_while(|letter| *letter == ' ').collect();
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    tries.push(scene.edit(at(line.start), format!("{indent}# nodewise: ignore-next[{rule}]{ending}")));
    if let Some(above) = line.start.checked_sub(1).map(|end| line_around(text, end)) {
        let end = above.start + text.get(above.clone())?.trim_end().len();
        tries.push(scene.edit(at(end), format!("  # nodewise: ignore-next[{rule}]")));
    }
    tries.into_iter().find(|edit| adds_comment(scene, edit))
}

/// Ignores a rule in the whole file: at its top, after a line for other programs.
fn in_file(scene: &Scene<'_>, rule: &str) -> Option<Edit> {
    let speaks_for_file =
        |comment: &&Suppression| comment.scope == SuppressionScope::File && !comment.rules.is_empty();
    let comments = &scene.file.suppressions.comments;
    if let Some(edit) = comments.iter().find(speaks_for_file).and_then(|one| longer_list(scene, one, rule)) {
        return Some(edit);
    }
    let text = &*scene.file.text;
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let first = scene.file.tree().documents().next();
    let directive = first.and_then(|document| document.directives().last());
    let start = match directive {
        Some(directive) => next_line(text, directive.range.end().into()),
        None if text.starts_with("#!") => next_line(text, 0),
        None => text.find(|letter| letter != '\u{feff}').unwrap_or(text.len()),
    };
    let gap =
        if start > 0 && !text.get(..start).is_some_and(|before| before.ends_with(['\n', '\r', '\u{feff}'])) {
            ending
        } else {
            ""
        };
    let edit = scene.edit(at(start), format!("{gap}# nodewise: ignore-file[{rule}]{ending}"));
    adds_comment(scene, &edit).then_some(edit)
}

/// Adds a rule to the list of a comment.
fn longer_list(scene: &Scene<'_>, comment: &Suppression, rule: &str) -> Option<Edit> {
    let text = scene.file.text.get(Range::<usize>::from(comment.range))?;
    let closing = text.find(']')?;
    let offset = comment.range.start() + TextSize::try_from(closing).ok()?;
    Some(scene.edit(TextRange::empty(offset), format!(", {rule}")))
}

/// Whether an edit adds a comment and nothing else.
fn adds_comment(scene: &Scene<'_>, edit: &Edit) -> bool {
    let tree = scene.file.tree();
    let Some(draft) = Draft::of(scene.file, std::slice::from_ref(edit)) else { return false };
    draft.tree.problems().len() == tree.problems().len()
        && draft.tree.comments().count() == tree.comments().count() + 1
        && draft.says_the_same(tree)
}

/// The line around an offset, without its end.
fn line_around(text: &str, offset: usize) -> Range<usize> {
    let offset = offset.min(text.len());
    let bytes = text.as_bytes();
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let start = bytes.iter().take(offset).rposition(is_end).map_or(0, |end| end + 1);
    let end = bytes.iter().skip(offset).position(is_end).map_or(text.len(), |length| offset + length);
    start..end
}

/// The start of the next line after an offset.
fn next_line(text: &str, offset: usize) -> usize {
    let rest = text.get(offset..).unwrap_or_default();
    rest.find('\n').map_or(text.len(), |end| offset + end + 1)
}

fn at(offset: usize) -> TextRange {
    TextRange::empty(TextSize::try_from(offset).unwrap_or_default())
}
