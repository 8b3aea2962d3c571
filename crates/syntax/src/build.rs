//! Trees of values that stand in a text of another notation, for instance in a program.
//!
//! Input: a text, and values with the places where the text has them. Output: a tree like that of a YAML file, whose
//! ranges are ranges of that text. Invariant: such a tree has no problems, and its tokens need not cover the text: a value
//! may stand anywhere, and more than once.

use std::sync::Arc;

use text_size::TextRange;

use crate::cook::{Piece, SourceMap};
use crate::event::{Event, SyntaxKind};
use crate::resolve::ScalarValue;
use crate::tree::Tree;

/// A document to build, with its place in the text.
#[derive(Clone, Debug)]
pub struct PlacedDocument {
    /// The kind of the document. [`Document::kind`](crate::Document::kind) returns it.
    pub kind: &'static str,
    /// The part of the text that the document is made from.
    pub range: TextRange,
    pub root: PlacedValue,
}

/// A value to build, with its place in the text.
#[derive(Clone, Debug)]
pub struct PlacedValue {
    pub data: PlacedData,
    /// The part of the text that the value is made from.
    pub range: TextRange,
}

#[derive(Clone, Debug)]
pub enum PlacedData {
    Null,
    /// `true` or `false`.
    Bool(bool),
    Number(f64),
    Text(PlacedText),
    /// Items in order.
    List(Vec<PlacedValue>),
    /// Keys with values.
    Map(Vec<PlacedEntry>),
    /// An unknown value, with the reason why it is unknown.
    Unknown(String),
}

/// A text, and the source of each of its parts.
#[derive(Clone, Debug)]
pub struct PlacedText {
    pub text: String,
    /// The parts in order; together they are the whole text. If empty, the source does not contain the text letter by
    /// letter.
    pub pieces: Vec<TextPiece>,
    /// Where the letters of the text are, if they are in another file.
    pub elsewhere: Option<LettersElsewhere>,
}

/// The letters of a text that are in another file than the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LettersElsewhere {
    pub path: String,
    /// The place of the letters in that file.
    pub range: TextRange,
}

/// A part of a text.
#[derive(Clone, Copy, Debug)]
pub struct TextPiece {
    /// The length of the part, in bytes.
    pub length: usize,
    /// The source of the part.
    pub source: TextRange,
    /// Whether the source is a byte-by-byte copy of the part.
    pub is_copy: bool,
}

/// A key with its value.
#[derive(Clone, Debug)]
pub struct PlacedEntry {
    pub key: String,
    /// The source of the key, which may be spelt differently.
    pub key_range: TextRange,
    pub value: PlacedValue,
}

/// What a built tree has in addition to its events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Built {
    /// The values of the scalars, sorted by the index of their event.
    scalars: Vec<(u32, Given)>,
    /// The kinds of the documents, by their index.
    kinds: Vec<&'static str>,
}

/// The value of a scalar.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) value: ScalarValue,
    pub(crate) text: Box<str>,
    pub(crate) map: SourceMap,
    pub(crate) elsewhere: Option<LettersElsewhere>,
}

impl Built {
    pub(crate) fn scalar(&self, event: u32) -> Option<&Given> {
        let found = self.scalars.binary_search_by_key(&event, |(at, _)| *at).ok()?;
        self.scalars.get(found).map(|(_, given)| given)
    }

    pub(crate) fn kind(&self, document: usize) -> Option<&'static str> {
        self.kinds.get(document).copied()
    }
}

/// Builds a tree from values. `comments` are the comments of the text, in order.
pub fn build(text: impl Into<Arc<str>>, documents: &[PlacedDocument], comments: &[TextRange]) -> Tree {
    let mut builder = Builder::default();
    for comment in comments {
        builder.token(SyntaxKind::Comment, *comment);
    }
    for document in documents {
        builder.built.kinds.push(document.kind);
        builder.construct(SyntaxKind::Document, document.range, |inner| inner.value(&document.root));
    }
    Tree::of_events(text.into(), builder.events, builder.built)
}

#[derive(Default)]
struct Builder {
    events: Vec<Event>,
    built: Built,
}

impl Builder {
    fn token(&mut self, kind: SyntaxKind, range: TextRange) {
        self.events.push(Event::new(kind, range.start().into(), range.end().into()));
    }

    /// Adds a construct. It ends with an empty token, so that its range does not depend on its content.
    fn construct(&mut self, kind: SyntaxKind, range: TextRange, inside: impl FnOnce(&mut Builder)) {
        let opened = self.events.len();
        self.token(kind, range);
        inside(self);
        self.token(SyntaxKind::Space, TextRange::empty(range.end()));
        let end = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        if let Some(event) = self.events.get_mut(opened) {
            event.end = end;
        }
    }

