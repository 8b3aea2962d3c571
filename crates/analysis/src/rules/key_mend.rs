//! Fixes of misspelt and misplaced keys: another name, another level, a list around a value. In: the place of a key; out:
//! edits, or nothing where the text is too unlike.

use nodewise_model::Origin;
use nodewise_syntax::Value;
use nodewise_syntax::locate::{Step, locate};
use nodewise_syntax::write::{NewValue, Where, Writer};

use super::mend::{edits, entry_at, is_json};
use super::place;
use crate::diagnostic::Edit;
use crate::rule::Context;

/// Gives a key another name, in the quotes that it has; and puts its value into a list.
pub(super) fn renamed_key(
    context: &Context<'_>,
    key_at: Origin,
    written: &str,
    key: &str,
    into_list: bool,
) -> Option<Vec<Edit>> {
    let place = place::part(context, key_at, written)?;
    let mut all = vec![Edit { at: place, text: key.to_owned() }];
    if into_list {
        let file = context.source(key_at.source)?;
        let (_, entry) = entry_at(file.tree(), key_at)?;
        all.extend(listed(context, Origin::new(key_at.source, entry.value()?.range()))?);
    }
    Some(all)
}

/// Puts a single value into a list.
pub(super) fn listed(context: &Context<'_>, at: Origin) -> Option<Vec<Edit>> {
    let text = place::source(context, at);
    // An item whose dash lacks its blank stands on a line of its own already.
    if let Some(item) = text.strip_prefix('-').filter(|item| place::is_word(item)) {
        return Some(vec![Edit { at, text: format!("- {item}") }]);
    }
    // Only inside brackets do these end a value.
    let is_item = !text.is_empty() && !text.contains([',', '[', ']', '{', '}', '\n', '#', '*', '&']);
    is_item.then(|| vec![Edit { at, text: format!("[{text}]") }])
}

/// Moves an entry into the mapping under a key beside it.
pub(super) fn lowered_key(
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
    let mut all = writer.remove_entry(mapping, number);
    all.extend(match mapping.get(below) {
        Some(around) => match around.value().map(|node| node.value()) {
            Some(Value::Mapping(inner)) => writer.insert_entry(inner, Where::Last, key, &value),
            None | Some(Value::Empty) => {
                writer.set_value(mapping, around, &NewValue::mapping([(key, value)]))
            }
            Some(_) => return None,
        },
        None => {
            writer.insert_entry(mapping, Where::Behind(number), below, &NewValue::mapping([(key, value)]))
        }
    });
    Some(edits(key_at, all))
}

/// Moves an entry out of the mapping under `inside`, behind it.
pub(super) fn lifted_key(context: &Context<'_>, key_at: Origin, inside: &str) -> Option<Vec<Edit>> {
    let file = context.source(key_at.source)?;
    let tree = file.tree();
    let writer = Writer::new(tree, is_json(&file.path));
    let (inner, entry) = entry_at(tree, key_at)?;
    let value = NewValue::of(entry.value()?)?;
    let number = inner.entries().position(|other| other.range() == entry.range())?;
    let location = locate(tree, key_at.range.start());
    let outer = location.path.iter().rev().find_map(|step| match step {
        Step::Key { mapping, .. } => {
            let mapping = tree.node(*mapping)?.as_mapping()?;
            let around = mapping.get(inside)?;
            (around.value()?.id() == inner.node().id()).then_some(mapping)
        }
        Step::Item { .. } => None,
    })?;
    let behind = outer.entries().position(|other| other.key_text().as_deref() == Some(inside))?;
    let mut all = writer.remove_entry(inner, number);
    all.extend(writer.insert_entry(outer, Where::Behind(behind), &entry.key_text()?, &value));
    Some(edits(key_at, all))
}

/// Adds an entry to the mapping that has a key.
pub(super) fn with_entry(context: &Context<'_>, key_at: Origin, key: &str, value: &str) -> Option<Vec<Edit>> {
    let file = context.source(key_at.source)?;
    let writer = Writer::new(file.tree(), is_json(&file.path));
    let (mapping, _) = entry_at(file.tree(), key_at)?;
    Some(edits(key_at, writer.insert_entry(mapping, Where::First, key, &NewValue::text(value))))
}
