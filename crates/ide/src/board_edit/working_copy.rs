//! The texts of a project while an edit is made in steps. In: the edits of each step, for the texts after the steps
//! before. Out: one change of the texts as they were. Each step reads a snapshot of the texts as they are by then.

use std::collections::BTreeMap;

use nodewise_analysis::diagnostic::Edit;
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::edit::{TextEdit, apply_edits, compose_edits};
use nodewise_syntax::{TextRange, TextSize};

use super::{BoardRefusal, Edited, unwritable};
use crate::actions::{NewFile, SourceChange};

/// A copy of the project that edits change step by step.
pub(super) struct WorkingCopy<'s> {
    before: &'s Snapshot,
    now: Snapshot,
    /// The edits of each file together, in order.
    edits: BTreeMap<SourceId, Vec<TextEdit>>,
    pub(super) new_files: Vec<NewFile>,
    deleted_files: Vec<SourceId>,
}

impl<'s> WorkingCopy<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> WorkingCopy<'s> {
        WorkingCopy {
            before: snapshot,
            now: snapshot.clone(),
            edits: BTreeMap::new(),
            new_files: Vec::new(),
            deleted_files: Vec::new(),
        }
    }

    /// The project after the steps so far. Snapshots share their parts, so a clone is cheap.
    pub(super) fn now(&self) -> Snapshot {
        self.now.clone()
    }

    /// Applies a step to a file. A step without edits is refused, because it could not be written.
    pub(super) fn apply(&mut self, source: SourceId, mut edits: Vec<TextEdit>) -> Edited {
        let (Some(before), Some(file)) = (self.before.file(source), self.now.file(source)) else {
            return Err(unwritable());
        };
        if edits.is_empty() {
            return Err(unwritable());
        }
        let text = apply_edits(&file.text, &mut edits).map_err(|_| unwritable())?;
        let all = self.edits.entry(source).or_default();
        *all = compose_edits(TextSize::of(&*before.text), all, &edits);
        self.now = self.now.with_text(source, text.into());
        Ok(())
    }

    /// Deletes a file.
    pub(super) fn delete_file(&mut self, source: SourceId) {
        self.edits.remove(&source);
        self.now = self.now.with_text(source, "".into());
        self.deleted_files.push(source);
    }

    /// The combined change of all steps.
    pub(super) fn finish(self) -> Result<SourceChange, BoardRefusal> {
        let mut edits = Vec::new();
        for (source, of_file) in self.edits {
            let (Some(before), Some(after)) = (self.before.file(source), self.now.file(source)) else {
                return Err(unwritable());
            };
            if after.tree().problems().len() > before.tree().problems().len() {
                return Err(unwritable());
            }
            let smallest = of_file.into_iter().filter_map(|edit| smallest(&before.text, edit));
            edits.extend(
                smallest.map(|TextEdit { range, text }| Edit { at: Origin::new(source, range), text }),
            );
        }
        Ok(SourceChange { edits, new_files: self.new_files, deleted_files: self.deleted_files })
    }
}

/// An edit without the text at both ends that it does not change. `None` if nothing remains.
fn smallest(text: &str, edit: TextEdit) -> Option<TextEdit> {
    let old = text.get(std::ops::Range::<usize>::from(edit.range))?;
    let pairs = old.char_indices().zip(edit.text.chars());
    let start = pairs.take_while(|((_, old), new)| old == new).last();
    let start = start.map_or(0, |((at, letter), _)| at + letter.len_utf8());
    let (old_rest, new_rest) = (old.get(start..)?, edit.text.get(start..)?);
    let same = old_rest.chars().rev().zip(new_rest.chars().rev()).take_while(|(old, new)| old == new);
    let end: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
    let new = new_rest.get(..new_rest.len() - end)?;
    if new.is_empty() && old_rest.len() == end {
        return None;
    }
    let size = |length: usize| TextSize::try_from(length).unwrap_or_default();
    let range = TextRange::new(edit.range.start() + size(start), edit.range.end() - size(end));
    Some(TextEdit { range, text: new.to_owned() })
}
