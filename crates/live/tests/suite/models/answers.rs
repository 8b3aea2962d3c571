//! What models say: texts and calls of tools, in parts and as a whole. Invariant: both protocols give the same answer.

use std::sync::Arc;

use nodewise_simulation::systems;
use nodewise_test_support::model_server::ModelServer;
use serde_json::json;

use super::door::{BOTH, RecordedWatch, Scene, check_answer, runtime, tool};

#[test]
fn a_text_comes_in_parts() {
    for kind in BOTH {
        let script = json!([{"text": "A line, schön und gut.", "usage": [1000, 200]}]);
        let expected = "text \"A line, schön und gut.\"\nused 1000 + 200 for 0.003 USD";
        let requests = check_answer(&Scene::new(kind), &script, expected);
        assert_eq!(requests.len(), 1);
        let server = ModelServer::start(script).unwrap();
        let scene = Scene::new(kind);
        let models = scene.models(&server.base_url());
        let recorded_watch = Arc::new(RecordedWatch::default());
        runtime().block_on(scene.ask(&models, &recorded_watch));
        let said = recorded_watch.deltas.lock().unwrap().clone();
        assert!(said.len() > 2, "{said:?}");
        assert_eq!(said.concat(), "A line, schön und gut.");
    }
}

#[test]
fn a_text_may_come_as_a_whole_or_very_slowly() {
    for kind in BOTH {
        let expected = "text \"A lïne.\"\nused 3 + 4 for 0.000043 USD";
        for way in [json!({"whole": true}), json!({"slow_ms": 0})] {
            let mut answer = json!({"text": "A lïne.", "usage": [3, 4]});
            answer.as_object_mut().unwrap().extend(way.as_object().unwrap().clone());
            check_answer(&Scene::new(kind), &json!([answer]), expected);
        }
    }
}

#[test]
fn calls_of_tools_are_put_together() {
    for kind in BOTH {
        for whole in [false, true] {
            let calls = json!([
                {"id": "a", "tool": "look", "arguments": {"of": "the sea, as it is"}},
                {"id": "b", "tool": "write", "arguments": {}},
            ]);
            let script = json!([{"text": "I look.", "calls": calls, "whole": whole}]);
            let mut scene = Scene::new(kind);
            scene.tools = vec!["look", "write", "unknown"];
            scene.offered = vec![tool("look"), tool("write"), tool("other")];
            let expected = "text \"I look.\"\ncall a look {\"of\":\"the sea, as it is\"}\ncall b write {}";
            let requests = check_answer(&scene, &script, expected);
            let sent = requests[0].body["tools"].to_string();
            assert!(sent.contains("What look is for.") && !sent.contains("other"), "{sent}");
            assert_eq!(requests[0].body["tools"].as_array().unwrap().len(), 2);
        }
    }
}

#[test]
fn names_of_tools_fit_the_wire() {
    for kind in BOTH {
        let script =
            json!([{"calls": [{"id": "a", "tool": "files_read_2"}, {"id": "b", "tool": "files_read"}]}]);
        let mut scene = Scene::new(kind);
        scene.tools = vec!["files.read", "files/read"];
        scene.offered = vec![tool("files.read"), tool("files/read")];
        check_answer(&scene, &script, "call a files/read {}\ncall b files.read {}");
    }
}

#[test]
fn ids_of_calls_are_unique() {
    for kind in BOTH {
        let calls =
            json!([{"id": "", "tool": "look"}, {"id": "x", "tool": "look"}, {"id": "x", "tool": "look"}]);
        let mut scene = Scene::new(kind);
        scene.tools = vec!["look"];
        scene.offered = vec![tool("look")];
        let expected = "call call_7_0 look {}\ncall x look {}\ncall call_7_2 look {}";
        check_answer(&scene, &json!([{"calls": calls}]), expected);
    }
}

#[test]
fn in_agentos_a_model_has_all_tools() {
    for kind in BOTH {
        let mut scene = Scene::new(kind);
        scene.system = systems::agentos::SYSTEM;
        scene.offered = vec![tool("look"), tool("write")];
        let requests = check_answer(&scene, &json!([{"text": "ok"}]), "text \"ok\"");
        assert_eq!(requests[0].body["tools"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn in_cycgraph_saving_is_the_engine_s() {
    for kind in BOTH {
        let mut scene = Scene::new(kind);
        scene.system = systems::cycgraph::SYSTEM;
        scene.tools = vec!["save_to_memory", "mcp__look"];
        scene.offered = vec![tool("look")];
        let script = json!([{"calls": [{"id": "a", "tool": "save_to_memory", "arguments": {"key": "k", "value": 1}}]}]);
        let requests = check_answer(&scene, &script, "call a save_to_memory {\"key\":\"k\",\"value\":1}");
        let sent = requests[0].body["tools"].to_string();
        assert!(sent.contains("save_to_memory") && sent.contains("mcp__look"), "{sent}");
    }
}

#[test]
fn parts_of_the_protocol_that_are_refused_are_left_out() {
    for kind in BOTH {
        let mut scene = Scene::new(kind);
        scene.temperature = Some(0.5);
        scene.max_tokens = Some(100);
        let refuses = match kind {
            nodewise_project::config::live::ProviderKind::OpenAi => {
                json!(["stream_options", "temperature", "max_tokens", "stream"])
            }
            nodewise_project::config::live::ProviderKind::Anthropic => json!(["temperature", "stream"]),
        };
        let script = json!({"refuses": refuses, "answers": [{"text": "ok", "times": 2}]});
        let server = ModelServer::start(script).unwrap();
        let models = scene.models(&server.base_url());
        let recorded_watch = Arc::new(RecordedWatch::default());
        let runtime = runtime();
        for _ in 0..2 {
            let answer = runtime.block_on(scene.ask(&models, &recorded_watch));
            assert!(answer.result.is_ok(), "{answer:?}");
        }
        let requests = server.requests();
        let parts = refuses.as_array().unwrap().len();
        assert_eq!(requests.len(), parts + 2, "what is refused once is not sent again");
        let last = requests.last().unwrap().body.as_object().unwrap();
        let refused = refuses.as_array().unwrap().iter().filter_map(|part| part.as_str());
        for part in refused.filter(|part| *part != "max_tokens") {
            assert!(!last.contains_key(part), "{last:?}");
        }
    }
}
