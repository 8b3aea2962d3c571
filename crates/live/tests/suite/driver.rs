//! Runs in real time, with parts that answer out of order: what is recorded gives the same run again, from wherever it was
//! cut off.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::Result;
use futures::future::{BoxFuture, ready};
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Workspace};
use nodewise_engine::ask::{Answer, Ask, Decision, ModelReply, Question, Reply, ToolCall};
use nodewise_engine::event::AskId;
use nodewise_engine::outcome::{Failure, Status};
use nodewise_engine::time::Millis;
use nodewise_expr::value::{Map, Value};
use nodewise_live::answering::{Answering, Asked, Unwatched};
use nodewise_live::driver::{Attempt, Driver, GrowingRun, Journal, Observer, Parts, Past, RunEnd, Taken};
use nodewise_live::people::{Matter, Nobody, People};
use nodewise_model::Located;
use nodewise_simulation::prepare;
use nodewise_simulation::render::json::trace_text;
use nodewise_simulation::run::Run;
use nodewise_simulation::scenario::empty;
use nodewise_simulation::target::SimulationTarget;
use nodewise_simulation::trace::Replay;
use serde_json::Value as Json;

/// A retry with a wait, a person at the end.
pub(super) const GRAPH: &str = "\
id: flow
name: Flow
description: ''
nodes:
  - {id: left, type: tool, tool_id: slow, tools: [slow], write_keys: ['left_result']}
  - id: right
    type: tool
    tool_id: shaky
    tools: [shaky]
    write_keys: ['right_result']
    failure_policy: {max_retries: 2, backoff_strategy: fixed, initial_backoff_ms: 30, max_backoff_ms: 30}
  - {id: ask, type: approval, read_keys: ['*'], approval_config: {prompt_message: 'Go on?'}}
  - {id: end, type: tool, tool_id: quick, tools: [quick, other], read_keys: ['*'], write_keys: ['*']}
edges:
  - {source: left, target: right}
  - {source: right, target: ask}
  - {source: ask, target: end}
start_node: left
end_nodes: [end]
";

const AGENT: &str = "\
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
tools: [one, two, three]
---
kind: ToolNode
name: one
func: shop.one
description: {en: One.}
---
kind: ToolNode
name: two
func: shop.two
description: {en: Two.}
---
kind: ToolNode
name: three
func: shop.three
description: {en: Three.}
";

/// What conditions get as the time when runs begin, in seconds.
const NOW: f64 = 1000.0;

pub(super) fn run_of(text: &str) -> Run {
    let mut workspace = Workspace::new();
    let settings = Arc::new(Settings::default());
    workspace.apply(vec![Change::Write { path: "flow.yaml".into(), text: text.into(), settings }]);
    let snapshot = workspace.snapshot();
    let target = SimulationTarget::named(&snapshot, None, None, None).unwrap();
    let mut scenario = empty();
    // As a live run has it.
    scenario.host.now = Some(Located::new(NOW, scenario.head));
    prepare(&snapshot, &target, &scenario).unwrap()
}

/// Answers after a while, later questions sooner; the shaky tool fails at first.
#[derive(Default)]
struct SlowAnswers {
    asked: AtomicU32,
}

impl Answering for SlowAnswers {
    fn answer(&self, asked: Asked) -> BoxFuture<'static, Answer> {
        let turn = self.asked.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(u64::from(7 * (3 - turn % 3)))).await;
            match &asked.ask.what {
                Question::Tool(tool) if tool.tool == "shaky" && asked.ask.attempt == 1 => {
                    Answer::failed(Failure::new("Error", "not yet"))
                }
                Question::Tool(tool) => Answer::value(Value::from(format!("done {}", tool.tool).as_str())),
                Question::Model(model) if model.prompt.len() < 3 => {
                    model_answer("", &["one", "two", "three"])
                }
                _ => model_answer("All done.", &[]),
            }
        })
    }
}

