//! Replays what the packages build of the repository's modules, and compares it with our readings.

use serde_json::{Value, json};

use super::difference::{UNKNOWN, compare};
use super::reading::Environment;
use super::{KNOWN, MODULES, ModuleOptions, RECORDED, Tally, generated, oracle, reading};
use crate::oracle::random::Random;
use crate::oracle::record;
use xtask::checkout::checkout_root;

/// How many generated modules are compared.
const GENERATED: u64 = 300;

#[test]
fn recorded_modules() {
    let root = checkout_root();
    let folder = root.join(MODULES);
    let rows =
        record::read(&std::fs::read_to_string(root.join(RECORDED)).expect("recorded answers")).expect("rows");
    let recorded: Vec<&str> = rows.iter().filter_map(|(question, _)| question["module"].as_str()).collect();
    assert_eq!(recorded, oracle::modules(&folder).expect("modules"));
    for environment in [Environment::Unknown, Environment::Empty] {
        let mut total = Tally::default();
        for (question, answer) in &rows {
            let path = question["module"].as_str().expect("a path");
            let ours = reading::declarations(&folder, path, environment);
            total.add(compare(path, &answer["declarations"], &ours));
        }
        let lines: Vec<String> = total.lines().collect();
        let is_good = total.is_right() && total.is_known(KNOWN);
        assert!(is_good, "{environment:?}: {}\n{}", total.summary(), lines.join("\n"));
    }
}

#[test]
fn generated_modules_have_the_findings_of_the_same_graph_in_yaml() {
    let mut compared = 0;
    for case in 0..GENERATED {
        let Some((system, graph)) = generated::graph(&mut Random::for_case(3, case)) else { continue };
        compared += 1;
        if let Err(difference) = generated::compare(system, &graph, &mut Random::for_case(4, case)) {
            panic!(
                "{}\n{}\nonly in YAML: {:?}\nonly in the module: {:?}",
                difference.text, difference.module, difference.missing, difference.added
            );
        }
    }
    assert!(compared > GENERATED / 8, "{compared}");
}

/// A condition may stand in a constant: a finding about a part of it is at the letters, not at the name.
#[test]
fn a_condition_in_a_constant_has_the_finding_of_the_same_condition_in_yaml() {
    let yaml = "id: g
name: g
nodes:
  - {id: a, type: tool, executorConfig: {type: tool, toolName: look}, executionMode: single_turn, effectClass: external, checkpoint: none}
  - {id: b, type: tool, executorConfig: {type: tool, toolName: look}, executionMode: single_turn, effectClass: external, checkpoint: none}
edges:
  - {id: e1, source: __START__, target: a, type: static}
  - {id: e2, source: a, target: b, type: conditional, condition: {type: expression, expr: look}}
  - {id: e3, source: b, target: __END__, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: snapshot
";
    let module = "import type { CompiledExecutionGraph } from '@framers/agentos/orchestration';
const word = 'look';
const tool = { type: 'tool', executorConfig: { type: 'tool', toolName: word }, executionMode: 'single_turn',
  effectClass: 'external', checkpoint: 'none' } as const;
export const g: CompiledExecutionGraph = {
  id: 'g', name: 'g',
  nodes: [{ id: 'a', ...tool }, { id: 'b', ...tool }],
  edges: [
    { id: 'e1', source: '__START__', target: 'a', type: 'static' },
    { id: 'e2', source: 'a', target: 'b', type: 'conditional', condition: { type: 'expression', expr: word } },
    { id: 'e3', source: 'b', target: '__END__', type: 'static' },
  ],
  stateSchema: { input: {}, scratch: {}, artifacts: {} }, reducers: {}, checkpointPolicy: 'none', memoryConsistency: 'snapshot',
};
";
    match generated::compare_texts("agentos", yaml.to_owned(), module.to_owned()) {
        Ok(findings) => assert_eq!(findings, 1),
        Err(difference) => panic!("{:?} {:?}", difference.missing, difference.added),
    }
}

/// Compares one value that a package built at line 3 with our reading.
fn check(theirs: &Value, ours: &Value, expected: &str, lines: &[&str]) {
    let their = json!([{"system": "s", "kind": "K", "line": 3, "value": theirs, "exports": []}]);
    let our = json!({"system": "s", "kind": "K", "line": 2, "last_line": 4, "value": ours});
    let tally = compare("m.ts", &their, &[our]);
    assert!(tally.summary().starts_with(expected), "{}", tally.summary());
    assert_eq!(tally.lines().collect::<Vec<_>>(), lines);
}

#[test]
fn fields_are_equal_unknown_or_wrong() {
    let theirs = json!({"a": 1, "b": ["x", "y"], "c": {"d": []}, "e": true});
    check(&theirs, &json!({"a": 1.0, "b": ["x", "y"], "c": {"d": []}, "e": true}), "5 fields, 5 equal", &[]);
    check(
        &theirs,
        &json!({"a": 2, "b": {UNKNOWN: "a loop"}, "c": {"d": [1]}, "f": 1}),
        "6 fields, 0 equal, 2 unknown, 4 wrong",
        &[
            "wrong    m.ts: K .a: 2, not 1",
            "wrong    m.ts: K .c.d: [1], not []",
            "wrong    m.ts: K .e: absent, not true",
            "wrong    m.ts: K .f: 1, not absent",
            "unknown  m.ts: K .b: a loop (2)",
        ],
    );
}

/// What the package leaves out may be what our reading does not know.
#[test]
fn a_mapping_without_a_known_part_is_not_wrong() {
    let unknown = json!({UNKNOWN: "a variable"});
    check(
        &json!({"id": "x"}),
        &json!({"id": "x", "a": {"b": {"c": unknown}}, "d": {"e": unknown, "f": 1}}),
        "3 fields, 1 equal, 1 unknown, 1 wrong",
        &[
            "wrong    m.ts: K x.d: {\"e\":{\"$unknown\":\"a variable\"},\"f\":1}, not absent",
            "unknown  m.ts: K x.a: a variable (1)",
        ],
    );
}

#[test]
fn ids_that_were_made_up_stand_for_one_another() {
    let theirs = json!({"id": "#1", "a": "#2", "b": "#2", "c": "#3"});
    check(&theirs, &json!({"a": "m.ts#x", "b": "m.ts#x", "c": "m.ts#y"}), "3 fields, 3 equal", &[]);
    check(
        &theirs,
        &json!({"a": "m.ts#x", "b": "m.ts#y", "c": "plain"}),
        "3 fields, 1 equal, 0 unknown, 2 wrong",
        &["wrong    m.ts: K #1.b: \"m.ts#y\", not \"#2\"", "wrong    m.ts: K #1.c: \"plain\", not \"#3\""],
    );
}

#[test]
fn options_are_read() {
    assert!(ModuleOptions::read(&["--folder", "x"]).is_ok());
    for wrong in [&["--folder"][..], &["--folder", "x", "--record"], &["x"], &["--generated", "many"]] {
        assert!(ModuleOptions::read(wrong).is_err(), "{wrong:?}");
    }
}
