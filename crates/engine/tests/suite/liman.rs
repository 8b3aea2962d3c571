//! The specification's engine for Liman: the rows of the table in liman:7.4, and clause by clause liman:7.5.
//!
//! Input: an agent as YAML and a script as JSON; output: visits with what they give, edges with why, how turns end.

mod edges;
mod surroundings;
mod turns;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use nodewise_dialect::lower;
use nodewise_dialect::tables::liman::LIMAN;
use nodewise_dialect::value::SpannedValue as Located;
use nodewise_engine::ask::{Answer, ModelReply, Question, Reply, ToolCall};
use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::limits::Limits;
use nodewise_engine::outcome::Failure;
use nodewise_engine::provider::drive;
use nodewise_engine::replay::Recorded;
use nodewise_engine::script::{Otherwise, Script, ScriptLine, ScriptLines, ScriptPart, Scripted, Then};
use nodewise_engine::systems::liman::{self, Host, LimanProfile, Program, UserTurn};
use nodewise_expr::json::{from_json, to_json};
use nodewise_expr::value::Value;
use nodewise_model::work::QuestionKind;
use nodewise_model::{Declaration, SourceId};
use serde_json::Value as Json;
use smol_str::SmolStr;

/// The agent of the table in liman:7.4.
const DESK: &str = "
kind: LLMNode
name: desk
prompts: {system: {en: You are the desk.}}
tools: [find, note, pay]
---
kind: ToolNode
name: find
description: Find
func: fake.find
arguments: [{name: email, type: string}]
---
kind: ToolNode
name: note
description: Note
func: fake.note
---
kind: ToolNode
name: pay
description: Pay
func: fake.pay
llm_nodes: [{target: auditor, when: 'true'}]
---
kind: LLMNode
name: auditor
prompts: {system: {en: You audit.}}
";

const TOOLS: &str = r#""find": {"returns": "Ann"}, "note": {"returns": "noted"}, "pay": {"returns": "paid"}"#;

/// Holds a run against its trace.
#[track_caller]
fn check_run(agent: &str, script: &str, expected: &str) {
    let log = run(agent, script);
    let found = shown(&log);
    let tidy = |text: &str| text.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n");
    assert_eq!(tidy(&found), tidy(expected), "\n{found}");
}

/// The run of the table's agent, whose tools answer as usual.
#[track_caller]
fn check_desk(script: &str, expected: &str) {
    check_run(DESK, &script.replace("TOOLS", TOOLS), expected);
}

fn run(agent: &str, script: &str) -> Vec<Event> {
    let (program, turns, answers) = prepared(agent, script);
    let mut kernel = liman::begin(program.clone(), turns.clone(), Limits::default(), 0);
    let outcome = drive(&mut kernel, &mut Scripted::new(answers.clone()));
    let log = kernel.take_log();
    let mut again = liman::begin(program, turns, Limits::default(), 0);
    let mut recorded = Recorded::new(&log, Scripted::new(Arc::new(Script::default())));
    assert_eq!(drive(&mut again, &mut recorded), outcome, "the recorded answers lead to the same end");
    assert_eq!(again.log(), log, "the recorded answers lead to the same log");
    log
}

fn prepared(agent: &str, script: &str) -> (Arc<Program>, Vec<UserTurn>, Arc<Script>) {
    let script: Json = serde_json::from_str(script).unwrap();
    let mut host = Host::starting_at(script["start"].as_str().unwrap_or("desk"));
    host.profile = LimanProfile::named(script["profile"].as_str().unwrap_or("spec")).unwrap();
    host.language = script["language"].as_str().unwrap_or("en").into();
    host.strict = script["strict"].as_bool().unwrap_or_default();
    host.now = script["now"].as_f64().unwrap_or_default();
    if let Some(most) = script["max_iterations"].as_u64() {
        host.max_iterations = u32::try_from(most).unwrap();
    }
    let program = Program::new(&declarations(agent), host);
    let turns = match script["turns"].as_array() {
        Some(turns) => turns.iter().map(turn).collect(),
        None => vec![UserTurn::saying("go")],
    };
    (Arc::new(program), turns, Arc::new(answers(&script)))
}

fn declarations(text: &str) -> Vec<Declaration> {
    let tree = nodewise_syntax::parse(text);
    assert!(tree.problems().is_empty(), "{text}");
    let roots = tree.documents().filter_map(|document| document.root());
    let values = roots.map(|root| Located::from_node(root, SourceId::default()));
    let declaration = |value: Located<'_>| {
        let kind = LIMAN.kind(value.get("kind")?.value.as_text()?)?;
        lower::liman::declaration(kind, &value)
    };
    values.filter_map(declaration).collect()
}

fn turn(turn: &Json) -> UserTurn {
    let mut said = UserTurn::saying(turn.as_str().or(turn["input"].as_str()).unwrap());
    if let Value::Map(context) = from_json(turn["context"].clone()) {
        said.context = context;
    }
    said
}

