//! What can be done at a place: mend a finding, silence it, declare what is missing, write the same thing in another
//! form. In: a snapshot, a file and a range; out: actions with their edits. Invariant: what an action leaves behind has
//! no syntax problem that was not there before, and no comment is lost.

mod accounts;
mod chain;
mod create;
mod draft;
mod edges;
mod fixes;
mod ignore;
mod keys;
mod layout;
mod pieces;
mod scalars;
mod skeleton;
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

use crate::position::FilePosition;
use crate::spot::Spot;
use draft::Draft;

/// In a longer file other styles are looked for only when somebody asks for such actions: each is held against the whole
/// text, and editors ask for all actions wherever the cursor goes.
const STYLED_MAX: usize = 200_000;

/// Something that can be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// What it does, as an imperative.
    pub title: String,
    /// What sort of action it is.
    pub kind: ActionKind,
    /// What changes.
    pub change: Pending,
    /// Whether it is the one that the author most likely wants.
    pub preferred: bool,
    /// The findings that it mends.
    pub mends: Vec<Mended>,
}

/// What sort of action it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind {
    /// It mends or silences a finding.
    QuickFix,
    /// It takes a part out and names it.
    Extract,
    /// It puts a part where its name stands.
    Inline,
    /// It writes the same thing differently, or adds what is likely wanted.
    Rewrite,
    /// It mends everything in the file that is safe to mend.
    FixAll,
}

/// What changes: known already, or worked out by [`resolve`] once somebody wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pending {
    /// Known.
    Ready(SourceChange),
    /// The safe fixes of a file.
    FixAll,
    /// The fixes of one rule in a file.
    FixRule(String),
}

/// Edits of files that are there, and files that come to be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceChange {
    /// The edits, which do not overlap.
    pub edits: Vec<Edit>,
    /// The new files.
    pub new_files: Vec<NewFile>,
}

/// A file that comes to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// The path relative to the project, with `/` between its parts; nothing is there yet.
    pub path: String,
    /// The whole text.
    pub text: String,
}

/// A finding that an action mends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    /// The rule's id.
    pub rule: &'static str,
    /// The finding's place.
    pub at: Origin,
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The file.
    pub source: SourceId,
    /// The selection, or the cursor as an empty range.
    pub range: TextRange,
    /// The sorts of actions that are wanted; none for all.
    pub only: &'a [ActionKind],
    /// Whether files may be created.
    pub can_create_files: bool,
}

/// What every sort of action looks at.
pub(crate) struct Scene<'s> {
    pub(crate) snapshot: &'s Snapshot,
    pub(crate) file: &'s FileFacts,
    pub(crate) range: TextRange,
    /// The findings of the whole file.
    pub(crate) diagnostics: &'s [Diagnostic],
    pub(crate) can_create_files: bool,
}

/// What can be done at a place, likeliest first.
#[must_use]
pub fn actions(snapshot: &Snapshot, request: Request<'_>) -> Vec<Action> {
    let Some(file) = snapshot.file(request.source) else { return Vec::new() };
    let diagnostics = snapshot.diagnostics(request.source);
    let end = TextSize::of(&*file.text);
    let range = TextRange::new(request.range.start().min(end), request.range.end().min(end));
    let can_create_files = request.can_create_files;
    let scene = Scene { snapshot, file, range, diagnostics: &diagnostics, can_create_files };
    let wants = |kind: ActionKind| request.only.is_empty() || request.only.contains(&kind);
    let mut found = Vec::new();
    if wants(ActionKind::QuickFix) {
        fixes::of_findings(&scene, &mut found);
        create::offer(&scene, &mut found);
        fixes::of_rules(&scene, &mut found);
    }
    if let Some(spot) = Spot::at(snapshot, FilePosition::new(request.source, range.start())) {
        let mut rewrites = Vec::new();
        // What a document would be is a guess until it says so itself.
        if spot.document.is_some_and(|document| matches!(document.role, DocumentRole::Kind(_))) {
            translations::offer(&scene, &spot, &mut rewrites);
            keys::offer(&scene, &spot, &mut rewrites);
            edges::offer(&scene, &spot, &mut rewrites);
            accounts::offer(&scene, &spot, &mut rewrites);
        }
        if file.text.len() <= STYLED_MAX || request.only.contains(&ActionKind::Rewrite) {
            layout::offer(&scene, &spot, &mut rewrites);
            scalars::offer(&scene, &spot, &mut rewrites);
        }
        found.extend(rewrites.into_iter().filter(|action| wants(action.kind)));
    }
    if wants(ActionKind::QuickFix) {
        ignore::offer(&scene, &mut found);
    }
    if wants(ActionKind::FixAll) {
        fixes::of_file(&scene, &mut found);
    }
    found
}

/// What an action changes; nothing where the file has gone or has changed so that nothing is left to do.
#[must_use]
pub fn resolve(snapshot: &Snapshot, source: SourceId, pending: &Pending) -> Option<SourceChange> {
    match pending {
        Pending::Ready(change) => Some(change.clone()),
        Pending::FixAll => fixes::all(snapshot, source, None),
        Pending::FixRule(rule) => fixes::all(snapshot, source, Some(rule)),
    }
}

impl Action {
    /// An action with its edits.
    pub(crate) fn new(title: impl Into<String>, kind: ActionKind, edits: Vec<Edit>) -> Action {
        let change = Pending::Ready(SourceChange { edits, new_files: Vec::new() });
        Action { title: title.into(), kind, change, preferred: false, mends: Vec::new() }
    }

    /// Says that the action mends a finding.
    pub(crate) fn mending(mut self, diagnostic: &Diagnostic) -> Action {
        self.mends.push(Mended { rule: diagnostic.rule, at: diagnostic.finding.at });
        self
    }
}

/// The findings of a selection for which there are actions.
const FINDINGS_MAX: usize = 64;

impl<'s> Scene<'s> {
    /// The first findings that the selection touches: each action is tried on the whole text, and nobody reads more of a
    /// list. What mends all of a rule has an action of its own.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &'s Diagnostic> + use<'s> {
        let range = self.range;
        let touched = self.diagnostics.iter().filter(move |diagnostic| {
            let at = diagnostic.finding.at.range;
            at.start() <= range.end() && range.start() <= at.end()
        });
        touched.take(FINDINGS_MAX)
    }

    /// An edit of the file.
    pub(crate) fn edit(&self, range: TextRange, text: impl Into<String>) -> Edit {
        Edit { at: Origin::new(self.file.source, range), text: text.into() }
    }

    /// The file's tree.
    pub(crate) fn tree(&self) -> &'s Tree {
        self.file.tree()
    }

    /// Whose file it is.
    pub(crate) fn dialect(&self) -> Option<&'static Dialect> {
        match self.file.ownership {
            Ownership::Ours(dialect) => Some(dialect),
            Ownership::Empty | Ownership::NotOurs => None,
        }
    }

    /// The selection as a place.
    pub(crate) fn origin(&self) -> Origin {
        Origin::new(self.file.source, self.range)
    }

    /// Who writes into the file.
    pub(crate) fn writer(&self) -> Writer<'s> {
        Writer::new(self.tree(), self.is_json())
    }

    /// An action on the file, unless the edits would break something.
    pub(crate) fn sound(
        &self,
        title: impl Into<String>,
        kind: ActionKind,
        edits: Vec<TextEdit>,
    ) -> Option<Action> {
        let (edits, draft) = self.drafted(edits)?;
        draft.is_sound(self.tree(), &edits).then(|| Action::new(title, kind, edits))
    }

    /// An action that only changes how the file is written; nothing where it would say something else.
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
