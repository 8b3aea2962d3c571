//! Runs of the released packages, as their traces describe them, compared with graphs: a run conforms to the graph that made
//! it, and leaves one that was changed at the right step.

use std::path::Path;

use nodewise_simulation::external::conformance::conform;
use nodewise_simulation::external::external_runs;
use nodewise_simulation::testing::Tested;

use crate::scenarios::project;

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The results of a trace, with files of a folder in which texts were replaced.
fn compared(folder: &str, names: &[&str], changes: &[(&str, &str)], trace: &str) -> Vec<Tested> {
    let mut fixture = String::new();
    for name in names {
        let mut text = read(&format!("{folder}/{name}"));
        for (old, new) in changes {
            text = text.replace(old, new);
        }
        fixture.push_str(&format!("#- /{name}\n{text}\n"));
    }
    let snapshot = project(&fixture);
    let runs = external_runs(trace).unwrap();
    runs.iter().map(|(system, run)| conform(&snapshot, *system, run, "trace.json")).collect()
}

fn shown(tests: &[Tested]) -> String {
    let mut shown = String::new();
    for tested in tests {
        match &tested.ended {
            Ok(ended) => shown.push_str(&format!("{} ({} visits)\n", tested.title, ended.visits)),
            Err(reason) => shown.push_str(&format!("{}: {reason}\n", tested.title)),
        }
        for mismatch in &tested.mismatches {
            let at = mismatch.at.as_ref().map_or(0, |at| at.line);
            shown.push_str(&format!("{at}: {}\n", mismatch.message));
            mismatch.difference.iter().for_each(|line| shown.push_str(&format!("  {line}\n")));
        }
    }
    shown
}

const CLAIMS: (&str, &[&str]) = ("examples/cycgraph", &["claims.yaml", "settlement.yaml"]);
const REFUNDS: (&str, &[&str]) = ("examples/agentos", &["refunds.yaml"]);

/// A recorded trace on changed examples.
#[track_caller]
fn check_trace(example: (&str, &[&str]), trace: &str, changes: &[(&str, &str)], expected: &str) {
    let trace = read(&format!("tests/data/traces/{trace}"));
    let whole: String = example.1.iter().map(|name| read(&format!("{}/{name}", example.0))).collect();
    for (old, _) in changes {
        assert!(whole.contains(old), "{old}");
    }
    let found = shown(&compared(example.0, example.1, changes, &trace));
    let expected = expected.strip_prefix('\n').unwrap_or(expected);
    assert!(found == expected, "found:\n{found}\nexpected:\n{expected}");
}

#[test]
fn runs_conform_to_the_graph_that_made_them() {
    let claims = |trace, visits: usize| {
        let expected =
            format!("run 00000000-0000-4000-8000-000000000001 of graph `claims` ({visits} visits)\n");
        check_trace(CLAIMS, &format!("cycgraph/{trace}"), &[], &expected);
    };
    claims("large.events.json", 11);
    claims("large.spans.json", 11);
    claims("refused.events.json", 4);
    claims("waiting.events.json", 7);
    let refunds = |trace, run| {
        let expected = format!("run {run} of graph `refunds` (4 visits)\n");
        check_trace(REFUNDS, &format!("agentos/{trace}"), &[], &expected);
    };
    refunds("harmless.checkpoints.jsonl", "9fae02bb-088e-4f89-b20f-b3e8e5c4f7f2");
    refunds("risky.checkpoints.jsonl", "388b6685-38c9-4fbf-a703-7caf7bec8438");
}

/// What a trace that does not conform shows, without the line about its run.
#[track_caller]
fn check_departure(example: (&str, &[&str]), trace: &str, changes: &[(&str, &str)], expected: &str) {
    let (run, visits) = match (trace.split('/').next().unwrap(), trace.contains("large")) {
        ("agentos", _) => ("9fae02bb-088e-4f89-b20f-b3e8e5c4f7f2 of graph `refunds`", 4),
        (_, true) => ("00000000-0000-4000-8000-000000000001 of graph `claims`", 11),
        (_, false) => ("00000000-0000-4000-8000-000000000001 of graph `claims`", 4),
    };
    check_trace(example, trace, changes, &format!("run {run} ({visits} visits){expected}"));
}

