//! What nodewise sends in the same runs.
//!
//! Input is a question for the oracle. Output is the requests in the format of the recording. Invariant: the requests are those of a
//! live run; what is left out of either side is named here, with the reason.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use nodewise_analysis::settings::{Pin, Settings};
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_dialect::tables::liman::{LIMAN, RELEASE_0_1_1};
use nodewise_engine::ask::ModelQuestion;
use nodewise_engine::systems::liman::LimanProfile;
use nodewise_live::models;
use nodewise_live::systems;
use nodewise_live::wiring::{Agent, OfferedTool, Wiring};
use nodewise_project::config::live::{Live, ProviderConfig, ProviderKind};
use nodewise_simulation::RunInputs;
use nodewise_simulation::scenario::empty;
use nodewise_simulation::system::RunnableSystem;
use nodewise_simulation::systems as simulated;
use nodewise_simulation::target::SimulationTarget;
use serde_json::{Value, json};

use super::outline::{members, sections, words};
use crate::replay;

/// The name of the only model, and of its provider.
const MODEL: &str = "scripted";

/// The requests of a run.
pub(super) fn requests(system: &str, question: &Value) -> Result<Vec<Value>> {
    match system {
        "cycgraph" => cycgraph(question),
        "agentos" => agentos(question),
        "liman" => liman(question),
        other => bail!("{other} has no prompts"),
    }
}

/// The requests of the package, in the form in which they are compared.
pub(super) fn comparable(system: &str, requests: &Value) -> Vec<Value> {
    let requests = requests.as_array().into_iter().flatten().cloned();
    match system {
        "agentos" => requests.map(with_shown_members).collect(),
        "liman" => requests.map(renamed).map(without_lost_calls).collect(),
        _ => requests.map(with_turns).collect(),
    }
}

/// The package sends two consecutive texts of the user. In nodewise's requests users and models take turns, so they
/// are joined.
fn with_turns(mut request: Value) -> Value {
    let Some(messages) = request["messages"].as_array_mut() else { return request };
    let mut turns: Vec<Value> = Vec::new();
    for message in std::mem::take(messages) {
        match turns.last_mut().filter(|last| last["role"] == "user" && message["role"] == "user") {
            Some(last) => {
                let more = message["sections"].as_array().cloned().unwrap_or_default();
                last["sections"].as_array_mut().into_iter().for_each(|known| known.extend(more.clone()));
            }
            None => turns.push(message),
        }
    }
    *messages = turns;
    request
}

fn cycgraph(question: &Value) -> Result<Vec<Value>> {
    let scenario = &question["scenario"];
    let no_files = |path: &str| bail!("there is no file {path}");
    let run = replay::cycgraph::Scenario::read(&scenario.to_string(), &no_files)?;
    let tools = scenario["tools"].as_object().into_iter().flatten();
    let tools: Vec<OfferedTool> = tools.map(|(name, _)| tool(name)).collect();
    let asked = replay::cycgraph::questions(&run);
    let wiring = wiring(simulated::cycgraph::SYSTEM, &asked);
    let request = |question: &ModelQuestion| {
        let body = body(&wiring, &tools, question)?;
        let mut described = json!({"agent": question.agent.as_str(), "messages": messages(&body)});
        let tools: Vec<Value> = offered(&body)
            .map(|tool| json!({"name": tool["name"], "arguments": members(&tool["parameters"])}))
            .collect();
        if !tools.is_empty() {
            described["tools"] = tools.into();
        }
        if let Some(schema) = answer(&body) {
            described["answer"] = members(schema).into();
        }
        Ok(described)
    };
    asked.iter().map(request).collect()
}

/// A tool that accepts any arguments, as the oracle defines its tools.
fn tool(name: &str) -> OfferedTool {
    let description = Some(format!("scripted {name}"));
    OfferedTool { name: name.into(), description, parameters: json!({"type": "object", "properties": {}}) }
}

/// The package gives the whole state to a function of the program. nodewise sends models only the partitions that
/// nodes write.
fn with_shown_members(mut request: Value) -> Value {
    for message in request["messages"].as_array_mut().into_iter().flatten() {
        if let Some(members) = message.get_mut("members").and_then(Value::as_array_mut) {
            members.retain(|name| ["input", "scratch", "artifacts"].iter().any(|shown| name == shown));
        }
    }
    request
}

