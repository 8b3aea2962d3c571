//! Findings, references, routes and layout of routing expressions, as tables.

use nodewise_expr::agentos::{canonical, check, never_follows, parse, references, routes};
use nodewise_expr::sexpr::sexpr;

/// Compares each text of a table with what `describe` says of it.
fn check_table(table: &[(&str, &str)], describe: impl Fn(&str) -> String) {
    for (text, expected) in table {
        assert_eq!(describe(text), *expected, "`{text}`");
    }
}

/// Each finding as `Kind range -> replacement`.
fn findings(text: &str) -> String {
    let shown = check(text, &parse(text)).into_iter().map(|finding| {
        for said in std::iter::once(&finding.message).chain(&finding.help) {
            assert!(said.chars().count() <= 80, "{said}");
        }
        let range = &text[usize::from(finding.range.start())..usize::from(finding.range.end())];
        let replacement = finding.replacement.map(|text| format!(" -> `{text}`")).unwrap_or_default();
        format!("{:?} `{range}`{replacement}", finding.kind)
    });
    shown.collect::<Vec<_>>().join("; ")
}

#[test]
fn foreign_operators_are_found() {
    check_table(
        &[
            ("!scratch.x", "Negation `!scratch.x` -> `scratch.x == false`"),
            ("not scratch.x ? a : b", "Negation `not scratch.x` -> `scratch.x == false`"),
            ("!scratch.x === true", "Negation `!`"),
            ("a.x != 1 && scratch.x", "UnknownRoot `a.x`"),
            ("scratch.a and scratch.b or scratch.c", "WordOperator `and` -> `&&`; WordOperator `or` -> `||`"),
            (
                "!state.artifacts.review.approved",
                "Negation `!state.artifacts.review.approved` -> `artifacts.review.approved == false`",
            ),
            (
                "(state.scratch.n > 3)",
                "Parentheses `(state.scratch.n > 3)` -> `state.scratch.n > 3`; UnknownRoot `state.scratch.n` -> `scratch.n`",
            ),
            (
                "State.input.a and Scratch.b",
                "UnknownRoot `State.input.a` -> `input.a`; WordOperator `and` -> `&&`; UnknownRoot `Scratch.b` -> `scratch.b`",
            ),
            ("scratch.n = 5", "ForeignOperator `=` -> `==`"),
            ("scratch.n => 5", "ForeignOperator `=>` -> `>=`"),
            ("scratch.n =< 5", "ForeignOperator `=<` -> `<=`"),
            ("scratch.n <> 5", "ForeignOperator `<>` -> `!=`"),
            ("scratch.a & scratch.b | scratch.c", "ForeignOperator `&` -> `&&`; ForeignOperator `|` -> `||`"),
            ("scratch.n ?? 3", "Nullish `scratch.n ?? 3` -> `scratch.n == null ? 3 : scratch.n`"),
            ("scratch.n ?? 3 > 2", "Nullish `??`"),
            ("scratch?.n > 3", "OptionalChaining `?.` -> `.`"),
            ("scratch.n + 1 > 3", "Arithmetic `+`"),
            ("'a' + 'b'", "Arithmetic `+`"),
            ("-scratch.n > 3", "Arithmetic `-scratch.n`"),
            ("5 - 3 == scratch.n", "Arithmetic `-`"),
            ("scratch.my-key == 1", "DashedPath `scratch.my-key`"),
            ("scratch.route.includes('app')", "Call `scratch.route.includes(`"),
            ("scratch.items[0]['id'] == 1", "Brackets `[0]` -> `.0`; Brackets `['id']` -> `.id`"),
            ("scratch.a in ['x', 'y']", "Brackets `[`"),
            ("typeof scratch.n", "UnreadReference `typeof scratch.n`"),
            ("scratch .n > 3", "UnreadReference `scratch .n`"),
        ],
        findings,
    );
}

