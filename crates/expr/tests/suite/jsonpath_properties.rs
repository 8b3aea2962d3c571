//! What holds for every path: ranges, bounded work, hostile sizes.

use nodewise_expr::TextRange;
use nodewise_expr::jsonpath::{
    JsonPathSegment, PathErrorKind, PathPurpose, SegmentKind, Selected, check, memory_keys, parse, select,
    sexpr,
};
use nodewise_expr::value::{Map, Value};
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "$",
    ".",
    "..",
    "*",
    "[",
    "]",
    "['",
    "']",
    "[\"",
    "\"]",
    "[?(",
    ")]",
    "[(",
    "@",
    "@.",
    "@root",
    "@property",
    "@parent.",
    "@path",
    "@string()",
    "@other()",
    "@id",
    "^",
    "~",
    "`",
    ",",
    ":",
    ";",
    "#0",
    "#9",
    "a",
    "b.c",
    "rows",
    "memory",
    "0",
    "-1",
    "1:2",
    "::",
    " ",
    "\n",
    "é",
    "😀",
    "'x'",
    "\"y\"",
    "==",
    "===",
    "=",
    "&&",
    "||",
    "!",
    "??",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<",
    "<=",
    "++",
    "typeof ",
    "(",
    ")",
    "?",
    ":",
    ".length",
    ".match(/a+/g)",
    "/",
    "/x/i",
    ".includes('a')",
    "true",
    "null",
    "undefined",
    "1.5",
    "1e",
    "this",
    "Math",
    "%@%",
    "%%@@%%",
    "_$_v",
    "[?(@.a[?(@.b)])]",
];

fn root() -> Value {
    let item = |number: f64| -> Value {
        [("a".into(), Value::from(number)), ("b".into(), Value::from("aa"))]
            .into_iter()
            .collect::<Map>()
            .into()
    };
    let rows: Value = [item(1.0), item(2.0), Value::Null, Value::from("x😀")].into_iter().collect();
    [
        ("a".into(), rows.clone()),
        ("memory".into(), [("rows".into(), rows)].into_iter().collect::<Map>().into()),
    ]
    .into_iter()
    .collect::<Map>()
    .into()
}

fn check_segment(text: &str, segment: &JsonPathSegment) {
    let lies_within =
        |range: TextRange| text.get(usize::from(range.start())..usize::from(range.end())).is_some();
    assert!(lies_within(segment.range), "`{text}`: {segment:?}");
    match &segment.kind {
        SegmentKind::Union(parts) => parts.iter().for_each(|part| check_segment(text, part)),
        SegmentKind::Filter(filter) => {
            for expr in &filter.script.expressions {
                expr.walk(&mut |node| assert!(lies_within(node.range), "`{text}`: {node:?}"));
            }
        }
        _ => {}
    }
}

/// Runs everything that takes a path.
fn exercise(text: &str) -> Result<Selected, PathErrorKind> {
    let parsed = parse(text);
    parsed.path.segments.iter().for_each(|segment| check_segment(text, segment));
    for problem in &parsed.problems {
        assert!(text.get(usize::from(problem.range.start())..usize::from(problem.range.end())).is_some());
        assert!(problem.message.chars().count() <= 80, "`{}`", problem.message);
    }
    for used_for in [PathPurpose::Items, PathPurpose::Score, PathPurpose::Assertion] {
        for finding in check(&parsed, used_for) {
            assert!(text.get(usize::from(finding.range.start())..usize::from(finding.range.end())).is_some());
            assert!(finding.message.chars().count() <= 80, "`{}`", finding.message);
        }
    }
    assert!(!sexpr(&parsed.path).is_empty());
    let _ = memory_keys(&parsed.path);
    select(&parsed.path, &root()).map_err(|error| error.kind)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_path(text in "\\PC{0,40}") {
        let _ = exercise(&text);
    }

    #[test]
    fn any_pieces_are_a_path(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..16)) {
        let _ = exercise(&pieces.concat());
        let _ = exercise(&format!("$.a[?({})]", pieces.concat()));
    }
}

#[test]
fn hostile_texts_end() {
    for unit in [
        ".",
        "[",
        "['",
        "[?(",
        "(",
        ")",
        "'",
        "^",
        "~",
        "@",
        ";",
        "a.",
        "[0]",
        "..a",
        "$.",
        "[?(@.a)]",
        "'(x)'",
        "@[",
        "?(",
        "@.a[?(",
        ")]",
        "#0",
        "a,",
        "%@%",
        "@string()",
        "[(@.length)]",
        "[\"a",
        "*.",
    ] {
        let _ = exercise(&unit.repeat(100_000 / unit.len()));
    }
}

#[test]
fn hostile_scripts_end() {
    for (before, unit, after) in [
        ("", "(", ""),
        ("", "!", "1"),
        ("", "-", "1"),
        ("", "1+", "1"),
        ("", "1==", "1"),
        ("", "a||", "a"),
        ("", "a&&b||", "a"),
        ("", "a?b:", "c"),
        ("", "[", ""),
        ("@", ".a", ""),
        ("@", "[0]", ""),
        ("@", ".a()", ""),
        ("@.a(", "1,", "1)"),
        ("", "@ ", ""),
        ("", "a ", ""),
        ("", "'", ""),
        ("", "/", ""),
        ("", "typeof ", "1"),
        ("", "1**", "1"),
        ("@.b.concat(", "@.b.concat(", "'')"),
    ] {
        let script = format!("{before}{}{after}", unit.repeat(30_000 / unit.len()));
        let _ = exercise(&format!("$.a[?({script})]"));
    }
}

#[test]
fn work_and_depth_are_bounded() {
    let mut wide: Value = [Value::from(1.0), Value::from(2.0)].into_iter().collect();
    for _ in 0..12 {
        wide = [wide.clone(), wide].into_iter().collect();
    }
    for path in ["$..*..*..*", "$[?(@root)]..*..[?(@root)]..*", "$..[0,1,0,1,0,1]..[0,1,0,1]"] {
        let outcome = select(&parse(path).path, &wide).map_err(|error| error.kind);
        assert_eq!(outcome, Err(PathErrorKind::TooMuch), "`{path}`");
    }
    let rooted = format!("${}", ".$".repeat(5_000));
    assert_eq!(exercise(&rooted), Err(PathErrorKind::TooMuch));
    let deep = format!("${}[?({}1{})]", ".$".repeat(390), "(".repeat(90), ")".repeat(90));
    assert!(matches!(exercise(&deep), Ok(Selected::Values(values)) if values.len() == 2));
    let named: Value = [("(@property)".into(), root())].into_iter().collect::<Map>().into();
    let endless = select(&parse("$.*[(@property)]").path, &named).map_err(|error| error.kind);
    assert_eq!(endless, Err(PathErrorKind::TooMuch));
}
