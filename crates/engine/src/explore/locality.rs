//! What each node of a graph depends on by itself: the parts of the state that its own work and its edges read.
//!
//! Input: what conditions ask (`live_variables`); output: parts by number, and the parts of each node. Invariant: a part
//! is about one key, so that a write of a key decides what its parts come to.

use nodewise_expr::ast::Expr;
use smol_str::SmolStr;

/// What the nodes of a graph depend on.
#[derive(Debug, Default)]
pub struct Locality {
    /// The keys that nodes read.
    pub(crate) keys: Vec<KeyParts>,
    /// For each part its key, and its position among the parts of the key.
    pub(crate) parts: Vec<(usize, usize)>,
    pub(crate) nodes: Vec<NodeParts>,
}

/// A key and what is read of it.
#[derive(Debug)]
pub(crate) struct KeyParts {
    pub(crate) name: SmolStr,
    pub(crate) parts: Vec<StatePart>,
    /// The number of each part among all.
    pub(crate) numbers: Vec<usize>,
}

/// Something that is read of a key.
#[derive(Debug)]
pub(crate) enum StatePart {
    /// A part of a condition.
    Test(Box<Expr>),
    /// The value at this path in the key.
    Value(Vec<SmolStr>),
}

/// The parts that a node reads, in order.
#[derive(Debug)]
pub(crate) struct NodeParts {
    pub(crate) name: SmolStr,
    /// By its own work.
    pub(crate) work: Vec<usize>,
    /// By the conditions of its edges, when its work is done.
    pub(crate) edges: Vec<usize>,
}

impl Locality {
    /// Adds a part of a key; tells its number.
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