#[test]
fn a_changed_condition_is_shown_where_the_run_leaves_the_graph() {
    check_departure(
        CLAIMS,
        "cycgraph/large.events.json",
        &[("< 500", "< 5000")],
        "
193: after `covered` comes `settle`, expected `value_damage`
    intake
    policy
    covered
  - value_damage
  + settle
  edge -x decline  when not memory.covered_verification_passed  claims.yaml:90
  edge -> settle  when number(memory.amount) < 5000 and memory.category != 'fire'  claims.yaml:94
  edge -> value_damage  claims.yaml:98
",
    );
    // A span says nothing of the state, so both ways are possible.
    check_departure(CLAIMS, "cycgraph/large.spans.json", &[("< 500", "< 5000")], "\n");
    check_departure(
        CLAIMS,
        "cycgraph/large.events.json",
        &[("not memory.covered_verification_passed", "memory.category == 'hail'")],
        "
193: after `covered` comes `decline`, expected `value_damage`
    intake
    policy
    covered
  - value_damage
  + decline
  edge -> decline  when memory.category == 'hail'  claims.yaml:90
  edge -x settle  when number(memory.amount) < 500 and memory.category != 'fire'  claims.yaml:94
  edge -> value_damage  claims.yaml:98
",
    );
    check_departure(
        REFUNDS,
        "agentos/harmless.checkpoints.jsonl",
        &[("risk >= 0.7", "risk >= 0.1")],
        "
3: after `lane` comes `review`, expected `history`
    screen
    score
    lane
  - history
  + review
  routes by scratch.risk >= 0.1 ? 'review' : 'history'
  edge -> review  refunds.yaml:52
  edge -> history  refunds.yaml:53
",
    );
}

#[test]
fn a_changed_structure_is_shown_where_the_run_leaves_the_graph() {
    let edge = ("source: settle, target: release", "source: settle, target: pay");
    let pays = |line: u32| {
        format!(
            "
{line}: after `settle` comes `pay`, expected `release`
    …
    value_damage
    sum_up
    settle
  - release
  + pay
  edge -> pay  claims.yaml:101
"
        )
    };
    check_departure(CLAIMS, "cycgraph/large.events.json", &[edge], &pays(459));
    check_departure(CLAIMS, "cycgraph/large.spans.json", &[edge], &pays(1));
    check_departure(
        CLAIMS,
        "cycgraph/large.events.json",
        &[("source: weigh, target: round", "source: round, target: weigh")],
        "
504: after `weigh` comes no `round`
    weigh
  - round
",
    );
    check_departure(
        CLAIMS,
        "cycgraph/refused.events.json",
        &[("start_node: intake", "start_node: policy")],
        "
38: the run begins at `policy`, expected `intake`
  - intake
  + policy
",
    );
    check_departure(
        CLAIMS,
        "cycgraph/refused.events.json",
        &[("covered", "insured")],
        "
189: the graph has no node `covered`
    intake
    policy
  - covered
  edge -> insured  claims.yaml:89
",
    );
    check_departure(
        REFUNDS,
        "agentos/harmless.checkpoints.jsonl",
        &[("source: screen, target: score", "source: history, target: score")],
        "
1: `score` runs before `history`, which leads to it
    screen
  - score
",
    );
}

#[test]
fn a_node_that_the_graph_visits_too_is_shown() {
    let more = "type: static}\n  - {id: more, source: screen, target: review, type: static}";
    check_departure(
        REFUNDS,
        "agentos/harmless.checkpoints.jsonl",
        &[("target: score, type: static}", &format!("target: score, {more}"))],
        "
1: after `screen` comes `review` too
    screen
  + review
  edge -> score  refunds.yaml:50
  edge -> review  refunds.yaml:51
",
    );
}

