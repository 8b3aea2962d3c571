//! The examples of the three systems, for real: their Python functions, their server of tools, and models that answer as the
//! scripts of the examples do.

use nodewise_test_support::model_server::ModelServer;
use serde_json::{Value, json};

use crate::place::{Done, Place, check_replay, has_python, provider};

/// Runs an example to its end with `models` in the place of its providers, and replays it.
fn run(example: &str, providers: &[(&str, &str)], models: Value, words: &[&str]) -> Done {
    let server = ModelServer::start(models).unwrap();
    let place = Place::copy(&format!("examples/{example}"));
    let config = uncommented(&place.read("nodewise.toml"));
    // The providers of the example make room for the server of the test.
    let config = config.split("\n[live.providers.").next().unwrap().to_owned() + rest(&config);
    let providers: String = providers.iter().map(|(name, kind)| provider(name, kind, &server)).collect();
    place.write("nodewise.toml", &(config + &providers));
    let words: Vec<&str> =
        ["run"].iter().chain(words).chain(&["--trust", "--format", "json"]).copied().collect();
    let mut done = place.run(&words);
    if done.err.contains("waits for a decision") {
        done = place.run(&["resume", "--approve", "--trust", "--format", "json"]);
    }
    let done = done.well();
    check_replay(&place, &done.out);
    let exported = place.run(&["runs", "export", "last", "-o", "lived.scenario.yaml"]).well();
    assert_eq!(exported.out, "");
    let tested = place.run(&["test", "lived.scenario.yaml"]).well();
    assert!(tested.out.contains("1 passed"), "{}", tested.out);
    done
}

/// A configuration whose part for live runs counts.
fn uncommented(config: &str) -> String {
    let (before, live) = config.split_once("Take the marks away:\n").unwrap();
    let live = live.lines().map(|line| line.trim_start_matches('#').trim_start());
    format!("{before}\n{}\n", live.collect::<Vec<_>>().join("\n"))
}

/// What follows the providers in a configuration.
fn rest(config: &str) -> &str {
    let Some((_, after)) = config.split_once("\n[live.providers.") else { return "" };
    after.find("\n\n[").map_or("", |at| &after[at..])
}

#[test]
fn liman() {
    if !has_python() {
        return;
    }
    let models = json!([
        {"when": "Thank", "text": "Thank you for your patience.", "times": 0},
        {"calls": [{"tool": "find_customer", "arguments": {"email": "ada@example.org"}}], "usage": [50, 9]},
        {"text": "We look into it.", "times": 0},
    ]);
    let done = run(
        "liman",
        &[("local", "openai")],
        models,
        &["desk.yaml", "--start", "desk", "--input", "It broke."],
    );
    assert!(done.out.contains("\"name\":\"Ada\"") || done.out.contains("Ada"), "{}", done.out);
}

#[test]
fn cycgraph() {
    if !has_python() {
        return;
    }
    let save = |key: &str, value: Value| json!({"tool": "save_to_memory", "arguments": {"key": key, "value": value}});
    let models = json!([
        {"when": "insurance claims", "calls": [save("category", json!("hail")), save("amount", json!(80))], "usage": [410, 38]},
        {"when": "damage", "calls": [{"tool": "read_photo", "arguments": {"name": "front.jpg"}}]},
        {"when": "weigh_consensus", "calls": [save("payout", json!(80))]},
        {"text": "80", "times": 0},
    ]);
    let input =
        json!({"claim": {"policy_number": "P-17", "text": "Hail."}, "photos": ["front.jpg"]}).to_string();
    let words = ["claims.yaml", "--input", &input];
    let providers = [("anthropic", "anthropic"), ("openai", "openai")];
    run("cycgraph", &providers, models, &words);
}

#[test]
fn agentos() {
    if !has_python() {
        return;
    }
    let models = json!([{"text": "One order, never a refund.", "usage": [40, 8], "times": 0}]);
    let input = json!({"order": "O-1007"}).to_string();
    let done = run("agentos", &[("local", "openai")], models, &["refunds.yaml", "--input", &input]);
    assert!(done.out.contains("never a refund"), "{}", done.out);
}
