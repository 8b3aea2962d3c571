//! Keys go to the provider and nowhere else. Invariant: an answer, an error, what is reported meanwhile and every `Debug` text are
//! without them, also where the provider gives them back.

use std::sync::Arc;

use nodewise_live::models::Models;
use nodewise_live::needed_keys::needed_keys;
use nodewise_live::secrets::Secrets;
use nodewise_project::config::live::{Key, ProviderKind};
use serde_json::json;

use super::door::{BOTH, PLANTED, Scene, asked, check_answer};

#[test]
fn the_provider_has_the_key() {
    for kind in BOTH {
        let requests = check_answer(&Scene::new(kind), &json!([{"text": "ok"}]), "text \"ok\"");
        let (header, expected) = match kind {
            ProviderKind::OpenAi => ("authorization", format!("Bearer {PLANTED}")),
            ProviderKind::Anthropic => ("x-api-key", PLANTED.to_owned()),
        };
        assert_eq!(requests[0].header(header), Some(expected.as_str()));
        assert!(!requests[0].body.to_string().contains("planted"));
        let path = if kind == ProviderKind::OpenAi { "/v1/chat/completions" } else { "/v1/messages" };
        assert_eq!(requests[0].path, path);
    }
}

/// `asked` looks into all `Debug` texts.
#[test]
fn a_provider_that_echoes_the_key_is_masked() {
    for kind in BOTH {
        for script in [
            json!([{"text": "your key is ", "echo": true}]),
            json!([{"text": "your key is ", "echo": true, "whole": true}]),
            json!([{"status": 401, "body": "no good key:", "echo": true}]),
            json!([{"status": 500, "body": "down", "echo": true}]),
            json!([
                {"status": 429, "headers": {"retry-after": "0"}, "body": "you:", "echo": true},
                {"text": "", "echo": true}
            ]),
            json!([{"error_event": {"type": "e", "message": PLANTED}}]),
            json!([{"calls": [{"id": PLANTED, "tool": PLANTED, "arguments": {PLANTED: [PLANTED]}}]}]),
            json!([{"calls": [{"tool": PLANTED, "arguments_text": PLANTED}]}]),
        ] {
            let (shown, _) = asked(&Scene::new(kind), script);
            assert!(shown.contains("***") && !shown.contains("planted"), "{shown}");
        }
    }
}

#[test]
fn a_key_that_cannot_be_had_is_reported_at_the_start() {
    let cases = [
        (
            Key::Env("NODEWISE_NO_SUCH_KEY".to_owned()),
            "the provider `near` needs a key: the variable `NODEWISE_NO_SUCH_KEY` is not set\n  help: set it in the environment or in `.env`, or name another variable or a command in `key` of [live.providers.near]",
        ),
        (
            Key::Command(["sh", "-c", "echo sk-planted; exit 1"].map(str::to_owned).to_vec()),
            "the provider `near` needs a key: the command `sh` of [live.providers.near] failed (exit status: 1)\n  help: run it in a \
             terminal; it must print the key as its first line",
        ),
        (
            Key::Command(["printf", "sk-planted\\001x"].map(str::to_owned).to_vec()),
            "the key of the provider `near` has characters that a key cannot have\n  help: check where the key comes from",
        ),
    ];
    for (key, expected) in cases {
        let scene = Scene::new(ProviderKind::OpenAi);
        let mut live = scene.live("http://127.0.0.1:1/v1");
        live.providers.get_mut("near").unwrap().key = Some(key);
        let wiring = scene.wiring();
        let secrets = Arc::new(Secrets::resolve(&needed_keys(&live, &wiring)));
        let problem = Models::new(&live, &wiring, Vec::new(), secrets).unwrap_err();
        assert_eq!(problem.to_string(), expected);
    }
}
