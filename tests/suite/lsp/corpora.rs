//! Every file of the corpora, valid and invalid, over the wire: every request is answered, and what is pushed, pulled and
//! printed by `nodewise check` is the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::lsp::client::{Server, uri};
use crate::lsp::soak::position;

/// How many words of each file are asked about; at its beginning, in its middle and behind it.
const WORDS: &str = "NODEWISE_CORPORA_WORDS";
const WORDS_USUALLY: usize = 3;

/// What is asked about a place.
const AT_A_PLACE: [&str; 13] = [
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/declaration",
    "textDocument/typeDefinition",
    "textDocument/implementation",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/linkedEditingRange",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/prepareCallHierarchy",
];

/// What is asked about a document.
const OF_A_DOCUMENT: [&str; 7] = [
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/documentLink",
    "textDocument/semanticTokens/full",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/codeAction",
];

/// What a diagnostic is to whoever reads it: the place, the rule, the severity as the protocol counts it, the fact.
type Reported = (String, String, u64, String);

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/corpus").canonicalize().unwrap()
}

/// The declarations' files below a folder, and their texts.
fn files(root: &Path) -> BTreeMap<String, String> {
    let (mut pending, mut found) = (vec![root.to_owned()], BTreeMap::new());
    while let Some(path) = pending.pop() {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() {
            pending.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
        } else if extension.is_some_and(|extension| ["yaml", "yml", "json"].contains(&extension)) {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            if let Ok(text) = std::fs::read_to_string(&path) {
                found.insert(name, text);
            }
        }
    }
    found
}

/// What the command prints of each file.
fn checked(root: &Path, texts: &BTreeMap<String, String>) -> BTreeMap<String, Vec<Reported>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
    let output =
        command.args(["check", "--format", "json", "--no-progress", "."]).current_dir(root).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut found: BTreeMap<String, Vec<Reported>> = BTreeMap::new();
    for one in report["diagnostics"].as_array().unwrap() {
        let file = one["file"].as_str().unwrap();
        let at = |end: &str| {
            let offset = one["range"][end]["offset"].as_u64().unwrap();
            position(&texts[file], usize::try_from(offset).unwrap())
        };
        let range = json!({"start": at("start"), "end": at("end")});
        let severity = match one["severity"].as_str().unwrap() {
            "error" => 1,
            "warning" => 2,
            _ => 4,
        };
        let (rule, message) = (one["rule"].as_str().unwrap(), one["message"].as_str().unwrap());
        let reported = (range.to_string(), rule.to_owned(), severity, message.to_owned());
        found.entry(file.to_owned()).or_default().push(reported);
    }
    found
}

/// What the server says of a file.
fn reported(diagnostics: &Value) -> Vec<Reported> {
    let one = |one: &Value| {
        let message = one["message"].as_str().unwrap().lines().next().unwrap_or_default();
        let (rule, severity) = (one["code"].as_str().unwrap(), one["severity"].as_u64().unwrap());
        (one["range"].to_string(), rule.to_owned(), severity, message.to_owned())
    };
    diagnostics.as_array().unwrap().iter().map(one).collect()
}

/// The begin, the middle and the end of some words, spread over the text; behind the end of their lines; behind the text.
fn places(text: &str, count: usize) -> Vec<Value> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let words: Vec<(usize, &str)> = text
        .match_indices(is_part)
        .map(|(at, _)| at)
        .filter(|at| !text[..*at].ends_with(is_part))
        .map(|at| {
            let rest = &text[at..];
            (at, &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())])
        })
        .collect();
    let mut places = vec![json!({"line": 1_000_000, "character": 0})];
    for number in 0..count.min(words.len()) {
        // Not always the same part of the file: where the words are many, the length decides.
        let (at, word) = words[(number * words.len() / count + text.len() % 17) % words.len()];
        let middle = (at..=at + word.len() / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let begin = position(text, at);
        places.push(json!({"line": begin["line"], "character": 100_000}));
        places.extend([begin, position(text, middle), position(text, at + word.len())]);
    }
    places
}

/// A session over the corpora.
struct Session {
    server: Server,
    asked: usize,
}

impl Session {
    /// Waits for the answers to requests; each is a result, or an error that is no fault of the server's.
    fn answers(&mut self, asked: Vec<(i64, Value)>) -> Vec<Value> {
        let mut results = Vec::new();
        for (id, question) in asked {
            let answer = self.server.answer(id);
            self.asked += 1;
            if let Some(error) = answer.get("error") {
                // A name that cannot be changed, or not to that, is refused with the reason.
                assert_eq!(error["code"], -32803, "{question}: {answer}");
                assert!(error["message"].as_str().is_some_and(|reason| !reason.is_empty()), "{answer}");
            }
            results.push(answer["result"].clone());
        }
        results
    }

    fn ask_all(&mut self, questions: Vec<(&str, Value)>) -> Vec<Value> {
        let asked = questions
            .into_iter()
            .map(|(method, parameters)| {
                let question = json!([method, parameters]);
                (self.server.ask(method, parameters), question)
            })
            .collect();
        self.answers(asked)
    }

