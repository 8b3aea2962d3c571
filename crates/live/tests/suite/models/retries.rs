//! Calls that are repeated below the node. Invariant: each repeat is reported, and is in the answer.

use std::net::TcpListener;
use std::sync::Arc;

use nodewise_project::config::live::ProviderKind;
use nodewise_simulation::systems;
use nodewise_test_support::model_server::ModelServer;
use serde_json::{Value as Json, json};

use super::door::{BOTH, KEY, RecordedWatch, Scene, asked, check_answer, runtime};

/// How a fault ends with the default settings, if the next call would give an answer: after how many calls, and with which words.
#[derive(Debug, Clone, Copy)]
enum Ends {
    /// The call is repeated, for this reason.
    Repeated(&'static str),
    /// The node gets the failure.
    Failed(&'static str),
}

fn check_default(kind: ProviderKind, name: &str, fault: &Json, ends: Ends) {
    let scene = Scene { retries: None, timeout_s: 60.0, ..Scene::new(kind) };
    let scene = if name == "hangs" { Scene { timeout_s: 0.3, ..scene } } else { scene };
    let (shown, requests) = asked(&scene, json!([fault, {"text": "ok"}]));
    let (calls, begin, words) = match ends {
        Ends::Repeated(words) => (2, "text \"ok\"", words),
        Ends::Failed(words) => (1, words, words),
    };
    // The time may be over before the server has read what it hangs at.
    let is_right = if name == "hangs" { requests.len() <= calls } else { requests.len() == calls };
    assert!(is_right, "{kind:?} {name}: {requests:?} {shown}");
    assert!(shown.starts_with(begin) && shown.contains(words), "{kind:?} {name}: {shown}");
    assert_eq!(shown.matches("again in").count(), calls - 1, "{kind:?} {name}: {shown}");
}

#[test]
fn each_fault_is_repeated_or_given_to_the_node() {
    let error = |status: u16, code: &str| json!({"status": status, "body": {"error": {"message": "m", "code": code}}});
    let error_event = |sort: &str| json!({"text": "A text", "error_event": {"type": sort, "message": "m"}});
    let wait = |seconds: &str| json!({"status": 429, "headers": {"Retry-After": seconds}, "body": {"error": {"message": "m"}}});
    let faults = [
        ("500", error(500, ""), Ends::Repeated("answered 500 Internal Server Error: m")),
        (
            "502",
            json!({"status": 502, "body": "<html>Bad</html>"}),
            Ends::Repeated("answered 502 Bad Gateway: <html>"),
        ),
        ("503", error(503, ""), Ends::Repeated("answered 503")),
        ("529", error(529, ""), Ends::Repeated("answered 529")),
        ("408", error(408, ""), Ends::Repeated("answered 408")),
        ("409", error(409, ""), Ends::Repeated("answered 409")),
        ("429", error(429, ""), Ends::Repeated("answered 429 Too Many Requests (rate limit): m")),
        ("429 with a wait", wait("0.01"), Ends::Repeated("again in 10 ms: the provider `near` answered 429")),
        ("429 with a long wait", wait("3600"), Ends::Failed("retryable RateLimitError")),
        ("429 without money", error(429, "insufficient_quota"), Ends::Failed("lasting RateLimitError")),
        ("400", error(400, ""), Ends::Failed("lasting BadRequestError")),
        ("401", error(401, ""), Ends::Failed("lasting AuthenticationError")),
        ("404", error(404, ""), Ends::Failed("lasting NotFoundError")),
        (
            "redirect",
            json!({"status": 307, "headers": {"location": "http://127.0.0.1:1/"}}),
            Ends::Failed("lasting APIStatusError"),
        ),
        (
            "cut",
            json!({"text": "A long text that ends early.", "cut": 3}),
            Ends::Repeated("closed the connection in the middle of its answer, after 3 parts"),
        ),
        (
            "cut whole",
            json!({"text": "A long text.", "whole": true, "cut": 0}),
            Ends::Repeated("closed the connection in the middle of its answer, after"),
        ),
        ("overloaded", error_event("overloaded_error"), Ends::Repeated("ended its answer with an error: m")),
        ("invalid", error_event("invalid_request_error"), Ends::Failed("lasting BadRequestError")),
        (
            "garbage",
            json!({"text": "A text.", "malformed": 2}),
            Ends::Failed("retryable APIResponseValidationError"),
        ),
        (
            "bad JSON",
            json!({"text": "A text.", "whole": true, "malformed": 0}),
            Ends::Failed("retryable APIResponseValidationError"),
        ),
        (
            "HTML",
            json!({"status": 200, "body": "<html>Welcome</html>"}),
            Ends::Failed("retryable APIResponseValidationError"),
        ),
        ("hangs", json!({"hangs": true}), Ends::Failed("retryable APITimeoutError")),
    ];
    // Waits are real, so the faults have theirs at the same time.
    std::thread::scope(|scope| {
        for (name, fault, ends) in &faults {
            for kind in BOTH {
                scope.spawn(move || check_default(kind, name, fault, *ends));
            }
        }
    });
}

#[test]
fn a_repeated_call_is_in_the_answer() {
    let scene = Scene { retries: None, ..Scene::new(ProviderKind::OpenAi) };
    let script = json!([
        {"status": 503, "headers": {"retry-after-ms": "5"}},
        {"text": "A long text that ends early.", "usage": [5, 2], "cut": 4},
        {"text": "ok", "usage": [5, 1]}
    ]);
    let server = ModelServer::start(script).unwrap();
    let models = scene.models(&server.base_url());
    let answer = runtime().block_on(scene.ask(&models, &Arc::new(RecordedWatch::default())));
    let retries: Vec<&str> = answer.retries.iter().map(|retry| retry.reason.as_str()).collect();
    assert_eq!(retries.len(), 2, "{retries:?}");
    assert_eq!(answer.retries[0].wait.0, 5);
    let keys = server.requests();
    let keys: Vec<_> = keys.iter().map(|request| request.header("idempotency-key")).collect();
    assert_eq!(keys, [Some(KEY); 3], "a repeated call is recognised");
    assert_eq!(retries[0], "the provider `near` answered 503 Service Unavailable");
    assert!(retries[1].starts_with("the provider `near` closed the connection"), "{retries:?}");
    let written = nodewise_simulation::trace::as_recorded(answer.clone());
    assert_eq!(written, answer, "the record has it all");
}

#[test]
fn nobody_may_be_there_for_a_while() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let scene = Scene { retries: None, ..Scene::new(ProviderKind::OpenAi) };
    let models = scene.models(&format!("http://{address}/v1"));
    let watch = Arc::new(ServerStarts { address, server: std::sync::Mutex::default() });
    let answer = runtime().block_on(scene.ask_watched(&models, watch.clone()));
    assert!(answer.result.is_ok(), "{answer:?}");
    assert_eq!(answer.retries.len(), 1);
    assert!(answer.retries[0].reason.contains("cannot be reached"), "{answer:?}");
}

/// A server that starts when a call is about to be repeated.
#[derive(Debug)]
struct ServerStarts {
    address: String,
    server: std::sync::Mutex<Option<ModelServer>>,
}

impl nodewise_live::answering::Watch for ServerStarts {
    fn on_retry(&self, _: nodewise_engine::event::AskId, _: u64, _: &str) {
        let server = ModelServer::listen(&self.address, json!([{"text": "ok"}])).unwrap();
        *self.server.lock().unwrap() = Some(server);
    }
}

#[test]
fn the_engine_of_cycgraph_repeats_by_itself() {
    let scene =
        Scene { retries: None, system: systems::cycgraph::SYSTEM, ..Scene::new(ProviderKind::OpenAi) };
    let (shown, requests) = asked(&scene, json!([{"status": 503}, {"text": "ok"}]));
    assert!(shown.starts_with("retryable AI_APICallError: "), "{shown}");
    assert_eq!(requests.len(), 1);
    let (shown, requests) =
        asked(&scene, json!([{"status": 503, "headers": {"retry-after": "0"}}, {"text": "ok"}]));
    assert!(shown.starts_with("text \"ok\""), "what the provider says is respected: {shown}");
    assert_eq!(requests.len(), 2);
}

#[test]
fn parts_may_come_with_a_wrong_type() {
    let body = "data: {\"choices\": [{\"delta\": {\"content\": \"ok\"}}]}\n\ndata: {\"choices\": [{\"delta\": {}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n";
    let scene = Scene::new(ProviderKind::OpenAi);
    check_answer(&scene, &json!([{"status": 200, "body": body}]), "text \"ok\"");
    let (cut, _) = asked(&scene, json!([{"status": 200, "body": &body[..body.find("\n\n").unwrap()]}]));
    assert!(cut.contains("in the middle of its answer, after 1 parts"), "{cut}");
}

#[test]
fn a_short_wait_that_a_provider_wants_is_waited() {
    let limited = |wait: &str| json!({"status": 429, "headers": {"Retry-After": wait}, "body": {"error": {"message": "slow down"}}});
    let message = "the provider `near` answered 429 Too Many Requests (rate limit): slow down";
    for kind in BOTH {
        let scene = Scene { retries: None, ..Scene::new(kind) };
        let script = json!([limited("0"), limited("0.02"), {"text": "ok"}]);
        let expected = format!("text \"ok\"\nagain in 0 ms: {message}\nagain in 20 ms: {message}");
        check_answer(&scene, &script, &expected);
        let script = json!([limited("0"), limited("0"), limited("0"), {"text": "ok"}]);
        let failed = format!("retryable RateLimitError: {message} (model `small`)");
        let expected = format!("{failed}\nagain in 0 ms: {message}\nagain in 0 ms: {message}");
        assert_eq!(check_answer(&scene, &script, &expected).len(), 3);
        let script = json!([limited("61"), {"text": "ok"}]);
        assert_eq!(check_answer(&scene, &script, &failed).len(), 1);
        let until = |date: &str| json!({"status": 429, "headers": {"Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": date}, "body": {"error": {"message": "slow down"}}});
        let script = json!([until("Sun, 06 Nov 1994 08:49:30 GMT"), {"text": "ok"}]);
        check_answer(&scene, &script, &format!("text \"ok\"\nagain in 0 ms: {message}"));
        let script = json!([until("Sun, 06 Nov 1994 08:50:38 GMT"), {"text": "ok"}]);
        assert_eq!(check_answer(&scene, &script, &failed).len(), 1);
        let script = json!([{"status": 503, "headers": {"retry-after-ms": "5"}}, {"text": "ok"}]);
        let message = "the provider `near` answered 503 Service Unavailable";
        check_answer(&scene, &script, &format!("text \"ok\"\nagain in 5 ms: {message}"));
    }
}
