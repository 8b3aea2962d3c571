//! The beginning of a document: whole documents, and help before anything identifies the document.

use std::collections::BTreeMap;
use std::fmt::Write;

use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::facts::DocumentRole;
use nodewise_dialect::table::{Dialect, DocumentTemplate, KindRole};
use nodewise_dialect::tables::DIALECTS;

use super::{
    CompletionSettings, SNIPPETS, accepted, check_accept, check_completion, check_labels, completions,
};
use crate::testing::project;

/// The file for a template: scripts and the like are known by their names.
fn path(dialect: &Dialect, template: &DocumentTemplate, ending: &str) -> String {
    match dialect.file_names.iter().find(|name| name.kind == template.kind) {
        Some(name) => format!("/main{}", name.ending),
        None => format!("/main.{ending}"),
    }
}

/// The text of an empty file after accepting a template.
fn written(path: &str, label: &str) -> String {
    let text = accepted(&format!("#- {path}\n$0\n"), label, SNIPPETS);
    text.replace("$0", "")
}

/// The errors and warnings of all files.
fn problems(files: &str) -> String {
    let (snapshot, _) = project(files);
    let mut found = String::new();
    for file in snapshot.files() {
        for diagnostic in snapshot.diagnostics(file.source).iter() {
            if matches!(diagnostic.severity, Severity::Error | Severity::Warning) {
                writeln!(found, "{}: {}", file.path, diagnostic.finding.message).unwrap();
            }
        }
    }
    found
}

/// What the template is about, if it is about another document: what an overlay patches, what a scenario runs.
fn subject(dialect: &Dialect, template: &DocumentTemplate) -> String {
    let label = match dialect.kind(template.kind).unwrap().role {
        KindRole::Overlay => "Liman LLM node",
        KindRole::Scenario => "cycgraph graph",
        _ => return String::new(),
    };
    format!("#- /graph.yaml\n{}\n", written("/graph.yaml", label))
}

#[test]
fn every_document_is_valid() {
    let mut count = 0;
    for dialect in DIALECTS.iter().copied() {
        for template in dialect.templates {
            for ending in dialect.extensions.iter().filter(|ending| **ending != "yml") {
                let path = path(dialect, template, ending);
                let text = written(&path, template.label);
                assert_eq!(nodewise_syntax::parse(text.as_str()).problems().len(), 0, "{text}");
                let files = format!("{}#- {path}\n{text}\n", subject(dialect, template));
                assert_eq!(problems(&files), "", "{}\n{text}", template.label);
                let (snapshot, _) = project(&files);
                let file = snapshot.file(snapshot.source(path.trim_start_matches('/')).unwrap()).unwrap();
                let kinds: Vec<&str> = { &file.documents }
                    .iter()
                    .filter_map(|document| match document.role {
                        DocumentRole::Kind(kind) => Some(kind.name),
                        _ => None,
                    })
                    .collect();
                assert_eq!(kinds, [template.kind], "{text}");
                count += 1;
            }
        }
    }
    assert!(count > 25, "only {count} documents");
}

#[test]
fn every_whole_kind_has_one_document_and_every_document_one_name() {
    let mut labels = BTreeMap::new();
    for dialect in DIALECTS.iter().copied() {
        for kind in dialect.kinds {
            // A node or an edge without its graph is seldom the beginning of a file.
            let is_part = kind.role == KindRole::GraphNode || kind.name == "GraphEdge";
            let count = dialect.templates.iter().filter(|template| template.kind == kind.name).count();
            assert_eq!(count, usize::from(!is_part), "{}", kind.name);
        }
        for template in dialect.templates {
            assert_eq!(labels.insert(template.label, dialect.id), None, "{}", template.label);
        }
    }
}

#[test]
fn a_name_at_several_places_is_one_placeholder() {
    for path in ["/a.yaml", "/a.json"] {
        let found = completions(&format!("#- {path}\n$0\n"), SNIPPETS);
        let item = found.items.iter().find(|item| item.label == "cycgraph graph").unwrap();
        let numbers: Vec<&str> = { &item.edit.text }
            .split("${")
            .skip(1)
            .filter(|place| place.contains(":write}"))
            .filter_map(|place| place.split(':').next())
            .collect();
        assert_eq!(numbers.len(), 3, "{}", item.edit.text);
        assert!(numbers.iter().all(|number| *number == numbers[0]), "{}", item.edit.text);
    }
}

