//! What people write for keys of Liman out of habit, and keys of other systems that Liman does not have.

use crate::table::{Foreign, KeyAlias, Synonym, alias, foreign, foreign_edge, synonym};

const LLM_NODE: &str = "LLMNode";
const TOOL_NODE: &str = "ToolNode";
const NODE: &str = "Node";
const FUNCTION_NODE: &str = "FunctionNode";
const EDGE: &str = "Edge";
const ARGUMENT: &str = "ToolArgument";

pub(super) const ALIASES: &[KeyAlias] = &[
    alias(LLM_NODE, "name", &["id", "title", "node"]),
    alias(LLM_NODE, "prompts", &["prompt", "messages", "texts"]),
    alias("Prompts", "system", &["system_prompt", "system_message", "instructions"]),
    alias(LLM_NODE, "tools", &["functions"]),
    alias(LLM_NODE, "nodes", &["edges", "next", "transitions", "routes"]),
    alias(LLM_NODE, "structured_output", &["output", "response_format", "output_schema"]),
    alias(TOOL_NODE, "name", &["id", "title", "tool"]),
    alias(TOOL_NODE, "description", &["desc", "summary", "about", "doc", "help"]),
    alias(TOOL_NODE, "func", &["function", "handler", "callable", "python", "run", "entrypoint", "path"]),
    alias(TOOL_NODE, "arguments", &["args", "params", "inputs", "parameters"]),
    alias(TOOL_NODE, "triggers", &["examples"]),
    alias(TOOL_NODE, "nodes", &["edges", "next", "transitions", "routes"]),
    alias(NODE, "name", &["id", "title", "node"]),
    alias(NODE, "func", &["function", "handler", "callable", "python", "run", "entrypoint", "path"]),
    alias(NODE, "nodes", &["edges", "next", "transitions", "routes"]),
    alias(FUNCTION_NODE, "name", &["id", "title"]),
    alias(FUNCTION_NODE, "nodes", &["edges", "next", "transitions", "routes"]),
    alias(EDGE, "target", &["to", "node", "name", "goto", "next", "dest", "destination", "ref"]),
    alias(EDGE, "when", &["if", "condition", "cond", "guard", "on"]),
    alias(EDGE, "depends", &["depends_on", "needs", "after", "requires"]),
    alias(ARGUMENT, "description", &["desc", "summary", "doc", "help"]),
    alias("Overlay", "to", &["target", "for", "patches", "extends", "of"]),
    alias("Auth", "service_account", &["account", "identity"]),
];

pub(super) const SYNONYMS: &[Synonym] = &[
    synonym(
        "LLMNode",
        &["Agent", "LLM", "Model", "Prompt", "Chat", "ChatNode", "AgentNode", "Assistant", "AINode"],
    ),
    synonym("ToolNode", &["Tool", "Action", "Plugin"]),
    synonym("FunctionNode", &["Function", "Func", "Task", "Step", "Code", "Script", "PythonNode", "Python"]),
    synonym("ServiceAccount", &["Account", "Identity"]),
    synonym("CredentialsProvider", &["Credentials", "Secret", "SecretProvider"]),
    synonym("Overlay", &["Patch", "Override"]),
    synonym("merge", &["patch", "append", "extend", "add", "update"]),
    synonym("bearer", &["token", "jwt", "oauth", "oauth2"]),
    synonym("basic", &["password", "userpass"]),
];

pub(super) const FOREIGN: &[Foreign] = &[
    foreign(
        LLM_NODE,
        &["model", "model_name", "provider", "temperature", "max_tokens", "llm"],
        "set the model in the program, where the agent is made; a declaration has none",
    ),
    foreign(
        TOOL_NODE,
        &["parameters", "input_schema", "schema", "properties"],
        "list each argument in `arguments`: `{name: ..., type: ...}`",
    ),
    foreign(
        ARGUMENT,
        &["required", "mandatory"],
        "remove it: an argument is required unless it has `optional: true`",
    ),
    foreign(
        ARGUMENT,
        &["default", "default_value"],
        "give the parameter of the Python function a default, and write `optional: true`",
    ),
    foreign(
        ARGUMENT,
        &["enum", "choices", "values", "options"],
        "name the values in `description`; an argument has no list of them",
    ),
    foreign_edge(EDGE, &["else", "otherwise"], "write a further edge with the opposite condition"),
];
