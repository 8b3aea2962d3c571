//! The keys of a debug configuration.
//!
//! Input: a configuration; output: the first key that is unknown, and the schema. Invariant: one list has each key with
//! its type and its documentation; the adapter checks it, and the schema and the manifest of the extension are made of it.

use serde_json::{Map, Value, json};

/// What a debug configuration asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugRequest {
    /// Begin a run.
    Launch,
    /// Open a stored run.
    Attach,
}

/// A key: name, schema, documentation.
type Key = (&'static str, Value, &'static str);

/// The keys of a request.
#[must_use]
pub fn keys(request: DebugRequest) -> Vec<Key> {
    match request {
        DebugRequest::Launch => launch_keys().into_iter().chain(shared_keys()).collect(),
        DebugRequest::Attach => attach_keys().into_iter().chain(shared_keys()).collect(),
    }
}

/// The keys of both requests: they say how a run is debugged.
fn shared_keys() -> [Key; 6] {
    [
        ("stopOnEntry", json!({"type": "boolean", "default": false}), "Stop before the first node."),
        (
            "stopAtEnd",
            json!({"type": "boolean", "default": true}),
            "Stop after the last event, so that you can step back from the end.",
        ),
        (
            "breakOnAsk",
            json!({"type": "string", "enum": ["never", "tools", "all"], "default": "never"}),
            "Stop before each question to a tool, or before each question.",
        ),
        (
            "timeline",
            json!({"type": "string", "enum": ["full", "nodes", "off"], "default": "nodes"}),
            "What the debug console shows of the run.",
        ),
        (
            "answers",
            json!({"type": "object", "required": ["seed", "events"]}),
            "Recorded answers and decisions: the seed of the run, and events of a trace. The debugger sets it for the run that another \
             answer leads to.",
        ),
        (
            "stopAtEvent",
            json!({"type": "integer", "minimum": 0}),
            "Stop at this event first, whatever is before it. Events are numbered from 0, as in a trace.",
        ),
    ]
}

fn attach_keys() -> [Key; 3] {
    [
        (
            "run",
            json!({"type": "string", "default": "last"}),
            "The stored run: its id, the first letters of its id, its name, or `last`.",
        ),
        (
            "folder",
            json!({"type": "string"}),
            "The folder of the project. Default: the folder of the session.",
        ),
        (
            "goOn",
            json!({"type": "boolean", "default": false}),
            "Continue the run where its record ends: models and tools are asked.",
        ),
    ]
}

fn launch_keys() -> Vec<Key> {
    let limits = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "visits": {"type": "integer", "minimum": 0, "description": "Visits of nodes."},
            "timeMs": {"type": "integer", "minimum": 0, "description": "Virtual time, in milliseconds."},
            "tokens": {"type": "integer", "minimum": 0, "description": "Tokens."},
            "costUsd": {"type": "number", "minimum": 0, "description": "Cost, in US dollars."},
            "events": {"type": "integer", "minimum": 0, "description": "Events of the log. Default: 100000."},
        },
    });
    vec![
        (
            "program",
            json!({"type": "string"}),
            "The file, folder or scenario to debug; `FILE#ID` is one graph of a file.",
        ),
        (
            "scenario",
            json!({"type": "integer", "minimum": 0}),
            "The position of the scenario in its file, from 0. Default: the first one.",
        ),
        ("script", json!({"type": "string"}), "The script: input, setup and answers."),
        ("input", json!({}), "The input of the run. It replaces that of the script."),
        ("memory", json!({"type": "object"}), "Values for the state at the beginning, by key."),
        ("node", json!({"type": "string"}), "Begin at this node."),
        ("only", json!({"type": "boolean", "default": false}), "Run only the first node."),
        ("seed", json!({"type": "integer", "minimum": 0}), "The seed for random choices."),
        ("profile", json!({"type": "string"}), "The version of the system to follow, if it has several."),
        (
            "asDocumented",
            json!({"type": "boolean", "default": false}),
            "Follow the documentation where the release differs from it.",
        ),
        ("limits", limits, "The limits of the run."),
        (
            "trace",
            json!({"type": "string"}),
            "A recorded trace of the program, as JSON: its answers and decisions are those of the run.",
        ),
        (
            "live",
            json!({"type": "boolean", "default": false}),
            "Ask real models and tools, as `nodewise run` does. It needs what you allowed `nodewise run` before.",
        ),
    ]
}

/// The keys that editors add to a launch configuration for themselves.
const OF_EDITORS: [&str; 13] = [
    "type",
    "request",
    "name",
    "noDebug",
    "presentation",
    "preLaunchTask",
    "postDebugTask",
    "internalConsoleOptions",
    "debugServer",
    "serverReadyAction",
    "suppressMultipleSessionWarning",
    "console",
    "cwd",
];

/// The attributes of a configuration, as a JSON Schema.
#[must_use]
pub fn attributes(request: DebugRequest) -> Value {
    let property = |(key, mut schema, doc): Key| {
        if let Value::Object(members) = &mut schema {
            members.insert("description".to_owned(), doc.into());
        }
        (key.to_owned(), schema)
    };
    let properties: Map<String, Value> = keys(request).into_iter().map(property).collect();
    match request {
        DebugRequest::Launch => json!({"type": "object", "required": ["program"], "properties": properties}),
        DebugRequest::Attach => json!({"type": "object", "properties": properties}),
    }
}

/// The JSON Schema of launch configurations, as a document.
#[must_use]
pub fn launch_schema_text() -> String {
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "https://json.schemastore.org/nodewise-launch.json",
        "title": "Debug configuration of nodewise",
    });
    let mut attach = attributes(DebugRequest::Attach);
    if let Value::Object(attach) = &mut attach {
        attach.insert("required".to_owned(), json!(["request"]));
        if let Some(Value::Object(properties)) = attach.get_mut("properties") {
            properties.insert("request".to_owned(), json!({"const": "attach"}));
        }
    }
    if let Value::Object(schema) = &mut schema {
        schema.insert("anyOf".to_owned(), json!([attributes(DebugRequest::Launch), attach]));
    }
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

/// The message about the first unknown key of a configuration. `None` if all keys are known.
#[must_use]
pub fn unknown_key(configuration: &Value, request: DebugRequest) -> Option<String> {
    let known = keys(request);
    let is_known = |key: &&String| {
        known.iter().any(|(name, ..)| name == key)
            || OF_EDITORS.contains(&key.as_str())
            || key.starts_with(['_', '$'])
    };
    let unknown = configuration.as_object()?.keys().find(|key| !is_known(key))?;
    let names: Vec<&str> = known.iter().map(|(name, ..)| *name).collect();
    Some(format!("the debug configuration has an unknown key `{unknown}`; known keys: {}", names.join(", ")))
}
