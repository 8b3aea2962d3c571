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

/// The number of nodes that aliases may add to a document. What exceeds it is unknown, so that a small text cannot become a
/// huge value.
const ALIAS_BUDGET: usize = 100_000;
/// Values nested deeper than this are unknown. Real documents are far less deep.
const DEPTH_MAX: usize = 256;

/// Lists with at least this many bytes are read by several threads.
const LARGE: usize = 1 << 17;

/// A value with the place where it is written.
#[derive(Debug, Clone)]
pub struct SpannedValue<'t> {
    pub data: Data<'t>,
    /// The place of the value; for a missing value, that of its key.
    pub at: Origin,
    /// The syntax node, to map positions inside a text to the file; `None` for a computed value.
    pub node: Option<SyntaxNodeId>,
}

/// The content of a value.
#[derive(Debug, Clone)]
pub enum Data<'t> {
    /// `null`, `~` or an empty value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    Number(f64),
    Text(Cow<'t, str>),
    List(Vec<SpannedValue<'t>>),
    /// A mapping. Keys are unique unless the text repeats one.
    Map(Vec<SpannedEntry<'t>>),
    /// A value with a custom tag, including the tag. Loaders give it no plain type.
    Tagged(&'t str),
    /// An unknown value: an undefined alias, an alias inside its own anchor, or one that exceeds a limit.
    Unknown,
}

/// An entry of a mapping.
#[derive(Debug, Clone)]
pub struct SpannedEntry<'t> {
    /// The key's text.
    pub key: Cow<'t, str>,
    pub key_at: Origin,
    pub value: SpannedValue<'t>,
}

impl<'t> SpannedValue<'t> {
    /// Reads the value of a syntax node in the file `source`.
    #[must_use]
    pub fn from_node(node: SyntaxNode<'t>, source: SourceId) -> SpannedValue<'t> {
        Reader::new(source).node(node, 0)
    }

    /// Like [`from_node`](Self::from_node), but several threads read long lists. Do not wait for it while holding a lock.
    #[must_use]
    pub fn from_large_node(node: SyntaxNode<'t>, source: SourceId) -> SpannedValue<'t> {
        // All aliases of a document share one budget, which is used up in the order of the text.
        let is_split = !node.tree().has_aliases();
        Reader { is_split, ..Reader::new(source) }.node(node, 0)
    }

    /// The members; `None` if the value is not a mapping.
    #[must_use]
    pub fn as_map(&self) -> Option<&[SpannedEntry<'t>]> {
        match &self.data {
            Data::Map(members) => Some(members),
            _ => None,
        }
    }

    /// The items; `None` if the value is not a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[SpannedValue<'t>]> {
        match &self.data {
            Data::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text; `None` if the value is not a text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The member with a key; `None` if there is none or the value is not a mapping.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&SpannedEntry<'t>> {
        self.as_map()?.iter().find(|member| member.key == key)
    }

    /// Whether it is `null`, `~` or empty.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.data, Data::Null)
    }

    /// The type of the value in words: "a list".
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

    /// The place of the value's first entry if it is a mapping, otherwise of the whole value.
    #[must_use]
    pub fn head(&self) -> Origin {
        match &self.data {
            Data::Map(members) => members.first().map_or(self.at, |first| first.key_at),
            _ => self.at,
        }
    }
}

/// A number as text, without a trailing `.0`.
#[must_use]
pub fn number_text(number: f64) -> String {
    format!("{number}")
}

struct Reader {
    source: SourceId,
    budget: usize,
    open_anchors: Vec<SyntaxNodeId>,
    /// Whether several threads read long lists.
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
                // Keys of the mapping itself count before merged keys, wherever the merge key is written.
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
        // A word without a colon is a key that is being typed, so it has no value yet.
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

/// Adds the members of a merge key's value whose keys do not exist yet.
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

/// Whether the tag is `!` or `!!str`, which turn any scalar into a text.
fn is_text_tag(tag: &str) -> bool {
    tag == "!" || tag == "!!str"
}

/// Whether the tag is not one of YAML's own tags.
fn is_own_tag(tag: &str) -> bool {
    tag != "!" && !tag.starts_with("!!") && !tag.starts_with("!<tag:yaml.org,2002:")
}
