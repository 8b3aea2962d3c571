//! Writing into a text: values as they would be typed there, and edits that put them in or take them out.
//!
//! Input: a tree, a place in it and what shall stand there. Output: edits, each no larger than it must be.
//! Invariant: where the text around the place is sound, the edited text has no new problem, and it reads back
//! what was written.

mod edits;
mod scalar;
mod space;

#[cfg(test)]
mod tests;

pub use scalar::{ScalarPosition, fragment_text, scalar_like, scalar_text};
pub use space::indent;

use crate::edit::TextEdit;
use crate::node::{Entry, Item, Mapping, NodeValue, Sequence, SyntaxNode};
use crate::resolve::ScalarValue;
use crate::tree::Tree;

/// A value to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewValue {
    /// A text. It gets quotes where it needs them.
    Text(String),
    /// A number, a boolean or the like, written without quotes.
    Literal(String),
    /// Keys with values.
    Mapping(Vec<(String, NewValue)>),
    /// Items.
    Sequence(Vec<NewValue>),
}

/// Where a new member of a collection goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberPosition {
    /// Before all others.
    First,
    /// After the member with this index, or after the last one if there is no such member.
    Behind(usize),
    /// Behind all others.
    Last,
}

/// Makes edits of one text.
#[derive(Clone, Copy, Debug)]
pub struct Writer<'t> {
    tree: &'t Tree,
    is_json: bool,
}

impl NewValue {
    pub fn text(text: impl Into<String>) -> NewValue {
        NewValue::Text(text.into())
    }

    pub fn mapping<K: Into<String>>(entries: impl IntoIterator<Item = (K, NewValue)>) -> NewValue {
        NewValue::Mapping(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    /// The value of a node; `None` if writing it again would lose something: an alias, an anchor, a tag, a comment.
    #[must_use]
    pub fn of(node: SyntaxNode<'_>) -> Option<NewValue> {
        if node.anchor().is_some() || node.tag().is_some() {
            return None;
        }
        Some(match node.value() {
            NodeValue::Alias(_) | NodeValue::Unknown => return None,
            NodeValue::Empty => NewValue::Literal(String::new()),
            NodeValue::Scalar(scalar) => match scalar.resolve() {
                ScalarValue::Text => NewValue::Text(scalar.cooked().into_owned()),
                _ => NewValue::Literal(scalar.raw().to_owned()),
            },
            NodeValue::Mapping(mapping) => {
                let entry = |entry: Entry<'_>| {
                    let value = entry.value().map_or(Some(NewValue::Literal(String::new())), NewValue::of);
                    Some((entry.key_text()?.into_owned(), value?))
                };
                NewValue::Mapping(mapping.entries().map(entry).collect::<Option<_>>()?)
            }
            NodeValue::Sequence(sequence) => {
                let item =
                    |item: Item<'_>| item.node().map_or(Some(NewValue::Literal(String::new())), NewValue::of);
                NewValue::Sequence(sequence.items().map(item).collect::<Option<_>>()?)
            }
        })
    }
}

impl<'t> Writer<'t> {
    /// A writer for a tree. `is_json` means that the file must stay JSON.
    pub fn new(tree: &'t Tree, is_json: bool) -> Writer<'t> {
        Writer { tree, is_json }
    }

    /// Adds an entry to a mapping.
    pub fn insert_entry(
        &self,
        mapping: Mapping<'t>,
        place: MemberPosition,
        key: &str,
        value: &NewValue,
    ) -> Vec<TextEdit> {
        let members: Vec<_> = mapping.entries().map(Entry::range).collect();
        let node = mapping.node();
        match mapping.is_flow() {
            true => self.add_to_flow(node, &members, place, &self.flow_entry(key, value)),
            false => {
                let column = self.column(mapping.range().start());
                let text = self.block_entry(key, value, column, self.indent_step(mapping));
                self.add_to_block(node, &members, place, column, &text)
            }
        }
    }

    /// Adds an item to a sequence. It is in flow style if the item next to it is.
    pub fn insert_item(
        &self,
        sequence: Sequence<'t>,
        place: MemberPosition,
        value: &NewValue,
    ) -> Vec<TextEdit> {
        let members: Vec<_> = sequence.items().map(Item::range).collect();
        let node = sequence.node();
        match sequence.is_flow() {
            true => self.add_to_flow(node, &members, place, &self.flow_value(value)),
            false => {
                let column = self.column(sequence.range().start());
                let mut items = sequence.items();
                let beside = match place {
                    MemberPosition::First => items.next(),
                    MemberPosition::Behind(number) => items.nth(number).or_else(|| sequence.items().last()),
                    MemberPosition::Last => items.last(),
                };
                let beside = beside.and_then(Item::node);
                let text = match beside.is_some_and(is_flow) {
                    true => format!("- {}", self.flow_value(value)),
                    false => self.block_item(value, column, space::STEP),
                };
                self.add_to_block(node, &members, place, column, &text)
            }
        }
    }

    /// Sets the value of an entry, which may have none yet.
    pub fn set_value(&self, mapping: Mapping<'t>, entry: Entry<'t>, value: &NewValue) -> Vec<TextEdit> {
        let Some(key) = entry.key() else { return Vec::new() };
        let head = entry.colon().unwrap_or(key.full_range());
        let colon = if entry.colon().is_none() { ":" } else { "" };
        if mapping.is_flow() {
            return self.replace(head.end(), entry.value(), format!("{colon} {}", self.flow_value(value)));
        }
        let column = self.column(mapping.range().start());
        let text = self.below_key(value, column, self.indent_step(mapping));
        self.replace(head.end(), entry.value(), format!("{colon}{text}"))
    }

    /// Replaces the value of an item.
    pub fn set_item(&self, sequence: Sequence<'t>, item: Item<'t>, value: &NewValue) -> Vec<TextEdit> {
        if sequence.is_flow() {
            return vec![TextEdit { range: item.range(), text: self.flow_value(value) }];
        }
        let column = self.column(item.range().start());
        vec![TextEdit { range: item.range(), text: self.block_item(value, column, space::STEP) }]
    }

    /// Removes the member with this index from a mapping. If it was the last one, an empty mapping stays.
    pub fn remove_entry(&self, mapping: Mapping<'t>, number: usize) -> Vec<TextEdit> {
        let members: Vec<_> = mapping.entries().map(Entry::range).collect();
        self.remove(mapping.node(), mapping.is_flow(), &members, number, "{}")
    }

    /// Removes the item with this index from a sequence. If it was the last one, an empty sequence stays.
    pub fn remove_item(&self, sequence: Sequence<'t>, number: usize) -> Vec<TextEdit> {
        let members: Vec<_> = sequence.items().map(Item::range).collect();
        self.remove(sequence.node(), sequence.is_flow(), &members, number, "[]")
    }

    /// Adds a document at the end of the text, with a `---` if it needs one.
    pub fn append_document(&self, value: &NewValue) -> Vec<TextEdit> {
        self.behind_documents(value)
    }
}

fn is_flow(node: SyntaxNode<'_>) -> bool {
    let is_mapping = node.as_mapping().is_some_and(Mapping::is_flow);
    is_mapping || node.as_sequence().is_some_and(Sequence::is_flow)
}
