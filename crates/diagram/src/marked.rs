//! A graph whose parts are marked, and the same in words.
//!
//! Input: the code that marks the parts fills it in. Output: what editors show. Invariant: each mark is explained by a line.

use nodewise_model::Origin;

use crate::view::GraphView;

/// A graph with marks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MarkedView {
    /// The graph. Parts that were removed have no place.
    pub view: GraphView,
    /// What the marks show.
    pub title: String,
    /// A summary with numbers.
    pub summary: String,
    /// The same as text, line by line.
    pub lines: Vec<MarkLine>,
    /// Whether a drawing dims the parts without a mark.
    pub dims_others: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkLine {
    /// The text of the line. Its indentation shows which line it belongs to.
    pub text: String,
    /// The place that the line is about.
    pub at: Option<Origin>,
}
