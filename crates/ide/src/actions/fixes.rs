//! The fixes of rules: one at a time, all of one rule, all safe ones. In: the findings of a file. Out: actions. A fix
//! that overlaps an earlier one waits for the next round, which checks the text again.

use std::collections::BTreeMap;

use nodewise_analysis::diagnostic::{Diagnostic, Edit, Fix};
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::TextSize;
use nodewise_syntax::edit::{TextEdit, apply_edits};

use super::pieces::Pieces;
use super::{Action, ActionContext, ActionEdit, ActionKind, SourceChange, draft};

/// The maximum number of rounds. Remaining fixes need another action.
const ROUNDS_MAX: usize = 8;

/// The maximum number of fixes that are tried one by one, if all of them together would break the text.
const TRIED_MAX: usize = 64;

/// The fixes of the findings at the selection.
pub(super) fn of_findings(context: &ActionContext<'_>, found: &mut Vec<Action>) {
    for diagnostic in context.findings() {
        let fixes = &diagnostic.finding.fixes;
        let is_only_safe = fixes.iter().filter(|fix| fix.safe).count() == 1;
        for fix in fixes.iter().filter(|fix| draft::is_sound(context.snapshot, &fix.edits)) {
            let mut action =
                Action::new(&*fix.title, ActionKind::QuickFix, fix.edits.clone()).fixing(diagnostic);
            action.preferred = fix.safe && is_only_safe;
            found.push(action);
        }
    }
}

/// For each rule at the selection that also has fixes elsewhere in the file: all of its fixes.
pub(super) fn of_rules(context: &ActionContext<'_>, found: &mut Vec<Action>) {
    let mut rules: Vec<&'static str> = context.findings().map(|diagnostic| diagnostic.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    for rule in rules {
        let fixed: Vec<&Diagnostic> =
            context.diagnostics.iter().filter(|one| one.rule == rule && clear_fix(one).is_some()).collect();
        if fixed.len() > 1 {
            let title = format!("Fix all {} `{rule}` problems in the file", fixed.len());
            let mut action = Action::new(title, ActionKind::QuickFix, Vec::new());
            action.change = ActionEdit::FixRule(rule.to_owned());
            found.push(fixed.into_iter().fold(action, Action::fixing));
        }
    }
}

/// All safe fixes of the file, if it has any.
pub(super) fn of_file(context: &ActionContext<'_>, found: &mut Vec<Action>) {
    let fixed: Vec<&Diagnostic> = context.diagnostics.iter().filter(|one| safe_fix(one).is_some()).collect();
    if !fixed.is_empty() {
        let mut action = Action::new("Fix all auto-fixable problems", ActionKind::FixAll, Vec::new());
        action.change = ActionEdit::FixAll;
        found.push(fixed.into_iter().fold(action, Action::fixing));
    }
}

/// The fixes of a file that are applied together: those of one rule, or all safe ones. Each round starts with the
/// result of the one before.
pub(super) fn all(snapshot: &Snapshot, source: SourceId, rule: Option<&str>) -> Option<SourceChange> {
    let file = snapshot.file(source)?;
    let mut pieces = Pieces::of(&file.text);
    let mut now = snapshot.clone();
    for _ in 0..ROUNDS_MAX {
        let mut edits = of_round(&now, source, rule);
        let text = apply_edits(&now.file(source)?.text, &mut edits).ok()?;
        if edits.is_empty() {
            break;
        }
        pieces.apply(&edits);
        now = now.with_text(source, text.into());
    }
    let edit = |edit: TextEdit| Edit { at: Origin::new(source, edit.range), text: edit.text };
    let edits: Vec<Edit> = pieces.edits().into_iter().map(edit).collect();
    (!edits.is_empty()).then_some(SourceChange { edits, ..SourceChange::default() })
}

/// The fixes of a file that do not touch each other.
fn of_round(snapshot: &Snapshot, source: SourceId, rule: Option<&str>) -> Vec<TextEdit> {
    let diagnostics = snapshot.diagnostics(source);
    let is_here = |fix: &&Fix| fix.edits.iter().all(|edit| edit.at.source == source);
    let fixes: Vec<&Fix> = match rule {
        Some(rule) => {
            diagnostics.iter().filter(|one| one.rule == rule).filter_map(clear_fix).filter(is_here).collect()
        }
        None => diagnostics.iter().filter_map(safe_fix).filter(is_here).collect(),
    };
    let mut taken = Taken::default();
    for fix in &fixes {
        if taken.is_apart(&fix.edits) {
            taken.add(&fix.edits);
        }
    }
    let mut edits = taken.edits;
    if !draft::is_sound(snapshot, &edits) {
        edits = one_by_one(snapshot, &fixes);
    }
    edits.into_iter().map(|edit| TextEdit { range: edit.at.range, text: edit.text }).collect()
}

/// The fixes that can be applied together with those before them.
fn one_by_one(snapshot: &Snapshot, fixes: &[&Fix]) -> Vec<Edit> {
    let mut taken = Taken::default();
    for fix in fixes.iter().take(TRIED_MAX).filter(|fix| draft::is_sound(snapshot, &fix.edits)) {
        let before = taken.clone();
        if taken.is_apart(&fix.edits) {
            taken.add(&fix.edits);
        }
        if !draft::is_sound(snapshot, &taken.edits) {
            taken = before;
        }
    }
    taken.edits
}

/// Edits that are applied together, and their ranges in order.
#[derive(Debug, Clone, Default)]
struct Taken {
    edits: Vec<Edit>,
    /// The end of each range, by its source and start.
    ends: BTreeMap<(SourceId, TextSize), TextSize>,
}

impl Taken {
    /// Whether edits touch none of these. If two fixes write at the same place, they fit together only by accident.
    fn is_apart(&self, edits: &[Edit]) -> bool {
        edits.iter().all(|edit| {
            let Origin { source, range } = edit.at;
            // Ranges do not overlap, so that the last one that begins before the end of this one also ends last.
            let mut before = self.ends.range(..=(source, range.end())).rev();
            before.next().is_none_or(|(&(other, _), &end)| other != source || end < range.start())
        })
    }

    fn add(&mut self, edits: &[Edit]) {
        self.ends
            .extend(edits.iter().map(|edit| ((edit.at.source, edit.at.range.start()), edit.at.range.end())));
        self.edits.extend(edits.iter().cloned());
    }
}

/// The only safe fix of a finding.
fn safe_fix(diagnostic: &Diagnostic) -> Option<&Fix> {
    let mut safe = diagnostic.finding.fixes.iter().filter(|fix| fix.safe);
    safe.next().filter(|_| safe.next().is_none())
}

/// The unambiguous fix of a finding: the only safe one, or the only one.
fn clear_fix(diagnostic: &Diagnostic) -> Option<&Fix> {
    match diagnostic.finding.fixes.as_slice() {
        [only] => Some(only),
        _ => safe_fix(diagnostic),
    }
}
