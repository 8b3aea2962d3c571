//! What each node of a graph depends on by itself: the parts of the state that its own work and its edges read.
//!
//! Input: what conditions ask (`live_variables`); output: parts by number, and the parts of each node. Invariant: a part
//! is about one key, so that a write of a key decides what its parts come to.

use nodewise_expr::ast::Expr;
use smol_str::SmolStr;

/// What each node of a graph depends on by itself.
#[derive(Debug, Default)]
pub struct Locality {
    /// The keys that nodes read.
    pub(crate) keys: Vec<KeyParts>,
    /// For each part, the position of its key, and its own position among the parts of that key.
    pub(crate) parts: Vec<(usize, usize)>,
    pub(crate) nodes: Vec<NodeParts>,
}

/// A key, and the parts of it that are read.
#[derive(Debug)]
pub(crate) struct KeyParts {
    pub(crate) name: SmolStr,
    pub(crate) parts: Vec<StatePart>,
    /// For each part, its position among the parts of all keys.
    pub(crate) numbers: Vec<usize>,
}

/// Something that is read from a key.
#[derive(Debug)]
pub(crate) enum StatePart {
    /// The result of a part of a condition.
    Test(Box<Expr>),
    /// The value at this path in the key.
    Value(Vec<SmolStr>),
}

/// The parts that a node reads, as positions in [`Locality::parts`].
#[derive(Debug)]
pub(crate) struct NodeParts {
    pub(crate) name: SmolStr,
    /// Those that its own work reads.
    pub(crate) work: Vec<usize>,
    /// Those that the conditions of its edges read after the work.
    pub(crate) edges: Vec<usize>,
}

impl Locality {
    /// Adds a part of a key; returns its position among all parts.
    pub(crate) fn add(&mut self, key: &SmolStr, part: StatePart) -> usize {
        let position = self.keys.iter().position(|known| known.name == *key);
        let position = position.unwrap_or_else(|| {
            self.keys.push(KeyParts { name: key.clone(), parts: Vec::new(), numbers: Vec::new() });
            self.keys.len() - 1
        });
        let number = self.parts.len();
        if let Some(known) = self.keys.get_mut(position) {
            self.parts.push((position, known.parts.len()));
            known.parts.push(part);
            known.numbers.push(number);
        }
        number
    }

    /// The position of a key.
    pub(crate) fn key(&self, name: &str) -> Option<usize> {
        self.keys.iter().position(|key| key.name == name)
    }

    /// The position of a node.
    pub(crate) fn node(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.name == name)
    }
}
