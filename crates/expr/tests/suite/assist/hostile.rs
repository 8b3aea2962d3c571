//! Every question about any text, half-typed or random, in every language: an answer, and no panic.

use nodewise_expr::assist::{call_at, constant, expected, hover_at, type_at, type_of};
use nodewise_expr::{TextRange, TextSize};
use proptest::prelude::*;

use crate::assist::LANGUAGES;

/// Every question has an answer whose ranges lie on the bounds of characters.
fn ask_everything(text: &str) {
    let is_shown = |range: TextRange| text.get(range.start().into()..range.end().into()).is_some();
    for language in LANGUAGES {
        let mut end = TextSize::new(0);
        for token in language.tokens(text) {
            assert!(is_shown(token.range) && !token.range.is_empty(), "{language:?} {token:?} in `{text}`");
            assert!(token.range.start() >= end, "{language:?} {token:?} overlaps in `{text}`");
            let gap = &text[end.into()..token.range.start().into()];
            assert!(gap.trim_matches(nodewise_expr::javascript::is_blank).is_empty(), "`{gap}` of `{text}`");
            end = token.range.end();
        }
        assert!(text[end.into()..].trim_matches(nodewise_expr::javascript::is_blank).is_empty(), "`{text}`");
        for path in language.paths(text) {
            assert!(
                is_shown(path.range) && path.segments.iter().all(|segment| is_shown(segment.range)),
                "`{text}`"
            );
        }
        let _ = constant(language, text);
        type_of(language, text);
        for offset in 0..text.len() + 3 {
            let offset = TextSize::try_from(offset).unwrap_or_default();
            let answer = expected(language, text, offset);
            assert!(is_shown(answer.replace), "{language:?} `{text}` at {offset:?}");
            assert!(hover_at(language, text, offset).is_none_or(|hover| is_shown(hover.range)), "`{text}`");
            if let Some(call) = call_at(language, text, offset) {
                let signature = call.entry.signature.unwrap_or_default();
                assert!(call.parameters.iter().all(|range| usize::from(range.end()) <= signature.len()));
            }
            if let Some((range, _)) = type_at(language, text, offset) {
                assert!(is_shown(range), "`{text}`");
            }
        }
    }
}

#[test]
fn half_typed_texts_are_read_at_every_length() {
    let texts = [
        "user.role == 'admin' and not ($is_error(Timeout, 'x') or n >= -2.5)",
        "if k of memory > 1 then includes(memory.a, \"é\") else (1, 2) ~= 'x' ? a : b",
        "scratch.n === 'é' || input.m >= 3 && true ? go : artifacts.x.y",
        "$.memory['é'][?(@.a.match(/[)]/) && @root.memory.b == \"x\")].c[1:2]..d[(@.length-1)]^~",
    ];
    for text in texts {
        for (at, _) in text.char_indices() {
            ask_everything(&text[..at]);
        }
        ask_everything(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_answers(text in "\\PC{0,24}") {
        ask_everything(&text);
    }

    #[test]
    fn any_text_of_the_languages_has_answers(text in r#"[ a-c.()\[\]$@?:!&|=<>;,'"/\\*^~0-9\n\u{e9}+-]{0,24}"#) {
        ask_everything(&text);
    }

    #[test]
    fn any_order_of_words_has_answers(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "a", "memory.b", ".", "scratch.c", "$", "@", "@root", "$.", "[", "]", "[?(", ")]", "(", ")", ",", "and ",
                "not ", "in ", "if ", "then ", "else ", "of ", "==", "=", "&&", "?", ":", "'x'", "'", "1", "$now", "length(",
                "/", "é", " ",
            ]),
            0..12,
        )
    ) {
        ask_everything(&words.concat());
    }
}
