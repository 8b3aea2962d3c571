//! What the configuration says of models and providers arrives at the server: sampling, reasoning, headers, parameters, other
//! models. Invariant: each key is looked for in what the server got.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;

use nodewise_engine::ask::{Answer, Message, Role};
use nodewise_live::models::Models;
use nodewise_live::needed_keys::needed_keys;
use nodewise_live::secrets::Secrets;
use nodewise_project::config::live::{Live, ProviderKind};
use nodewise_test_support::model_server::{ModelServer, Request};
use serde_json::{Value as Json, json};

use super::door::{RecordedWatch, Scene, answering, call, calling, runtime};

/// The model of a scene, with settings in TOML: lines of its entry, and tables.
fn models(scene: &Scene, base_url: &str, entry: &str, tables: &str) -> Result<Models, String> {
    let kind = if scene.kind == ProviderKind::OpenAi { "openai" } else { "anthropic" };
    let retries = scene.retries.map(|retries| format!("retries = {retries}\n")).unwrap_or_default();
    let text = format!(
        "{retries}[providers.near]\nkind = \"{kind}\"\nbase_url = \"{base_url}\"\n{tables}\n\
         [models.small]\nprovider = \"near\"\ninput_usd = 1\noutput_usd = 10\n{entry}"
    );
    let live: Live = toml::from_str(&text).map_err(|error| error.to_string())?;
    let wiring = scene.wiring();
    let secrets = Arc::new(Secrets::resolve(&needed_keys(&live, &wiring)));
    Models::new(&live, &wiring, scene.offered.clone(), secrets).map_err(|error| error.to_string())
}

/// Asks once; what the server got, and the answer.
fn asked(scene: &Scene, script: Json, entry: &str, tables: &str) -> (Vec<Request>, Answer, Vec<String>) {
    let server = ModelServer::start(script).unwrap();
    let base_url = server.base_url();
    let (entry, tables) = (entry.replace("BASE", &base_url), tables.replace("BASE", &base_url));
    let models = models(scene, &base_url, &entry, &tables).unwrap();
    let recorded_watch = Arc::new(RecordedWatch::default());
    let answer = runtime().block_on(scene.ask(&models, &recorded_watch));
    let retries = recorded_watch.retries.lock().unwrap().clone();
    (server.requests(), answer, retries)
}

/// What the body of a call has under some keys; `null` where it has nothing.
#[track_caller]
fn check_body(scene: &Scene, entry: &str, expected: &Json) {
    let (requests, answer, _) = asked(scene, json!([{"text": "ok"}]), entry, "");
    assert!(answer.result.is_ok(), "{answer:?}");
    let body = &requests[0].body;
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(body.get(key).unwrap_or(&Json::Null), value, "{key} in {body}");
    }
}

#[test]
fn sampling_and_reasoning_are_sent() {
    let openai = Scene { temperature: Some(0.7), ..Scene::new(ProviderKind::OpenAi) };
    check_body(
        &openai,
        "",
        &json!({"temperature": 0.7, "top_p": null, "seed": null, "reasoning_effort": null}),
    );
    check_body(
        &openai,
        "temperature = 0.1\ntop_p = 0.9\nseed = 7\nreasoning_effort = \"low\"\nbody = { service_tier = \"flex\", logit_bias = { \"1\" = 2 } }\n",
        &json!({
            "temperature": 0.1, "top_p": 0.9, "seed": 7, "reasoning_effort": "low",
            "service_tier": "flex", "logit_bias": {"1": 2},
        }),
    );
    let anthropic = Scene { temperature: Some(0.7), ..Scene::new(ProviderKind::Anthropic) };
    check_body(
        &anthropic,
        "top_p = 0.5\nbody = { top_k = 5 }",
        &json!({"temperature": 0.7, "top_p": 0.5, "top_k": 5}),
    );
    check_body(
        &anthropic,
        "thinking_tokens = 2000\nmax_tokens = 500\n",
        &json!({"thinking": {"type": "enabled", "budget_tokens": 2000}, "max_tokens": 2500, "temperature": null}),
    );
}

#[test]
fn a_model_that_thinks_is_not_forced_to_call_a_tool_and_goes_on_without_thinking() {
    let scene = Scene::new(ProviderKind::Anthropic);
    let output = json!({"type": "object", "properties": {"line": {"type": "string"}}});
    let shaped = Scene { output: Some(output), ..scene.clone() };
    check_body(&shaped, "thinking_tokens = 2000\n", &json!({"tool_choice": {"type": "auto"}}));
    let search = call("c1", "search", json!({"of": "x"}));
    let prompt = vec![
        Message::new(Role::Human, "Look.".into()),
        calling(std::slice::from_ref(&search)),
        answering(&search, json!("found")),
    ];
    check_body(
        &Scene { prompt, ..scene },
        "thinking_tokens = 2000\n",
        &json!({"thinking": null, "max_tokens": 8192}),
    );
}

