//! Compares edits of a document with the same edits of a string.

use nodewise_syntax::TextRange;
use proptest::prelude::*;

use super::{DocumentEdit, DocumentText};
use crate::positions::{Encoding, LineTable, Position, Span};

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

/// Applies edits to a document, and by offsets to a string. Both must have the same text.
fn check_edits(text: &str, edits: &[DocumentEdit]) {
    for encoding in ENCODINGS {
        let mut document = DocumentText::new(text, 0, String::new());
        document.edit(edits, 1, encoding);
        let mut expected = text.to_owned();
        for edit in edits {
            let range = match edit.span {
                Some(span) => LineTable::new(&expected, encoding).range(span),
                None => TextRange::up_to(u32::try_from(expected.len()).unwrap().into()),
            };
            expected.replace_range(std::ops::Range::<usize>::from(range), &edit.text);
        }
        assert_eq!(&*document.text(), expected, "{encoding:?} {text:?} {edits:?}");
    }
}

fn edit(start: (u32, u32), end: (u32, u32), text: &str) -> DocumentEdit {
    let position = |(line, column)| Position { line, column };
    DocumentEdit { span: Some(Span { start: position(start), end: position(end) }), text: text.to_owned() }
}

#[test]
fn each_edit_sees_the_one_before() {
    check_edits(
        "ab\n",
        &[edit((0, 1), (0, 1), "😀\r\n"), edit((1, 0), (1, 1), "c"), edit((0, 0), (0, 9), "")],
    );
}

#[test]
fn places_that_are_nowhere_are_clamped() {
    check_edits(
        "ab\r\ncd",
        &[edit((0, 99), (0, 99), "x"), edit((9, 9), (9, 9), "y"), edit((1, 9), (0, 0), "z")],
    );
}

#[test]
fn a_whole_text_replaces_everything() {
    check_edits(
        "ab",
        &[DocumentEdit { span: None, text: "\u{feff}c\r".to_owned() }, edit((1, 0), (1, 0), "d")],
    );
}

fn any_edit() -> impl Strategy<Value = DocumentEdit> {
    let place = || (0_u32..6, 0_u32..8);
    (place(), place(), "[ab\n\ré😀]{0,5}").prop_map(|(start, end, text)| edit(start, end, &text))
}

proptest! {
    #[test]
    fn any_edits(text in "[a-c\n\ré漢😀]{0,30}", edits in proptest::collection::vec(any_edit(), 0..6)) {
        check_edits(&text, &edits);
    }
}
