//! Images and files in the input of a run: sent as what they are, kept once, refused where nobody takes them.

use nodewise_test_support::model_server::ModelServer;
use serde_json::json;

use crate::place::{Place, check_replay, provider};

const FLOWS: &str = "\
#- flow.yaml
id: flow
name: Flow
description: ''
start_node: a
nodes:
  - {id: a, type: agent, agent_id: looker, read_keys: ['*'], write_keys: [first]}
  - {id: b, type: agent, agent_id: looker, read_keys: ['*'], write_keys: [second]}
edges: [{source: a, target: b}]
end_nodes: [b]
---
id: looker
name: Looker
model: small
provider: local
system_prompt: Look.
permissions: {read_keys: ['*'], write_keys: ['*']}
#- desk/desk.yaml
kind: LLMNode
name: desk
prompts:
  system: {en: Look.}
";

/// A place with an image whose data is long, and the data in base64 as it begins.
fn place() -> (Place, ModelServer, String) {
    let server = ModelServer::start(json!([{"text": "A cat.", "times": 0}])).unwrap();
    let place = Place::new(FLOWS);
    let live = "[live]\nmodel = \"small\"\nprovider = \"local\"\n";
    let config = format!("{live}{}", provider("local", "openai", &server));
    place.write("nodewise.toml", &config);
    place.write("desk/nodewise.toml", &config);
    let mut image = b"\x89PNG\r\n\x1a\n".to_vec();
    image.extend((0..600_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8));
    std::fs::write(place.path().join("cat.png"), &image).unwrap();
    (place, server, "data:image/png;base64,iVBORw0KGgo".to_owned())
}

#[test]
fn an_image_of_the_input_is_a_part_of_each_message_and_kept_once() {
    let (place, server, begins) = place();
    let words =
        ["run", "flow.yaml", "--input", "photo=@cat.png", "--trust", "--no-progress", "--format", "json"];
    let run = place.run(&words).well();
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    for request in requests {
        let part = &request.body["messages"][1]["content"][1]["image_url"]["url"];
        assert!(part.as_str().is_some_and(|uri| uri.starts_with(&begins) && uri.len() > 800_000), "{part}");
        let system = request.body["messages"][0].to_string();
        assert!(system.contains("[attachment 1: image/png]") && system.len() < 10_000, "{system}");
    }
    check_replay(&place, &run.out);
    let store = std::fs::metadata(place.path().join(".nodewise/runs.db")).unwrap().len();
    assert!(store < 3_000_000, "800 kB of data are stored in {store} bytes");
    let shown = place.run(&["runs", "show", "last"]).well();
    assert!(shown.out.len() < 20_000, "the timeline has {} bytes", shown.out.len());
    let words = ["run", "flow.yaml", "--input", "photo=@cat.png", "--dry-run", "--node", "a"];
    let preview = place.run(&words).well();
    assert!(preview.out.contains("image_url") && preview.out.len() < 20_000, "{} bytes", preview.out.len());
}

#[test]
fn an_image_follows_what_a_user_says() {
    let (place, server, begins) = place();
    let words = ["run", "desk", "--start", "desk", "--input", "What is on it?", "--input", "photo=@cat.png"];
    place.run(&[&words[..], &["--trust", "--no-progress"]].concat()).well();
    let content = &server.requests()[0].body["messages"][1]["content"];
    assert_eq!(content[0]["text"], "What is on it?\n\n[attachment 1: image/png]");
    assert!(content[1]["image_url"]["url"].as_str().unwrap().starts_with(&begins));
}

#[test]
fn a_model_without_images_is_not_asked() {
    let (place, server, _) = place();
    let config = place.read("nodewise.toml");
    place.write("nodewise.toml", &format!("{config}\n[live.models.small]\nattachments = []\n"));
    let words = ["run", "flow.yaml", "--input", "photo=@cat.png", "--trust", "--no-progress"];
    let done = place.run(&words);
    assert_eq!(done.code, Some(1), "{done:?}");
    let reason = "the model `small` takes no images and files (`attachments` under [live.models]), and its prompt has `image/png`";
    assert!(done.out.contains(reason), "{}", done.out);
    assert!(server.requests().is_empty());
}
