//! The specification's engine for Liman: the rows of the digest's table §7.4, and clause by clause §7.5.
//!
//! Input: an agent as YAML and a script as JSON; output: visits with what they give, edges with why, how turns end.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use nodewise_dialect::lower;
use nodewise_dialect::tables::liman::LIMAN;
use nodewise_dialect::value::Value as Located;
use nodewise_engine::ask::{Answer, ModelReply, Question, Reply, ToolCall};
use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::limits::Limits;
use nodewise_engine::outcome::Failure;
use nodewise_engine::provider::drive;
use nodewise_engine::replay::Recorded;
use nodewise_engine::script::{Line, Lines, Otherwise, Part, Script, Scripted, Sort, Then};
use nodewise_engine::systems::liman::{self, Host, Profile, Program, Turn};
use nodewise_expr::json::{from_json, to_json};
use nodewise_expr::value::Value;
use nodewise_model::{Declaration, SourceId};
use serde_json::Value as Json;
use smol_str::SmolStr;

/// The agent of the digest's table.
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

fn prepared(agent: &str, script: &str) -> (Arc<Program>, Vec<Turn>, Arc<Script>) {
    let script: Json = serde_json::from_str(script).unwrap();
    let mut host = Host::starting_at(script["start"].as_str().unwrap_or("desk"));
    host.profile = Profile::named(script["profile"].as_str().unwrap_or("spec")).unwrap();
    host.language = script["language"].as_str().unwrap_or("en").into();
    host.strict = script["strict"].as_bool().unwrap_or_default();
    host.now = script["now"].as_f64().unwrap_or_default();
    if let Some(most) = script["max_iterations"].as_u64() {
        host.max_iterations = u32::try_from(most).unwrap();
    }
    let program = Program::new(&declarations(agent), host);
    let turns = match script["turns"].as_array() {
        Some(turns) => turns.iter().map(turn).collect(),
        None => vec![Turn::saying("go")],
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

fn turn(turn: &Json) -> Turn {
    let mut said = Turn::saying(turn.as_str().or(turn["input"].as_str()).unwrap());
    if let Value::Map(context) = from_json(turn["context"].clone()) {
        said.context = context;
    }
    said
}

fn answers(script: &Json) -> Script {
    let mut parts = BTreeMap::new();
    match &script["llm"] {
        Json::Object(nodes) => {
            parts.extend(nodes.iter().map(|(node, replies)| {
                (Part::named(Sort::Model, node.as_str()), lines(replies, model_answer))
            }))
        }
        replies => drop(parts.insert(Part::of_all(Sort::Model), lines(replies, model_answer))),
    }
    for (section, sort) in [("tools", Sort::Tool), ("functions", Sort::Function)] {
        for (name, answers) in script[section].as_object().into_iter().flatten() {
            let mut lines = lines(&Json::Array(vec![answers.clone()]), value_answer);
            lines.then = Then::Repeat;
            parts.insert(Part::named(sort, name.as_str()), lines);
        }
    }
    Script { parts, decisions: Vec::new(), otherwise: Otherwise::Fail }
}

fn lines(answers: &Json, answer: fn(&Json) -> Answer) -> Lines {
    let lines = answers.as_array().into_iter().flatten().map(|one| Line::once(answer(one))).collect();
    Lines { lines, then: Then::Fail }
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

/// What models were told, a line a message.
fn told(log: &[Event]) -> Vec<String> {
    let mut told = Vec::new();
    for event in log {
        if let EventKind::Asked { what, .. } = &event.kind
            && let Question::Model(model) = &what.what
        {
            let messages = model
                .prompt
                .iter()
                .map(|message| format!("{:?} {}", message.role, to_json(&message.content)));
            told.push(messages.collect::<Vec<_>>().join(" | "));
        }
    }
    told
}

#[test]
fn a_text_ends_the_turn() {
    check_desk(
        r#"{"llm": ["hi there"], "turns": ["hello"]}"#,
        r#"
        LLMNode/desk <- "hello"
          = {"ai":"hi there"}
        turn: completed {"ai":"hi there"}"#,
    );
}

#[test]
fn a_tool_answers_the_model_that_called_it() {
    check_desk(
        r#"{"llm": [{"calls": [["c1", "find", {"email": "a@b.c", "more": 1}]]}, "It is Ann."], "tools": {TOOLS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"find","args":{"email":"a@b.c","more":1},"id":"c1"}]}
        ToolNode/find <- {"name":"find","args":{"email":"a@b.c","more":1},"id":"c1"}
          = {"tool":"Ann","name":"find","id":"c1"}
        LLMNode/desk <- {"tool":"Ann","name":"find","id":"c1"}
          = {"ai":"It is Ann."}
        turn: completed {"ai":"It is Ann."}"#,
    );
}

#[test]
fn several_tools_run_in_order_and_answer_together() {
    check_desk(
        r#"{"llm": [{"calls": [["c1", "note"], ["c2", "note"]]}, "done"], "tools": {TOOLS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"note","args":{},"id":"c1"},{"name":"note","args":{},"id":"c2"}]}
        ToolNode/note <- {"name":"note","args":{},"id":"c1"}
          = {"tool":"noted","name":"note","id":"c1"}
        ToolNode/note <- {"name":"note","args":{},"id":"c2"}
          = {"tool":"noted","name":"note","id":"c2"}
        LLMNode/desk <- [{"tool":"noted","name":"note","id":"c1"},{"tool":"noted","name":"note","id":"c2"}]
          = {"ai":"done"}
        turn: completed {"ai":"done"}"#,
    );
}

#[test]
fn rounds_of_calls_follow_one_another() {
    let script = r#"{"llm": [{"calls": [["c1", "note"]]}, {"calls": [["c2", "note"], ["c3", "note"]]}, "done"], "tools": {TOOLS}}"#;
    let log = run(DESK, &script.replace("TOOLS", TOOLS));
    let visited: Vec<&str> = log
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::VisitStarted { node, .. } => node.split('/').nth(1),
            _ => None,
        })
        .collect();
    assert_eq!(visited, ["desk", "note", "desk", "note", "note", "desk"]);
}

#[test]
fn an_unknown_tool_is_told_to_the_model_or_an_error() {
    let script = |strict: bool| {
        format!(
            r#"{{"strict": {strict}, "llm": [{{"calls": [["c1", "fnd"]]}}, "sorry"], "tools": {{TOOLS}}}}"#
        )
    };
    check_desk(
        &script(false),
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"fnd","args":{},"id":"c1"}]}
        LLMNode/desk <- {"tool":"`fnd` is no tool of LLMNode/desk","name":"fnd","id":"c1"}
          = {"ai":"sorry"}
        turn: completed {"ai":"sorry"}"#,
    );
    check_desk(
        &script(true),
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"fnd","args":{},"id":"c1"}]}
        turn: failed null UnknownToolError: `fnd` is no tool of LLMNode/desk"#,
    );
}

