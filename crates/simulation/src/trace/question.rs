//! Questions read back, as [`crate::render::json::question`] writes them.
//!
//! Input: the noun of a question, its JSON; output: the question. Invariant: what is written of a question is read again as it was;
//! how a prompt begins is not written there.

use nodewise_engine::ask::{
    DiscoveryQuestion, ExtensionQuestion, FunctionQuestion, GuardrailQuestion, HumanQuestion, Message,
    ModelQuestion, Purpose, Question, RecallQuestion, RemoteQuestion, ResumedTask, Role, SessionQuestion,
    ToolQuestion,
};
use serde_json::Value as Json;
use smol_str::SmolStr;

use super::{call, text, value};

/// Reads a question of the kind `noun`. `None` if the JSON is not such a question.
#[must_use]
pub fn question(noun: &str, json: &Json) -> Option<Question> {
    let given = |key: &str| json.get(key).map(value);
    Some(match noun {
        "model" => Question::Model(model(json)?),
        "tool" => Question::Tool(ToolQuestion {
            tool: text(json, "tool")?,
            arguments: given("arguments")?,
            call: text(json, "call"),
        }),
        "function" => {
            Question::Function(FunctionQuestion { path: text(json, "path")?, input: given("input")? })
        }
        "extension" => Question::Extension(ExtensionQuestion {
            extension: text(json, "extension")?,
            method: text(json, "method")?,
            input: given("input")?,
        }),
        "human" => Question::Human(HumanQuestion { prompt: text(json, "prompt")?, review: given("review")? }),
        "guardrail" => Question::Guardrail(GuardrailQuestion {
            guardrails: names::<Vec<_>>(json, "guardrails")?.into(),
            content: given("content")?,
        }),
        "discovery" => {
            Question::Discovery(DiscoveryQuestion { query: text(json, "query")?, kind: text(json, "kind") })
        }
        "recall" => Question::Recall(RecallQuestion {
            text: text(json, "text"),
            entities: names(json, "entities")?,
            tags: names(json, "tags")?,
            max_facts: json.get("max_facts").and_then(Json::as_f64),
        }),
        "remember" => Question::Remember(given("facts")?),
        "remote agent" => Question::Remote(RemoteQuestion {
            server: text(json, "server")?,
            skill: text(json, "skill"),
            input: given("input")?,
            resumed: json.get("resumed").filter(|task| !task.is_null()).and_then(resumed),
        }),
        "fitness" => Question::Fitness(given("candidate")?),
        "voice session" => {
            Question::Session(SessionQuestion { mode: text(json, "mode")?, line: text(json, "line") })
        }
        _ => return None,
    })
}

fn model(json: &Json) -> Option<ModelQuestion> {
    let prompt = json.get("prompt")?.as_array()?.iter().map(message).collect::<Option<Vec<_>>>()?;
    Some(ModelQuestion {
        agent: text(json, "agent")?,
        purpose: match json.get("purpose")?.as_str()? {
            "work" => Purpose::Work,
            "route" => Purpose::Route,
            "judge" => Purpose::Judge,
            "extract" => Purpose::Extract,
            _ => return None,
        },
        prompt: prompt.into(),
        tools: names::<Vec<_>>(json, "tools")?.into(),
        temperature: json.get("temperature").and_then(Json::as_f64),
        opening: None,
    })
}

fn message(json: &Json) -> Option<Message> {
    let role = match json.get("role")?.as_str()? {
        "system" => Role::System,
        "human" => Role::Human,
        "model" => Role::Model,
        "tool" => Role::Tool,
        "state" => Role::State,
        "task" => Role::Task,
        _ => return None,
    };
    let calls = json.get("calls").and_then(Json::as_array).into_iter().flatten();
    Some(Message {
        role,
        content: json.get("content").map(value)?,
        calls: calls.map(call).collect::<Option<_>>()?,
        answers: match json.get("answers") {
            Some(answered) => Some(call(answered)?),
            None => None,
        },
    })
}

fn resumed(json: &Json) -> Option<ResumedTask> {
    Some(ResumedTask { task: text(json, "task")?, response: json.get("response").map(value)? })
}

fn names<C: FromIterator<SmolStr>>(json: &Json, key: &str) -> Option<C> {
    json.get(key)?.as_array()?.iter().map(|name| name.as_str().map(SmolStr::new)).collect()
}
