//! Every document of the cycgraph corpus, judged by the command, each a project of its own.
//!
//! Input: the documents, and what the published packages said about them. Output: the classes of the specification
//! that stand for errors and warnings. Invariant: both say the same, no class more and none less; hints do not count.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use nodewise_dialect::value::Data;
use serde_json::{Value, json};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/corpus/cycgraph");
const SCENARIOS: &str = include_str!("../data/corpus/cycgraph/scenarios/expected.json");
const EXPECTED: &str = include_str!("../data/corpus/cycgraph/expected.json");

/// Severity and class.
type Classes = BTreeSet<(String, String)>;

/// What a message of the release begins or goes on with, and the rule that it is (cycgraph:3.2).
const MESSAGES: &[(&str, &str)] = &[
    ("Duplicate node ID", "R1"),
    ("read_keys includes '*'", "R2"),
    ("write_keys includes '*'", "R3"),
    ("tool nodes write their result", "R4"),
    ("Start node ", "R5"),
    ("Graph has no end nodes", "R6"),
    ("End node ", "R7"),
    ("Duplicate edge ID", "R8"),
    (": source node ", "R9"),
    (": target node ", "R10"),
    ("self-referencing edge", "R11"),
    ("missing a condition expression", "R12"),
    ("has syntax error", "R13"),
    ("bare 'true'/'false'", "R14"),
    ("is missing agent_id (set on", "R33"),
    ("is missing agent_id", "R15"),
    ("annealing initial_temperature", "R16"),
    (": peer node ", "R17"),
    ("no return edge from peer", "R18"),
    ("is missing tool_id", "R19"),
    ("is missing a2a_config.server_id", "R21"),
    ("is missing a2a_config", "R20"),
    ("is missing subgraph_config.subgraph_id", "R23"),
    ("is missing subgraph_config", "R22"),
    ("is missing approval_config", "R24"),
    ("rejection_node_id ", "R25"),
    ("is missing map_reduce_config", "R26"),
    (": worker node ", "R27"),
    (": synthesizer node ", "R28"),
    ("is missing voting_config", "R29"),
    ("voter_agent_ids must not be empty", "R30"),
    ("requires judge_agent_id", "R31"),
    ("is missing supervisor_config", "R32"),
    (": managed node ", "R34"),
    ("has no edge to managed node", "R35"),
    ("manages itself", "R36"),
    ("is missing evolution_config", "R37"),
    ("elite_count must be less", "R38"),
    ("tournament_size exceeds", "R39"),
    ("temperature increases over generations", "R40"),
    ("is missing verifier_config", "R41"),
    (": target_key ", "R42"),
    ("is missing reflection_config", "R43"),
    (": source_key ", "R44"),
    (": entity_key ", "R45"),
    ("no tags set", "R46"),
    (": default_write_key ", "R47"),
    ("is unreachable from start node", "R48"),
    ("has no outgoing edges", "R49"),
    ("is redundant", "R50"),
    ("reflection source_keys entry", "R52"),
    (": read_keys entry ", "R51"),
    ("Graph contains cycles", "R53"),
];

fn rule(message: &str) -> &'static str {
    let found = MESSAGES.iter().find(|(part, _)| message.contains(part));
    found.unwrap_or_else(|| panic!("no rule says {message}")).1
}

/// The rules about names of nodes that do not exist.
const UNKNOWN_NODES: &[&str] = &["R1", "R5", "R7", "R9", "R10", "R17", "R25", "R27", "R28", "R34"];

/// What the release said of a document.
fn recorded(verdict: &Value) -> Classes {
    let texts = |key: &str| -> Vec<&str> {
        verdict[key].as_array().unwrap().iter().map(|message| message.as_str().unwrap()).collect()
    };
    let class = |severity: &str, rule: &str| (severity.to_owned(), format!("cycgraph:{rule}"));
    match verdict["stage"].as_str().unwrap() {
        "schema" => [class("error", "schema")].into(),
        "integrity" => [class("error", "integrity")].into(),
        _ => {
            let errors: Vec<&str> = texts("errors").into_iter().map(rule).collect();
            // What only follows from a node that does not exist is not reported beside it.
            let is_broken = errors.iter().any(|rule| UNKNOWN_NODES.contains(rule));
            let follows = |rule: &&str| is_broken && ["R48", "R49", "R53"].contains(rule);
            let warnings: Vec<&str> =
                texts("warnings").into_iter().map(rule).filter(|rule| !follows(rule)).collect();
            let errors = errors.into_iter().map(|rule| class("error", rule));
            errors.chain(warnings.into_iter().map(|rule| class("warning", rule))).collect()
        }
    }
}

