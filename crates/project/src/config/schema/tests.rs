//! The schema and the reader know the same keys.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;

use super::config_schema;
use crate::config::Config;

/// The keys that the reader knows in a table, from what it says about one that it does not know.
fn keys_of_the_reader(table: &str) -> Vec<String> {
    let header = if table.is_empty() { String::new() } else { format!("[{table}]\n") };
    let text = format!("{header}no_key_of_ours = 1\n");
    let problem = toml::from_str::<crate::config::file::File>(&text).unwrap_err();
    let mut known: Vec<String> = problem.message().split('`').skip(3).step_by(2).map(str::to_owned).collect();
    known.sort();
    known
}

fn keys_of_the_schema(schema: &Value) -> Vec<String> {
    let mut keys: Vec<String> = schema["properties"].as_object().unwrap().keys().cloned().collect();
    keys.sort();
    keys
}

#[test]
fn every_table_has_the_keys_of_the_reader() {
    let schema = config_schema();
    assert_eq!(keys_of_the_schema(&schema), keys_of_the_reader(""));
    for table in
        ["files", "check", "security", "format", "liman", "cycgraph", "agentos", "live", "live.telemetry"]
    {
        let of_table = table.split('.').fold(&schema, |schema, key| &schema["properties"][key]);
        assert_eq!(keys_of_the_schema(of_table), keys_of_the_reader(table), "{table}");
    }
}

#[test]
fn every_named_table_of_live_runs_has_the_keys_of_the_reader() {
    let schema = config_schema();
    let live = &schema["properties"]["live"]["properties"];
    for table in ["providers", "models", "mcp", "tools"] {
        let of_table = &live[table]["additionalProperties"];
        assert_eq!(keys_of_the_schema(of_table), keys_of_the_reader(&format!("live.{table}.x")), "{table}");
    }
    for service in keys_of_the_schema(&live["services"]) {
        let text = format!("[live.services]\n{service} = \"shop.{service}\"\n");
        assert!(Config::read(&text).is_ok(), "{text}");
    }
}

/// Every word of the schema at a key, each put into a file.
fn check_words(schema: &Value, key: &str) {
    for word in schema["enum"].as_array().unwrap() {
        let text = format!("{key} = {word}\n");
        assert!(Config::read(&text).is_ok(), "{text}");
    }
}

#[test]
fn every_word_is_accepted() {
    let schema = config_schema();
    let format = &schema["properties"]["format"]["properties"];
    for key in ["sequences", "quotes", "flow", "key_order"] {
        check_words(&format[key], &format!("format.{key}"));
    }
    check_words(&schema["properties"]["liman"]["properties"]["profile"], "liman.profile");
    check_words(&schema["properties"]["dialect"]["additionalProperties"], "dialect.\"a/**\"");
    let rules = schema["properties"]["rules"]["properties"].as_object().unwrap();
    for rule in rules.keys().filter(|key| *key != "override") {
        check_words(&schema["definitions"]["level"], &format!("rules.{rule}"));
    }
}

#[test]
fn external_names_are_those_of_the_tables() {
    let schema = config_schema();
    for system in ["liman", "cycgraph", "agentos"] {
        for table in ["external", "outside"] {
            let lists = &schema["properties"][system]["properties"][table];
            for list in keys_of_the_schema(lists) {
                let text = format!("[{system}.{table}]\n{list} = [\"name\"]\n");
                assert!(Config::read(&text).is_ok(), "{text}");
            }
        }
    }
}