#[test]
fn a_tool_that_exists_but_is_not_listed_is_unknown() {
    check_desk(
        r#"{"start": "LLMNode/auditor", "llm": [{"calls": [["c1", "note"]]}, "ok"], "tools": {TOOLS}}"#,
        r#"
        LLMNode/auditor <- "go"
          = {"ai":"","tool_calls":[{"name":"note","args":{},"id":"c1"}]}
        LLMNode/auditor <- {"tool":"`note` is no tool of LLMNode/auditor","name":"note","id":"c1"}
          = {"ai":"ok"}
        turn: completed {"ai":"ok"}"#,
    );
}

#[test]
fn a_tools_error_is_its_answer() {
    check_desk(
        r#"{"llm": [{"calls": [["c1", "note"]]}, "sorry"], "tools": {"note": {"raises": "db down"}}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"note","args":{},"id":"c1"}]}
        ToolNode/note <- {"name":"note","args":{},"id":"c1"}
          ! RuntimeError: db down
        LLMNode/desk <- {"tool":"db down","name":"note","id":"c1"}
          = {"ai":"sorry"}
        turn: completed {"ai":"sorry"}"#,
    );
}

#[test]
fn a_missing_argument_is_an_answer_too() {
    check_desk(
        r#"{"llm": [{"calls": [["c1", "find"]]}, "sorry"], "tools": {TOOLS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"find","args":{},"id":"c1"}]}
        ToolNode/find <- {"name":"find","args":{},"id":"c1"}
          ! ValueError: Required parameter is missing: 'email'
        LLMNode/desk <- {"tool":"Required parameter is missing: 'email'","name":"find","id":"c1"}
          = {"ai":"sorry"}
        turn: completed {"ai":"sorry"}"#,
    );
}