/// The errors and warnings that the command has for one file, without what stands for no class.
fn found(file: &str) -> (Classes, Vec<Value>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
    classes(&command.args(["check", "--format", "json", file]).current_dir(CORPUS).output().unwrap())
}

/// The same for a text.
fn found_in(text: &str) -> (Classes, Vec<Value>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
    command.args(["check", "--format", "json", "--stdin-filename", "graph.json", "-"]).current_dir(CORPUS);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    classes(&child.wait_with_output().unwrap())
}

fn classes(output: &Output) -> (Classes, Vec<Value>) {
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (mut classes, mut others) = (Classes::new(), Vec::new());
    for diagnostic in document["diagnostics"].as_array().unwrap() {
        let severity = diagnostic["severity"].as_str().unwrap();
        match diagnostic["spec"].as_str() {
            _ if severity == "hint" => {}
            Some(class) => {
                let also = diagnostic["alsoSpec"].as_str();
                for class in std::iter::once(class).chain(also) {
                    classes.insert((severity.to_owned(), class.to_owned()));
                }
            }
            None => others.push(diagnostic.clone()),
        }
    }
    (classes, others)
}

#[test]
fn every_document_has_its_classes_and_no_other() {
    let expected: Value = serde_json::from_str(EXPECTED).unwrap();
    let mut differences = String::new();
    for (file, verdict) in expected["files"].as_object().unwrap() {
        let recorded = recorded(verdict);
        let (classes, others) = found(file);
        if classes != recorded {
            let missing: Vec<_> = recorded.difference(&classes).collect();
            let more: Vec<_> = classes.difference(&recorded).collect();
            differences.push_str(&format!("{file}\n  missing {missing:?}\n  too many {more:?}\n"));
        }
        // A valid document runs: what we add to the release's own warnings is a hint, but for what no run can do.
        let others: Vec<Value> =
            others.into_iter().filter(|other| other["rule"] != "shadowed-edge").collect();
        if verdict["valid"] == true && !others.is_empty() {
            differences.push_str(&format!("{file}\n  false alarms {others:#?}\n"));
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

/// The graph of a scenario as JSON, without the scripts around it.
fn graph_of_scenario(name: &str) -> Option<String> {
    let text = std::fs::read_to_string(Path::new(CORPUS).join("scenarios").join(name)).unwrap();
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().next()?.root()?;
    let scenario =
        nodewise_dialect::value::SpannedValue::from_node(root, nodewise_model::SourceId::default());
    Some(to_json(&scenario.get("graph")?.value).to_string())
}

fn to_json(value: &nodewise_dialect::value::SpannedValue<'_>) -> Value {
    match &value.data {
        Data::Null | Data::Tagged(_) | Data::Unknown => Value::Null,
        Data::Bool(value) => json!(value),
        Data::Number(number) => json!(number),
        Data::Text(text) => json!(text),
        Data::List(items) => items.iter().map(to_json).collect(),
        Data::Map(members) => {
            members.iter().map(|member| (member.key.to_string(), to_json(&member.value))).collect()
        }
    }
}

#[test]
fn graphs_that_run_have_no_errors() {
    let expected: Value = serde_json::from_str(SCENARIOS).unwrap();
    for (name, result) in expected["results"].as_object().unwrap() {
        let (classes, _) = found_in(&graph_of_scenario(name).unwrap());
        let is_refused =
            result["error"]["message"].as_str().is_some_and(|message| message.starts_with(REFUSED));
        let has_errors = classes.iter().any(|(severity, _)| severity == "error");
        assert_eq!(has_errors, is_refused, "{name}: {classes:?}");
    }
}

/// What the message of a run begins with that the static check ended before it began.
const REFUSED: &str = "Graph validation failed";

#[test]
fn every_document_is_in_the_table() {
    let expected: Value = serde_json::from_str(EXPECTED).unwrap();
    let mut files: Vec<String> = Path::new(CORPUS)
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".yaml"))
        .collect();
    files.sort();
    let mut known: Vec<String> = expected["files"].as_object().unwrap().keys().cloned().collect();
    known.sort();
    assert_eq!(files, known);
}
