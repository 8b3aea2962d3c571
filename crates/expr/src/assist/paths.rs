//! The paths of the state that an expression reads.
//!
//! Input: a language, a text; output: paths with the range of each name. Invariant: a path is not empty, and its
//! names stand in the order in which they lead from the state down, whatever the order in the text.

use text_size::TextRange;

use super::Language;
use crate::ast::Segment;
use crate::{agentos, filtrex, jsonpath, limance, names};

/// A place where an expression names a part of the state.
#[derive(Debug, Clone, PartialEq)]
pub struct PathUse {
    /// The whole path in the text.
    pub range: TextRange,
    /// The names, from the root on; never empty.
    pub segments: Vec<Segment>,
    /// Whether the runtime reads it; not where it is stuck in text that stands for itself.
    pub is_read: bool,
}

impl PathUse {
    /// The first name: a variable of LimanCE, else a part of the state such as `memory`.
    pub fn root(&self) -> Option<&Segment> {
        self.segments.first()
    }

    /// The name below the root, which is the key where the root holds keys.
    pub fn key(&self) -> Option<&Segment> {
        self.segments.get(1)
    }
}

/// Every path that the expression reads, in reading order. Broken text keeps the paths that can be told.
pub fn paths(language: Language, text: &str) -> Vec<PathUse> {
    match language {
        Language::LimanCe => {
            let parsed = limance::parse(text, limance::Profile::Spec);
            let variables = names::variables(&parsed.expr);
            variables.into_iter().filter_map(|path| path_use(path.segments.clone(), true)).collect()
        }
        Language::FiltrexEdge | Language::FiltrexVerifier => {
            let parsed = filtrex::parse(text);
            let reads = filtrex::reads(&parsed.expr);
            let segments = |read: &filtrex::Read<'_>| read.segments.iter().copied().cloned().collect();
            reads.iter().filter_map(|read| path_use(segments(read), true)).collect()
        }
        Language::AgentOsRouting => {
            let references = agentos::references(text, &agentos::parse(text));
            let uses = references.into_iter();
            uses.filter_map(|reference| path_use(reference.path.segments, reference.is_read)).collect()
        }
        Language::JsonPathState | Language::JsonPathUpdates | Language::JsonPathValue => {
            let parsed = jsonpath::parse(text);
            jsonpath::named(&parsed.path).into_iter().filter_map(|names| path_use(names, true)).collect()
        }
    }
}

fn path_use(segments: Vec<Segment>, is_read: bool) -> Option<PathUse> {
    let ranges = segments.iter().map(|segment| segment.range);
    let range = ranges.reduce(TextRange::cover)?;
    Some(PathUse { range, segments, is_read })
}
