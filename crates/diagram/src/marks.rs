//! What a drawing says about its nodes and edges beside the graph itself: changes, a path, the lineage of a key.
//!
//! Input: the code that compares or follows something fills it in. Output: one form for all, which the board draws with a legend.
//! Invariant: what is marked is also said in words, so nobody depends on colours.

/// Something that is said about a node or an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartMark {
    pub kind: MarkKind,
    /// A few words to write beside the part.
    pub text: String,
}

/// Why a part is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It says something else.
    Changed,
    /// It is on a path.
    Step,
    /// It writes a key.
    Writes,
    /// It reads a key.
    Reads,
    /// It decides by a key.
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

    /// The word for it, in data.
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
    /// A mark with the usual word for it.
    #[must_use]
    pub fn new(kind: MarkKind) -> PartMark {
        PartMark { kind, text: kind.word().to_owned() }
    }
}

/// Adds a mark to those of a part, unless the part has one of that kind.
pub fn add(marks: &mut Vec<PartMark>, mark: PartMark) {
    if marks.iter().all(|known| known.kind != mark.kind) {
        marks.push(mark);
    }
}
