//! The table `[live]` as JSON Schema.

use serde_json::{Value, json};

use super::{section, texts, with_default};
use crate::config::live::{
    CALLS_AT_ONCE, KEEP_DAYS, LINK_HOURS, LISTEN, RETRIES, TIMEOUT_S, WORKER_CALLS_AT_ONCE,
};

/// The schema of the table `[live]`.
pub(super) fn live() -> Value {
    section(
        "Models, tools and services of live runs (`nodewise run`).",
        json!({
            "model": text("The default model: one of `models`, or a name that the provider knows."),
            "provider": text("The default provider."),
            "timeout_s": timeout("The time limit of a call, in seconds."),
            "retries": {
                "type": "integer",
                "minimum": 0,
                "default": RETRIES,
                "description": "How often nodewise repeats a call of a model that failed in a way that may pass: HTTP 408, 409, \
                                425, 429 and 5xx, a connection that was refused or cut. The node does not see these failures.",
            },
            "python": text(
                "The Python interpreter: a command, or a path from this file's folder. The default is the one in `.venv`, \
                 else `python3`.",
            ),
            "prompts": by_name("Files with prompts of agents and nodes, from this file's folder, by agent or node.", text("A file with a prompt.")),
            "python_env": texts("Environment variables to pass to Python functions, in addition to `PATH` and `HOME`."),
            "python_path": texts("Folders of Python sources, from this file's folder."),
            "providers": by_name("Providers of models, by the name that declarations use.", provider()),
            "models": by_name("Models, by the name that declarations use.", model()),
            "agents": by_name(
                "Models of agents and nodes that name none, by agent or node.",
                text("The model."),
            ),
            "mcp": by_name(
                "MCP servers (Model Context Protocol), by the name that declarations use.",
                server(),
            ),
            "tools": by_name("Tools that neither a server nor a declaration provides, by name.", tool()),
            "services": services(),
            "telemetry": telemetry(),
            "engines": by_name("Durable engines for `nodewise run --on NAME`, by name.", engine()),
            "decisions": decisions(),
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
                    "the chat completions of OpenAI, vLLM, Ollama, llama.cpp and many services",
                    "Anthropic's messages",
                ],
                "description": "The protocol of the provider.",
            },
            "base_url": text("The base URL, for example `https://api.openai.com/v1`."),
            "key": key(),
            "calls_at_once": {
                "type": "integer",
                "minimum": 1,
                "default": CALLS_AT_ONCE,
                "description": "The maximum number of concurrent calls.",
            },
            "headers": by_name("Headers of each call, by name.", sent()),
            "query": by_name("Query parameters of each call, by name.", sent()),
        }),
    );
    provider["required"] = json!(["kind"]);
    provider
}

fn model() -> Value {
    section(
        "A model.",
        json!({
            "id": text("The name of the model at its provider; the default is its name here."),
            "provider": text("The provider of the model."),
            "input_usd": price("The price of a million input tokens, in US dollars."),
            "output_usd": price("The price of a million output tokens, in US dollars."),
            "cached_usd": price("The price of a million input tokens from the cache of the provider, in US dollars."),
            "cache_write_usd": price("The price of a million input tokens that the provider puts into its cache, in US dollars."),
            "prompt_cache": {
                "enum": ["5m", "1h"],
                "description": "How long the provider keeps prompts in its cache (`anthropic` only; others cache by themselves).",
            },
            "max_tokens": {"type": "integer", "minimum": 1, "description": "The maximum number of tokens in an answer."},
            "temperature": {
                "type": "number",
                "minimum": 0,
                "description": "The temperature, instead of the one that a declaration names.",
            },
            "top_p": {"type": "number", "minimum": 0, "maximum": 1, "description": "The share of likely tokens to choose from."},
            "seed": {"type": "integer", "description": "The seed of the provider's sampling (`openai` only)."},
            "reasoning_effort": text(
                "How much the model thinks before it answers, for example `low` (`openai` only).",
            ),
            "thinking_tokens": {
                "type": "integer",
                "minimum": 1024,
                "description": "The maximum number of tokens to think before an answer (`anthropic` only).",
            },
            "attachments": {
                "type": "array",
                "items": {"enum": ["image", "pdf"]},
                "description": "What the model takes besides text; by default, images and PDF files. `[]`: nothing else.",
            },
            "body": {"type": "object", "description": "Additional keys for the body of each call."},
            "timeout_s": timeout("The time limit of an answer, in seconds."),
            "idle_timeout_s": {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "The time limit between two parts of an answer, in seconds.",
            },
            "fallback": texts("Models to ask, in this order, if this one gives no answer."),
        }),
    )
}

fn server() -> Value {
    section(
        "An MCP server: a command to start, or the address of a running server.",
        json!({
            "command": texts("The program and its arguments. nodewise talks to it on standard input and output."),
            "env": texts("Environment variables to pass to the program, in addition to `PATH` and `HOME`."),
            "url": text("The address of a server that is already running."),
            "key": key(),
            "timeout_s": timeout("The time limit of a call, in seconds."),
        }),
    )
}

