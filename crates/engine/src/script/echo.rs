//! Answers without a script: something plain and of the right shape, so that a run shows its path at once.

use nodewise_expr::value::{Map, Value};
use smol_str::{SmolStr, format_smolstr};

use crate::ask::{
    Answer, Ask, ModelQuestion, ModelReply, Purpose, Question, RemoteReply, Reply, SessionEvent, Verdict,
};
use crate::time::Millis;

/// The score of a judge that no script answers for.
const SCORE: f64 = 1.0;

/// An answer of the right shape.
pub(crate) fn answer(ask: &Ask) -> Answer {
    let reply = match &ask.what {
        Question::Model(model) => Reply::Model(model_reply(&ask.node, model)),
        Question::Tool(tool) => Reply::Value(tool.arguments.clone()),
        Question::Function(function) => Reply::Value(function.input.clone()),
        Question::Extension(_) => {
            Reply::Value(map([(format_smolstr!("{}_done", ask.node), Value::Bool(true))]))
        }
        Question::Human(_) => Reply::Value(Value::Null),
        Question::Guardrail(_) => Reply::Verdict(Verdict { passed: true, results: Value::List([].into()) }),
        Question::Discovery(_) | Question::Recall(_) | Question::Remember(_) => {
            Reply::Value(Value::List([].into()))
        }
        Question::Remote(remote) => Reply::Remote(RemoteReply {
            task: "task-1".into(),
            state: "completed".into(),
            artifacts: Vec::new(),
            message: Some(format_smolstr!("echo of {}", remote.server)),
        }),
        Question::Fitness(_) => Reply::Value(Value::Number(SCORE)),
        Question::Session(_) => Reply::Session(vec![hangup()]),
    };
    Answer::now(reply)
}

fn model_reply(node: &str, model: &ModelQuestion) -> ModelReply {
    let text = format_smolstr!("echo of {node}");
    let value = match model.purpose {
        Purpose::Work | Purpose::Route => None,
        Purpose::Judge => Some(map([
            ("score".into(), Value::Number(SCORE)),
            ("reasoning".into(), Value::Text(text.clone())),
        ])),
        Purpose::Extract => Some(map([("facts".into(), Value::List([Value::Text(text.clone())].into()))])),
    };
    ModelReply { text, value, calls: Vec::new() }
}

fn map<const N: usize>(entries: [(SmolStr, Value); N]) -> Value {
    entries.into_iter().collect::<Map>().into()
}

/// The event by which the other side of a session hangs up.
fn hangup() -> SessionEvent {
    SessionEvent { name: "close".into(), after: Millis::ZERO, data: Map::new().into() }
}
