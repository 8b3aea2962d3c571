//! How prompts begin, for workers on other machines.
//!
//! Input: a value or JSON; output: the other. Invariant: a prompt is the same wherever it is written.

use std::sync::Arc;

use nodewise_engine::opening::{
    EarlierChoice, ExtractParts, JudgeParts, OpeningParts, PromptOpening, RouteParts, Surroundings, WorkParts,
};
use nodewise_expr::json::{from_json, to_json as json_of};
use nodewise_expr::value::{Map, Value};
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use super::{names, text};

fn parts_to_json(parts: &OpeningParts) -> Json {
    match parts {
        OpeningParts::Work(work) => json!({
            "of": "work",
            "surroundings": surroundings(&work.surroundings),
            "context": work.context.as_ref().map(json_of),
            "saves": work.saves.as_ref().map(|saves| words(saves)),
            "attempt": work.attempt,
        }),
        OpeningParts::Route(route) => json!({
            "of": "route",
            "surroundings": surroundings(&route.surroundings),
            "workers": words(&route.workers),
            "done": route.done.as_str(),
            "decisions": route.decisions.iter().map(choice).collect::<Vec<_>>(),
        }),
        OpeningParts::Judge(judge) => json!({
            "of": "judge",
            "goal": judge.goal.as_str(),
            "subject": json_of(&judge.subject),
            "criteria": judge.criteria.as_deref(),
        }),
        OpeningParts::Extract(extract) => json!({
            "of": "extract",
            "source": extract.source.as_str(),
            "instruction": extract.instruction.as_deref(),
            "most": extract.most,
        }),
        OpeningParts::State(state) => json!({"of": "state", "state": json_of(state)}),
    }
}

/// Writes the beginning of a prompt as JSON.
pub(super) fn to_json(opening: &PromptOpening) -> Json {
    json!({"messages": opening.messages, "author": opening.author.as_str(), "parts": parts_to_json(&opening.parts)})
}

/// Reads the beginning of a prompt; `None` if the format is unknown.
pub(super) fn of_json(json: &Json) -> Option<PromptOpening> {
    Some(PromptOpening {
        messages: usize::try_from(json.get("messages")?.as_u64()?).ok()?,
        author: text(json, "author")?.into(),
        parts: parts(json.get("parts")?)?,
    })
}

fn parts(json: &Json) -> Option<OpeningParts> {
    let word = |key: &str| text(json, key).map(SmolStr::new);
    Some(match text(json, "of")? {
        "work" => OpeningParts::Work(WorkParts {
            surroundings: surroundings_of(json.get("surroundings")?)?,
            context: given(json, "context"),
            saves: match json.get("saves")? {
                Json::Null => None,
                saves => Some(names::<Vec<_>>(saves)?.into()),
            },
            attempt: u32::try_from(json.get("attempt")?.as_u64()?).ok()?,
        }),
        "route" => OpeningParts::Route(RouteParts {
            surroundings: surroundings_of(json.get("surroundings")?)?,
            workers: names(json.get("workers")?)?,
            done: word("done")?,
            decisions: json.get("decisions")?.as_array()?.iter().map(choice_of).collect::<Option<_>>()?,
        }),
        "judge" => OpeningParts::Judge(JudgeParts {
            goal: word("goal")?,
            subject: value(json.get("subject")?),
            criteria: word("criteria"),
        }),
        "extract" => OpeningParts::Extract(ExtractParts {
            source: word("source")?,
            instruction: word("instruction"),
            most: json.get("most")?.as_f64()?,
        }),
        "state" => OpeningParts::State(value(json.get("state")?)),
        _ => return None,
    })
}

fn surroundings(around: &Surroundings) -> Json {
    let memory = around.memory.iter().map(|(key, value)| (key.to_string(), json_of(value)));
    json!({
        "goal": around.goal.as_str(),
        "constraints": words(&around.constraints),
        "recalled": json_of(&around.recalled),
        "memory": memory.collect::<serde_json::Map<_, _>>(),
        "tainted": words(&around.tainted),
    })
}

fn surroundings_of(json: &Json) -> Option<Surroundings> {
    let memory = json.get("memory")?.as_object()?.iter();
    let memory: Map = memory.map(|(key, json)| (key.into(), value(json))).collect();
    Some(Surroundings {
        goal: text(json, "goal")?.into(),
        constraints: names::<Vec<_>>(json.get("constraints")?)?.into(),
        recalled: value(json.get("recalled")?),
        memory: Arc::new(memory),
        tainted: names(json.get("tainted")?)?,
    })
}

fn choice(choice: &EarlierChoice) -> Json {
    json!({"iteration": choice.iteration, "to": choice.to.as_str(), "reasoning": choice.reasoning.as_str()})
}

fn choice_of(json: &Json) -> Option<EarlierChoice> {
    Some(EarlierChoice {
        iteration: json.get("iteration")?.as_u64()?,
        to: text(json, "to")?.into(),
        reasoning: text(json, "reasoning")?.into(),
    })
}

fn words(words: &[SmolStr]) -> Vec<&str> {
    words.iter().map(SmolStr::as_str).collect()
}

fn given(json: &Json, key: &str) -> Option<Value> {
    json.get(key).filter(|json| !json.is_null()).map(value)
}

fn value(json: &Json) -> Value {
    from_json(json.clone())
}
