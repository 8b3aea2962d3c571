//! Converts the script of a recorded run for the engine.
//!
//! Input is an agent and a script in the format of the oracle's `run.py`. Output is a program, turns and answers.
//! Invariant: a question without a scripted answer fails as in the recording program.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_engine::ask::{Answer, ModelReply, Reply, ToolCall};
use nodewise_engine::outcome::Failure;
use nodewise_engine::script::{Otherwise, Script, ScriptLine, ScriptLines, ScriptPart, Then};
use nodewise_engine::systems::liman::account::{RunAccount, RunInjection};
use nodewise_engine::systems::liman::host::MAX_ITERATIONS;
use nodewise_engine::systems::liman::{Host, LimanProfile, Program, UserTurn};
use nodewise_engine::time::Millis;
use nodewise_expr::json::from_json;
use nodewise_expr::value as expr;
use nodewise_model::work::QuestionKind;
use nodewise_model::{Body, NodeKind};
use serde_json::Value;
use smol_str::{SmolStr, format_smolstr};

use super::Agent;

const EXHAUSTED: &str = "scripted replies exhausted";

pub(super) fn prepare(
    agent: &Agent,
    script: &Value,
    profile: LimanProfile,
) -> (Arc<Program>, Vec<UserTurn>, Arc<Script>) {
    let host = host(agent, script, profile);
    let program = Arc::new(Program::new(agent.declarations(profile), host));
    (program, turns(script), Arc::new(answers(agent, script)))
}

fn host(agent: &Agent, script: &Value, profile: LimanProfile) -> Host {
    let iterations = script["max_iterations"].as_u64().and_then(|most| u32::try_from(most).ok());
    let mut host = Host {
        profile,
        max_iterations: iterations.unwrap_or(MAX_ITERATIONS),
        ..Host::starting_at(script["start"].as_str().unwrap_or_default())
    };
    for declaration in agent.declarations(profile) {
        let (Body::Node(node), Some(name)) = (&declaration.body, &declaration.name) else { continue };
        let section = match node.kind {
            NodeKind::Tool => "tools",
            NodeKind::Function => "functions",
            NodeKind::Model => continue,
        };
        if script[section].get(name.value.as_str()).is_none() {
            host.missing_functions.insert(format_smolstr!("{}/{}", declaration.kind, name.value));
        }
    }
    for account in script["service_accounts"].as_array().into_iter().flatten() {
        host.accounts.insert(text(&account["name"]), self::account(&account["context"]));
    }
    host
}

fn account(context: &Value) -> RunAccount {
    let injections = context["inject"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let inject = injections.map(|text| {
        let (target, path) = text.split_once(": ").unwrap_or((text, text));
        RunInjection { path: path.into(), target: target.into() }
    });
    RunAccount {
        strict: context["strict"].as_bool().unwrap_or(true),
        has_context: context.is_object(),
        inject: inject.collect(),
    }
}

fn turns(script: &Value) -> Vec<UserTurn> {
    let usual = [Value::from("hi")];
    let turns = script["turns"].as_array().map_or(usual.as_slice(), Vec::as_slice);
    let context_of = |turn: &Value| match (turn.get("context").unwrap_or(&script["context"])).clone() {
        Value::Object(entries) => match from_json(Value::Object(entries)) {
            expr::Value::Map(map) => map,
            _ => Arc::default(),
        },
        _ => Arc::default(),
    };
    turns
        .iter()
        .map(|turn| {
            let input = if turn.is_object() { &turn["input"] } else { turn };
            UserTurn { input: from_json(input.clone()), context: context_of(turn) }
        })
        .collect()
}

fn answers(agent: &Agent, script: &Value) -> Script {
    let mut parts: BTreeMap<ScriptPart, ScriptLines> = BTreeMap::new();
    match &script["llm"] {
        Value::Object(nodes) => {
            for (node, replies) in nodes {
                parts.insert(ScriptPart::of_node(QuestionKind::Model, node.as_str()), model_lines(replies));
            }
            parts.insert(ScriptPart::of_all(QuestionKind::Model), model_lines(&Value::Null));
        }
        replies => {
            parts.insert(ScriptPart::of_all(QuestionKind::Model), model_lines(replies));
        }
    }
    for (name, tool) in script["tools"].as_object().into_iter().flatten() {
        parts.insert(ScriptPart::named(QuestionKind::Tool, name.as_str()), tool_lines(tool));
    }
    for (name, function) in script["functions"].as_object().into_iter().flatten() {
        let answer = Answer::value(from_json(function["returns"].clone()));
        parts.insert(
            ScriptPart::of_node(QuestionKind::Function, format!("FunctionNode/{name}")),
            always(answer),
        );
    }
    for (path, result) in &agent.functions {
        let answer = match result {
            Some(value) => Answer::value(from_json(value.clone())),
            None => raised("the function raises"),
        };
        parts.insert(ScriptPart::named(QuestionKind::Function, path.as_str()), always(answer));
    }
    Script { parts, decisions: Vec::new(), otherwise: Otherwise::Fail }
}

fn model_lines(replies: &Value) -> ScriptLines {
    let replies = replies.as_array().into_iter().flatten().map(|reply| ScriptLine::once(model_answer(reply)));
    let mut lines: Vec<ScriptLine> = replies.collect();
    lines.push(ScriptLine { is_used_up: false, ..ScriptLine::once(raised(EXHAUSTED)) });
    ScriptLines { lines, then: Then::Repeat }
}

fn model_answer(reply: &Value) -> Answer {
    if let Some(message) = reply.get("raise") {
        return raised(message.as_str().unwrap_or_default());
    }
    let calls = reply["tool_calls"].as_array().into_iter().flatten().map(|call| ToolCall {
        id: text(&call["id"]),
        tool: text(&call["name"]),
        arguments: from_json(call.get("args").cloned().unwrap_or_else(|| Value::Object(Default::default()))),
    });
    let said = if reply.is_string() { reply } else { &reply["content"] };
    let value = reply.get("structured").map(|value| from_json(value.clone()));
    Answer::now(Reply::Model(ModelReply { text: text(said), value, calls: calls.collect() }))
}

fn tool_lines(tool: &Value) -> ScriptLines {
    let aside = tool.get("context").map(|context| from_json(context.clone()));
    let seconds = tool["sleep"].as_f64().unwrap_or_default();
    let dressed =
        |answer: Answer| Answer { after: Millis::from_f64(seconds * 1000.0), aside: aside.clone(), ..answer };
    let value = |value: &Value| dressed(Answer::value(from_json(value.clone())));
    let last = match tool.get("raises") {
        Some(message) => return always(dressed(raised(message.as_str().unwrap_or_default()))),
        None => value(&tool["returns"]),
    };
    let first = tool["seq"].as_array().into_iter().flatten().map(|item| ScriptLine::once(value(item)));
    let mut lines: Vec<ScriptLine> = first.collect();
    lines.push(ScriptLine { is_used_up: false, ..ScriptLine::once(last) });
    ScriptLines { lines, then: Then::Repeat }
}

fn always(answer: Answer) -> ScriptLines {
    ScriptLines {
        lines: vec![ScriptLine { is_used_up: false, ..ScriptLine::once(answer) }],
        then: Then::Repeat,
    }
}

fn raised(message: &str) -> Answer {
    Answer::failed(Failure::new("RuntimeError", message))
}

fn text(value: &Value) -> SmolStr {
    value.as_str().unwrap_or_default().into()
}
