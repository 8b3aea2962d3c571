//! `test`.

use crate::cli::support::{Folder, check_run, check_shown};

const FLOW: &str = "#- flow.yaml
id: flow
name: flow
description: A draft is sent when it is good and short.
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [draft]}
  - {id: rate, type: tool, tool_id: rate, tools: [rate], read_keys: [draft]}
  - {id: send, type: agent, agent_id: sender, read_keys: [draft], write_keys: [sent]}
  - {id: drop, type: agent, agent_id: sender, read_keys: [draft], write_keys: [dropped]}
edges:
  - {source: write, target: rate}
  - {source: rate, target: send, condition: {type: conditional, condition: memory.rate_result > 5 and memory.short}}
  - {source: rate, target: drop}
start_node: write
end_nodes: [send, drop]
---
id: writer
name: Writer
model: m-1
provider: local
system_prompt: Write.
---
id: sender
name: Sender
model: m-1
provider: local
system_prompt: Send.
#- flow.script.yaml
script: A good draft.
agents: {writer: {text: Dear all., after: 1500}, sender: sent}
tools: {rate: 8}
#- flow.scenario.yaml
scenario: A good draft is sent.
file: flow.yaml
uses: flow.script.yaml
memory: {short: true}
expect:
  path: [write, rate, send]
  state: {rate_result: 8}
  calls: {rate: 1}
---
scenario: A long draft is dropped.
file: flow.yaml
uses: flow.script.yaml
memory: {short: false}
expect:
  path: [write, rate, drop]
  time: 2 s
";

const BROKEN: &str = "#- more.scenario.yaml
scenario: A bad draft <is> sent.
file: flow.yaml
uses: flow.script.yaml
memory: {short: true}
tools: {rate: 3}
expect:
  path: [write, rate, send]
  state: {rate_result: 8}
  calls: {rate: 2}
---
scenario: Nothing is there.
file: flew.yaml
";

#[test]
fn scenarios_that_hold() {
    check_run(
        FLOW,
        "test",
        r#"
ok      flow.scenario.yaml:1  A good draft is sent.  (3 visits, 1.5 s)
ok      flow.scenario.yaml:10  A long draft is dropped.  (3 visits, 1.5 s)
2 scenarios: 2 passed
exit 0
"#,
    );
    check_run(
        FLOW,
        "test flow.scenario.yaml --filter long",
        r#"
ok      flow.scenario.yaml:10  A long draft is dropped.  (3 visits, 1.5 s)
1 scenario: 1 passed
exit 0
"#,
    );
}

#[test]
fn scenarios_that_do_not_hold() {
    let files = format!("{FLOW}{BROKEN}");
    check_run(
        &files,
        "test .",
        r#"
ok      flow.scenario.yaml:1  A good draft is sent.  (3 visits, 1.5 s)
ok      flow.scenario.yaml:10  A long draft is dropped.  (3 visits, 1.5 s)
FAILED  more.scenario.yaml:1  A bad draft <is> sent.  (3 visits, 1.5 s)
        after `rate` comes `drop`, expected `send`  more.scenario.yaml:7
              write
              rate
            - send
            + drop
            edge -x send  when memory.rate_result > 5 and memory.short  flow.yaml:11
            edge -> drop  flow.yaml:12
            at flow.yaml:6
        `state.rate_result` is 3, expected 8  more.scenario.yaml:8
            at flow.yaml:6
        `rate` was called once, expected 2 times  more.scenario.yaml:9
            + {"draft":"Dear all."}
            at flow.yaml:6
error   more.scenario.yaml:11  Nothing is there.
        line 12: the project has no file `flew.yaml` [unknown-run-target]
          help: paths are relative to this file
4 scenarios: 2 passed, 1 failed, 1 could not run
exit 1
"#,
    );
}

