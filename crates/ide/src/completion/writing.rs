//! How an offer is written at its place: quotes, the space after a colon, the dash of an item, commas of flow
//! collections, indentation. In: a place and an offer. Out: an item with its edits. Invariant: the edit replaces only
//! what is typed at the cursor, on the cursor's line.

use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::locate::{FlowPlace, KeyPlace, TreeStep, ValuePlace};
use nodewise_syntax::write::{ScalarPosition, fragment_text, scalar_text};
use nodewise_syntax::{NodeValue as Syntax, ScalarStyle, SyntaxNodeId, SyntaxNodeKind, TextRange, TextSize};

use super::offer::{Body, Offer};
use super::outline::{Outline, Writer};
use super::{CompletionItem, CompletionSettings, ItemEdit};
use crate::cursor_context::CursorContext;
use crate::program_text::is_plain;

/// Writes keys at the place of a key.
pub(super) struct KeyWriter<'s> {
    spot: &'s CursorContext<'s>,
    place: &'s KeyPlace,
    setting: ScalarPosition,
    /// The quote before the typed letters.
    quote: Option<char>,
}

/// Writes values at the place of a value.
pub(super) struct ValueWriter<'s> {
    spot: &'s CursorContext<'s>,
    place: &'s ValuePlace,
    setting: ScalarPosition,
    /// Whether an item is written that has no dash yet.
    as_item: bool,
}

impl<'s> KeyWriter<'s> {
    pub(super) fn new(spot: &'s CursorContext<'s>, place: &'s KeyPlace) -> KeyWriter<'s> {
        let before = slice(spot, TextRange::new(TextSize::new(0), place.typed.start()));
        let quote = before.chars().next_back().filter(|letter| matches!(letter, '"' | '\''));
        KeyWriter { spot, place, setting: setting(spot, place.flow.is_some()), quote }
    }

    /// The letters before the cursor.
    pub(super) fn prefix(&self) -> &'s str {
        typed_before(self.spot, self.place.typed).trim_end()
    }

    /// The item that writes an offer as a key.
    pub(super) fn write(&self, offer: Offer, options: CompletionSettings) -> Option<CompletionItem> {
        let Offer { label, kind, detail, body, documentation, is_deprecated, .. } = offer;
        let (key, outline) = match body {
            Body::Key(key, outline) => (key, outline),
            Body::Text(key) => (key, Outline::Open { is_text: false }),
            Body::Plain(_) | Body::Outline(_) => return None,
        };
        let (offset, typed) = (self.spot.position.offset, self.place.typed);
        let mut edit = begun_edit(self.spot, typed)?;
        let mut filter = None;
        match (self.place.has_colon, self.quote) {
            (true, Some(quote)) => edit.text = fragment_text(style(quote), &key)?,
            (true, None) => edit.text = scalar_text(&key, self.setting),
            (false, quote) => {
                if self.place.flow.is_none() && self.is_before_content(edit.replace.end()) {
                    return None;
                }
                if let Some(quote) = quote {
                    // The cursor may be before the quote.
                    let start = typed.start().checked_sub(TextSize::of(quote))?.min(offset);
                    let behind = slice(self.spot, TextRange::new(edit.replace.end(), end(self.spot)));
                    let is_closed = behind.starts_with(quote);
                    // Without a closing quote, the text after the cursor does not belong to the key.
                    let end = if is_closed { edit.replace.end() + TextSize::of(quote) } else { offset };
                    edit.insert = TextRange::new(start, offset);
                    edit.replace = TextRange::new(start, end);
                    filter = Some(format!("{quote}{key}{quote}"));
                }
                edit.is_snippet = options.snippets;
                edit.text = self.entry(&key, outline, options.snippets);
            }
        }
        let additional = comma_before(self.spot, self.place.flow, self.place.mapping, typed);
        let is_preselected = false;
        Some(CompletionItem {
            label,
            kind,
            detail,
            filter,
            edit,
            additional,
            documentation,
            is_deprecated,
            is_preselected,
        })
    }

