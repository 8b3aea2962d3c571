//! Recorded runs of Liman's agents.
//!
//! Input is a folder with the folder `agent` (declarations, and modules with the functions of conditions), scripts
//! `*.json`, and `expected.json`, which has the results of the two released lines for each script. Subfolders with that
//! file are included. Output is the results of the engine for the same scripts, in the format of the recording.
//! Invariant: each run is compared with both lines.

mod agent;
mod refused;
mod script;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nodewise_engine::ask::{Message, ModelQuestion, Question, Role, ToolCall};
use nodewise_engine::event::{Event, EventKind, VisitId};
use nodewise_engine::limits::Limits;
use nodewise_engine::outcome::{Outcome, Status};
use nodewise_engine::script::Scripted;
use nodewise_engine::systems::liman::{self, LimanProfile};
use nodewise_expr::json;
use serde_json::{Value, json};

pub(crate) use agent::Agent;

use super::{Exception, Replayed, differences};

/// The file with the recordings.
const EXPECTED: &str = "expected.json";
const AGENT: &str = "agent";

pub(super) const LEDGER: &[Exception] = &[];

pub(super) fn replay(folder: &Path) -> Result<Vec<Replayed>> {
    let mut replayed = Vec::new();
    for folder in recordings(folder)? {
        let read = |path: &Path| -> Result<Value> {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            serde_json::from_str(&text).with_context(|| path.display().to_string())
        };
        let expected = read(&folder.join(EXPECTED))?;
        let agent = Agent::read(&folder.join(AGENT))?;
        for (name, lines) in expected.as_object().into_iter().flatten() {
            let script = read(&folder.join(format!("{name}.json")))?;
            for (line, recorded) in lines.as_object().into_iter().flatten() {
                let Some(profile) = profile_of(line) else { continue };
                let ours = run(&agent, &script, profile);
                replayed.push(Replayed {
                    name: format!("{name} ({})", line.split(':').next().unwrap_or(line)),
                    differences: differences("", &comparable(recorded), &ours),
                });
            }
        }
    }
    Ok(replayed)
}

/// The run of an agent with a script, in the format of the recordings.
fn run(agent: &Agent, script: &Value, profile: LimanProfile) -> Value {
    let mut ours = in_full(agent, script, profile);
    let calls = ours["llm_calls"].take();
    let roles = |call: &Value| -> Value {
        let messages = call["messages"].as_array().into_iter().flatten();
        messages.filter_map(|message| message.as_object()?.keys().next().cloned()).collect()
    };
    let sent_roles: Value = calls.as_array().into_iter().flatten().map(roles).collect();
    json!({"turns": ours["turns"], "errors": ours["errors"], "llm_messages": sent_roles})
}

/// The run of an agent with a script, with all messages to its models.
pub(crate) fn in_full(agent: &Agent, script: &Value, profile: LimanProfile) -> Value {
    let (program, turns, answers) = script::prepare(agent, script, profile);
    let mut kernel = liman::begin(program, turns, Limits::default(), 0);
    super::drive(&mut kernel, Scripted::new(answers));
    summary(kernel.log())
}

/// What the models of an agent are asked, in the order of asking.
pub(crate) fn questions(agent: &Agent, script: &Value, profile: LimanProfile) -> Vec<ModelQuestion> {
    let (program, turns, answers) = script::prepare(agent, script, profile);
    let mut kernel = liman::begin(program, turns, Limits::default(), 0);
    super::drive(&mut kernel, Scripted::new(answers));
    super::model_questions(kernel.log())
}

/// This folder and its subfolders that contain a recording.
fn recordings(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in ignore::WalkBuilder::new(folder).standard_filters(false).sort_by_file_path(Path::cmp).build()
    {
        let entry = entry?;
        if entry.file_name() == EXPECTED
            && let Some(parent) = entry.path().parent()
        {
            found.push(parent.to_owned());
        }
    }
    Ok(found)
}

