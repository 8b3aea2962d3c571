//! Conformance: every case of the YAML test suite, verdict and events.

use nodewise_syntax::{dump, events, parse};

use crate::support::shared_file;

#[test]
fn every_case_of_the_yaml_test_suite() {
    let Some(data) = shared_file("data/yaml-test-suite.json") else { return };
    let data: serde_json::Value = serde_json::from_str(&data).unwrap();
    let cases = data["cases"].as_array().unwrap();
    let failures: Vec<String> = cases.iter().filter_map(check_case).collect();
    println!("{} of {} cases agree", cases.len() - failures.len(), cases.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(cases.len(), 402);
}

fn check_case(case: &serde_json::Value) -> Option<String> {
    let text = case["yaml"].as_str().unwrap();
    let name = format!("{} {}", case["id"].as_str().unwrap(), case["name"].as_str().unwrap());
    let tree = parse(text);
    assert_eq!(tree.token_texts().collect::<String>(), text, "{name} is not covered");
    if case["error"] == true {
        return tree.is_valid().then(|| format!("== {name}: accepted\n{text}\n{}", dump::tree_text(&tree)));
    }
    if !tree.is_valid() {
        return Some(format!(
            "== {name}: refused\n{text}\n{:?}\n{}",
            tree.problems(),
            dump::tree_text(&tree)
        ));
    }
    let (expected, found) = (case["events"].as_str().unwrap(), events::event_text(&tree));
    (expected != found)
        .then(|| format!("== {name}: other events\n{text}\n{expected}\n{found}\n{}", dump::tree_text(&tree)))
}
