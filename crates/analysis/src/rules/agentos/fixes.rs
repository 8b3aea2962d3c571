//! A fix of graphs: another name for the output of a node.

use nodewise_dialect::tables::agentos::{NODE_NOTES, OUTPUT_NAME};
use nodewise_model::graph::GraphNode;
use nodewise_syntax::NodeValue;
use nodewise_syntax::write::{MemberPosition, NewValue};

use crate::diagnostic::Edit;
use crate::rule::Context;
use crate::rules::list_fixes::{edits, written};

/// Edits that make a node write its output under a name.
pub(in crate::rules) fn with_output_name(
    context: &Context<'_>,
    node: &GraphNode,
    name: &str,
) -> Option<Vec<Edit>> {
    let (at, writer, mapping) = written(context, node)?;
    let name = NewValue::text(name);
    let notes = |name: NewValue| NewValue::mapping([(OUTPUT_NAME, name)]);
    let written = match mapping.get(NODE_NOTES) {
        None => writer.insert_entry(mapping, MemberPosition::Last, NODE_NOTES, &notes(name)),
        Some(entry) => match entry.value().map(|node| node.value()) {
            None => writer.set_value(mapping, entry, &notes(name)),
            Some(NodeValue::Mapping(inner)) if inner.get(OUTPUT_NAME).is_none() => {
                writer.insert_entry(inner, MemberPosition::Last, OUTPUT_NAME, &name)
            }
            Some(_) => return None,
        },
    };
    Some(edits(at, written))
}
