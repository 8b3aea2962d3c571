//! Code actions: fix or ignore a finding, declare what is missing, write the same thing in another form. In: a
//! snapshot, a file and a range. Out: actions with their edits. Invariant: an action adds no syntax problem and loses
//! no comment.

mod accounts;
pub(crate) mod chain;
pub(crate) mod create;
mod draft;
pub(crate) mod edges;
mod fixes;
mod ignore;
mod keys;
mod layout;
mod pieces;
mod scalars;
pub(crate) mod skeleton;
#[cfg(test)]
mod tests;
mod translations;

use nodewise_analysis::diagnostic::{Diagnostic, Edit};
use nodewise_analysis::facts::{DocumentRole, FileFacts, Ownership};
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::Dialect;
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::write::Writer;
use nodewise_syntax::{TextRange, TextSize, Tree};

use crate::cursor_context::CursorContext;
use crate::position::FilePosition;
use draft::Draft;

/// In a longer file, other styles are offered only when the user asks for such actions. Each style is compared with the
/// whole text, and editors request all actions at each move of the cursor.
const STYLED_MAX: usize = 200_000;

/// An action that the user can choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// What it does, as an imperative.
    pub title: String,
    /// The kind of the action.
    pub kind: ActionKind,
    pub change: ActionEdit,
    /// Whether it is most likely the one that the author wants.
    pub preferred: bool,
    /// The findings that it fixes.
    pub fixes: Vec<FixedFinding>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind {
    /// Fixes or ignores a finding.
    QuickFix,
    /// Moves a part to its own declaration.
    Extract,
    /// Replaces a name with the part that it names.
    Inline,
    /// Writes the same thing in another form, or adds something that is likely wanted.
    Rewrite,
    /// Applies all safe fixes in the file.
    FixAll,
}

/// The change of an action: known, or computed by [`resolve`] when the user chooses the action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActionEdit {
    /// Known.
    Ready(SourceChange),
    /// The safe fixes of a file.
    FixAll,
    /// The fixes of one rule in a file.
    FixRule(String),
}

/// Edits of existing files, new files, and files to delete.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceChange {
    /// The edits, which do not overlap.
    pub edits: Vec<Edit>,
    pub new_files: Vec<NewFile>,
    pub deleted_files: Vec<SourceId>,
}

/// A file that an action creates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// The path relative to the project, with `/` between its parts. No file exists there.
    pub path: String,
    /// The whole text.
    pub text: String,
}

/// A finding that an action fixes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedFinding {
    /// The rule's id.
    pub rule: &'static str,
    /// The finding's place.
    pub at: Origin,
}

#[derive(Debug, Clone, Copy)]
pub struct ActionRequest<'a> {
    /// The file.
    pub source: SourceId,
    /// The selection, or the cursor as an empty range.
    pub range: TextRange,
    /// The kinds of actions to return. Empty for all.
    pub only: &'a [ActionKind],
    /// Whether files may be created.
    pub can_create_files: bool,
}

/// The input of every kind of action.
pub(crate) struct ActionContext<'s> {
    pub(crate) snapshot: &'s Snapshot,
    pub(crate) file: &'s FileFacts,
    pub(crate) range: TextRange,
    /// The findings of the whole file.
    pub(crate) diagnostics: &'s [Diagnostic],
    pub(crate) can_create_files: bool,
}

/// The actions at a place, the most likely first.
#[must_use]
pub fn actions(snapshot: &Snapshot, request: ActionRequest<'_>) -> Vec<Action> {
    let Some(file) = snapshot.file(request.source) else { return Vec::new() };
    let diagnostics = snapshot.diagnostics(request.source);
    let end = TextSize::of(&*file.text);
    let range = TextRange::new(request.range.start().min(end), request.range.end().min(end));
    let can_create_files = request.can_create_files;
    let context = ActionContext { snapshot, file, range, diagnostics: &diagnostics, can_create_files };
    let wants = |kind: ActionKind| request.only.is_empty() || request.only.contains(&kind);
    let mut found = Vec::new();
    if wants(ActionKind::QuickFix) {
        fixes::of_findings(&context, &mut found);
        create::offer(&context, &mut found);
        fixes::of_rules(&context, &mut found);
    }
    if let Some(spot) = CursorContext::at(snapshot, FilePosition::new(request.source, range.start())) {
        let mut rewrites = Vec::new();
        // If a document does not say what it is, its kind is only a guess.
        if spot.document.is_some_and(|document| matches!(document.role, DocumentRole::Kind(_))) {
            translations::offer(&context, &spot, &mut rewrites);
            keys::offer(&context, &spot, &mut rewrites);
            edges::offer(&context, &spot, &mut rewrites);
            accounts::offer(&context, &spot, &mut rewrites);
        }
        if file.text.len() <= STYLED_MAX || request.only.contains(&ActionKind::Rewrite) {
            layout::offer(&context, &spot, &mut rewrites);
            scalars::offer(&context, &spot, &mut rewrites);
        }
        found.extend(rewrites.into_iter().filter(|action| wants(action.kind)));
    }
    if wants(ActionKind::QuickFix) {
        ignore::offer(&context, &mut found);
    }
    if wants(ActionKind::FixAll) {
        fixes::of_file(&context, &mut found);
    }
    found
}