#[test]
fn the_visit_beyond_the_limit_fails_the_turn_and_the_next_turn_counts_anew() {
    check_desk(
        r#"{"max_iterations": 2, "turns": ["one", "two"], "llm": [{"calls": [["c1", "note"]]}, "second"], "tools": {TOOLS}}"#,
        r#"
        LLMNode/desk <- "one"
          = {"ai":"","tool_calls":[{"name":"note","args":{},"id":"c1"}]}
        ToolNode/note <- {"name":"note","args":{},"id":"c1"}
          = {"tool":"noted","name":"note","id":"c1"}
        turn: failed null MaxIterationsError: the turn took more than 2 visits
        LLMNode/desk <- "two"
          = {"ai":"second"}
        turn: completed {"ai":"second"}"#,
    );
}

#[test]
fn a_limit_of_zero_fails_every_turn() {
    check_desk(
        r#"{"max_iterations": 0, "llm": ["x"]}"#,
        "turn: failed null MaxIterationsError: the turn took more than 0 visits",
    );
}

#[test]
fn the_start_nodes_actor_lives_across_turns_and_others_do_not() {
    let log = run(
        DESK,
        r#"{"turns": ["one", "two"], "llm": {"desk": ["first", {"calls": [["c1", "pay"]]}, "end"], "auditor": ["fine"]}, "tools": {"pay": {"returns": "paid"}}}"#,
    );
    assert_eq!(
        told(&log),
        [
            r#"System "You are the desk.\nfind - Find\nnote - Note\npay - Pay" | Human "one""#,
            r#"System "You are the desk.\nfind - Find\nnote - Note\npay - Pay" | Human "one" | Model "first" | Human "two""#,
            r#"System "You audit." | Tool "paid""#,
            r#"System "You are the desk.\nfind - Find\nnote - Note\npay - Pay" | Human "one" | Model "first" | Human "two" | Model "" | Tool "fine""#,
        ]
    );
}

