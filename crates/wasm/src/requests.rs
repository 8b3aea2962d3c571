//! Requests and their answers.
//!
//! Input: the bytes of a request. Output: the text of an answer: `{"ok": …}`, or `{"error": {"message", "help"}}`. Invariant: no bytes
//! make it fail.

use std::collections::BTreeMap;
use std::sync::Arc;
#[cfg(feature = "language-server")]
use std::time::Duration;

#[cfg(feature = "language-server")]
use nodewise_server::single_thread::SingleThreadServer;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::editor::EditorQuestion;
use crate::error::JsError;
use crate::graph::JsGraphOptions;
use crate::open_projects::OpenProjects;
use crate::simulate::JsSimulateOptions;
use crate::{check, editor, format, graph, memory, simulate};

/// Answers requests, and keeps the files between them.
pub(crate) struct Responder {
    open: OpenProjects,
    #[cfg(feature = "language-server")]
    server: SingleThreadServer,
}

/// The part that every request has. The rest is parsed separately, because an enum with the fields of each kind needs
/// a buffer for values of any type, which is half a percent of the size of the module.
#[derive(Deserialize)]
struct JsRequest {
    want: JsWant,
}

/// A request about files.
#[derive(Deserialize)]
struct FilesRequest {
    files: FileTexts,
}

#[derive(Deserialize)]
struct GraphRequest {
    files: FileTexts,
    options: JsGraphOptions,
}

#[derive(Deserialize)]
struct SimulateRequest {
    files: FileTexts,
    options: JsSimulateOptions,
}

/// A request of an editor in a page. The npm package has no function for it.
#[derive(Deserialize)]
struct EditorRequest {
    files: FileTexts,
    question: EditorQuestion,
}

/// A request to the language server. The answer is the list of messages for the client.
#[cfg(feature = "language-server")]
#[derive(Deserialize)]
struct LanguageRequest {
    /// A message of the client. `None` in a pause between messages.
    message: Option<serde_json::Value>,
    /// The time in milliseconds since the beginning of 1970.
    now: u64,
}

/// What a request asks for.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum JsWant {
    Check,
    Format,
    Graph,
    Simulate,
    Editor,
    #[cfg(feature = "language-server")]
    Language,
}

/// Files by their paths, which are relative and have `/` between their parts.
#[derive(Deserialize)]
#[serde(from = "BTreeMap<String, String>")]
struct FileTexts(BTreeMap<String, Arc<str>>);

impl From<BTreeMap<String, String>> for FileTexts {
    fn from(texts: BTreeMap<String, String>) -> FileTexts {
        FileTexts(texts.into_iter().map(|(path, text)| (path, text.into())).collect())
    }
}

impl Default for Responder {
    fn default() -> Responder {
        memory::share();
        Responder {
            open: OpenProjects::default(),
            #[cfg(feature = "language-server")]
            server: SingleThreadServer::new(),
        }
    }
}

impl Responder {
    /// Answers a request. The answer is JSON, also if the request fails.
    pub(crate) fn respond(&mut self, request: &[u8]) -> String {
        match self.answer(request) {
            Ok(answer) => format!("{{\"ok\":{answer}}}"),
            Err(JsError { message, help }) => {
                json!({"error": {"message": message, "help": help}}).to_string()
            }
        }
    }

    /// The JSON after `"ok":` in the answer.
    fn answer(&mut self, request: &[u8]) -> Result<String, JsError> {
        match read::<JsRequest>(request)?.want {
            JsWant::Check => {
                self.open.set(&read::<FilesRequest>(request)?.files.0);
                Ok(check::check(&self.open))
            }
            JsWant::Format => Ok(format::format(&read::<FilesRequest>(request)?.files.0)),
            JsWant::Graph => {
                let GraphRequest { files, options } = read(request)?;
                self.open.set(&files.0);
                graph::graph(&self.open, &options)
            }
            JsWant::Simulate => {
                let SimulateRequest { files, options } = read(request)?;
                self.open.set(&files.0);
                simulate::simulate(&self.open, &options)
            }
            JsWant::Editor => {
                let EditorRequest { files, question } = read(request)?;
                self.open.set(&files.0);
                editor::answer(&self.open, &question)
            }
            #[cfg(feature = "language-server")]
            JsWant::Language => {
                let LanguageRequest { message, now } = read(request)?;
                let now = Duration::from_millis(now);
                let messages = match message {
                    Some(message) => self.server.message(&message, now),
                    None => self.server.pause(now),
                };
                Ok(format!("[{}]", messages.join(",")))
            }
        }
    }
}

