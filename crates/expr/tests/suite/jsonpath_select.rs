//! What paths select: the table in cycgraph:5, and answers of jsonpath-plus 10.4.0 that were recorded.

use nodewise_expr::jsonpath::{PathErrorKind, Selected, parse, select};
use serde_json::json;

use crate::values::value_of;

/// The values as JSON, `undefined`, or the error's message.
fn check_select(root: &serde_json::Value, path: &str, expected: &str) {
    let found = match select(&parse(path).path, &value_of(root)) {
        Ok(Selected::Nothing) => "undefined".to_owned(),
        Ok(Selected::Values(values)) => {
            let wanted: Option<Vec<serde_json::Value>> = serde_json::from_str(expected).ok();
            match wanted {
                Some(wanted) if wanted.iter().map(value_of).eq(values.iter().cloned()) => expected.to_owned(),
                _ => format!("{values:?}"),
            }
        }
        Err(error) => {
            assert_eq!(error.kind, PathErrorKind::Thrown, "`{path}`: {}", error.message);
            format!("throws {}", error.message)
        }
    };
    assert_eq!(found, expected, "`{path}` on {root}");
}

#[test]
fn the_table_of_the_specification_holds() {
    let root = json!({"a": {"b": [{"p": 8}, {"p": 12}, {"p": 23, "i": 1}], "q": 20},
                      "n": 0, "e": [], "s": "str", "nul": null});
    for (path, expected) in [
        ("$.a.b[*].p", "[8,12,23]"),
        ("$.a.b[-1].p", "[]"),
        ("$.a.b[-1:].p", "[23]"),
        ("$.a.b[0,2].p", "[8,23]"),
        ("$.a.b[?(@.p>10)].p", "[12,23]"),
        ("$.a.b[?(@.i)].p", "[23]"),
        ("$.a.b.length", "[3]"),
        ("$..p", "[8,12,23]"),
        ("$.missing", "[]"),
        ("$.missing.x", "[]"),
        ("$.n", "[0]"),
        ("$.nul", "[null]"),
        ("$.e", "[[]]"),
        ("$.e[*]", "[]"),
        ("$.s[0]", "[\"s\"]"),
        ("$.s.length", "[3]"),
        ("a.q", "[20]"),
        ("", "[]"),
        ("$.a.b[", "[[{\"p\":8},{\"p\":12},{\"p\":23,\"i\":1}]]"),
        ("$.a.b[?(@.x.y>1)]", "throws jsonPath: Cannot read properties of undefined (reading 'y'): @.x.y>1"),
        ("$.a.b[?(@.p <)]", "throws Expected expression after < at character 8"),
    ] {
        check_select(&root, path, expected);
    }
}

#[test]
fn operators_on_bits_see_whole_numbers() {
    let root = json!({"b": [3, -1, 2.5, "6", null, [4], {}]});
    let all = "[3,-1,2.5,\"6\",null,[4],{}]";
    for (path, expected) in [
        ("$.b[?(@ & 2)]", "[3,-1,2.5,\"6\"]"),
        ("$.b[?((@ | 0) === 2)]", "[2.5]"),
        ("$.b[?((@ ^ 1) === 2)]", "[3]"),
        ("$.b[?((@ << 33) === 6)]", "[3]"),
        ("$.b[?((@ >> 1) === -1)]", "[-1]"),
        ("$.b[?((@ >>> 0) === 4294967295)]", "[-1]"),
        ("$.b[?(~@ === -3)]", "[2.5]"),
        ("$.b[?((4294967297.5 | 0) === 1)]", all),
        ("$.b[?((-4294967297 | 0) === -1)]", all),
        ("$.b[?((2147483648 | 0) === -2147483648)]", all),
        ("$.b[?((1/0 | 0) === 0)]", all),
        ("$.b[?((1e300 | 0) === 0)]", all),
        ("$.b[?(1 | 2 & 4 ^ 8 === 8)]", all),
        ("$.b[([]|@)]", "[3]"),
        ("$[([]|@)]", "throws loc.indexOf is not a function"),
    ] {
        check_select(&root, path, expected);
    }
}

#[test]
fn a_root_that_counts_as_false_yields_no_list() {
    for root in [json!(null), json!(0), json!(""), json!(false)] {
        check_select(&root, "$", "undefined");
    }
    check_select(&json!("str"), "$", "[\"str\"]");
    check_select(&json!("{\"a\":1}"), "$.a", "[]");
}