#[test]
fn what_is_misread_is_found() {
    check_table(
        &[
            ("{{scratch.n}} > 3", "Template `{{scratch.n}}` -> `scratch.n`"),
            ("{{a}} {{b}}", "Template `{{a}}`"),
            ("}}", "Template `}}`"),
            ("{{a", "Template `{{`"),
            ("${scratch.n} > 3", "Template `${scratch.n}` -> `scratch.n`"),
            ("scratch.n > 3 // why", "Trailing `//`"),
            ("scratch.n > 3;", "Trailing `;` -> ``"),
            ("`x`", "Quoting ``x`` -> `'x'`"),
            ("'x", "Quoting `'x` -> `'x'`"),
            ("scratch.a =~ 'x'", "ForeignOperator `=`"),
            (
                "'a' if scratch.b else 'c'",
                "MalformedTernary `'a' if scratch.b else 'c'` -> `scratch.b ? 'a' : 'c'`",
            ),
            ("\"", "Quoting `\"`"),
            ("scratch.q == 'it\\'s'", "Quoting `'it\\'s'` -> `\"it's\"`"),
            ("scratch.a == 'x and scratch.b == 'y'", "UnreadReference `'x and scratch.b == 'y'`"),
            ("scratch.a == 'x && y'", "CutQuote `&&`"),
            ("scratch.a == 'x===y'", "CutQuote `===`"),
            ("scratch.a ? 'b:c' : 'd'", "CutQuote `:`"),
            (
                "1 < scratch.n < 9",
                "ChainedComparison `1 < scratch.n < 9` -> `1 < scratch.n && scratch.n < 9`",
            ),
            ("scratch.n < 9 == true", "ChainedComparison `scratch.n < 9 == true` -> `scratch.n < 9`"),
            ("scratch.n > 3 > 1", "ChainedComparison `scratch.n > 3 > 1`"),
            ("scratch.a ? b : scratch.c ? d : e", "NestedTernary `?`"),
            ("scratch.a ? scratch.b ? c : d : e", "NestedTernary `?`"),
            ("scratch.a ? 'b' : 'c' : 'd'", "MalformedTernary `:`"),
            ("scratch.a ? b", "MalformedTernary `?`"),
            ("scratch.a ? scratch.b > 1 : c", "ArmExpression `>`"),
            ("scratch.a ? b : 'c' && 'd'", "ArmExpression `&&`"),
            ("scratch.a ? b : c\n", "LineBreak `\n` -> ``"),
            ("\n scratch.a ? b : c", "LineBreak `\n ` -> ``"),
            ("scratch.a\n&& scratch.b ? c : d", "LineBreak `\n` -> ` `"),
            ("true &&", "EmptyOperand ``"),
            ("scratch.n ==", "EmptyOperand ``"),
            ("scratch.a ? : b", "EmptyOperand ``"),
            ("", "EmptyOperand ``"),
            ("state.scratch.n > 1", "UnknownRoot `state.scratch.n` -> `scratch.n`"),
            ("$.input.n == 1", "UnknownRoot `$.input.n` -> `input.n`"),
            ("Scratch.n > 1", "UnknownRoot `Scratch.n` -> `scratch.n`"),
            ("artifact.a.b", "UnknownRoot `artifact.a.b` -> `artifacts.a.b`"),
            ("output.x == 'a'", "UnknownRoot `output.x`"),
            ("scratch.a == True ? b : c", "ForeignLiteral `True` -> `true`"),
            ("ready ? a : b", "ConstantText `ready`"),
            ("scratch.a || 'x'", "ConstantText `'x'`"),
            ("status == 'done'", "ConstantComparison `status == 'done'`"),
            ("'10' < '9'", "ConstantComparison `'10' < '9'`"),
            ("count > 3", "NotANumber `count`"),
            ("'x' < 'y'", "NotANumber `'x'`"),
        ],
        findings,
    );
}

#[test]
fn parentheses_go_where_they_are_not_needed() {
    check_table(
        &[
            ("(scratch.n > 3)", "Parentheses `(scratch.n > 3)` -> `scratch.n > 3`"),
            ("(scratch.a) && scratch.b", "Parentheses `(scratch.a)` -> `scratch.a`"),
            (
                "scratch.a || ( scratch.b && scratch.c )",
                "Parentheses `( scratch.b && scratch.c )` -> `scratch.b && scratch.c`",
            ),
            (
                "(scratch.a || scratch.b) ? c : d",
                "Parentheses `(scratch.a || scratch.b)` -> `scratch.a || scratch.b`",
            ),
            ("(scratch.a || scratch.b) && scratch.c", "Parentheses `(scratch.a || scratch.b)`"),
            ("!(scratch.a)", "Negation `!`; Parentheses `(scratch.a)`"),
            ("(scratch.a", "Parentheses `(`"),
            ("scratch.a)", "Parentheses `)`"),
            ("((scratch.a))", "Parentheses `((scratch.a))` -> `(scratch.a)`"),
        ],
        findings,
    );
}

#[test]
fn what_means_what_it_says_is_no_finding() {
    for text in [
        "scratch.a ? go : stop",
        "scratch.a ? page-oncall : 'step 2'",
        "scratch.severity >= 3 ? 'page_oncall' : scratch.queue",
        "scratch.n > 3\n  ? 'a'\n  : 'b'",
        "artifacts.score.value >= 0.7 && input.region !== 'blocked'",
        "artifacts.review.approved == false",
        "scratch.route === approve",
        "scratch.date == 2024-01-01",
        "scratch.url == http://example.org/a",
        "scratch.text === 'a>b'",
        "scratch.q === \"it's\"",
        "scratch.q === 'it's'",
        "scratch.a ? 'a?b' : c",
        "scratch.ten > '9'",
        "scratch.n > 3\n",
        "scratch.a\n&& scratch.b\n",
        "artifacts.gate.passed",
        "input.alsoWeb === true",
        "artifacts.score.value < 0.7 || input.region === 'blocked'",
        "artifacts.critique === 'redo'",
        "scratch.risk >= 0.7 ? 'review' : 'history'",
        "approve",
        "approve now",
        "not found",
        "stop (now)",
        "'__END__'",
        "true",
        "false",
        "0 ? a : b",
        "scratch.a ? null : b",
    ] {
        assert_eq!(findings(text), "", "`{text}`");
    }
}

