//! What runs cost, by run, model and node.

use nodewise_test_support::model_server::ModelServer;
use serde_json::{Value as Json, json};

use crate::place::{Place, provider};

const FLOW: &str = "\
#- flow.yaml
id: flow
name: Flow
description: ''
start_node: a
nodes:
  - {id: a, type: agent, agent_id: writer, write_keys: [first]}
  - {id: b, type: agent, agent_id: reader, write_keys: [second]}
edges: [{source: a, target: b}]
end_nodes: [b]
---
id: writer
name: Writer
model: big
provider: local
system_prompt: Write.
---
id: reader
name: Reader
model: unknown-1
provider: local
system_prompt: Read.
";

#[test]
fn costs_are_counted_by_run_model_and_node() {
    let place = Place::new(FLOW);
    let answers = json!([{"text": "One.", "usage": [1000, 500], "times": 0}]);
    let server = ModelServer::start(answers).unwrap();
    let models = "\n[live.models.big]\nid = \"big-1\"\ninput_usd = 2.0\noutput_usd = 8.0\n";
    place.write("nodewise.toml", &format!("[live]\n{}{models}", provider("local", "openai", &server)));
    for tag in ["one", "two"] {
        let run = place.run(&["run", "flow.yaml", "--trust", "--no-progress", "--tag", tag]);
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
    let by_model = place.run(&["runs", "cost"]).well().out;
    let expected = "\
local/big-1      2 answers  2000 in  1000 out  $0.012
local/unknown-1  2 answers  2000 in  1000 out  $0 (a price is unknown)
total            4 answers  4000 in  2000 out  $0.012 (a price is unknown)
";
    assert_eq!(by_model, expected);
    let by_node = place.run(&["runs", "cost", "last", "--by", "node"]).well().out;
    let expected = "\
a      1 answer  1000 in   500 out  $0.006
b      1 answer  1000 in   500 out  $0 (a price is unknown)
total  2 answers  2000 in  1000 out  $0.006 (a price is unknown)
";
    assert_eq!(by_node, expected.replace("1 answer ", " 1 answer "));
    let json = place.run(&["runs", "cost", "--format", "json", "--tag", "two"]).well().out;
    let json: Json = serde_json::from_str(&json).unwrap();
    assert_eq!(json["total"]["spent"]["cost_usd"], 0.006);
    assert_eq!(json["runs"].as_array().unwrap().len(), 1);
    assert_eq!(json["models"][0]["model"], "local/big-1");
    assert_eq!(json["nodes"][1]["has_unknown_price"], true);
}

#[test]
fn a_fallback_is_named_where_it_answered() {
    let place = Place::new(FLOW);
    let answers = json!([
        {"when": "big-1", "status": 503, "body": "down", "times": 0},
        {"when": "small-1", "text": "One.", "usage": [1000, 500], "cached": [400], "times": 0},
        {"text": "Two.", "usage": [10, 5], "times": 0},
    ]);
    let server = ModelServer::start(answers).unwrap();
    let models = "\n[live.models.big]\nid = \"big-1\"\nfallback = [\"small\"]\n\
                  [live.models.small]\nid = \"small-1\"\ninput_usd = 1.0\noutput_usd = 1.0\ncached_usd = 0.5\n";
    let config = format!("[live]\nretries = 0\n{}{models}", provider("local", "openai", &server));
    place.write("nodewise.toml", &config);
    let run = place.run(&["run", "flow.yaml", "--trust", "--no-progress"]).well();
    assert!(run.out.contains("(of local/small-1)"), "{}", run.out);
    let by_model = place.run(&["runs", "cost"]).well().out;
    let expected = "\
local/small-1    1 answer   1000 in (400 cached)  500 out  $0.0013
local/unknown-1  1 answer     10 in                 5 out  $0 (a price is unknown)
total            2 answers  1010 in (400 cached)  505 out  $0.0013 (a price is unknown)
";
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(plain(&by_model), plain(expected), "{by_model}");
    crate::place::check_replay(&place, &place.run(&["runs", "show", "last", "--format", "json"]).well().out);
}
