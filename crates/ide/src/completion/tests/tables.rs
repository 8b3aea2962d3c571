//! Every key of every table: if the table knows the possible values, completion offers them. Each value is tested in a
//! document that is built from the table: a sample project, with the path to the value added to it.

use std::fmt::Write;

use nodewise_dialect::table::{
    Case, Dialect, Discriminator, Field, Kind, Mark, NameUse, Required, Shape, Symbol, Type, Word,
};
use nodewise_dialect::tables::DIALECTS;
use serde_json::{Map, Value, json};

use super::{SNIPPETS, completions};

/// The text at the tested place.
const CURSOR: &str = "$0";

/// A path from the root of a document to a value.
#[derive(Clone)]
enum Step {
    /// The value of a key, with the keys next to it.
    Key(String, Map<String, Value>),
    /// An item of a list.
    Item,
    /// A key that the author chooses, instead of its value.
    OwnKey,
}

/// A tested value, and the items that must be offered.
struct Question {
    kind: &'static Kind,
    field: String,
    way: Vec<Step>,
    wanted: Vec<String>,
}

/// Finds the values to test.
struct Asker {
    dialect: &'static Dialect,
    kind: &'static Kind,
    way: Vec<Step>,
    /// The shapes that were visited.
    seen: Vec<String>,
    found: Vec<Question>,
}

impl Asker {
    fn shape(&mut self, shape: &'static Shape, beside: &Map<String, Value>) {
        let asked = format!("{}{}", shape.name, shape.doc);
        if self.seen.contains(&asked) {
            return;
        }
        self.seen.push(asked);
        for field in shape.fields.iter().filter(|field| !beside.contains_key(field.key)) {
            let mut beside = beside.clone();
            for other in shape.fields.iter().filter(|other| other.required == Required::Yes) {
                if let Type::Reference(scope) = other.ty {
                    beside.entry(other.key).or_insert(declared(scope.kinds[0]).into());
                }
                if let Type::Sized(Type::Symbol(Symbol::Agent, NameUse::Declares), _) = other.ty {
                    beside.entry(other.key).or_insert("a_agent".into());
                }
            }
            if let Some(condition) = field.beside {
                beside.insert(condition.key.to_owned(), condition.words[0].into());
            }
            self.below(Step::Key(field.key.to_owned(), beside), |asker| asker.value(shape, field, field.ty));
        }
    }

    fn below(&mut self, step: Step, ask: impl FnOnce(&mut Asker)) {
        self.way.push(step);
        ask(self);
        self.way.pop();
    }

    fn value(&mut self, shape: &'static Shape, field: &'static Field, ty: Type) {
        let words = |words: &[Word]| words.iter().map(|word| word.text.to_owned()).collect::<Vec<String>>();
        match ty {
            Type::Word(found) | Type::ArgumentType(found) | Type::Suggested(found) => {
                self.ask(shape, field, words(found));
            }
            Type::OutputFields(found, _) => {
                let own = Step::Key("answer".to_owned(), Map::new());
                self.below(own, |asker| asker.ask(shape, field, words(found)));
            }
            Type::Kind => {
                let kinds = self.dialect.kinds.iter().map(|kind| kind.name.to_owned()).collect();
                self.ask(shape, field, kinds);
            }
            Type::Bool | Type::Boolean => self.ask(shape, field, vec!["true".into(), "false".into()]),
            Type::Reference(scope) => self.ask(shape, field, vec![declared(scope.kinds[0])]),
            Type::Qualified(scope, separator) => {
                let kind = scope.kinds[0];
                self.ask(shape, field, vec![format!("{kind}{separator}{}", declared(kind))]);
            }
            Type::FunctionPath(_) => self.ask(shape, field, vec!["tools.look".into()]),
            Type::EdgeId if !field.identity => self.ask(shape, field, vec!["first".into()]),
            Type::Symbol(Symbol::Artifact, _) => {}
            Type::Symbol(symbol, usage) if usage != NameUse::Declares => {
                let name = known(symbol);
                // Names of a graph are known only inside of a graph.
                let sample = base(self.dialect, self.kind).to_string();
                if !is_of_graph(symbol) || sample.contains(&format!("\"{name}\"")) {
                    self.ask(shape, field, vec![name.to_owned()]);
                }
            }
            Type::Sized(inner, _) | Type::Lenient(inner) => self.value(shape, field, *inner),
            Type::OneOrMany(inner) => {
                self.value(shape, field, *inner);
                self.below(Step::Item, |asker| asker.value(shape, field, *inner));
            }
            Type::List(inner) => self.below(Step::Item, |asker| asker.value(shape, field, *inner)),
            Type::MapOf((key, of)) => {
                self.below(Step::OwnKey, |asker| asker.value(shape, field, *key));
                let own = Step::Key("own".to_owned(), Map::new());
                self.below(own, |asker| asker.value(shape, field, *of));
            }
            Type::TextOr(text, inner) => {
                self.value(shape, field, *text);
                self.shape(inner, &Map::new());
            }
            Type::Object(inner) | Type::Open(inner) => self.shape(inner, &Map::new()),
            Type::Variant(variant) => {
                let deciding = Step::Key(variant.key.to_owned(), Map::new());
                let all = variant.words().map(|word| word.text.to_owned()).collect();
                self.below(deciding, |asker| asker.ask(shape, field, all));
                for Case { word, shape } in variant.cases {
                    let decided = Map::from_iter([(variant.key.to_owned(), Value::from(word.text))]);
                    self.shape(shape, &decided);
                }
            }
            Type::OneOf(forms) => {
                for form in forms {
                    match (form.when, form.ty) {
                        (Discriminator::HasKey(key), Type::Object(inner)) if inner.field(key).is_some() => {
                            self.form(inner, key);
                        }
                        _ => self.value(shape, field, form.ty),
                    }
                }
            }
            _ => {}
        }
    }

