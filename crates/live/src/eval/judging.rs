//! What judges the result of a run: expectations, expressions, JSON Schemas, and models with a rubric.
//!
//! Input: a recording and what must hold of it. Output: verdicts, with what they cost. Invariant: each judge is asked, whatever
//! another one says, and a model reads the result as data.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use nodewise_engine::ask::{Ask, Message, ModelQuestion, Purpose, Question, Reply, Role};
use nodewise_engine::event::AskId;
use nodewise_engine::usage::Usage;
use nodewise_expr::assist::evaluate;
use nodewise_expr::filtrex;
use nodewise_expr::json::to_json;
use nodewise_expr::language::{Circumstances, ConditionDecision};
use nodewise_expr::value::{Map, Value};
use nodewise_model::scenario::{EvalJudge, JudgeQuestion, Scenario};
use nodewise_project::config::live::Live;
use nodewise_simulation::recording::Recording;
use nodewise_simulation::testing::{final_state, final_value};
use serde_json::{Value as Json, json};
use smol_str::{SmolStr, format_smolstr};
use tokio::runtime::Runtime;

use super::table::Table;
use crate::answering::{Asked, Unwatched};
use crate::environment::Environment;
use crate::models::Models;
use crate::needed_keys::needed_keys;
use crate::secrets::Secrets;
use crate::wiring::{Agent, Wiring};

/// The verdict of a judge about a result.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeVerdict {
    /// The name of the judge in reports.
    pub judge: String,
    /// Whether the result passes.
    pub is_passed: bool,
    /// The score from 0 to 1, if the judge gives one.
    pub score: Option<f64>,
    /// The reason, in one sentence or a few; empty if there is nothing to say.
    pub reason: String,
}

pub struct JudgeModels {
    runtime: Runtime,
    models: Models,
    /// The name of the agent that asks each model.
    agents: BTreeMap<ModelName, SmolStr>,
    secrets: Arc<Secrets>,
}

/// A model and its provider, as a judge names them.
type ModelName = (Option<SmolStr>, Option<SmolStr>);

const INSTRUCTIONS: &str = "You judge the result of a run of an agent workflow by a rubric. `score` is a number from 0 (the result \
                            does not meet the rubric at all) to 1 (it meets the rubric completely). `reasoning` says why, in one or two \
                            sentences.";
/// The key of the state under which expressions find the output of the run.
const OUTPUT: &str = "output";
/// The variable under which expressions find the state.
const MEMORY: &str = "memory";
/// How many characters of a rubric or an expression serve as the name of a judge without a name.
const NAME_MAX: usize = 60;

/// What the judges of a table need of the world; `None` if no judge is a model.
#[must_use]
pub fn wiring(table: &Table) -> Option<Wiring> {
    let agents = agents(table);
    let output = json!({
        "type": "object",
        "properties": {"reasoning": {"type": "string"}, "score": {"type": "number"}},
        "required": ["reasoning", "score"],
        "additionalProperties": false,
    });
    (!agents.is_empty()).then(|| Wiring {
        system: table.system,
        agents: agents
            .into_iter()
            .map(|((model, provider), name)| (name, Agent { model, provider, output: Some(output.clone()) }))
            .collect(),
        tools: BTreeMap::new(),
        servers: BTreeMap::new(),
        functions: Default::default(),
    })
}

fn agents(table: &Table) -> BTreeMap<ModelName, SmolStr> {
    let judges = table.cases.iter().flat_map(|case| &case.judges);
    let mut agents = BTreeMap::new();
    for judge in judges {
        if let JudgeQuestion::Rubric { model, provider, .. } = &judge.question {
            let number = agents.len() + 1;
            let name = || if number == 1 { "judge".into() } else { format_smolstr!("judge {number}") };
            agents.entry((model.clone(), provider.clone())).or_insert_with(name);
        }
    }
    agents
}

impl JudgeModels {
    /// Prepares the models that judge; `None` if no judge is a model.
    ///
    /// # Errors
    /// Where a model or a key is not configured.
    pub fn new(table: &Table, live: &Live, folder: &Path) -> Result<Option<JudgeModels>> {
        let Some(wiring) = wiring(table) else { return Ok(None) };
        let environment = Environment::of_folder(folder)?;
        let secrets = Arc::new(Secrets::resolve_in(&needed_keys(live, &wiring), environment));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .worker_threads(1)
            .thread_name("nodewise-judges")
            .build()
            .context("cannot start the threads of the judges")?;
        let models = Models::new(live, &wiring, Vec::new(), Arc::clone(&secrets))?;
        Ok(Some(JudgeModels { runtime, models, agents: agents(table), secrets }))
    }

    /// Notes that a user should read before the eval begins.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.models.notes()
    }

    fn score(&self, name: &ModelName, rubric: &str, data: Json, key: SmolStr) -> (Result<Score>, Usage) {
        let Some(agent) = self.agents.get(name) else {
            return (Err(anyhow!("no model is set for the judge")), Usage::default());
        };
        let data: Value = nodewise_expr::json::from_json(data);
        let prompt = [
            Message::new(Role::System, INSTRUCTIONS.into()),
            Message::new(Role::State, data),
            Message::new(Role::Human, Value::Text(format_smolstr!("The rubric:\n{rubric}"))),
        ];
        let question = ModelQuestion {
            agent: agent.clone(),
            purpose: Purpose::Work,
            prompt: Arc::new(prompt),
            tools: Arc::new([]),
            temperature: Some(0.0),
            opening: None,
        };
        let what = Question::Model(question.clone());
        let ask = Ask { graph: SmolStr::default(), node: agent.clone(), attempt: 1, what };
        let asked = Asked { id: AskId(0), ask: Arc::new(ask), key, watch: Arc::new(Unwatched) };
        let answer = self.runtime.block_on(self.models.answer(&asked, &question));
        let read = match answer.result {
            Ok(Reply::Model(reply)) => Score::read(reply.value.as_ref()),
            Ok(_) => Err(anyhow!("the judge gave no answer")),
            Err(failure) => Err(anyhow!("{failure}")),
        };
        (read, answer.usage)
    }

    fn masked(&self, text: &str) -> String {
        self.secrets.mask_text(text)
    }
}