fn tool() -> Value {
    section(
        "A tool: a Python function, or a tool of a server.",
        json!({
            "function": text("The Python function, as a dotted path."),
            "mcp": text("The server of the tool, one of `mcp`."),
            "name": text("The name of the tool at the server; the default is its name here."),
            "description": text("The description of the tool for models."),
            "parameters": {"type": "object", "description": "Its arguments, as JSON Schema."},
            "timeout_s": timeout("The time limit of a call, in seconds."),
            "again": {
                "enum": ["repeat", "ask", "never"],
                "enumDescriptions": [
                    "makes the call again, with a warning",
                    "asks a person",
                    "does not continue until `nodewise resume --answer` gives the result",
                ],
                "default": "repeat",
                "description": "What a resumed run does with a call that was made before, and may have had its effect.",
            },
        }),
    )
}

fn services() -> Value {
    section(
        "Python functions for the services of the host program, as dotted paths.",
        json!({
            "extension": text("Calls a method of an extension."),
            "guardrail": text("Runs guardrails on a text."),
            "discovery": text("Searches for a capability."),
            "recall": text("Looks for facts in long-term memory."),
            "remember": text("Writes facts to long-term memory."),
            "remote": text("Calls an agent of another system."),
            "fitness": text("Scores a candidate."),
            "session": text("Holds a voice session."),
        }),
    )
}

fn engine() -> Value {
    let mut engine = section(
        "A durable engine: Restate.",
        json!({
            "url": {
                "description": "The address of its ingress, for example `http://localhost:8080`, or several addresses to try in order.",
                "oneOf": [text("One address."), texts("Several addresses.")],
            },
            "admin": text("The address of its admin API, for example `http://localhost:9070`, to list and cancel runs."),
            "key": key(),
        }),
    );
    engine["required"] = json!(["url"]);
    engine
}

/// The schema of the table `[serve]`.
pub(super) fn serve() -> Value {
    section(
        "The worker for runs on a durable engine (`nodewise serve`).",
        json!({
            "listen": with_default(text("The address to listen on."), json!(LISTEN)),
            "identity": texts(
                "The public keys of the engines that may call: `publickeyv1_…`. Without one, nodewise listens on loopback addresses only.",
            ),
            "calls_at_once": {
                "type": "integer",
                "minimum": 1,
                "default": WORKER_CALLS_AT_ONCE,
                "description": "The maximum number of concurrent calls of models, tools and functions.",
            },
            "keep_days": {
                "type": "integer",
                "minimum": 1,
                "default": KEEP_DAYS,
                "description": "How many days the engine keeps finished runs.",
            },
        }),
    )
}

fn telemetry() -> Value {
    let mut telemetry = section(
        "Where to send the spans of live runs.",
        json!({
            "endpoint": text("The address of the OTLP collector over HTTP, for example `http://localhost:4318`."),
            "content": with_default(
                json!({
                    "type": "boolean",
                    "description": "Whether spans contain prompts and answers.",
                }),
                json!(false),
            ),
            "metrics": with_default(
                json!({
                    "type": "boolean",
                    "description": "Whether tokens, times and costs are also sent as metrics, to `/v1/metrics`.",
                }),
                json!(false),
            ),
            "headers": by_name("Headers of each request to the collector, by name.", header()),
        }),
    );
    telemetry["required"] = json!(["endpoint"]);
    telemetry
}

fn decisions() -> Value {
    section(
        "How people learn that live runs wait for them, and where they decide (`nodewise serve --decisions`).",
        json!({
            "webhook": {
                "description": "The address to tell when a run begins to wait: JSON with `text`, as Slack and many others take it.",
                "oneOf": [
                    {
                        "type": "string",
                        "description": "The address, also with environment variables: `https://chat.example/hooks/${NAME}`.",
                    },
                    one_key("env", text("The environment variable.")),
                    one_key("command", texts("The program and its arguments.")),
                ],
            },
            "url": text("Where people reach the page, for example `https://decide.example`; links of the webhook begin with it."),
            "link_hours": {
                "type": "integer",
                "minimum": 1,
                "default": LINK_HOURS,
                "description": "How long links to the page are valid, in hours.",
            },
        }),
    )
}

/// The schema of a header's value. The file never contains a secret value.
fn header() -> Value {
    json!({
        "description": "The value of the header: a text with environment variables, an environment variable, or a command \
                        that prints it.",
        "oneOf": [
            {
                "type": "string",
                "pattern": "\\$\\{[^}]+\\}",
                "description": "A text with environment variables, for example `Bearer ${NAME}`.",
            },
            one_key("env", text("The environment variable.")),
            one_key("command", texts("The program and its arguments.")),
        ],
    })
}

/// The schema of a header or parameter for a provider. A plain text is allowed only if it is no secret.
fn sent() -> Value {
    json!({
        "description": "The value: a text, which can contain environment variables, an environment variable, or a command that \
                        prints it. Keys and tokens must come from a variable or a command.",
        "oneOf": [
            {"type": "string", "description": "A text, for example `2024-10-21` or `Bearer ${NAME}`."},
            one_key("env", text("The environment variable.")),
            one_key("command", texts("The program and its arguments.")),
        ],
    })
}

/// The schema of a key's origin. The file never contains the key.
fn key() -> Value {
    json!({
        "description": "Where to find the key: an environment variable, or a command that prints it.",
        "oneOf": [
            one_key("env", text("The environment variable.")),
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
