//! Fixes of misspelt keys: another name, a list or a mapping around a value. In: the place of a key; out: edits, or nothing
//! where the text is too unlike.

use nodewise_dialect::recovery::SingleValue;
use nodewise_model::Origin;
use nodewise_syntax::locate::{TreeStep, locate};
use nodewise_syntax::write::{MemberPosition, NewValue, Writer};

use crate::diagnostic::Edit;
use crate::rule::Context;
use crate::rules::list_fixes::{edits, entry_at, is_json};
use crate::rules::ranges;

/// Edits that rename a key, keeping its quotes, and wrap its value in a list if needed.
pub(in crate::rules) fn renamed_key(
    context: &Context<'_>,
    key_at: Origin,
    written: &str,
    key: &str,
    alone: Option<SingleValue>,
) -> Option<Vec<Edit>> {
    let place = ranges::part(context, key_at, written)?;
    let mut all = vec![Edit { at: place, text: key.to_owned() }];
    if let Some(alone) = alone {
        let file = context.source(key_at.source)?;
        let (_, entry) = entry_at(file.tree(), key_at)?;
        let at = Origin::new(key_at.source, entry.value()?.range());
        all.extend(match alone {
            SingleValue::Item => listed(context, at)?,
            SingleValue::Expression { .. } => in_mapping(context, at, alone)?,
        });
    }
    Some(all)
}

/// Edits that wrap an expression in a mapping in flow style.
pub(in crate::rules) fn in_mapping(
    context: &Context<'_>,
    at: Origin,
    alone: SingleValue,
) -> Option<Vec<Edit>> {
    let SingleValue::Expression { key, word } = alone else { return None };
    let file = context.source(at.source)?;
    let location = locate(file.tree(), at.range.start());
    let Some(TreeStep::Key { mapping, range, .. }) = location.path.last() else { return None };
    let mapping = file.tree().node(*mapping)?.as_mapping()?;
    let entry = mapping.entries().find(|entry| entry.key().is_some_and(|key| key.range() == *range))?;
    let expression = (key, NewValue::of(entry.value()?)?);
    let word = word.map(|(key, word)| (key, NewValue::text(word)));
    let value = NewValue::mapping(word.into_iter().chain([expression]));
    let writer = Writer::new(file.tree(), is_json(&file.path));
    Some(edits(at, writer.set_value(mapping, entry, &value)))
}

/// An example of a single value in its full form.
pub(in crate::rules) fn completed(alone: SingleValue) -> String {
    match alone {
        SingleValue::Item => "[...]".to_owned(),
        SingleValue::Expression { key, word: Some((word_key, word)) } => {
            format!("{{{word_key}: {word}, {key}: ...}}")
        }
        SingleValue::Expression { key, word: None } => format!("{{{key}: ...}}"),
    }
}

/// Edits that write an item with a single key in its full form.
pub(in crate::rules) fn in_full(
    context: &Context<'_>,
    key_at: Origin,
    key: &str,
    other: Option<&str>,
) -> Option<Vec<Edit>> {
    let file = context.source(key_at.source)?;
    let tree = file.tree();
    let (mapping, entry) = entry_at(tree, key_at)?;
    let value = NewValue::of(entry.value()?)?;
    let name = (key.to_owned(), NewValue::text(entry.key_text()?));
    let whole = match (other, value) {
        (Some(other), value) => NewValue::mapping([name, (other.to_owned(), value)]),
        (None, NewValue::Mapping(rest)) => NewValue::mapping(std::iter::once(name).chain(rest)),
        (None, _) => return None,
    };
    let location = locate(tree, key_at.range.start());
    let (sequence, item) = location.path.iter().rev().find_map(|step| match step {
        TreeStep::Item { sequence, index } => {
            let sequence = tree.node(*sequence)?.as_sequence()?;
            Some((sequence, sequence.items().nth(*index)?))
        }
        TreeStep::Key { .. } => None,
    })?;
    let is_it = item.node().is_some_and(|node| node.id() == mapping.node().id());
    let writer = Writer::new(tree, is_json(&file.path));
    is_it.then(|| edits(key_at, writer.set_item(sequence, item, &whole)))
}

/// Edits that wrap a single value in a list.
pub(in crate::rules) fn listed(context: &Context<'_>, at: Origin) -> Option<Vec<Edit>> {
    let text = ranges::source(context, at);
    let is_json = context.source(at.source).is_none_or(|file| is_json(&file.path));
    // An item like `-x`, whose dash lacks a space, already has its own line.
    if let Some(item) = text.strip_prefix('-').filter(|item| ranges::is_word(item)) {
        return Some(vec![Edit { at, text: format!("- {item}") }]);
    }
    let are_names = |text: &str| {
        let mut names = text.split(',').map(str::trim);
        names.all(ranges::is_word)
    };
    let quoted = text.trim_matches(['"', '\'']);
    if !is_json && quoted.contains(',') && are_names(quoted) {
        return Some(vec![Edit { at, text: format!("[{quoted}]") }]);
    }
    // Inside brackets, these characters would end the value.
    let is_item = !text.is_empty() && !text.contains([',', '[', ']', '{', '}', '\n', '#', '*', '&']);
    is_item.then(|| vec![Edit { at, text: format!("[{text}]") }])
}

/// Edits that add an entry to the mapping that contains a key.
pub(in crate::rules) fn with_entry(
    context: &Context<'_>,
    key_at: Origin,
    key: &str,
    value: &str,
) -> Option<Vec<Edit>> {
    let file = context.source(key_at.source)?;
    let writer = Writer::new(file.tree(), is_json(&file.path));
    let (mapping, _) = entry_at(file.tree(), key_at)?;
    Some(edits(key_at, writer.insert_entry(mapping, MemberPosition::First, key, &NewValue::text(value))))
}