fn model_answer(text: &str, tools: &[&str]) -> Answer {
    let call =
        |tool: &&str| ToolCall { id: (*tool).into(), tool: (*tool).into(), arguments: Map::new().into() };
    let calls = tools.iter().map(call).collect();
    Answer::now(Reply::Model(ModelReply { text: text.into(), value: None, calls }))
}

/// Somebody who always says yes.
pub(super) struct Yes;

impl People for Yes {
    fn decide(&self, _matter: Matter) -> BoxFuture<'static, Option<Decision>> {
        Box::pin(ready(Some(approved())))
    }
}

fn approved() -> Decision {
    Decision { word: "approved".into(), data: None, updates: Map::new(), after: Millis::ZERO }
}

#[derive(Default)]
pub(super) struct Kept {
    pub(super) events: Vec<Json>,
    /// Where appends ended.
    pub(super) ends: Vec<usize>,
    attempts: Vec<AskId>,
}

impl Journal for Kept {
    fn append(&mut self, events: &[Json], starting: &[(AskId, &Ask)]) -> Result<Vec<Attempt>> {
        // What is kept went through text.
        self.events
            .extend(events.iter().map(|event| serde_json::from_str::<Json>(&event.to_string()).unwrap()));
        self.ends.push(self.events.len());
        let before = |ask: AskId| self.attempts.iter().filter(|known| **known == ask).count();
        let attempt = |(ask, _): &(AskId, &Ask)| Attempt {
            before: u32::try_from(before(*ask)).unwrap(),
            key: ask.0.to_string().into(),
        };
        let attempts = starting.iter().map(attempt).collect();
        self.attempts.extend(starting.iter().map(|(ask, _)| *ask));
        Ok(attempts)
    }

    fn attempts(&mut self, ask: AskId, _: &Ask) -> Result<u32> {
        Ok(u32::try_from(self.attempts.iter().filter(|known| **known == ask).count()).unwrap())
    }
}

#[derive(Default)]
struct Seen {
    repeated: Vec<AskId>,
}

impl Observer for Seen {
    fn repeated(&mut self, ask: AskId, _what: &Ask, _before: u32) {
        self.repeated.push(ask);
    }
}

/// Drives a run to its rest, after what is kept of it; yields the rest and the trace.
pub(super) fn driven(
    text: &str,
    kept: &mut Kept,
    people: Arc<dyn People>,
    decisions: Vec<Taken>,
) -> Result<(RunEnd, String)> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let past = Past::read(0, &kept.events).unwrap();
    let mut seen = Seen::default();
    let parts = Parts {
        runtime: runtime.handle().clone(),
        answering: Arc::new(SlowAnswers::default()),
        people,
        journal: kept,
        observer: &mut seen,
        watch: Arc::new(Unwatched),
    };
    let mut driver = Driver::new(run_of(text), parts);
    driver.resume(&past, Millis::ZERO, decisions)?;
    let rest = driver.drive()?;
    let trace = match &rest {
        RunEnd::Ended(outcome) => trace_text(&driver.recording(outcome.clone())),
        RunEnd::Waiting(_) | RunEnd::Interrupted | RunEnd::Cancelled => String::new(),
    };
    Ok((rest, trace))
}

/// The trace of the simulator with the recorded answers.
fn replayed(text: &str, kept: &Kept) -> String {
    let mut run = run_of(text);
    run.recall(Replay::of_events(0, &kept.events).unwrap());
    let outcome = run.drive(|_| true);
    trace_text(&run.recording(outcome))
}

fn is_completed(rest: &RunEnd) -> bool {
    matches!(rest, RunEnd::Ended(outcome) if outcome.status == Status::Completed)
}