/// The profile for a line of releases, as recordings name it.
fn profile_of(line: &str) -> Option<LimanProfile> {
    match line {
        line if line.starts_with("classic") || line.starts_with("0.1.0") => Some(LimanProfile::Classic),
        line if line.starts_with("release") || line.starts_with("0.1.1") => Some(LimanProfile::Release),
        _ => None,
    }
}

/// A recording without parts that no engine can repeat. Of an exception, only the message is compared.
fn comparable(recorded: &Value) -> Value {
    let mut recorded = recorded.clone();
    for turn in recorded["turns"].as_array_mut().into_iter().flatten() {
        if let Some(message) = turn["error"].get("message").cloned() {
            turn["error"] = message;
        }
    }
    recorded
}

fn summary(log: &[Event]) -> Value {
    let mut turns: Vec<Value> = Vec::new();
    let mut visited: Vec<Value> = Vec::new();
    let mut errors: Vec<(VisitId, String)> = Vec::new();
    let mut calls: Vec<Value> = Vec::new();
    for event in log {
        match &event.kind {
            EventKind::VisitStarted { node, .. } => visited.push(node.as_str().into()),
            EventKind::VisitEnded { visit, result: Err(failure) } => {
                errors.push((*visit, failure.message.to_string()));
            }
            EventKind::Asked { what, .. } => {
                if let Question::Model(model) = &what.what {
                    let messages: Value = model.prompt.iter().map(message).collect();
                    let tools: Value = model.tools.iter().map(|tool| tool.as_str()).collect();
                    let node = what.node.as_str();
                    calls.push(json!({"node": node, "messages": messages, "tools": tools}));
                }
            }
            EventKind::GraphEnded { outcome, .. } => {
                let visited = std::mem::take(&mut visited);
                turns.push(turn(visited, outcome));
            }
            _ => {}
        }
    }
    // In the order in which the visits began, as recorded.
    errors.sort_by_key(|(visit, _)| *visit);
    let errors: Vec<String> = errors.into_iter().map(|(_, message)| message).collect();
    json!({"turns": turns, "errors": errors, "llm_calls": calls})
}

fn turn(visited: Vec<Value>, outcome: &Outcome) -> Value {
    match outcome.status {
        Status::Hung => json!({"visited": visited, "hang": true}),
        Status::Crashed => {
            let message = outcome.failure.as_ref().map(|failure| failure.message.to_string());
            json!({"visited": visited, "error": message})
        }
        _ => json!({"visited": visited, "output": json::to_json(&outcome.output)}),
    }
}

/// A message in the format of the recordings. The first part is its role with its content.
fn message(message: &Message) -> Value {
    let role = match message.role {
        Role::System => "system",
        Role::Human => "human",
        Role::Tool => "tool",
        _ => "ai",
    };
    let mut shown = json!({role: json::to_json(&message.content)});
    let id = |call: &ToolCall| if call.id.is_empty() { Value::Null } else { call.id.as_str().into() };
    if !message.calls.is_empty() {
        let call = |call: &ToolCall| json!({"name": call.tool.as_str(), "args": json::to_json(&call.arguments), "id": id(call)});
        shown["tool_calls"] = message.calls.iter().map(call).collect();
    }
    if let Some(call) = &message.answers {
        shown["name"] = call.tool.as_str().into();
        shown["id"] = id(call);
    }
    shown
}

#[cfg(test)]
mod tests {
    use crate::replay::replay;
    use xtask::checkout::checkout_root;

    #[test]
    fn the_recorded_runs_agree_under_both_lines() {
        let tally = replay("liman", &checkout_root().join("tests/data/corpus/liman/runs")).expect("runs");
        assert_eq!((tally.agreed, tally.total), (32, 32), "{}", tally.report.join("\n"));
    }

    /// Runs in which several tools are called at once and lead on. The rounds of the event loop decide which is first.
    #[test]
    fn branches_go_on_in_the_rounds_of_the_event_loop() {
        let tally = replay("liman", &checkout_root().join("tests/data/replays/liman")).expect("runs");
        assert_eq!(tally.report, Vec::<String>::new());
        assert_eq!((tally.agreed, tally.total), (7, 7));
    }
}
