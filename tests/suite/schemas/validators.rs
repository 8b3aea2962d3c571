//! The validators that people run: `check-jsonschema`, and `yaml-language-server` as editors start it. Skipped where
//! `NODEWISE_VALIDATORS` does not name the folder that they are installed in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::schemas::documents::{Document, blocks, documents, file_text, schema};
use crate::schemas::language_server::{Session, node};
use crate::schemas::verdicts::expected;

/// The folder that holds the environment `python` and the folder `node_modules`.
const FOLDER: &str = "NODEWISE_VALIDATORS";
const SCHEMAS: [&str; 5] = ["liman", "cycgraph", "agentos", "scenario", "config"];

/// Where the validators are; nothing where they are not, with a word about it.
pub(crate) fn installed() -> Option<PathBuf> {
    let folder = std::env::var_os(FOLDER).map(PathBuf::from);
    if folder.is_none() {
        let mut out = std::io::stderr();
        std::io::Write::write_all(&mut out, format!("skipped: {FOLDER} names no folder\n").as_bytes())
            .unwrap();
    }
    folder
}

/// A folder of one test, empty, with the schemas in it.
fn workplace(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schemas").join(name);
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder).unwrap();
    for name in SCHEMAS {
        std::fs::write(schema_file(&folder, name), schema(name).to_string()).unwrap();
    }
    folder
}

fn schema_file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.schema.json"))
}

pub(crate) fn check_jsonschema(installed: &Path) -> Command {
    Command::new(installed.join("python/bin/check-jsonschema"))
}

