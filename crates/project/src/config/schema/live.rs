//! The table `[live]` as JSON Schema.

use serde_json::{Value, json};

use super::{section, texts, with_default};
use crate::config::live::{CALLS_AT_ONCE, TIMEOUT_S};

/// What real runs are made of.
pub(super) fn live() -> Value {
    section(
        "What live runs (`nodewise run`) are made of.",
        json!({
            "model": text("The model where a declaration names none: one of `models`, or a name that its provider knows."),
            "provider": text("The provider where a declaration names none."),
            "timeout_s": timeout("How long a call may take, in seconds."),
            "python": text(
                "The Python interpreter, as a command or a path from this file's folder. Without, the one in `.venv`, else \
                 `python3`.",
            ),
            "python_path": texts("Folders of Python sources, from this file's folder."),
            "providers": by_name("Providers of models, by the name that declarations use.", provider()),
            "models": by_name("Models, by the name that declarations use.", model()),
            "agents": by_name(
                "The models of agents and nodes that name none themselves, by agent or node.",
                text("The model."),
            ),
            "mcp": by_name(
                "Servers of tools that speak the Model Context Protocol, by the name that declarations use.",
                server(),
            ),
            "tools": by_name("Tools that no server and no declaration brings, by name.", tool()),
            "services": services(),
            "telemetry": telemetry(),
        }),
    )
}

fn provider() -> Value {
    let mut provider = section(
        "A provider of models.",
        json!({
            "kind": {
                "enum": ["openai", "anthropic"],
                "enumDescriptions": [
                    "chat completions, which vLLM, Ollama, llama.cpp and many services have too",
                    "Anthropic's messages",
                ],
                "description": "Which protocol it speaks.",
            },
            "base_url": text("Where its interface begins, for instance `https://api.openai.com/v1`."),
            "key": key(),
            "calls_at_once": {
                "type": "integer",
                "minimum": 1,
                "default": CALLS_AT_ONCE,
                "description": "How many calls may be under way at once.",
            },
        }),
    );
    provider["required"] = json!(["kind"]);
    provider
}

fn model() -> Value {
    section(
        "A model.",
        json!({
            "id": text("What its provider calls it; without, the name that it has here."),
            "provider": text("Whose it is."),
            "input_usd": price("The price of a million tokens that it reads, in US dollars."),
            "output_usd": price("The price of a million tokens that it writes, in US dollars."),
            "max_tokens": {"type": "integer", "minimum": 1, "description": "The most tokens of an answer."},
        }),
    )
}

fn server() -> Value {
    section(
        "A server of tools: a command that is started, or an address.",
        json!({
            "command": texts("The program and its arguments; it is spoken to through its standard streams."),
            "env": texts("The variables of the environment that the program is given beside `PATH` and `HOME`."),
            "url": text("The address, where the server runs already."),
            "key": key(),
            "timeout_s": timeout("How long a call may take, in seconds."),
        }),
    )
}

fn tool() -> Value {
    section(
        "A tool: a Python function, or one of a server.",
        json!({
            "function": text("The Python function, as a dotted path."),
            "mcp": text("The server that has it, one of `mcp`."),
            "name": text("What the server calls it; without, the name that it has here."),
            "description": text("What it is for, as models read it."),
            "parameters": {"type": "object", "description": "Its arguments, as JSON Schema."},
            "timeout_s": timeout("How long a call may take, in seconds."),
        }),
    )
}

fn services() -> Value {
    section(
        "Python functions for what the program around a graph does, as dotted paths.",
        json!({
            "extension": text("Calls a method of an extension."),
            "guardrail": text("Says what guardrails make of something."),
            "discovery": text("Searches for a capability."),
            "recall": text("Looks for facts in long-term memory."),
            "remember": text("Writes facts to long-term memory."),
            "remote": text("Lets an agent of another system work."),
            "fitness": text("Scores a candidate."),
            "session": text("Holds a voice session."),
        }),
    )
}

fn telemetry() -> Value {
    let mut telemetry = section(
        "Where the spans of live runs are sent.",
        json!({
            "endpoint": text("The collector's address for OTLP over HTTP, for instance `http://localhost:4318`."),
            "content": with_default(
                json!({
                    "type": "boolean",
                    "description": "Whether what models are told and say is part of the spans.",
                }),
                json!(false),
            ),
        }),
    );
    telemetry["required"] = json!(["endpoint"]);
    telemetry
}

/// Who knows a key: the file never holds one.
fn key() -> Value {
    json!({
        "description": "Who knows the key: a variable of the environment, or a command that prints it.",
        "oneOf": [
            one_key("env", text("The variable.")),
            one_key("command", texts("The program and its arguments.")),
        ],
    })
}

fn one_key(key: &str, value: Value) -> Value {
    json!({"type": "object", "properties": {key: value}, "required": [key], "additionalProperties": false})
}

fn by_name(doc: &str, value: Value) -> Value {
    json!({"type": "object", "description": doc, "additionalProperties": value})
}

fn text(doc: &str) -> Value {
    json!({"type": "string", "description": doc})
}

fn timeout(doc: &str) -> Value {
    json!({"type": "number", "exclusiveMinimum": 0, "default": TIMEOUT_S, "description": doc})
}

fn price(doc: &str) -> Value {
    json!({"type": "number", "minimum": 0, "description": doc})
}
