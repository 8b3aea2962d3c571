//! Which parts of two versions are the same thing.
//!
//! Input: parts of both versions. Output: pairs, what is left over, and the renames that follow. Invariant: parts with the
//! same name are a pair; a rename is found only between parts that say the same apart from their names.

use std::collections::{BTreeMap, BTreeSet};

use nodewise_dialect::meaning::{MeaningFact, MeaningPart, MeaningPiece, NameClass, PartRole};
use smol_str::{SmolStr, format_smolstr};

/// The new names of renamed things, by their old names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Renames {
    pub(crate) nodes: BTreeMap<SmolStr, SmolStr>,
    pub(crate) keys: BTreeMap<SmolStr, SmolStr>,
    pub(crate) edges: BTreeMap<SmolStr, SmolStr>,
    /// By the noun (such as `graph`) and the old name.
    pub(crate) declared: BTreeMap<(SmolStr, SmolStr), SmolStr>,
}

impl Renames {
    /// The text of a piece in the new version. Names that were not renamed stay as they are.
    pub(crate) fn apply(&self, piece: &MeaningPiece) -> SmolStr {
        match piece {
            MeaningPiece::Text(text) => text.clone(),
            MeaningPiece::Name(class, name) => {
                let new = match class {
                    NameClass::Node => self.nodes.get(name),
                    NameClass::Edge => self.edges.get(name),
                    NameClass::State => return key_renamed(&self.keys, name),
                    NameClass::Declared(kinds, noun) => kinds
                        .iter()
                        .chain([noun])
                        .find_map(|word| self.declared.get(&(SmolStr::new(word), name.clone()))),
                };
                new.unwrap_or(name).clone()
            }
        }
    }

    /// Pieces as one text, with the names of the new version.
    pub(crate) fn joined(&self, pieces: &[MeaningPiece]) -> String {
        pieces.iter().map(|piece| self.apply(piece).to_string()).collect()
    }

    /// A path as a list of keys, with the names of the new version.
    pub(crate) fn path(&self, fact: &MeaningFact) -> Vec<SmolStr> {
        fact.path.iter().map(|piece| self.apply(piece)).collect()
    }
}

/// The new name of a state key. If only the beginning of a dotted key was renamed, that beginning is replaced.
fn key_renamed(keys: &BTreeMap<SmolStr, SmolStr>, name: &SmolStr) -> SmolStr {
    if let Some(new) = keys.get(name) {
        return new.clone();
    }
    for (position, _) in name.rmatch_indices('.') {
        let (start, rest) = name.split_at(position);
        if let Some(new) = keys.get(start) {
            return format_smolstr!("{new}{rest}");
        }
    }
    name.clone()
}

/// Names that are ignored when parts are compared, so that renamed parts can be found by their content.
#[derive(Debug, Clone, Default)]
pub(crate) struct Masked {
    pub(crate) nodes: BTreeSet<SmolStr>,
    pub(crate) keys: BTreeSet<SmolStr>,
    pub(crate) edges: bool,
    pub(crate) declared: BTreeSet<SmolStr>,
}

/// Replaces an ignored name in a signature.
const ANY_NAME: &str = "\u{0}name";

