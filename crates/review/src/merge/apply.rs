//! Steps of a merge in a text, one after the other.
//!
//! Input: a text and steps. Output: the text with the changes, in its own layout. Invariant: what no step is about keeps its
//! bytes; a step that has no place any more fails the whole.

use nodewise_syntax::edit::{TextEdit, apply_edits};

use nodewise_syntax::write::{MemberPosition, NewValue, Writer};
use nodewise_syntax::{Item, SyntaxNode, Tree, parse};

use super::plan::{ItemName, MergeStep, MergeStepKind, PathStep};

/// The text after all steps. `None` if a step has no place in the text.
pub(super) fn applied(text: &str, is_json: bool, steps: &[MergeStep]) -> Option<String> {
    let mut text = text.to_owned();
    for step in steps {
        let tree = parse(text.as_str());
        let mut edits = edits(&tree, is_json, step)?;
        text = apply_edits(&text, &mut edits).ok()?;
    }
    Some(text)
}

fn edits(tree: &Tree, is_json: bool, step: &MergeStep) -> Option<Vec<TextEdit>> {
    let writer = Writer::new(tree, is_json);
    if let MergeStepKind::AddDocument(value) = &step.kind {
        return (!is_json).then(|| writer.append_document(value));
    }
    let mut documents = tree.documents().filter_map(|document| document.root());
    let mut node = documents.nth(step.document)?;
    for step in &step.path {
        node = match step {
            PathStep::Key(key) => node.as_mapping()?.get(key)?.value()?,
            PathStep::Item(name) => node.as_sequence()?.items().find_map(|item| named(item, name))?,
        };
    }
    change(writer, node, &step.kind)
}

fn change<'t>(writer: Writer<'t>, node: SyntaxNode<'t>, kind: &MergeStepKind) -> Option<Vec<TextEdit>> {
    Some(match kind {
        MergeStepKind::Set { key, value, behind } => {
            let mapping = node.as_mapping()?;
            match mapping.get(key) {
                Some(entry) => writer.set_value(mapping, entry, value),
                None => {
                    let known = |behind: &String| {
                        mapping
                            .entries()
                            .position(|entry| entry.key_text().as_deref() == Some(behind.as_str()))
                    };
                    let place =
                        behind.as_ref().and_then(known).map_or(MemberPosition::Last, MemberPosition::Behind);
                    writer.insert_entry(mapping, place, key, value)
                }
            }
        }
        MergeStepKind::RemoveKey(key) => {
            let mapping = node.as_mapping()?;
            let number =
                mapping.entries().position(|entry| entry.key_text().as_deref() == Some(key.as_str()))?;
            writer.remove_entry(mapping, number)
        }
        MergeStepKind::Add { value, behind } => {
            let sequence = node.as_sequence()?;
            let known = |name: &ItemName| sequence.items().position(|item| named(item, name).is_some());
            let place = behind.as_ref().and_then(known).map_or(MemberPosition::Last, MemberPosition::Behind);
            writer.insert_item(sequence, place, value)
        }
        MergeStepKind::Remove(name) => {
            let sequence = node.as_sequence()?;
            let number = sequence.items().position(|item| named(item, name).is_some())?;
            writer.remove_item(sequence, number)
        }
        MergeStepKind::RemoveValue(value) => {
            let sequence = node.as_sequence()?;
            let is_it = |item: Item<'_>| item.node().and_then(NewValue::of).as_ref() == Some(value);
            writer.remove_item(sequence, sequence.items().position(is_it)?)
        }
        MergeStepKind::AddDocument(_) => return None,
    })
}

/// The node of the item, if the item has these members.
fn named<'t>(item: Item<'t>, name: &ItemName) -> Option<SyntaxNode<'t>> {
    let node = item.node()?;
    let mapping = node.as_mapping()?;
    let has = |(key, value): &(&'static str, NewValue)| {
        mapping.get(key).and_then(|entry| entry.value()).and_then(NewValue::of).as_ref() == Some(value)
    };
    name.iter().all(has).then_some(node)
}
