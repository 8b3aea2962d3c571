//! Which requests of the protocol are answered, and what is announced.

use nodewise_dap::capabilities::{REQUESTS, capabilities};
use nodewise_project::debug_configuration::{DebugRequest, attributes};
use serde_json::{Value, json};

use crate::schema::SCHEMA;
use crate::support::{Client, Project};

/// The commands of the protocol.
fn commands() -> Vec<String> {
    let definitions = SCHEMA["definitions"].as_object().unwrap();
    let names = definitions.keys().filter_map(|name| name.strip_suffix("Request"));
    let names = names.filter(|name| !name.is_empty() && !name.starts_with("Protocol"));
    names.map(|name| name[..1].to_lowercase() + &name[1..]).collect()
}

#[test]
fn each_request_is_answered_or_refused_as_unsupported() {
    let project = Project::example("cycgraph");
    for command in commands() {
        let mut client = Client::new(&project);
        client.begin(json!({"program": "claims.scenario.yaml", "stopOnEntry": true}), &[]);
        let (response, _) = client.ask(&command, json!({}));
        let is_unsupported = response["message"] == "unsupported";
        let is_answered = REQUESTS.iter().any(|(known, _)| *known == command);
        assert_eq!(is_unsupported, !is_answered, "{command}: {response}");
    }
}

#[test]
fn capabilities_are_those_of_the_protocol_and_of_the_requests() {
    let announced = capabilities(None);
    let known = &SCHEMA["definitions"]["Capabilities"]["properties"];
    for capability in announced.as_object().unwrap().keys() {
        assert!(known.get(capability).is_some(), "{capability} is not a capability");
    }
    for (command, capability) in REQUESTS {
        assert!(commands().iter().any(|known| known == command), "{command} is not a request");
        if let Some(capability) = capability {
            assert_eq!(announced[capability], true, "{command}");
        }
    }
}

/// A capability has the name of the request that it is about.
#[test]
fn what_is_announced_is_answered() {
    let announced = capabilities(None);
    let known = SCHEMA["definitions"]["Capabilities"]["properties"].as_object().unwrap();
    let mut count = 0;
    for capability in known.keys() {
        let Some(name) = capability.strip_prefix("supports") else { continue };
        let name = name.strip_suffix("Request").unwrap_or(name);
        let command = name[..1].to_lowercase() + &name[1..];
        if commands().contains(&command) {
            let is_answered = REQUESTS.iter().any(|(answered, _)| *answered == command);
            assert_eq!(announced[capability] == true, is_answered, "{capability}");
            count += 1;
        }
    }
    assert!(count > 15, "{count} capabilities are about requests");
}

#[test]
fn a_client_gets_nothing_that_harms_it() {
    let project = Project::example("cycgraph");
    for (client_id, is_announced) in [("vscode", false), ("zed", true)] {
        let mut client = Client::new(&project);
        let announced = client.body("initialize", json!({"clientID": client_id, "adapterID": "nodewise"}));
        assert_eq!(announced["supportsBreakpointLocationsRequest"] == true, is_announced, "{client_id}");
        assert_eq!(announced["supportsSetVariable"], true, "{client_id}");
    }
}

#[test]
fn arguments_may_be_missing_null_or_empty() {
    let project = Project::example("cycgraph");
    for arguments in [json!({}), Value::Null] {
        let mut client = Client::new(&project);
        client.begin(json!({"program": "claims.scenario.yaml", "stopOnEntry": true}), &[]);
        assert!(client.body("threads", arguments.clone())["threads"][0]["id"] == 1);
        client.body("loadedSources", arguments);
    }
    let mut client = Client::new(&project);
    client.begin(json!({"program": "claims.scenario.yaml", "stopOnEntry": true}), &[]);
    client.raw(&json!({"seq": 50, "type": "request", "command": "threads"}));
    let messages = client.session.take_messages();
    assert_eq!(messages[0]["success"], true);
}

#[test]
fn unknown_keys_of_a_configuration_are_named() {
    let project = Project::example("cycgraph");
    let mut client = Client::new(&project);
    client.body("initialize", json!({}));
    let (response, _) =
        client.ask("launch", json!({"program": "claims.scenario.yaml", "progam": 1, "__sessionId": "x"}));
    assert_eq!(response["message"], "badArguments");
    let text = response["body"]["error"]["variables"]["text"].as_str().unwrap();
    assert!(text.starts_with("the debug configuration has an unknown key `progam`"), "{text}");
    // The same session can launch what is right.
    client.body("launch", json!({"program": "claims.scenario.yaml", "__sessionId": "x", "type": "nodewise"}));
}

#[test]
fn the_schema_of_configurations_is_one() {
    let schema = attributes(DebugRequest::Launch);
    let validator = jsonschema::draft7::new(&schema).unwrap();
    assert!(validator.is_valid(&json!({"program": "a.yaml", "timeline": "off", "limits": {"visits": 3}})));
    assert!(!validator.is_valid(&json!({"program": "a.yaml", "timeline": "loud"})));
    assert!(!validator.is_valid(&json!({"stopOnEntry": true})));
}
