//! Findings, names, types, layout and the release's difference, as tables.

use nodewise_expr::limance::check::check;
use nodewise_expr::limance::names;
use nodewise_expr::limance::print::canonical;
use nodewise_expr::limance::{LimanCe, LimanceProfile, ReleaseDifference, parse, release_verdict};
use nodewise_expr::sexpr::sexpr;
use nodewise_expr::types;

/// Compares each text of a table with what `describe` says of it.
fn check_table(table: &[(&str, &str)], describe: impl Fn(&str) -> String) {
    for (text, expected) in table {
        assert_eq!(describe(text), *expected, "`{text}`");
    }
}

/// Each finding as `Kind range -> replacement`.
fn findings(text: &str) -> String {
    let parsed = parse(text, LimanceProfile::Spec);
    let shown = check(text, &parsed).into_iter().map(|finding| {
        assert!(finding.message.chars().count() <= 80, "{}", finding.message);
        let range = &text[usize::from(finding.range.start())..usize::from(finding.range.end())];
        let replacement = finding.replacement.map(|text| format!(" -> `{text}`")).unwrap_or_default();
        format!("{:?} `{range}`{replacement}", finding.kind)
    });
    shown.collect::<Vec<_>>().join("; ")
}

#[test]
fn odd_conditions_are_found() {
    check_table(
        &[
            ("a and b and not c", ""),
            ("(a and b) or c", ""),
            ("a && b || c", "MixedLogic `a && b || c` -> `(a && b) || c`"),
            ("a or b and c or d", "MixedLogic `a or b and c or d` -> `a or (b and c) or d`"),
            ("x and (a || b and c)", "MixedLogic `a || b and c` -> `a || (b and c)`"),
            ("!a && b", "MixedLogic `!a && b` -> `(!a) && b`"),
            ("not a == 1 or not b", "MixedLogic `not a == 1 or not b` -> `(not a == 1) or not b`"),
            ("0 < x < 10", "ChainedComparison `0 < x < 10` -> `0 < x and x < 10`"),
            ("a && 0 < x < 9", "ChainedComparison `0 < x < 9` -> `(0 < x && x < 9)`"),
            ("!0 < x < y.z", "ChainedComparison `0 < x < y.z` -> `(0 < x and x < y.z)`"),
            ("$is_failed()", "UnknownBuiltin `$is_failed`"),
            ("$iserror()", "UnknownBuiltin `$iserror` -> `$is_error`"),
            (
                "$is_eror(A) or $Now() > 1",
                "UnknownBuiltin `$is_eror` -> `$is_error`; UnknownBuiltin `$Now` -> `$now`",
            ),
            ("$now(x) > y", "Arity `$now(x)` -> `$now()`"),
            ("$is_error() and $is_error(A, B)", ""),
            ("a == True or b != None", "SuspiciousName `True` -> `true`; SuspiciousName `None` -> `null`"),
            ("$is_error(None) or x.None == 1", ""),
            ("true", ""),
            ("(true)", ""),
            ("false", "Constant `false`"),
            ("1 == '1'", "Constant `1 == '1'`"),
            ("!(1 < 2)", "Constant `!(1 < 2)`"),
            ("a;", "TrailingSemicolon `;` -> ``"),
            ("mod.fn ;", "FunctionAmbiguous `mod.fn`; TrailingSemicolon `;` -> ``"),
            ("(mod.fn)", ""),
            ("n == 1 or n == '1'", "TypeMismatch `n`"),
            ("'x' < a.b and 2 > a.b and a.b == 'y'", "TypeMismatch `a.b`"),
            ("n == 1 or n == 2 or m == '1' or 'x' in n", ""),
            ("a ==", ""),
        ],
        findings,
    );
}

#[test]
fn replacements_make_their_finding_go_away() {
    for text in ["a && b || c", "!a && b", "x or !a < b < c", "$iserror()", "$now(x) > y", "a == True", "a ;"]
    {
        for finding in check(text, &parse(text, LimanceProfile::Spec)) {
            let mut fixed = text.to_owned();
            let replacement = finding.replacement.unwrap();
            fixed.replace_range(
                usize::from(finding.range.start())..usize::from(finding.range.end()),
                &replacement,
            );
            let left = check(&fixed, &parse(&fixed, LimanceProfile::Spec));
            assert!(left.iter().all(|left| left.kind != finding.kind), "`{text}` became `{fixed}`");
        }
    }
}

