//! The type of an expression, and of a part of it.
//!
//! Input: a language, a text; output: a type where it can be known without a run. Invariant: a part without a fault
//! has its type also when other parts are broken.

use text_size::{TextRange, TextSize};

use super::{Language, floor};
use crate::agentos::AgentOs;
use crate::ast::Expr;
use crate::filtrex::Filtrex;
use crate::jsonpath::{JsonPathFilter, SegmentKind};
use crate::limance::LimanCe;
use crate::types::{self, Type};
use crate::{agentos, filtrex, jsonpath, limance};

/// The type of a whole expression; a path has none.
pub fn type_of(language: Language, text: &str) -> Option<Type> {
    let trees = trees(language, text);
    known(language, trees.first().filter(|_| !language.is_path())?)
}

/// The type of the smallest part of the expression around an offset, and where the part stands.
pub fn type_at(language: Language, text: &str, offset: TextSize) -> Option<(TextRange, Type)> {
    let offset = floor(text, offset);
    let trees = trees(language, text);
    let mut part = trees.iter().find(|tree| tree.range.contains_inclusive(offset))?;
    loop {
        let mut inner = None;
        part.each_child(&mut |child| {
            if child.range.contains_inclusive(offset) {
                inner.get_or_insert(child);
            }
        });
        match inner {
            Some(child) => part = child,
            None => return known(language, part).map(|known| (part.range, known)),
        }
    }
}

/// The trees of an expression: one, or those of the scripts in a path.
pub(super) fn trees(language: Language, text: &str) -> Vec<Expr> {
    match language {
        Language::LimanCe => vec![limance::parse(text, limance::Profile::Spec).expr],
        Language::FiltrexEdge | Language::FiltrexVerifier => vec![filtrex::parse(text).expr],
        Language::AgentOsRouting => vec![agentos::parse(text)],
        Language::JsonPathState | Language::JsonPathUpdates | Language::JsonPathValue => {
            let segments = jsonpath::parse(text).path.segments.into_iter();
            let scripts = segments.filter_map(|segment| match segment.kind {
                SegmentKind::Filter(filter) => Some(filter.script),
                SegmentKind::Computed(script) => Some(*script),
                _ => None,
            });
            scripts.flat_map(|script| script.expressions).collect()
        }
    }
}

fn known(language: Language, expr: &Expr) -> Option<Type> {
    let found = match language {
        Language::LimanCe => types::type_of(expr, &LimanCe),
        Language::FiltrexEdge | Language::FiltrexVerifier => types::type_of(expr, &Filtrex),
        Language::AgentOsRouting => types::type_of(expr, &AgentOs),
        Language::JsonPathState | Language::JsonPathUpdates | Language::JsonPathValue => {
            types::type_of(expr, &JsonPathFilter)
        }
    };
    Some(found).filter(|found| *found != Type::Unknown)
}
