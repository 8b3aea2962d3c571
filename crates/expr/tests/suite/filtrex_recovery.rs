//! What is said of texts that are no filtrex: the tree, the problems, the edits.

use nodewise_expr::filtrex::{canonical, parse};
use nodewise_expr::sexpr::sexpr;

/// The tree, and each problem as `start..end: message | help`.
fn described(text: &str) -> String {
    let parsed = parse(text);
    let problems = parsed.problems.iter().map(|problem| {
        assert!(problem.message.chars().count() <= 80, "{}", problem.message);
        let help = problem.help.as_deref().map(|help| format!(" | {help}")).unwrap_or_default();
        format!("\n{:?}: {}{help}", problem.range, problem.message)
    });
    std::iter::once(sexpr(&parsed.expr)).chain(problems).collect()
}

/// The text with all edits that its problems offer.
fn fixed(text: &str) -> String {
    let mut edits: Vec<_> =
        parse(text).problems.into_iter().filter_map(|problem| problem.replacement).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.range.start()));
    let mut fixed = text.to_owned();
    for edit in edits {
        fixed.replace_range(usize::from(edit.range.start())..usize::from(edit.range.end()), &edit.text);
    }
    fixed
}

/// Broken texts, and what their edits make of them.
const FIXED: &[(&str, &str)] = &[
    ("memory.a && memory.b", "memory.a and memory.b"),
    ("memory.a&&memory.b||memory.c", "memory.a and memory.b or memory.c"),
    ("!memory.a and !(memory.b)", "not memory.a and not (memory.b)"),
    ("memory.a === 1 or memory.b !== 2", "memory.a == 1 or memory.b != 2"),
    ("memory.a = 1", "memory.a == 1"),
    ("memory.a <> 1", "memory.a != 1"),
    ("memory.a => 1 and memory.b =< 2", "memory.a >= 1 and memory.b <= 2"),
    ("memory.a ≥ 1 and memory.b ≠ 2", "memory.a >= 1 and memory.b != 2"),
    ("memory.a =~ 'x'", "memory.a ~= 'x'"),
    ("memory.a ** 2 > 1", "memory.a ^ 2 > 1"),
    ("not(memory.a)", "not (memory.a)"),
    ("memory.a in('x','y')", "memory.a in ('x','y')"),
    ("memory.a not in('x','y')", "memory.a not in ('x','y')"),
    ("memory.a AND NOT memory.b Or memory.c", "memory.a and not memory.b or memory.c"),
    ("IF memory.a THEN 1 ELSE 2", "if memory.a then 1 else 2"),
    ("memory['a'] == 1", "memory.a == 1"),
    ("memory[\"a\"][0].b == 1", "memory.a.0.b == 1"),
    ("memory.a in ['x', 'y']", "memory.a in ('x', 'y')"),
    (".5 < memory.a < 1.", "0.5 < memory.a < 1"),
    (
        "memory.a > 1e3 or memory.a < 1_000 or memory.b == 0x1F",
        "memory.a > 1000 or memory.a < 1000 or memory.b == 31",
    ),
    ("memory.a > 012.5", "memory.a > 12.5"),
    ("memory.a is null", "not exists(memory.a)"),
    ("memory.b and memory.a IS NOT NULL", "memory.b and exists(memory.a)"),
    ("memory.a is not empty", "not empty(memory.a)"),
    ("memory.a ~= /^\\d+$/", "memory.a ~= \"^\\\\d+$\""),
    ("memory.a ~= '\\d\\.'", "memory.a ~= '\\\\d\\\\.'"),
    ("memory.a eq 1", "memory.a == 1"),
    ("memory.a matches '^x'", "memory.a ~= '^x'"),
];

