//! Scenarios of each system held against what they expect, and what they cover: a fixture, and the report of it.

use std::sync::Arc;

use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_simulation::coverage::{self, Coverage};
use nodewise_simulation::report::{self, Suite};
use nodewise_simulation::scenario::scenarios_of;
use nodewise_simulation::testing::{check_coverage, test};
use nodewise_test_support::Fixture;

pub(crate) fn project(fixture: &str) -> Snapshot {
    let fixture = Fixture::parse(fixture.strip_prefix('\n').unwrap_or(fixture));
    let mut workspace = Workspace::new();
    let write = |file: &nodewise_test_support::FixtureFile| Change::Write {
        path: file.path.trim_start_matches('/').into(),
        text: Arc::from(file.text.as_str()),
        settings: Arc::new(Settings::default()),
    };
    workspace.apply(fixture.files.iter().map(write).collect());
    workspace.snapshot()
}

fn suite(fixture: &str) -> Suite {
    let snapshot = project(fixture);
    let files = snapshot.files().iter();
    let found = files.flat_map(|file| scenarios_of(&snapshot, file));
    let mut tests: Vec<_> = found.map(|found| test(&snapshot, &found)).collect();
    check_coverage(&mut tests);
    let mut coverage = Coverage::default();
    tests.iter().for_each(|tested| coverage.add(&tested.coverage));
    Suite { folder: String::new(), tests, coverage }
}

/// What is reported of the scenarios of a fixture.
#[track_caller]
pub(crate) fn check_scenario(fixture: &str, expected: &str) {
    let found = report::text(&[suite(fixture)]);
    let expected = expected.strip_prefix('\n').unwrap_or(expected);
    assert!(found == expected, "found:\n{found}\nexpected:\n{expected}");
}

/// What the scenarios of a fixture cover.
#[track_caller]
pub(crate) fn check_coverage_of(fixture: &str, expected: &str) {
    let found = coverage::text(&suite(fixture).coverage, &str::to_owned);
    let expected = expected.strip_prefix('\n').unwrap_or(expected);
    assert!(found == expected, "found:\n{found}\nexpected:\n{expected}");
}

const LIMAN: &str = r"
#- /desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
nodes:
  - {target: close, when: customer.known and not customer.angry}
  - {target: ask, when: desk.rules.must_ask}
---
kind: FunctionNode
name: close
func: desk.close
---
kind: FunctionNode
name: ask
func: desk.ask
";

pub(crate) const AGENTOS: &str = r"
#- /refund.yaml
id: refund
name: refund
nodes:
  - {id: score, type: tool, executorConfig: {type: tool, toolName: score, args: {}}, executionMode: single_turn, effectClass: read, checkpoint: none}
  - {id: pay, type: tool, executorConfig: {type: tool, toolName: pay, args: {}}, executionMode: single_turn, effectClass: external, checkpoint: none}
  - {id: refuse, type: tool, executorConfig: {type: tool, toolName: refuse, args: {}}, executionMode: single_turn, effectClass: external, checkpoint: none}
