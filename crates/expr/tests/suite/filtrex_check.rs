//! Findings, reads, types and layout of filtrex, as tables.

use nodewise_expr::filtrex::{ExpressionPlace, Filtrex, canonical, check, parse, reads, warns_of_booleans};
use nodewise_expr::sexpr::sexpr;
use nodewise_expr::types;

/// Compares each text of a table with what `describe` says of it.
fn check_table(table: &[(&str, &str)], describe: impl Fn(&str) -> String) {
    let wrong: Vec<String> = table
        .iter()
        .map(|(text, expected)| (text, expected, describe(text)))
        .filter(|(_, expected, found)| found != *expected)
        .map(|(text, expected, found)| format!("`{text}`\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Each finding as `Kind range -> replacement`.
fn findings(text: &str, place: ExpressionPlace) -> String {
    let parsed = parse(text);
    assert!(parsed.accepted(), "`{text}`: {:?}", parsed.problems);
    let shown = check(text, &parsed, place).into_iter().map(|finding| {
        assert!(finding.message.chars().count() <= 80, "{}", finding.message);
        let range = &text[usize::from(finding.range.start())..usize::from(finding.range.end())];
        let replacement = finding.replacement.map(|text| format!(" -> `{text}`")).unwrap_or_default();
        format!("{:?} `{range}`{replacement}", finding.kind)
    });
    shown.collect::<Vec<_>>().join("; ")
}

#[test]
fn ordinary_conditions_have_no_findings() {
    for text in [
        "memory.has_lines_verification_passed",
        "memory.category in ('legal', 'travel') or number(memory.amount) >= 500",
        "memory.panel_consensus == \"accept\"",
        "not (memory.state in ('open', 'true')) or length(memory.tags) > 2",
        "0 < memory.score <= 10",
        "$.memory.tier == 'gold'",
        "exists(memory.finding) and memory.finding.score > 0.5",
        "memory.a - memory.b > 2",
        "iteration_count < 5 and not tainted",
        "includes(tainted_keys, 'x') or status == 'running'",
        "memory.s ~= '^a.b$'",
        "if exists(memory.a) then memory.a > 1 else memory.b > 1",
        "k of memory == 3",
        "memory.n mod 2 == 0",
        "memory.items.0.length > 1",
        "memory.s + '!' == 'a!'",
    ] {
        assert_eq!(findings(text, ExpressionPlace::Edge), "", "`{text}`");
    }
}

#[test]
fn names_that_stand_for_nothing_are_found() {
    check_table(
        &[
            ("true", "ForeignLiteral `true`"),
            ("memory.x == true", "ForeignLiteral `memory.x == true` -> `memory.x`"),
            ("false == memory.x and memory.y", "ForeignLiteral `false == memory.x` -> `not memory.x`"),
            ("memory.x != True", "ForeignLiteral `memory.x != True` -> `not memory.x`"),
            ("memory.x == null", "ForeignLiteral `memory.x == null` -> `not exists(memory.x)`"),
            ("undefined != memory.x", "ForeignLiteral `undefined != memory.x` -> `exists(memory.x)`"),
            ("memory.x + 1 == true", "ForeignLiteral `memory.x + 1 == true`"),
            ("if memory.x then memory.y else false", "ForeignLiteral `false`"),
            ("memory.x in (1, null)", "ForeignLiteral `null`"),
            ("memory.x == 'true' or memory.true", ""),
            ("memory.a == $.memory.b", "InnerDollar `$.` -> ``"),
            ("memory.status == done", "UnknownName `done` -> `'done'`"),
            ("memry.x > 1", "UnknownName `memry` -> `memory`"),
            ("Memory.x > 1", "UnknownName `Memory` -> `memory`"),
            ("state.memory.x > 1", "UnknownName `state.` -> ``"),
            ("input.x > 1", "UnknownName `input`"),
            ("memory.toString", "InheritedMember `toString`"),
            ("memory.my-key > 1", "DashedName `memory.my-key`"),
            ("memory.my-long-key > 1", "DashedName `memory.my-long-key`"),
            ("memory.x - goal == 1", ""),
        ],
        |text| findings(text, ExpressionPlace::Edge),
    );
}

#[test]
fn verifiers_see_less() {
    check_table(
        &[
            ("memory.x > 1 and goal == 'g'", ""),
            ("not tainted", "UnknownName `tainted`"),
            ("status == 'running'", "UnknownName `status`"),
        ],
        |text| findings(text, ExpressionPlace::Verifier),
    );
}

#[test]
fn calls_of_no_function_are_found() {
    check_table(
        &[
            ("len(memory.a) > 1", "UnknownFunction `len` -> `length`"),
            ("exist(memory.a)", "UnknownFunction `exist` -> `exists`"),
            ("NOT (memory.a)", "UnknownFunction `NOT` -> `not`"),
            ("NOT(memory.a)", "UnknownFunction `NOT` -> `not `"),
            (
                "memory.s.toLowerCase() == 'a'",
                "UnknownFunction `memory.s.toLowerCase()` -> `lower(memory.s)`",
            ),
            (
                "memory.a.includes('x')",
                "UnknownFunction `memory.a.includes('x')` -> `includes(memory.a, 'x')`",
            ),
            ("memory.s.startsWith('x')", "UnknownFunction `memory.s.startsWith('x')` -> `memory.s ~= '^x'`"),
            ("memory.s.startsWith('(')", "UnknownFunction `memory.s.startsWith`"),
            ("memory.get('n') > 1", "UnknownFunction `memory.get('n')` -> `memory.n`"),
            (
                "memory.a.contains('x')",
                "UnknownFunction `memory.a.contains('x')` -> `includes(memory.a, 'x')`",
            ),
            ("isnull(memory.n)", "UnknownFunction `isnull(memory.n)` -> `not exists(memory.n)`"),
            ("Math.abs(memory.n) > 1", "UnknownFunction `Math.abs(memory.n)` -> `abs(memory.n)`"),
            ("frobnicate(memory.n)", "UnknownFunction `frobnicate`"),
            ("includes(memory.a)", "Arity `includes(memory.a)`"),
            ("exists()", "Arity `exists()`"),
            ("max(memory.a, 1, 2) > min(memory.b)", ""),
        ],
        |text| findings(text, ExpressionPlace::Edge),
    );
}

#[test]
fn operators_that_fail_or_surprise_are_found() {
    check_table(
        &[
            ("memory.x > '1'", "OperandType `'1'` -> `1`"),
            ("lower(memory.s) < 'b'", "OperandType `'b'`"),
            ("memory.x and 1", "OperandType `1`"),
            ("memory.s == 'a' or 'b'", "OperandType `'b'` -> `memory.s == 'b'`"),
            ("not length(memory.a)", "OperandType `length(memory.a)`"),
            ("if memory.a + 1 then 1 else 2", "OperandType `memory.a + 1`"),
            ("memory.x - '1' > 1", "OperandType `'1'`"),
            ("memory.x + (memory.y > 1) > 2", "OperandType `(memory.y > 1)`"),
            ("1 < memory.x < '3'", "OperandType `'3'` -> `3`"),
            ("memory.x ~= 3", "OperandType `3`"),
            ("memory.x ~= '['", "InvalidPattern `'['`"),
            ("memory.a == (1, 2)", "NeverEqual `memory.a == (1, 2)`"),
            ("not memory.x == 3", "NegationReach `not memory.x == 3` -> `not (memory.x == 3)`"),
            (
                "not memory.x in (1, 2)",
                "NegationReach `not memory.x in (1, 2)` -> `not (memory.x in (1, 2))`",
            ),
            ("(not memory.x) == memory.y", ""),
            ("memory.x != 'a'", "HoldsWhenMissing `memory.x != 'a'`"),
            ("0 != x of memory", "HoldsWhenMissing `0 != x of memory`"),
            ("exists(memory.x) and memory.x != 'a'", ""),
            ("(memory.x != 'a' or memory.y) and exists(memory.x)", ""),
            ("exists(memory.y) and memory.x != 'a'", "HoldsWhenMissing `memory.x != 'a'`"),
            ("exists(memory.x) or memory.x != 'a'", "HoldsWhenMissing `memory.x != 'a'`"),
            ("not exists(memory.x) and memory.x != 'a'", "HoldsWhenMissing `memory.x != 'a'`"),
            ("length(memory.x) != 0", ""),
            ("memory.x == 010", "Octal `010`"),
            ("memory.x == 08 or memory.x == 07", ""),
            ("memory.x%2 == 0", "Deprecated `%` -> ` mod `"),
            ("memory.x % 2 == 0", "Deprecated `%` -> `mod`"),
            (
                "memory.t ? 1 : memory.x",
                "Deprecated `memory.t ? 1 : memory.x` -> `if memory.t then 1 else memory.x`",
            ),
            ("memory.t and(memory.x", "SwallowedCharacter `(` -> ` `"),
            ("1 < 2", "Constant `1 < 2`"),
            ("'a'", "Constant `'a'`"),
            ("1 == 0 and memory.x", "Constant `1 == 0 and memory.x`"),
            ("'aaa' ~= '(a+)+b'", "Constant `'aaa' ~= '(a+)+b'`"),
        ],
        |text| findings(text, ExpressionPlace::Edge),
    );
}

#[test]
fn replacements_make_their_finding_go_away() {
    for text in [
        "memory.x == true",
        "memory.x != null and memory.y",
        "memory.a == $.memory.b",
        "memry.x > 1",
        "state.memory.x > 1",
        "len(memory.a) > 1",
        "NOT(memory.a)",
        "memory.s.toLowerCase() == 'a'",
        "Math.abs(memory.n) > 1",
        "not memory.x == 3",
        "memory.x%2 == 0",
        "memory.t ? 1 : memory.x",
        "memory.t and(memory.x",
        "not memory.x in (1, 2) and memory.y",
    ] {
        let found = check(text, &parse(text), ExpressionPlace::Edge);
        assert!(!found.is_empty(), "`{text}`");
        for finding in found {
            let Some(replacement) = finding.replacement else { continue };
            let mut fixed = text.to_owned();
            fixed.replace_range(
                usize::from(finding.range.start())..usize::from(finding.range.end()),
                &replacement,
            );
            let parsed = parse(&fixed);
            assert!(parsed.accepted(), "`{text}` became `{fixed}`");
            let left = check(&fixed, &parsed, ExpressionPlace::Edge);
            assert!(left.iter().all(|left| left.kind != finding.kind), "`{text}` became `{fixed}`");
        }
    }
}

#[test]
fn the_release_warns_of_booleans_outside_quotes() {
    for (text, expected) in [
        ("memory.x == true", true),
        ("memory.true", true),
        ("memory.x == 'true'", false),
        ("memory.x == \"it's true\"", false),
        ("memory.true_x", false),
        ("memory.x == 'open true", true),
        ("tr'x'ue", true),
        ("$true", true),
    ] {
        assert_eq!(warns_of_booleans(text), expected, "`{text}`");
    }
}

#[test]
fn reads_are_places_in_the_state() {
    let describe = |text: &str| {
        let parsed = parse(text);
        let reads = reads(&parsed.expr);
        let shown = reads.iter().map(|read| {
            let names: Vec<&str> = read.segments.iter().map(|segment| segment.name.as_str()).collect();
            let key = read.memory_key().map(|key| format!(" [{}]", &text[key.range])).unwrap_or_default();
            format!("{}{key}", names.join("/"))
        });
        shown.collect::<Vec<_>>().join(", ")
    };
    check_table(
        &[
            ("memory.a.b > 1 and goal == 'g'", "memory/a/b [a], goal"),
            ("k of memory", "memory/k [k]"),
            ("a.b of (k of memory.o)", "memory/o/k/a/b [o]"),
            ("length(memory)", "memory"),
            ("$.memory.x", "memory/x [x]"),
            ("memory['x'] && !status", "memory/x [['x']], status"),
            ("if memory.a then", "memory/a [a]"),
            ("x of lower(memory.s)", "memory/s [s]"),
        ],
        describe,
    );
}

#[test]
fn the_layout_is_canonical() {
    check_table(
        &[
            ("memory.x>1and memory.y", "memory.x > 1 and memory.y"),
            ("not  ( memory.x )", "not (memory.x)"),
            ("memory.x not   in\n(1,2)", "memory.x not in (1, 2)"),
            ("- memory.x ^-2", "-memory.x ^ -2"),
            ("max ( 1,2 )-  3", "max(1, 2) - 3"),
            ("$.memory.x == 'a'", "$.memory.x == 'a'"),
            ("if a then b else c?d:e", "if a then b else c ? d : e"),
            ("k  of memory", "k of memory"),
            ("a and(b", "a and b"),
            ("a  &&  b", "a  &&  b"),
        ],
        canonical,
    );
}

#[test]
fn types_and_constants_are_known_where_they_can_be() {
    let describe = |text: &str| {
        let parsed = parse(text);
        format!("{:?} {:?}", types::type_of(&parsed.expr, &Filtrex), types::constant(&parsed.expr, &Filtrex))
    };
    check_table(
        &[
            ("memory.x", "Unknown None"),
            ("exists(memory.x)", "Bool None"),
            ("1 + 2", "Unknown Some(Number(3.0))"),
            ("1 == 0 and memory.x", "Bool Some(Bool(false))"),
            ("'a' ~= 'a'", "Bool None"),
            ("$now()", "Unknown None"),
            ("(1, 2)", "List Some(List([Number(1.0), Number(2.0)]))"),
            ("if memory.t then 1 else 2", "Number None"),
        ],
        describe,
    );
}

#[test]
fn trees_have_one_form() {
    check_table(
        &[
            ("not a ^ b", "(not (^ (var a) (var b)))"),
            ("-2 ^ 2 * 3", "(* (neg (^ 2 2)) 3)"),
            ("2 ^ 3 ^ 2", "(^ 2 (^ 3 2))"),
            ("a in b == c", "(in (var a) (== (var b) (var c)))"),
            ("a == b in c in d", "(in (in (== (var a) (var b)) (var c)) (var d))"),
            ("a < b == c", "(chain (var a) (< (var b)) (== (var c)))"),
            ("a < (b == c)", "(< (var a) (== (var b) (var c)))"),
            ("a or b and c or d", "(or (or (var a) (and (var b) (var c))) (var d))"),
            ("a ? b : c ? d : e", "(if (var a) (var b) (if (var c) (var d) (var e)))"),
            ("if a then b else c + 1 == 2", "(if (var a) (var b) (== (+ (var c) 1) 2))"),
            ("a.b of c of d ^ 2", "(^ (member (member (var d) c) a.b) 2)"),
            ("f(x, (1, 'it\\'s'))", "(call f (var x) (list 1 \"it\\\"s\"))"),
            ("memory..x", "(var memory..x)"),
            ("010 + 08 + 012", "(+ (+ 8 8) 10)"),
        ],
        |text| sexpr(&parse(text).expr),
    );
}
