//! Which node runs only after which other, and which choice decides about it.
//!
//! Input: the ordered part of a graph; output: its tree of dominators, with the arms of choices marked. Invariant: a
//! question costs at most the logarithm of the number of nodes.

use nodewise_platform::sorting::Sorting;

use super::GraphFacts;
use super::order::Order;

/// The tree of dominators below the beginning of a run. Nodes without a place in the order are not in it.
#[derive(Debug, Default)]
pub(super) struct Dominators {
    entries: Vec<Entry>,
    children: Vec<Vec<usize>>,
}

/// How a run comes to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Branch {
    /// In any case.
    Certain,
    /// When this arm is chosen.
    Arm(usize),
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// The nearest node that every way to this one leads through; `None` at the beginning of a run.
    parent: Option<usize>,
    /// How many nodes are above.
    depth: usize,
    /// A node above, far enough to climb in few steps.
    jump: Option<usize>,
    /// The nearest arm of a choice, this node included.
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
        // The children of the common node on the paths to the two.
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

    /// How a run comes from above a node to one that the node waits for.
    pub(super) fn branch(&self, node: usize, awaited: usize) -> Branch {
        let top = self.entries[node].parent;
        let branch = self.climb(awaited, top.map_or(0, |top| self.entries[top].depth + 1));
        match self.entries[branch].arm == Some(branch) && top != Some(awaited) {
            true => Branch::Arm(branch),
            false => Branch::Certain,
        }
    }

    /// The entry of a node directly below `parent`.
    fn below(&self, parent: Option<usize>) -> Entry {
        let Some(parent) = parent else { return Entry::default() };
        let above = self.entries[parent];
        // Skew-binary jumps: two equal jumps in a row are made one.
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

    /// The nearest common dominator of everything that the node waits for.
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

    /// The node above at that depth.
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

/// The ordered nodes, each behind everything that it waits for.
fn in_batches(order: &Order) -> Vec<usize> {
    let mut nodes = order.nodes.clone();
    nodes.arrange_by_key(|node| (order.batches[*node], *node));
    nodes
}

/// Whether some choice may decide against the node.
fn is_arm(facts: &GraphFacts, is_refusable: &[bool], node: usize) -> bool {
    facts.incoming(node).iter().any(|edge| is_refusable[*edge])
}
