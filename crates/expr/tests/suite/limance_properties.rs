//! What holds for every text: ranges, offsets, the printer, hostile sizes.

use nodewise_expr::TextRange;
use nodewise_expr::ast::Expr;
use nodewise_expr::eval::{Scope, evaluate};
use nodewise_expr::limance::check::check;
use nodewise_expr::limance::names;
use nodewise_expr::limance::print::{canonical, grouped};
use nodewise_expr::limance::{LimanCe, LimanceProfile, parse, release_verdict};
use nodewise_expr::problem::ParseProblemKind;
use nodewise_expr::sexpr::sexpr;
use nodewise_expr::types;
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "a",
    "b.c",
    "user",
    "true",
    "false",
    "null",
    "and",
    "or",
    "not",
    "in",
    "not in",
    "&&",
    "||",
    "!",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "(",
    ")",
    "(",
    ")",
    ",",
    ".",
    ";",
    "1",
    "-2.5",
    "'x'",
    "\"it's\"",
    "'it\\'s'",
    "'open",
    "$is_error",
    "$now()",
    "$is_error(A)",
    "=",
    "#",
    "é",
    "1a",
];

/// Runs everything that takes a tree or a text.
fn exercise(text: &str) {
    for profile in [LimanceProfile::Spec, LimanceProfile::Release] {
        let parsed = parse(text, profile);
        let shown = canonical(text, &parsed.expr);
        assert!(shown.len() <= text.len() * 3 + 8);
        sexpr(&parsed.expr);
        check(text, &parsed);
        names::variables(&parsed.expr);
        names::error_types(&parsed.expr);
        types::constant(&parsed.expr, &LimanCe);
        let _ = evaluate(&parsed.expr, &LimanCe, &Scope::default());
    }
    release_verdict(text);
}

fn check_ranges(text: &str, expr: &Expr) {
    let whole = TextRange::new(0.into(), (text.len() as u32).into());
    expr.walk(&mut |node| {
        assert!(whole.contains_range(node.range), "{:?} leaves `{text}`", node.range);
        node.each_child(&mut |child| {
            assert!(node.range.contains_range(child.range), "{child:?} leaves its parent in `{text}`");
        });
    });
}

fn check_text(text: &str) {
    exercise(text);
    for profile in [LimanceProfile::Spec, LimanceProfile::Release] {
        let parsed = parse(text, profile);
        check_ranges(text, &parsed.expr);
        let mut end = 0;
        for problem in &parsed.problems {
            assert!(problem.message.chars().count() <= 80, "`{}` is too long", problem.message);
            let range = usize::from(problem.range.start())..usize::from(problem.range.end());
            assert!(range.start >= end && text.get(range.clone()).is_some(), "{range:?} in `{text}`");
            end = range.start;
        }
        let intact = parsed.expr.is_intact();
        assert!(intact || !parsed.accepted(), "`{text}` is accepted with an error node");
    }
    check_first_fault(text);
    check_layout(text);
    check_tokens(text);
}

/// What stands before the first fault can still become a condition; with the faulty token it cannot.
fn check_first_fault(text: &str) {
    let parsed = parse(text, LimanceProfile::Spec);
    let Some(problem) = parsed.problems.first() else { return };
    if problem.kind == ParseProblemKind::TooDeep {
        return;
    }
    let before = &text[..usize::from(problem.range.start())];
    if let Some(fault) = parse(before, LimanceProfile::Spec).problems.first() {
        assert!(
            matches!(fault.kind, ParseProblemKind::UnexpectedEnd | ParseProblemKind::Empty),
            "`{before}` of `{text}`"
        );
    }
    let through = &text[..usize::from(problem.range.end())];
    let fault = parse(through, LimanceProfile::Spec).problems.first().map(|fault| fault.range.start());
    assert_eq!(fault, Some(problem.range.start()), "`{through}` of `{text}`");
}

