//! The text of files after edits, and whether it is as good as before. In: a snapshot and edits. Out: the text and its
//! tree, or `None` if the edits do not fit. Every action that writes new text is checked here before it is offered.

use std::ops::Range;

use nodewise_analysis::diagnostic::Edit;
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::{Comment, Entry, Mapping, NodeValue, SyntaxNode, Tree, parse};

/// The maximum depth to which two values are compared. Deeper values count as different.
const DEPTH_MAX: usize = 200;

#[cfg(test)]
thread_local! {
    /// The number of drafts that this thread has read.
    pub(super) static DRAFTS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A file after edits.
pub(crate) struct Draft {
    pub(crate) tree: Tree,
}

impl Draft {
    /// A file after the edits that belong to it. `None` if they overlap.
    pub(crate) fn of(file: &FileFacts, edits: &[Edit]) -> Option<Draft> {
        let own = edits.iter().filter(|edit| edit.at.source == file.source);
        let mut own: Vec<TextEdit> =
            own.map(|edit| TextEdit { range: edit.at.range, text: edit.text.clone() }).collect();
        let text = apply_edits(&file.text, &mut own).ok()?;
        #[cfg(test)]
        DRAFTS.with(|count| count.set(count.get() + 1));
        Some(Draft { tree: parse(text) })
    }

    /// Whether the text has no new syntax problem, and all comments except those that an edit deliberately removes.
    pub(crate) fn is_sound(&self, before: &Tree, edits: &[Edit]) -> bool {
        let is_meant = |comment: &Comment<'_>| edits.iter().any(|edit| takes_out(before, edit, comment));
        let kept = before.comments().filter(|comment| !is_meant(comment));
        self.tree.problems().len() <= before.problems().len() && holds(kept, self.tree.comments())
    }

    /// Whether the values are the same as before.
    pub(crate) fn says_the_same(&self, before: &Tree) -> bool {
        let mut ours = self.tree.documents();
        let mut theirs = before.documents();
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return true,
                (Some(our), Some(their)) if same(our.root(), their.root(), 0) => {}
                _ => return false,
            }
        }
    }
}

/// Whether every edited file is as sound as before.
pub(crate) fn is_sound(snapshot: &Snapshot, edits: &[Edit]) -> bool {
    let mut sources: Vec<_> = edits.iter().map(|edit| edit.at.source).collect();
    sources.sort_unstable();
    sources.dedup();
    sources.into_iter().all(|source| {
        let own: Vec<Edit> = edits.iter().filter(|edit| edit.at.source == source).cloned().collect();
        let drafted = snapshot.file(source).and_then(|file| Some((file, Draft::of(file, &own)?)));
        drafted.is_some_and(|(file, draft)| draft.is_sound(file.tree(), &own))
    })
}

/// Whether an edit removes a comment and nothing else.
fn takes_out(tree: &Tree, edit: &Edit, comment: &Comment<'_>) -> bool {
    let (range, text) = (edit.at.range, tree.text());
    edit.text.is_empty()
        && range.contains_range(comment.range)
        && text.get(Range::<usize>::from(range)).is_some_and(|taken| taken.trim() == comment.text.trim_end())
}

/// Whether all comments still exist, at any place.
fn holds<'t>(before: impl Iterator<Item = Comment<'t>>, after: impl Iterator<Item = Comment<'t>>) -> bool {
    let mut after: Vec<&str> = after.map(|comment| comment.text.trim_end()).collect();
    let mut before: Vec<&str> = before.map(|comment| comment.text.trim_end()).collect();
    after.sort_unstable();
    before.sort_unstable();
    let mut rest = after.into_iter();
    before.into_iter().all(|comment| rest.any(|kept| kept == comment))
}

/// Whether two values are equal for a loader, which ignores the order of keys.
fn same(one: Option<SyntaxNode<'_>>, other: Option<SyntaxNode<'_>>, depth: usize) -> bool {
    let (Some(one), Some(other)) = (one, other) else {
        return one.or(other).is_none_or(is_empty);
    };
    let properties = |node: SyntaxNode<'_>| {
        (node.anchor().map(|anchor| anchor.name.to_owned()), node.tag().map(|tag| tag.text.to_owned()))
    };
    if depth > DEPTH_MAX || properties(one) != properties(other) {
        return false;
    }
    match (one.value(), other.value()) {
        (NodeValue::Mapping(ours), NodeValue::Mapping(theirs)) => {
            let (ours, theirs) = (sorted_entries(ours), sorted_entries(theirs));
            ours.len() == theirs.len()
                && ours.iter().zip(&theirs).all(|(our, their)| {
                    same(our.key(), their.key(), depth + 1) && same(our.value(), their.value(), depth + 1)
                })
        }
        (NodeValue::Sequence(ours), NodeValue::Sequence(theirs)) => {
            let (ours, theirs): (Vec<_>, Vec<_>) = (ours.items().collect(), theirs.items().collect());
            ours.len() == theirs.len()
                && ours.iter().zip(&theirs).all(|(our, their)| same(our.node(), their.node(), depth + 1))
        }
        (NodeValue::Scalar(our), NodeValue::Scalar(their)) => {
            our.cooked() == their.cooked() && our.resolve() == their.resolve()
        }
        (NodeValue::Alias(our), NodeValue::Alias(their)) => our.name() == their.name(),
        (NodeValue::Empty, NodeValue::Empty) => true,
        _ => is_empty(one) && is_empty(other),
    }
}

fn sorted_entries(mapping: Mapping<'_>) -> Vec<Entry<'_>> {
    let mut entries: Vec<_> = mapping.entries().collect();
    entries.sort_by_cached_key(|entry| entry.key_text().unwrap_or_default().into_owned());
    entries
}

/// Whether a node has no value: no content, or an empty plain scalar.
fn is_empty(node: SyntaxNode<'_>) -> bool {
    let is_bare = node.anchor().is_none() && node.tag().is_none();
    is_bare
        && match node.value() {
            NodeValue::Empty => true,
            NodeValue::Scalar(scalar) => scalar.raw().is_empty(),
            _ => false,
        }
}
