//! The path from the root of the arena to one of its tokens.
//!
//! Input: a tree and a token's number. Output: the constructs that hold the token, and the steps between them.
//! Invariant: a level's steps are a prefix of those of the levels inside it.

use std::borrow::Cow;

use text_size::TextRange;

use super::TreeStep;
use crate::event::SyntaxKind;
use crate::node::{Children, Entry, SyntaxNode, SyntaxNodeId};
use crate::tree::Tree;

/// A construct that contains a token.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    pub(crate) event: u32,
    pub(crate) kind: SyntaxKind,
    /// The length of the path to the construct.
    steps: usize,
}

/// The constructs that contain a token, the document first.
pub(crate) struct Trail<'t> {
    tree: &'t Tree,
    pub(crate) levels: Vec<Level>,
    /// The path to the token.
    pub(crate) path: Vec<TreeStep>,
}

impl<'t> Trail<'t> {
    pub(crate) fn to(tree: &'t Tree, target: u32) -> Trail<'t> {
        let mut trail = Trail { tree, levels: Vec::new(), path: Vec::new() };
        let mut children = Children::new(tree.events(), 0, tree.events().len());
        loop {
            let Some((child, kind, is_behind_colon, members)) = child_towards(&mut children, target) else {
                return trail;
            };
            trail.step_into(kind, child, is_behind_colon, members);
            if child == target || !kind.is_construct() {
                return trail;
            }
            trail.levels.push(Level { event: child, kind, steps: trail.path.len() });
            children = Children::of(tree, child);
        }
    }

    /// Adds the step from the innermost level to its child.
    fn step_into(&mut self, kind: SyntaxKind, child: u32, is_value: bool, members: usize) {
        let Some(&level) = self.levels.last() else { return };
        match level.kind {
            SyntaxKind::Entry | SyntaxKind::BareEntry
                if is_value && (kind.is_node() || kind == SyntaxKind::Error) =>
            {
                let step = self.key_step(self.levels.len() - 1);
                self.path.extend(step);
            }
            SyntaxKind::Item if kind.is_node() => {
                let step = self.item_step(self.levels.len() - 1);
                self.path.extend(step);
            }
            SyntaxKind::FlowSeq if kind.is_node() => {
                let sequence = self.node_id(self.levels.len() - 1);
                self.path.push(TreeStep::Item { index: members, sequence });
            }
            _ => {}
        }
        debug_assert!(child > level.event, "a child stands behind its parent");
    }

    /// The step to the value of the entry at a level.
    pub(crate) fn key_step(&self, level: usize) -> Option<TreeStep> {
        let entry = self.levels.get(level)?;
        let mapping = self.node_id(level.checked_sub(1)?);
        let entry = Entry::new(self.tree, entry.event);
        Some(match entry.key() {
            Some(key) => TreeStep::Key { text: key_text(key).into_owned(), range: key.range(), mapping },
            None => {
                TreeStep::Key { text: String::new(), range: TextRange::empty(entry.range().start()), mapping }
            }
        })
    }

    /// The step to the item at a level.
    pub(crate) fn item_step(&self, level: usize) -> Option<TreeStep> {
        let item = self.levels.get(level)?.event;
        let parent = level.checked_sub(1)?;
        let sequence = self.levels.get(parent)?.event;
        let before = Children::of(self.tree, sequence).take_while(|&(index, _)| index < item);
        let index = before.filter(|(_, event)| event.kind == SyntaxKind::Item).count();
        Some(TreeStep::Item { index, sequence: self.node_id(parent) })
    }

    /// The path to the construct at a level.
    pub(crate) fn path_to(&self, level: usize) -> Vec<TreeStep> {
        let steps = self.levels.get(level).map_or(0, |level| level.steps);
        self.path.get(..steps).unwrap_or_default().to_vec()
    }

    /// The node of the construct at a level, with its anchor and tag.
    pub(crate) fn node_id(&self, level: usize) -> SyntaxNodeId {
        let mut outermost = level;
        while let Some(before) = outermost.checked_sub(1) {
            if self.levels.get(before).is_none_or(|level| level.kind != SyntaxKind::Properties) {
                break;
            }
            outermost = before;
        }
        SyntaxNodeId(self.levels.get(outermost).map_or(0, |level| level.event))
    }

    /// The innermost level that satisfies `is_wanted`.
    pub(crate) fn innermost(&self, is_wanted: impl Fn(&Level) -> bool) -> Option<usize> {
        self.levels.iter().rposition(is_wanted)
    }
}

/// The text of a key: cooked for a scalar, the source for other keys.
pub(crate) fn key_text(key: SyntaxNode<'_>) -> Cow<'_, str> {
    match key.as_scalar() {
        Some(scalar) => scalar.cooked(),
        None => Cow::Borrowed(
            key.tree().text().get(std::ops::Range::<usize>::from(key.range())).unwrap_or_default(),
        ),
    }
}

/// The child that is, or contains, the target. Also returns whether the child is a value, and how many nodes are
/// before it.
fn child_towards(children: &mut Children<'_>, target: u32) -> Option<(u32, SyntaxKind, bool, usize)> {
    let (mut has_colon, mut nodes) = (false, 0);
    for (index, event) in children {
        let is_on_the_way = if event.kind.is_construct() { target < event.end } else { index == target };
        if is_on_the_way {
            return (index <= target).then_some((index, event.kind, has_colon || nodes > 0, nodes));
        }
        has_colon |= event.kind == SyntaxKind::Colon;
        nodes += usize::from(event.kind.is_node());
    }
    None
}
