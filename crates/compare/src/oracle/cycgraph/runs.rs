//! Whole runs.
//!
//! Input is the oracle's question, a scenario. Output is the run in the format of the recordings. Invariant: neither
//! answer contains what cannot be repeated: times and random names.

use anyhow::{Result, bail};
use nodewise_expr::filtrex;
use nodewise_expr::json::number_to_json;
use serde_json::{Value, json};

use crate::replay::cycgraph::{self, Scenario, run};

/// The keys whose values are times.
const MOMENTS: &[&str] = &["created_at", "retrieved_at", "evaluated_at", "reflected_at"];
/// The events of listeners. The event log contains them too.
const STREAM: &str = "stream";

pub(super) fn answer(question: &Value) -> Value {
    match scenario(question) {
        Ok(scenario) => without_words(&repeatable(&run(&scenario, true)), &our_words(question)),
        Err(error) => json!({"broken": error.to_string()}),
    }
}

/// Whether the engine gives this answer if concurrent agents ask in another order.
pub(super) fn is_other_order(question: &Value, answer: &Value) -> bool {
    let scenario = scenario(question).ok().filter(|scenario| scenario.has_concurrency);
    let words = our_words(question);
    let form = |report: &Value| without_words(&repeatable(report), &words);
    scenario.is_some_and(|scenario| cycgraph::is_other_order(&scenario, answer, form))
}

fn scenario(question: &Value) -> Result<Scenario> {
    let no_files = |path: &str| bail!("there is no file {path}");
    Scenario::read(&question["scenario"].to_string(), &no_files)
}

/// The oracle's answer in the same format.
pub(super) fn their_answer(_: &Value, answer: &Value) -> Value {
    let mut answer = without_words(&repeatable(answer), &[]);
    if let Some(members) = answer.as_object_mut() {
        members.shift_remove(STREAM);
    }
    answer
}

/// The text before the id of a run in a message.
const RUN: &str = "(run ";
/// The id that `runs.mjs` gives the run of the main graph.
const MAIN_RUN: &str = "00000000-0000-4000-8000-000000000001";
/// Replaces the message of a parser for an expression that does not compile.
const DOES_NOT_COMPILE: &str = "<the expression does not compile>";
/// The beginnings of messages of the package's parser.
const PARSER: &[&str] = &["Parse error on line ", "Lexical error on line "];

/// An answer without the message for an expression that does not compile, because each parser has its own.
fn without_words(answer: &Value, ours: &[String]) -> Value {
    let is_parsers = |text: &str| {
        PARSER.iter().any(|words| text.starts_with(words)) || ours.iter().any(|words| words == text)
    };
    let mut answer = answer.clone();
    let strip = |text: &mut Value| {
        if text.as_str().is_some_and(is_parsers) {
            *text = DOES_NOT_COMPILE.into();
        }
    };
    for key in ["error", "last_error", "failures"] {
        match answer.get_mut(key) {
            Some(Value::Array(failures)) => {
                failures.iter_mut().for_each(|failure| strip(&mut failure["error"]))
            }
            Some(Value::Object(error)) => error.values_mut().for_each(strip),
            Some(text) => strip(text),
            None => {}
        }
    }
    answer
}

/// The messages of our parser for the scenario's expressions that do not compile.
fn our_words(question: &Value) -> Vec<String> {
    let mut words = Vec::new();
    collect_words(&question["scenario"], &mut words);
    words
}

fn collect_words(value: &Value, words: &mut Vec<String>) {
    let parts: Vec<(&str, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(key, member)| (key.as_str(), member)).collect(),
        Value::Array(items) => items.iter().map(|item| ("", item)).collect(),
        _ => return,
    };
    for (key, part) in parts {
        if let (true, Some(text)) = (["condition", "expression"].contains(&key), part.as_str()) {
            words.extend(filtrex::parse(text).problems.first().map(|problem| problem.message.to_string()));
        }
        collect_words(part, words);
    }
}

/// An answer without values that differ in each run, and with normalised numbers.
fn repeatable(answer: &Value) -> Value {
    match answer {
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| match MOMENTS.contains(&key.as_str()) {
                true => (key.clone(), json!("<time>")),
                false => (key.clone(), repeatable(value)),
            };
            members.iter().map(member).collect()
        }
        Value::Array(items) => items.iter().map(repeatable).collect(),
        Value::String(text) => without_child_run(without_moments(text)).into(),
        Value::Number(number) => number_to_json(number.as_f64().unwrap_or(f64::NAN)),
        answer => answer.clone(),
    }
}

/// A message without the id of a run of a subgraph: the package invents a new one each time.
fn without_child_run(text: String) -> String {
    let id = || {
        let (before, rest) = text.split_once(RUN)?;
        let (id, behind) = rest.split_once(')')?;
        (id != MAIN_RUN).then(|| format!("{before}{RUN}<child>){behind}"))
    };
    id().unwrap_or(text)
}

/// A text without the times in it.
fn without_moments(text: &str) -> String {
    const FORM: &[u8] = b"0000-00-00T00:00:00.000Z";
    let is_moment = |part: &[u8]| {
        let fits =
            |(byte, form): (&u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form };
        part.len() == FORM.len() && part.iter().zip(FORM).all(fits)
    };
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.as_bytes().get(..FORM.len()).is_some_and(is_moment) {
            kept.push_str("<time>");
            rest = &rest[FORM.len()..];
        } else {
            kept.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    kept
}