#[test]
fn edges_that_never_follow_are_found() {
    for (text, target, expected) in [
        ("scratch.n > 3", "a", false),
        ("scratch.n", "a", false),
        ("scratch.n ? a : b", "a", false),
        ("scratch.n ? true : b", "a", false),
        ("false", "a", false),
        ("scratch.n ? b : c", "a", true),
        ("scratch.n ? false : b", "a", true),
        ("'b'", "a", true),
        ("5", "a", true),
        ("!scratch.n", "a", true),
        ("{{scratch.n}}", "a", true),
        ("'x' < 'y'", "a", true),
        ("", "a", true),
    ] {
        let found = never_follows(text, &parse(text), target);
        assert_eq!(found.is_some(), expected, "`{text}`");
        assert!(found.is_none_or(|finding| finding.message.chars().count() <= 80), "`{text}`");
    }
}

#[test]
fn references_are_found_wherever_they_stand() {
    check_table(
        &[
            ("scratch.a.b > input.x", "scratch.a.b, input.x"),
            ("scratch ? memory.traces.0 : 'input.x'", "scratch, memory.traces.0"),
            ("!scratch.a && (input.b)", "scratch.a?, input.b?"),
            ("'a' + scratch.b + 'c'", "scratch.b?"),
            ("state.scratch.a == scratch.b-c", "scratch.a?, scratch.b?"),
            ("{{scratch.a}} == input.b", "scratch.a?, input.b?"),
            ("scratchpad.a xscratch.b ésscratch.c", ""),
            ("scratch..a", "scratch?"),
            ("Scratch.a", ""),
        ],
        |text| {
            let shown = references(text, &parse(text)).into_iter().map(|reference| {
                let range = reference.path.range();
                let written = &text[usize::from(range.start())..usize::from(range.end())];
                assert_eq!(written, reference.path.dotted());
                format!("{written}{}", if reference.is_read { "" } else { "?" })
            });
            shown.collect::<Vec<_>>().join(", ")
        },
    );
}

#[test]
fn routes_are_what_can_come_out() {
    check_table(
        &[
            ("scratch.n > 3 ? 'big' : small", "big `'big'`, small `small`"),
            ("scratch.n > 3 ? 'big' : scratch.queue", "big `'big'`, …"),
            ("scratch.queue", "…"),
            ("scratch.n > 3", "true `scratch.n > 3`, false `scratch.n > 3`"),
            ("scratch.a || true", "true `scratch.a || true`, false `scratch.a || true`"),
            ("true || scratch.a", "true `true || scratch.a`"),
            ("'email'", "email `'email'`"),
            ("null", "false `null`"),
            ("true ? a : b", "a `a`"),
            ("0 ? a : b", "b `b`"),
            ("{{x}}", "false `{{x}}`"),
            ("", " ``"),
        ],
        |text| {
            let routes = routes(&parse(text));
            let mut shown: Vec<String> = Vec::new();
            for route in &routes.constant {
                let range = usize::from(route.range.start())..usize::from(route.range.end());
                shown.push(format!("{} `{}`", route.name, &text[range]));
            }
            shown.extend(routes.has_others.then(|| "…".to_owned()));
            shown.join(", ")
        },
    );
}

#[test]
fn layout_is_one_blank_around_operators() {
    check_table(
        &[
            (" scratch.n>3&&scratch.flag ", "scratch.n > 3 && scratch.flag"),
            ("scratch.a?'x y':b", "scratch.a ? 'x y' : b"),
            ("scratch.n > 3\n  ? 'a'\n  : 'b'", "scratch.n > 3 ? 'a' : 'b'"),
            ("||a", "|| a"),
            ("scratch.n   ===   5", "scratch.n === 5"),
            ("scratch.a ? : b", "scratch.a ? : b"),
            ("\nscratch.a ? b : c", "\nscratch.a ? b : c"),
            ("approve   now", "approve   now"),
            ("{{ x }}  >3", "{{ x }}  >3"),
        ],
        |text| canonical(text, &parse(text)),
    );
}

#[test]
fn trees_follow_the_cuts() {
    check_table(
        &[
            ("a < 5 == true", "(== \"a < 5\" true)"),
            ("a && b || c", "(or (and \"a\" \"b\") \"c\")"),
            ("scratch.a ? b : c ? d : e", "(if (var scratch.a) \"b\" \"c ? d : e\")"),
            ("a ?? b : c", "(if \"a\" \"? b\" \"c\")"),
            ("??b:c", "(if \"?\" \"b\" \"c\")"),
            ("a|||b", "(or \"a\" \"|b\")"),
            ("scratch.a.", "\"scratch.a.\""),
            ("{{scratch.a}}", "(error (var scratch.a))"),
            ("\u{a0}scratch.a\u{feff}", "(var scratch.a)"),
            ("\u{85}scratch.a", "\"\u{85}scratch.a\""),
        ],
        |text| sexpr(&parse(text)),
    );
}
