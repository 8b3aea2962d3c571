//! The keys of a workflow's memory that a path reads.
//!
//! Input: a path over the state; output: the memory keys that it names. Invariant: a key that is found is certainly
//! read; a path that reads memory in another form (`$..x`) names none.

use smol_str::SmolStr;
use text_size::TextRange;

use super::{JsonPath, JsonPathSegment, ScriptExpression, SegmentKind};
use crate::ast::{self, ExprKind};

/// The part of the state that holds the memory.
pub(super) const MEMORY: &str = "memory";

/// A memory key that a path names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryKey {
    /// The key.
    pub name: SmolStr,
    pub range: TextRange,
}

/// The memory keys that a path over the state names, in reading order, with those of `@root.memory.key` in filters.
pub fn memory_keys(path: &JsonPath) -> Vec<MemoryKey> {
    let keys = named(path).into_iter().filter_map(|names| match names.as_slice() {
        [first, second, ..] if first.name == MEMORY => {
            Some(MemoryKey { name: second.name.clone(), range: second.range })
        }
        _ => None,
    });
    keys.collect()
}

/// The names from the beginning of a path up to the first step that is not a name: once for each name of a union, and
/// once for each `@root.name` in filters.
pub(crate) fn named(path: &JsonPath) -> Vec<Vec<ast::Segment>> {
    let steps = below_root(path);
    let names: Vec<ast::Segment> = steps.iter().map_while(named_segment).collect();
    let mut found = Vec::new();
    match steps.get(names.len()).map(|step| &step.kind) {
        Some(SegmentKind::Union(parts)) => {
            let ends = parts.iter().filter_map(named_segment);
            found.extend(ends.map(|end| names.iter().cloned().chain([end]).collect()));
        }
        _ if names.is_empty() => {}
        _ => found.push(names),
    }
    for segment in &path.segments {
        match &segment.kind {
            SegmentKind::Filter(filter) => named_in_script(&filter.script, &mut found),
            SegmentKind::Computed(script) => named_in_script(script, &mut found),
            _ => {}
        }
    }
    found
}

/// The steps after a leading `$`.
pub(super) fn below_root(path: &JsonPath) -> &[JsonPathSegment] {
    match path.segments.as_slice() {
        [first, rest @ ..] if first.kind == SegmentKind::Root => rest,
        segments => segments,
    }
}

/// The name of a step that is one, and its range.
pub(super) fn name(segment: &JsonPathSegment) -> Option<(&str, TextRange)> {
    match &segment.kind {
        SegmentKind::Child => Some((&segment.text, segment.range)),
        SegmentKind::Escaped { name, .. } => {
            let tick = text_size::TextSize::of('`');
            Some((
                name,
                TextRange::new((segment.range.start() + tick).min(segment.range.end()), segment.range.end()),
            ))
        }
        _ => None,
    }
}

fn named_segment(segment: &JsonPathSegment) -> Option<ast::Segment> {
    name(segment).map(|(name, range)| ast::Segment { name: name.into(), range })
}

fn named_in_script(script: &ScriptExpression, found: &mut Vec<Vec<ast::Segment>>) {
    for expr in &script.expressions {
        expr.walk(&mut |node| {
            if let ExprKind::Variable(path) = &node.kind
                && let [root, names @ ..] = path.segments.as_slice()
                && root.name == "@root"
                && !names.is_empty()
            {
                found.push(names.to_vec());
            }
        });
    }
}
