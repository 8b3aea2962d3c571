//! The requests that a node would send to models now, before anything is sent.
//!
//! Input: what is to run, the configuration, the node. Output: requests, and what cannot be known before the run. Invariant: nothing is
//! called, started or stored: what the run asks others than models on its way, the script answers.

use anyhow::{Context, Result, bail};
use nodewise_engine::ask::{Ask, ModelQuestion, Question};
use nodewise_engine::event::EventKind;
use nodewise_engine::kernel::Step;
use nodewise_project::config::live::Live;
use nodewise_simulation::run::Run;
use nodewise_simulation::{RunInputs, prepare};
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use crate::models::{ModelRequest, request};
use crate::systems;
use crate::wiring::{OfferedTool, Wiring};

/// How many steps of the run are tried until the node asks a model.
const MOST_STEPS: usize = 1_000_000;

/// The requests that a node would send.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// The requests in the order of asking. There are several if several agents work at the same time.
    pub requests: Vec<AgentRequest>,
    /// Notes on what only the run itself can know.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AgentRequest {
    /// The node that asks.
    pub node: SmolStr,
    /// The agent whose model is asked.
    pub agent: SmolStr,
    /// The request, as it would be sent.
    pub request: ModelRequest,
}

/// The node whose requests are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At<'n> {
    /// The node at which the run begins.
    Start(&'n str),
    /// The first visit of a node, in a run with the answers of the script.
    Node(&'n str),
}

/// The requests that a node would send.
///
/// # Errors
/// Where nothing is configured for its agents, the run does not reach the node, or the node asks no model.
pub fn preview(inputs: &RunInputs<'_>, live: &Live, at: At<'_>) -> Result<Preview> {
    let gone = || "the graph of this run is no longer declared";
    let system = inputs.target.system(inputs.snapshot).with_context(gone)?;
    let wiring = systems::configured_wiring(inputs, system, live);
    let mut scenario = inputs.scenario.clone();
    let wanted = wiring.servers.iter().map(|(name, tools)| {
        let tools = tools.iter().flatten().cloned().collect();
        (name.clone(), tools)
    });
    systems::of(system).complete(&mut scenario, wanted.collect());
    let asked = questions(prepare(inputs.snapshot, inputs.target, &scenario)?, at)?;
    let tools = tools(live, &wiring);
    let requests = asked.into_iter().map(|(node, question)| {
        let request = request(live, &wiring, &tools, &question)?;
        Ok(AgentRequest { node, agent: question.agent, request })
    });
    let requests: Vec<AgentRequest> = requests.collect::<Result<_>>()?;
    let notes = notes(live, &wiring, &requests);
    Ok(Preview { requests, notes })
}

/// The questions to models at a node, until the run needs an answer to continue.
fn questions(mut run: Run, at: At<'_>) -> Result<Vec<(SmolStr, ModelQuestion)>> {
    let mut asked = Vec::new();
    let mut seen = 0;
    for _ in 0..MOST_STEPS {
        // Stop before timers of the node, since its questions are not answered here.
        if !asked.is_empty() && run.due().is_none_or(|due| due > run.now()) {
            break;
        }
        match run.step() {
            Step::Went => {}
            Step::Asked(id, ask) => match model_question(&ask, at) {
                Some(question) => asked.push((ask.node.clone(), question.clone())),
                None => {
                    let answer = run.scripted(id, &ask);
                    run.answer(id, answer);
                }
            },
            Step::Paused(outcome) => match run.decided(&outcome.output) {
                Some(decision) => run.resume(decision),
                None => break,
            },
            Step::Ended(_) | Step::Blocked => break,
        }
        let new = run.log().get(seen..).unwrap_or_default();
        let has_ended = new.iter().any(|event| matches!(event.kind, EventKind::VisitEnded { .. }));
        seen += new.len();
        if matches!(at, At::Start(_)) && has_ended && asked.is_empty() {
            break;
        }
    }
    if asked.is_empty() {
        match at {
            At::Start(node) => bail!("`{node}` asks no model"),
            At::Node(node) => bail!(
                "with these answers, the run does not come to a question of `{node}` to a model\n  help: leave out the script: \
                 then the run begins at the node"
            ),
        }
    }
    Ok(asked)
}

fn model_question<'a>(ask: &'a Ask, at: At<'_>) -> Option<&'a ModelQuestion> {
    let Question::Model(question) = &ask.what else { return None };
    let is_wanted = match at {
        At::Start(_) => true,
        At::Node(node) => {
            // In some systems, the kind stands before the name of a node.
            ask.node == node || ask.node.split_once('/').is_some_and(|(_, name)| name == node)
        }
    };
    is_wanted.then_some(question)
}

/// The tools, as the configuration and declarations describe them. Servers and functions are not asked.
fn tools(live: &Live, wiring: &Wiring) -> Vec<OfferedTool> {
    let tool = |(name, declared): (&SmolStr, &crate::wiring::Tool)| {
        let settings = live.tools.get(name.as_str());
        let described = settings.and_then(|settings| settings.description.clone());
        let parameters = settings.and_then(|settings| settings.parameters.clone());
        OfferedTool {
            name: name.clone(),
            description: described.or_else(|| declared.description.clone()),
            parameters: parameters.or_else(|| declared.parameters.clone()).unwrap_or_else(|| json!({})),
        }
    };
    wiring.tools.iter().map(tool).collect()
}

fn notes(live: &Live, wiring: &Wiring, requests: &[AgentRequest]) -> Vec<String> {
    let is_described = |name: &str| {
        let settings = live.tools.get(name);
        let declared = wiring.tools.get(name);
        settings.is_some_and(|settings| settings.parameters.is_some())
            || declared.is_none_or(|declared| declared.parameters.is_some())
    };
    let offered = requests.iter().flat_map(|one| one.request.body["tools"].as_array().into_iter().flatten());
    let names = offered.filter_map(|tool| {
        let name = tool.pointer("/function/name").or_else(|| tool.get("name"));
        name.and_then(Json::as_str)
    });
    let mut unknown: Vec<&str> = names.filter(|name| !is_described(name)).collect();
    unknown.sort_unstable();
    unknown.dedup();
    let mut notes: Vec<String> = unknown
        .iter()
        .map(|name| {
            format!("the arguments of the tool `{name}` are known when its function or its server runs")
        })
        .collect();
    let open = wiring.servers.iter().filter(|(_, wanted)| wanted.is_none());
    notes.extend(open.map(|(server, _)| {
        format!("the tools of the MCP server `{server}` are known when it runs, and are missing here")
    }));
    notes
}

impl Preview {
    /// The requests as JSON for programs, exactly as they would be sent.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let requests = self.requests.iter().map(|one| {
            let headers: serde_json::Map<String, Json> =
                one.request.headers.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
            json!({
                "node": one.node.as_str(), "agent": one.agent.as_str(), "provider": one.request.provider,
                "url": one.request.url, "headers": headers, "body": one.request.body,
            })
        });
        json!({"requests": requests.collect::<Vec<_>>(), "notes": self.notes})
    }

    /// The requests as text for people: address, headers and settings, then each message.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut parts: Vec<String> = self.requests.iter().map(text_of).collect();
        parts.extend(self.notes.iter().map(|note| format!("note: {note}\n")));
        parts.join("\n")
    }
}