fn read<T: DeserializeOwned>(request: &[u8]) -> Result<T, JsError> {
    serde_json::from_slice(request)
        .map_err(|error| JsError { message: format!("the request cannot be read: {error}"), help: None })
}

#[cfg(test)]
mod tests {
    use super::Responder;

    const FLOW: &str = "id: f\nname: F\ndescription: \"\"\nnodes:\n  - {id: a, type: router}\n  - {id: b, type: router}\nedges: [{source: a, target: b}]\nstart_node: a\nend_nodes: [b]\n";

    /// The method of a request, its files and options; a path in the answer, and what is there.
    type AnswerCase<'c> = (&'c str, &'c [(&'c str, &'c str)], serde_json::Value, &'c str, serde_json::Value);

    /// Compares what some requests answer, one after another.
    #[track_caller]
    fn check_answers(requests: &[AnswerCase<'_>]) {
        let mut responder = Responder::default();
        for (method, files, options, path, expected) in requests {
            let files: serde_json::Map<String, serde_json::Value> =
                files.iter().map(|(path, text)| ((*path).to_owned(), (*text).into())).collect();
            let request = serde_json::json!({"want": method, "files": files, "options": options});
            let answer = responder.respond(request.to_string().as_bytes());
            let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
            assert_eq!(answer.pointer(path), Some(expected), "{method} {options}: {answer:#}");
        }
    }

    #[test]
    fn answers_follow_the_files_of_each_request() {
        let broken = FLOW.replace("target: b", "target: c");
        let spaced = FLOW.replace("name: F", "name:   F");
        let torn = format!("{FLOW}more: [");
        let none = serde_json::Value::Null;
        let (good, bad) = ([("f.yaml", FLOW)], [("f.yaml", broken.as_str())]);
        check_answers(&[
            ("check", &good, none.clone(), "/ok/summary/errors", 0.into()),
            ("check", &bad, none.clone(), "/ok/diagnostics/0/rule", "unknown-node".into()),
            ("check", &[], none.clone(), "/ok/summary/files", 0.into()),
            (
                "check",
                &good,
                none.clone(),
                "/ok/summary",
                serde_json::json!({
                    "files": 1, "declarations": 1, "leftAlone": 0, "unreadable": 0, "errors": 0, "warnings": 0, "infos": 0,
                }),
            ),
            (
                "check",
                &[("sub/nodewise.toml", "[files]\nexclud = []"), ("sub/f.yaml", FLOW)],
                none.clone(),
                "/ok/configuration/0/file",
                "sub/nodewise.toml".into(),
            ),
            ("format", &[("f.yaml", spaced.as_str())], none.clone(), "/ok/changed/f.yaml", FLOW.into()),
            ("format", &[("f.yaml", torn.as_str())], none, "/ok/refused/0/file", "f.yaml".into()),
        ]);
    }

    #[test]
    fn graphs_and_runs_have_the_forms_of_the_command() {
        let files = [("a/flow.yaml", FLOW)];
        let options = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        check_answers(&[
            ("graph", &files, options("{}"), "/ok/graphs/0/nodes/2/id", "b".into()),
            (
                "graph",
                &files,
                options(r#"{"format": "dot", "graph": "none"}"#),
                "/error/message",
                "no graph is called `none`".into(),
            ),
            (
                "simulate",
                &files,
                options(r#"{"file": "a/flow.yaml"}"#),
                "/ok/outcome/status",
                "completed".into(),
            ),
            (
                "simulate",
                &files,
                options(r#"{"file": "b.yaml"}"#),
                "/error/message",
                "there is no file `b.yaml` among the files".into(),
            ),
            (
                "simulate",
                &files,
                options(r#"{"file": "a/flow.yaml", "start": "x"}"#),
                "/error/help",
                serde_json::Value::Null,
            ),
        ]);
    }

    #[test]
    fn every_request_has_an_answer() {
        let mut responder = Responder::default();
        for request in [
            &b""[..],
            b"{}",
            b"\xff",
            br#"{"want": "check"}"#,
            br#"{"want": "check", "files": {"a": 1}}"#,
            br#"{"want": "run"}"#,
            br#"{"want": "graph", "files": {}}"#,
            br#"{"want": "simulate", "files": {}, "options": {"seed": "x"}}"#,
            br#"{"want": "editor", "files": {}, "question": {"ask": "findings"}}"#,
        ] {
            assert!(
                responder
                    .respond(request)
                    .starts_with(r#"{"error":{"message":"the request cannot be read: "#)
            );
        }
    }
}