fn agentos(question: &Value) -> Result<Vec<Value>> {
    let asked = replay::agentos::questions(&question["job"]);
    let wiring = wiring(simulated::agentos::SYSTEM, &asked);
    let request = |question: &ModelQuestion| {
        let body = body(&wiring, &[], question)?;
        if let Some(schema) = answer(&body) {
            let temperature = &body["temperature"];
            return Ok(
                json!({"messages": messages(&body), "answer": members(schema), "temperature": temperature}),
            );
        }
        // The package sends the same instructions and state in every round. The conversation after them is up to the
        // program.
        let sent = body["messages"].as_array().into_iter().flatten().take(2);
        let messages: Vec<Value> = sent.map(|sent| state(sent).unwrap_or_else(|| message(sent))).collect();
        Ok(json!({"agent": question.agent.as_str(), "messages": messages}))
    };
    asked.iter().map(request).collect()
}

/// A state as nodewise shows it: JSON between tags.
fn state(sent: &Value) -> Option<Value> {
    let (_, json) = sent["content"].as_str()?.split_once("<state>\n")?;
    let state: Value = serde_json::from_str(json.split_once("\n</state>")?.0).ok()?;
    let names: Vec<&String> = state.as_object()?.keys().collect();
    Some(json!({"role": "state", "members": names, "holds": words(&state.to_string())}))
}

/// The release sends a tool's result without the call before it, which providers reject. nodewise sends it as a user's
/// text.
fn without_lost_calls(mut request: Value) -> Value {
    for message in request["messages"].as_array_mut().into_iter().flatten() {
        if message["role"] == "tool" {
            let results = message["results"].as_array().into_iter().flatten();
            let sections: Vec<Value> = results.map(|words| json!({"holds": words})).collect();
            *message = json!({"role": "user", "sections": sections});
        }
    }
    request
}

/// The release writes `any_of`, which is not a keyword of JSON Schema.
fn renamed(value: Value) -> Value {
    let name = |name: String| if name == "any_of" { "anyOf".to_owned() } else { name };
    match value {
        Value::Object(members) => {
            members.into_iter().map(|(key, member)| (name(key), renamed(member))).collect()
        }
        Value::Array(items) => items.into_iter().map(renamed).collect(),
        other => other,
    }
}

fn liman(question: &Value) -> Result<Vec<Value>> {
    let value = &question["value"];
    let documents = value["documents"].as_array().into_iter().flatten();
    let text: String = documents.map(|document| format!("---\n{document}\n")).collect();
    let agent = replay::liman::Agent::of(vec![("agent.yaml".to_owned(), text.clone())]);
    let asked = replay::liman::questions(&agent, &value["script"], LimanProfile::Release);
    let snapshot = workspace(text);
    let start = value["script"]["start"].as_str().unwrap_or_default();
    let start = start.split_once('/').map_or(start, |(_, name)| name);
    let target = SimulationTarget::named(&snapshot, None, None, Some(start))?;
    let scenario = empty();
    let inputs = RunInputs { snapshot: &snapshot, target: &target, scenario: &scenario };
    let mut wiring = systems::wiring(&inputs, simulated::liman::SYSTEM);
    wiring.agents.values_mut().for_each(|agent| agent.model = Some(MODEL.into()));
    let tools = wiring.tools.iter().map(|(name, tool)| OfferedTool {
        name: name.clone(),
        description: tool.description.clone(),
        parameters: tool.parameters.clone().unwrap_or_default(),
    });
    let tools: Vec<OfferedTool> = tools.collect();
    let request = |question: &ModelQuestion| {
        let body = body(&wiring, &tools, question)?;
        let shown: Vec<Value> = messages(&body).into_iter().map(with_result_as_text).collect();
        let mut described = json!({"agent": format!("LLMNode/{}", question.agent), "messages": shown});
        let tools: Vec<Value> = offered(&body).map(|tool| without_closing(tool.clone())).collect();
        if !tools.is_empty() {
            described["tools"] = tools.into();
        }
        if let Some(schema) = answer(&body) {
            described["answer"] = without_closing(schema.clone());
        }
        Ok(described)
    };
    asked.iter().map(request).collect()
}

