//! Broken conditions: what survives in the tree, and what the problems say.

use nodewise_expr::limance::names;
use nodewise_expr::limance::{LimanceProfile, parse};
use nodewise_expr::sexpr::sexpr;

/// Each broken condition, and the variables that a person reads in it.
const BROKEN: &[(&str, &str)] = &[
    ("status = 'ok'", "status"),
    ("a == 1 and", "a"),
    ("name == 'open", "name"),
    ("is_ready(x)", "is_ready x"),
    ("a && && b", "a b"),
    ("and a", "a"),
    ("(a or b", "a b"),
    ("a or b)", "a b"),
    ("a) and b", "a b"),
    ("((a and b) or c", "a b c"),
    ("a == == b", "a b"),
    ("a === b", "a b"),
    ("a <> b and c", "a b c"),
    ("user. == 'x' and ready", "user ready"),
    ("user..name == 'x'", "user.name"),
    (".user == 1", "user"),
    ("a b c", "a b c"),
    ("a == (b) and c", "a b c"),
    ("(a) == b or c", "a b c"),
    ("a == !b", "a b"),
    ("a not b and c", "a b c"),
    ("a in [x, y] and b", "a x y b"),
    ("a + b == 3", "a b"),
    ("a ? b : c", "a b c"),
    ("$is_error(A, and retries < 3", "A retries"),
    ("$now > deadline", "deadline"),
    ("{{ user.name }} == 'x'", "user.name"),
    ("1a == b or c", "b c"),
    ("a; b", "a b"),
    ("not and a or (b and", "a b"),
    ("naïve == 1 or b", "na b"),
    ("a == 'it's' and b", "a s b"),
    ("a & b | c", "a b c"),
    ("# only a note", "only a note"),
];

fn found_names(text: &str) -> String {
    let parsed = parse(text, LimanceProfile::Spec);
    assert!(!parsed.accepted(), "`{text}` is not broken");
    let mut found: Vec<String> = names::variables(&parsed.expr).iter().map(|path| path.dotted()).collect();
    found.extend(names::error_types(&parsed.expr).iter().map(|name| name.name.to_string()));
    found.sort();
    found.join(" ")
}

#[test]
fn the_names_of_broken_conditions_are_kept() {
    let mut lost = Vec::new();
    for (text, expected) in BROKEN {
        let mut expected: Vec<&str> = expected.split(' ').collect();
        expected.sort_unstable();
        let found = found_names(text);
        if found != expected.join(" ") {
            lost.push(format!("`{text}`: {} expected, {found} found", expected.join(" ")));
        }
    }
    let kept = BROKEN.len() - lost.len();
    assert!(kept * 10 >= BROKEN.len() * 9, "only {kept} of {} kept:\n{}", BROKEN.len(), lost.join("\n"));
}

/// The S-expression, then each problem with its offset and help.
fn described(text: &str) -> String {
    let parsed = parse(text, LimanceProfile::Spec);
    let problems = parsed.problems.iter().map(|problem| {
        let help = problem.help.as_deref().map(|help| format!(" | {help}")).unwrap_or_default();
        format!("\n{:?}: {}{help}", problem.range, problem.message)
    });
    std::iter::once(sexpr(&parsed.expr)).chain(problems).collect()
}

/// Broken conditions, and how they are described.
const DESCRIBED: &[(&str, &str)] = &[
    (
        "status = 'ok'",
        "(error (var status) \"ok\")\n7..8: `=` is not part of the language | write `==` to compare: `status == 'ok'`",
    ),
    (
        "channel == #general and a",
        "(and (error (== (var channel) (error)) (var general)) (var a))\n11..12: `#` is not part of the language | write `'#general'`",
    ),
    (
        "user != @ada-lovelace",
        "(error (!= (var user) (error)) (var ada) (var lovelace))\n8..9: `@` is not part of the language | write `'@ada-lovelace'`",
    ),
    (
        "a == #b\\c",
        "(error (== (var a) (error)) (var b) (var c))\n5..6: `#` is not part of the language | conditions have no comments",
    ),
    (
        "a == # b",
        "(error (== (var a) (error)) (var b))\n5..6: `#` is not part of the language | conditions have no comments",
    ),
    (
        "name == 'open",
        "(error (== (var name) (error)))\n8..13: the text is not closed | close the text with `'`: `name == 'open'`",
    ),
    ("a and (b or", "(and (var a) (or (var b) (error)))\n11..11: nothing follows `or`"),
    ("a)", "(error (var a))\n1..2: `)` closes no parenthesis"),
    (
        "len(x)",
        "(error (var len) (var x))\n3..4: `(` cannot stand here: an operator is expected | only builtins can be called: `$is_error()`, `$now()`",
    ),
    (
        "$is_error == true",
        "(== (call $is_error) true)\n10..12: `==` cannot stand here: `(` is expected | write `$is_error()`: `$is_error() == true`",
    ),
    ("$is_error(1)", "(call $is_error 1)\n10..11: `1` cannot stand here: a name or text is expected"),
    (
        "$is_error(A, and b > 1",
        "(and (call $is_error (var A)) (> (var b) 1))\n13..16: `and` cannot stand here: a name or text is expected\n22..22: the argument list is not closed | write `)` at the end",
    ),
    (
        "a AND b",
        "(error (var a) (var AND) (var b))\n2..5: `AND` cannot stand here: an operator is expected | write `and` in small letters: `a and b`",
    ),
    (
        "a not b",
        "(error (var a) (var b))\n2..5: `not` cannot stand here: an operator is expected | write `not in`, or put `not` before the comparison",
    ),
    (
        "a == (b)",
        "(error (== (var a) (error)) (var b))\n5..6: `(` cannot stand here: a plain value is expected | an operand cannot be in parentheses; leave them out",
    ),
    ("user. == 1", "(== (var user) 1)\n6..8: `==` cannot stand here: a name is expected"),
    (
        "1_000 > a",
        "(error 1 (var a))\n1..5: a number cannot run into `_000` | write the number without separators: `1000 > a`",
    ),
    ("a; b", "(error (var a) (var b))\n3..4: `b` cannot stand here: the condition ends before it"),
    ("   ", "(error)\n3..3: the condition is empty | write `true` for an edge that is always followed"),
    (
        "naïve",
        "(error (var na) (var ve))\n2..4: `ï` is not part of the language | names are made of ASCII letters, digits and `_`",
    ),
    ("a\u{202e}b", "(error (var a) (var b))\n1..4: `\\u{202e}` is not part of the language"),
];

#[test]
fn problems_state_the_fact_and_say_what_to_write() {
    let wrong: Vec<String> = DESCRIBED
        .iter()
        .map(|(text, expected)| (text, expected, described(text)))
        .filter(|(_, expected, found)| found != *expected)
        .map(|(text, expected, found)| format!("`{text}`\n  expected {expected:?}\n  found    {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
