//! A document as located values: what a loader would hand to a program, with the place of every
//! part. Aliases and merge keys are resolved, within a budget, so that a nest of aliases costs no
//! more than a large document. Overlays merge values of several files; each part keeps its origin.

mod json;

use std::borrow::Cow;

use nodewise_model::{Origin, SourceId};
use nodewise_platform::threads::prelude::*;
use nodewise_syntax::{
    Entry, Item, NodeValue as Syntax, Scalar, ScalarValue, SyntaxNode, SyntaxNodeId, TextRange,
};

pub(crate) use json::parse_json;

/// How many nodes aliases may add to one document before the rest stays opaque.
const ALIAS_BUDGET: usize = 100_000;
/// How deep values nest before the rest stays opaque; far beyond any real document.
const DEPTH_MAX: usize = 256;

/// Lists from this many bytes on are read on several threads.
const LARGE: usize = 1 << 17;

/// A value and where it was written.
#[derive(Debug, Clone)]
pub struct SpannedValue<'t> {
    pub data: Data<'t>,
    /// Where it stands; for an absent value, its key.
    pub at: Origin,
    /// The node of the tree, to map positions inside a text; `None` for a computed value.
    pub node: Option<SyntaxNodeId>,
}

/// What a value is.
#[derive(Debug, Clone)]
pub enum Data<'t> {
    /// `null`, `~` or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    Number(f64),
    Text(Cow<'t, str>),
    List(Vec<SpannedValue<'t>>),
    /// A mapping; keys are unique unless the text repeats one.
    Map(Vec<SpannedEntry<'t>>),
    /// A value with a tag of its own, the tag included: no loader gives it a plain type.
    Tagged(&'t str),
    /// Not known: an undefined alias, an alias inside its own anchor, a budget used up.
    Unknown,
}

/// One entry of a mapping.
#[derive(Debug, Clone)]
pub struct SpannedEntry<'t> {
    /// The key's text.
    pub key: Cow<'t, str>,
    pub key_at: Origin,
    pub value: SpannedValue<'t>,
}

impl<'t> SpannedValue<'t> {
    /// The value of a node of the file `source`.
    #[must_use]
    pub fn from_node(node: SyntaxNode<'t>, source: SourceId) -> SpannedValue<'t> {
        Reader::new(source).node(node, 0)
    }

    /// The same, long lists read on several threads: not to be waited for under a lock.
    #[must_use]
    pub fn from_large_node(node: SyntaxNode<'t>, source: SourceId) -> SpannedValue<'t> {
        // Aliases share a budget, in the order of the text.
        let is_split = !node.tree().has_aliases();
        Reader { is_split, ..Reader::new(source) }.node(node, 0)
    }

    /// The members, if it is a mapping.
    #[must_use]
    pub fn as_map(&self) -> Option<&[SpannedEntry<'t>]> {
        match &self.data {
            Data::Map(members) => Some(members),
            _ => None,
        }
    }

    /// The items, if it is a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[SpannedValue<'t>]> {
        match &self.data {
            Data::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The member of that key, if it is a mapping that has one.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&SpannedEntry<'t>> {
        self.as_map()?.iter().find(|member| member.key == key)
    }

    /// Whether it is `null`, `~` or nothing.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.data, Data::Null)
    }

    /// What it is, in words: "a list".
    #[must_use]
    pub fn describe(&self) -> &'static str {
        match self.data {
            Data::Null => "nothing",
            Data::Bool(_) => "a boolean",
            Data::Number(number) if number.is_nan() => "`.nan`",
            Data::Number(number) if number.is_infinite() => "`.inf`",
            Data::Number(_) => "a number",
            Data::Text(_) => "a text",
            Data::List(_) => "a list",
            Data::Map(_) => "a mapping",
            Data::Tagged(_) => "a tagged value",
            Data::Unknown => "an unknown value",
        }
    }

    /// The first line of the value: for a mapping its first entry, else the value itself.
    #[must_use]
    pub fn head(&self) -> Origin {
        match &self.data {
            Data::Map(members) => members.first().map_or(self.at, |first| first.key_at),
            _ => self.at,
        }
    }
}

/// A number as people write it: no trailing `.0`.
#[must_use]
pub fn number_text(number: f64) -> String {
    format!("{number}")
}

struct Reader {
    source: SourceId,
    budget: usize,
    open_anchors: Vec<SyntaxNodeId>,
    /// Whether long lists are read on several threads.
    is_split: bool,
}

impl Reader {
    fn new(source: SourceId) -> Reader {
        Reader { source, budget: ALIAS_BUDGET, open_anchors: Vec::new(), is_split: false }
    }

    fn node<'t>(&mut self, node: SyntaxNode<'t>, depth: usize) -> SpannedValue<'t> {
        let at = Origin::new(self.source, node.range());
        let is_copy = !self.open_anchors.is_empty();
        self.budget -= usize::from(is_copy && self.budget > 0);
        let data = if depth > DEPTH_MAX || is_copy && self.budget == 0 {
            Data::Unknown
        } else {
            self.data(node, depth)
        };
        SpannedValue { data, at, node: Some(node.id()) }
    }

    fn data<'t>(&mut self, node: SyntaxNode<'t>, depth: usize) -> Data<'t> {
        let tag = node.tag().map(|tag| tag.text);
        match node.value() {
            Syntax::Alias(alias) => match alias.target() {
                Some(target) => self.alias(target, depth),
                None => Data::Unknown,
            },
            _ if tag.is_some_and(is_own_tag) => Data::Tagged(tag.unwrap_or_default()),
            Syntax::Mapping(mapping) => {
                let (mut members, mut merged) = (Vec::new(), Vec::new());
                for entry in mapping.entries() {
                    self.entry(entry, depth, &mut members, &mut merged);
                }
                // The mapping's own keys win, wherever the merge stands.
                merged.into_iter().for_each(|value| merge_members(&mut members, value));
                Data::Map(members)
            }
            Syntax::Sequence(sequence) if self.is_split && usize::from(node.range().len()) >= LARGE => {
                let items: Vec<Item<'t>> = sequence.items().collect();
                let source = self.source;
                let read = |item: &Item<'t>| Reader::new(source).item(*item, depth + 1);
                Data::List(items.par_iter().map(read).collect())
            }
            Syntax::Sequence(sequence) => {
                Data::List(sequence.items().map(|item| self.item(item, depth + 1)).collect())
            }
            Syntax::Scalar(scalar) => scalar_data(scalar, tag),
            Syntax::Empty if tag.is_some_and(is_text_tag) => Data::Text(Cow::Borrowed("")),
            Syntax::Empty => Data::Null,
            Syntax::Unknown => Data::Unknown,
        }
    }

    fn item<'t>(&mut self, item: Item<'t>, depth: usize) -> SpannedValue<'t> {
        match item.node() {
            Some(node) => self.node(node, depth),
            None => self.absent(item.range()),
        }
    }

    fn alias<'t>(&mut self, target: SyntaxNode<'t>, depth: usize) -> Data<'t> {
        if self.open_anchors.contains(&target.id()) || self.budget == 0 {
            return Data::Unknown;
        }
        self.open_anchors.push(target.id());
        let data = self.node(target, depth + 1).data;
        self.open_anchors.pop();
        data
    }

    fn entry<'t>(
        &mut self,
        entry: Entry<'t>,
        depth: usize,
        members: &mut Vec<SpannedEntry<'t>>,
        merged: &mut Vec<SpannedValue<'t>>,
    ) {
        if !self.open_anchors.is_empty() && self.budget == 0 {
            return;
        }
        // A word without a colon is a key being typed; it says nothing yet.
        if entry.is_half_typed() {
            return;
        }
        let key_range = entry.key().map_or_else(|| entry.range(), |key| key.range());
        let value = match entry.value() {
            Some(node) => self.node(node, depth + 1),
            None => self.absent(key_range),
        };
        let key = entry.key_text().unwrap_or_default();
        if key == "<<" {
            merged.push(value);
        } else {
            members.push(SpannedEntry { key, key_at: Origin::new(self.source, key_range), value });
        }
    }

    fn absent<'t>(&self, range: TextRange) -> SpannedValue<'t> {
        SpannedValue { data: Data::Null, at: Origin::new(self.source, range), node: None }
    }
}