#[test]
fn prompts_are_cached_where_the_model_says_so() {
    let scene = Scene::new(ProviderKind::Anthropic);
    let marked = |text: &str, mark: Json| json!([{"type": "text", "text": text, "cache_control": mark}]);
    let (five, hour) = (json!({"type": "ephemeral"}), json!({"type": "ephemeral", "ttl": "1h"}));
    let user = |mark: &Json| json!([{"role": "user", "content": marked("Write a line.", mark.clone())}]);
    check_body(&scene, "", &json!({"system": "You write."}));
    check_body(
        &scene,
        "prompt_cache = \"5m\"",
        &json!({"system": marked("You write.", five.clone()), "messages": user(&five)}),
    );
    check_body(
        &scene,
        "prompt_cache = \"1h\"",
        &json!({"system": marked("You write.", hour.clone()), "messages": user(&hour)}),
    );
    // Tools stand before the author's text. Without one, they are what stays the same.
    let mut tool = json!({
        "name": "find", "description": "What find is for.",
        "input_schema": {"type": "object", "properties": {"of": {"type": "string"}}},
    });
    let tools = Scene { offered: vec![super::door::tool("find")], tools: vec!["find"], ..scene.clone() };
    check_body(&tools, "prompt_cache = \"5m\"", &json!({"tools": [tool]}));
    tool["cache_control"] = five;
    let prompt = vec![Message::new(Role::Human, "Write a line.".into())];
    check_body(
        &Scene { prompt, ..tools },
        "prompt_cache = \"5m\"",
        &json!({"tools": [tool], "system": null}),
    );
    // A server that does not know the mark is asked without it.
    let script = json!({"answers": [{"text": "ok"}], "refuses": ["cache_control"]});
    let (requests, answer, _) = asked(&scene, script, "prompt_cache = \"5m\"", "");
    assert!(answer.result.is_ok() && requests.len() == 2, "{answer:?}");
}