edges:
  - {id: begin, source: __START__, target: score, type: static}
  - {id: fine, source: score, target: pay, type: conditional, condition: {type: expression, expr: 'input.risk < 0.5 || input.known'}}
  - {id: bad, source: score, target: refuse, type: conditional, condition: {type: expression, expr: 'input.risk >= 0.5'}}
  - {id: paid, source: pay, target: __END__, type: static}
  - {id: refused, source: refuse, target: __END__, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
";

#[test]
fn liman() {
    let scenario = "#- /desk.scenario.yaml
scenario: A calm customer's case is closed.
file: desk.yaml
start: desk
turns: [{input: hello, context: {customer: {known: true, angry: false}}}]
functions: {desk.rules.must_ask: false}
expect:
  path: [desk, close]
  calls: {desk.close: 1, ask: 0}
---
scenario: An angry one is asked.
file: desk.yaml
start: desk
turns: [{input: hello, context: {customer: {known: true, angry: true}}}]
functions: {desk.rules.must_ask: true}
expect:
  path: {in_order: [desk, close], excludes: [ask]}
";
    let fixture = format!("{LIMAN}{scenario}");
    check_scenario(
        &fixture,
        r#"
ok      desk.scenario.yaml:1  A calm customer's case is closed.  (2 visits, 0 ms)
FAILED  desk.scenario.yaml:10  An angry one is asked.  (2 visits, 0 ms)
        `close` was not visited after `desk`  desk.scenario.yaml:16
              desk
            - close
            + ask
            edge -x FunctionNode/close  when customer.known and not customer.angry  desk.yaml:5
            edge -> FunctionNode/ask  when desk.rules.must_ask  desk.yaml:6
            at desk.yaml:2
        `ask` was visited after `desk`  desk.scenario.yaml:16
            edge -x FunctionNode/close  when customer.known and not customer.angry  desk.yaml:5
            edge -> FunctionNode/ask  when desk.rules.must_ask  desk.yaml:6
            at desk.yaml:2
"#,
    );
    check_coverage_of(
        &fixture,
        r#"
coverage of nodes of the project
  nodes             3/3    100 %
  edges             2/2    100 %
  conditions        2/3   66.6 %
  not decided   `customer.known` was never false  desk.yaml:5
"#,
    );
}

#[test]
fn agentos() {
    let scenario = "#- /refund.scenario.yaml
scenario: A small risk is paid.
file: refund.yaml
input: {risk: 0.2, known: false}
tools: {score: {value: {sum: 7}, after: 40}, pay: {value: {receipt: R-1}}}
expect:
  path: [score, pay]
  state: {artifacts: {pay: {receipt: R-2}}}
  time: 30
---
scenario: A great one is refused.
file: refund.yaml
input: {risk: 0.9, known: false}
expect:
  status: failed
  error: {class: RefundError, message: refused}
  path: [refuse]
";
    let fixture = format!("{AGENTOS}{scenario}");
    check_scenario(
        &fixture,
        r#"
FAILED  refund.scenario.yaml:1  A small risk is paid.  (2 visits, 40 ms)
        `state.artifacts.pay.receipt` is "R-1", expected "R-2"  refund.scenario.yaml:7
            at refund.yaml:5
        time: 40 ms, expected at most 30 ms  refund.scenario.yaml:8
FAILED  refund.scenario.yaml:10  A great one is refused.  (2 visits, 0 ms)
        the run ended as completed, expected failed  refund.scenario.yaml:14
            at refund.yaml:6
        the run ended as completed, expected the error `RefundError` and a message that contains "refused"  refund.scenario.yaml:15
            at refund.yaml:6
        the path begins with `score`, expected `refuse`  refund.scenario.yaml:16
            + score
              refuse
            at refund.yaml:4
"#,
    );
    check_coverage_of(
        &fixture,
        r#"
coverage of graph `refund`
  nodes             3/3    100 %
  edges             5/5    100 %
  conditions        2/3   66.6 %
  not decided   `input.known` was never true  refund.yaml:9
"#,
    );
}

#[test]
fn choices_of_routers_are_conditions() {
    let graph = r"
#- /lanes.yaml
id: lanes
name: lanes
nodes:
  - {id: lane, type: router, executorConfig: {type: router, condition: {type: expression, expr: 'input.sum > 100 && input.new ? person : pay'}}, executionMode: single_turn, effectClass: pure, checkpoint: none}
  - {id: person, type: tool, executorConfig: {type: tool, toolName: person, args: {}}, executionMode: single_turn, effectClass: read, checkpoint: none}
  - {id: pay, type: tool, executorConfig: {type: tool, toolName: pay, args: {}}, executionMode: single_turn, effectClass: external, checkpoint: none}
edges:
  - {id: begin, source: __START__, target: lane, type: static}
  - {id: much, source: lane, target: person, type: static}
  - {id: little, source: lane, target: pay, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
#- /lanes.scenario.yaml
scenario: A large sum of a new customer.
file: lanes.yaml
input: {sum: 200, new: true}
---
scenario: A small sum of a new customer.
file: lanes.yaml
input: {sum: 20, new: true}
";
    check_coverage_of(
        graph,
        "
coverage of graph `lanes`
  nodes             3/3    100 %
  edges             3/3    100 %
  conditions        1/2     50 %
  not decided   `input.new` was never false  lanes.yaml:4
",
    );
    let known =
        "---\nscenario: A large sum of an old customer.\nfile: lanes.yaml\ninput: {sum: 200, new: false}\n";
    check_coverage_of(
        &format!("{graph}{known}"),
        "
coverage of graph `lanes`
  nodes             3/3    100 %
  edges             3/3    100 %
  conditions        2/2    100 %
",
    );
}

#[test]
fn a_scenario_that_is_half_typed_does_not_pass() {
    let fixture = format!(
        "{AGENTOS}#- /refund.scenario.yaml\nscenario: Half\nfile: refund.yaml\nexpect: {{path: [sco\n"
    );
    let suite = suite(&fixture);
    assert_eq!(suite.tests.len(), 1);
    assert!(!suite.tests.iter().any(|tested| tested.is_passed()), "{}", report::text(&[suite]));
}

#[test]
fn the_order_of_runs_does_not_matter() {
    let scenarios: String = (0..6)
        .map(|number| {
            format!(
                "scenario: s{number}\nfile: refund.yaml\ninput: {{risk: 0.{number}, known: {}}}\n",
                number % 2 == 0
            )
        })
        .collect::<Vec<_>>()
        .join("---\n");
    let suite = suite(&format!("{AGENTOS}#- /refund.scenario.yaml\n{scenarios}"));
    let mut backwards = Coverage::default();
    suite.tests.iter().rev().for_each(|tested| backwards.add(&tested.coverage));
    let shown = |coverage: &Coverage| coverage::json(coverage, &str::to_owned).to_string();
    assert_eq!(shown(&suite.coverage), shown(&backwards));
}

const APPROVAL: &str = r"
#- /publish.yaml
id: publish
name: publish
nodes:
  - {id: draft, type: tool, executorConfig: {type: tool, toolName: draft, args: {}}, executionMode: single_turn, effectClass: read, checkpoint: after}
  - {id: ok, type: human, executorConfig: {type: human, prompt: 'Publish?'}, executionMode: single_turn, effectClass: human, checkpoint: none}
  - {id: send, type: tool, executorConfig: {type: tool, toolName: send, args: {}}, executionMode: single_turn, effectClass: external, checkpoint: none}
  - {id: bin, type: tool, executorConfig: {type: tool, toolName: bin, args: {}}, executionMode: single_turn, effectClass: external, checkpoint: none}
edges:
  - {id: begin, source: __START__, target: draft, type: static}
  - {id: asked, source: draft, target: ok, type: static}
  - {id: yes, source: ok, target: send, type: conditional, condition: {type: expression, expr: 'scratch.approved'}}
  - {id: no, source: ok, target: bin, type: conditional, condition: {type: expression, expr: 'scratch.approved == false'}}
  - {id: sent, source: send, target: __END__, type: static}
  - {id: binned, source: bin, target: __END__, type: static}
stateSchema: {input: {}, scratch: {approved: {type: boolean}, note: {type: string}}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
";

/// A graph that asks a person; what its scenarios come to, a line each.
#[track_caller]
fn check_phases(graph: &str, scenario: &str, expected: &str) {
    let suite = suite(&format!("{graph}{scenario}"));
    let line = |tested: &nodewise_simulation::testing::Tested| match &tested.ended {
        Err(reason) => format!("fault: {reason}"),
        Ok(ended) => {
            let mismatches =
                tested.mismatches.iter().map(|one| format!("; {}: {}", one.subject, one.message));
            format!("{}, {} visits{}", ended.outcome, ended.visits, mismatches.collect::<String>())
        }
    };
    let found: Vec<String> = suite.tests.iter().map(line).collect();
    assert_eq!(found.join("\n"), expected);
}

#[test]
fn agentos_runs_go_on_from_checkpoints_and_fork() {
    check_phases(
        APPROVAL,
        "#- /publish.scenario.yaml
scenario: The release takes both ways after a person was asked.
file: publish.yaml
memory: {note: first}
expect: {status: waiting, path: [draft, ok], state: {scratch.note: first}}
then:
  - resume: run
    expect: {path: [ok, send, bin]}
---
scenario: A host forks before the question, and its draft is another one.
file: publish.yaml
host: {checkpoint_store: snapshot}
expect: {status: waiting}
then:
  - fork: cp1
    patch: {scratch: {approved: true}, artifacts: {draft: patched}}
    nodes: {ok: {result: {success: true, output: {by: host}}}}
    expect:
      path: {includes: [ok, send], excludes: [bin]}
      state: {artifacts.draft: patched}
---
scenario: Nothing was saved under that name.
file: publish.yaml
expect: {status: waiting}
then: [{resume: cp7}]
---
scenario: A phase is held to what it expects.
file: publish.yaml
expect: {status: waiting}
then: [{resume: run, expect: {status: failed}}]
",
        "completed, 3 visits\n\
         completed, 2 visits\n\
         fault: there is no checkpoint `cp7`: cp1 to cp2 were saved\n\
         completed, 3 visits; then.1.status: phase 1: the run ended as completed, expected failed",
    );
}

#[test]
fn runs_that_wait_for_people_go_on() {
    let graph = r"
#- /claims.yaml
id: claims
name: claims
description: A person decides.
nodes:
  - {id: ask, type: approval, approval_config: {prompt_message: Pay?}, read_keys: [], write_keys: []}
  - {id: pay, type: router, read_keys: [], write_keys: []}
edges:
  - {id: paid, source: ask, target: pay}
start_node: ask
end_nodes: [pay]
";
    check_phases(
        graph,
        "#- /claims.scenario.yaml
scenario: Nobody decides, and then somebody does.
file: claims.yaml
expect: {status: waiting, path: [ask]}
then:
  - resume: run
    nodes: {ask: approved}
    expect: {path: {in_order: [ask, pay]}}
---
scenario: There are no checkpoints to go back to.
file: claims.yaml
expect: {status: waiting}
then: [{resume: cp1}]
---
scenario: What is over does not go on.
file: claims.yaml
people: [approved]
then: [{resume: run}]
",
        "completed, 2 visits\n\
         fault: runs of cycgraph save no checkpoints; write `resume: run` to resume the run\n\
         fault: the run is completed and cannot be resumed",
    );
}

#[test]
fn an_approval_that_comes_too_late_says_how_long_it_took() {
    let graph = r"
#- /claims.yaml
id: claims
name: claims
description: A person decides.
nodes:
  - {id: ask, type: approval, approval_config: {prompt_message: Pay?, timeout_ms: 1000}, read_keys: [], write_keys: []}
edges: []
start_node: ask
end_nodes: [ask]
";
    check_phases(
        graph,
        "#- /claims.scenario.yaml
scenario: The decision comes too late.
file: claims.yaml
people: [{decision: approved, after: 5 s}]
expect: {status: timeout}
",
        "timeout: WorkflowTimeoutError: Workflow claims (run 00000000-0000-4000-8000-000000000001) timed out \
         after 5000ms, 1 visits",
    );
}

#[test]
fn policies_of_agentos_nodes_are_carried_out_as_documented() {
    let graph = r"
#- /answer.yaml
id: answer
name: answer
nodes:
  - id: write
    type: tool
    executorConfig: {type: tool, toolName: write, args: {}}
    executionMode: single_turn
    effectClass: read
    checkpoint: none
    memoryPolicy: {consistency: live, read: {semanticQuery: 'what the user likes'}, write: {autoEncode: true, type: episodic}}
    guardrailPolicy: {input: [polite], output: [pii], onViolation: reroute, rerouteTarget: mend}
  - {id: send, type: tool, executorConfig: {type: tool, toolName: send, args: {}}, executionMode: single_turn, effectClass: external, checkpoint: none}
  - {id: mend, type: tool, executorConfig: {type: tool, toolName: mend, args: {}}, executionMode: single_turn, effectClass: read, checkpoint: none}
edges:
  - {id: begin, source: __START__, target: write, type: static}
  - {id: known, source: write, target: send, type: conditional, condition: {type: expression, expr: 'memory.totalTracesRead > 0'}}
  - {id: odd, source: write, target: mend, type: conditional, condition: {type: expression, expr: 'false'}}
  - {id: sent, source: send, target: __END__, type: static}
  - {id: mended, source: mend, target: __END__, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
";
    check_phases(
        graph,
        "#- /answer.scenario.yaml
scenario: The release asks nobody.
file: answer.yaml
expect: {path: [write], calls: {write: 1}}
---
scenario: What is recalled decides.
file: answer.yaml
host: {reading: documented}
recall: [{value: [{content: tea}]}]
guardrails: [{passed: true}, {passed: true}]
expect: {path: [write, send], state: {memory.totalTracesRead: 1}}
---
scenario: What comes out is held back.
file: answer.yaml
host: {reading: documented}
guardrails: [{passed: true}, {passed: false}]
expect: {path: [write, mend]}
",
        "completed, 1 visits\ncompleted, 2 visits\ncompleted, 2 visits",
    );
}
