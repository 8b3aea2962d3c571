//! What goes between machines: what runs begin with, questions, and what they need of the world.
//!
//! Input: values or JSON; output: the other. Invariant: what is written is read again as it was, by every worker of the same version.

mod opening;
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::{Context, Result};
use nodewise_engine::ask::{Ask, Question};
use nodewise_live::people::Topic;
use nodewise_live::store::{DecisionRecord, Moment, NewRun, StoredDecision};
use nodewise_live::systems::SYSTEMS;
use nodewise_live::wiring::{Agent, Tool, Wiring};
use nodewise_simulation::render::json;
use nodewise_simulation::trace;
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use serde_json::{Map, Value as Json, json};
use smol_str::SmolStr;

use crate::host::DecisionPlace;

/// Writes a question as JSON.
#[must_use]
pub fn ask_to_json(ask: &Ask) -> Json {
    let mut written = json!({
        "graph": ask.graph.as_str(), "node": ask.node.as_str(), "attempt": ask.attempt,
        "of": ask.what.noun(), "question": json::question(&ask.what),
    });
    if let (Question::Model(model), Json::Object(members)) = (&ask.what, &mut written)
        && let Some(opening) = &model.opening
    {
        members.insert("opening".to_owned(), opening::to_json(opening));
    }
    written
}

/// Reads a question from JSON; `None` if the format is unknown.
#[must_use]
pub fn ask_of_json(json: &Json) -> Option<Ask> {
    let mut what = trace::question(json.get("of")?.as_str()?, json.get("question")?)?;
    if let (Question::Model(model), Some(written)) = (&mut what, json.get("opening")) {
        model.opening = Some(Arc::new(opening::of_json(written)?));
    }
    Some(Ask {
        graph: text(json, "graph")?.into(),
        node: text(json, "node")?.into(),
        attempt: u32::try_from(json.get("attempt")?.as_u64()?).ok()?,
        what,
    })
}

/// Writes what a run begins with as JSON.
#[must_use]
pub fn new_run_to_json(new: &NewRun) -> Json {
    json!({
        "system": new.system, "title": new.title, "scenario": new.scenario, "seed": new.seed,
        "files": sources::to_text(&new.sources), "version": new.version, "name": new.name, "tags": new.tags,
    })
}

/// Reads what a run begins with; `None` if the format is unknown.
#[must_use]
pub fn new_run_of_json(json: &Json) -> Option<NewRun> {
    let sources = match text(json, "files") {
        Some(text) => sources::of_text(text)?,
        // Runs that began with an earlier version have their files uncompressed.
        None => sources::of_json(json.get("sources")?)?,
    };
    Some(NewRun {
        system: text(json, "system")?.to_owned(),
        title: text(json, "title")?.to_owned(),
        scenario: text(json, "scenario")?.to_owned(),
        seed: json.get("seed")?.as_u64()?,
        sources,
        version: text(json, "version")?.to_owned(),
        origin: None,
        pins: Vec::new(),
        name: text(json, "name").map(str::to_owned),
        tags: strings(json, "tags")?,
    })
}

/// Writes who made a decision, when, and with which word.
#[must_use]
pub fn decision_record_to_json(record: &DecisionRecord) -> Json {
    json!({"by": record.by, "at": record.at.0, "word": record.word.as_str()})
}

/// Reads who made a decision, when, and with which word.
#[must_use]
pub fn decision_record(json: &Json) -> Option<DecisionRecord> {
    Some(DecisionRecord {
        by: text(json, "by")?.to_owned(),
        at: Moment(json.get("at")?.as_i64()?),
        word: text(json, "word")?.into(),
    })
}

/// Reads a decision that is kept with the record of a run.
#[must_use]
pub fn stored_decision(json: &Json) -> Option<StoredDecision> {
    let place = DecisionPlace::of_word(text(json, "place")?)?;
    let (ask, topic) = match place {
        DecisionPlace::Ask(id) => (Some(id), Topic::Approval),
        DecisionPlace::Again(id) => (Some(id), Topic::Again),
        DecisionPlace::Pause(_) => (None, Topic::Approval),
    };
    Some(StoredDecision {
        key: place.word(),
        node: text(json, "node")?.into(),
        ask,
        topic,
        record: decision_record(json.get("record")?)?,
        decision: trace::decision(json.get("decision")?)?,
    })
}