#[track_caller]
fn check_cost(kind: ProviderKind, script: Json, entry: &str, expected: [f64; 5]) {
    let (_, answer, _) = asked(&Scene::new(kind), script, entry, "");
    let usage = answer.usage;
    let found = [
        usage.input_tokens,
        usage.cached_tokens,
        usage.cache_write_tokens,
        usage.output_tokens,
        (usage.cost_usd * 1e6).round(),
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_came_from_the_cache_is_counted_and_priced() {
    let openai = json!([{"text": "ok", "usage": [1000, 100], "cached": [600]}]);
    check_cost(ProviderKind::OpenAi, openai.clone(), "", [1000.0, 600.0, 0.0, 100.0, 2000.0]);
    check_cost(ProviderKind::OpenAi, openai, "cached_usd = 0.5", [1000.0, 600.0, 0.0, 100.0, 1700.0]);
    let anthropic = json!([{"text": "ok", "usage": [100, 100], "cached": [600, 300]}]);
    let entry = "prompt_cache = \"5m\"\ncached_usd = 0.1";
    check_cost(ProviderKind::Anthropic, anthropic, entry, [1000.0, 600.0, 300.0, 100.0, 1535.0]);
}

#[test]
fn headers_and_parameters_are_sent() {
    let tables = "[providers.near.headers]\nhttp-referer = \"https://desk.example\"\nx-home = \"in ${HOME}\"\n\
                  api-key = { command = [\"echo\", \"sk-azure-123\"] }\n\
                  [providers.near.query]\napi-version = \"2024-10-21\"\ncode = { command = [\"echo\", \"a b&c\"] }\n";
    let script = json!([{"text": "The key is sk-azure-123."}]);
    let (requests, answer, _) = asked(&Scene::new(ProviderKind::OpenAi), script, "", tables);
    let request = &requests[0];
    assert_eq!(request.path, "/v1/chat/completions?api-version=2024-10-21&code=a+b%26c");
    assert_eq!(request.header("http-referer"), Some("https://desk.example"));
    assert_eq!(request.header("x-home"), Some(format!("in {}", std::env::var("HOME").unwrap()).as_str()));
    assert_eq!(request.header("api-key"), Some("sk-azure-123"));
    assert!(!format!("{answer:?}").contains("sk-azure"), "{answer:?}");
}

#[track_caller]
fn check_refused(kind: ProviderKind, entry: &str, tables: &str, expected: &str) {
    let error = models(&Scene::new(kind), "http://127.0.0.1:9/v1", entry, tables).unwrap_err();
    assert_eq!(error, expected);
}

#[test]
fn settings_without_a_meaning_are_reported() {
    check_refused(
        ProviderKind::OpenAi,
        "thinking_tokens = 2000",
        "",
        "`thinking_tokens` of [live.models.small] has no meaning for a provider of the kind `openai`\n  help: remove it, or write `reasoning_effort` instead",
    );
    check_refused(
        ProviderKind::Anthropic,
        "seed = 1",
        "",
        "`seed` of [live.models.small] has no meaning for a provider of the kind `anthropic`\n  help: remove it, or write `temperature = 0` instead",
    );
    check_refused(
        ProviderKind::OpenAi,
        "prompt_cache = \"5m\"",
        "",
        "`prompt_cache` of [live.models.small] has no meaning for a provider of the kind `openai`, which caches by itself\n  help: remove it; `nodewise runs cost` shows the cached tokens",
    );
    check_refused(
        ProviderKind::OpenAi,
        "body = { messages = [] }",
        "",
        "`body` of [live.models.small] sets `messages`, which nodewise writes itself\n  help: remove it; `[live.models]` has `id` and `max_tokens`",
    );
    check_refused(
        ProviderKind::OpenAi,
        "idle_timeout_s = 0",
        "",
        "`idle_timeout_s` of [live.models.small] is not a valid time limit\n  help: write seconds, for example `120`",
    );
    check_refused(
        ProviderKind::OpenAi,
        "",
        "[providers.near.headers]\nX-Api-Key = \"sk-in-the-file\"\n",
        "the header `X-Api-Key` of the provider `near` names no variable of the environment\n  help: write `${NAME}` for the key in [live.providers.near.headers] of nodewise.toml, for example \"Bearer ${NAME}\"",
    );
    check_refused(
        ProviderKind::OpenAi,
        "",
        "[providers.near.headers]\n\"two words\" = \"x\"\n",
        "the header `two words` of the provider `near` has a name or a value that no header can have\n  help: check [live.providers.near.headers] in nodewise.toml",
    );
}

#[test]
fn another_model_answers_where_the_first_does_not() {
    let tables = "[models.other]\nid = \"other-1\"\nprovider = \"near\"\ninput_usd = 100\noutput_usd = 0\n";
    let script = json!([
        {"when": "small", "status": 503, "body": "down", "times": 0},
        {"when": "other-1", "text": "ok", "usage": [1000, 1]},
    ]);
    let scene = Scene { retries: Some(0), ..Scene::new(ProviderKind::OpenAi) };
    let entry = "fallback = [\"other\"]\n";
    let (requests, answer, retries) = asked(&scene, script.clone(), entry, tables);
    let models: Vec<&Json> = requests.iter().map(|request| &request.body["model"]).collect();
    assert_eq!(models.last().unwrap().as_str(), Some("other-1"));
    assert!(answer.result.is_ok() && (answer.usage.cost_usd - 0.1).abs() < 1e-9, "{answer:?}");
    assert_eq!(answer.fallback.as_deref(), Some("near/other-1"));
    let message = retries.last().unwrap();
    assert!(
        message.contains("the provider `near` answered 503")
            && message.ends_with("`other-1` of `near` is asked instead"),
        "{message}"
    );
    assert_eq!(answer.retries.last().unwrap().reason.as_str(), message.trim_start_matches("in 0 ms: "));
    // Without another one left, the failure of the last one counts.
    let (_, answer, _) = asked(&scene, json!([{"status": 401, "body": "no", "times": 0}]), entry, tables);
    assert!(answer.result.unwrap_err().to_string().contains("answered 401"));
}

#[test]
fn an_answer_has_limits_of_time_and_size() {
    let scene = Scene::new(ProviderKind::OpenAi);
    let (_, answer, _) =
        asked(&scene, json!([{"text": "never", "hangs": true, "times": 0}]), "idle_timeout_s = 0.2\n", "");
    let failure = answer.result.unwrap_err().to_string();
    assert!(failure.contains("sent nothing for 0.2 s, which is `idle_timeout_s` of the model"), "{failure}");
    let (_, answer, _) =
        asked(&scene, json!([{"text": "never", "hangs": true, "times": 0}]), "timeout_s = 0.2\n", "");
    let failure = answer.result.unwrap_err().to_string();
    assert!(failure.contains("timeout after 0.2 s"), "{failure}");
    let long = "word ".repeat(7 << 20);
    let (_, answer, _) = asked(&scene, json!([{"text": long, "whole": true, "times": 0}]), "", "");
    let failure = answer.result.unwrap_err().to_string();
    assert!(failure.contains("sent an answer that is larger than 32 MB"), "{failure}");
}

/// A server whose answer has no end.
fn endless() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 4096];
            let _ = stream.read(&mut head);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n");
            let part = format!(": {}\n\n", "x".repeat(1 << 20));
            while stream.write_all(part.as_bytes()).is_ok() {}
        }
    });
    format!("http://{address}/v1")
}

#[test]
fn a_stream_without_an_end_is_given_up() {
    let scene = Scene { retries: Some(0), ..Scene::new(ProviderKind::OpenAi) };
    let models = models(&scene, &endless(), "", "").unwrap();
    let answer = runtime().block_on(scene.ask(&models, &Arc::new(RecordedWatch::default())));
    let failure = answer.result.unwrap_err().to_string();
    assert!(failure.contains("sent an answer that is larger than 32 MB, so it was not read on"), "{failure}");
}
