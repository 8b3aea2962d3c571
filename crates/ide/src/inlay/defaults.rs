//! Hints for keys that are not written and have a default. In: a file and a part of it. Out: one hint for each mapping,
//! at the end of its first line, or before the closing brace of a mapping in braces. Defaults that are empty or false
//! are left out, because a missing key suggests the same.

use nodewise_analysis::facts::{DocumentRole, FileFacts, Ownership};
use nodewise_dialect::table::{Field, KindRole, Shape};
use nodewise_dialect::value::SpannedValue;
use nodewise_dialect::walk::{Visitor, walk};
use nodewise_syntax::{SyntaxNodeKind, TextRange, TextSize, Tree};

use super::{Inlay, letters, line_end};
use crate::markup::{Line, Markup};

/// Defaults that are not shown, because a missing key suggests the same.
const SILENT: &[&str] = &["[]", "{}", "false", "null", "''"];
/// The maximum number of characters of a default.
const SHOWN_MAX: usize = 40;

pub(super) fn add(file: &FileFacts, range: TextRange, hints: &mut Vec<Inlay>) {
    let Ownership::Ours(_) = file.ownership else { return };
    for (facts, document) in file.documents.iter().zip(file.tree().documents()) {
        let (DocumentRole::Kind(kind), Some(root)) = (&facts.role, document.root()) else { continue };
        // If an overlay does not set a key, the target's value applies.
        if kind.role == KindRole::Overlay || facts.range.range.intersect(range).is_none() {
            continue;
        }
        let value = SpannedValue::from_node(root, file.source);
        walk(kind, None, &value, &mut Defaults { file, tree: file.tree(), range, hints });
    }
}

struct Defaults<'a> {
    file: &'a FileFacts,
    tree: &'a Tree,
    range: TextRange,
    hints: &'a mut Vec<Inlay>,
}

impl<'v, 't> Visitor<'v, 't> for Defaults<'_> {
    fn enters(&mut self, value: &'v SpannedValue<'t>) -> bool {
        let node = value.node.and_then(|node| self.tree.node(node));
        let is_alias = node.is_some_and(|node| node.kind() == SyntaxNodeKind::Alias);
        !is_alias && value.at.range.intersect(self.range).is_some()
    }

    fn open(&mut self, shape: &'static Shape, value: &'v SpannedValue<'t>) {
        let counts = |field: &&Field| {
            let default = field.default.filter(|default| !SILENT.contains(default));
            default.is_some() && value.get(field.key).is_none()
        };
        let fields: Vec<&Field> = shape.fields.iter().filter(counts).collect();
        let Some(first) = fields.first() else { return };
        let mut text = Markup::new();
        let items: Vec<Line> = fields
            .iter()
            .map(|field| Line::new().code(&written(field)).prose(": ").prose(field.doc))
            .collect();
        text.list(&items);
        let others = match fields.len() {
            1 => String::new(),
            count => format!(", … {} more", count - 1),
        };
        let all: Vec<String> = fields.iter().map(|field| written(field)).collect();
        let whole = all.join(", ");
        let label = if whole.chars().count() <= SHOWN_MAX { whole } else { cut(&written(first)) + &others };
        let at = self.place(value);
        self.hints.push(Inlay { at, label, text, is_type: false, target: None });
    }
}

impl Defaults<'_> {
    /// The end of a mapping's first line, or the position before its closing brace.
    fn place(&self, value: &SpannedValue<'_>) -> TextSize {
        let range = value.at.range;
        let whole = letters(self.file, range);
        match whole.strip_suffix('}') {
            Some(inner) if whole.starts_with('{') => range.start() + TextSize::of(inner.trim_end()),
            _ => line_end(self.file, value.head().range.start()),
        }
    }
}

fn written(field: &Field) -> String {
    format!("{}: {}", field.key, field.default.unwrap_or_default())
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
