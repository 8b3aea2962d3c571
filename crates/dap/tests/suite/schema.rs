//! The schema of the Debug Adapter Protocol, and messages that are checked with it. The tests of live runs use this file too.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Value, json};

pub(crate) static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/debug-protocol.json")).unwrap());

/// Checks a message with the schema of its kind.
#[track_caller]
pub(crate) fn check_message(message: &Value) {
    let name = match message["type"].as_str() {
        Some("event") => format!("{}Event", capital(message["event"].as_str().unwrap())),
        Some("request") => format!("{}Request", capital(message["command"].as_str().unwrap())),
        Some("response") if message["success"] == false => "ErrorResponse".to_owned(),
        _ => format!("{}Response", capital(message["command"].as_str().unwrap())),
    };
    let schema = &*SCHEMA;
    assert!(schema["definitions"].get(&name).is_some(), "no message is called {name}");
    let validator = validator(&name);
    let problems: Vec<String> =
        validator.iter_errors(message).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(problems.is_empty(), "{message}\n{}", problems.join("\n"));
}

fn validator(name: &str) -> Arc<Validator> {
    static KNOWN: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap();
    if let Some(found) = known.get(name) {
        return Arc::clone(found);
    }
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$ref": format!("#/definitions/{name}"),
        "definitions": SCHEMA["definitions"],
    });
    let made = Arc::new(jsonschema::draft7::new(&schema).unwrap());
    known.insert(name.to_owned(), Arc::clone(&made));
    made
}

fn capital(word: &str) -> String {
    let mut characters = word.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + characters.as_str())
        .unwrap_or_default()
}
