//! The table of cycgraph against the release's schema: every document of the corpus binds without violation
//! exactly if the release accepted it, and each kind of refusal is one here.

use std::path::Path;

use nodewise_dialect::bind::{Issue, IssueKind, bind};
use nodewise_dialect::recognise::{Recognised, recognise};
use nodewise_dialect::tables::cycgraph::CYCGRAPH;
use nodewise_dialect::value::SpannedValue;
use nodewise_model::SourceId;

/// The violations of a text, each as the text at its place and the word for its kind.
fn refusals(text: &str) -> Vec<String> {
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().next().and_then(|document| document.root()).expect("a document");
    let value = SpannedValue::from_node(root, SourceId::default());
    let Recognised::Declaration(kind) = recognise(&CYCGRAPH, &value) else {
        panic!("not recognised: {text}");
    };
    bind(kind, &value).issues.iter().filter_map(|issue| refusal(issue, text)).collect()
}

fn refusal(issue: &Issue, text: &str) -> Option<String> {
    let word = match &issue.kind {
        IssueKind::UnknownField(..) | IssueKind::Unheeded => return None,
        IssueKind::MissingField => {
            return Some(format!("missing {}", issue.field.map_or("", |field| field.key)));
        }
        IssueKind::MissingVariant(_) => "missing word",
        IssueKind::WrongType(..) => "type",
        IssueKind::BadWord(..) | IssueKind::BadVariant(..) => "word",
        IssueKind::OutOfRange(..) => "range",
        IssueKind::NotASlug(_) => "slug",
        other => panic!("unexpected: {other:?}"),
    };
    let at = &text[std::ops::Range::<usize>::from(issue.at.range)];
    Some(format!("{word} {at}"))
}

#[test]
fn the_corpus_binds_as_the_release_parses_it() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/corpus/cycgraph");
    let read = |name: &str| std::fs::read_to_string(corpus.join(name)).expect("a text");
    let expected: serde_json::Value = serde_json::from_str(&read("expected.json")).expect("JSON");
    let files = expected["files"].as_object().expect("files");
    assert!(files.len() >= 34, "{}", files.len());
    for (name, verdict) in files {
        let found = refusals(&read(name));
        assert_eq!(found.is_empty(), verdict["stage"] != "schema", "{name}: {found:?}");
    }
}

/// A graph with one node that has `fields` beside its id.
fn check_node(fields: &str, expected: &[&str]) {
    let text = format!(
        "{{name: g, description: d, nodes: [{{id: n, {fields}}}], edges: [], start_node: n, end_nodes: []}}"
    );
    assert_eq!(refusals(&text), expected, "{fields}");
}

#[test]
fn numbers_are_those_of_the_schema() {
    check_node("type: agent, failure_policy: {max_retries: 3.0, timeout_ms: 1e3}", &[]);
    check_node("type: agent, failure_policy: {max_retries: 2.5}", &["range 2.5"]);
    check_node("type: agent, failure_policy: {max_retries: '2'}", &["type '2'"]);
    check_node("type: agent, failure_policy: {max_retries: .nan}", &["type .nan"]);
    check_node("type: agent, budget: {max_tokens: 9007199254740991}", &[]);
    check_node("type: agent, budget: {max_tokens: 9007199254740993}", &["range 9007199254740993"]);
    check_node("type: agent, budget: {max_tokens: 20_000}", &["type 20_000"]);
    check_node("type: agent, budget: {max_cost_usd: 0}", &["range 0"]);
    check_node("type: agent, budget: {max_cost_usd: .inf}", &["type .inf"]);
    check_node("type: voting, voting_config: {voter_agent_ids: [a], weights: {a: -1.5, b: x}}", &["type x"]);
    check_node("type: evolution, evolution_config: {candidate_agent_id: c, fitness_threshold: 7}", &[]);
}

#[test]
fn null_is_refused_where_a_key_may_be_left_out() {
    check_node("type: agent, agent_id: null", &["type agent_id"]);
    check_node("type: agent, read_keys: ~", &["type read_keys"]);
    check_node("type: agent, budget:", &["type budget"]);
    check_node("type: agent, metadata: {a: null}", &[]);
    check_node("type: map, map_reduce_config: {worker_node_id: w, static_items: [null]}", &[]);
}

#[test]
fn variants_and_sources_of_tools() {
    let verifier = |rest: &str| format!("type: verifier, verifier_config: {{{rest}}}");
    check_node(&verifier("type: expression"), &["missing expression"]);
    check_node(&verifier("target_key: k"), &["missing word target_key"]);
    let assertion =
        |rest: &str| verifier(&format!("type: jsonpath, target_key: k, path: $, assertion: {{{rest}}}"));
    check_node(&assertion("op: equals, value: null"), &[]);
    check_node(&assertion("op: equals"), &["missing value"]);
    check_node(&assertion("op: gt, value: '1'"), &["type '1'"]);
    check_node(&assertion("op: like, value: 1"), &["word like"]);
    check_node(
        "type: tool, tools: [save_to_memory, mine, {mcp: web, tools: [a]}, {type: custom, name: a-b_1}]",
        &[],
    );
    check_node("type: tool, tools: ['two words']", &["slug 'two words'"]);
    check_node("type: tool, tools: ['']", &["slug ''"]);
    check_node("type: tool, tools: [{type: builtin, name: nope}]", &["word nope"]);
    check_node("type: tool, tools: [{mcp: web, type: other}]", &[]);
    check_node("type: tool, tools: [7]", &["type 7"]);
}

#[test]
fn agents_of_bundles_take_full_sources_only() {
    let bundle = |agent: &str| {
        format!(
            "{{manifest: {{name: b, version: '1', requires: {{}}}}, agents: [{{id: a, name: A, model: m, \
             provider: p, system_prompt: s, {agent}}}], graph: {{name: g, description: d, nodes: [], edges: [], \
             start_node: n, end_nodes: []}}}}"
        )
    };
    assert_eq!(refusals(&bundle("tools: [{type: mcp, server_id: s}], permissions: null")), [""; 0]);
    assert_eq!(refusals(&bundle("tools: [save_to_memory]")), ["type save_to_memory"]);
    assert_eq!(refusals(&bundle("temperature: 1.5, description: null")), ["range 1.5"]);
}
