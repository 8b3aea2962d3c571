//! Our answers about runs: what an agent does with a script, in one of the released lines.
//!
//! Input is the oracle's question; output is visits, outputs, errors and all that models are told. Invariant: it is what
//! `cargo xtask replay liman` compares, and more.

use nodewise_engine::systems::liman::Profile;
use serde_json::{Value, json};

use crate::replay::liman::{Agent, in_full};

/// The language of the prompts that stand in no other.
const OTHER_LANGUAGE: &str = "ru";

pub(super) fn answer(question: &Value) -> Value {
    let (agent, profile) = agent(question);
    with_failures(in_full(&agent, &question["value"]["script"], profile))
}

/// Stands for what a model is told first.
const MARK: &str = "\u{1}";

/// Our answer if models whose prompts are in one other language alone, with the language above, are told nothing first;
/// none where there is no such model.
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

/// An agent, and the line that it runs in.
fn agent(question: &Value) -> (Agent, Profile) {
    let value = &question["value"];
    let documents = value["documents"].as_array().into_iter().flatten();
    let text: String = documents.map(|document| format!("---\n{document}\n")).collect();
    let mut agent = Agent::of(vec![("agent.yaml".to_owned(), text)]);
    for (name, body) in value["functions"].as_object().into_iter().flatten() {
        let raises = body.get("raises").is_some();
        let result = (!raises).then(|| body["returns"].clone());
        agent.functions.insert(format!("rules.{name}"), result);
    }
    (agent, if question["line"] == "classic" { Profile::Classic } else { Profile::Release })
}

/// The package's run; there is nothing to leave out.
pub(super) fn their_answer(_question: &Value, answer: &Value) -> Value {
    with_failures(answer.clone())
}

/// The errors of visits under a name of their own: under that of documents' errors stand rules.
fn with_failures(mut answer: Value) -> Value {
    answer["failures"] = answer["errors"].take();
    answer
}
