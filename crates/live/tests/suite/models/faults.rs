//! What goes wrong between a run and a model. Invariant: what may go well another time is retryable, and nothing else; the text
//! says who did what.

use std::net::TcpListener;
use std::sync::Arc;

use nodewise_project::config::live::ProviderKind;
use nodewise_simulation::systems;
use nodewise_test_support::model_server::ModelServer;
use serde_json::{Value as Json, json};

use super::door::{BOTH, RecordedWatch, Scene, asked, check_answer, runtime, tool, until};

/// The failure that a fault is, in both protocols.
#[track_caller]
fn check_fault(fault: Json, expected: &str) {
    for kind in BOTH {
        check_answer(&Scene::new(kind), &json!([fault]), expected);
    }
}

#[test]
fn statuses_have_classes() {
    let error = |message: &str| json!({"error": {"message": message, "type": "t"}});
    check_fault(
        json!({"status": 500, "body": error("we are broken")}),
        "retryable InternalServerError: the provider `near` answered 500 Internal Server Error: we are broken (model `small`)",
    );
    check_fault(
        json!({"status": 529, "body": error("Overloaded")}),
        "retryable InternalServerError: the provider `near` answered 529: Overloaded (model `small`)",
    );
    check_fault(
        json!({"status": 400, "body": error("too\nlong")}),
        "lasting BadRequestError: the provider `near` answered 400 Bad Request: too long (model `small`)",
    );
    check_fault(
        json!({"status": 401, "body": error("Incorrect key")}),
        "lasting AuthenticationError: the provider `near` answered 401 Unauthorized (check the key): Incorrect key (model `small`)",
    );
    check_fault(
        json!({"status": 404, "body": "{\"error\": \"model not found\"}"}),
        "lasting NotFoundError: the provider `near` answered 404 Not Found: model not found (model `small`)",
    );
    check_fault(
        json!({"status": 302, "headers": {"location": "http://127.0.0.1:1/"}}),
        "lasting APIStatusError: the provider `near` answered 302 Found (check `base_url`) (model `small`)",
    );
    check_fault(
        json!({"status": 502, "body": "<html>\n<b>Bad</b>\n"}),
        "retryable InternalServerError: the provider `near` answered 502 Bad Gateway: <html> <b>Bad</b> (model `small`)",
    );
}

#[test]
fn an_empty_account_is_no_rate_limit() {
    check_fault(
        json!({"status": 429, "body": {"error": {"message": "no money", "code": "insufficient_quota"}}}),
        "lasting RateLimitError: the provider `near` answered 429 Too Many Requests: no money (model `small`)",
    );
}

#[test]
fn in_cycgraph_the_class_is_the_client_s() {
    for kind in BOTH {
        let scene = Scene { system: systems::cycgraph::SYSTEM, ..Scene::new(kind) };
        let (shown, _) = asked(&scene, json!([{"status": 503}]));
        assert!(shown.starts_with("retryable AI_APICallError: "), "{shown}");
        let (shown, _) = asked(&scene, json!([{"status": 403}]));
        assert!(shown.starts_with("lasting AI_APICallError: "), "{shown}");
    }
}

#[test]
fn a_connection_may_be_cut() {
    let failure = "retryable APIConnectionError: the provider `near` closed the connection in the middle of its answer, after";
    for (kind, used) in
        [(ProviderKind::OpenAi, ""), (ProviderKind::Anthropic, "used 5 + 1 for 0.000015 USD\n")]
    {
        let answer = json!({"text": "A long text that never comes to its end.", "usage": [5, 9], "cut": 4});
        let (shown, _) = asked(&Scene::new(kind), json!([answer]));
        assert!(shown.starts_with(&format!("{failure} 4 parts: ")), "{shown}");
        assert!(shown.ends_with(&format!(" (model `small`)\n{used}")), "{shown}");
        let (shown, _) = asked(&Scene::new(kind), json!([{"text": "A long text.", "whole": true, "cut": 0}]));
        assert!(shown.starts_with(failure) && shown.contains(" bytes: "), "{shown}");
    }
}

