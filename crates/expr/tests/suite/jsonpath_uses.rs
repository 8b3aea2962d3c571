//! What cycgraph does with paths: a map's items, an annealing score, a verifier's assertion.

use nodewise_expr::jsonpath::{
    PathErrorKind, PatternFault, ValueAssertion, map_items, parse, pattern_fault, score, verify,
};
use nodewise_expr::value::Value;
use serde_json::json;

use crate::values::value_of;

fn check_items(memory: serde_json::Value, path: &str, expected: serde_json::Value) {
    let state = value_of(&json!({"workflow_id": "w", "goal": "g", "memory": memory}));
    let items: Value = map_items(&parse(path).path, &state).unwrap().into_iter().collect();
    assert_eq!(items, value_of(&expected), "`{path}`");
}

/// Whether an assertion passes, or what the release throws.
fn check_verdict(target: serde_json::Value, path: &str, assertion: ValueAssertion, expected: &str) {
    let found = match verify(&parse(path).path, &value_of(&target), &assertion) {
        Ok(verdict) => verdict.passed.to_string(),
        Err(error) => {
            assert_eq!(error.kind, PathErrorKind::Thrown);
            error.message
        }
    };
    assert_eq!(found, expected, "`{path}` of {target}: {assertion:?}");
}

#[test]
fn the_items_of_a_map_are_the_values_or_those_of_the_first_list() {
    let rows = json!({"rows": [{"k": 1}, {"k": 2}], "lists": [[1, 2], [3]], "one": "one", "none": []});
    check_items(rows.clone(), "$.memory.rows", json!([{"k": 1}, {"k": 2}]));
    check_items(rows.clone(), "$.memory.rows[*]", json!([{"k": 1}, {"k": 2}]));
    check_items(rows.clone(), "$.memory.rows[*].k", json!([1, 2]));
    check_items(rows.clone(), "$.memory.lists[*]", json!([1, 2]));
    check_items(rows.clone(), "$.memory.lists", json!([[1, 2], [3]]));
    check_items(rows.clone(), "$.memory.one", json!(["one"]));
    check_items(rows.clone(), "$.memory.none", json!([]));
    check_items(rows.clone(), "$.rows", json!([]));
    check_items(rows, "$.memory.rows[?(@.k > 1)]", json!([{"k": 2}]));
}

#[test]
fn the_score_is_the_first_number_and_otherwise_0() {
    let payload = value_of(&json!({"updates": {"draft": {"score": 0.62}, "text": "good"}}));
    for (path, expected) in [
        ("$.updates.draft.score", 0.62),
        ("$..score", 0.62),
        ("$.score", 0.0),
        ("$.updates.text", 0.0),
        ("$.updates[?(@.a.b)]", 0.0),
        ("$.updates[?(@.a <)]", 0.0),
    ] {
        assert_eq!(score(&parse(path).path, &payload), Ok(expected), "`{path}`");
    }
}

#[test]
fn assertions_hold_of_the_first_value_alone() {
    let invoice = json!({"items": [{"amount": 5}, {"amount": -1}], "id": "INV-1", "zero": 0, "none": null});
    let of_invoice = |path: &str, assertion: ValueAssertion, expected: &str| {
        check_verdict(invoice.clone(), path, assertion, expected);
    };
    of_invoice("$.items[*].amount", ValueAssertion::Greater(0.0), "true");
    of_invoice("$.items[*].amount", ValueAssertion::Greater(5.0), "false");
    of_invoice("$.items[*].amount", ValueAssertion::GreaterOrEqual(5.0), "true");
    of_invoice("$.items[1:].amount", ValueAssertion::Less(0.0), "true");
    of_invoice("$.zero", ValueAssertion::LessOrEqual(0.0), "true");
    of_invoice("$.zero", ValueAssertion::Exists, "true");
    of_invoice("$.none", ValueAssertion::Exists, "false");
    of_invoice("$.missing", ValueAssertion::Exists, "false");
    of_invoice("$.items", ValueAssertion::Exists, "true");
    of_invoice("$.id", ValueAssertion::Greater(0.0), "false");
    of_invoice("$.id", ValueAssertion::Equals(Value::from("INV-1")), "true");
    of_invoice("$.zero", ValueAssertion::Equals(Value::from("0")), "false");
    of_invoice("$.none", ValueAssertion::Equals(Value::Null), "true");
    of_invoice("$.items", ValueAssertion::Equals(value_of(&invoice["items"])), "false");
    of_invoice("$.id", ValueAssertion::Matches("^INV".into()), "true");
    of_invoice("$.id", ValueAssertion::Matches("^inv".into()), "false");
    of_invoice("$.zero", ValueAssertion::Matches("0".into()), "false");
    of_invoice("$.id", ValueAssertion::Matches("(".into()), "false");
    of_invoice("$.id[?(@.a)]", ValueAssertion::Exists, "false");
    of_invoice(
        "$.items[?(@.a.b)]",
        ValueAssertion::Exists,
        "jsonPath: Cannot read properties of undefined (reading 'b'): @.a.b",
    );
    check_verdict(json!("INV-1"), "$", ValueAssertion::Matches("^IN".into()), "true");
    check_verdict(json!("{\"a\":1}"), "$.a", ValueAssertion::Exists, "false");
}

#[test]
fn a_target_that_counts_as_false_makes_the_verifier_throw() {
    for target in [json!(null), json!(0), json!(""), json!(false)] {
        let expected = "Cannot read properties of undefined (reading '0')";
        check_verdict(target, "$", ValueAssertion::Exists, expected);
    }
}

#[test]
fn a_pattern_sees_the_first_10000_characters() {
    for (before, expected) in [(9_999, "true"), (10_000, "false")] {
        let text = json!(format!("{}x", "é".repeat(before)));
        check_verdict(text, "$", ValueAssertion::Matches("x".into()), expected);
    }
}

#[test]
fn repeated_repetitions_are_refused() {
    for refused in ["(a+)+", "(a*)*b", "(x*){2,}", "(a{2})+", "(a+) +", "(a+ )*", "((b)+){3}"] {
        assert_eq!(pattern_fault(refused), Some(PatternFault::RepeatedRepetition), "`{refused}`");
    }
    for fine in ["(a+)?", "(ab)+", "a+b*", "(a+)b+", "^[A-Z]{3}-\\d+$", "(a+){x}"] {
        assert_eq!(pattern_fault(fine), None, "`{fine}`");
    }
    for invalid in ["(", "[a", "a**", "(?<=a", "\\"] {
        assert!(matches!(pattern_fault(invalid), Some(PatternFault::Invalid(_))), "`{invalid}`");
    }
}
