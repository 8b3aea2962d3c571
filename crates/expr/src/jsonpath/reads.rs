//! What a path reads of a workflow's memory.
//!
//! Input: a path over the state; output: the memory keys that it names. Invariant: a key that is found is read for
//! certain; a path that reads memory in another way (`$..x`) names none.

use smol_str::SmolStr;
use text_size::TextRange;

use super::{Path, Script, Segment, SegmentKind};
use crate::ast::ExprKind;

/// The part of the state that holds the memory.
pub(super) const MEMORY: &str = "memory";

/// A memory key that a path names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryKey {
    /// The key.
    pub name: SmolStr,
    /// Where it stands.
    pub range: TextRange,
}

/// The memory keys that a path over the state names, in reading order; `@root.memory.key` in filters included.
pub fn memory_keys(path: &Path) -> Vec<MemoryKey> {
    let mut keys = Vec::new();
    if let [first, second, ..] = below_root(path)
        && name(first).is_some_and(|(name, _)| name == MEMORY)
    {
        match &second.kind {
            SegmentKind::Union(parts) => keys.extend(parts.iter().filter_map(key)),
            _ => keys.extend(key(second)),
        }
    }
    for segment in &path.segments {
        match &segment.kind {
            SegmentKind::Filter(filter) => keys_of_script(&filter.script, &mut keys),
            SegmentKind::Computed(script) => keys_of_script(script, &mut keys),
            _ => {}
        }
    }
    keys
}

/// The steps behind a leading `$`.
pub(super) fn below_root(path: &Path) -> &[Segment] {
    match path.segments.as_slice() {
        [first, rest @ ..] if first.kind == SegmentKind::Root => rest,
        segments => segments,
    }
}

/// The name that a step follows, and where it stands.
pub(super) fn name(segment: &Segment) -> Option<(&str, TextRange)> {
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

fn key(segment: &Segment) -> Option<MemoryKey> {
    name(segment).map(|(name, range)| MemoryKey { name: name.into(), range })
}

fn keys_of_script(script: &Script, keys: &mut Vec<MemoryKey>) {
    for expr in &script.expressions {
        expr.walk(&mut |node| {
            if let ExprKind::Variable(path) = &node.kind
                && let [root, memory, key, ..] = path.segments.as_slice()
                && root.name == "@root"
                && memory.name == MEMORY
            {
                keys.push(MemoryKey { name: key.name.clone(), range: key.range });
            }
        });
    }
}