    /// A form that a key selects, with the key next to each of the others.
    fn form(&mut self, shape: &'static Shape, key: &str) {
        let written = Map::from_iter([(key.to_owned(), Value::from("own"))]);
        self.shape(shape, &written);
    }

    fn ask(&mut self, shape: &'static Shape, field: &'static Field, wanted: Vec<String>) {
        let field = format!("{}.{}", shape.name, field.key);
        self.found.push(Question { kind: self.kind, field, way: self.way.clone(), wanted });
    }
}

/// The name in the sample project for a declaration of a kind.
fn declared(kind: &str) -> String {
    format!("a_{}", kind.to_lowercase())
}

/// Whether symbols of that sort are part of a graph.
fn is_of_graph(symbol: Symbol) -> bool {
    matches!(symbol, Symbol::Node | Symbol::Endpoint | Symbol::Edge | Symbol::State | Symbol::Model)
}

/// A name of that sort in the samples.
fn known(symbol: Symbol) -> &'static str {
    match symbol {
        Symbol::Node | Symbol::Endpoint => "alpha",
        Symbol::Edge => "first",
        Symbol::Tool => "a_tool",
        Symbol::Server => "a_server",
        Symbol::State => "topic",
        Symbol::ForeignState => "asked",
        Symbol::Model => "a_model",
        Symbol::Guardrail => "a_guard",
        Symbol::Extension => "an_extension",
        Symbol::Trait => "openness",
        Symbol::Tag => "a_tag",
        Symbol::Graph => "a_compiledexecutiongraph",
        Symbol::Artifact | Symbol::Agent => "a_name",
    }
}

fn questions(dialect: &'static Dialect) -> Vec<Question> {
    let mut found = Vec::new();
    for kind in dialect.kinds {
        let mut asker = Asker { dialect, kind, way: Vec::new(), seen: Vec::new(), found: Vec::new() };
        asker.shape(&kind.shape, &Map::new());
        found.extend(asker.found);
    }
    found
}

/// A document with the path to a value added to it.
fn with(base: &Value, way: &[Step]) -> Value {
    let Some((step, rest)) = way.split_first() else { return CURSOR.into() };
    match step {
        Step::OwnKey => {
            let mut members = base.as_object().cloned().unwrap_or_default();
            members.insert(CURSOR.to_owned(), Value::Null);
            members.into()
        }
        Step::Item => {
            let mut items = base.as_array().cloned().unwrap_or_default();
            // Names that already exist there are not offered again.
            items.retain(|item| !item.is_string());
            items.push(with(&Value::Null, rest));
            items.into()
        }
        Step::Key(key, beside) => {
            let mut members = base.as_object().cloned().unwrap_or_default();
            members.extend(beside.clone());
            let inner = members.get(key).cloned().unwrap_or_default();
            members.insert(key.clone(), with(&inner, rest));
            members.into()
        }
    }
}