#[test]
fn junit() {
    let files = format!("{FLOW}{BROKEN}");
    check_run(
        &files,
        "test --format junit",
        r#"
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nodewise" tests="4" failures="1" errors="1" time="4.500">
  <testsuite name="flow.scenario.yaml" tests="2" failures="0" errors="0" time="3.000">
    <testcase name="A good draft is sent." classname="flow.scenario.yaml" time="1.500"/>
    <testcase name="A long draft is dropped." classname="flow.scenario.yaml" time="1.500"/>
  </testsuite>
  <testsuite name="more.scenario.yaml" tests="2" failures="1" errors="1" time="1.500">
    <testcase name="A bad draft &lt;is&gt; sent." classname="more.scenario.yaml" time="1.500">
      <failure message="after `rate` comes `drop`, expected `send`" type="path">more.scenario.yaml:7: after `rate` comes `drop`, expected `send`
    write
    rate
  - send
  + drop
  edge -x send  when memory.rate_result &gt; 5 and memory.short  flow.yaml:11
  edge -&gt; drop  flow.yaml:12
  at flow.yaml:6</failure>
      <failure message="`state.rate_result` is 3, expected 8" type="state.rate_result">more.scenario.yaml:8: `state.rate_result` is 3, expected 8
  at flow.yaml:6</failure>
      <failure message="`rate` was called once, expected 2 times" type="calls.rate">more.scenario.yaml:9: `rate` was called once, expected 2 times
  + {&quot;draft&quot;:&quot;Dear all.&quot;}
  at flow.yaml:6</failure>
    </testcase>
    <testcase name="Nothing is there." classname="more.scenario.yaml" time="0.000">
      <error message="line 12: the project has no file `flew.yaml` [unknown-run-target]" type="broken">more.scenario.yaml:11
line 12: the project has no file `flew.yaml` [unknown-run-target]
  help: paths are relative to this file</error>
    </testcase>
  </testsuite>
</testsuites>
exit 1
"#,
    );
}

