//! What changed between two versions, as data.
//!
//! Input: the comparison fills it in. Output: what the forms print. Invariant: what is not named here means the same in both
//! versions.

use nodewise_diagram::view::GraphView;
use nodewise_dialect::meaning::PartRole;
use nodewise_dialect::table::ReviewTopic;
use smol_str::SmolStr;

/// All changes.
#[derive(Debug, Clone, Default)]
pub struct Review {
    /// The changed declarations, in the order of the new version; those that went follow.
    pub declarations: Vec<ChangedDeclaration>,
    /// What scenarios do in both versions.
    pub behaviour: Behaviour,
}

#[derive(Debug, Clone)]
pub struct ChangedDeclaration {
    /// The title of its system.
    pub system: &'static str,
    /// What changed.
    pub part: PartChange,
    /// The changed parts of its graphs, to draw.
    pub drawings: Vec<GraphView>,
}

/// A changed part: a declaration, or something in one.
#[derive(Debug, Clone)]
pub struct PartChange {
    pub role: PartRole,
    /// The word for it.
    pub noun: &'static str,
    /// Its name; of an edge, both ends.
    pub name: String,
    /// Its type, if a word says it.
    pub word: Option<String>,
    /// What happened to it.
    pub kind: PartChangeKind,
    /// What else is said about it now.
    pub fields: Vec<FieldChange>,
    /// The changed parts in it.
    pub parts: Vec<PartChange>,
    /// The names by which its files refer to it: the old one, and the new one.
    pub ids: [Option<SmolStr>; 2],
    pub base: Option<ChangedPlace>,
    pub head: Option<ChangedPlace>,
}

/// What happened to a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has another name; this was the old one.
    Renamed(String),
    /// The edge has other ends; these were the old ones.
    Moved(String),
    /// The parts of this name are in another order.
    Reordered,
    /// It is there in both versions.
    Changed,
}

/// A changed field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// What it is about.
    pub topic: ReviewTopic,
    /// The keys that lead to it.
    pub path: String,
    /// What it said; empty if it was not there.
    pub before: Vec<String>,
    /// What it says; empty if it is not there.
    pub after: Vec<String>,
    /// Whether these are the items that went and came, and others stay.
    pub is_items: bool,
    /// Where it is, or was.
    pub at: Option<ChangedPlace>,
}

/// What scenarios do in both versions.
#[derive(Debug, Clone, Default)]
pub struct Behaviour {
    /// How many scenarios were compared.
    pub compared: usize,
    /// Those that take another path.
    pub changed: Vec<ChangedScenario>,
}

/// A scenario that takes another path, or ends in another way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedScenario {
    /// What it shows, in words.
    pub title: String,
    /// Where it is in the new version.
    pub place: ChangedPlace,
    /// The first difference.
    pub difference: ScenarioDifference,
}

/// Where two runs differ first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioDifference {
    /// The last node that both visited.
    pub behind: Option<String>,
    /// What came next in the old version: a node, or how the run ended. `None` if it ended there.
    pub before: Option<String>,
    /// The same in the new version.
    pub after: Option<String>,
    /// Whether the path is the same, and the end is another.
    pub is_end: bool,
}

/// A place in a file of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPlace {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
}

impl ScenarioDifference {
    /// The difference as a sentence, with names in backticks.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (before, after) = (self.before.as_deref(), self.after.as_deref());
        if self.is_end {
            return format!(
                "it ends `{}`, before `{}`",
                after.unwrap_or_default(),
                before.unwrap_or_default()
            );
        }
        let behind =
            self.behind.as_ref().map_or_else(|| "first".to_owned(), |node| format!("after `{node}`"));
        let named =
            |node: Option<&str>| node.map_or_else(|| "the end".to_owned(), |node| format!("`{node}`"));
        format!("{behind} comes {}, before it was {}", named(after), named(before))
    }
}

impl Review {
    /// Leaves out the changes of declarations whose files count in neither version.
    pub fn keep_paths(&mut self, counts: &dyn Fn(&str) -> bool) {
        let is_kept = |place: &Option<ChangedPlace>| place.as_ref().is_some_and(|place| counts(&place.path));
        self.declarations.retain(|declared| is_kept(&declared.part.base) || is_kept(&declared.part.head));
    }

    /// Whether both versions mean the same.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.declarations.is_empty()
    }

    /// How many single changes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.declarations.iter().map(|changed| changed.part.len()).sum()
    }
}

impl PartChange {
    /// How many single changes there are in it.
    #[must_use]
    pub fn len(&self) -> usize {
        let own = usize::from(self.kind != PartChangeKind::Changed);
        own + self.fields.len() + self.parts.iter().map(PartChange::len).sum::<usize>()
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The word for what happened.
    #[must_use]
    pub fn verb(&self) -> &'static str {
        match self.kind {
            PartChangeKind::Added => "added",
            PartChangeKind::Removed => "removed",
            PartChangeKind::Renamed(_) => "renamed",
            PartChangeKind::Moved(_) => "moved",
            PartChangeKind::Reordered => "reordered",
            PartChangeKind::Changed => "changed",
        }
    }

    /// The old name, or the old ends of an edge.
    #[must_use]
    pub fn former(&self) -> Option<&str> {
        match &self.kind {
            PartChangeKind::Renamed(name) | PartChangeKind::Moved(name) => Some(name),
            _ => None,
        }
    }
}