#[test]
fn certain_edits_make_an_expression() {
    let wrong: Vec<String> = FIXED
        .iter()
        .map(|(text, expected)| (text, expected, fixed(text)))
        .filter(|(_, expected, found)| found != *expected || !parse(found).accepted())
        .map(|(text, expected, found)| format!("`{text}`\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Broken texts, and how they are described.
const DESCRIBED: &[(&str, &str)] = &[
    (
        "",
        "(error)\n0..0: the condition is empty: it never holds | leave the condition out for an edge that is always followed",
    ),
    (
        "   ",
        "(error)\n3..3: the condition is empty: it never holds | leave the condition out for an edge that is always followed",
    ),
    ("memory.a and", "(and (var memory.a) (error))\n12..12: nothing follows `and`"),
    ("memory.a == ", "(== (var memory.a) (error))\n12..12: nothing follows `==`"),
    (
        "and memory.a",
        "(and (error) (var memory.a))\n0..3: `and` cannot stand here: a value is expected | write a value on both sides of the operator",
    ),
    (
        "memory.a memory.b memory.c",
        "(error (var memory.a) (var memory.b) (var memory.c))\n9..17: `memory.b` cannot stand here: an operator is expected | join two terms with `and` or `or`",
    ),
    (
        "(memory.a and memory.b",
        "(and (var memory.a) (var memory.b))\n22..22: a parenthesis is not closed | close the parenthesis with `)`: `(memory.a and memory.b)`",
    ),
    ("memory.a)", "(error (var memory.a))\n8..9: `)` closes no parenthesis"),
    ("()", "(error)\n1..2: nothing stands in the parentheses | a list has two elements or more"),
    ("(memory.a,)", "(list (var memory.a) (error))\n10..11: `)` cannot stand here: a value is expected"),
    (
        "memory.a in ()",
        "(in (var memory.a) (error))\n13..14: nothing stands in the parentheses | a list has two elements or more",
    ),
    (
        "memory.a == 'open",
        "(== (var memory.a) (error))\n12..17: the text is not closed | close the text with `'`: `memory.a == 'open'`",
    ),
    (
        "memory.s == \"it's\" and memory.b",
        "(and (== (var memory.s) \"it's\") (var memory.b))\n12..18: the other quote ends the text too | leave it out: a text holds neither `'` nor `\"`",
    ),
    (
        "memory.my key == 1",
        "(error (var memory.my) (== (var key) 1))\n10..13: `key` cannot stand here: an operator is expected | join two terms with `and` or `or`",
    ),
    (
        "not(memory.a) and memory.b",
        "(and (not (var memory.a)) (var memory.b))\n0..3: `not` needs a blank behind it, or `(` is lost | write `not (`",
    ),
    (
        "memory.a && ",
        "(and (var memory.a) (error))\n9..11: `&&` is not part of the language | write `and`\n12..12: nothing follows `&&`",
    ),
    (
        "memory.a or or memory.b",
        "(or (or (var memory.a) (error)) (var memory.b))\n12..14: `or` cannot stand here: a value is expected | write a value on both sides of the operator",
    ),
    (
        "or.x == 1",
        "(== (var or.x) 1)\n0..4: `or` is a keyword and begins no name | read it below its owner, as in `memory.or.x`",
    ),
    (
        "memory.a == 1.2.3",
        "(== (var memory.a) (error))\n12..17: `1.2.3` is no number of the language | numbers are digits, with a point between digits or without",
    ),
    (
        "memory.a > 5px",
        "(> (var memory.a) (error))\n11..14: `5px` is no number of the language | numbers are digits, with a point between digits or without",
    ),
    (
        "memory['my-key'] == 1",
        "(== (var memory.my-key) 1)\n6..16: brackets are not part of the language | a key of other characters than letters, digits, `_` is out of reach",
    ),
    (
        "memory.a[i] == 1",
        "(error (var memory.a) (var i) 1)\n8..9: `[` is not part of the language | reach into a value with dots: `memory.items.0`\n10..11: `]` is not part of the language | reach into a value with dots: `memory.items.0`",
    ),
    (
        "{{memory.a}} == 1",
        "(error (error) (var memory.a) 1)\n0..1: `{` is not part of the language | write the name without braces: `memory.a == 1`\n1..2: `{` is not part of the language | write the name without braces\n10..11: `}` is not part of the language | write the name without braces\n11..12: `}` is not part of the language | write the name without braces",
    ),
    (
        "memory.a # why",
        "(error (var memory.a) (var why))\n9..10: `#` is not part of the language | conditions have no comments",
    ),
    (
        "memory.a; memory.b",
        "(error (var memory.a) (var memory.b))\n8..9: `;` is not part of the language | leave it out",
    ),
    (
        "memory.über == 1",
        "(error (var memory.) 1)\n7..12: `über` is not part of the language | names are made of ASCII letters, digits, `_`, `$` and dots",
    ),
    (
        "memory.a not memory.b",
        "(error (var memory.a) (not (var memory.b)))\n9..12: `not` cannot stand here: an operator is expected | write `not in`, or put `not` before the comparison",
    ),
    (
        "not in (1, 2)",
        "(not-in (error) (list 1 2))\n0..6: `not in` cannot stand here: a value is expected | write `x not in (a, b)`",
    ),
    (
        "memory.a contains 'x'",
        "(error (var memory.a) (var contains) \"x\")\n9..17: `contains` cannot stand here: an operator is expected | write `includes(list, value)`",
    ),
    (
        "memory.a startsWith 'x'",
        "(error (var memory.a) (var startsWith) \"x\")\n9..19: `startsWith` cannot stand here: an operator is expected | write `x ~= '^start'`",
    ),
    (
        "if memory.a then 1",
        "(if (var memory.a) 1 (error))\n18..18: `if` without `else` | write `if a then b else c`",
    ),
    (
        "if memory.a 1 else 2",
        "(if (error (var memory.a) 1) (error) 2)\n12..13: `1` cannot stand here: an operator is expected | join two terms with `and` or `or`\n14..18: `else` cannot stand here: `then` is expected | write `if a then b else c`",
    ),
    ("memory.a ? 1", "(if (var memory.a) 1 (error))\n12..12: `?` without `:` | write `if a then b else c`"),
    (
        "memory.a ?? 1",
        "(error (var memory.a) 1)\n9..11: `??` is not part of the language | write `if exists(a) then a else b`",
    ),
    ("memory.a?.b", "(error (var memory.a) (var b))\n8..10: `?.` is not part of the language | write `.`"),
    (
        "'a' of memory",
        "(error \"a\" (var memory))\n4..6: `of` cannot stand here: an operator is expected | only a name can stand before `of`",
    ),
    (
        "memory.a then 1",
        "(error (var memory.a) 1)\n9..13: `then` cannot stand here: an operator is expected | write `if a then b else c`",
    ),
    ("f(1, 2", "(call f 1 2)\n6..6: a parenthesis is not closed | close the parenthesis with `)`: `f(1, 2)`"),
    (
        "abs(1)(2)",
        "(error (call abs 1) 2)\n6..7: `(` cannot stand here: an operator is expected | only a name can be called",
    ),
    (
        "memory.a == // x",
        "(== (var memory.a) (var x))\n12..14: `//` is not part of the language | conditions have no comments",
    ),
    (
        "the score is high",
        "(error (var the) (var score) (var is) (var high))\n4..9: `score` cannot stand here: an operator is expected | join two terms with `and` or `or`",
    ),
    (
        "memory.a == 1, 2",
        "(error (== (var memory.a) 1) 2)\n13..14: `,` cannot stand here: an operator is expected | a list stands in parentheses: `(a, b)`",
    ),
    ("memory.a\u{202e}b", "(error (var memory.a) (var b))\n8..11: `\\u{202e}` is not part of the language"),
    (
        "memory.t andx memory.u",
        "(error (var memory.t) (var andx) (var memory.u))\n9..13: `andx` cannot stand here: an operator is expected | join two terms with `and` or `or`",
    ),
    (
        "exists(memory.a) && length(memory.b) > 2 || !memory.c",
        "(or (and (call exists (var memory.a)) (> (call length (var memory.b)) 2)) (not (var memory.c)))\n17..19: `&&` is not part of the language | write `exists(memory.a) and length(memory.b) > 2 or not memory.c`\n41..43: `||` is not part of the language | write `or`\n44..45: `!` is not part of the language | write `not`",
    ),
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

#[test]
fn broken_texts_stay_as_they_are() {
    for (text, _) in FIXED {
        assert_eq!(canonical(text), *text);
    }
}
