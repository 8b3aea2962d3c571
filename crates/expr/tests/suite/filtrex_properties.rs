//! What holds for every text: acceptance, ranges, layout, hostile sizes.

use nodewise_expr::TextRange;
use nodewise_expr::ast::Expr;
use nodewise_expr::eval::{Scope, evaluate};
use nodewise_expr::filtrex::{
    ExpressionPlace, Filtrex, canonical, check, edge_verdict, mentions_memory, parse, reads,
    verifier_verdict, warns_of_booleans,
};
use nodewise_expr::problem::ParseProblemKind;
use nodewise_expr::sexpr::sexpr;
use nodewise_expr::types;
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "memory.x",
    "memory.s.0",
    "goal",
    "true",
    "k",
    "$.",
    "$",
    "and",
    "or",
    "not",
    "in",
    "not in",
    "of",
    "if",
    "then",
    "else",
    "mod",
    "AND",
    "Not",
    "&&",
    "||",
    "!",
    "==",
    "!=",
    "~=",
    "===",
    "=",
    "<",
    "<=",
    ">",
    ">=",
    "<>",
    "+",
    "-",
    "*",
    "/",
    "%",
    "^",
    "?",
    ":",
    "(",
    ")",
    "(",
    ")",
    ",",
    "[",
    "]",
    "['x']",
    "1",
    "0.5",
    "010",
    "1.",
    ".5",
    "1e3",
    "'x'",
    "\"it's\"",
    "'it\\'s'",
    "'\\d'",
    "'open",
    "abs(",
    "exists",
    "nosuch()",
    "/x/",
    "é",
    "😀",
    "#",
    "\u{a0}",
    ".",
    "and(",
    "or.x",
    "is null",
    "^[a-z]$",
];

/// Runs everything that takes a tree or a text.
fn exercise(text: &str) {
    let parsed = parse(text);
    check_ranges(text, &parsed.expr, TextRange::up_to(text.len().try_into().unwrap()));
    for problem in &parsed.problems {
        assert!(usize::from(problem.range.end()) <= text.len());
        assert!(problem.message.chars().count() <= 80, "{}", problem.message);
        if let Some(edit) = &problem.replacement {
            assert!(text.get(usize::from(edit.range.start())..usize::from(edit.range.end())).is_some());
        }
    }
    if parsed.accepted() {
        assert!(parsed.expr.is_intact(), "`{text}`");
        let printed = canonical(text);
        assert_eq!(sexpr(&parse(&printed).expr), sexpr(&parsed.expr), "`{text}` printed as `{printed}`");
        assert_eq!(canonical(&printed), printed);
    }
    for place in [ExpressionPlace::Edge, ExpressionPlace::Verifier] {
        for finding in check(text, &parsed, place) {
            assert!(finding.message.chars().count() <= 80, "{}", finding.message);
            assert!(text.get(usize::from(finding.range.start())..usize::from(finding.range.end())).is_some());
        }
    }
    reads(&parsed.expr);
    types::type_of(&parsed.expr, &Filtrex);
    types::constant(&parsed.expr, &Filtrex);
    warns_of_booleans(text);
    mentions_memory(text, &["x".into()]);
    assert_eq!(verifier_verdict(text, &Scope::default()).is_ok(), parsed.accepted());
    edge_verdict(text, &Scope::default());
    let _ = evaluate(&parsed.expr, &Filtrex, &Scope::default());
}

fn check_ranges(text: &str, expr: &Expr, within: TextRange) {
    assert!(within.contains_range(expr.range), "`{text}`: {expr:?} is not within {within:?}");
    assert!(text.is_char_boundary(usize::from(expr.range.start())), "`{text}`");
    expr.each_child(&mut |child| check_ranges(text, child, expr.range));
}

proptest! {
    #[test]
    fn any_text_is_read(text in any::<String>()) {
        exercise(&text);
    }

    #[test]
    fn pieces_in_any_order_are_read(
        pieces in proptest::collection::vec((proptest::sample::select(PIECES), " ?"), 0..14)
    ) {
        let text: String = pieces.iter().map(|(piece, blank)| format!("{piece}{blank}")).collect();
        exercise(&text);
    }
}

#[test]
fn hostile_texts_end_soon() {
    let long = |piece: &str| piece.repeat(100_000 / piece.len());
    for piece in [
        "(",
        ")",
        "not ",
        "-",
        "!",
        "a or ",
        "a and b ",
        "1+",
        "1^",
        "a in ",
        "a == ",
        "if ",
        "if a then ",
        "a ? b : ",
        "f(",
        "k of ",
        "[",
        "a['b']",
        "'",
        "\"'",
        "'\\",
        ",",
        "(1,",
        "é",
        "#",
        "a b ",
        "not in ",
        "not    ",
        "1.",
        "/",
        "~= /",
        "and",
        "and(",
        "memory.",
        "1e",
        "a-b",
        "a-",
        "$.",
        "true == ",
        "not(",
        "NOT a ",
        "NOT(",
        "%",
        "a%b ",
        "==",
        "a < b < ",
        "!a && ",
    ] {
        exercise(&long(piece));
        exercise(&format!("{}1{}", long(piece), ")".repeat(10)));
    }
}

#[test]
fn nesting_ends_where_the_parser_says() {
    for (open, close) in
        [("(", ")"), ("not ", ""), ("-", ""), ("abs(", ")"), ("k of ", ""), ("1^", ""), ("1+(", ")")]
    {
        let nested = |depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
        assert!(parse(&nested(140)).accepted(), "{open}");
        exercise(&nested(140));
        let deep = parse(&nested(5000));
        assert_eq!(
            deep.problems.iter().map(|problem| problem.kind).collect::<Vec<_>>(),
            [ParseProblemKind::TooDeep]
        );
    }
    let sum = "1 + ".repeat(5000) + "memory.x";
    assert_eq!(parse(&sum).problems[0].kind, ParseProblemKind::TooDeep);
    assert_eq!(reads(&parse(&sum).expr)[0].memory_key().unwrap().name, "x");
    assert!(parse(&("memory.x or ".repeat(5000) + "memory.y")).accepted());
}