#[test]
fn a_trace_without_its_graph_is_an_error() {
    let refunds = read("tests/data/traces/agentos/risky.checkpoints.jsonl");
    let found = shown(&compared("examples/cycgraph", &["claims.yaml"], &[], &refunds));
    let missing = "no graph has the id `graph-refunds`, which the trace names";
    assert_eq!(found, format!("run 388b6685-38c9-4fbf-a703-7caf7bec8438: {missing}\n"));
    let log = read("tests/data/traces/cycgraph/refused.events.json");
    let found = shown(&compared("examples/agentos", &["refunds.yaml"], &[], &log));
    assert!(found.ends_with(": the trace names no graph, and no graph has its nodes\n"), "{found}");
    let claims = read("examples/cycgraph/claims.yaml");
    let snapshot =
        project(&format!("#- /one.yaml\n{claims}\n#- /other.yaml\n{}\n", claims.replace("claims", "more")));
    let runs = external_runs(&log).unwrap();
    let found = shown(&[conform(&snapshot, runs[0].0, &runs[0].1, "trace.json")]);
    assert!(found.contains("several have its nodes: `claims`, `more`"), "{found}");
}

#[test]
fn other_json_is_no_trace() {
    for text in [
        "",
        "{",
        "{}",
        "[]",
        "[1]",
        r#"{"resourceSpans": 1, "runId": "a"}"#,
        r#"[{"run_id": "a", "sequence_id": 1}]"#,
    ] {
        let runs = external_runs(text).unwrap_or_default();
        assert!(runs.is_empty(), "{text}");
    }
}

/// Cut and damaged traces are read as far as they go, or not at all.
#[test]
fn damaged_traces_do_not_stop_the_reader() {
    for name in ["cycgraph/large.events.json", "cycgraph/large.spans.json", "agentos/risky.checkpoints.jsonl"]
    {
        let text = read(&format!("tests/data/traces/{name}"));
        let step = text.len() / 40 + 1;
        for (at, _) in text.char_indices().step_by(step) {
            let without = format!("{}{}", &text[..at], text[at..].chars().skip(1).collect::<String>());
            for damaged in [&text[..at], without.as_str()] {
                for (system, run) in external_runs(damaged).unwrap_or_default() {
                    let snapshot =
                        project(&format!("#- /claims.yaml\n{}\n", read("examples/cycgraph/claims.yaml")));
                    let _ = conform(&snapshot, system, &run, "trace.json");
                }
            }
        }
    }
}

/// Every run of a file conforms to the graph that made it. A row has a name, what declares the graphs, and the trace.
#[track_caller]
fn check_conforming(rows: &str, fixture: impl Fn(&serde_json::Value) -> String, trace: &str, least: usize) {
    let (mut count, mut faults) = (0, String::new());
    for row in rows.lines() {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        let snapshot = project(&fixture(&row));
        for (system, run) in external_runs(&row[trace].to_string()).unwrap() {
            let tested = conform(&snapshot, system, &run, "trace.json");
            count += 1;
            if !tested.is_passed() {
                faults.push_str(&format!("{}\n{}", row["run"], shown(&[tested])));
            }
        }
    }
    assert!(faults.is_empty() && count >= least, "{count} runs:\n{faults}");
}

#[test]
fn all_recorded_logs_conform() {
    let scenario = |row: &serde_json::Value| {
        let folder = "tests/data/corpus/cycgraph/scenarios";
        let text = read(&format!("{folder}/{}", row["run"].as_str().unwrap()));
        let scenario: serde_json::Value = yaml(&text);
        let mut fixture = format!("#- /main.yaml\n{}\n", scenario["graph"]);
        for (number, inner) in scenario["graphs"].as_array().into_iter().flatten().enumerate() {
            fixture.push_str(&format!("#- /inner{number}.yaml\n{inner}\n"));
        }
        fixture
    };
    let rows = read("tests/data/traces/cycgraph/scenarios.jsonl");
    check_conforming(&rows, scenario, "events", 40);
}

#[test]
fn all_recorded_checkpoints_conform() {
    let graph = |row: &serde_json::Value| format!("#- /main.yaml\n{}\n", row["graph"]);
    let rows = read("tests/data/traces/agentos/runs.jsonl");
    check_conforming(&rows, graph, "checkpoints", 15);
}

fn yaml(text: &str) -> serde_json::Value {
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().next().and_then(|document| document.root()).unwrap();
    nodewise_dialect::value::SpannedValue::from_node(root, nodewise_model::SourceId::default()).to_json()
}