#[test]
fn a_followed_edge_of_a_tool_answers_the_call() {
    check_desk(
        r#"{"llm": [{"calls": [["c1", "pay"]]}, "audited", "all done"], "tools": {TOOLS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"pay","args":{},"id":"c1"}]}
        ToolNode/pay <- {"name":"pay","args":{},"id":"c1"}
          = {"tool":"paid","name":"pay","id":"c1"}
          > LLMNode/auditor: yes
        LLMNode/auditor <- {"tool":"paid","name":"pay","id":"c1"}
          = {"ai":"audited"}
        LLMNode/desk <- {"tool":"audited","name":"pay","id":"c1"}
          = {"ai":"all done"}
        turn: completed {"ai":"all done"}"#,
    );
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

#[test]
fn a_model_without_calls_follows_its_edges_in_order() {
    check_flow(
        "[a, {target: b, when: 'n > 1'}, {target: c, when: 'n > 5'}]",
        r#"{"llm": ["hi"], "functions": {FUNCTIONS}, "turns": [{"input": "go", "context": {"n": 2}}]}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: yes (it has no condition)
          > Node/b: yes
          > Node/c: no
        Node/a <- "hi"
          = "A"
        Node/b <- "hi"
          = {"n":2}
        turn: completed ["A",{"n":2}]"#,
    );
}

#[test]
fn the_output_of_the_only_branch_is_the_frames_output() {
    check_flow(
        "[{target: b, when: 'true'}]",
        r#"{"llm": ["hi"], "functions": {FUNCTIONS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/b: yes
        Node/b <- "hi"
          = {"n":2}
        turn: completed {"n":2}"#,
    );
}

#[test]
fn edges_wait_for_what_they_depend_on_wave_by_wave() {
    check_flow(
        "[{id: last, target: c, when: 'true', depends: [first, 7]}, {id: first, target: a, when: 'true'}, {id: 7, target: b, when: 'true', depends: first}]",
        r#"{"llm": ["hi"], "functions": {FUNCTIONS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: yes
        Node/a <- "hi"
          = "A"
          > Node/b: yes
        Node/b <- "hi"
          = {"n":2}
          > Node/c: yes
        Node/c <- "hi"
          = "C"
        turn: completed ["A",{"n":2},"C"]"#,
    );
}

#[test]
fn an_edge_whose_dependency_is_skipped_or_fails_is_skipped() {
    check_flow(
        "[{id: first, target: a, when: 'false'}, {target: b, when: 'true', depends: first}]",
        r#"{"llm": ["hi"], "functions": {FUNCTIONS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: no
          > Node/b: no (the edge `first`, which it depends on, was not followed to its end)
        turn: completed {"ai":"hi"}"#,
    );
    check_flow(
        "[{id: first, target: a, when: 'true'}, {target: b, when: 'true', depends: first}, {target: c, when: 'true'}]",
        r#"{"llm": ["hi"], "functions": {"lib.a": {"raises": "broken"}, "lib.b": {"returns": 1}, "lib.c": {"returns": "C"}}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: yes
          > Node/c: yes
        Node/a <- "hi"
          ! RuntimeError: broken
        Node/c <- "hi"
          = "C"
          > Node/b: no (the edge `first`, which it depends on, was not followed to its end)
        turn: completed [null,"C"]"#,
    );
}

#[test]
fn dependencies_that_are_unknown_or_a_circle_are_never_settled() {
    check_flow(
        "[{id: x, target: a, when: 'true', depends: y}, {id: y, target: b, when: 'true', depends: x}, {target: c, when: 'true', depends: zz}]",
        r#"{"llm": ["hi"], "functions": {FUNCTIONS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/c: no (no edge has the id `zz`, which it depends on)
          > Node/a: no (its dependencies wait for it)
          > Node/b: no (its dependencies wait for it)
        turn: completed {"ai":"hi"}"#,
    );
}

#[test]
fn conditions_may_be_functions_and_what_fails_is_not_followed() {
    check_flow(
        "[{target: a, when: rules.yes}, {target: b, when: rules.no}, {target: c, when: rules.bad}, {target: a, when: missing == 1}, {target: a, when: 'a =='}]",
        r#"{"llm": ["hi"], "functions": {FUNCTIONS, "rules.yes": {"returns": 1}, "rules.no": {"returns": ""}, "rules.bad": {"raises": "oh"}}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: yes (the function gives 1)
          > Node/b: no (the function gives )
          > Node/c: no (the function fails: oh)
          > Node/a: no (the condition fails: `missing` does not exist)
          > Node/a: no (the condition cannot be read: nothing follows `==`)
        Node/a <- "hi"
          = "A"
        turn: completed "A""#,
    );
}

#[test]
fn an_error_counts_for_edges_that_ask_for_it() {
    check_flow(
        "[{target: a, when: 'true'}, {target: b, when: $is_error(ModelError)}, {target: c, when: $is_error(OtherError)}]",
        r#"{"llm": [{"raises": "down"}], "functions": {FUNCTIONS}}"#,
        r#"
        LLMNode/desk <- "go"
          ! ModelError: down
          > Node/a: no (only conditions with `$is_error` count after an error)
          > Node/b: yes
          > Node/c: no
        Node/b <- "down"
          = {"n":2}
        turn: completed {"n":2}"#,
    );
}

#[test]
fn an_error_that_nobody_handles_fails_the_root() {
    check_flow(
        "[a]",
        r#"{"llm": [{"raises": "down"}], "functions": {FUNCTIONS}}"#,
        r#"
        LLMNode/desk <- "go"
          ! ModelError: down
          > Node/a: no (only conditions with `$is_error` count after an error)
        turn: failed null ModelError: down"#,
    );
}

#[test]
fn a_failed_model_remembers_nothing() {
    let log = run(DESK, r#"{"turns": ["one", "two"], "llm": [{"raises": "down"}, "up"]}"#);
    assert_eq!(
        told(&log)[1],
        r#"System "You are the desk.\nfind - Find\nnote - Note\npay - Pay" | Human "two""#
    );
}

#[test]
fn a_failed_frame_below_a_call_is_its_answer() {
    check_desk(
        r#"{"llm": {"desk": [{"calls": [["c1", "pay"]]}, "noticed"], "auditor": [{"raises": "no auditor"}]}, "tools": {TOOLS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"pay","args":{},"id":"c1"}]}
        ToolNode/pay <- {"name":"pay","args":{},"id":"c1"}
          = {"tool":"paid","name":"pay","id":"c1"}
          > LLMNode/auditor: yes
        LLMNode/auditor <- {"tool":"paid","name":"pay","id":"c1"}
          ! ModelError: no auditor
        LLMNode/desk <- {"tool":"no auditor","name":"pay","id":"c1"}
          = {"ai":"noticed"}
        turn: completed {"ai":"noticed"}"#,
    );
}

const ACCOUNTS: &str = "
kind: LLMNode
name: desk
prompts: {system: S}
auth: {service_account: clerk}
nodes: [{target: a, when: auth.context.uid == 7}, {target: b, when: auth.service_account == 'clerk'}]
---
kind: Node
name: a
func: lib.a
nodes: [{target: b, when: auth.context.uid == 7}]
---
kind: Node
name: b
func: lib.b
---
kind: ServiceAccount
name: clerk
context: {inject: ['uid: user.id']}
";

#[test]
fn an_account_is_injected_into_its_node_alone() {
    check_run(
        ACCOUNTS,
        r#"{"llm": ["hi"], "functions": {"lib.a": {"returns": "A"}, "lib.b": {"returns": "B"}}, "turns": [{"input": "go", "context": {"user": {"id": 7}}}]}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: yes
          > Node/b: yes
        Node/a <- "hi"
          = "A"
          > Node/b: no (the condition fails: `auth` does not exist)
        Node/b <- "hi"
          = "B"
        turn: completed ["A","B"]"#,
    );
}

#[test]
fn a_variable_that_a_strict_account_misses_fails_the_frame() {
    check_run(
        ACCOUNTS,
        r#"{"llm": ["hi"]}"#,
        r#"
        LLMNode/desk <- "go"
          ! ValueError: Required context variable not found in state: 'user.id'
        turn: failed null ValueError: Required context variable not found in state: 'user.id'"#,
    );
}

#[test]
fn what_a_function_sets_comes_before_the_runs_context() {
    check_run(
        "kind: Node\nname: desk\nfunc: lib.desk\nnodes: [{target: a, when: n == 1}, {target: a, when: m == 2}]\n---\nkind: FunctionNode\nname: a\nfunc: lib.a\n",
        r#"{"start": "Node/desk", "turns": [{"input": "go", "context": {"n": 5, "m": 2}}],
            "functions": {"lib.desk": {"returns": {"k": 1}, "context": {"n": 1}}, "lib.a": {"returns": "A"}}}"#,
        r#"
        Node/desk <- "go"
          = {"k":1}
          > FunctionNode/a: yes
          > FunctionNode/a: yes
        FunctionNode/a <- {"k":1}
          = "A"
        FunctionNode/a <- {"k":1}
          = "A"
        turn: completed ["A","A"]"#,
    );
}

#[test]
fn texts_of_outputs_are_contents_or_json() {
    check_run(
        "kind: LLMNode\nname: desk\nprompts: {system: S}\ntools: [t]\n---\nkind: ToolNode\nname: t\ndescription: T\nfunc: f.t\nnodes: [a, b]\n---\nkind: Node\nname: a\nfunc: lib.a\n---\nkind: Node\nname: b\nfunc: lib.b\n",
        r#"{"llm": [{"calls": [["c", "t"]]}, "end"], "tools": {"t": {"returns": {"x": [1]}}}, "functions": {"lib.a": {"returns": "A"}, "lib.b": {"returns": null}}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"t","args":{},"id":"c"}]}
        ToolNode/t <- {"name":"t","args":{},"id":"c"}
          = {"tool":"{\"x\":[1]}","name":"t","id":"c"}
          > Node/a: yes (it has no condition)
          > Node/b: yes (it has no condition)
        Node/a <- {"tool":"{\"x\":[1]}","name":"t","id":"c"}
          = "A"
        Node/b <- {"tool":"{\"x\":[1]}","name":"t","id":"c"}
          = null
        LLMNode/desk <- {"tool":"[\"A\",null]","name":"t","id":"c"}
          = {"ai":"end"}
        turn: completed {"ai":"end"}"#,
    );
}

#[test]
fn prompts_are_in_the_runs_language_with_fallback_text_by_text() {
    let agent = "kind: LLMNode\nname: desk\nprompts: {system: {en: You., de: Du.}}\ntools: [t]\n---\nkind: ToolNode\nname: t\ndescription: {en: Search}\ntriggers: {en: [find it, look], de: [such]}\ntool_prompt_template: 'Use {name}: {description} {triggers}'\nfunc: f.t\n";
    let log = run(agent, r#"{"language": "de", "llm": ["ja"]}"#);
    assert_eq!(told(&log), [r#"System "Du.\nUse t: Search - such" | Human "go""#]);
}

#[test]
fn now_is_the_hosts_time() {
    check_flow(
        "[{target: a, when: $now() > '2020-01-01T00:00:00Z'}, {target: b, when: $now() > deadline}]",
        r#"{"now": 1600000000, "llm": ["hi"], "functions": {FUNCTIONS}, "turns": [{"input": "go", "context": {"deadline": 1600000001}}]}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: yes
          > Node/b: no
        Node/a <- "hi"
          = "A"
        turn: completed "A""#,
    );
}

#[test]
fn what_is_missing_is_told_at_its_place() {
    check_desk(
        r#"{"start": "LLMNode/nobody"}"#,
        "turn: failed null ComponentNotFoundError: Component with key 'LLMNode:nobody' not found in the registry.",
    );
    check_flow(
        "[nowhere]",
        r#"{"llm": ["hi"]}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > nowhere: yes (it has no condition)
        turn: failed null ComponentNotFoundError: Component with key 'Node:nowhere' not found in the registry."#,
    );
    check_desk(
        r#"{"llm": []}"#,
        r#"
        LLMNode/desk <- "go"
          ! ScriptExhausted: the script has no answer left for the model `desk`, which node `LLMNode/desk` asks
        turn: failed null ScriptExhausted: the script has no answer left for the model `desk`, which node `LLMNode/desk` asks"#,
    );
}

#[test]
fn a_circle_of_nodes_ends_at_the_limit() {
    let agent = "kind: Node\nname: desk\nfunc: lib.desk\nnodes: [desk]\n";
    let script =
        r#"{"start": "Node/desk", "max_iterations": 3000, "functions": {"lib.desk": {"returns": 1}}}"#;
    let log = run(agent, script);
    assert!(
        shown(&log).ends_with("turn: failed null MaxIterationsError: the turn took more than 3000 visits\n")
    );
}

#[test]
fn a_hang_of_the_release_is_told_and_lasts() {
    check_desk(
        r#"{"profile": "0.1.1", "turns": ["one", "two"], "start": "LLMNode/auditor", "llm": [{"calls": [["c1", "note"], ["c2", "note"]]}, "x"], "tools": {TOOLS}}"#,
        r#"
        LLMNode/auditor <- "one"
          = {"ai":"","tool_calls":[{"name":"note","args":{},"id":"c1"},{"name":"note","args":{},"id":"c2"}]}
        ToolNode/note <- {"name":"note","args":{},"id":"c1"}
          = {"tool":"noted","name":"note","id":"c1"}
        ToolNode/note <- {"name":"note","args":{},"id":"c2"}
          = {"tool":"noted","name":"note","id":"c2"}
        turn: hung null Hang: the release waits for ever: what the turn waits for never comes
        turn: hung null Hang: the release waits for ever: what the turn waits for never comes"#,
    );
}
