//! The AgentOS table against the corpus and against other systems' files.
//!
//! Input: the documents of `tests/data/corpus/agentos`, and fragments of files that other tools own. Output: the kind
//! that recognition gives, and the violations of the table that binding reports, by class. Invariant: a document
//! whose header promises nothing of the table's departs from it nowhere.

use std::path::{Path, PathBuf};

use nodewise_dialect::bind::{self, Issue, IssueKind};
use nodewise_dialect::recognise::{Recognised, recognise};
use nodewise_dialect::table::{Kind, ViolationPolicy};
use nodewise_dialect::tables::DIALECTS;
use nodewise_dialect::tables::agentos::AGENTOS;
use nodewise_dialect::value::SpannedValue;
use nodewise_model::SourceId;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/corpus/agentos");

/// What the first dialect that knows the text says of it, as `dialect:kind`.
fn recognised(text: &str) -> Option<(&'static str, &'static Kind)> {
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().find_map(|document| document.root())?;
    let value = SpannedValue::from_node(root, SourceId::default());
    DIALECTS.iter().find_map(|dialect| match recognise(dialect, &value) {
        Recognised::Declaration(kind) => Some((dialect.id, kind)),
        _ => None,
    })
}

fn check_recognised(text: &str, expected: Option<&str>) {
    let found = recognised(text).map(|(dialect, kind)| format!("{dialect}:{}", kind.name));
    assert_eq!(found.as_deref(), expected, "{text}");
}

/// The classes of the violations that binding reports, sorted.
fn classes(kind: &'static Kind, text: &str) -> Vec<&'static str> {
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().find_map(|document| document.root()).unwrap();
    let value = SpannedValue::from_node(root, SourceId::default());
    let mut classes: Vec<&str> =
        bind::bind(kind, &value).issues.iter().map(|issue| class(&AGENTOS.violations, issue)).collect();
    classes.retain(|class| *class != "unheeded");
    classes.sort_unstable();
    classes.dedup();
    classes
}

fn class(violations: &ViolationPolicy, issue: &Issue) -> &'static str {
    let own = issue.violation().map(|violation| violation.class);
    let class = match issue.kind {
        IssueKind::OutOfRange(..) => issue.field.and_then(|field| field.range_class),
        IssueKind::UnknownField(..) => violations.unknown_key,
        IssueKind::Unheeded => Some("agentos:unheeded"),
        IssueKind::BadWord(..) | IssueKind::BadVariant(..) => own.or(violations.bad_word),
        IssueKind::MissingField | IssueKind::MissingVariant(_) => own.or(violations.missing),
        _ => own.or(violations.wrong_type),
    };
    class.and_then(|class| class.strip_prefix("agentos:")).unwrap()
}

fn documents(folder: &str) -> Vec<PathBuf> {
    let entries = Path::new(CORPUS).join(folder).read_dir().unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The classes that the table accounts for in one document of the corpus.
fn table_classes(path: &Path) -> &'static [&'static str] {
    match path.file_stem().unwrap().to_str().unwrap() {
        "shape-nodes-missing" | "shape-null-edge" | "i01-missing-toolname" => &["I1"],
        "i02-unknown-field" => &["I2"],
        "i03-bad-enums" => &["I3"],
        "i09-state-schema" => &["I9"],
        "i19-empty-guardrails" => &["I19"],
        "i23-human-automation" => &["I23"],
        "i28-to-i35-values" => &["I28", "I29", "I30", "I31", "I32", "I33", "I34", "I35"],
        "i48-reducers" => &["I48"],
        _ => &[],
    }
}

#[test]
fn every_document_of_the_corpus_is_recognised_and_departs_where_its_header_says() {
    for folder in ["valid", "invalid", "implied"] {
        for path in documents(folder) {
            let text = std::fs::read_to_string(&path).unwrap();
            let (dialect, kind) = recognised(&text).unwrap_or_else(|| panic!("{}", path.display()));
            assert_eq!(dialect, AGENTOS.id, "{}", path.display());
            let lone = path.file_stem().unwrap().to_str().unwrap().ends_with("lone-node");
            assert_eq!(kind.name, if lone { "GraphNode" } else { "CompiledExecutionGraph" });
            assert_eq!(classes(kind, &text), table_classes(&path), "{}", path.display());
        }
    }
}