#[test]
fn a_report_in_a_file_leaves_text_on_the_screen() {
    let folder = Folder::new(&format!("{FLOW}{BROKEN}"));
    let shown = folder.run("test --format json -o report.json");
    assert!(shown.starts_with("ok      flow.scenario.yaml:1  A good draft is sent."), "{shown}");
    let report = std::fs::read_to_string(folder.path().join("report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let counts = ["version", "passed", "failed", "broken"].map(|key| report[key].as_u64().unwrap());
    assert_eq!(counts, [1, 2, 1, 1]);
    assert_eq!(report["projects"][0]["scenarios"][2]["mismatches"][0]["of"], "path");
}

#[test]
fn coverage() {
    check_run(
        FLOW,
        "test --coverage text",
        r#"
ok      flow.scenario.yaml:1  A good draft is sent.  (3 visits, 1.5 s)
ok      flow.scenario.yaml:10  A long draft is dropped.  (3 visits, 1.5 s)
2 scenarios: 2 passed
coverage of graph `flow`
  nodes             4/4    100 %
  edges             3/3    100 %
  conditions        1/2     50 %
  not decided   `memory.rate_result > 5` was never false  flow.yaml:11
exit 0
"#,
    );
    let folder = Folder::new(FLOW);
    folder.run("test --coverage lcov=lcov.info --coverage json=coverage.json");
    let lcov = std::fs::read_to_string(folder.path().join("lcov.info")).unwrap();
    assert_eq!(
        lcov,
        r#"TN:
SF:flow.yaml
BRDA:11,0,0,1
BRDA:11,0,1,1
BRDA:11,1,0,2
BRDA:11,1,1,0
BRDA:11,2,0,1
BRDA:11,2,1,1
BRF:6
BRH:5
DA:5,2
DA:6,2
DA:7,1
DA:8,1
DA:10,2
DA:11,1
DA:12,1
LF:7
LH:7
end_of_record
"#
    );
    let json = std::fs::read_to_string(folder.path().join("coverage.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let condition = &json["projects"][0]["coverage"]["graphs"][0]["edges"][1]["condition"];
    assert_eq!(
        condition["parts"],
        serde_json::json!([
            {"text": "memory.rate_result > 5", "true": 2, "false": 0, "decides": false},
            {"text": "memory.short", "true": 1, "false": 1, "decides": true},
        ])
    );
}

#[test]
fn too_little_coverage_fails() {
    check_run(
        FLOW,
        "test --min-coverage nodes=100,conditions=90",
        r#"
ok      flow.scenario.yaml:1  A good draft is sent.  (3 visits, 1.5 s)
ok      flow.scenario.yaml:10  A long draft is dropped.  (3 visits, 1.5 s)
2 scenarios: 2 passed
1 of 2 conditions are covered; you require 90 %
exit 1
"#,
    );
    let folder = Folder::new(FLOW);
    assert!(folder.run("test --min-coverage 50").ends_with("exit 0\n"));
    let wanted = FLOW.replace("  time: 2 s\n", "  time: 2 s\n  coverage: {nodes: 100, conditions: 80}\n");
    check_run(
        &wanted,
        "test",
        r#"
ok      flow.scenario.yaml:1  A good draft is sent.  (3 visits, 1.5 s)
FAILED  flow.scenario.yaml:10  A long draft is dropped.  (3 visits, 1.5 s)
        the scenarios of this file cover 1 of 2 conditions, 50 %, expected at least 80 %  flow.scenario.yaml:17
2 scenarios: 1 passed, 1 failed
exit 1
"#,
    );
}

#[test]
fn the_same_bytes_whatever_the_number_of_threads() {
    let more: String = (0..60)
        .map(|number| {
            let short = number % 3 == 0;
            let chance = format!("{{one_of: [{{value: {number}, after: {number}}}, {{error: no, weight: 2}}]}}");
            format!(
                "#- many/{}.scenario.yaml\nscenario: Number {number}.\nfile: ../flow.yaml\nseed: {number}\nmemory: \
                 {{short: {short}}}\ntools: {{rate: [{chance}, 8]}}\n",
                number % 60,
            )
        })
        .collect();
    let folder = Folder::new(&format!("{FLOW}{BROKEN}{more}"));
    let run = |threads: &str, format: &str| {
        let coverage = "--coverage lcov=lcov.info --coverage json=coverage.json";
        let mut command = folder.command(&format!("test --format {format} {coverage}"));
        let output = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
        let written = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
        (output.stdout, output.stderr, written("lcov.info"), written("coverage.json"))
    };
    for format in ["text", "json", "junit"] {
        let once = run("1", format);
        for threads in ["1", "2", "8", "8"] {
            assert!(run(threads, format) == once, "{format} with {threads} threads");
        }
    }
}

#[test]
fn a_filter_says_what_it_leaves_out() {
    let wanted = FLOW.replace("  time: 2 s\n", "  time: 2 s\n  coverage: {nodes: 100, conditions: 80}\n");
    check_run(
        &wanted,
        "test --filter dropped",
        r#"
ok      flow.scenario.yaml:10  A long draft is dropped.  (3 visits, 1.5 s)
1 scenario: 1 passed
! note: `expect.coverage` is not checked with `--filter`, because it counts all scenarios of a file
exit 0
"#,
    );
}

#[test]
fn wrong_usage() {
    check_run(
        "#- a.yaml\nx: 1\n",
        "test",
        r#"
! error: no scenarios to run
!   help: scenarios are documents of files whose names end in `.scenario.yaml`
exit 2
"#,
    );
    check_run(
        FLOW,
        "test --filter nothing",
        r#"
! error: no scenarios to run
!   help: no scenario has the text of `--filter` in its title or path
exit 2
"#,
    );
    let folder = Folder::new(FLOW);
    for words in
        ["test --coverage html", "test --min-coverage 101", "test --min-coverage lines=3", "test gone"]
    {
        assert!(folder.run(words).ends_with("exit 2\n"), "{words}");
    }
}

#[test]
fn the_examples_hold() {
    let folder = Folder::new("");
    let shown = folder.run(&format!("test {}/examples", env!("CARGO_MANIFEST_DIR")));
    assert!(shown.ends_with("exit 0\n"), "{shown}");
    assert!(!shown.contains("FAILED"), "{shown}");
}

#[test]
fn a_repository_without_scenarios_passes_as_a_hook() {
    let files = "#- a.yaml\nkind: ToolNode\nname: a\ndescription: Does a.\nfunc: a.b\n";
    check_run(files, "test --pass-without-scenarios", "! no scenarios to run\nexit 0\n");
    let shown = Folder::new(files).run("test");
    assert!(shown.starts_with("! error: no scenarios to run") && shown.ends_with("exit 2\n"), "{shown}");
}

const RECORDED: &str = r#"
#- nodewise.toml
#- flow.yaml
id: flow
name: Flow
description: x
nodes:
  - {id: draft, type: router}
  - {id: check, type: router}
  - {id: send, type: router}
edges:
  - {source: draft, target: send}
start_node: draft
end_nodes: [send]
#- recorded/good.scenario.yaml
file: /flow.yaml
expect: {status: completed, path: [draft, send]}
#- recorded/old.scenario.yaml
file: /flow.yaml
expect: {status: completed, path: [draft, check, send]}
"#;

#[test]
fn recorded_runs_that_take_another_path_fail_until_they_are_accepted() {
    let folder = crate::cli::support::Folder::new(RECORDED);
    let found = folder.run("test --recorded recorded");
    let line = found.lines().find(|line| line.contains("recorded run")).unwrap();
    assert!(
        line.starts_with(
            "1 recorded run takes the same path, 1 differs: first difference at old.scenario.yaml:1: "
        ),
        "{found}"
    );
    assert!(found.ends_with("exit 1\n"), "{found}");

    let mut command = folder.command("test --recorded recorded --accept");
    let output = command.arg("no \"check\" any more").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let accepted = folder.read("recorded/accepted.toml");
    assert!(accepted.contains("run = \"old.scenario.yaml\""), "{accepted}");
    assert!(accepted.contains("reason = 'no \"check\" any more'"), "{accepted}");

    let found = folder.run("test --recorded recorded");
    assert!(found.contains("1 recorded run takes the same path, 0 differ, 1 accepted\n"), "{found}");
    assert!(found.ends_with("exit 0\n"), "{found}");

    // Another difference of the same run is not accepted.
    folder.write("flow.yaml", folder.read("flow.yaml").replace("target: send", "target: check"));
    let found = folder.run("test --recorded recorded");
    assert!(
        found.contains(
            "0 recorded runs take the same path, 2 differ: first difference at good.scenario.yaml:1"
        ),
        "{found}"
    );
    assert!(
        found.contains("! note: accepted.toml accepts a difference of `old.scenario.yaml` that is gone"),
        "{found}"
    );
}

#[test]
fn traces_of_other_programs_are_compared_with_the_graphs() {
    let folder = Folder::new("#- nodewise.toml\n");
    let copy = |from: &str, to: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(from);
        folder.write(to, std::fs::read(path).unwrap());
    };
    for name in ["claims.yaml", "settlement.yaml"] {
        copy(&format!("examples/cycgraph/{name}"), name);
    }
    copy("tests/data/traces/cycgraph/large.events.json", "recorded/cycgraph/large.json");
    copy("tests/data/traces/cycgraph/large.spans.json", "recorded/cycgraph/large.spans.jsonl");
    copy("examples/agentos/refunds.yaml", "other/refunds.yaml");
    copy("tests/data/traces/agentos/risky.checkpoints.jsonl", "recorded/risky.jsonl");
    folder.write("recorded/notes.json", "{\"a\": 1}");
    let found = folder.run("test --recorded recorded");
    assert!(found.contains("3 recorded runs take the same path, 0 differ\n"), "{found}");
    let note = "! note: `recorded/notes.json` is no trace that nodewise knows\n";
    assert!(found.contains(note) && found.ends_with("exit 0\n"), "{found}");

    let changed = folder.read("claims.yaml").replace("< 500 and", "< 5000 and");
    folder.write("claims.yaml", changed);
    let found = folder.run("test --recorded recorded");
    let line = "2 recorded runs take the same path, 1 differs: first difference at cycgraph/large.json:2: after `covered` comes \
                `settle`, expected `value_damage`\n";
    assert!(found.contains(line) && found.ends_with("exit 1\n"), "{found}");

    let mut command = folder.command("test --recorded recorded --accept");
    command.arg("small claims need no photos").output().unwrap();
    let found = folder.run("test --recorded recorded");
    assert!(found.contains("2 recorded runs take the same path, 0 differ, 1 accepted\n"), "{found}");
    assert!(found.ends_with("exit 0\n"), "{found}");
}

#[test]
fn scenarios_are_generated_run_and_not_replaced() {
    let folder = Folder::new(FLOW);
    let command = "test --generate edges flow.yaml";
    let found = folder.run(command);
    assert!(found.starts_with("flow.yaml: 2 scenarios reach 3 of 3 edges\n"), "{found}");
    assert!(found.ends_with("  wrote flow.edges.scenario.yaml\nexit 0\n"), "{found}");
    let text = folder.read("flow.edges.scenario.yaml");
    let passed = folder.run("test flow.edges.scenario.yaml --min-coverage edges=100");
    assert!(passed.ends_with("exit 0\n"), "{passed}");
    let again = folder.run(command);
    assert!(again.contains("  flow.edges.scenario.yaml is up to date\nexit 0\n"), "{again}");
    folder.write("flow.edges.scenario.yaml", "# mine\n");
    let kept = folder.run(command);
    assert!(
        kept.contains(
            "! error: `flow.edges.scenario.yaml` exists and has other scenarios; nothing was written\n"
        ),
        "{kept}"
    );
    assert!(kept.ends_with("exit 2\n"), "{kept}");
    assert_eq!(folder.read("flow.edges.scenario.yaml"), "# mine\n");
    let replaced = folder.run(&format!("{command} --overwrite"));
    assert!(replaced.contains("! replaced `flow.edges.scenario.yaml`\nexit 0\n"), "{replaced}");
    assert_eq!(folder.read("flow.edges.scenario.yaml"), text);
}

#[test]
fn what_no_scenario_reaches_is_said_as_text_and_as_json() {
    let folder = Folder::new(&FLOW.replace("memory.short", "1 > 2"));
    let found = folder.run("test --generate edges flow.yaml");
    let reason = "  not reached   rate -> send: its condition never holds  flow.yaml:11\n";
    assert!(found.contains(reason) && found.ends_with("exit 1\n"), "{found}");
    let output = folder.command("test --generate conditions flow.yaml --format json").output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["goal"], "conditions");
    assert_eq!(document["files"][0]["is_exhaustive"], true);
    assert_eq!(document["files"][0]["unreached"][0]["place"]["line"], 11);
    check_shown(
        &folder.run("test --generate keys flow.scenario.yaml"),
        "! error: no graphs to generate scenarios for\n!   help: name a file with a graph, or a folder with such files\nexit 2\n",
    );
}