/// The result of a tool that nodewise sends as a user's text, without the name of the tool.
fn with_result_as_text(mut message: Value) -> Value {
    for section in message["sections"].as_array_mut().into_iter().flatten() {
        if section["tag"] == "result" {
            *section = json!({"holds": section["data"]});
        }
    }
    message
}

/// A schema without `additionalProperties`. Only nodewise sends it, so that models know that other members are
/// rejected.
fn without_closing(schema: Value) -> Value {
    match schema {
        Value::Object(members) => members
            .into_iter()
            .filter(|(name, _)| name != "additionalProperties")
            .map(|(name, member)| (name, without_closing(member)))
            .collect(),
        Value::Array(items) => items.into_iter().map(without_closing).collect(),
        other => other,
    }
}

fn workspace(text: String) -> Snapshot {
    let settings = Settings { dialect: Pin::Dialect(LIMAN.id), ..Settings::default() };
    let settings = Arc::new(settings.following(&LIMAN, RELEASE_0_1_1));
    let mut workspace = Workspace::new();
    workspace.apply(vec![Change::Write { path: "agent.yaml".into(), text: text.into(), settings }]);
    workspace.snapshot()
}

/// A wiring in which all agents have the same model.
fn wiring(system: RunnableSystem, asked: &[ModelQuestion]) -> Wiring {
    let agent = Agent { model: Some(MODEL.into()), ..Agent::default() };
    Wiring {
        system,
        agents: asked.iter().map(|question| (question.agent.clone(), agent.clone())).collect(),
        tools: Default::default(),
        servers: Default::default(),
        functions: Default::default(),
    }
}

/// The body of the request that a live run sends.
fn body(wiring: &Wiring, tools: &[OfferedTool], question: &ModelQuestion) -> Result<Value> {
    let mut live = Live { provider: Some(MODEL.to_owned()), ..Live::default() };
    let base_url = Some("http://127.0.0.1:1/v1".to_owned());
    let provider = ProviderConfig {
        kind: ProviderKind::OpenAi,
        base_url,
        key: None,
        calls_at_once: None,
        headers: Default::default(),
        query: Default::default(),
    };
    live.providers.insert(MODEL.to_owned(), provider);
    Ok(models::request(&live, wiring, tools, question).context("no request")?.body)
}

/// The tools of a request.
fn offered(body: &Value) -> impl Iterator<Item = &Value> {
    body["tools"].as_array().into_iter().flatten().map(|tool| &tool["function"])
}

/// The schema of the answer.
fn answer(body: &Value) -> Option<&Value> {
    Some(&body["response_format"]["json_schema"]["schema"]).filter(|schema| schema.is_object())
}

/// The messages of a request. The results of one turn are joined.
fn messages(body: &Value) -> Vec<Value> {
    let mut joined: Vec<Value> = Vec::new();
    for message in body["messages"].as_array().into_iter().flatten().map(message) {
        let results = |message: &Value| message["results"].as_array().cloned();
        let last = joined.last_mut().and_then(|last| last.get_mut("results")?.as_array_mut());
        match (last, results(&message)) {
            (Some(known), Some(results)) => known.extend(results),
            _ => joined.push(message),
        }
    }
    joined
}

fn message(sent: &Value) -> Value {
    let text = sent["content"].as_str().unwrap_or_default();
    if sent["role"] == "tool" {
        return json!({"role": "tool", "results": [words(text)]});
    }
    let mut described = json!({"role": sent["role"]});
    let calls = sent["tool_calls"].as_array().into_iter().flatten().map(|call| &call["function"]);
    let held = |call: &Value| words(call["arguments"].as_str().unwrap_or_default());
    let calls: Vec<Value> = calls.map(|call| json!({"tool": call["name"], "holds": held(call)})).collect();
    if !text.is_empty() || calls.is_empty() {
        described["sections"] = sections(text);
    }
    if !calls.is_empty() {
        described["calls"] = calls.into();
    }
    described
}
