//! Images and files arrive at the server as parts of a message, wherever they stand in a question.
//!
//! Input: questions with data URIs and images of MCP servers. Output: what the server got.

use std::sync::Arc;

use nodewise_engine::ask::{Message, Role};
use nodewise_engine::opening::{OpeningParts, PromptOpening, Surroundings, WorkParts};
use nodewise_expr::json::from_json;
use nodewise_expr::value::{Map, Value};
use nodewise_live::models::Models;
use nodewise_live::needed_keys::needed_keys;
use nodewise_live::secrets::Secrets;
use nodewise_project::config::live::{AttachmentKind, ProviderKind};
use nodewise_simulation::systems;
use nodewise_test_support::model_server::{ModelServer, Request};
use serde_json::{Value as Json, json};

use super::door::{RecordedWatch, Scene, answering, call, calling, runtime};

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk";
const PDF: &str = "JVBERi0xLjcKJeLjz9MKMSAwIG9iago8PC9UeXBlL0NhdGFsb2c+PgplbmRvYmoK";

fn png() -> String {
    format!("data:image/png;base64,{PNG}")
}

fn scene(kind: ProviderKind, prompt: Vec<Message>) -> Scene {
    Scene { prompt, ..Scene::new(kind) }
}

fn human(content: Value) -> Vec<Message> {
    vec![Message::new(Role::System, "You look.".into()), Message::new(Role::Human, content)]
}

/// Asks; what the server got, or why it was not asked.
fn asked(scene: &Scene, takes: Option<Vec<AttachmentKind>>) -> Result<Vec<Request>, String> {
    let server = ModelServer::start(json!([{"text": "ok", "times": 0}])).unwrap();
    let mut live = scene.live(&server.base_url());
    live.models.get_mut("small").unwrap().attachments = takes;
    let wiring = scene.wiring();
    let secrets = Arc::new(Secrets::resolve(&needed_keys(&live, &wiring)));
    let models = Models::new(&live, &wiring, scene.offered.clone(), secrets).unwrap();
    let answer = runtime().block_on(scene.ask(&models, &Arc::new(RecordedWatch::default())));
    answer.result.map_err(|failure| failure.to_string())?;
    Ok(server.requests())
}

#[track_caller]
fn check_messages(scene: &Scene, expected: &Json) {
    let requests = asked(scene, None).unwrap();
    assert_eq!(&requests[0].body["messages"], expected, "{}", requests[0].body);
}

fn image_url() -> Json {
    json!({"type": "image_url", "image_url": {"url": png()}})
}

fn image_block() -> Json {
    json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}})
}

#[test]
fn images_of_a_user_are_parts_of_the_message() {
    let text = format!("What is on {}, and on {}?", png(), png());
    let marked = "What is on [attachment 1: image/png], and on [attachment 1: image/png]?";
    let prompt = human(text.as_str().into());
    check_messages(
        &scene(ProviderKind::OpenAi, prompt.clone()),
        &json!([
            {"role": "system", "content": "You look."},
            {"role": "user", "content": [{"type": "text", "text": marked}, image_url()]},
        ]),
    );
    check_messages(
        &scene(ProviderKind::Anthropic, prompt),
        &json!([{"role": "user", "content": [{"type": "text", "text": marked}, image_block()]}]),
    );
}

#[test]
fn pdf_files_are_parts_of_the_message() {
    let uri = format!("data:application/pdf;base64,{PDF}");
    let prompt = human(from_json(json!({"invoice": uri})));
    let openai = asked(&scene(ProviderKind::OpenAi, prompt.clone()), None).unwrap();
    let file = json!({"type": "file", "file": {"filename": "attachment 1.pdf", "file_data": uri}});
    assert_eq!(openai[0].body["messages"][1]["content"][1], file);
    let anthropic = asked(&scene(ProviderKind::Anthropic, prompt), None).unwrap();
    let source = json!({"type": "base64", "media_type": "application/pdf", "data": PDF});
    let document = json!({"type": "document", "source": source});
    assert_eq!(anthropic[0].body["messages"][0]["content"][1], document);
}