/// The printer keeps the S-expression and its own output.
fn check_layout(text: &str) {
    let parsed = parse(text, LimanceProfile::Spec);
    if !parsed.accepted() {
        return;
    }
    let printed = canonical(text, &parsed.expr);
    let again = parse(&printed, LimanceProfile::Spec);
    assert_eq!(sexpr(&again.expr), sexpr(&parsed.expr), "`{text}` printed as `{printed}`");
    assert_eq!(canonical(&printed, &again.expr), printed, "`{text}`");
    if parsed.function_ref().is_none() {
        let explicit = grouped(text, &parsed.expr);
        assert_eq!(
            sexpr(&parse(&explicit, LimanceProfile::Spec).expr),
            sexpr(&parsed.expr),
            "`{text}` as `{explicit}`"
        );
    }
}

/// Tokens cover all but blanks, in order.
fn check_tokens(text: &str) {
    let mut end = 0usize;
    for token in nodewise_expr::limance::LANGUAGE.tokens(text) {
        let gap = &text[end..usize::from(token.range.start())];
        assert!(gap.trim_matches([' ', '\t', '\r', '\n', '\u{c}']).is_empty(), "`{gap}` lost in `{text}`");
        end = usize::from(token.range.end());
    }
    let rest = text[end..].trim_matches([' ', '\t', '\r', '\n', '\u{c}']);
    assert!(rest.is_empty(), "`{rest}` lost at the end of `{text}`");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "\\PC{0,40}") {
        check_text(&text);
    }

    #[test]
    fn any_bytes_of_the_language_are_read(text in r#"[ a-c.()$!&|=<>;,'"\\0-9\n\t\u{e9}+-]{0,24}"#) {
        check_text(&text);
    }

    #[test]
    fn any_order_of_tokens_is_read(
        pieces in prop::collection::vec((prop::sample::select(PIECES), prop::bool::weighted(0.85)), 0..14)
    ) {
        let text: String = pieces.iter().flat_map(|(piece, blank)| [*piece, if *blank { " " } else { "" }]).collect();
        check_text(&text);
    }
}

/// Runs on a stack that is smaller than that of any thread in the product.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    // Without optimisation a call takes several times as much.
    let stack = if cfg!(debug_assertions) { 8 } else { 1 } * (1 << 20);
    std::thread::Builder::new().stack_size(stack).spawn(run).unwrap().join().unwrap();
}

#[test]
fn two_hundred_levels_are_accepted() {
    on_a_small_stack(|| {
        for (open, close) in [("(", ")"), ("not (", ")"), ("!", ""), ("not ", "")] {
            let text = format!("{}a{}", open.repeat(200), close.repeat(200));
            for profile in [LimanceProfile::Spec, LimanceProfile::Release] {
                let parsed = parse(&text, profile);
                assert!(parsed.accepted(), "{open} {profile:?}: {:?}", parsed.problems);
            }
            exercise(&text);
            check_layout(&text);
        }
    });
}

#[test]
fn hostile_sizes_are_a_problem_and_no_crash() {
    on_a_small_stack(|| {
        for unit in ["not ", "!", "(", "not (", "!(", "a and (", "a and not ", "$is_error("] {
            let text = unit.repeat(200_000 / unit.len()) + "a";
            exercise(&text);
            assert!(!parse(&text, LimanceProfile::Spec).accepted() || unit == "a and not ", "{unit}");
        }
        for unit in ["a and ", "a or b and ", "a == 'x' and a == 1 or ", "a < ", "a.", "a b and "] {
            exercise(&(unit.repeat(100_000) + "a"));
        }
        for unit in ["a ", ")", "'", "$", ";", "=", "a = 1 and "] {
            exercise(&unit.repeat(100_000));
        }
    });
}

#[test]
fn long_chains_are_accepted() {
    on_a_small_stack(|| {
        let text = "a and ".repeat(100_000) + "a";
        assert!(parse(&text, LimanceProfile::Spec).accepted());
        assert!(parse(&text, LimanceProfile::Release).accepted());
    });
}