/// The change of an action. `None` if the file is gone, or has changed so that there is nothing to do.
#[must_use]
pub fn resolve(snapshot: &Snapshot, source: SourceId, pending: &ActionEdit) -> Option<SourceChange> {
    match pending {
        ActionEdit::Ready(change) => Some(change.clone()),
        ActionEdit::FixAll => fixes::all(snapshot, source, None),
        ActionEdit::FixRule(rule) => fixes::all(snapshot, source, Some(rule)),
    }
}

impl Action {
    /// An action with its edits.
    pub(crate) fn new(title: impl Into<String>, kind: ActionKind, edits: Vec<Edit>) -> Action {
        let change = ActionEdit::Ready(SourceChange { edits, ..SourceChange::default() });
        Action { title: title.into(), kind, change, preferred: false, fixes: Vec::new() }
    }

    /// Adds a finding that the action fixes.
    pub(crate) fn fixing(mut self, diagnostic: &Diagnostic) -> Action {
        self.fixes.push(FixedFinding { rule: diagnostic.rule, at: diagnostic.finding.at });
        self
    }
}

/// The maximum number of findings of a selection for which actions are computed.
const FINDINGS_MAX: usize = 64;
/// Each action is tried on the whole text, so that a longer text has fewer: at most this many bytes for all findings.
const TRIED_BYTES_MAX: usize = 4_000_000;
/// The number of findings that a text of any length has actions for.
const FINDINGS_MIN: usize = 8;

impl<'s> ActionContext<'s> {
    /// The first findings that the selection touches. No one reads a longer list, and another action fixes all findings
    /// of a rule.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &'s Diagnostic> + use<'s> {
        let range = self.range;
        let touched = self.diagnostics.iter().filter(move |diagnostic| {
            let at = diagnostic.finding.at.range;
            at.start() <= range.end() && range.start() <= at.end()
        });
        let length = self.file.text.len().max(1);
        touched.take((TRIED_BYTES_MAX / length).clamp(FINDINGS_MIN, FINDINGS_MAX))
    }

    /// An edit of the file.
    pub(crate) fn edit(&self, range: TextRange, text: impl Into<String>) -> Edit {
        Edit { at: Origin::new(self.file.source, range), text: text.into() }
    }

    /// The file's tree.
    pub(crate) fn tree(&self) -> &'s Tree {
        self.file.tree()
    }

    /// The dialect of the file.
    pub(crate) fn dialect(&self) -> Option<&'static Dialect> {
        match self.file.ownership {
            Ownership::Ours(dialect) => Some(dialect),
            Ownership::Empty | Ownership::NotOurs => None,
        }
    }

    /// The selection as an origin.
    pub(crate) fn origin(&self) -> Origin {
        Origin::new(self.file.source, self.range)
    }

    /// The writer for edits of the file.
    pub(crate) fn writer(&self) -> Writer<'s> {
        Writer::new(self.tree(), self.is_json())
    }

    /// An action on the file. `None` if the edits would break the syntax.
    pub(crate) fn sound(
        &self,
        title: impl Into<String>,
        kind: ActionKind,
        edits: Vec<TextEdit>,
    ) -> Option<Action> {
        let (edits, draft) = self.drafted(edits)?;
        draft.is_sound(self.tree(), &edits).then(|| Action::new(title, kind, edits))
    }

    /// An action that changes only how the file is written. `None` if the values would change.
    pub(crate) fn same(&self, title: impl Into<String>, edits: Vec<TextEdit>) -> Option<Action> {
        let (edits, draft) = self.drafted(edits)?;
        let problems = self.tree().problems();
        let is_broken =
            |edit: &Edit| problems.iter().any(|problem| edit.at.range.intersect(problem.range).is_some());
        if edits.iter().any(is_broken) {
            return None;
        }
        let is_same = draft.is_sound(self.tree(), &edits) && draft.says_the_same(self.tree());
        is_same.then(|| Action::new(title, ActionKind::Rewrite, edits))
    }

    fn drafted(&self, edits: Vec<TextEdit>) -> Option<(Vec<Edit>, Draft)> {
        let edits: Vec<Edit> = edits.into_iter().map(|edit| self.edit(edit.range, edit.text)).collect();
        let draft = Draft::of(self.file, &edits)?;
        (draft.tree.text() != self.tree().text()).then_some((edits, draft))
    }

    /// Whether the file must stay JSON, which has no comments.
    pub(crate) fn is_json(&self) -> bool {
        self.file.path.ends_with(".json")
    }
}
