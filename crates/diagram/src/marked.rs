//! A graph whose parts are marked, and the same in words.
//!
//! Input: the code that marks the parts fills it in. Output: what editors show. Invariant: each mark is explained by a line.

use nodewise_model::Origin;

use crate::view::GraphView;

/// A graph with marks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MarkedView {
    /// The graph. Parts that are gone have no place.
    pub view: GraphView,
    /// What the marks show.
    pub title: String,
    /// The same in numbers.
    pub summary: String,
    /// What the marks show, in words.
    pub lines: Vec<MarkLine>,
    /// Whether parts without a mark do not matter here.
    pub dims_others: bool,
}

/// A line of the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkLine {
    /// The words. Spaces before them say to which line they belong.
    pub text: String,
    /// What they are about.
    pub at: Option<Origin>,
}
