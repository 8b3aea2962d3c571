//! What a drawing says about its nodes and edges beside the graph itself: changes, a path, the lineage of a key.
//!
//! Input: the code that compares or follows something fills it in. Output: one form for all, which the board draws with a legend.
//! Invariant: what is marked is also said in words, so nobody depends on colours.

/// A mark of a node or an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartMark {
    pub kind: MarkKind,
    /// A few words to show next to the part.
    pub text: String,
}

/// The reason for a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// The part is new.
    Added,
    /// The part was removed.
    Removed,
    /// The part changed.
    Changed,
    /// The part is on a path.
    Step,
    /// The part writes a key.
    Writes,
    /// The part reads a key.
    Reads,
    /// The part's decision depends on a key.
    Tests,
}

impl MarkKind {
    pub const ALL: [MarkKind; 7] = [
        MarkKind::Added,
        MarkKind::Removed,
        MarkKind::Changed,
        MarkKind::Step,
        MarkKind::Writes,
        MarkKind::Reads,
        MarkKind::Tests,
    ];

    /// The name in JSON and other data.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            MarkKind::Added => "added",
            MarkKind::Removed => "removed",
            MarkKind::Changed => "changed",
            MarkKind::Step => "step",
            MarkKind::Writes => "writes",
            MarkKind::Reads => "reads",
            MarkKind::Tests => "tests",
        }
    }
}

impl PartMark {
    /// A mark with the default text for its kind.
    #[must_use]
    pub fn new(kind: MarkKind) -> PartMark {
        PartMark { kind, text: kind.word().to_owned() }
    }
}

/// Adds a mark, unless the part already has one of that kind.
pub fn add(marks: &mut Vec<PartMark>, mark: PartMark) {
    if marks.iter().all(|known| known.kind != mark.kind) {
        marks.push(mark);
    }
}