#[test]
fn an_answer_may_be_no_json() {
    let malformed = "retryable APIResponseValidationError: the provider `near`";
    for kind in BOTH {
        let (shown, _) = asked(&Scene::new(kind), json!([{"text": "A text.", "malformed": 2}]));
        let expected = format!(
            "{malformed} sent a part that is not JSON (EOF while parsing a list at line 1 column 13) (part 3 of its answer)"
        );
        assert!(shown.starts_with(&expected), "{shown}");
        let (shown, _) =
            asked(&Scene::new(kind), json!([{"text": "A text.", "malformed": 0, "whole": true}]));
        assert!(shown.contains("; it starts with: {\"choices\": [ (model `small`)"), "{shown}");
        let mut scene = Scene::new(kind);
        scene.tools = vec!["look"];
        scene.offered = vec![tool("look")];
        let calls = json!([{"tool": "look", "arguments_text": "{\"of\": "}]);
        let (shown, _) = asked(&scene, json!([{"calls": calls.clone()}]));
        let expected = format!("{malformed} called `look` with arguments that are not JSON (EOF");
        assert!(shown.starts_with(&expected), "{shown}");
        let (shown, _) = asked(&scene, json!([{"calls": calls, "limit": true}]));
        assert!(
            shown.contains("reached the length limit of an answer in the middle of the call of `look`"),
            "{shown}"
        );
        let (shown, _) = asked(&scene, json!([{"calls": [{"tool": "look", "arguments_text": "[1]"}]}]));
        assert!(shown.contains("that are not a JSON object"), "{shown}");
    }
}

#[test]
fn an_error_may_come_in_the_middle() {
    for (kind, part) in [(ProviderKind::OpenAi, 3), (ProviderKind::Anthropic, 6)] {
        for (sort, expected) in [
            ("overloaded_error", "retryable InternalServerError"),
            ("rate_limit_error", "retryable RateLimitError"),
            ("invalid_request_error", "lasting BadRequestError"),
        ] {
            let answer = json!({"text": "A text", "error_event": {"type": sort, "message": "Enough"}});
            let expected = format!(
                "{expected}: the provider `near` ended its answer with an error: Enough (part {part} of its answer) (model `small`)"
            );
            check_answer(&Scene::new(kind), &json!([answer]), &expected);
        }
    }
}

#[test]
fn an_answer_may_never_come() {
    for kind in BOTH {
        let scene = Scene { timeout_s: 0.3, ..Scene::new(kind) };
        let expected = "retryable APITimeoutError: the provider `near` did not finish its answer in time: timeout after 0.3 s (model `small`)";
        check_answer(&scene, &json!([{"hangs": true}]), expected);
    }
}

#[test]
fn nobody_may_be_there() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    for kind in BOTH {
        let scene = Scene::new(kind);
        let models = scene.models(&format!("http://{address}/v1"));
        let answer = runtime().block_on(scene.ask(&models, &Arc::new(RecordedWatch::default())));
        let failure = answer.result.unwrap_err();
        assert!(failure.retryable && failure.class == "APIConnectionError", "{failure}");
        let expected = format!("the provider `near` cannot be reached at {address}: ");
        assert!(failure.message.starts_with(&expected), "{failure}");
    }
}

#[test]
fn a_question_that_is_given_up_ends_its_connection() {
    for kind in BOTH {
        let scene = Scene::new(kind);
        let server = ModelServer::start(json!([{"hangs": true}])).unwrap();
        let models = scene.models(&server.base_url());
        runtime().block_on(async {
            let recorded_watch = Arc::new(RecordedWatch::default());
            let answer = scene.ask(&models, &recorded_watch);
            tokio::select! {
                answer = answer => panic!("{answer:?}"),
                () = until(|| !server.requests().is_empty()) => {}
            }
        });
        assert!(server.is_given_up(1));
    }
}

#[test]
fn so_many_calls_are_under_way_at_once() {
    for kind in BOTH {
        let scene = Scene { calls_at_once: Some(2), ..Scene::new(kind) };
        let server = ModelServer::start(json!([{"text": "ok", "times": 0, "wait_ms": 30}])).unwrap();
        let models = scene.models(&server.base_url());
        let recorded_watch = Arc::new(RecordedWatch::default());
        runtime().block_on(async {
            let questions = (0..6).map(|_| scene.ask(&models, &recorded_watch));
            for answer in futures::future::join_all(questions).await {
                assert!(answer.result.is_ok(), "{answer:?}");
            }
        });
        assert_eq!(server.requests().len(), 6);
        assert_eq!(server.most_at_once(), 2);
    }
}
