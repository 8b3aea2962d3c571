//! Runs: what an agent does with a script, in one of the released lines.
//!
//! Input is the oracle's question. Output is visits, outputs, errors and all messages to models. Invariant: this
//! contains everything that `cargo xtask replay liman` compares, and more.

use nodewise_engine::systems::liman::LimanProfile;
use serde_json::{Value, json};

use crate::replay::liman::{Agent, in_full};

/// The language of prompts that have no other language.
const OTHER_LANGUAGE: &str = "ru";

pub(super) fn answer(question: &Value) -> Value {
    let (agent, profile) = agent(question);
    with_failures(in_full(&agent, &question["value"]["script"], profile))
}

/// Marks the system prompt of a model.
const MARK: &str = "\u{1}";

/// Our answer, if models whose prompts are only in one other language, with the language as the outer key, get no
/// system prompt. `None` if there is no such model.
pub(super) fn without_first_words(question: &Value) -> Option<Value> {
    let mut question = question.clone();
    let mut names = Vec::new();
    for document in question["value"]["documents"].as_array_mut().into_iter().flatten() {
        let is_above = document["prompts"]
            .as_object()
            .is_some_and(|prompts| prompts.len() == 1 && prompts.contains_key(OTHER_LANGUAGE));
        if is_above {
            document["prompts"] = json!({"system": MARK});
            names.push(format!("LLMNode/{}", document["name"].as_str().unwrap_or_default()));
        }
    }
    if names.is_empty() {
        return None;
    }
    let mut ours = answer(&question);
    for call in ours["llm_calls"].as_array_mut().into_iter().flatten() {
        let is_named = names.iter().any(|name| call["node"] == **name);
        for message in call["messages"].as_array_mut().into_iter().flatten().filter(|_| is_named) {
            if message["system"].as_str().is_some_and(|text| text.starts_with(MARK)) {
                message["system"] = json!("");
            }
        }
    }
    Some(ours)
}

/// The agent of a question, and the line in which it runs.
fn agent(question: &Value) -> (Agent, LimanProfile) {
    let value = &question["value"];
    let documents = value["documents"].as_array().into_iter().flatten();
    let text: String = documents.map(|document| format!("---\n{document}\n")).collect();
    let mut agent = Agent::of(vec![("agent.yaml".to_owned(), text)]);
    for (name, body) in value["functions"].as_object().into_iter().flatten() {
        let raises = body.get("raises").is_some();
        let result = (!raises).then(|| body["returns"].clone());
        agent.functions.insert(format!("rules.{name}"), result);
    }
    (agent, if question["line"] == "classic" { LimanProfile::Classic } else { LimanProfile::Release })
}

/// The package's run. All of it is compared.
pub(super) fn their_answer(_question: &Value, answer: &Value) -> Value {
    with_failures(answer.clone())
}

/// Renames the errors of visits, because the comparison expects rules under the name of errors.
fn with_failures(mut answer: Value) -> Value {
    answer["failures"] = answer["errors"].take();
    answer
}
