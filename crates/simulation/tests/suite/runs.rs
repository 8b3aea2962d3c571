//! Scenarios of each system as timelines: a fixture with a graph and a scenario, and what people read of its run.

use std::sync::Arc;

use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::provider::drive;
use nodewise_engine::script::{Script, Scripted};
use nodewise_simulation::prepare;
use nodewise_simulation::recording::Recording;
use nodewise_simulation::render::{json, mermaid, svg, text};
use nodewise_simulation::run::Run;
use nodewise_simulation::scenario::{documents_of, whole};
use nodewise_simulation::target::{SimulationTarget, folder_of};
use nodewise_simulation::trace::Replay;
use nodewise_test_support::Fixture;

fn project(fixture: &str) -> Snapshot {
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

/// The run of the first scenario of a project.
fn run_of(snapshot: &Snapshot) -> Run {
    let found = snapshot.files().iter().find_map(|file| documents_of(snapshot, file).next()).unwrap();
    let scenario = whole(snapshot, found.scenario, found.path).unwrap();
    let target = SimulationTarget::find(snapshot, &scenario.target, folder_of(found.path)).unwrap();
    prepare(snapshot, &target, &scenario).unwrap()
}

pub(crate) fn recorded(fixture: &str) -> Recording {
    let mut run = run_of(&project(fixture));
    let outcome = run.drive(|_| true);
    run.recording(outcome)
}

fn check_timeline(fixture: &str, expected: &str) {
    let found = text(&recorded(fixture));
    let expected = expected.strip_prefix('\n').unwrap_or(expected);
    assert!(found == expected, "found:\n{found}\nexpected:\n{expected}");
}

const LIMAN: &str = r"
#- /desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
tools: [find]
nodes:
  - {target: close, when: customer.known and $now() < 10}
  - {target: ask, when: not customer.known}
---
kind: ToolNode
name: find
description: {en: Find a customer}
arguments: [{name: email, type: string, description: {en: the address}}]
---
kind: Node
name: close
func: desk.close
---
kind: Node
name: ask
func: desk.ask
#- /desk.scenario.yaml
scenario: A known customer's case is closed.
file: desk.yaml
start: desk
turns: [{input: hello, context: {customer: {known: true}}}]
nodes:
  desk:
    - calls: [{tool: find, arguments: {email: a@b.c}, returns: Ada}]
      tokens: {input: 12, output: 3}
    - Hello Ada.
functions: {close: {value: closed, after: 2 s}}
";

const CYCGRAPH: &str = r"
#- /flow.yaml
id: flow
name: flow
description: A draft is scored until it is good.
nodes:
  - {id: write, type: agent, agent_id: writer, read_keys: [score], write_keys: [draft]}
  - {id: score, type: tool, tool_id: rate, tools: [rate], read_keys: [draft], failure_policy: {max_retries: 3, initial_backoff_ms: 100}}
  - {id: send, type: approval, read_keys: [draft], approval_config: {prompt_message: Send it?, review_keys: [draft]}}
edges:
  - {source: write, target: score}
  - {id: weak, source: score, target: write, condition: {type: conditional, condition: memory.score_result < 5}}
  - {source: score, target: send}
start_node: write
end_nodes: [send]
#- /flow.scenario.yaml
scenario: The second draft is sent.
file: flow.yaml
agents: {writer: [first, second]}
tools:
  rate: [{error: down}, {value: 3, after: 40}, {value: 8, cost: 0.01}]
nodes: {send: approved}
";

const AGENTOS: &str = r"
#- /refund.yaml
id: refund
name: refund
nodes:
  - {id: score, type: extension, executorConfig: {type: extension, extensionId: fraud, method: score}, executionMode: single_turn, effectClass: read, checkpoint: none}
  - {id: lane, type: router, executorConfig: {type: router, condition: {type: expression, expr: 'scratch.risk > 0.5 ? person : pay'}}, executionMode: single_turn, effectClass: pure, checkpoint: none}
  - {id: person, type: human, executorConfig: {type: human, prompt: Pay?}, executionMode: single_turn, effectClass: human, checkpoint: none}
  - {id: pay, type: tool, executorConfig: {type: tool, toolName: pay, args: {}}, executionMode: single_turn, effectClass: external, checkpoint: none}
edges:
  - {id: begin, source: __START__, target: score, type: static}
  - {id: scored, source: score, target: lane, type: static}
  - {id: doubt, source: lane, target: person, type: static}
  - {id: fine, source: lane, target: pay, type: static}
  - {id: paid, source: pay, target: __END__, type: static}
  - {id: decided, source: person, target: __END__, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
#- /refund.scenario.yaml
scenario: A small risk is paid at once.
file: refund.yaml
input: {order: 7}
nodes:
  score: {value: {risk: 0.2}, after: 30}
  pay: {value: {receipt: R-1}}
";

#[test]
fn liman() {
    check_timeline(
        LIMAN,
        r#"
agent of `LLMNode/desk` of Liman
      0 ms  desk  LLMNode  desk.yaml:2
              reads   "hello"
              asks    model of `desk`: "hello"
              answer  wants find({"email":"a@b.c"})  (15 tokens)
      0 ms  find  ToolNode  desk.yaml:10
              reads   name = "find"
              reads   args = {"email":"a@b.c"}
              reads   id = "call-1"
              calls   tool find({"email":"a@b.c"})
              answer  "Ada"
      0 ms  desk  LLMNode  desk.yaml:2
              reads   tool = "Ada"
              reads   name = "find"
              reads   id = "call-1"
              asks    model of `desk`: "Ada"
              answer  "Hello Ada."
              edge    -> Node/close  when customer.known and $now() < 10  desk.yaml:6
                         customer.known = true
                         $now() < 10 = true
                         $now() = 0
              edge    -x Node/ask  when not customer.known  desk.yaml:7
                         customer.known = true
      0 ms  close  Node  desk.yaml:15
              reads   "Hello Ada."
              calls   function desk.close("Hello Ada.")
       2 s    answer  "closed"
completed after 2 s, 4 visits, 15 tokens
  output "closed"
"#,
    );
}

#[test]
fn cycgraph() {
    check_timeline(
        CYCGRAPH,
        r#"
graph `flow` of cycgraph
note: the agent `writer` is not declared; it runs without tools and limits
      0 ms  write  agent  flow.yaml:5
              asks    model of `writer`
              answer  "first"
              writes  draft = "first"
              edge    -> score  flow.yaml:9
      0 ms  score  tool  flow.yaml:6
              reads   draft = "first"
              calls   tool rate({"draft":"first"})
              error   Error: down
              retries after attempt 1, in 100 ms: Error: down
    100 ms    calls   tool rate({"draft":"first"})
    140 ms    answer  3
              writes  score_result = 3
              edge    -> write  when memory.score_result < 5  flow.yaml:10
                         memory.score_result = 3
    140 ms  write  agent  flow.yaml:5
              asks    model of `writer`
              answer  "second"
              writes  draft = "second"
              edge    -> score  flow.yaml:9
    140 ms  score  tool  flow.yaml:6
              reads   draft = "second"
              calls   tool rate({"draft":"second"})
              answer  8  (0.01 USD)
              writes  score_result = 8
              edge    -x write  when memory.score_result < 5  flow.yaml:10
                         memory.score_result = 8
              edge    -> send  flow.yaml:11
    140 ms  send  approval  flow.yaml:7
              reads   draft = "second"
              waits   for a person: {"node_id":"send","prompt_message":"Send it?","review_data":{"draft":"s…
              resumes approved
completed after 140 ms, 5 visits, 0.01 USD
  output {"memory":{"draft":"second","score_result":8,"human_response":null,"hum…
"#,
    );
}

#[test]
fn agentos() {
    check_timeline(
        AGENTOS,
        r#"
graph `refund` of AgentOS
      0 ms  score  extension  refund.yaml:4
              reads   input = {"order":7}
              reads   scratch = {}
              calls   fraud.score({"input":{"order":7},"scratch":{}})
     30 ms    answer  {"risk":0.2}
              writes  scratch.risk = 0.2
              writes  artifacts.score = {"risk":0.2}
              edge    -> lane  refund.yaml:10
     30 ms  lane  router  refund.yaml:5
              reads   input = {"order":7}
              reads   scratch = {"risk":0.2}
              routes  to pay: the node's result names it
              skips   person
     30 ms  pay  tool  refund.yaml:7
              reads   input = {"order":7}
              reads   scratch = {"risk":0.2}
              calls   tool pay({})
              answer  {"receipt":"R-1"}
              writes  artifacts.pay = {"receipt":"R-1"}
              edge    -> __END__  refund.yaml:13
completed after 30 ms, 3 visits
  output {"score":{"risk":0.2},"pay":{"receipt":"R-1"}}
"#,
    );
}

#[test]
fn every_run_is_replayed_from_its_trace() {
    for fixture in [LIMAN, CYCGRAPH, AGENTOS] {
        let recording = recorded(fixture);
        let trace = json::trace_text(&recording);
        assert_eq!(trace, json::trace_text(&recorded(fixture)), "the same run, the same bytes");
        let replay = Replay::read(&trace).unwrap();
        let snapshot = project(fixture);
        let mut run = run_of(&snapshot);
        let silent = Scripted::new(Arc::new(Script {
            otherwise: nodewise_engine::script::Otherwise::Fail,
            ..Script::default()
        }));
        let outcome = drive(run.running(), &mut replay.provider(silent));
        let again = run.recording(outcome);
        assert_eq!(recording.events, again.events);
        assert_eq!(trace, json::trace_text(&again));
    }
}

#[test]
fn a_copy_of_a_run_goes_on_as_the_original() {
    for fixture in [LIMAN, CYCGRAPH, AGENTOS] {
        let mut run = run_of(&project(fixture));
        let whole = recorded(fixture).events;
        let mut steps = 0;
        loop {
            let mut copy = run.clone();
            let outcome = copy.drive(|_| true);
            assert_eq!(copy.recording(outcome).events, whole, "copied after {steps} steps");
            steps += 1;
            if !run.advance() {
                break;
            }
        }
        assert!(steps > 5, "{steps}");
    }
}

#[test]
fn pictures_show_the_path() {
    for fixture in [LIMAN, CYCGRAPH, AGENTOS] {
        let recording = recorded(fixture);
        let visited: Vec<&Event> = recording
            .events
            .iter()
            .filter(|event| matches!(event.kind, EventKind::VisitStarted { .. }))
            .collect();
        let chart = mermaid(&recording);
        assert!(chart.starts_with("flowchart TD\n"), "{chart}");
        assert!(chart.contains("==>"), "{chart}");
        let picture = svg(&recording);
        assert!(picture.matches("class=\"node visited\"").count() <= visited.len(), "{picture}");
        assert!(picture.contains("class=\"node visited\""), "{picture}");
        assert_eq!(picture.contains("class=\"node idle\""), fixture != CYCGRAPH, "{picture}");
    }
}

#[test]
fn names_of_files_cannot_break_a_picture() {
    let fixture = CYCGRAPH.replace("send", "\"a<b>&;`|]\"");
    let recording = recorded(&fixture);
    let chart = mermaid(&recording);
    assert!(chart.contains("a#60;b#62;#38;#59;#96;#124;#93;"), "{chart}");
    let picture = svg(&recording);
    assert!(picture.contains("a&lt;b&gt;&amp;;`|]") && !picture.contains("<b>"), "{picture}");
}

/// Why nothing runs.
fn check_fault(fixture: &str, expected: &str) {
    let snapshot = project(fixture);
    let found = snapshot.files().iter().find_map(|file| documents_of(&snapshot, file).next()).unwrap();
    let fault = whole(&snapshot, found.scenario, found.path)
        .and_then(|scenario| {
            let target = SimulationTarget::find(&snapshot, &scenario.target, folder_of(found.path))?;
            prepare(&snapshot, &target, &scenario).map(|_| ())
        })
        .unwrap_err();
    assert_eq!(fault.to_string(), expected);
}

#[test]
fn what_does_not_run_says_why() {
    let flow = CYCGRAPH.split("#- /flow.scenario.yaml").next().unwrap();
    let with = |names: &str| format!("{flow}#- /x/flow.scenario.yaml\nscenario: x\n{names}\n");
    check_fault(&with("file: flow.yaml"), "there is no file `x/flow.yaml` in the project");
    check_fault(&with("graph: flew"), "no graph has the id `flew`\n  help: there are graphs `flow`");
    check_fault(&with("uses: no.script.yaml"), "there is no script `no.script.yaml`");
    check_fault(&with("uses: ../flow.yaml"), "`../flow.yaml` contains no script");
    check_fault(
        &with("file: ../flow.yaml\nhost: {reading: documented}"),
        "`reading: documented` means nothing for cycgraph\n  help: leave it out; only AgentOS has a reading of its own \
         where its documentation and its release differ",
    );
    let nothing = "#- /a.scenario.yaml\nscenario: x\n";
    check_fault(nothing, "the project declares nothing to run: no graph and no model node");
}

#[test]
fn a_script_that_runs_out_names_who_asked() {
    let fixture = CYCGRAPH.replace("[first, second]", "[first]");
    let outcome = recorded(&fixture).outcome;
    let failure = outcome.failure.unwrap();
    assert!(failure.message.contains("writer"), "{failure}");
}

#[test]
fn what_nobody_asked_for_is_reported_with_its_place() {
    let fixture = CYCGRAPH.replace("[first, second]", "[first, second, third]");
    let snapshot = project(&fixture);
    let mut run = run_of(&snapshot);
    run.drive(|_| true);
    let unused = run.unused();
    let text = |origin: &nodewise_model::Origin| {
        let file = snapshot.file(origin.source).unwrap();
        file.text[std::ops::Range::<usize>::from(origin.range)].to_owned()
    };
    assert_eq!(unused.iter().map(text).collect::<Vec<_>>(), ["third"]);
}