fn text_of(one: &AgentRequest) -> String {
    let request = &one.request;
    let mut text = format!(
        "POST {}  (provider `{}`, agent `{}` of node `{}`)\n",
        request.url, request.provider, one.agent, one.node
    );
    for (name, value) in &request.headers {
        text.push_str(&format!("{name}: {value}\n"));
    }
    let mut rest = request.body.clone();
    let mut messages = Vec::new();
    if let Some(body) = rest.as_object_mut() {
        if let Some(system) = body.remove("system") {
            messages.push(json!({"role": "system", "content": system}));
        }
        if let Some(Json::Array(turns)) = body.remove("messages") {
            messages.extend(turns);
        }
    }
    let settings = serde_json::to_string_pretty(&rest).unwrap_or_default();
    text.push_str(&format!("\n{settings}\n"));
    for message in &messages {
        let role = message["role"].as_str().unwrap_or_default();
        text.push_str(&format!("\n--- {role} ---\n{}\n", content(message)));
    }
    text
}

/// A part of a message as JSON. The length replaces the data of an image or a file.
fn shortened(part: &Json) -> String {
    let mut part = part.clone();
    for path in ["/image_url/url", "/file/file_data", "/source/data"] {
        if let Some(Json::String(data)) = part.pointer_mut(path) {
            *data = format!("({} characters)", data.len());
        }
    }
    part.to_string()
}

/// The content of a message: texts unchanged, everything else as JSON.
fn content(message: &Json) -> String {
    let mut rest = message.clone();
    let mut texts: Vec<String> = Vec::new();
    match &message["content"] {
        Json::String(text) => texts.push(text.clone()),
        Json::Array(parts) => {
            for part in parts {
                match part["text"].as_str() {
                    Some(text) => texts.push(text.to_owned()),
                    None => texts.push(shortened(part)),
                }
                if let Some(mark) = part.get("cache_control") {
                    texts.push(json!({ "cache_control": mark }).to_string());
                }
            }
        }
        Json::Null => {}
        other => texts.push(other.to_string()),
    }
    if let Some(rest) = rest.as_object_mut() {
        rest.remove("role");
        rest.remove("content");
        if !rest.is_empty() {
            texts.push(Json::Object(rest.clone()).to_string());
        }
    }
    texts.join("\n")
}
