//! Fixes of graph documents: an entry more or less in a list. In: places as the model has them; out: edits,
//! or nothing where no list stands at the place.

use nodewise_model::graph::GraphNode;
use nodewise_model::{Located, Origin};
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::locate::{TreeStep, locate};
use nodewise_syntax::write::{MemberPosition, NewValue, Writer};
use nodewise_syntax::{Entry, Mapping, NodeValue, Tree};
use smol_str::SmolStr;

use crate::diagnostic::{Edit, Finding, Fix};
use crate::rule::Context;

/// Adds edits to a finding as a fix, if there are any.
pub(in crate::rules) fn offer(
    mut finding: Finding,
    title: String,
    safe: bool,
    edits: Option<Vec<Edit>>,
) -> Finding {
    finding.fixes.extend(edits.map(|edits| Fix { title, safe, edits }));
    finding
}

/// The mapping of a node, found by its id, and a writer for its file.
pub(in crate::rules) fn written<'c>(
    context: &Context<'c>,
    node: &GraphNode,
) -> Option<(Origin, Writer<'c>, Mapping<'c>)> {
    let id = node.id.as_ref().filter(|id| node.at.range.contains_range(id.at.range))?;
    let file = context.source(id.at.source)?;
    let location = locate(file.tree(), id.at.range.start());
    let Some(TreeStep::Key { mapping, .. }) = location.path.last() else { return None };
    let mapping = file.tree().node(*mapping)?.as_mapping()?;
    Some((id.at, Writer::new(file.tree(), is_json(&file.path)), mapping))
}

/// Edits that remove a name from a list.
pub(in crate::rules) fn without_name(
    context: &Context<'_>,
    names: &[Located<SmolStr>],
    position: usize,
) -> Option<Vec<Edit>> {
    let at = names.get(position)?.at;
    let file = context.source(at.source)?;
    let (tree, is_json) = (file.tree(), is_json(&file.path));
    let location = locate(tree, at.range.start());
    let Some(TreeStep::Item { index, sequence }) = location.path.last() else { return None };
    let sequence = tree.node(*sequence)?.as_sequence()?;
    let is_there = sequence.items().nth(*index)?.node()?.range() == at.range;
    is_there.then(|| edits(at, Writer::new(tree, is_json).remove_item(sequence, *index)))
}

/// Edits that add an item to the list under a key, or that add the key with a list.
pub(in crate::rules) fn with_item(
    context: &Context<'_>,
    key_at: Origin,
    item: NewValue,
) -> Option<Vec<Edit>> {
    let file = context.source(key_at.source)?;
    let writer = Writer::new(file.tree(), is_json(&file.path));
    let (mapping, entry) = entry_at(file.tree(), key_at)?;
    let written = match entry.value().map(|node| node.value()) {
        Some(NodeValue::Sequence(sequence)) => writer.insert_item(sequence, MemberPosition::Last, &item),
        None => writer.set_value(mapping, entry, &NewValue::Sequence(vec![item])),
        Some(_) => return None,
    };
    Some(edits(key_at, written))
}

/// The entry whose key is at a place, and its mapping.
pub(in crate::rules) fn entry_at(tree: &Tree, key_at: Origin) -> Option<(Mapping<'_>, Entry<'_>)> {
    let location = locate(tree, key_at.range.start());
    let key = location.key()?;
    let mapping = tree.node(key.mapping?)?.as_mapping()?;
    let entry = mapping.entries().find(|entry| entry.key().map(|node| node.id()) == key.key)?;
    (entry.key()?.range() == key_at.range).then_some((mapping, entry))
}

/// Whether fixes in the file must be valid JSON.
pub(in crate::rules) fn is_json(path: &str) -> bool {
    path.ends_with(".json")
}

pub(in crate::rules) fn edits(near: Origin, edits: Vec<TextEdit>) -> Vec<Edit> {
    edits.into_iter().map(|edit| Edit { at: Origin::new(near.source, edit.range), text: edit.text }).collect()
}