    /// Whether other text follows the key on its line, so that there is no room.
    fn is_before_content(&self, end: TextSize) -> bool {
        let behind = slice(self.spot, TextRange::new(end, self::end(self.spot)));
        let line = behind.split(['\n', '\r']).next().unwrap_or_default();
        let line = line.trim_start_matches(['"', '\'']);
        let content = line.trim_start();
        let is_comment = content.starts_with('#') && content.len() < line.len();
        !content.is_empty() && !is_comment
    }

    fn entry(&self, key: &str, outline: Outline, snippets: bool) -> String {
        let is_flow = self.setting != ScalarPosition::Block;
        let outline = match outline {
            // If the editor does not support placeholders inside brackets, do not write brackets.
            Outline::Map(_) | Outline::List(_) if is_flow && !snippets => Outline::Open { is_text: false },
            outline if !snippets => outline.without_choices(),
            outline => outline,
        };
        let mut writer = Writer::new(self.setting, snippets, &outline);
        let line = line_before(self.spot, self.place.typed.start());
        let is_behind_dash = self.setting == ScalarPosition::Block && line.ends_with('-');
        writer.literal(if is_behind_dash { " " } else { "" });
        writer.entry(key, &outline, self.place.indent + usize::from(is_behind_dash));
        if self.place.flow.is_some_and(|flow| flow.needs_comma_after) {
            writer.literal(",");
        }
        writer.finish()
    }
}

impl<'s> ValueWriter<'s> {
    /// A writer, if a value can be written at the cursor.
    pub(super) fn new(spot: &'s CursorContext<'s>, place: &'s ValuePlace) -> Option<ValueWriter<'s>> {
        let is_quoted = matches!(place.style, Some(ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted));
        let is_block = matches!(place.style, Some(ScalarStyle::Literal | ScalarStyle::Folded));
        let is_outside = is_quoted && place.cooked_offset.is_none();
        // The text after the cursor is already a value.
        let is_taken = place.style.is_none() && is_filled(spot, place.node);
        let behind = slice(spot, TextRange::new(place.typed.end().max(spot.position.offset), end(spot)));
        let is_glued = place.style.is_none()
            && behind.starts_with(|letter: char| !letter.is_whitespace() && !",]}".contains(letter));
        // A text that the program puts together is not replaced.
        let is_computed = spot.file.is_module() && place.typed.is_empty() && place.cooked_offset != Some(0);
        if is_computed || is_outside || is_taken || is_block || is_glued {
            return None;
        }
        Some(ValueWriter { spot, place, setting: setting(spot, place.flow.is_some()), as_item: false })
    }

    /// The same writer for an item of a list that the value would become.
    pub(super) fn for_items(&self) -> ValueWriter<'s> {
        ValueWriter { as_item: true, ..*self }
    }