#[test]
fn the_layout_is_canonical() {
    check_table(
        &[
            ("a==1&&b", "a == 1 && b"),
            ("  a  and\n  b ;", "a and b"),
            ("! a", "!a"),
            ("not   a", "not a"),
            ("not(a)", "not (a)"),
            ("!( a or b )and c", "!(a or b) and c"),
            ("a && b or c", "a && b || c"),
            ("(a or b) && c", "(a or b) and c"),
            ("user . role", "user.role"),
            ("( user . role )", "(user.role)"),
            ("a not   in b", "a not in b"),
            ("0<x<=10", "0 < x <= 10"),
            ("$is_error ( A , 'B' )", "$is_error(A, 'B')"),
            ("x == 5. or x == +1e3", "x == 5. or x == +1e3"),
            (r#"a == "it's""#, r#"a == "it's""#),
            (r"a == 'it\'s'", r#"a == "it's""#),
            (r#"a == "say \"hi\"""#, r#"a == 'say "hi"'"#),
            (r#"a == 'both \' and "'"#, r#"a == 'both \' and "'"#),
            (r"a == 'c:\qx'", r"a == 'c:\qx'"),
            ("((a))", "((a))"),
        ],
        |text| canonical(text, &parse(text, LimanceProfile::Spec).expr),
    );
}

#[test]
fn names_are_variables_and_error_types() {
    let describe = |text: &str| {
        let parsed = parse(text, LimanceProfile::Spec);
        let variables: Vec<String> =
            names::variables(&parsed.expr).iter().map(|path| path.dotted()).collect();
        let errors: Vec<_> = names::error_types(&parsed.expr).into_iter().map(|error| error.name).collect();
        format!("{} | {}", variables.join(" "), errors.join(" "))
    };
    check_table(
        &[
            ("a and b.c == a", "a b.c a | "),
            ("$is_error(A, 'B', c.D) or x", "x | A B c.D"),
            ("$now() > deadline", "deadline | "),
            ("$unknown(x)", "x | "),
            ("rules.check", " | "),
            ("not (x in [y", "x y | "),
        ],
        describe,
    );
}

#[test]
fn types_and_constants_are_known_where_they_can_be() {
    let describe = |text: &str| {
        let parsed = parse(text, LimanceProfile::Spec);
        let constant = types::constant(&parsed.expr, &LimanCe);
        format!("{:?} {constant:?}", types::type_of(&parsed.expr, &LimanCe))
    };
    check_table(
        &[
            ("a", "Unknown None"),
            ("'x'", "Text Some(Text(\"x\"))"),
            ("1 < 2 < 3", "Bool Some(Bool(true))"),
            ("1 < 'x'", "Bool None"),
            ("false and x", "Bool Some(Bool(false))"),
            ("x and false", "Bool None"),
            ("!('' or 0) or x", "Bool Some(Bool(true))"),
            ("$now()", "Number None"),
            ("$is_error()", "Bool None"),
            ("(null)", "Null Some(Null)"),
        ],
        describe,
    );
}

#[test]
fn the_release_may_differ() {
    let describe = |text: &str| match release_verdict(text) {
        ReleaseDifference::None => "same".to_owned(),
        ReleaseDifference::Rejects { offset } => format!("rejects at {}", usize::from(offset)),
        ReleaseDifference::Groups(reading) => format!("groups {}", reading.printed),
        ReleaseDifference::Reads(reading) => format!("reads {}", reading.sexpr),
    };
    check_table(
        &[
            ("a and b and c", "same"),
            ("a || b && c", "same"),
            ("a && b || c", "groups a && (b || c)"),
            ("!a && b", "groups !(a && b)"),
            ("!a == b", "same"),
            ("(!a) and b", "same"),
            ("a and not b or c", "groups a and not (b or c)"),
            ("a >= 1", "rejects at 3"),
            ("a == null", "reads (== (var a) (var null))"),
            ("\"\\\"\"", "reads \"\\\\\\\"\""),
            ("a andb", "same"),
            ("mod.fn", "same"),
        ],
        describe,
    );
}

#[test]
fn trees_ignore_layout() {
    let tree = |text: &str| sexpr(&parse(text, LimanceProfile::Spec).expr);
    assert_eq!(tree("a&&(b||c)"), tree(" a and ( b or c ) ;"));
}
