//! Comments that ignore a rule, for a line or for the file, or by adding the rule to an existing comment. In: the
//! findings at the selection. Out: actions. If a line cannot have a comment, for example inside a block scalar, the
//! line above is tried. JSON has no comments.

use std::ops::Range;

use nodewise_analysis::diagnostic::{Diagnostic, Edit};
use nodewise_analysis::rules::can_be_silenced;
use nodewise_analysis::suppress::{Suppression, SuppressionScope};
use nodewise_syntax::{TextRange, TextSize};

use super::draft::Draft;
use super::{Action, ActionContext, ActionKind};

/// Offers to ignore each rule with a finding at the selection.
pub(super) fn offer(context: &ActionContext<'_>, found: &mut Vec<Action>) {
    if context.is_json() {
        return;
    }
    let diagnostics: Vec<&Diagnostic> = context.findings().filter(|one| can_be_silenced(one.rule)).collect();
    let tries: Vec<Vec<Edit>> = diagnostics.iter().map(|one| on_line(context, one)).collect();
    for (diagnostic, edit) in diagnostics.iter().zip(first_that_works(context, &tries)) {
        let Some(edit) = edit else { continue };
        let title = format!("Ignore `{}` here", diagnostic.rule);
        let action = Action::new(title, ActionKind::QuickFix, vec![edit]).fixing(diagnostic);
        if !found.iter().any(|known| known.change == action.change) {
            found.push(action);
        }
    }
    let mut rules: Vec<&'static str> = Vec::new();
    for diagnostic in &diagnostics {
        if !rules.contains(&diagnostic.rule) {
            rules.push(diagnostic.rule);
        }
    }
    let tries: Vec<Vec<Edit>> = rules.iter().map(|rule| vec![in_file(context, rule)]).collect();
    for (rule, edit) in rules.into_iter().zip(first_that_works(context, &tries)) {
        let Some(edit) = edit else { continue };
        let title = format!("Ignore `{rule}` in this file");
        let action = Action::new(title, ActionKind::QuickFix, vec![edit]);
        let silenced = diagnostics.iter().copied().filter(|one| one.rule == rule);
        found.push(silenced.fold(action, Action::fixing));
    }
}

/// The ways to ignore a rule on the line where a finding begins, the best first.
fn on_line(context: &ActionContext<'_>, diagnostic: &Diagnostic) -> Vec<Edit> {
    let offset = diagnostic.finding.at.range.start();
    let rule = diagnostic.rule;
    let speaks_here = |comment: &&Suppression| match comment.scope {
        SuppressionScope::Line(line) => line.contains_inclusive(offset) && !comment.rules.is_empty(),
        SuppressionScope::File | SuppressionScope::Unknown => false,
    };
    let comments = &context.file.suppressions.comments;
    if let Some(edit) =
        comments.iter().find(speaks_here).and_then(|comment| longer_list(context, comment, rule))
    {
        return vec![edit];
    }
    let text = &*context.file.text;
    let line = line_around(text, offset.into());
    let behind = text.get(line.clone()).unwrap_or_default();
    let mut tries = Vec::new();
    if !behind.trim().is_empty() {
        tries.push(
            context.edit(at(line.start + behind.trim_end().len()), format!("  # nodewise: ignore[{rule}]")),
        );
    }
    let indent: String = behind.chars().take_while(|letter| *letter == ' ').collect();
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    tries.push(context.edit(at(line.start), format!("{indent}# nodewise: ignore-next[{rule}]{ending}")));
    if let Some(above) = line.start.checked_sub(1).map(|end| line_around(text, end)) {
        let end = above.start + text.get(above.clone()).unwrap_or_default().trim_end().len();
        tries.push(context.edit(at(end), format!("  # nodewise: ignore-next[{rule}]")));
    }
    tries
}

/// For each list of edits, the first one that leaves the values as they are.
fn first_that_works(context: &ActionContext<'_>, tries: &[Vec<Edit>]) -> Vec<Option<Edit>> {
    let mut chosen: Vec<Option<Edit>> = vec![None; tries.len()];
    for round in 0..tries.iter().map(Vec::len).max().unwrap_or_default() {
        let open = || tries.iter().zip(&chosen).filter(|(_, edit)| edit.is_none());
        let mut edits: Vec<&Edit> = open().filter_map(|(tries, _)| tries.get(round)).collect();
        // Which rule a comment names makes no difference.
        edits.sort_by_key(|edit| edit.at.range.start());
        edits.dedup_by_key(|edit| edit.at.range.start());
        let mut working = Vec::new();
        add_comments(context, &edits, &mut working);
        for (tries, edit) in tries.iter().zip(&mut chosen).filter(|(_, edit)| edit.is_none()) {
            *edit =
                tries.get(round).filter(|one| working.binary_search(&one.at.range.start()).is_ok()).cloned();
        }
    }
    chosen
}

/// Collects the offsets, in order, of the edits that add a comment and nothing else. All edits are tried together, and
/// halves of them where that does not work, because each try reads the whole text.
fn add_comments(context: &ActionContext<'_>, edits: &[&Edit], working: &mut Vec<TextSize>) {
    if edits.is_empty() {
        return;
    }
    let all: Vec<Edit> = edits.iter().copied().cloned().collect();
    if adds_comments(context, &all) {
        working.extend(edits.iter().map(|edit| edit.at.range.start()));
    } else if edits.len() > 1 {
        let (before, after) = edits.split_at(edits.len() / 2);
        add_comments(context, before, working);
        add_comments(context, after, working);
    }
}

/// Ignores a rule in the whole file: at its top, after a line for other programs.
fn in_file(context: &ActionContext<'_>, rule: &str) -> Edit {
    let speaks_for_file =
        |comment: &&Suppression| comment.scope == SuppressionScope::File && !comment.rules.is_empty();
    let comments = &context.file.suppressions.comments;
    if let Some(edit) = comments.iter().find(speaks_for_file).and_then(|one| longer_list(context, one, rule))
    {
        return edit;
    }
    let text = &*context.file.text;
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let first = context.file.tree().documents().next();
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
    context.edit(at(start), format!("{gap}# nodewise: ignore-file[{rule}]{ending}"))
}

/// Adds a rule to the list of a comment.
fn longer_list(context: &ActionContext<'_>, comment: &Suppression, rule: &str) -> Option<Edit> {
    let text = context.file.text.get(Range::<usize>::from(comment.range))?;
    let closing = text.find(']')?;
    let offset = comment.range.start() + TextSize::try_from(closing).ok()?;
    Some(context.edit(TextRange::empty(offset), format!(", {rule}")))
}

/// Whether edits add a comment each and nothing else. A longer list adds none.
fn adds_comments(context: &ActionContext<'_>, edits: &[Edit]) -> bool {
    let tree = context.file.tree();
    let Some(draft) = Draft::of(context.file, edits) else { return false };
    let new = edits.iter().filter(|edit| edit.text.contains('#')).count();
    draft.tree.problems().len() == tree.problems().len()
        && draft.tree.comments().count() == tree.comments().count() + new
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
