//! What people write out of habit: other words for keys and words, and keys of other systems. Data of a table, and what to
//! write instead.

/// Other words that people write for a key, out of habit or from other systems.
#[derive(Debug)]
pub struct KeyAlias {
    /// The name of the shape that has the key.
    pub shape: &'static str,
    pub key: &'static str,
    pub words: &'static [&'static str],
}

/// Other words that people write for a word of a closed list, or for a kind.
#[derive(Debug)]
pub struct Synonym {
    /// The word of the list, or the name of the kind.
    pub word: &'static str,
    /// The words.
    pub others: &'static [&'static str],
}

/// A key of other systems that is none here.
#[derive(Debug)]
pub struct Foreign {
    /// The name of the shape where people write it.
    pub shape: &'static str,
    pub keys: &'static [&'static str],
    /// What to write instead, as advice: "write an edge in `edges`".
    pub instead: &'static str,
    /// Whether it says where a node leads, so that the edges are not the whole graph.
    pub is_edge: bool,
}