#[test]
fn a_graph() {
    check_accept(
        "#- /a.yaml\n$0\n",
        "cycgraph graph",
        "id: review
name: review
description: Write a text and review it.
inputs:
  topic: {schema: {type: string}}
nodes:
  - id: write
    type: agent
    agent_id: writer
    read_keys: [topic]
    write_keys: [draft]
  - id: check
    type: agent
    agent_id: editor
    read_keys: [draft]
    write_keys: [verdict]
edges:
  - {source: write, target: check}
start_node: write
end_nodes: [check]
",
    );
}

const CYCGRAPH: &str = "#- /other.yaml
id: other
name: Other
description: x
nodes: [{id: a, type: router}]
edges: []
start_node: a
end_nodes: [a]
#- /main.yaml
";
const AGENTOS: &str = "#- /other.yaml
id: other
nodes: [{id: a, executorConfig: {type: human, prompt: Go?}}]
edges: [{id: b, source: __START__, target: a, type: static}]
#- /main.yaml
";

#[test]
fn the_systems_of_the_project_come_first() {
    let others = "Liman LLM node Liman tool node Liman node …";
    check_labels(
        &format!("{CYCGRAPH}$0\n"),
        &format!("cycgraph graph cycgraph agent cycgraph bundle {others}"),
    );
    check_labels(&format!("{AGENTOS}$0\n"), "AgentOS graph AgentOS workflow …");
    check_completion(
        "#- /main.scenario.yaml\n$0\n",
        "nodewise scenario Template: a test: scripted answers and the expected result",
    );
}

/// A document is found by its name and by its first line.
#[test]
fn the_first_letters() {
    check_labels("ki$0\n", "Liman LLM node Liman tool node Liman node …");
    check_labels("Gr$0\n", "cycgraph graph AgentOS graph AgentOS graph patch …");
    check_labels("manif$0\n", "cycgraph bundle");
    check_accept("kin$0\n", "Liman function node", "kind: FunctionNode\nname: archive_case\n");
}

#[test]
fn the_filter_begins_with_the_typed_letters() {
    for (typed, label) in [("ki", "Liman LLM node"), ("gr", "cycgraph graph"), ("Lim", "Liman node")] {
        let found = completions(&format!("{typed}$0\n"), SNIPPETS);
        let item = found.items.iter().find(|item| item.label == label).unwrap();
        let filter = item.filter.as_deref().unwrap();
        assert!(filter.to_lowercase().starts_with(&typed.to_lowercase()), "{filter}");
    }
}

/// A document without a project begins with the system of the open projects, and one in a project with its own.
#[test]
fn the_usual_system_is_first() {
    let first = |fixture: &str, usual| {
        let found = completions(fixture, CompletionSettings { usual, ..SNIPPETS });
        found.items.into_iter().next().unwrap().label
    };
    for dialect in DIALECTS.iter().copied().filter(|dialect| dialect.specification.is_some()) {
        let label = dialect.templates.first().unwrap().label;
        assert_eq!(first("$0\n", Some(dialect.id)), label);
        assert_eq!(first(&format!("{AGENTOS}$0\n"), Some(dialect.id)), "AgentOS graph");
    }
}

/// Nothing says yet whose document it is; the neighbours do.
#[test]
fn by_the_neighbours() {
    let typed = "nodes:\n  - id: first\n    type: $0\n";
    check_labels(&format!("{CYCGRAPH}{typed}"), "agent tool subgraph synthesizer router …");
    check_completion(
        &format!("{CYCGRAPH}nodes:\n  - id: first\n    type: ag$0\n"),
        "agent Word: runs an agent: a language model with tools",
    );
    check_labels(&format!("{AGENTOS}{typed}"), "gmi tool extension human guardrail router …");
    check_labels(&format!("{CYCGRAPH}nodes:\n  - id: first\n    ty$0\n"), "type …");
    check_labels(&format!("{CYCGRAPH}name: x\nno$0\n"), "nodes start_node end_nodes");
}

/// Without neighbours, every system that knows the keys is offered, with its name.
#[test]
fn of_every_system() {
    check_completion(
        "nodes:\n  - id: first\n    type: tool$0\n",
        "tool Word: cycgraph: calls one tool, without a model",
    );
    check_labels("nodes:\n  - id: first\n    type: gm$0\n", "gmi");
}

#[test]
fn documents_of_other_programs_get_no_help() {
    for text in
        ["services:\n  web:\n    im$0", "on:\n  push:\n    br$0", "name: x\non:\n  - $0", "name: x\n$0"]
    {
        check_labels(&format!("#- /main.yaml\n{text}\n"), "");
    }
    check_labels(&format!("{CYCGRAPH}services:\n  web:\n    im$0\n"), "");
    check_labels(&format!("{CYCGRAPH}#- /package.json\n{{\"name\": \"x\", \"de$0\"}}\n"), "");
}