#[test]
fn half_typed_and_empty_graphs_are_recognised() {
    let graph = Some("agentos:CompiledExecutionGraph");
    check_recognised("nodes:\n  - id: a\n    executorConfig:\n", graph);
    check_recognised("id: g\nedges:\n  - {source: __START__, target: }\n", graph);
    check_recognised("id: g\nnodes:\nedges:\n  - {source: a, target: __END__}\n", graph);
    check_recognised("{nodes: [], edges: [], checkpointPolicy: none}", graph);
    let node = Some("agentos:GraphNode");
    check_recognised("id: a\ntype: tool\nexecutorConfig: {type: tool}\n", node);
    check_recognised("executorConfig: {}\neffectClass: read\n", node);
}

fn check_document(text: &str, kind: &str, expected: &[&str]) {
    let (_, found) = recognised(text).unwrap();
    assert_eq!(found.name, kind, "{text}");
    assert_eq!(classes(found, text), expected, "{text}");
}

#[test]
fn what_programs_compile_is_known() {
    let step = "id: a, action: reasoning, phase: gather, description: Go.";
    check_document(&format!("steps: [{{{step}}}]"), "MissionPlan", &[]);
    check_document(
        "steps: [{id: '', action: think, phase: later, description: x}]",
        "MissionPlan",
        &["R15", "R17"],
    );
    check_document("steps: [{action: reasoning, phase: gather, description: x}]", "MissionPlan", &["R15"]);
    let mission = "name: m, inputSchema: {}, goalTemplate: Find {{topic}}, returnsSchema: {}";
    let mission = mission.replace("Find {{topic}}", "'Find {{topic}}'");
    check_document(&format!("{{{mission}, plannerConfig: {{style: qa}}}}"), "MissionConfig", &[]);
    check_document(
        &format!("{{{mission}, plannerConfig: {{style: fast, plan: {{steps: []}}}}}}"),
        "MissionConfig",
        &["R13", "R14"],
    );
    check_document("{name: m, plannerConfig: {}}", "MissionConfig", &["R11"]);
    let steps = "steps: [{id: a, gmi: {instructions: Go.}, onFailure: skip}]";
    let schema = "{schema: {type: object}}";
    check_document(&format!("{{name: w, input: {schema}, returns: {schema}, {steps}}}"), "Workflow", &[]);
    check_document(&format!("{{name: w, returns: {{}}, {steps}}}"), "Workflow", &["R9"]);
    let task = "{id: a, name: A, executor: {type: gmi}, dependsOn: []}";
    check_document(&format!("{{id: d, displayName: D, tasks: [{task}]}}"), "WorkflowDefinition", &[]);
    check_document("{addNodes: [], addEdges: [], reason: r}", "GraphPatch", &[]);
    check_document("{id: e, source: a, target: b, type: static}", "GraphEdge", &[]);
}

#[test]
fn the_files_of_others_are_left_alone() {
    let others = [
        // n8n
        "{name: w, nodes: [{id: 1, type: n8n-nodes-base.start, parameters: {}}], connections: {}}",
        // docker-compose
        "services: {web: {image: nginx, depends_on: [db]}}",
        // Airflow, Argo, CI
        "tasks: [{id: a, type: bash, upstream: [b]}]",
        "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec: {templates: []}",
        "name: CI\non: push\njobs: {build: {runs-on: ubuntu, steps: [{id: a, run: make}]}}",
        "apiVersion: v1\nkind: Node\nmetadata: {name: n}",
        // diagrams
        "nodes: [{id: a, label: A}]\nedges: [{source: a, target: b, type: smoothstep}]",
        "{nodes: [{id: __start__}], edges: [{source: __start__, target: a}]}",
        // no document of the dialect either: a scripted run
        "graph: {nodes: [], edges: []}\nscript: {}",
        "id: a\ntype: tool\nname: x",
        "[{source: __START__}]",
    ];
    for text in others {
        let found = recognised(text).filter(|(dialect, _)| *dialect == AGENTOS.id);
        assert!(found.is_none(), "{text}");
    }
}