fn answers(script: &Json) -> Script {
    let mut parts = BTreeMap::new();
    match &script["llm"] {
        Json::Object(nodes) => parts.extend(nodes.iter().map(|(node, replies)| {
            (ScriptPart::named(QuestionKind::Model, node.as_str()), lines(replies, model_answer))
        })),
        replies => drop(parts.insert(ScriptPart::of_all(QuestionKind::Model), lines(replies, model_answer))),
    }
    for (section, sort) in [("tools", QuestionKind::Tool), ("functions", QuestionKind::Function)] {
        for (name, answers) in script[section].as_object().into_iter().flatten() {
            let mut lines = lines(&Json::Array(vec![answers.clone()]), value_answer);
            lines.then = Then::Repeat;
            parts.insert(ScriptPart::named(sort, name.as_str()), lines);
        }
    }
    Script { parts, decisions: Vec::new(), otherwise: Otherwise::Fail }
}

fn lines(answers: &Json, answer: fn(&Json) -> Answer) -> ScriptLines {
    let lines = answers.as_array().into_iter().flatten().map(|one| ScriptLine::once(answer(one))).collect();
    ScriptLines { lines, then: Then::Fail }
}

fn model_answer(reply: &Json) -> Answer {
    if let Some(message) = reply["raises"].as_str() {
        return Answer::failed(Failure::new("ModelError", message));
    }
    let text = |value: &Json| SmolStr::new(value.as_str().unwrap_or_default());
    let calls = reply["calls"].as_array().into_iter().flatten().map(|call| ToolCall {
        id: text(&call[0]),
        tool: text(&call[1]),
        arguments: from_json(call.get(2).cloned().unwrap_or_else(|| serde_json::json!({}))),
    });
    Answer::now(Reply::Model(ModelReply { text: text(reply), value: None, calls: calls.collect() }))
}

fn value_answer(answer: &Json) -> Answer {
    let given = match answer["raises"].as_str() {
        Some(message) => {
            Answer::failed(Failure::new(answer["class"].as_str().unwrap_or("RuntimeError"), message))
        }
        None => Answer::value(from_json(answer["returns"].clone())),
    };
    Answer { aside: answer.get("context").map(|context| from_json(context.clone())), ..given }
}

/// The trace: `node <- input`, `= output` or `! error`, `> target: yes or no (why)`, `turn: how it ended`.
fn shown(log: &[Event]) -> String {
    let mut text = String::new();
    for event in log {
        match &event.kind {
            EventKind::VisitStarted { node, reads, .. } => {
                writeln!(text, "{node} <- {}", to_json(reads)).unwrap();
            }
            EventKind::VisitEnded { result: Ok(output), .. } => {
                writeln!(text, "  = {}", to_json(output)).unwrap();
            }
            EventKind::VisitEnded { result: Err(failure), .. } => writeln!(text, "  ! {failure}").unwrap(),
            EventKind::EdgeJudged { target, followed, reason, .. } => {
                let verdict = if *followed { "yes" } else { "no" };
                let reason = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
                writeln!(text, "  > {target}: {verdict}{reason}").unwrap();
            }
            EventKind::GraphEnded { outcome, .. } => {
                write!(text, "turn: {} {}", outcome.status.word(), to_json(&outcome.output)).unwrap();
                let failure = outcome.failure.as_ref().map(|failure| format!(" {failure}"));
                writeln!(text, "{}", failure.unwrap_or_default()).unwrap();
            }
            _ => {}
        }
    }
    text
}

/// What models got, a line for each message.
fn prompts(log: &[Event]) -> Vec<String> {
    let mut prompts = Vec::new();
    for event in log {
        if let EventKind::Asked { what, .. } = &event.kind
            && let Question::Model(model) = &what.what
        {
            let messages = model
                .prompt
                .iter()
                .map(|message| format!("{:?} {}", message.role, to_json(&message.content)));
            prompts.push(messages.collect::<Vec<_>>().join(" | "));
        }
    }
    prompts
}

/// A model that leads to functions, with the edges under test.
fn flow(edges: &str) -> String {
    let mut agent = format!("kind: LLMNode\nname: desk\nprompts: {{system: S}}\nnodes: {edges}\n");
    for name in ["a", "b", "c"] {
        write!(agent, "---\nkind: Node\nname: {name}\nfunc: lib.{name}\n").unwrap();
    }
    agent
}

const FLOW_FUNCTIONS: &str =
    r#""lib.a": {"returns": "A"}, "lib.b": {"returns": {"n": 2}}, "lib.c": {"returns": "C"}"#;

#[track_caller]
fn check_flow(edges: &str, script: &str, expected: &str) {
    check_run(&flow(edges), &script.replace("FUNCTIONS", FLOW_FUNCTIONS), expected);
}
