//! Layout around a place: columns, line ends, how a value takes its lines.
//!
//! Input: a writer's tree, values. Output: rendered text with the text's own line break. Invariant: a rendered
//! value never ends with a line break.

use memchr::{memchr2, memrchr2};
use text_size::{TextRange, TextSize};

use super::scalar::{ScalarPosition, scalar_text};
use super::{NewValue, Writer};
use crate::node::{Entry, Mapping};

/// The indentation of a level, in columns, if the text does not show another one.
pub(super) const STEP: usize = 2;

/// Indents all lines after the first one. Empty lines stay empty.
pub fn indent(text: &str, columns: usize) -> String {
    let mut result = String::with_capacity(text.len());
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if number > 0 && !line.trim_end_matches(['\r', '\n']).is_empty() {
            result.extend(std::iter::repeat_n(' ', columns));
        }
        result.push_str(line);
    }
    result
}

impl<'t> Writer<'t> {
    /// The line break that the text uses.
    pub(super) fn line_break(&self) -> &'static str {
        let text = self.tree.text();
        match memchr2(b'\n', b'\r', text.as_bytes()).and_then(|first| text.get(first..)) {
            Some(rest) if rest.starts_with("\r\n") => "\r\n",
            Some(rest) if rest.starts_with('\r') => "\r",
            _ => "\n",
        }
    }

    /// A line break and an indentation.
    pub(super) fn new_line(&self, column: usize) -> String {
        format!("{}{}", self.line_break(), " ".repeat(column))
    }

    /// Where the line of an offset begins.
    pub(super) fn line_start(&self, offset: TextSize) -> TextSize {
        let text = self.tree.text();
        let before = text.as_bytes().get(..usize::from(offset)).unwrap_or_default();
        match memrchr2(b'\n', b'\r', before) {
            Some(line_break) => size(line_break + 1),
            None if text.starts_with('\u{feff}') => offset.min(size(3)),
            None => size(0),
        }
    }

    /// Where the line of an offset ends, without its line break.
    pub(super) fn line_end(&self, offset: TextSize) -> TextSize {
        let behind = self.tree.text().as_bytes().get(usize::from(offset)..).unwrap_or_default();
        offset + size(memchr2(b'\n', b'\r', behind).unwrap_or(behind.len()))
    }

    /// The offset after the line break at an offset; the offset itself if there is no line break.
    pub(super) fn after_break(&self, offset: TextSize) -> TextSize {
        let rest = self.tree.text().get(usize::from(offset)..).unwrap_or_default();
        let length = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with(['\n', '\r'])) };
        offset + size(length)
    }

    /// The column of an offset, in bytes.
    pub(super) fn column(&self, offset: TextSize) -> usize {
        usize::from(offset - self.line_start(offset))
    }

    /// True when nothing but white space stands before an offset on its line.
    pub(super) fn is_first_on_line(&self, offset: TextSize) -> bool {
        self.is_blank(TextRange::new(self.line_start(offset), offset))
    }

    pub(super) fn is_blank(&self, range: TextRange) -> bool {
        let text = self.tree.text().get(std::ops::Range::from(range));
        text.is_some_and(|text| text.bytes().all(|byte| matches!(byte, b' ' | b'\t')))
    }

    /// How much deeper than a mapping the collections in it are indented.
    pub(super) fn indent_step(&self, mapping: Mapping<'t>) -> usize {
        let own = self.column(mapping.range().start());
        let inner = mapping.entries().filter_map(Entry::value).filter_map(|value| value.as_mapping());
        let mut columns =
            inner.filter(|inner| !inner.is_flow()).map(|inner| self.column(inner.range().start()));
        columns
            .next()
            .and_then(|column| column.checked_sub(own))
            .filter(|step| (1..=8).contains(step))
            .unwrap_or(STEP)
    }

    /// An entry of a block mapping at a column.
    pub(super) fn block_entry(&self, key: &str, value: &NewValue, column: usize, step: usize) -> String {
        format!("{}:{}", scalar_text(key, ScalarPosition::Block), self.below_key(value, column, step))
    }

    /// An item of a block sequence whose dash stands at a column.
    pub(super) fn block_item(&self, value: &NewValue, column: usize, step: usize) -> String {
        format!("- {}", self.own_lines(value, column + STEP, step))
    }

    /// What follows the colon of a key at a column.
    pub(super) fn below_key(&self, value: &NewValue, column: usize, step: usize) -> String {
        match is_filled(value) {
            true => self.new_line(column + step) + &self.own_lines(value, column + step, step),
            false => format!(" {}", self.own_lines(value, column, step)),
        }
    }

    /// A value whose first line begins at a column.
    pub(super) fn own_lines(&self, value: &NewValue, column: usize, step: usize) -> String {
        let lines: Vec<_> = match value {
            NewValue::Mapping(entries) if !entries.is_empty() => {
                entries.iter().map(|(key, value)| self.block_entry(key, value, column, step)).collect()
            }
            NewValue::Sequence(items) if !items.is_empty() => {
                items.iter().map(|item| self.block_item(item, column, step)).collect()
            }
            NewValue::Text(text) => vec![scalar_text(text, ScalarPosition::Block)],
            other => vec![self.flow_value(other)],
        };
        lines.join(&self.new_line(column))
    }

    /// An entry between braces.
    pub(super) fn flow_entry(&self, key: &str, value: &NewValue) -> String {
        format!("{}: {}", scalar_text(key, self.flow_setting()), self.flow_value(value))
    }

    /// A value on one line.
    pub(super) fn flow_value(&self, value: &NewValue) -> String {
        match value {
            NewValue::Text(text) => scalar_text(text, self.flow_setting()),
            NewValue::Literal(literal) => literal.clone(),
            NewValue::Mapping(entries) => {
                let entries: Vec<_> =
                    entries.iter().map(|(key, value)| self.flow_entry(key, value)).collect();
                format!("{{{}}}", entries.join(", "))
            }
            NewValue::Sequence(items) => {
                let items: Vec<_> = items.iter().map(|item| self.flow_value(item)).collect();
                format!("[{}]", items.join(", "))
            }
        }
    }

    fn flow_setting(&self) -> ScalarPosition {
        if self.is_json { ScalarPosition::Json } else { ScalarPosition::Flow }
    }
}

fn is_filled(value: &NewValue) -> bool {
    match value {
        NewValue::Mapping(entries) => !entries.is_empty(),
        NewValue::Sequence(items) => !items.is_empty(),
        NewValue::Text(_) | NewValue::Literal(_) => false,
    }
}

fn size(length: usize) -> TextSize {
    TextSize::from(u32::try_from(length).unwrap_or(u32::MAX))
}