/// The SHA-256 of a text in hexadecimal digits, by which machines identify it.
#[must_use]
pub fn digest_of(text: &str) -> String {
    digest(&SHA256, text.as_bytes()).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes the identity of a run.
#[must_use]
pub fn identity_to_text(identity: [u8; 16]) -> String {
    format!("{:032x}", u128::from_be_bytes(identity))
}

/// Reads the identity of a run.
#[must_use]
pub fn identity_of(text: &str) -> Option<[u8; 16]> {
    u128::from_str_radix(text, 16).ok().map(u128::to_be_bytes)
}

/// Random bytes.
///
/// # Errors
/// Where the system provides no random numbers.
pub fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).ok().context("the system has no randomness")?;
    Ok(bytes)
}

/// Writes what a target needs of the world as JSON.
#[must_use]
pub fn wiring_to_json(wiring: &Wiring) -> Json {
    let agent = |(name, agent): (&SmolStr, &Agent)| {
        let written = json!({"model": agent.model.as_deref(), "provider": agent.provider.as_deref(), "output": agent.output});
        (name.to_string(), written)
    };
    let tool = |(name, tool): (&SmolStr, &Tool)| {
        let written = json!({
            "description": tool.description, "parameters": tool.parameters,
            "function": tool.function.as_deref(), "server": tool.server.as_deref(),
        });
        (name.to_string(), written)
    };
    let server = |(name, tools): (&SmolStr, &Option<BTreeSet<SmolStr>>)| {
        let tools = tools.as_ref().map(|tools| tools.iter().map(SmolStr::as_str).collect::<Vec<_>>());
        (name.to_string(), json!(tools))
    };
    json!({
        "system": wiring.system.dialect().id,
        "agents": wiring.agents.iter().map(agent).collect::<Map<_, _>>(),
        "tools": wiring.tools.iter().map(tool).collect::<Map<_, _>>(),
        "servers": wiring.servers.iter().map(server).collect::<Map<_, _>>(),
        "functions": wiring.functions.iter().map(SmolStr::as_str).collect::<Vec<_>>(),
    })
}

/// Reads what a target needs of the world; `None` if the format is unknown.
#[must_use]
pub fn wiring_of_json(json: &Json) -> Option<Wiring> {
    let system = text(json, "system")?;
    let system = SYSTEMS.iter().map(|part| part.system).find(|known| known.dialect().id == system)?;
    let schema = |json: &Json, key: &str| json.get(key).filter(|schema| !schema.is_null()).cloned();
    let name = |json: &Json, key: &str| text(json, key).map(SmolStr::new);
    let agent = |json: &Json| {
        Some(Agent {
            model: name(json, "model"),
            provider: name(json, "provider"),
            output: schema(json, "output"),
        })
    };
    let tool = |json: &Json| {
        Some(Tool {
            description: text(json, "description").map(str::to_owned),
            parameters: schema(json, "parameters"),
            function: name(json, "function"),
            server: name(json, "server"),
        })
    };
    let server = |json: &Json| match json {
        Json::Null => Some(None),
        tools => Some(Some(names(tools)?)),
    };
    Some(Wiring {
        system,
        agents: by_name(json, "agents", agent)?,
        tools: by_name(json, "tools", tool)?,
        servers: by_name(json, "servers", server)?,
        functions: names(json.get("functions")?)?,
    })
}

fn by_name<T>(json: &Json, key: &str, read: impl Fn(&Json) -> Option<T>) -> Option<BTreeMap<SmolStr, T>> {
    json.get(key)?.as_object()?.iter().map(|(name, json)| Some((name.into(), read(json)?))).collect()
}

fn names<C: FromIterator<SmolStr>>(json: &Json) -> Option<C> {
    json.as_array()?.iter().map(|name| name.as_str().map(SmolStr::new)).collect()
}

fn strings(json: &Json, key: &str) -> Option<Vec<String>> {
    json.get(key)?.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

fn text<'j>(json: &'j Json, key: &str) -> Option<&'j str> {
    json.get(key)?.as_str()
}