/// A value as YAML in block style.
fn yaml(value: &Value, indent: usize, text: &mut String) {
    let pad = " ".repeat(indent);
    match value {
        Value::Object(members) if !members.is_empty() => {
            text.push('\n');
            for (key, value) in members {
                write!(text, "{pad}{key}").unwrap();
                if key != CURSOR {
                    text.push(':');
                    yaml(value, indent + 2, text);
                } else {
                    text.push('\n');
                }
            }
        }
        Value::Array(items) if !items.is_empty() => {
            text.push('\n');
            for item in items {
                write!(text, "{pad}-").unwrap();
                let mut inner = String::new();
                yaml(item, indent + 2, &mut inner);
                // The first member is on the line of the dash.
                match inner.strip_prefix('\n') {
                    Some(block) => write!(text, " {}", block.trim_start()).unwrap(),
                    None => text.push_str(&inner),
                }
            }
        }
        Value::String(word) => writeln!(text, " {word}").unwrap(),
        other => writeln!(text, " {other}").unwrap(),
    }
}

/// The sample document of a kind.
fn base(dialect: &Dialect, kind: &Kind) -> Value {
    let name = declared(kind.name);
    match (dialect.id, kind.name) {
        ("liman", "Overlay") => json!({"kind": "Overlay", "to": "LLMNode:a_llmnode"}),
        ("liman", kind) => {
            json!({"kind": kind, "name": name, "nodes": [{"id": "first", "target": "a_toolnode"}]})
        }
        ("cycgraph", "Graph") => cycgraph("own"),
        ("cycgraph", "Bundle") => json!({
            "manifest": {"name": "b", "version": "v1", "requires": {
                "tools": [{"name": "a_tool"}], "mcp_servers": [{"id": "a_server"}], "models": ["a_model"],
            }},
            "graph": cycgraph("own"), "agents": [], "graphs": [],
        }),
        ("cycgraph", "LoneNode") => {
            json!({"id": "alone", "type": "agent", "read_keys": ["topic"], "write_keys": ["topic"]})
        }
        ("cycgraph", _) => json!({
            "id": name, "provider": "p", "system_prompt": "s", "model": "a_model",
            "description": "topic",
        }),
        ("agentos", "CompiledExecutionGraph") => agentos("own"),
        ("agentos", "WorkflowDefinition") => {
            json!({"displayName": "d", "tasks": [{"id": "alpha", "executor": {"type": "human"}, "dependsOn": []}]})
        }
        _ => marked(kind),
    }
}

/// All keys that identify a document of a kind.
fn marked(kind: &Kind) -> Value {
    let mut members = Map::new();
    for mark in kind.evidence.iter().copied().flatten() {
        match mark {
            Mark::Has(key) | Mark::Text(key) => {
                members.entry(*key).or_insert("own".into());
            }
            Mark::Map(key) => drop(members.insert((*key).to_owned(), json!({}))),
            Mark::List(key) => {
                members.entry(*key).or_insert(json!([]));
            }
            Mark::Word(key, words) => {
                members.entry(*key).or_insert(words[0].text.into());
            }
            Mark::ItemHas(key, inner) => {
                members.entry(*key).or_insert(json!([{}]))[0][*inner] = json!({});
            }
            Mark::ItemWord(key, inner, words) => {
                members.entry(*key).or_insert(json!([{}]))[0][*inner] = words[0].text.into();
            }
            Mark::Lacks(_) => {}
        }
    }
    members.into()
}

fn cycgraph(id: &str) -> Value {
    json!({
        "id": id, "name": "g", "description": "d", "start_node": "alpha", "end_nodes": ["beta"],
        "nodes": [
            {"id": "alpha", "type": "tool", "tool_id": "a_tool", "read_keys": ["topic"], "write_keys": []},
            {"id": "beta", "type": "subgraph", "read_keys": [], "write_keys": ["topic"],
             "subgraph_config": {"subgraph_id": "a_graph"}},
        ],
        "edges": [{"id": "first", "source": "alpha", "target": "beta"}],
    })
}

