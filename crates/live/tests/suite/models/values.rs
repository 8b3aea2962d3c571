//! Values of a fixed shape, where not a text is wanted. Invariant: whatever a server can be held to, the value is the same.

use std::sync::Arc;

use nodewise_engine::ask::Purpose;
use nodewise_project::config::live::ProviderKind;
use nodewise_simulation::system::RunnableSystem;
use nodewise_simulation::systems;
use nodewise_test_support::model_server::ModelServer;
use serde_json::{Value as Json, json};

use super::door::{BOTH, RecordedWatch, Scene, check_answer, runtime, tool};

fn scene(kind: ProviderKind, system: RunnableSystem, purpose: Purpose) -> Scene {
    Scene { system, purpose, ..Scene::new(kind) }
}

#[test]
fn each_purpose_has_its_shape() {
    let cases = [
        (systems::cycgraph::SYSTEM, Purpose::Route, json!({"next_node": "n", "reasoning": "r"})),
        (
            systems::cycgraph::SYSTEM,
            Purpose::Judge,
            json!({"score": 0.5, "reasoning": "r", "suggestions": "s"}),
        ),
        (systems::cycgraph::SYSTEM, Purpose::Extract, json!({"facts": ["a", "b"], "reasoning": "r"})),
        (
            systems::agentos::SYSTEM,
            Purpose::Judge,
            json!({"approved": true, "confidence": 1, "reasoning": "r"}),
        ),
    ];
    for kind in BOTH {
        for (system, purpose, value) in &cases {
            let script = json!([{"json": value}]);
            let requests = check_answer(&scene(kind, *system, *purpose), &script, &format!("value {value}"));
            let body = &requests[0].body;
            let schema = match kind {
                ProviderKind::OpenAi => &body["response_format"]["json_schema"]["schema"],
                ProviderKind::Anthropic => &body["tools"][0]["input_schema"],
            };
            let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
            let expected: Vec<&String> = value.as_object().unwrap().keys().collect();
            assert_eq!(keys, expected);
        }
    }
}

/// Servers that hold a model to a schema take no members that may be absent: they are null, which the engine does not take.
#[test]
fn a_member_that_is_null_is_absent() {
    for kind in BOTH {
        let judged = json!([{"json": {"score": 0.5, "reasoning": "r", "suggestions": null}}]);
        let scene = scene(kind, systems::cycgraph::SYSTEM, Purpose::Judge);
        check_answer(&scene, &judged, r#"value {"score":0.5,"reasoning":"r"}"#);
    }
}

#[test]
fn declared_shapes_may_be_of_any_sort() {
    let cases = [
        (
            json!({"type": "object", "properties": {"a": {"type": "integer"}}}),
            json!({"a": 1}),
            json!({"a": 1}),
        ),
        (json!({"type": "array", "items": {"type": "string"}}), json!({"value": ["x"]}), json!(["x"])),
    ];
    for kind in BOTH {
        for (schema, said, expected) in &cases {
            let mut scene = Scene::new(kind);
            scene.output = Some(schema.clone());
            check_answer(&scene, &json!([{"json": said}]), &format!("value {expected}"));
        }
    }
}

#[test]
fn tools_come_before_the_answer() {
    for kind in BOTH {
        let mut scene = Scene::new(kind);
        scene.output = Some(json!({"type": "object", "properties": {"a": {"type": "integer"}}}));
        scene.tools = vec!["look"];
        scene.offered = vec![tool("look")];
        check_answer(&scene, &json!([{"calls": [{"id": "c", "tool": "look"}]}]), "call c look {}");
        check_answer(&scene, &json!([{"json": {"a": 1}}]), "value {\"a\":1}");
    }
}

/// What a model that cannot be held to a shape says: a text that has the value in it.
#[test]
fn values_are_found_in_texts() {
    let texts = [
        "{\"next_node\": \"n\"}",
        "Here it is:\n```json\n{\"next_node\": \"n\"}\n```\nDone.",
        "I think {\"next_node\": \"n\"} is right.",
    ];
    for kind in BOTH {
        for text in texts {
            let scene = scene(kind, systems::cycgraph::SYSTEM, Purpose::Route);
            check_answer(&scene, &json!([{"text": text}]), "value {\"next_node\":\"n\"}");
        }
        let scene = scene(kind, systems::cycgraph::SYSTEM, Purpose::Route);
        check_answer(&scene, &json!([{"text": "no { value"}]), "text \"no { value\"");
    }
}

fn check_refusals(kind: ProviderKind, refuses: &Json, requests: usize) {
    let scene = scene(kind, systems::cycgraph::SYSTEM, Purpose::Judge);
    let answer = json!({"text": "{\"score\": 1}", "times": 2});
    let server = ModelServer::start(json!({"refuses": refuses, "answers": [answer]})).unwrap();
    let models = scene.models(&server.base_url());
    let runtime = runtime();
    for round in 0..2 {
        let answer = runtime.block_on(scene.ask(&models, &Arc::new(RecordedWatch::default())));
        assert!(format!("{answer:?}").contains("score"), "{answer:?}");
        assert_eq!(server.requests().len(), requests + round, "{refuses}");
    }
    let last = server.requests().pop().unwrap().body.to_string();
    assert_eq!(last.contains("This JSON Schema describes it"), requests > 1, "{last}");
}

#[test]
fn servers_may_know_no_shapes() {
    check_refusals(ProviderKind::OpenAi, &json!([]), 1);
    check_refusals(ProviderKind::OpenAi, &json!(["json_schema"]), 2);
    check_refusals(ProviderKind::OpenAi, &json!(["json_schema", "json_object"]), 3);
    check_refusals(ProviderKind::Anthropic, &json!(["tool_choice"]), 2);
}

#[test]
fn in_agentos_a_text_stays_a_text() {
    for kind in BOTH {
        let mut scene = scene(kind, systems::agentos::SYSTEM, Purpose::Work);
        scene.output = Some(json!({"type": "object"}));
        let script = json!([{"text": "{\"a\": 1}"}]);
        check_answer(&scene, &script, "text \"{\\\"a\\\": 1}\"\nvalue {\"a\":1}");
    }
}