/// Runs, holds the run against the simulator's, and goes on from every point at which it could have been cut off.
fn check_replays(text: &str) {
    let mut kept = Kept::default();
    let (rest, trace) = driven(text, &mut kept, Arc::new(Yes), Vec::new()).unwrap();
    assert!(is_completed(&rest), "{rest:?} {trace}");
    assert_eq!(replayed(text, &kept), trace, "the simulator goes the same way");
    check_growth(text, &kept, &trace, &kept.ends);
    // Batches of other sizes lead to the same run, also those that end between a question and what follows from it.
    check_growth(text, &kept, &trace, &(1..=kept.events.len()).collect::<Vec<_>>());
    check_growth(text, &kept, &trace, &[kept.events.len()]);
    for end in kept.ends.clone() {
        let events = kept.events[..end].to_vec();
        let mut cut = Kept { events, attempts: kept.attempts.clone(), ..Kept::default() };
        let (rest, trace) = driven(text, &mut cut, Arc::new(Yes), Vec::new()).unwrap();
        assert!(is_completed(&rest), "cut at {end}: {rest:?}");
        assert_eq!(cut.events[..end], kept.events[..end]);
        assert_eq!(replayed(text, &cut), trace, "cut at {end}");
    }
}

/// Replays a record that grows up to each of these lengths.
fn check_growth(text: &str, kept: &Kept, trace: &str, ends: &[usize]) {
    let mut growing = GrowingRun::new(run_of(text));
    let mut read = 0;
    for &end in ends {
        growing.extend(&kept.events[read..end]).unwrap();
        let length = growing.run().log().len();
        let is_whole = kept.ends.contains(&end);
        assert!(if is_whole { length == end } else { length >= end }, "{length} events of {end}");
        read = end;
    }
    let outcome = growing.run_mut().drive(|_| true);
    assert_eq!(trace_text(&growing.run_mut().recording(outcome)), trace);
}

#[test]
fn a_graph_with_waits_and_a_person() {
    check_replays(GRAPH);
}

#[test]
fn an_agent_whose_tools_answer_out_of_order() {
    check_replays(AGENT);
}

#[test]
fn what_is_kept_explains_conditions_with_the_time_of_the_host() {
    let waiting = "nodes: [{target: close, when: $now() >= 1000}]\n---\nkind: LLMNode\nname: close\n\
                   prompts: {system: {en: Close.}}\n---\n";
    let text = AGENT.replacen("---\n", waiting, 1);
    let mut kept = Kept::default();
    let (rest, trace) = driven(&text, &mut kept, Arc::new(Yes), Vec::new()).unwrap();
    assert!(is_completed(&rest), "{rest:?} {trace}");
    let why: Vec<&Json> = kept.events.iter().filter_map(|event| event.get("why")).collect();
    assert_eq!(why.len(), 1, "{trace}");
    assert_eq!(why[0]["value"], true, "{}", why[0]);
    let parts = why[0]["parts"].as_array().unwrap();
    let now = parts.iter().find(|part| part["text"] == "$now()").unwrap();
    assert!(now["value"].as_f64().unwrap() >= NOW, "{now}");
}

#[test]
fn what_nobody_decides_stays_open() {
    let mut kept = Kept::default();
    let (rest, _) = driven(GRAPH, &mut kept, Arc::new(Nobody), Vec::new()).unwrap();
    let RunEnd::Waiting(matters) = rest else { panic!("{rest:?}") };
    assert_eq!(matters.len(), 1);
    assert_eq!(matters[0].node, "ask");
    let taken = Taken { node: Some(matters[0].node.clone()), ask: None, decision: approved() };
    let (rest, trace) = driven(GRAPH, &mut kept, Arc::new(Nobody), vec![taken]).unwrap();
    assert!(is_completed(&rest), "{rest:?}");
    assert_eq!(replayed(GRAPH, &kept), trace);
}

