//! The doors of these tests: a run's question is asked over a connection, and the answer is compared as a text. Invariant: the
//! text holds no port and no time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use nodewise_engine::ask::{Answer, Ask, Message, ModelQuestion, Purpose, Question, Reply, Role, ToolCall};
use nodewise_engine::event::AskId;
use nodewise_engine::opening::PromptOpening;
use nodewise_expr::json::{from_json, to_json};
use nodewise_live::answering::{Asked, Watch};
use nodewise_live::models::Models;
use nodewise_live::needed_keys::needed_keys;
use nodewise_live::secrets::Secrets;
use nodewise_live::wiring::{Agent, OfferedTool, Wiring};
use nodewise_project::config::live::{Key, Live, ModelConfig, ProviderConfig, ProviderKind};
use nodewise_simulation::system::RunnableSystem;
use nodewise_simulation::systems;
use nodewise_test_support::model_server::{ModelServer, Request};
use serde_json::{Value as Json, json};

/// The key of the server; no text may hold it.
pub(crate) const PLANTED: &str = "sk-planted-4f9a1c77e2";
/// The idempotency key of each question.
pub(crate) const KEY: &str = "20261122-1304-k7f2/7";
pub(crate) const BOTH: [ProviderKind; 2] = [ProviderKind::OpenAi, ProviderKind::Anthropic];

/// What is asked, and in which surroundings.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) kind: ProviderKind,
    pub(crate) system: RunnableSystem,
    pub(crate) purpose: Purpose,
    pub(crate) prompt: Vec<Message>,
    pub(crate) tools: Vec<&'static str>,
    pub(crate) offered: Vec<OfferedTool>,
    pub(crate) temperature: Option<f64>,
    pub(crate) output: Option<Json>,
    pub(crate) timeout_s: f64,
    pub(crate) calls_at_once: Option<usize>,
    pub(crate) max_tokens: Option<u32>,
    pub(crate) retries: Option<u32>,
    pub(crate) opening: Option<Arc<PromptOpening>>,
}

/// What was reported while a model answered.
#[derive(Debug, Default)]
pub(crate) struct RecordedWatch {
    pub(crate) deltas: Mutex<Vec<String>>,
    pub(crate) retries: Mutex<Vec<String>>,
}

impl Watch for RecordedWatch {
    fn on_delta(&self, _: AskId, part: &str) {
        self.deltas.lock().unwrap().push(part.to_owned());
    }

    fn on_retry(&self, _: AskId, wait_ms: u64, reason: &str) {
        self.retries.lock().unwrap().push(format!("in {wait_ms} ms: {reason}"));
    }
}

impl Scene {
    pub(crate) fn new(kind: ProviderKind) -> Scene {
        Scene {
            kind,
            system: systems::liman::SYSTEM,
            purpose: Purpose::Work,
            prompt: vec![
                Message::new(Role::System, "You write.".into()),
                Message::new(Role::Human, "Write a line.".into()),
            ],
            tools: Vec::new(),
            offered: Vec::new(),
            temperature: None,
            output: None,
            timeout_s: 60.0,
            calls_at_once: None,
            max_tokens: None,
            retries: Some(0),
            opening: None,
        }
    }

    pub(crate) fn live(&self, base_url: &str) -> Live {
        let mut live = Live { timeout_s: Some(self.timeout_s), retries: self.retries, ..Live::default() };
        let key = Key::Command(vec!["echo".to_owned(), PLANTED.to_owned()]);
        let provider = ProviderConfig {
            kind: self.kind,
            base_url: Some(base_url.to_owned()),
            key: Some(key),
            calls_at_once: self.calls_at_once,
            headers: Default::default(),
            query: Default::default(),
        };
        live.providers.insert("near".to_owned(), provider);
        let model = ModelConfig {
            input_usd: Some(1.0),
            output_usd: Some(10.0),
            max_tokens: self.max_tokens,
            ..ModelConfig::default()
        };
        live.models.insert("small".to_owned(), model);
        live
    }

    pub(crate) fn wiring(&self) -> Wiring {
        let agent = Agent { model: Some("small".into()), provider: None, output: self.output.clone() };
        Wiring {
            system: self.system,
            agents: [("writer".into(), agent)].into(),
            tools: Default::default(),
            servers: Default::default(),
            functions: Default::default(),
        }
    }

    pub(crate) fn models(&self, base_url: &str) -> Models {
        let (live, wiring) = (self.live(base_url), self.wiring());
        let secrets = Arc::new(Secrets::resolve(&needed_keys(&live, &wiring)));
        Models::new(&live, &wiring, self.offered.clone(), secrets).unwrap()
    }

