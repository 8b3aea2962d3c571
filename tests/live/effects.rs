//! What calls do in the world: which are repeated, and how the world can tell that they are.

use nodewise_test_support::model_server::ModelServer;
use serde_json::json;

use crate::place::{Place, check_replay, provider};

const CHAT: &str = "#- flow.liman.yaml
kind: LLMNode
name: desk
prompts:
  system: {en: You write.}
";

#[test]
fn a_repeated_call_is_shown_wherever_the_run_is() {
    let server = ModelServer::start(json!([{"status": 503, "body": "{}"}, {"text": "Hello."}])).unwrap();
    let place = Place::new(CHAT);
    let config = format!("[live]\nmodel = \"m-1\"\n{}", provider("local", "openai", &server));
    place.write("nodewise.toml", &config);
    let done = place
        .run(&["run", "flow.liman.yaml", "--start", "desk", "--input", "Hi", "--trust", "--format", "json"])
        .well();
    assert_eq!(server.requests().len(), 2);
    let reason = "the provider `local` answered 503 Service Unavailable";
    assert!(done.err.contains(&format!("{reason}: {{}}; asks again in 0.")), "{}", done.err);
    assert!(done.out.contains("\"retries\":[{\"wait\":"), "{}", done.out);
    check_replay(&place, &done.out);
    let shown = place.run(&["runs", "show", "last"]).well();
    assert!(shown.out.contains("repeats the call, after"), "{}", shown.out);
    assert!(shown.out.contains(reason), "{}", shown.out);
}