    /// The letters before the cursor.
    pub(super) fn prefix(&self) -> &'s str {
        typed_before(self.spot, self.place.typed).trim_end()
    }

    /// The item that writes an offer as a value.
    pub(super) fn write(&self, offer: Offer, options: CompletionSettings) -> Option<CompletionItem> {
        let Offer { label, kind, detail, body, documentation, filter, is_deprecated, .. } = offer;
        let mut edit = begun_edit(self.spot, self.place.typed)?;
        match (self.quote(), body) {
            (_, Body::Text(text)) if self.spot.file.is_module() => {
                edit.text = Some(text).filter(|text| is_plain(text))?;
            }
            (Some(quote), Body::Text(text)) => {
                edit.text = fragment_text(style(quote), &text)?;
                if !self.is_closed(quote) {
                    edit.text.push(quote);
                    edit.replace = edit.insert;
                }
            }
            (Some(_), _) | (None, Body::Key(..)) => return None,
            (None, Body::Text(text)) => edit.text = self.around(&scalar_text(&text, self.setting)),
            (None, Body::Plain(text)) => edit.text = self.around(&text),
            (None, Body::Outline(outline)) => {
                edit.is_snippet = options.snippets;
                edit.text = self.outlined(&outline, options.snippets)?;
            }
        }
        let additional = comma_before(self.spot, self.place.flow, self.collection(), self.place.typed);
        let is_preselected = false;
        Some(CompletionItem {
            label,
            kind,
            detail,
            filter,
            edit,
            additional,
            documentation,
            is_deprecated,
            is_preselected,
        })
    }

    fn quote(&self) -> Option<char> {
        match self.place.style? {
            ScalarStyle::SingleQuoted => Some('\''),
            ScalarStyle::DoubleQuoted => Some('"'),
            _ => None,
        }
    }

    fn is_closed(&self, quote: char) -> bool {
        let end = self.place.typed.end().max(self.spot.position.offset);
        slice(self.spot, TextRange::new(end, self::end(self.spot))).starts_with(quote)
    }

    /// The collection that the value is an item of.
    fn collection(&self) -> Option<SyntaxNodeId> {
        match self.spot.location.path.last()? {
            TreeStep::Item { sequence, .. } => Some(*sequence),
            TreeStep::Key { mapping, .. } => Some(*mapping),
        }
    }

    /// A scalar with the missing characters around it.
    fn around(&self, scalar: &str) -> String {
        let blank = if self.place.needs_space { " " } else { "" };
        let comma = if self.needs_comma_after() { "," } else { "" };
        match (self.as_item, self.is_on_own_line()) {
            (true, false) => format!("{blank}[{scalar}]{comma}"),
            (true, true) => format!("- {scalar}"),
            (false, _) if self.place.needs_dash => format!("- {scalar}"),
            (false, _) => format!("{blank}{scalar}{comma}"),
        }
    }

    fn outlined(&self, outline: &Outline, snippets: bool) -> Option<String> {
        let mut writer = Writer::new(self.setting, snippets, outline);
        let is_map = matches!(outline, Outline::Map(_));
        let column = self.column();
        if self.setting != ScalarPosition::Block {
            // In flow style, an item is written only if the list already has its brackets.
            if self.as_item {
                return None;
            }
            let key_column = self.key_column().unwrap_or(column);
            writer.literal(if self.place.needs_space { " " } else { "" });
            writer.value(outline, self.line_indent().min(key_column));
            writer.literal(if self.needs_comma_after() { "," } else { "" });
            return Some(writer.finish());
        }
        match (self.as_item || self.place.needs_dash, self.is_on_own_line()) {
            (true, true) => {
                writer.literal("- ");
                writer.value(outline, column + 2);
            }
            (true, false) => {
                let indent = self.key_column()? + 2;
                writer.line(indent);
                writer.literal("- ");
                writer.value(outline, indent + 2);
            }
            (false, true) => writer.value(outline, column),
            (false, false) if self.place.after_dash => {
                writer.literal(if self.place.needs_space { " " } else { "" });
                writer.value(outline, column + usize::from(self.place.needs_space));
            }
            (false, false) if is_map => writer.behind_colon(outline, self.key_column()?),
            (false, false) => {
                writer.literal(if self.place.needs_space { " " } else { "" });
                writer.value(outline, column);
            }
        }
        Some(writer.finish())
    }

    fn needs_comma_after(&self) -> bool {
        self.place.flow.is_some_and(|flow| flow.needs_comma_after)
    }

    fn column(&self) -> usize {
        column(self.spot, self.place.typed.start())
    }

    fn key_column(&self) -> Option<usize> {
        Some(column(self.spot, self.place.key?.start()))
    }

    fn line_indent(&self) -> usize {
        let line = line_before(self.spot, self.place.typed.start());
        line.len() - line.trim_start_matches(' ').len()
    }

    /// Whether the value is the first text on its line.
    fn is_on_own_line(&self) -> bool {
        line_before(self.spot, self.place.typed.start()).trim().is_empty()
    }
}

/// The style of scalars with such quotes.
fn style(quote: char) -> ScalarStyle {
    match quote {
        '"' => ScalarStyle::DoubleQuoted,
        _ => ScalarStyle::SingleQuoted,
    }
}