    pub(crate) fn question(&self) -> ModelQuestion {
        ModelQuestion {
            agent: "writer".into(),
            purpose: self.purpose,
            prompt: self.prompt.clone().into(),
            tools: self.tools.iter().map(|tool| (*tool).into()).collect(),
            temperature: self.temperature,
            opening: self.opening.clone(),
        }
    }

    /// Asks once.
    pub(crate) async fn ask(&self, models: &Models, recorded_watch: &Arc<RecordedWatch>) -> Answer {
        self.ask_watched(models, recorded_watch.clone()).await
    }

    /// Asks once, with any observer.
    pub(crate) async fn ask_watched(&self, models: &Models, watch: Arc<dyn Watch>) -> Answer {
        let question = self.question();
        let what = Question::Model(question.clone());
        let ask = Ask { graph: "g".into(), node: "n".into(), attempt: 1, what };
        let asked = Asked { id: AskId(7), ask: Arc::new(ask), key: KEY.into(), watch };
        models.answer(&asked, &question).await
    }
}

/// Asks a server with a script; gives the answer as a text, and what was asked of the server.
pub(crate) fn asked(scene: &Scene, script: Json) -> (String, Vec<Request>) {
    let server = ModelServer::start(script).unwrap();
    let models = scene.models(&server.base_url());
    let recorded_watch = Arc::new(RecordedWatch::default());
    let answer = runtime().block_on(scene.ask(&models, &recorded_watch));
    let mut shown = shown(&answer);
    for retry in recorded_watch.retries.lock().unwrap().iter() {
        shown.push_str(&format!("again {retry}\n"));
    }
    let said = recorded_watch.deltas.lock().unwrap().concat();
    assert!(!said.contains("planted"), "{said}");
    assert!(
        !format!("{models:?} {answer:?} {recorded_watch:?}").contains("planted"),
        "{answer:?} {recorded_watch:?}"
    );
    let port = server.base_url();
    let port = port.trim_start_matches("http://127.0.0.1:").trim_end_matches("/v1");
    (shown.replace(&format!(":{port}"), ":PORT"), server.requests())
}

/// What an answer to a script is, as text; in both protocols where they do not differ.
#[track_caller]
pub(crate) fn check_answer(scene: &Scene, script: &Json, expected: &str) -> Vec<Request> {
    let (shown, requests) = asked(scene, script.clone());
    assert_eq!(shown.trim_end(), expected.trim_end(), "{:?} {script}", scene.kind);
    requests
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Waits until something is so.
pub(crate) async fn until(is_so: impl Fn() -> bool) {
    for _ in 0..3000 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never came");
}

fn shown(answer: &Answer) -> String {
    let mut shown = String::new();
    match &answer.result {
        Ok(Reply::Model(reply)) => {
            if !reply.text.is_empty() {
                shown.push_str(&format!("text {:?}\n", reply.text));
            }
            if let Some(value) = &reply.value {
                shown.push_str(&format!("value {}\n", to_json(value)));
            }
            for call in &reply.calls {
                shown.push_str(&format!("call {} {} {}\n", call.id, call.tool, to_json(&call.arguments)));
            }
        }
        Ok(other) => panic!("{other:?}"),
        Err(failure) => {
            let sort = if failure.retryable { "retryable" } else { "lasting" };
            shown.push_str(&format!("{sort} {failure}\n"));
        }
    }
    if !answer.usage.is_zero() {
        let usage = &answer.usage;
        shown.push_str(&format!(
            "used {} + {} for {} USD\n",
            usage.input_tokens, usage.output_tokens, usage.cost_usd
        ));
    }
    shown
}

pub(crate) fn tool(name: &str) -> OfferedTool {
    OfferedTool {
        name: name.into(),
        description: Some(format!("What {name} is for.")),
        parameters: json!({"type": "object", "properties": {"of": {"type": "string"}}}),
    }
}

pub(crate) fn call(id: &str, tool: &str, arguments: Json) -> ToolCall {
    ToolCall { id: id.into(), tool: tool.into(), arguments: from_json(arguments) }
}

/// A model's message that asks for tools.
pub(crate) fn calling(calls: &[ToolCall]) -> Message {
    Message { calls: calls.to_vec(), ..Message::new(Role::Model, "".into()) }
}

/// The message of a tool.
pub(crate) fn answering(call: &ToolCall, content: Json) -> Message {
    Message { answers: Some(call.clone()), ..Message::new(Role::Tool, from_json(content)) }
}
