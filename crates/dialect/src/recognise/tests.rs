//! Whose document a text is, dialect by dialect.

use std::path::{Path, PathBuf};

use nodewise_model::SourceId;

use super::{HeldWords, Recognised, meant_kind, recognise};
use crate::table::{Dialect, Mark, Recognition};
use crate::tables::DIALECTS;
use crate::tables::cycgraph::CYCGRAPH;
use crate::tables::liman::LIMAN;
use crate::value::SpannedValue;

fn check_recognised(dialect: &'static Dialect, text: &str, expected: &str) {
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().next().and_then(|document| document.root()).unwrap();
    let found = match recognise(dialect, &SpannedValue::from_node(root, SourceId::default())) {
        Recognised::Declaration(kind) => kind.name,
        Recognised::Resembles => "resembles",
        Recognised::Undecided => "undecided",
        Recognised::Foreign => "foreign",
    };
    assert_eq!(found, expected, "{text}");
    check_words(text);
}

fn check_meant(dialect: &'static Dialect, text: &str, expected: &str) {
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().next().and_then(|document| document.root()).unwrap();
    let kind = meant_kind(dialect, &SpannedValue::from_node(root, SourceId::default()));
    assert_eq!(kind.map_or("none", |kind| kind.name), expected, "{text}");
}

#[test]
fn the_kind_of_a_document_that_lacks_one_mark() {
    let check = |text: &str, expected: &str| check_meant(&CYCGRAPH, text, expected);
    check("{id: a, name: A, model: m, provider: openai, prompt: Hi}", "Agent");
    check("{id: a, name: A, model: m, prvider: openai, system_prompt: Hi}", "Agent");
    check("{id: a, model: m, system_prompt: Hi}", "Agent");
    check("{id: a, read_keys: [b]}", "LoneNode");
    check("{id: a}", "none");
    check("{id: a, name: A, version: 1}", "none");
    check("{id: a, model: m}", "none");
}

/// A text in which a dialect recognises something holds its words. Whether any dialect does.
fn check_words(text: &str) -> bool {
    let tree = nodewise_syntax::parse(text);
    let roots = tree.documents().filter_map(|document| document.root());
    let values: Vec<_> = roots.map(|root| SpannedValue::from_node(root, SourceId::default())).collect();
    let held = HeldWords::of(text);
    let mut is_known = false;
    for dialect in &DIALECTS {
        let is_ours =
            |value| matches!(recognise(dialect, value), Recognised::Declaration(_) | Recognised::Resembles);
        if values.iter().any(is_ours) {
            is_known = true;
            assert!(held.may_be(dialect), "{} does not find its words in\n{text}", dialect.id);
        }
    }
    is_known
}

#[test]
fn by_kind_then_by_evidence() {
    let check = |text: &str, expected: &str| check_recognised(&LIMAN, text, expected);
    check("kind: ToolNode", "ToolNode");
    check("kind: toolnode", "resembles");
    check("{kind: Assistant, prompts: {system: Hi}}", "resembles");
    check("{kind: Function, func: a.b, arguments: []}", "resembles");
    check("{kind: Tool, name: a, func: t.a, description: x}", "resembles");
    check("{Kind: LLMNode, name: a}", "resembles");
    check("{type: ToolNode, name: a}", "resembles");
    check("{type: Node, name: a}", "undecided");
    check("{kind: Tool, name: a, description: x}", "undecided");
    check("{kind: Agent, name: a, description: x, tools: [t]}", "undecided");
    check("{kind: pipeline, type: docker, name: a, steps: []}", "undecided");
    check("{apiVersion: v1, kind: Node}", "foreign");
    check("{apiVersion: v1, tools: []}", "foreign");
    check("{name: a, tools: []}", "undecided");
    check("[a]", "undecided");
}