/// Compares verdicts, by name, with those that are expected.
fn check_verdicts(expected: &BTreeMap<String, bool>, found: &BTreeMap<String, Vec<String>>) {
    let nothing = Vec::new();
    let mut surprises = Vec::new();
    for (name, accepted) in expected {
        let problems = found.get(name).unwrap_or(&nothing);
        if problems.is_empty() != *accepted {
            let should = if *accepted { "accepted" } else { "refused" };
            surprises.push(format!("{name} should be {should}\n  {}", problems.join("\n  ")));
        }
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
    assert!(expected.len() >= 100, "{}", expected.len());
}

#[test]
fn every_schema_is_valid_under_its_own() {
    let Some(installed) = installed() else { return };
    let folder = workplace("metaschema");
    let mut command = check_jsonschema(&installed);
    command.arg("--check-metaschema").args(SCHEMAS.map(|name| schema_file(&folder, name)));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// It reads one document a file: each document is a file here.
#[test]
fn check_jsonschema_agrees() {
    let Some(installed) = installed() else { return };
    let folder = workplace("check-jsonschema");
    let (mut verdicts, mut files) = (BTreeMap::new(), BTreeMap::<&str, Vec<PathBuf>>::new());
    for (number, document) in documents().iter().enumerate() {
        let Some(accepted) = expected(document) else { continue };
        let ending = if document.path.ends_with(".json") { "json" } else { "yaml" };
        let file = folder.join(format!("{number}.{ending}"));
        std::fs::write(&file, &document.text).unwrap();
        verdicts.insert(file.to_str().unwrap().to_owned(), accepted);
        files.entry(document.schema).or_default().push(file);
    }
    let mut found = BTreeMap::<String, Vec<String>>::new();
    for (name, files) in files {
        let mut command = check_jsonschema(&installed);
        command.args(["--output-format", "json", "--schemafile"]).arg(schema_file(&folder, name)).args(files);
        let output = command.output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        for list in ["errors", "parse_errors"] {
            for error in report[list].as_array().into_iter().flatten() {
                let text = format!("{} {}", error["path"], error["message"]);
                found.entry(error["filename"].as_str().unwrap().to_owned()).or_default().push(text);
            }
        }
    }
    check_verdicts(&verdicts, &found);
}

/// It reads whole files, with all their documents.
#[test]
fn yaml_language_server_agrees() {
    let Some(installed) = installed() else { return };
    let documents = documents();
    let mut files = BTreeMap::<&str, Vec<&Document>>::new();
    for document in &documents {
        files.entry(&document.path).or_default().push(document);
    }
    let folder = workplace("yaml-language-server");
    let mut session = Session::start(&installed, &SCHEMAS.map(|name| (name, schema_file(&folder, name))));
    let mut verdicts = BTreeMap::new();
    for (path, documents) in files {
        let accepted: Option<Vec<bool>> = documents.iter().map(|document| expected(document)).collect();
        let (Some(accepted), Some(first)) = (accepted, documents.first()) else { continue };
        let name = format!("{}/{}", first.schema, path.replace('#', "/"));
        let texts: Vec<&str> = documents.iter().map(|document| document.text.as_str()).collect();
        session.open(&name, &if path.contains('#') { texts.join("---\n") } else { file_text(path) });
        verdicts.insert(name, accepted.iter().all(|accepted| *accepted));
    }
    let found = verdicts.keys().map(|name| (name.clone(), session.problems(name))).collect();
    check_verdicts(&verdicts, &found);
}

/// Configuration files: those of the examples and of the manual, and some with a fault.
#[test]
fn configuration_files_are_judged() {
    let Some(installed) = installed() else { return };
    let folder = workplace("configuration");
    let mut good: Vec<String> = ["liman", "cycgraph", "agentos"]
        .map(|system| file_text(&format!("examples/{system}/nodewise.toml")))
        .into();
    let manual = blocks(&file_text("docs/configuration.md"));
    good.extend(manual.into_iter().filter(|(words, ..)| words == "toml").map(|(_, _, text)| text));
    assert_eq!(good.len(), 4);
    let bad = [
        "[file]\ninclude = []\n",
        "[files]\ninclude = \"agents\"\n",
        "[rules]\nunresolved-tol = \"off\"\n",
        "[rules]\nunknown-tool = \"on\"\n",
        "[[rules.override]]\nfiles = []\n",
        "[format]\nindent = 17\n",
        "[liman]\nprofile = \"0.2\"\n",
        "[liman.external]\nagents = []\n",
        "[dialect]\n\"a/**\" = \"yaml\"\n",
    ];
    let texts = good.iter().map(|text| (text.as_str(), true)).chain(bad.map(|text| (text, false)));
    for (number, (text, accepted)) in texts.enumerate() {
        let file = folder.join(format!("{number}.toml"));
        std::fs::write(&file, text).unwrap();
        let mut command = check_jsonschema(&installed);
        let output =
            command.arg("--schemafile").arg(schema_file(&folder, "config")).arg(&file).output().unwrap();
        assert_eq!(output.status.success(), accepted, "{text}{}", String::from_utf8_lossy(&output.stdout));
    }
}

/// Reads schemas and documents, compiles the schemas in strict mode as collections of schemas do, and prints what is wrong
/// with each document.
const AJV: &str = "\
const Ajv = require('ajv').default
const { schemas, documents } = JSON.parse(require('fs').readFileSync(process.argv[1], 'utf8'))
const ajv = new Ajv({ strict: true, logger: { log() {}, warn(text) { throw new Error(text) }, error: console.error } })
const known = ['defaultSnippets', 'markdownDescription', 'enumDescriptions', 'markdownEnumDescriptions', 'x-taplo']
known.forEach(keyword => ajv.addKeyword(keyword))
ajv.addFormat('regex', text => { try { return !!new RegExp(text, 'u') } catch { return false } })
const compiled = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema)]))
const found = documents.map(({ schema, value }) => compiled[schema](value) ? [] : [ajv.errorsText(compiled[schema].errors)])
console.log(JSON.stringify(found))
";

