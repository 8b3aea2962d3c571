//! Parts of a scalar: how to replace a part of a text inside quotes, escapes and block scalars. In: the expression at
//! the cursor and a range of its text. Out: a range of the cursor's line, and the text to write there. Invariant: the
//! new text is read back as intended, or nothing is written.

use nodewise_syntax::write::{ScalarPosition, fragment_text, scalar_text};
use nodewise_syntax::{ScalarStyle, TextRange, TextSize};

use super::writing::{end, setting, slice};
use crate::cursor_context::{CursorContext, ExpressionSpot};
use crate::program_text::is_plain;

/// A part of an expression to replace.
pub(super) struct Fragment<'s> {
    style: Option<ScalarStyle>,
    setting: ScalarPosition,
    is_flow: bool,
    needs_space: bool,
    /// Whether it is in a literal of a program.
    in_program: bool,
    /// Whether the part is the whole scalar.
    is_whole: bool,
    /// Whether the part is at the start of the scalar.
    is_first: bool,
    /// The range to replace in the file.
    pub(super) range: TextRange,
    /// The missing closing quote after the cursor.
    closer: &'s str,
}

impl<'s> Fragment<'s> {
    /// The part of an expression at a range of its text. `None` if the part is not on one line.
    pub(super) fn new(
        spot: &CursorContext<'s>,
        expression: &ExpressionSpot,
        part: TextRange,
    ) -> Option<Fragment<'s>> {
        let value = spot.location.value()?;
        let offset = spot.position.offset;
        let is_at_cursor = part.is_empty() && usize::from(part.start()) == expression.offset;
        let range = match is_at_cursor {
            true => TextRange::empty(offset),
            false => expression.place(spot.file, part).cover_offset(offset),
        };
        if slice(spot, range).contains(['\n', '\r']) {
            return None;
        }
        let quote = match value.style {
            Some(ScalarStyle::SingleQuoted) => "'",
            Some(ScalarStyle::DoubleQuoted) => "\"",
            _ => "",
        };
        let behind = slice(spot, TextRange::new(value.typed.end().max(offset), end(spot)));
        let in_program = spot.file.is_module();
        let is_open = !in_program && !quote.is_empty() && !behind.starts_with(quote);
        let is_flow = value.flow.is_some();
        Some(Fragment {
            style: value.style,
            setting: setting(spot, is_flow),
            is_flow,
            needs_space: value.needs_space,
            in_program,
            is_whole: part.len() == TextSize::of(expression.text.as_str()),
            is_first: part.start() == TextSize::new(0),
            range,
            closer: if is_open { quote } else { "" },
        })
    }

    /// The typed characters before the cursor that are replaced.
    pub(super) fn typed(&self, spot: &CursorContext<'s>) -> &'s str {
        let offset = spot.position.offset;
        slice(spot, TextRange::new(self.range.start().min(offset), offset))
    }

    /// How to write a text. `reads_as` is the text with its placeholders filled in.
    pub(super) fn write(&self, text: &str, reads_as: &str) -> Option<String> {
        if self.in_program {
            return is_plain(reads_as).then(|| text.to_owned());
        }
        let blank = if self.needs_space { " " } else { "" };
        let written = match self.style {
            None => {
                let scalar = scalar_text(reads_as, self.setting);
                let is_plain = scalar == reads_as;
                match (is_plain, text == reads_as) {
                    (true, _) => text.to_owned(),
                    (false, true) => scalar,
                    (false, false) => return None,
                }
            }
            Some(ScalarStyle::Plain) => self.in_plain(text, reads_as)?,
            Some(style @ (ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted)) => {
                let written = fragment_text(style, reads_as)?;
                match (text == reads_as, written == reads_as) {
                    (true, _) => written,
                    (false, true) => text.to_owned(),
                    (false, false) => return None,
                }
            }
            Some(ScalarStyle::Literal | ScalarStyle::Folded) => text.to_owned(),
        };
        Some(format!("{blank}{written}{}", self.closer))
    }

    fn in_plain(&self, text: &str, reads_as: &str) -> Option<String> {
        if self.is_whole {
            let scalar = scalar_text(reads_as, self.setting);
            return match (scalar == reads_as, text == reads_as) {
                (true, _) => Some(text.to_owned()),
                (false, true) => Some(scalar),
                (false, false) => None,
            };
        }
        let begins_well =
            |text: &str| text.starts_with(|letter: char| letter.is_alphanumeric() || "$_(".contains(letter));
        let is_split = reads_as.contains(": ") || reads_as.contains(" #") || reads_as.ends_with(':');
        let is_cut = self.is_flow && reads_as.contains([',', '[', ']', '{', '}']);
        let is_bad_start = self.is_first && !begins_well(reads_as);
        (!is_split && !is_cut && !is_bad_start).then(|| text.to_owned())
    }
}