/// An item that replaces a range of the cursor's line with a text.
pub(super) fn replacing(offer: Offer, range: TextRange, offset: TextSize, text: String) -> CompletionItem {
    let Offer { label, kind, detail, documentation, is_deprecated, .. } = offer;
    CompletionItem {
        label,
        kind,
        detail,
        filter: None,
        edit: ItemEdit {
            insert: TextRange::new(range.start().min(offset), offset),
            replace: TextRange::new(range.start().min(offset), range.end().max(offset)),
            text,
            is_snippet: false,
        },
        additional: Vec::new(),
        documentation,
        is_deprecated,
        is_preselected: false,
    }
}

/// How scalars are written around the cursor.
pub(super) fn setting(spot: &CursorContext<'_>, is_flow: bool) -> ScalarPosition {
    match (spot.file.path.ends_with(".json"), is_flow) {
        (true, _) => ScalarPosition::Json,
        (false, true) => ScalarPosition::Flow,
        (false, false) => ScalarPosition::Block,
    }
}

/// The missing comma after the element before the place.
fn comma_before(
    spot: &CursorContext<'_>,
    flow: Option<FlowPlace>,
    collection: Option<SyntaxNodeId>,
    typed: TextRange,
) -> Vec<TextEdit> {
    if !flow.is_some_and(|flow| flow.needs_comma_before) {
        return Vec::new();
    }
    let node = collection.and_then(|collection| spot.file.tree().node(collection));
    let ends: Vec<TextSize> = match node.map(|node| node.value()) {
        Some(Syntax::Mapping(mapping)) => mapping.entries().map(|entry| entry.range().end()).collect(),
        Some(Syntax::Sequence(sequence)) => sequence.items().map(|item| item.range().end()).collect(),
        _ => Vec::new(),
    };
    let before = ends.into_iter().filter(|end| *end <= typed.start()).max();
    let comma = |at| TextEdit { range: TextRange::empty(at), text: ",".to_owned() };
    before.map(comma).into_iter().collect()
}

/// Whether a node has content.
fn is_filled(spot: &CursorContext<'_>, node: Option<SyntaxNodeId>) -> bool {
    let node = node.and_then(|node| spot.file.tree().node(node));
    node.is_some_and(|node| node.kind() != SyntaxNodeKind::Empty)
}

/// An edit of the typed text, without its new text. `None` if the editor would have to replace text on other lines.
fn begun_edit(spot: &CursorContext<'_>, typed: TextRange) -> Option<ItemEdit> {
    if typed_before(spot, typed).contains(['\n', '\r']) {
        return None;
    }
    let offset = spot.position.offset;
    let start = typed.start().min(offset);
    Some(ItemEdit {
        insert: TextRange::new(start, offset),
        replace: TextRange::new(start, end_on_line(spot, typed).max(offset)),
        text: String::new(),
        is_snippet: false,
    })
}

/// The typed letters before the cursor.
fn typed_before<'s>(spot: &CursorContext<'s>, typed: TextRange) -> &'s str {
    let offset = spot.position.offset;
    slice(spot, TextRange::new(typed.start().min(offset), offset))
}

/// A part of the file's text. Empty if there is none.
pub(super) fn slice<'s>(spot: &CursorContext<'s>, range: TextRange) -> &'s str {
    spot.file.text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default()
}

/// The end of the file.
pub(super) fn end(spot: &CursorContext<'_>) -> TextSize {
    TextSize::of(&*spot.file.text)
}

/// The end of the typed letters on the cursor's line. Editors do not replace text on later lines.
fn end_on_line(spot: &CursorContext<'_>, typed: TextRange) -> TextSize {
    let offset = spot.position.offset;
    let behind = slice(spot, TextRange::new(offset.min(typed.end()), typed.end()));
    match behind.find(['\n', '\r']).and_then(|length| TextSize::try_from(length).ok()) {
        Some(length) => offset + length,
        None => typed.end(),
    }
}

/// The line of an offset, up to the offset.
pub(super) fn line_before<'s>(spot: &CursorContext<'s>, offset: TextSize) -> &'s str {
    let before = slice(spot, TextRange::new(TextSize::new(0), offset.min(end(spot))));
    before.rsplit(['\n', '\r']).next().unwrap_or_default().trim_start_matches('\u{feff}')
}

fn column(spot: &CursorContext<'_>, offset: TextSize) -> usize {
    line_before(spot, offset).len()
}