/// What collections of schemas judge with, in the mode that forbids what may be a mistake.
#[test]
fn ajv_agrees_in_strict_mode() {
    let Some(installed) = installed() else { return };
    let documents = documents();
    let schemas: serde_json::Map<String, Value> =
        SCHEMAS.iter().map(|name| ((*name).to_owned(), schema(name))).collect();
    let values: Vec<Value> = documents
        .iter()
        .map(|document| serde_json::json!({"schema": document.schema, "value": document.value}))
        .collect();
    let file = workplace("ajv").join("input.json");
    std::fs::write(&file, serde_json::json!({"schemas": schemas, "documents": values}).to_string()).unwrap();
    let mut command = Command::new(node());
    let output = command.args(["-e", AJV]).arg(&file).current_dir(&installed).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers: Vec<Vec<String>> = serde_json::from_slice(&output.stdout).unwrap();
    let (mut verdicts, mut found) = (BTreeMap::new(), BTreeMap::new());
    for (document, problems) in documents.iter().zip(answers) {
        let name = format!("{}:{}", document.path, document.line);
        if let Some(accepted) = expected(document) {
            verdicts.insert(name.clone(), accepted);
            found.insert(name, problems);
        }
    }
    check_verdicts(&verdicts, &found);
}

/// What is said of a text under a schema, line by line.
fn check_messages(session: &mut Session, number: usize, (schema, text, expected): (&str, &str, &str)) {
    let name = format!("{schema}/message-{number}.yaml");
    session.open(&name, text);
    let found = session.problems(&name).join("\n");
    assert_eq!(found, expected.trim_matches('\n'), "{text}");
}

/// One fault is one message, and it says what is meant.
#[test]
fn faults_are_reported_once() {
    let Some(installed) = installed() else { return };
    let folder = workplace("messages");
    let mut session = Session::start(&installed, &SCHEMAS.map(|name| (name, schema_file(&folder, name))));
    for (number, case) in MESSAGES.iter().enumerate() {
        check_messages(&mut session, number, *case);
    }
}

/// What an editor offers at the cursor `$0`: label, what is written, what it means.
fn offers(session: &mut Session, number: usize, schema: &str, text: &str) -> Vec<String> {
    let name = format!("{schema}/offer-{number}.yaml");
    let (before, behind) = text.split_once("$0").unwrap();
    session.open(&name, &format!("{before}{behind}"));
    session.problems(&name);
    let (line, column) = (before.matches('\n').count(), before.lines().last().unwrap_or_default().len());
    let column = if before.ends_with('\n') { 0 } else { column };
    let position = [line, column].map(|number| u32::try_from(number).unwrap());
    let answer = session.ask("textDocument/completion", &name, position[0], position[1]);
    let items = answer["items"].as_array().or(answer.as_array()).unwrap().iter();
    let meaning = |item: &Value| {
        let documentation = &item["documentation"];
        documentation["value"].as_str().or(documentation.as_str()).unwrap_or_default().to_owned()
    };
    items.map(|item| format!("{} {} {}", item["label"], item["insertText"], meaning(item))).collect()
}

/// Keys of the kind that is meant, with the beginning of their values; words with their meanings.
#[test]
fn editors_are_offered_keys_and_words() {
    let Some(installed) = installed() else { return };
    let folder = workplace("offers");
    let mut session = Session::start(&installed, &SCHEMAS.map(|name| (name, schema_file(&folder, name))));
    for (number, (schema, text, expected, foreign)) in OFFERS.iter().enumerate() {
        let offered = offers(&mut session, number, schema, text).join("\n");
        assert!(offered.contains(expected), "{text}\n{offered}");
        assert!(!offered.contains(&format!("\"{foreign}\"")), "{text}\n{offered}");
    }
}

