//! What holds for every routing expression: ranges, layout, fixes, hostile sizes.

use nodewise_expr::TextRange;
use nodewise_expr::agentos::{canonical, check, never_follows, parse, references, result, routes};
use nodewise_expr::ast::Expr;
use nodewise_expr::eval::Scope;
use nodewise_expr::sexpr::sexpr;
use nodewise_expr::value::{Map, Value};
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "scratch.n",
    "scratch.flag",
    "input.x",
    "scratch",
    "state.scratch.n",
    "go",
    "my-node",
    "true",
    "null",
    "5",
    "-1.5",
    "'a'",
    "\"it's\"",
    "'open",
    "?",
    ":",
    "?",
    ":",
    "&&",
    "||",
    "===",
    "!==",
    "==",
    "!=",
    ">=",
    "<=",
    ">",
    "<",
    "=",
    "=>",
    "<>",
    "!",
    "not",
    "and",
    "or",
    "(",
    ")",
    "[",
    "]",
    "[0]",
    "?.",
    "??",
    "+",
    "-",
    "//",
    ";",
    "`x`",
    "${",
    "}",
    "{{",
    "}}",
    "&",
    "|",
    "\\'",
    "\n",
    "\u{2028}",
    "\u{feff}",
    "é",
    "'",
    "\"",
    ".",
    "scratch.",
    "",
];

fn state() -> Map {
    let scratch: Map =
        [("n".into(), Value::from(5.0)), ("flag".into(), Value::from(true))].into_iter().collect();
    [("scratch".into(), scratch.into())].into_iter().collect()
}

fn check_ranges(text: &str, expr: &Expr) {
    let whole = TextRange::new(0.into(), (text.len() as u32).into());
    expr.walk(&mut |node| {
        assert!(whole.contains_range(node.range), "{:?} leaves `{text}`", node.range);
        assert!(
            text.get(std::ops::Range::<usize>::from(node.range)).is_some(),
            "{:?} in `{text}`",
            node.range
        );
        node.each_child(&mut |child| {
            assert!(node.range.contains_range(child.range), "{child:?} leaves its parent in `{text}`");
        });
    });
}

/// Everything that takes a text or a tree; yields the findings' number.
fn exercise(text: &str) -> usize {
    let expr = parse(text);
    let state = state();
    let variables = [&state];
    let scope = Scope { variables: &variables, ..Scope::default() };
    let found = result(&expr, &scope);
    assert!(routes(&expr).can_be(&found), "`{text}` comes to `{found}`");
    references(text, &expr);
    never_follows(text, &expr, "a");
    canonical(text, &expr);
    check(text, &expr).len()
}

fn check_text(text: &str) {
    exercise(text);
    let expr = parse(text);
    check_ranges(text, &expr);
    let printed = canonical(text, &expr);
    let again = parse(&printed);
    assert_eq!(sexpr(&again), sexpr(&expr), "`{text}` printed as `{printed}`");
    assert_eq!(canonical(&printed, &again), printed, "`{text}`");
    let mut start = 0;
    for finding in check(text, &expr) {
        let range = std::ops::Range::<usize>::from(finding.range);
        assert!(range.start >= start && text.get(range.clone()).is_some(), "{finding:?} in `{text}`");
        start = range.start;
        for said in std::iter::once(&finding.message).chain(&finding.help) {
            assert!(said.chars().count() <= 80, "`{said}` is too long");
        }
        if let Some(replacement) = &finding.replacement {
            let fixed = format!("{}{replacement}{}", &text[..range.start], &text[range.end..]);
            assert_ne!(fixed, text, "{finding:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "\\PC{0,40}") {
        check_text(&text);
    }

    #[test]
    fn any_bytes_of_the_language_are_read(text in r#"[ a-c.()$!&|=<>?:;,'"\\0-9\n\t\u{e9}+-]{0,24}"#) {
        check_text(&text);
    }

    #[test]
    fn any_order_of_pieces_is_read(
        pieces in prop::collection::vec((prop::sample::select(PIECES), prop::bool::weighted(0.8)), 0..14)
    ) {
        let text: String = pieces.iter().flat_map(|(piece, blank)| [*piece, if *blank { " " } else { "" }]).collect();
        check_text(&text);
    }
}

/// Runs on a stack that is smaller than that of any thread in the product.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    // Without optimisation a call takes several times as much.
    let stack = if cfg!(debug_assertions) { 8 } else { 1 } * (1 << 18);
    std::thread::Builder::new().stack_size(stack).spawn(run).unwrap().join().unwrap();
}

#[test]
fn hostile_sizes_take_linear_time() {
    on_a_small_stack(|| {
        let units = [
            "a&&",
            "a||b&&",
            "&",
            "|",
            "=",
            "a == ",
            "? ",
            "?",
            ":",
            "?:",
            "? :",
            "a?\n",
            "a:\n",
            "? a \n: b",
            "\n",
            " ",
            "'",
            "\"'",
            "' ? ",
            "(",
            ")",
            "(a",
            "()",
            "!",
            "not ",
            "and ",
            "a and ",
            "a or scratch.b and ",
            "scratch.",
            "scratch.a ",
            "[0]",
            "a.b.",
            "-",
            "+1",
            "1e",
            "`",
            "${",
            "{{",
            "scratch.a + ",
            "a < ",
            "?.",
            "??",
            ";",
            "#",
            "// ",
            "\\'",
            "'\\",
            "scratch.a == 'b' && ",
            "=> ",
            "\u{2028}",
            "?\u{2028}",
            "'&&' ",
            "$.scratch.",
            "é",
        ];
        for unit in units {
            for (before, after) in
                [("", ""), ("scratch.a ? ", " : b"), ("'", ""), ("scratch.a == ", "\n"), ("(", ")")]
            {
                let text = format!("{before}{}{after}", unit.repeat(100_000 / unit.len()));
                exercise(&text);
            }
        }
    });
}