/// Adds the members of a merge key's value that are not there yet.
fn merge_members<'t>(members: &mut Vec<SpannedEntry<'t>>, value: SpannedValue<'t>) {
    match value.data {
        Data::Map(merged) => {
            for member in merged {
                if !members.iter().any(|present| present.key == member.key) {
                    members.push(member);
                }
            }
        }
        Data::List(values) => values.into_iter().for_each(|value| merge_members(members, value)),
        _ => {}
    }
}

fn scalar_data<'t>(scalar: Scalar<'t>, tag: Option<&str>) -> Data<'t> {
    if tag.is_some_and(is_text_tag) {
        return Data::Text(scalar.cooked());
    }
    let (value, text) = scalar.resolve_with_text();
    match value {
        ScalarValue::Null => Data::Null,
        ScalarValue::Bool(value) => Data::Bool(value),
        ScalarValue::Int(value) => Data::Number(value as f64),
        ScalarValue::Float(value) => Data::Number(value),
        ScalarValue::BigInt => Data::Number(scalar.raw().parse().unwrap_or(f64::INFINITY)),
        ScalarValue::Text => Data::Text(text),
    }
}

/// `!` and `!!str` make a text of anything.
fn is_text_tag(tag: &str) -> bool {
    tag == "!" || tag == "!!str"
}

/// Whether a tag is none of YAML's own.
fn is_own_tag(tag: &str) -> bool {
    tag != "!" && !tag.starts_with("!!") && !tag.starts_with("!<tag:yaml.org,2002:")
}
