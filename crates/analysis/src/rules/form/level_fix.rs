//! Fixes of keys on the wrong level: into a mapping, or out of it. In: the place of a key; out: edits, or nothing where the
//! text is too unlike.

use nodewise_model::Origin;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::locate::{TreeStep, locate};
use nodewise_syntax::write::{MemberPosition, NewValue, Writer};
use nodewise_syntax::{NodeValue, TextRange, TextSize};

use crate::diagnostic::Edit;
use crate::rule::Context;
use crate::rules::list_fixes::{edits, entry_at, is_json};
use crate::rules::ranges;

/// Edits that move an entry into a new mapping: `type: a` becomes `below: {key: a}`.
pub(in crate::rules) fn wrapped_entry(
    context: &Context<'_>,
    key_at: Origin,
    written: &str,
    below: &str,
    key: &str,
) -> Option<Vec<Edit>> {
    let file = context.source(key_at.source)?;
    let (mapping, entry) = entry_at(file.tree(), key_at)?;
    let value = NewValue::mapping([(key, NewValue::of(entry.value()?)?)]);
    let writer = Writer::new(file.tree(), is_json(&file.path));
    let mut all = vec![Edit { at: ranges::part(context, key_at, written)?, text: below.to_owned() }];
    all.extend(edits(key_at, writer.set_value(mapping, entry, &value)));
    Some(all)
}

/// Edits that move an entry into the mapping under a neighbouring key.
pub(in crate::rules) fn lowered_key(
    context: &Context<'_>,
    key_at: Origin,
    below: &str,
    key: &str,
) -> Option<Vec<Edit>> {
    let file = context.source(key_at.source)?;
    let writer = Writer::new(file.tree(), is_json(&file.path));
    let (mapping, entry) = entry_at(file.tree(), key_at)?;
    let value = NewValue::of(entry.value()?)?;
    let number = mapping.entries().position(|other| other.range() == entry.range())?;
    let around = mapping.get(below)?;
    let mut all = writer.remove_entry(mapping, number);
    all.extend(match around.value().map(|node| node.value()) {
        Some(NodeValue::Mapping(inner)) => writer.insert_entry(inner, MemberPosition::Last, key, &value),
        None | Some(NodeValue::Empty) => {
            writer.set_value(mapping, around, &NewValue::mapping([(key, value)]))
        }
        Some(_) => return None,
    });
    Some(edits(key_at, moved(&file.text, all)))
}

/// The edits that remove a text and insert it elsewhere. A single edit if the new place is inside the removed text.
fn moved(text: &str, mut all: Vec<TextEdit>) -> Vec<TextEdit> {
    let is_inside = |one: &TextEdit, other: &TextEdit| {
        other.range.is_empty()
            && one.range.start() < other.range.start()
            && other.range.end() < one.range.end()
    };
    let found = all
        .iter()
        .enumerate()
        .find_map(|(taken, one)| Some((taken, all.iter().position(|other| is_inside(one, other))?)));
    if let Some((taken, put)) = found {
        let range = all[taken].range;
        let ends_line = text
            .get(usize::from(range.start())..usize::from(range.end()))
            .is_some_and(|text| text.ends_with('\n'));
        let new = all[put].text.trim_start_matches('\n');
        all[taken].text = if ends_line { format!("{new}\n") } else { new.to_owned() };
        all.remove(put);
    }
    all
}

/// Edits that move an entry out of the mapping under `inside` and put it after that mapping.
pub(in crate::rules) fn lifted_key(context: &Context<'_>, key_at: Origin, inside: &str) -> Option<Vec<Edit>> {
    let file = context.source(key_at.source)?;
    let tree = file.tree();
    let writer = Writer::new(tree, is_json(&file.path));
    let (inner, entry) = entry_at(tree, key_at)?;
    let value = NewValue::of(entry.value()?)?;
    let number = inner.entries().position(|other| other.range() == entry.range())?;
    let location = locate(tree, key_at.range.start());
    let outer = location.path.iter().rev().find_map(|step| match step {
        TreeStep::Key { mapping, .. } => {
            let mapping = tree.node(*mapping)?.as_mapping()?;
            let around = mapping.get(inside)?;
            (around.value()?.id() == inner.node().id()).then_some(mapping)
        }
        TreeStep::Item { .. } => None,
    })?;
    let behind = outer.entries().position(|other| other.key_text().as_deref() == Some(inside))?;
    let mut all = writer.remove_entry(inner, number);
    all.extend(writer.insert_entry(outer, MemberPosition::Behind(behind), &entry.key_text()?, &value));
    Some(edits(key_at, moved(&file.text, all)))
}

/// Where a line with a key belongs so that one list ends above an item and another begins with it, and that line. Only in block
/// style.
pub(in crate::rules) fn line_above_item(
    context: &Context<'_>,
    item: Origin,
    key: &str,
) -> Option<(Origin, String)> {
    let file = context.source(item.source)?;
    let path = locate(file.tree(), item.range.start()).path;
    let list = path.windows(2).rev().find_map(|steps| match steps {
        [TreeStep::Key { range, .. }, TreeStep::Item { .. }] => Some(range.start()),
        _ => None,
    })?;
    let (line, before) = line_before(&file.text, item.range.start())?;
    let (_, indent) = line_before(&file.text, list)?;
    let is_block = indent.trim().is_empty() && matches!(before.trim(), "-" | "- {");
    is_block.then(|| (Origin::new(item.source, TextRange::empty(line)), format!("{indent}{key}:\n")))
}

/// Where the line begins, and its text up to `offset`.
fn line_before(text: &str, offset: TextSize) -> Option<(TextSize, &str)> {
    let before = text.get(..usize::from(offset))?;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    Some((TextSize::try_from(start).ok()?, before.get(start..)?))
}