#[test]
fn images_in_a_state_are_attached_to_the_first_message() {
    let memory: Map = [("photo".into(), Value::from(png().as_str()))].into_iter().collect();
    let surroundings = Surroundings {
        goal: "Describe.".into(),
        constraints: Arc::from([]),
        recalled: Value::Null,
        memory: Arc::new(memory),
        tainted: Vec::new(),
    };
    let parts = OpeningParts::Work(WorkParts { surroundings, context: None, saves: None, attempt: 1 });
    let opening = PromptOpening { messages: 2, author: "You look.".into(), parts };
    let scene = Scene {
        system: systems::cycgraph::SYSTEM,
        opening: Some(Arc::new(opening)),
        ..scene(ProviderKind::OpenAi, human("Describe.".into()))
    };
    let requests = asked(&scene, None).unwrap();
    let messages = &requests[0].body["messages"];
    assert!(messages[0]["content"].as_str().unwrap().contains("[attachment 1: image/png]"), "{messages}");
    assert_eq!(messages[1]["content"][1], image_url(), "{messages}");
    assert!(!messages[0].to_string().contains(PNG), "{messages}");
}

#[test]
fn images_of_tools_follow_their_results() {
    let look = call("c1", "look", json!({}));
    let image = json!({"type": "image", "mimeType": "image/png", "data": PNG});
    let mut prompt = human("Look.".into());
    prompt.extend([calling(std::slice::from_ref(&look)), answering(&look, json!(["Here.", image]))]);
    let openai = asked(&scene(ProviderKind::OpenAi, prompt.clone()), None).unwrap();
    let messages = openai[0].body["messages"].as_array().unwrap();
    assert_eq!(messages[3]["content"], "[\"Here.\",\"[attachment 1: image/png]\"]");
    assert_eq!(messages[4], json!({"role": "user", "content": [image_url()]}));
    let anthropic = asked(&scene(ProviderKind::Anthropic, prompt), None).unwrap();
    let last = &anthropic[0].body["messages"][2]["content"];
    assert_eq!((&last[0]["type"], &last[1]), (&json!("tool_result"), &image_block()), "{last}");
}

#[test]
fn what_is_no_data_stays_a_text() {
    for text in [
        "data:image/png;base64,short",
        "data: image/png;base64",
        "see data:text/plain;base64,SGVsbG8gd29ybGQsIHRoaXMgaXMgbG9uZyBlbm91Z2gu",
        "data:data:image/png",
        "größe data:image/png;ü",
    ] {
        check_messages(
            &scene(ProviderKind::OpenAi, human(text.into())),
            &json!([{"role": "system", "content": "You look."}, {"role": "user", "content": text}]),
        );
    }
}

#[track_caller]
fn check_refused(uri: &str, takes: Option<Vec<AttachmentKind>>, expected: &str) {
    for kind in super::door::BOTH {
        let failure = asked(&scene(kind, human(uri.into())), takes.clone()).unwrap_err();
        assert!(failure.contains(expected), "{failure}");
    }
}

#[test]
fn what_a_model_does_not_take_is_refused_before_it_is_sent() {
    let audio = format!("data:audio/mpeg;base64,{PNG}");
    check_refused(
        &audio,
        None,
        "was not asked: the model `small` takes PNG, JPEG, GIF and WebP images and PDF files, and its prompt has `audio/mpeg`",
    );
    check_refused(
        &png(),
        Some(Vec::new()),
        "the model `small` takes no images and files (`attachments` under [live.models]), and its prompt has `image/png`",
    );
    check_refused(
        &png(),
        Some(vec![AttachmentKind::Pdf]),
        "the model `small` takes PDF files (`attachments`",
    );
}
