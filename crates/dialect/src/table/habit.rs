//! What people write out of habit: other words for keys and words, and keys of other systems. Data of a table, and what to
//! write instead.

/// Other words that people use for a key, from habit or from other systems.
#[derive(Debug)]
pub struct KeyAlias {
    /// The name of the shape that has the key.
    pub shape: &'static str,
    pub key: &'static str,
    pub words: &'static [&'static str],
}

/// Other words that people use for a word of a closed list or for a kind.
#[derive(Debug)]
pub struct Synonym {
    /// The word of the list or the name of the kind.
    pub word: &'static str,
    pub others: &'static [&'static str],
}

/// Keys of other systems that this dialect does not have.
#[derive(Debug)]
pub struct Foreign {
    /// The name of the shape in which people write them.
    pub shape: &'static str,
    pub keys: &'static [&'static str],
    /// Advice what to write instead: "write an edge in `edges`".
    pub instead: &'static str,
    /// Whether the key says where a node leads. If so, the edges alone do not describe the whole graph.
    pub is_edge: bool,
}