    fn ask_about_places(&mut self, uri: &str, text: &str, count: usize) {
        let document = json!({"uri": uri});
        let mut questions = Vec::new();
        for place in places(text, count) {
            for method in AT_A_PLACE {
                let mut parameters = json!({"textDocument": document, "position": place});
                match method {
                    "textDocument/references" => parameters["context"] = json!({"includeDeclaration": true}),
                    "textDocument/rename" => parameters["newName"] = json!("another_name"),
                    _ => {}
                }
                questions.push((method, parameters));
            }
            let positions = json!([place]);
            questions.push((
                "textDocument/selectionRange",
                json!({"textDocument": document, "positions": positions}),
            ));
            let options = json!({"tabSize": 2, "insertSpaces": true});
            questions.push((
                "textDocument/onTypeFormatting",
                json!({"textDocument": document, "position": place, "ch": "\n", "options": options}),
            ));
        }
        let methods: Vec<&str> = questions.iter().map(|(method, _)| *method).collect();
        let results = self.ask_all(questions);
        let mut further = Vec::new();
        for (method, result) in methods.into_iter().zip(results) {
            let first = result.get("items").unwrap_or(&result).get(0).cloned();
            match (method, first) {
                ("textDocument/completion", Some(item)) => further.push(("completionItem/resolve", item)),
                ("textDocument/prepareCallHierarchy", Some(item)) => further.extend([
                    ("callHierarchy/incomingCalls", json!({"item": item})),
                    ("callHierarchy/outgoingCalls", json!({"item": item})),
                ]),
                _ => {}
            }
        }
        self.ask_all(further);
    }

    fn ask_about_document(&mut self, uri: &str, diagnostics: &Value) {
        let document = json!({"uri": uri});
        let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 1_000_000, "character": 0}});
        let context = json!({"diagnostics": diagnostics});
        let questions = OF_A_DOCUMENT
            .map(|method| (method, json!({"textDocument": document, "range": whole, "context": context})));
        let results = self.ask_all(questions.to_vec());
        let result = |method: &str| &results[OF_A_DOCUMENT.iter().position(|one| *one == method).unwrap()];
        let mut further = vec![
            ("textDocument/semanticTokens/range", json!({"textDocument": document, "range": whole})),
            (
                "textDocument/inlineValue",
                json!({
                    "textDocument": document, "range": whole,
                    "context": {"frameId": 1, "stoppedLocation": whole},
                }),
            ),
            (
                "workspace/executeCommand",
                json!({"command": "nodewise.graph", "arguments": [{"textDocument": document}]}),
            ),
        ];
        if let Some(lens) = result("textDocument/codeLens").get(0) {
            further.push(("codeLens/resolve", lens.clone()));
        }
        for action in result("textDocument/codeAction").as_array().into_iter().flatten() {
            if action.get("edit").is_none() {
                further.push(("codeAction/resolve", action.clone()));
            }
        }
        let colours = &result("textDocument/semanticTokens/full")["resultId"];
        if let Some(before) = colours.as_str() {
            further.push((
                "textDocument/semanticTokens/full/delta",
                json!({"textDocument": document, "previousResultId": before}),
            ));
        }
        self.ask_all(further);
    }
}

#[test]
fn every_file_is_answered_and_reported_as_by_the_command() {
    let count = std::env::var(WORDS).ok().and_then(|count| count.parse().ok()).unwrap_or(WORDS_USUALLY);
    let root = corpora();
    let texts = files(&root);
    assert!(texts.len() > 300, "the corpora are missing");
    let printed = checked(&root, &texts);
    let mut server = Server::start();
    let abilities = json!({"textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "dataSupport": true, "resolveSupport": {"properties": ["edit"]},
        },
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
    }});
    let options = json!({"inlayHints": {
        "defaults": true, "grants": true, "expressionTypes": true, "kinds": true, "overlays": true}});
    server.initialize(&[uri(&root)], abilities, options);
    server.wait_until_read();
    let mut session = Session { server, asked: 0 };
    for (file, text) in &texts {
        let uri = uri(&root.join(file));
        session.server.open(&uri, 1, text);
        let pushed = session.server.published(&uri, Some(1))["diagnostics"].clone();
        let pulled = session.server.result("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
        assert_eq!(pushed, pulled["items"], "{file}");
        assert_eq!(reported(&pushed), printed.get(file).cloned().unwrap_or_default(), "{file}");
        session.ask_about_document(&uri, &pushed);
        session.ask_about_places(&uri, text, count);
        session.server.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }
    assert!(session.asked > 60 * texts.len(), "{} requests", session.asked);
}

/// Three of four findings need no other file.
#[test]
fn what_is_reported_before_the_folder_is_read_is_never_taken_back() {
    let root = corpora();
    let texts = files(&root);
    let printed = checked(&root, &texts);
    let mut server = Server::start();
    server.introduce(&[uri(&root)], json!({}), json!({}));
    let mut early = 0;
    for (file, text) in &texts {
        let uri = uri(&root.join(file));
        server.open(&uri, 1, text);
        let own = reported(&server.published(&uri, Some(1))["diagnostics"]);
        let all = printed.get(file).cloned().unwrap_or_default();
        let wrong: Vec<&Reported> = own.iter().filter(|one| !all.contains(one)).collect();
        assert!(wrong.is_empty(), "{file}: {wrong:?}");
        early += own.len();
        server.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }
    let all: usize = printed.values().map(Vec::len).sum();
    assert!(4 * early > 3 * all, "{early} of {all}");
}