fn agentos(id: &str) -> Value {
    json!({
        "id": id, "name": "g",
        "nodes": [
            {"id": "alpha", "type": "tool", "executorConfig": {"type": "tool", "toolName": "a_tool"},
             "llm": {"providerId": "p", "model": "a_model"}},
        ],
        "edges": [{"id": "first", "source": "__START__", "target": "alpha", "type": "static"}],
        "stateSchema": {
            "input": {"type": "object", "properties": {"asked": {}}},
            "scratch": {"type": "object", "properties": {"topic": {}}},
            "artifacts": {"type": "object", "properties": {"asked": {}}},
        },
        "checkpointPolicy": "none", "memoryConsistency": "snapshot",
    })
}

fn check_dialect(id: &str, others: &str) {
    let dialect = DIALECTS.iter().copied().find(|dialect| dialect.id == id).unwrap();
    let mut failures = String::new();
    let questions = questions(dialect);
    for question in &questions {
        let mut text = String::new();
        yaml(&with(&base(dialect, question.kind), &question.way), 0, &mut text);
        let fixture = format!("#- /main.yaml{text}\n{others}");
        let found = completions(&fixture, SNIPPETS);
        let missing: Vec<&str> = { &question.wanted }
            .iter()
            .filter(|wanted| {
                !found
                    .items
                    .iter()
                    .any(|item| item.label == **wanted || item.label.ends_with(&format!(".{wanted}")))
            })
            .map(String::as_str)
            .collect();
        if !missing.is_empty() {
            let labels: Vec<&str> = found.items.iter().take(8).map(|item| item.label.as_str()).collect();
            writeln!(failures, "{}/{}: no {missing:?} among {labels:?}", question.kind.name, question.field)
                .unwrap();
        }
    }
    assert!(questions.len() > 90, "the tables are asked about");
    assert!(failures.is_empty(), "of {} values\n{failures}", questions.len());
}

#[test]
fn every_key_of_liman() {
    let mut others = String::from("#- /tools.py\ndef look(what):\n    return what\n");
    for kind in ["LLMNode", "ToolNode", "Node", "FunctionNode", "ServiceAccount", "CredentialsProvider"] {
        write!(others, "#- /{kind}.yaml\nkind: {kind}\nname: {}\n", declared(kind)).unwrap();
    }
    check_dialect("liman", &others);
}

#[test]
fn every_key_of_cycgraph() {
    let mut child = String::new();
    yaml(
        &json!({"id": "a_graph", "name": "c", "description": "d", "start_node": "x", "end_nodes": ["x"],
            "inputs": {"asked": {"schema": {}}}, "outputs": {"asked": {"schema": {}}},
            "nodes": [{"id": "x", "type": "agent", "agent_id": "a_agent", "read_keys": ["asked", "topic"], "write_keys": ["asked", "topic"]},
                {"id": "y", "type": "reflection", "reflection_config": {"source_keys": ["topic"], "tags": ["a_tag"]}}],
            "edges": []}),
        0,
        &mut child,
    );
    let agent = "\nid: a_agent\nname: a\nmodel: a_model\nprovider: p\nsystem_prompt: s\ntools: [{type: mcp, server_id: a_server}, {type: custom, name: a_tool}]\n";
    check_dialect("cycgraph", &format!("#- /child.yaml{child}#- /agent.yaml{agent}"));
}

#[test]
fn every_key_of_agentos() {
    let mut graph = agentos("a_compiledexecutiongraph");
    let more = [
        json!({"id": "judge", "type": "human", "llm": {"providerId": "p", "model": "a_model"},
            "executorConfig": {"type": "human", "prompt": "p"}}),
        json!({"id": "call", "type": "extension",
            "executorConfig": {"type": "extension", "extensionId": "an_extension", "methodName": "m"}}),
        json!({"id": "guard", "type": "guardrail",
            "executorConfig": {"type": "guardrail", "guardrailIds": ["a_guard"], "onViolation": "block"}}),
    ];
    graph["nodes"].as_array_mut().unwrap().extend(more);
    let mut other = String::new();
    yaml(&graph, 0, &mut other);
    check_dialect("agentos", &format!("#- /other.yaml{other}"));
}