impl Masked {
    fn piece(&self, piece: &MeaningPiece) -> SmolStr {
        let MeaningPiece::Name(class, name) = piece else { return SmolStr::new(piece.text()) };
        let is_masked = match class {
            NameClass::Node => self.nodes.contains(name),
            NameClass::Edge => self.edges,
            NameClass::Declared(..) => self.declared.contains(name),
            NameClass::State => {
                let begins = |key: &SmolStr| {
                    name.strip_prefix(key.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                };
                self.keys.iter().any(begins)
            }
        };
        if is_masked { SmolStr::new_static(ANY_NAME) } else { name.clone() }
    }

    fn pieces(&self, pieces: &[MeaningPiece]) -> String {
        pieces.iter().map(|piece| self.piece(piece).to_string()).collect()
    }

    /// The content of a part as one text, without its own name and without the ignored names.
    pub(crate) fn signature(&self, part: &MeaningPart) -> String {
        let mut lines: Vec<String> = part
            .facts
            .iter()
            .map(|fact| {
                let path: Vec<SmolStr> = fact.path.iter().map(|piece| self.piece(piece)).collect();
                format!("{}\u{1}{:?}\u{1}{}", path.join("\u{2}"), fact.form, self.pieces(&fact.value))
            })
            .collect();
        lines.extend(part.parts.iter().map(|inner| {
            let name = match inner.role {
                PartRole::Edge => self.ends(inner),
                _ => inner.name.clone().unwrap_or_default().to_string(),
            };
            format!("{}\u{1}{name}\u{1}{}", inner.noun, self.signature(inner))
        }));
        lines.sort_unstable();
        format!("{}\u{3}{}", part.noun, lines.join("\u{3}"))
    }

    fn ends(&self, edge: &MeaningPart) -> String {
        let ends = edge.ends.iter().filter(|end| matches!(end, MeaningPiece::Name(..)));
        ends.map(|end| self.piece(end)).collect::<Vec<_>>().join("\u{2}")
    }

    /// The edges at a node of a graph, as one text without the ignored names.
    pub(crate) fn surroundings(&self, graph: &MeaningPart, node: &str) -> String {
        let edges = graph.parts.iter().filter(|part| part.role == PartRole::Edge);
        let at_node = edges.filter(|edge| edge.ends.iter().any(|end| end.text() == node));
        let mut lines: Vec<String> = at_node
            .map(|edge| {
                let sides = edge.ends.iter().map(|end| match end.text() == node {
                    true => SmolStr::new_static("\u{0}self"),
                    false => self.piece(end),
                });
                format!("{}\u{1}{}", sides.collect::<Vec<_>>().join("\u{2}"), self.signature(edge))
            })
            .collect();
        lines.sort_unstable();
        lines.join("\u{3}")
    }
}

/// The parts of two lists, as pairs and the rest.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// The positions of each pair in both lists.
    pub(crate) both: Vec<(usize, usize)>,
    pub(crate) only_base: Vec<usize>,
    pub(crate) only_head: Vec<usize>,
}

impl Pairs {
    /// Pairs items with equal keys. Items at the same position come first, then the others in order.
    pub(crate) fn by_key<K: Ord>(base: &[K], head: &[K]) -> Pairs {
        let is_same = |position: &usize| base.get(*position) == head.get(*position);
        let (both, only_base): (Vec<usize>, Vec<usize>) = (0..base.len()).partition(is_same);
        let only_head = (0..head.len()).filter(|position| *position >= base.len() || !is_same(position));
        let same = Pairs {
            both: both.into_iter().map(|position| (position, position)).collect(),
            only_base,
            only_head: only_head.collect(),
        };
        same.then(|position| base.get(position), |position| head.get(position))
    }

    /// Pairs the remaining items by another key. Items without a key stay unpaired.
    pub(crate) fn then<K: Ord>(
        mut self,
        base: impl Fn(usize) -> Option<K>,
        head: impl Fn(usize) -> Option<K>,
    ) -> Pairs {
        let mut waiting: BTreeMap<K, Vec<usize>> = BTreeMap::new();
        for position in self.only_head.iter().rev() {
            if let Some(key) = head(*position) {
                waiting.entry(key).or_default().push(*position);
            }
        }
        let mut left = Vec::new();
        for position in std::mem::take(&mut self.only_base) {
            match base(position).and_then(|key| waiting.get_mut(&key)).and_then(Vec::pop) {
                Some(other) => self.both.push((position, other)),
                None => left.push(position),
            }
        }
        let paired: BTreeSet<usize> = self.both.iter().map(|(_, head)| *head).collect();
        self.only_head.retain(|position| !paired.contains(position));
        self.only_base = left;
        self
    }
}

/// Whether the paired items are in another order in the new version.
pub(crate) fn is_reordered(pairs: &[(usize, usize)]) -> bool {
    let mut sorted = pairs.to_vec();
    sorted.sort_unstable();
    !sorted.is_sorted_by_key(|(_, head)| *head)
}
