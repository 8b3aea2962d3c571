//! What changed between two versions, as data.
//!
//! Input: the comparison fills it in. Output: what the forms print. Invariant: what is not named here means the same in both
//! versions.

use nodewise_diagram::view::GraphView;
use nodewise_dialect::meaning::PartRole;
use nodewise_dialect::table::ReviewTopic;
use smol_str::SmolStr;

/// Everything that differs between two versions.
#[derive(Debug, Clone, Default)]
pub struct Review {
    /// The changed declarations in the order of the new version, then the removed ones.
    pub declarations: Vec<ChangedDeclaration>,
    /// The scenarios that run differently.
    pub behaviour: Behaviour,
}

#[derive(Debug, Clone)]
pub struct ChangedDeclaration {
    /// The title of the system that the declaration belongs to.
    pub system: &'static str,
    /// What changed in the declaration.
    pub part: PartChange,
    /// The changed parts of its graphs, as graphs to draw.
    pub drawings: Vec<GraphView>,
}

/// A changed part: a declaration, or something in one.
#[derive(Debug, Clone)]
pub struct PartChange {
    pub role: PartRole,
    /// The word for what it is, such as `node` or `edge`.
    pub noun: &'static str,
    /// Its name as people read it; for an edge, the names of its ends.
    pub name: String,
    /// The type of a node, or the condition of an edge that was added or removed. `None` if it has neither.
    pub word: Option<String>,
    /// What happened to it.
    pub kind: PartChangeKind,
    /// The fields whose values differ.
    pub fields: Vec<FieldChange>,
    /// The changed parts inside it.
    pub parts: Vec<PartChange>,
    /// The name that files use for it: in the old version, and in the new one. `None` where it does not exist or has no
    /// name.
    pub ids: [Option<SmolStr>; 2],
    pub base: Option<ChangedPlace>,
    pub head: Option<ChangedPlace>,
}

/// What happened to a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartChangeKind {
    Added,
    Removed,
    /// It has another name. Holds the old name.
    Renamed(String),
    /// The edge has other ends. Holds the old ends.
    Moved(String),
    /// The same nodes of a graph, or the same edges of a node, are in another order.
    Reordered,
    /// It is in both versions, and something in it differs.
    Changed,
}

/// A field whose value differs between the versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// What the field is about, such as a condition.
    pub topic: ReviewTopic,
    /// The keys that lead to the field, joined with dots.
    pub path: String,
    /// The value in the old version; empty if the field was missing.
    pub before: Vec<String>,
    /// The value in the new version; empty if the field is missing.
    pub after: Vec<String>,
    /// Whether `before` and `after` list only the removed and the added items. Items in both versions are left out.
    pub is_items: bool,
    /// The place in the new version, or in the old one if the field was removed.
    pub at: Option<ChangedPlace>,
}

/// The result of running scenarios on both versions.
#[derive(Debug, Clone, Default)]
pub struct Behaviour {
    /// How many scenarios ran on both versions.
    pub compared: usize,
    /// The scenarios that take another path or end in another way.
    pub changed: Vec<ChangedScenario>,
}

/// A scenario that takes another path, or ends in another way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedScenario {
    /// Its title, or its line if it has no title.
    pub title: String,
    /// Where it is in the new version.
    pub place: ChangedPlace,
    /// Where the two runs first differ.
    pub difference: ScenarioDifference,
}

/// Where two runs differ first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioDifference {
    /// The last node that both runs visited before they differ. `None` if they differ from the start.
    pub behind: Option<String>,
    /// What the old version did next: the node that it visited. `None` if its path ended here. If `is_end`, how its run
    /// ended.
    pub before: Option<String>,
    /// The same for the new version.
    pub after: Option<String>,
    /// Whether both runs take the same path and only end in another way.
    pub is_end: bool,
}

/// A line in a file of one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPlace {
    /// The path, relative to the folder of the version.
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
    /// Keeps only the changes of declarations whose path `counts` accepts in at least one version.
    pub fn keep_paths(&mut self, counts: &dyn Fn(&str) -> bool) {
        let is_kept = |place: &Option<ChangedPlace>| place.as_ref().is_some_and(|place| counts(&place.path));
        self.declarations.retain(|declared| is_kept(&declared.part.base) || is_kept(&declared.part.head));
    }

    /// Whether no declaration differs in its meaning.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.declarations.is_empty()
    }

    /// The number of single changes in all declarations.
    #[must_use]
    pub fn len(&self) -> usize {
        self.declarations.iter().map(|changed| changed.part.len()).sum()
    }
}

impl PartChange {
    /// The number of single changes in this part and the parts inside it.
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

    /// The verb for the change, such as `added`.
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

    /// The old name of a renamed part, or the old ends of a moved edge. `None` for other changes.
    #[must_use]
    pub fn former(&self) -> Option<&str> {
        match &self.kind {
            PartChangeKind::Renamed(name) | PartChangeKind::Moved(name) => Some(name),
            _ => None,
        }
    }
}