struct Score {
    score: f64,
    reasoning: String,
}

impl Score {
    fn read(value: Option<&Value>) -> Result<Score> {
        let json = value.map(to_json).unwrap_or_default();
        let score = json.get("score").and_then(Json::as_f64);
        let score = score.filter(|score| (0.0..=1.0).contains(score));
        let reasoning = json.get("reasoning").and_then(Json::as_str).unwrap_or_default();
        match score {
            Some(score) => Ok(Score { score, reasoning: reasoning.to_owned() }),
            None => Err(anyhow!("the judge gave no score from 0 to 1")),
        }
    }
}

/// The verdict of a judge about a run, and what it used. `key` is the idempotency key of its question.
#[must_use]
pub fn verdict_of(
    judge: &EvalJudge,
    recording: &Recording,
    input: &Json,
    key: SmolStr,
    models: Option<&JudgeModels>,
) -> (JudgeVerdict, Usage) {
    let name = name_of(judge);
    let verdict =
        |is_passed, score, reason: String| JudgeVerdict { judge: name.clone(), is_passed, score, reason };
    let free = |(is_passed, reason): (bool, String)| (verdict(is_passed, None, reason), Usage::default());
    let result = || match &judge.of {
        Some(key) => final_value(recording, &key.value),
        None => recording.outcome.output.clone(),
    };
    match &judge.question {
        JudgeQuestion::Expression(text) => free(expression(&text.value, recording)),
        JudgeQuestion::Schema(schema) => free(schema_holds(&to_json(&schema.value), &to_json(&result()))),
        JudgeQuestion::Rubric { text, model, provider, at_least } => {
            let Some(models) = models else { return free((false, "no model judges".to_owned())) };
            let name = (model.clone(), provider.clone());
            let data = json!({"input": input, "result": to_json(&result())});
            match models.score(&name, &text.value, data, key) {
                (Ok(Score { score, reasoning }), usage) => {
                    (verdict(score >= *at_least, Some(score), models.masked(&reasoning)), usage)
                }
                (Err(error), usage) => (verdict(false, None, models.masked(&format!("{error:#}"))), usage),
            }
        }
    }
}

/// The name of a judge in reports.
fn name_of(judge: &EvalJudge) -> String {
    let text = match (&judge.name, &judge.question) {
        (Some(name), _) => return name.value.to_string(),
        (None, JudgeQuestion::Rubric { text, .. }) => text.value.as_str(),
        (None, JudgeQuestion::Expression(text)) => text.value.as_str(),
        (None, JudgeQuestion::Schema(_)) => "schema",
    };
    let line = text.lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(NAME_MAX) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

fn expression(text: &str, recording: &Recording) -> (bool, String) {
    let mut memory = final_state(recording);
    memory.insert(OUTPUT, recording.outcome.output.clone());
    // The language reads a missing key as nothing, and a comparison with nothing may be true. So a missing key fails here.
    let read = filtrex::VERIFIER.check(text).keys;
    if let Some((key, _)) = read.iter().find(|(key, _)| memory.get(key).is_none()) {
        let keys: Vec<String> = memory.iter().map(|(key, _)| format!("`{key}`")).collect();
        return (false, format!("`memory.{key}` is not there at the end; there are {}", keys.join(", ")));
    }
    let state: Map = [(SmolStr::new_static(MEMORY), Value::from(memory))].into_iter().collect();
    let circumstances =
        Circumstances { state: state.into(), now: recording.clock, strict_taint: false, errors: Vec::new() };
    let evaluation = evaluate(filtrex::VERIFIER, text, &circumstances);
    match (evaluation.decision, evaluation.value) {
        (Some(ConditionDecision::Holds), _) => (true, String::new()),
        (_, Err(failure)) => (false, failure.message),
        (_, Ok(_)) => (false, "the expression is not true".to_owned()),
    }
}

fn schema_holds(schema: &Json, result: &Json) -> (bool, String) {
    let parsed = result.as_str().and_then(|text| serde_json::from_str(text).ok());
    let result = parsed.as_ref().unwrap_or(result);
    let validator = match jsonschema::validator_for(schema) {
        Ok(validator) => validator,
        Err(error) => return (false, format!("the schema is not valid: {error}")),
    };
    match validator.iter_errors(result).next() {
        None => (true, String::new()),
        Some(error) => {
            let place = error.instance_path().to_string().trim_start_matches('/').replace('/', ".");
            let place = if place.is_empty() { "the result".to_owned() } else { format!("`{place}`") };
            (false, format!("{place} does not match the schema: {error}"))
        }
    }
}

/// The input of a case, as judges read it.
#[must_use]
pub fn input_of(scenario: &Scenario) -> Json {
    let start = &scenario.start;
    let mut input = serde_json::Map::new();
    let mut put = |key: &str, value: Json| drop(input.insert(key.to_owned(), value));
    if let Some(given) = &start.input {
        put("input", to_json(&given.value));
    }
    if let Some(goal) = &start.goal {
        put("goal", goal.value.as_str().into());
    }
    if !start.turns.is_empty() {
        put("turns", start.turns.iter().map(|turn| to_json(&turn.input)).collect());
    }
    Json::Object(input)
}
