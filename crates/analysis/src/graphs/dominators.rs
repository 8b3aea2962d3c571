//! Which node runs only after which other, and which choice decides about it.
//!
//! Input: the ordered part of a graph; output: its tree of dominators, with the arms of choices marked. Invariant: a
//! question costs at most the logarithm of the number of nodes.

use nodewise_platform::sorting::Sorting;

use super::GraphFacts;
use super::order::Order;

/// The dominator tree of the nodes in the order. Its roots are the nodes where runs begin; nodes without a place in the
/// order are not in it.
#[derive(Debug, Default)]
pub(super) struct Dominators {
    entries: Vec<Entry>,
    children: Vec<Vec<usize>>,
}

/// What decides whether a run reaches a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Branch {
    /// Nothing: the run reaches it in any case.
    Certain,
    /// A choice: the run reaches it if this arm is chosen.
    Arm(usize),
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// The immediate dominator: the nearest node through which every path to this one leads. `None` for a root.
    parent: Option<usize>,
    /// The number of nodes above it in the tree.
    depth: usize,
    /// An ancestor further up, so that a search up the tree takes a logarithmic number of steps.
    jump: Option<usize>,
    /// The nearest arm of a choice at or above this node.
    arm: Option<usize>,
}

impl Dominators {
    pub(super) fn new(facts: &GraphFacts, order: &Order, is_refusable: &[bool]) -> Dominators {
        let count = order.is_ordered.len();
        let mut tree =
            Dominators { entries: vec![Entry::default(); count], children: vec![Vec::new(); count] };
        for node in in_batches(order) {
            let parent = tree.parent(facts, order, node);
            tree.entries[node] = tree.below(parent);
            if is_arm(facts, is_refusable, node) {
                tree.entries[node].arm = Some(node);
            }
            if let Some(parent) = parent {
                tree.children[parent].push(node);
            }
        }
        tree.children.iter_mut().for_each(|children| children.sort_unstable());
        tree
    }

    pub(super) fn children(&self, node: usize) -> &[usize] {
        self.children.get(node).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn arm(&self, node: usize) -> Option<usize> {
        self.entries.get(node)?.arm
    }

    pub(super) fn are_exclusive(&self, one: usize, other: usize) -> bool {
        let (mut left, mut right) = (one, other);
        // Go up to the two children of the common ancestor that are on the paths to the two nodes.
        match self.common(one, other) {
            Some(common) if common == one || common == other => return false,
            Some(common) => {
                let depth = self.entries[common].depth + 1;
                (left, right) = (self.climb(left, depth), self.climb(right, depth));
            }
            None => (left, right) = (self.climb(left, 0), self.climb(right, 0)),
        }
        self.entries[left].arm == Some(left) && self.entries[right].arm == Some(right)
    }

    /// How a run gets from the dominator of `node` to `awaited`, a node for which `node` waits.
    pub(super) fn branch(&self, node: usize, awaited: usize) -> Branch {
        let top = self.entries[node].parent;
        let branch = self.climb(awaited, top.map_or(0, |top| self.entries[top].depth + 1));
        match self.entries[branch].arm == Some(branch) && top != Some(awaited) {
            true => Branch::Arm(branch),
            false => Branch::Certain,
        }
    }

    /// A tree entry for a node directly below `parent`.
    fn below(&self, parent: Option<usize>) -> Entry {
        let Some(parent) = parent else { return Entry::default() };
        let above = self.entries[parent];
        // Skew-binary jump pointers: if the last two jumps have the same length, the new jump covers both.
        let jump = above.jump.filter(|jump| {
            let further = self.entries[*jump].jump.map(|jump| self.entries[jump].depth);
            further.is_some_and(|further| {
                above.depth - self.entries[*jump].depth == self.entries[*jump].depth - further
            })
        });
        Entry {
            parent: Some(parent),
            depth: above.depth + 1,
            jump: Some(jump.and_then(|jump| self.entries[jump].jump).unwrap_or(parent)),
            arm: above.arm,
        }
    }

    /// The nearest common dominator of all nodes for which `node` waits.
    fn parent(&self, facts: &GraphFacts, order: &Order, node: usize) -> Option<usize> {
        let mut common: Option<usize> = None;
        for (position, edge) in facts.incoming(node).iter().enumerate() {
            let source = facts.source(*edge).filter(|source| order.is_ordered[*source])?;
            common = match (position, common) {
                (0, _) => Some(source),
                (_, Some(so_far)) => Some(self.common(so_far, source)?),
                (_, None) => return None,
            };
        }
        common
    }

    fn common(&self, one: usize, other: usize) -> Option<usize> {
        let depth = self.entries[one].depth.min(self.entries[other].depth);
        let (mut left, mut right) = (self.climb(one, depth), self.climb(other, depth));
        while left != right {
            let (above_left, above_right) = (self.entries[left], self.entries[right]);
            (left, right) = match (above_left.jump, above_right.jump) {
                (Some(left), Some(right)) if left != right => (left, right),
                _ => (above_left.parent?, above_right.parent?),
            };
        }
        Some(left)
    }

    /// The ancestor of `node` at this depth.
    fn climb(&self, mut node: usize, depth: usize) -> usize {
        while self.entries[node].depth > depth {
            let entry = self.entries[node];
            let jump = entry.jump.filter(|jump| self.entries[*jump].depth >= depth);
            match jump.or(entry.parent) {
                Some(above) => node = above,
                None => return node,
            }
        }
        node
    }
}

/// The ordered nodes, batch by batch, so that each follows everything that it waits for.
fn in_batches(order: &Order) -> Vec<usize> {
    let mut nodes = order.nodes.clone();
    nodes.arrange_by_key(|node| (order.batches[*node], *node));
    nodes
}

/// Whether some choice may decide not to run the node.
fn is_arm(facts: &GraphFacts, is_refusable: &[bool], node: usize) -> bool {
    facts.incoming(node).iter().any(|edge| is_refusable[*edge])
}