    fn value(&mut self, value: &PlacedValue) {
        let range = value.range;
        match &value.data {
            PlacedData::Null => self.scalar(range, ScalarValue::Null, "null", None),
            PlacedData::Bool(value) => {
                self.scalar(range, ScalarValue::Bool(*value), if *value { "true" } else { "false" }, None);
            }
            PlacedData::Number(number) => {
                self.scalar(range, ScalarValue::Float(*number), &number.to_string(), None);
            }
            PlacedData::Text(text) => {
                self.scalar(range, ScalarValue::Text, &text.text, Some(text));
            }
            PlacedData::List(items) => self.construct(SyntaxKind::FlowSeq, range, |inner| {
                items.iter().for_each(|item| inner.value(item));
            }),
            PlacedData::Map(entries) => self.construct(SyntaxKind::FlowMap, range, |inner| {
                entries.iter().for_each(|entry| inner.entry(entry));
            }),
            PlacedData::Unknown(_) => self.token(SyntaxKind::Unknown, range),
        }
    }

    fn entry(&mut self, entry: &PlacedEntry) {
        self.construct(SyntaxKind::Entry, entry.key_range.cover(entry.value.range), |inner| {
            inner.scalar(entry.key_range, ScalarValue::Text, &entry.key, None);
            inner.token(SyntaxKind::Colon, TextRange::empty(entry.key_range.end()));
            inner.value(&entry.value);
        });
    }

    /// Adds a scalar. A text without pieces has one piece that is not a copy of its source.
    fn scalar(&mut self, range: TextRange, value: ScalarValue, text: &str, placed: Option<&PlacedText>) {
        let whole = [TextPiece { length: text.len(), source: range, is_copy: false }];
        let mut cooked_start = 0;
        let piece = |piece: &TextPiece| {
            let start = cooked_start;
            cooked_start += u32::try_from(piece.length).unwrap_or(u32::MAX);
            Piece {
                cooked_start: start,
                source_start: piece.source.start().into(),
                source_end: piece.source.end().into(),
                is_copy: piece.is_copy,
            }
        };
        let pieces: Vec<Piece> =
            placed.map_or(&whole[..], |placed| &placed.pieces).iter().map(piece).collect();
        let end = pieces.last().map_or(u32::from(range.end()), |last| last.source_end);
        let event = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        let (map, elsewhere) =
            (SourceMap::new(pieces, end), placed.and_then(|placed| placed.elsewhere.clone()));
        self.built.scalars.push((event, Given { value, text: text.into(), map, elsewhere }));
        self.token(SyntaxKind::Given, range);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeValue;

    fn range(text: &str, part: &str) -> TextRange {
        let start = text.find(part).unwrap();
        TextRange::at(u32::try_from(start).unwrap().into(), u32::try_from(part.len()).unwrap().into())
    }

    /// A value that stands before its document, a key in another spelling, an escape, something unknown.
    #[test]
    fn parts_keep_their_places() {
        let text = r#"const id = "a\nb"; build({ theId: id, rest: f() })"#;
        let literal = range(text, r#""a\nb""#);
        let (a, escape, b) = (range(text, "a\\"), range(text, "\\n"), range(text, "b\""));
        let shrink = |range: TextRange| TextRange::at(range.start(), 1.into());
        let pieces = vec![
            TextPiece { length: 1, source: shrink(a), is_copy: true },
            TextPiece { length: 1, source: escape, is_copy: false },
            TextPiece { length: 1, source: shrink(b), is_copy: true },
        ];
        let id = PlacedText { text: "a\nb".to_owned(), pieces, elsewhere: None };
        let entry = |key: &str, written: &str, data, range_of_value| PlacedEntry {
            key: key.to_owned(),
            key_range: range(text, written),
            value: PlacedValue { data, range: range_of_value },
        };
        let root = PlacedValue {
            data: PlacedData::Map(vec![
                entry("the_id", "theId", PlacedData::Text(id), literal),
                entry("rest", "rest", PlacedData::Unknown("a call".to_owned()), range(text, "f()")),
            ]),
            range: range(text, "{ theId: id, rest: f() }"),
        };
        let document = PlacedDocument { kind: "Thing", range: range(text, "build("), root };
        let tree = build(text, &[document], &[]);
        let document = tree.documents().next().unwrap();
        assert_eq!(document.kind(), Some("Thing"));
        let root = document.root().unwrap();
        assert_eq!(&text[root.range()], "{ theId: id, rest: f() }");
        let entries: Vec<_> = root.as_mapping().unwrap().entries().collect();
        assert_eq!(entries[0].key_text().as_deref(), Some("the_id"));
        assert_eq!(&text[entries[0].key().unwrap().range()], "theId");
        let scalar = entries[0].value().unwrap().as_scalar().unwrap();
        assert_eq!(scalar.cooked(), "a\nb");
        assert_eq!(scalar.resolve(), ScalarValue::Text);
        let cooked = scalar.cooked_with_map();
        assert_eq!(&text[cooked.map.source_range(1..3)], "\\nb");
        let unknown = entries[1].value().unwrap();
        assert!(matches!(unknown.value(), NodeValue::Unknown));
        assert_eq!(&text[unknown.range()], "f()");
    }
}