#[test]
fn an_edge_may_have_been_explained_in_other_words() {
    let edge = "nodes: [close]\n---\nkind: LLMNode\nname: close\nprompts: {system: {en: Close.}}\n---\n";
    let text = AGENT.replacen("---\n", edge, 1);
    let mut kept = Kept::default();
    driven(&text, &mut kept, Arc::new(Yes), Vec::new()).unwrap();
    let judged = kept.events.iter().position(|event| event["event"] == "edge-judged").unwrap();
    let end = *kept.ends.iter().find(|end| **end > judged).unwrap();
    let cut = |key: &str, value: Json| {
        let mut events = kept.events[..end].to_vec();
        events[judged][key] = value;
        let mut cut = Kept { events, attempts: kept.attempts.clone(), ..Kept::default() };
        driven(&text, &mut cut, Arc::new(Yes), Vec::new())
    };
    let (rest, _) = cut("reason", "as an older version said it".into()).unwrap();
    assert!(is_completed(&rest), "{rest:?}");
}

/// A run that is cut off behind its first answer, with a record that is changed, continues so far.
fn check_changed(change: impl Fn(&mut Vec<Json>), expected: Result<(), &str>) {
    let mut kept = Kept::default();
    let (_, whole) = driven(AGENT, &mut kept, Arc::new(Yes), Vec::new()).unwrap();
    let answered = kept.events.iter().position(|event| event["event"] == "answered").unwrap();
    let end = *kept.ends.iter().find(|end| **end > answered).unwrap();
    let mut events = kept.events[..end].to_vec();
    change(&mut events);
    let mut cut = Kept { events, attempts: kept.attempts.clone(), ..Kept::default() };
    match (driven(AGENT, &mut cut, Arc::new(Yes), Vec::new()), expected) {
        (Ok((rest, _)), Ok(())) => assert!(is_completed(&rest), "{rest:?}"),
        (Err(error), Err(expected)) => assert!(error.to_string().contains(expected), "{error}"),
        (found, expected) => panic!("{:?}, expected {expected:?}\n{whole}", found.map(|(rest, _)| rest)),
    }
}

#[test]
fn what_followed_from_answers_is_worked_out_again() {
    let of = |events: &[Json], name: &str| events.iter().position(|event| event["event"] == name);
    // A release that writes more, fewer or other events for the same answers.
    check_changed(|events| events[0]["added"] = "by another version".into(), Ok(()));
    check_changed(|events| drop(events.remove(0)), Ok(()));
    check_changed(
        |events| {
            let started = of(events, "visit-started").unwrap();
            let again = events[started].clone();
            events.insert(started, again);
        },
        Ok(()),
    );
    check_changed(
        |events| {
            let answered = of(events, "answered").unwrap();
            events.truncate(answered + 1);
        },
        Ok(()),
    );
}

#[test]
fn a_question_that_changed_is_named() {
    let asked = |events: &mut Vec<Json>| {
        let asked = events.iter().position(|event| event["event"] == "asked").unwrap();
        events.swap_remove(asked)
    };
    check_changed(
        |events| {
            let asked = events.iter_mut().find(|event| event["event"] == "asked").unwrap();
            asked["node"] = "elsewhere".into();
        },
        Err("for `elsewhere`, and is now to a"),
    );
    check_changed(
        |events| {
            let asked = events.iter_mut().find(|event| event["event"] == "asked").unwrap();
            asked["question"]["prompt"] = "In other words.".into();
        },
        Err("differs from the record in `prompt`"),
    );
    check_changed(|events| drop(asked(events)), Err("which is not recorded"));
}

#[test]
fn a_record_of_another_run_is_refused() {
    let mut kept = Kept::default();
    driven(GRAPH, &mut kept, Arc::new(Yes), Vec::new()).unwrap();
    let other = GRAPH.replace("tool_id: quick", "tool_id: other");
    let error = driven(&other, &mut kept, Arc::new(Yes), Vec::new()).unwrap_err();
    assert!(error.to_string().contains("differs from the record in `tool`"), "{error}");
}