#[test]
fn cycgraph_documents_by_their_shape() {
    let check = |text: &str, expected: &str| check_recognised(&CYCGRAPH, text, expected);
    check("{id: g, name: g, description: '', nodes: [], edges: [], start_node: a, end_nodes: []}", "Graph");
    check("{nodes: [], start_node: a}", "Graph");
    check("{name: g, nodes: [{id: a, type: agent, agent_id: w}]", "Graph");
    check("{name: g, nodes: [{id: a, typ: agent, read_keys: [k]}], edges: []}", "Graph");
    check(r#"{"nodes": [{"id": "a", "type": "llm", "swarm_config": {}}], "edges": []}"#, "Graph");
    check("{manifest: {name: b}, graph: {}}", "Bundle");
    check("{manifest: {name: b}, graph: {}, agents: [], graphs: []}", "Bundle");
    check("{id: reflect, type: reflection, reflection_config: {}}", "LoneNode");
    check("{id: r, type: supervisor}", "LoneNode");
    check("{id: r, type: tool, tool_id: t}", "LoneNode");
    check("{id: a, name: A, model: m, provider: p, system_prompt: hi}", "Agent");
}

#[test]
fn other_systems_graphs_are_not_cycgraphs() {
    let check = |text: &str| check_recognised(&CYCGRAPH, text, "undecided");
    // Compose, Kubernetes, CI, Airflow, n8n, React Flow, GraphML-like data, AgentOS, an agent of somebody else.
    check("{services: {web: {image: nginx}}, networks: {}}");
    check("{apiVersion: v1, kind: Node, metadata: {name: n}}");
    check("{on: push, jobs: {build: {steps: []}}}");
    check("{dag_id: d, tasks: [{task_id: a, operator: bash}]}");
    check("{nodes: [{name: Start, type: n8n-nodes-base.start, parameters: {}}], connections: {}}");
    check("{nodes: [{id: a, type: input, position: {x: 0}}], edges: [{id: e, source: a, target: a}]}");
    check("{nodes: [{id: a}, {id: b}], edges: [{source: a, target: b}], directed: true}");
    check(
        "{id: g, nodes: [{id: t, type: tool, executorConfig: {type: tool, toolName: x}}], \
         edges: [{id: e, source: __START__, target: t, type: static}]}",
    );
    check("{id: t, type: router, executorConfig: {type: router}}");
    check("{name: helper, model: m, system_prompt: hi, tools: []}");
    check("{manifest: x, icons: []}");
    check("{id: light, type: map}");
}

#[test]
fn files_of_other_programs_are_not_read() {
    let check_unread = |text: &str| {
        let held = HeldWords::of(text);
        let found: Vec<_> =
            DIALECTS.iter().filter(|dialect| held.may_be(dialect)).map(|dialect| dialect.id).collect();
        assert_eq!(found, <[&str; 0]>::default(), "{text}");
    };
    check_unread("apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 3}\n---\nkind: \"Service\"\n");
    check_unread("jobs: {test: {steps: [{name: Set up Node, uses: actions/setup-node@v4}]}}\n");
    check_unread("services:\n  web: {image: nginx, ports: [80]}\n");
    check_unread("on: [push]\njobs: {build: {runs-on: ubuntu, steps: [{run: make}]}}\n");
    check_unread(r#"{"name": "a", "version": "1", "scripts": {"build": "tsc"}, "author": "C:\\new"}"#);
    check_unread("# What kind of file is this?\na: kind of\nmankind: 1\n");
}

#[test]
fn kinds_are_found_however_they_are_written() {
    for word in
        ["ToolNode", "toolnode", "TolNode", "\"ToolNode\"", "'tool_node' # c", "ToolNode ", "!!str ToolNode"]
    {
        for key in ["kind", "\"kind\"", "'kind'", "kind ", "\"k\\u0069nd\"", "? kind\n"] {
            for between in [" ", "  ", "\n  ", " &a ", " >-\n  "] {
                check_words(&format!("{key}:{between}{word}\nname: a\n"));
            }
        }
    }
    for text in [
        "{kind: ToolNod, name: a}",
        "{name: a, kind: ToolNod}",
        "[{kind: Node}]",
        "a: &k kind\n---\n*k : ToolNod\n",
        "[&k kind, {*k : ToolNod}]",
        "? kind # which\n: ToolNod\n",
        "{Kind: Node, name: a}",
        "KIND: 'Node'",
        "a: &k Kind\n---\n*k : Node\n",
        "{type: LLMNode}",
    ] {
        check_words(text);
    }
}

#[test]
fn marks_are_found_in_every_style() {
    let styles: [fn(&str) -> String; 6] = [
        str::to_owned,
        str::to_uppercase,
        |key| key.replace('_', "-"),
        |key| key.replace('_', " "),
        |key| key.replace('_', ""),
        |key| {
            key.chars()
                .flat_map(|letter| letter.is_uppercase().then_some('_').into_iter().chain([letter]))
                .collect()
        },
    ];
    let mut known = 0;
    for dialect in DIALECTS.iter().filter(|dialect| matches!(dialect.recognition, Recognition::ByShape)) {
        for marks in dialect.kinds.iter().flat_map(|kind| kind.evidence) {
            for style in styles {
                known += usize::from(check_words(&document_with(marks, style)));
            }
        }
    }
    assert!(known > 300, "{known} documents are of a dialect");
}

/// A document with these marks.
fn document_with(marks: &[Mark], style: fn(&str) -> String) -> String {
    let mut members: Vec<(String, String)> = Vec::new();
    for mark in marks {
        let (key, value) = match mark {
            Mark::Has(key) | Mark::Text(key) => (key, "x".to_owned()),
            Mark::Lacks(_) => continue,
            Mark::List(key) => (key, "[]".to_owned()),
            Mark::Map(key) => (key, "{}".to_owned()),
            Mark::Word(key, words) => (key, words[0].text.to_owned()),
            Mark::ItemHas(key, inner) => (key, format!("[{{{}: x}}]", style(inner))),
            Mark::ItemWord(key, inner, words) => (key, format!("[{{{}: {}}}]", style(inner), words[0].text)),
        };
        let key = style(key);
        // Two marks of the items of one list are of one item.
        match members.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) if known.ends_with("}]") => {
                let inner = value.trim_start_matches("[{").to_owned();
                known.truncate(known.len() - 2);
                known.push_str(", ");
                known.push_str(&inner);
            }
            Some(_) => {}
            None => members.push((key, value)),
        }
    }
    members.into_iter().map(|(key, value)| format!("{key}: {value}\n")).collect()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "it reads the declarations of this project")]
fn the_words_of_all_declarations_of_this_project_are_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders: Vec<PathBuf> = vec![root.join("examples"), root.join("tests")];
    let mut known = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|ending| ending == "yaml" || ending == "yml" || ending == "json")
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                known += usize::from(check_words(&text));
            }
        }
    }
    assert!(known > 200, "{known} files are of a dialect");
}
