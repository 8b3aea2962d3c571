//! Compares positions with counted ones, for any text and every encoding.

use nodewise_syntax::TextSize;
use proptest::prelude::*;

use super::{Encoding, LineTable, Position};

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

/// The offset of each character with its position, counted one by one. Includes the end of the text.
fn counted(text: &str, encoding: Encoding) -> Vec<(TextSize, Position)> {
    let mut at = Position::default();
    let mut found = Vec::new();
    let mut characters = text.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        found.push((TextSize::try_from(offset).unwrap(), at));
        let next = characters.peek().map(|(_, next)| *next);
        match character {
            '\r' if next == Some('\n') => {}
            '\r' | '\n' => at = Position { line: at.line + 1, column: 0 },
            _ => at.column += encoding.units(character),
        }
    }
    found.push((TextSize::of(text), at));
    found
}

fn check_positions(text: &str) {
    for encoding in ENCODINGS {
        let table = LineTable::new(text, encoding);
        for (offset, position) in counted(text, encoding) {
            assert_eq!(table.position(offset), position, "{encoding:?} {text:?} at {offset:?}");
            let back = table.offset(position);
            let is_inside_break =
                text[usize::from(back)..].starts_with("\r\n") && offset == back + TextSize::of('\r');
            assert!(back == offset || is_inside_break, "{encoding:?} {text:?} at {offset:?}: {back:?}");
        }
    }
}

#[test]
fn astral_characters_and_every_kind_of_line_break() {
    check_positions("a\r\nbé𝄞c\n\rd\r\n\r\n😀\u{feff}");
    check_positions("");
    check_positions("\r");
}

#[test]
fn what_is_nowhere_means_the_place_before_it() {
    let table = LineTable::new("a😀b\r\nc", Encoding::Utf16);
    let offset = |line, column| u32::from(table.offset(Position { line, column }));
    assert_eq!(offset(0, 2), 1, "inside a surrogate pair");
    assert_eq!(offset(0, 3), 5);
    assert_eq!(offset(0, 99), 6, "behind the line's end, before its break");
    assert_eq!(offset(9, 9), 9, "behind the last line");
    assert_eq!(offset(0, u32::MAX), 6);
    assert_eq!(table.position(3.into()), Position { line: 0, column: 1 }, "inside a character");
    assert_eq!(table.position(7.into()), Position { line: 0, column: 4 }, "inside a line break");
    assert_eq!(table.position(u32::MAX.into()), Position { line: 1, column: 1 });
}

proptest! {
    #[test]
    fn any_text(text in "[a-c\n\ré漢😀\u{301}\t]{0,40}") {
        check_positions(&text);
    }

    #[test]
    fn any_position(text in "[a\n\ré😀]{0,20}", line in 0_u32..25, column in 0_u32..50) {
        for encoding in ENCODINGS {
            let offset = LineTable::new(&text, encoding).offset(Position { line, column });
            prop_assert!(text.is_char_boundary(offset.into()));
        }
    }
}
