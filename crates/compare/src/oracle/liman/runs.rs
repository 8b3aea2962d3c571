//! Our answers about runs: what an agent does with a script, in one of the released lines.
//!
//! Input is the oracle's question; output is visits, outputs, errors and all that models are told. Invariant: it is what
//! `cargo xtask replay liman` compares, and more.

use nodewise_engine::systems::liman::Profile;
use serde_json::Value;

use crate::replay::liman::{Agent, in_full, in_some_order};

pub(super) fn answer(question: &Value) -> Value {
    let (agent, profile) = agent(question);
    with_failures(in_full(&agent, &question["value"]["script"], profile))
}

/// Whether the engine comes to this answer when branches go on in some other order.
pub(super) fn is_other_order(question: &Value, answer: &Value) -> bool {
    let (agent, profile) = agent(question);
    in_some_order(&agent, &question["value"]["script"], profile, |ours| with_failures(ours) == *answer)
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
