//! JSONPath, as jsonpath-plus 10.4.0 reads it: the paths of cycgraph.
//!
//! Input: the text of a path, and a value to select from; output: segments with ranges, problems, the selected
//! values. Invariant: there are segments for every text, and each range lies within the text.

mod authored;
mod catalogue;
mod check;
mod definition;
mod explain;
mod methods;
mod reads;
mod script;
mod segment;
mod select;
mod semantics;
mod sexpr;
mod standalone;
mod steps;
mod traced;
mod uses;
mod vocabulary;

use smol_str::SmolStr;
use text_size::TextRange;

use crate::problem::ParseProblem;

pub(crate) use authored::authored;
pub(crate) use catalogue::METHODS;
pub use check::{FindingKind, PathPurpose, check};
pub use definition::{STATE, UPDATES, VALUE};
pub(crate) use reads::named;
pub use reads::{MemoryKey, memory_keys};
pub(crate) use script::NAMES;
pub use script::ScriptExpression;
pub use select::{PathError, PathErrorKind, Selected, select};
pub use semantics::JsonPathFilter;
pub use sexpr::sexpr;
pub use uses::{AssertionResult, PatternFault, ValueAssertion, map_items, pattern_fault, score, verify};

/// The greatest number of problems that are reported for one path.
const MOST_PROBLEMS: usize = 16;

/// A parsed path.
#[derive(Debug, Clone, PartialEq)]
pub struct Parse {
    pub path: JsonPath,
    /// Everything that makes the release throw when evaluation gets there, in reading order.
    pub problems: Vec<ParseProblem>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct JsonPath {
    pub text: SmolStr,
    /// The steps of the path, with a leading `$`; never empty.
    pub segments: Vec<JsonPathSegment>,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonPathSegment {
    pub kind: SegmentKind,
    /// The text of the step, without the dot, brackets and quotes around it.
    pub text: SmolStr,
    pub range: TextRange,
}

/// What a step does.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SegmentKind {
    /// `$`
    Root,
    /// `name`, `['name']`, `[0]`: the value under this name
    Child,
    /// `*`
    Wildcard,
    /// `..`: the value and everything below it
    Descendants,
    /// `[a,b]`: everything that these steps select
    Union(Vec<JsonPathSegment>),
    /// `[1:3]`
    Slice(Slice),
    /// `[?(…)]`: the children for which the filter holds
    Filter(Box<Filter>),
    /// `[(…)]`: the value under a computed name
    Computed(Box<ScriptExpression>),
    /// `^`
    Parent,
    /// `~`: the name of the value in its parent
    Name,
    /// `@string()`: the value if it has this type
    Type(SmolStr),
    /// `` `name ``: the value under a name that would otherwise have a special meaning
    Escaped {
        name: SmolStr,
        /// The meaning of the whole step if there is no such name.
        otherwise: Box<SegmentKind>,
    },
    /// A reference to a script that the path does not have, `#0`.
    Lost,
}

/// A part of a list, from one index to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slice {
    /// The first index; a negative one counts from the end.
    pub start: f64,
    /// The index after the last one; a negative one counts from the end, and `None` is the end of the list.
    pub end: Option<f64>,
    /// The distance from one index to the next.
    pub step: f64,
}

/// A condition on children.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// The condition.
    pub script: ScriptExpression,
    /// A filter inside the condition, which the library evaluates in place of the whole condition.
    pub nested: Option<NestedFilter>,
}

/// A filter in a filter. It holds for a child if something in a part of the child is selected.
#[derive(Debug, Clone, PartialEq)]
pub struct NestedFilter {
    /// The name of the part; empty for the child itself.
    pub name: SmolStr,
    /// The step that selects from the part.
    pub segment: Box<JsonPathSegment>,
}

impl Parse {
    /// Whether nothing in the path makes the release throw.
    pub fn accepted(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Parses a path.
pub fn parse(text: &str) -> Parse {
    let path = JsonPath { text: text.into(), segments: segment::segments(text) };
    let mut problems = explain::problems(&path);
    problems.truncate(MOST_PROBLEMS);
    Parse { path, problems }
}