/// Schema, text, what is offered, and what is not because it belongs elsewhere.
const OFFERS: &[(&str, &str, &str, &str)] = &[
    ("liman", "$0", r#""kind" "kind: " What the document declares."#, "func"),
    ("liman", "kind: $0", r#""ToolNode" "ToolNode" A function that a language model may call"#, "func"),
    ("liman", "kind: ToolNode\n$0", r#""description" "description: " What the tool does"#, "prompts"),
    ("liman", "kind: Overlay\nto: ToolNode:a\n$0", r#""func" "func: " The Python function"#, "prompts"),
    ("cycgraph", "$0", r#""start_node" "start_node: " The node where a run begins."#, "system_prompt"),
    (
        "cycgraph",
        "nodes:\n  - id: a\n    type: verifier\n    verifier_config:\n      type: jsonpath\n      $0",
        r#""path" "path: " A JSONPath"#,
        "expression",
    ),
    (
        "agentos",
        "nodes:\n  - id: a\n    executorConfig:\n      type: $0",
        r#""human" "human" asks a person"#,
        "prompt",
    ),
    (
        "agentos",
        "nodes:\n  - id: a\n    executorConfig:\n      type: human\n      $0",
        r#""prompt" "prompt: " The question"#,
        "toolName",
    ),
    ("scenario", "scenario: It ends.\nexpect:\n  status: $0", r#""completed" "completed""#, "fork"),
];

/// Schema, text, messages.
const MESSAGES: &[(&str, &str, &str)] = &[
    (
        "liman",
        "kind: LLMNod\nname: chat\nprompts: {system: Hi}\n",
        "1: Value is not accepted. Valid values: \"LLMNode\", \"ToolNode\", \"Node\", \"FunctionNode\", \"ServiceAccount\", \"CredentialsProvider\", \"Overlay\".",
    ),
    ("liman", "kind: LLMNode\nname: chat\npromts: {system: Hi}\n", "3: Property promts is not allowed."),
    (
        "liman",
        "kind: ToolNode\nname: find\ndescription: Find\nfunc: desk.find\narguments:\n  - {name: a, type: strin}\n",
        "6: Value is not accepted. Valid values: \"string\", \"str\", \"number\", \"integer\", \"int\", \"float\", \"boolean\", \"bool\", \"object\", \"array\".",
    ),
    ("liman", "kind: Overlay\nto: ToolNode:find\nfunk: desk.find\n", "3: Property funk is not allowed."),
    ("liman", "- kind: LLMNode\n", "1: Incorrect type. Expected \"Liman declaration\"."),
    (
        "cycgraph",
        "id: g\nname: g\ndescription: ''\nnodes:\n  - {id: a, type: agnt}\nedges: []\nstart_node: a\nend_nodes: [a]\n",
        "5: Value is not accepted. Valid values: \"agent\", \"tool\", \"subgraph\", \"synthesizer\", \"router\", \"supervisor\", \"map\", \"voting\", \"approval\", \"evolution\", \"verifier\", \"reflection\", \"a2a\".",
    ),
    (
        "cycgraph",
        "id: g\nname: g\ndescription: ''\nnodes:\n  - {id: a, type: tool, tools: [{type: mcp}], tol_id: x}\nedges: []\nstart_node: a\nend_nodes: [a]\n",
        "5: Missing property \"server_id\".\n5: Missing property \"tool_id\".\n5: Property tol_id is not allowed.",
    ),
    (
        "agentos",
        "id: g\nname: g\nnodes:\n  - {id: a, type: tool, executorConfig: {type: tol}, executionMode: single_turn, effectClass: read, checkpoint: none}\nedges: []\nstateSchema: {input: {}, scratch: {}, artifacts: {}}\nreducers: {}\ncheckpointPolicy: none\nmemoryConsistency: live\n",
        "4: Value is not accepted. Valid values: \"gmi\", \"tool\", \"extension\", \"human\", \"guardrail\", \"router\", \"subgraph\", \"voice\".",
    ),
    (
        "agentos",
        "id: g\nname: g\nnodes:\n  - {id: a, type: tool, executorConfig: {type: tool, tolName: x}, executionMode: single_turn, effectClass: read, checkpoint: none}\nedges: []\nstateSchema: {input: {}, scratch: {}, artifacts: {}}\nreducers: {}\ncheckpointPolicy: none\nmemoryConsistency: live\n",
        "4: Missing property \"toolName\".\n4: Property tolName is not allowed.",
    ),
    (
        "scenario",
        "scenario: It ends.\nexpect: {status: complete}\n",
        "2: Value is not accepted. Valid values: \"completed\", \"failed\", \"waiting\", \"timeout\", \"cancelled\", \"hung\", \"crashed\", \"stopped\".",
    ),
];
