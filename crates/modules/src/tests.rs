//! ModuleReading texts and what is read from them: one line a part of a document, with what stands at its place.

use std::fmt::Write as _;
use std::sync::Arc;

use nodewise_syntax::build::{PlacedData, PlacedValue};
use rustc_hash::FxHashMap;

use super::{ModuleReading, NoOthers, Others, read};

mod chains;
mod schemas;

const IMPORT: &str = "import * as cyc from '@cycgraph/orchestrator';\n\
    import { graph, createGraph, node, agent, tool, memoryKeys, supervisor, mapReduce, voting, evolution, verifier, \
    reflection, approval, router, synthesizer, runTool, subgraph, a2a } from '@cycgraph/orchestrator';\n";

/// Other modules by path.
struct Project(FxHashMap<String, Arc<str>>);

impl Others for Project {
    fn text(&self, path: &str) -> Option<Arc<str>> {
        self.0.get(path).cloned()
    }
}

/// Reads a module that imports every builder, and compares the lines about the part at a path with the expected ones.
#[track_caller]
fn check(text: &str, part: &str, expected: &[&str]) {
    let text: Arc<str> = format!("{IMPORT}{text}").into();
    check_module(&read("m.ts", &text, &NoOthers), &text, part, expected);
}

#[track_caller]
fn check_module(module: &ModuleReading, text: &str, part: &str, expected: &[&str]) {
    let lines = lines(module, text);
    let found: Vec<&str> = lines.lines().filter(|line| line.starts_with(part)).collect();
    assert_eq!(found, expected, "\n{lines}");
}

/// A line for each part of what a module builds.
fn lines(module: &ModuleReading, text: &str) -> String {
    let mut lines = String::new();
    for document in &module.documents {
        let _ = writeln!(lines, "{} {}", document.kind, document.name.as_deref().unwrap_or("-"));
        print(&document.root, "", text, &mut lines);
    }
    lines
}

fn print(value: &PlacedValue, path: &str, text: &str, lines: &mut String) {
    let stands = &text[value.range];
    let mut line = |what: &str| {
        let _ = writeln!(lines, "{path} = {what} @ {stands}");
    };
    match &value.data {
        PlacedData::Null => line("null"),
        PlacedData::Bool(value) => line(&value.to_string()),
        PlacedData::Number(value) => line(&value.to_string()),
        PlacedData::Text(text) => line(&format!("{:?}", text.text)),
        PlacedData::Unknown(why) => line(&format!("? {why}")),
        PlacedData::List(items) if items.is_empty() => line("[]"),
        PlacedData::Map(entries) if entries.is_empty() => line("{}"),
        PlacedData::List(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(number, item)| print(item, &format!("{path}[{number}]"), text, lines));
        }
        PlacedData::Map(entries) => {
            entries
                .iter()
                .for_each(|entry| print(&entry.value, &format!("{path}.{}", entry.key), text, lines));
        }
    }
}

/// A graph around one node.
fn with_node(node: &str) -> String {
    format!("graph({{ name: 'g', nodes: [{node}] }});")
}

#[test]
fn a_graph_of_constants() {
    check(
        "const a = agent({ id: 'ada', model: 'claude-x', instructions: 'Find.' });
const one = node({ id: 'one', agent: a, reads: ['topic'], writes: 'notes' });
const two = node({ id: 'two', type: 'router', reads: [one.writes, one.output] });
export const g = graph({ name: 'pipe', nodes: [one, two], edges: [{ from: one, to: two, when: 'memory.x' }] });",
        "",
        &[
            "Agent a",
            ".id = \"ada\" @ 'ada'",
            ".name = \"ada\" @ 'ada'",
            ".model = \"claude-x\" @ 'claude-x'",
            ".system_prompt = \"Find.\" @ 'Find.'",
            ".provider = \"anthropic\" @ 'claude-x'",
            "Graph g",
            ".name = \"pipe\" @ 'pipe'",
            ".nodes[0].id = \"one\" @ 'one'",
            ".nodes[0].agent_id = \"ada\" @ a",
            ".nodes[0].read_keys[0] = \"topic\" @ 'topic'",
            ".nodes[0].write_keys[0] = \"notes\" @ 'notes'",
            ".nodes[0].type = \"agent\" @ agent",
            ".nodes[1].id = \"two\" @ 'two'",
            ".nodes[1].type = \"router\" @ 'router'",
            ".nodes[1].read_keys[0] = \"notes\" @ one.writes",
            ".nodes[1].read_keys[1] = \"one_output\" @ one.output",
            ".edges[0].source = \"one\" @ one",
            ".edges[0].target = \"two\" @ two",
            ".edges[0].condition.type = \"conditional\" @ 'memory.x'",
            ".edges[0].condition.condition = \"memory.x\" @ 'memory.x'",
            ".description = \"\" @ graph",
            ".start_node = \"one\" @ graph",
            ".end_nodes[0] = \"two\" @ graph",
            ".id = \"m.ts#g\" @ graph",
        ],
    );
}

#[test]
fn values_that_can_be_computed() {
    let check = |before: &str, value: &str, expected: &str| {
        check(
            &format!("{before}\n{}", with_node(&format!("{{ id: {value} }}"))),
            ".nodes[0].id",
            &[expected],
        );
    };
    check("const x = 'a';", "`${x}-b`", ".nodes[0].id = \"a-b\" @ `${x}-b`");
    check("const x = { y: 'a' } as const;", "x.y", ".nodes[0].id = \"a\" @ x.y");
    check("const { y: z } = { y: 'a' };", "z", ".nodes[0].id = \"a\" @ z");
    check("const [, z] = ['a', 'b'];", "z", ".nodes[0].id = \"a\" @ z");
    check("enum E { A = 'a', B = 'b' }", "E.B", ".nodes[0].id = \"b\" @ E.B");
    check(
        "const k = memoryKeys({ email: { seeded: true } });",
        "k.email",
        ".nodes[0].id = \"email\" @ k.email",
    );
    check(
        "",
        "['a', 'b'].map((x) => x + '!')[1]",
        ".nodes[0].id = \"b!\" @ ['a', 'b'].map((x) => x + '!')[1]",
    );
    check(
        "const f = (x: string) => { const y = `${x}1`; return y; };",
        "f('a')",
        ".nodes[0].id = \"a1\" @ y",
    );
    check("", "true ? 'a' : 'b'", ".nodes[0].id = \"a\" @ 'a'");
    check("", "process.env.ID ? 'a' : 'a'", ".nodes[0].id = \"a\" @ 'a'");
    check("", "/^A/i.test('ab') ? 'a' : 'b'", ".nodes[0].id = \"a\" @ 'a'");
    check("", "Boolean(0) || 'a'", ".nodes[0].id = \"a\" @ 'a'");
    check("const f = (x = 'a') => x;", "f()", ".nodes[0].id = \"a\" @ 'a'");
    check("const f = (x = 'a') => x;", "f('b')", ".nodes[0].id = \"b\" @ 'b'");
    check("const f = ({ x = 'a', y: z = x } = {}) => z;", "f()", ".nodes[0].id = \"a\" @ 'a'");
    check("const f = ({ x = 'a', y: z = x } = {}) => z;", "f({ x: 'b' })", ".nodes[0].id = \"b\" @ 'b'");
    check("const [a = 'a', b = 'b'] = ['c'];", "a + b", ".nodes[0].id = \"cb\" @ a + b");
    check("", "('a' satisfies string)", ".nodes[0].id = \"a\" @ 'a'");
    check("", r"'a\n\x41\u{42}'", r#".nodes[0].id = "a\nAB" @ 'a\n\x41\u{42}'"#);
}

#[test]
fn what_only_a_run_can_know_is_unknown() {
    let check = |before: &str, value: &str, why: &str| {
        let expected = format!(".nodes[0].id = ? {why} @ {value}");
        check(
            &format!("{before}\n{}", with_node(&format!("{{ id: {value} }}"))),
            ".nodes[0].id",
            &[&expected],
        );
    };
    check("", "process.env.ID", "the environment variable `ID`");
    check("const { ID = 'a' } = process.env;", "ID", "the environment variable `ID`");
    check("const x = process.env['ID'] ?? 'a';", "`${x}-b`", "the environment variable `ID`");
    check("const x = process.env.ID || 'a';", "/^a/.test(x) ? 'a' : 'b'", "the environment variable `ID`");
    check("", "String(process.env.ID)", "the environment variable `ID`");
    check("", "/a+/.test('a') ? 'a' : 'b'", "it is computed when the program runs");
    check("const { a: { b } = c } = d;", "b", "a part of a pattern");
    check("let x = 'a'; x = 'b';", "x", "it is changed after its declaration");
    check("const x = ['a']; x.push('b');", "x[0]", "it is changed after its declaration");
    check(
        "import { x } from 'elsewhere';",
        "x",
        "it is imported from a package, or a module that was not found",
    );
    check("const x = x2; const x2 = x;", "x", "it refers to itself");
    check("const f = async () => 'a';", "f()", "the result of a function that runs later");
    check("", r"'\ud83d\ude00'", "half a character");
    check("class C {}", "new C()", "an object of a class");
}

#[test]
fn an_unknown_spread_may_hold_every_field() {
    check(
        "const n = node({ id: 'a', ...rest(), type: 'router' });\ngraph({ name: 'g', nodes: [n], edges: more() });",
        ".nodes[0].id",
        &[".nodes[0].id = ? it is computed when the program runs @ 'a'"],
    );
    check(
        "graph({ name: 'g', nodes: [node({ ...rest(), id: 'a' })] });",
        ".nodes[0].id",
        &[".nodes[0].id = \"a\" @ 'a'"],
    );
    check(
        "graph({ name: 'g', nodes: [node({ ...rest(), id: 'a' })] });",
        ".nodes[0].tool_id",
        &[".nodes[0].tool_id = ? it is computed when the program runs @ ...rest()"],
    );
    check(
        "graph({ name: 'g', nodes: [...rest(), { id: 'a' }] });",
        ".nodes",
        &[".nodes[0] = ? it is computed when the program runs @ ...rest()", ".nodes[1].id = \"a\" @ 'a'"],
    );
    check(
        "graph({ name: 'g', nodes: [...rest(), { id: 'a' }] });",
        ".start_node",
        &[".start_node = ? it is computed when the program runs @ graph"],
    );
}

/// Compares what is read of a node with the expected lines, without their places.
#[track_caller]
fn check_node(node: &str, expected: &[&str]) {
    let text = format!(
        "const w = node({{ id: 'w', agent: 'x' }});\nconst x = agent({{ id: 'ax', model: 'o1', instructions: '' }});\n{}",
        with_node(node)
    );
    let without_places: Vec<String> = expected.iter().map(|line| format!(".nodes[0].{line}")).collect();
    let text: Arc<str> = format!("{IMPORT}{text}").into();
    let module = read("m.ts", &text, &NoOthers);
    let mut lines = String::new();
    let graph = module.documents.iter().find(|document| document.kind == "Graph").unwrap();
    print(&graph.root, "", &text, &mut lines);
    let found: Vec<&str> = lines
        .lines()
        .filter(|line| line.starts_with(".nodes[0]"))
        .map(|line| line.split(" @ ").next().unwrap_or_default())
        .collect();
    assert_eq!(found, without_places, "\n{lines}");
}

#[test]
fn each_builder_has_its_block() {
    check_node(
        "supervisor(x, { id: 's', manages: [w, 'v'], maxIterations: 3 })",
        &[
            "id = \"s\"",
            "supervisor_config.managed_nodes[0] = \"w\"",
            "supervisor_config.managed_nodes[1] = \"v\"",
            "supervisor_config.max_iterations = 3",
            "type = \"supervisor\"",
            "agent_id = \"ax\"",
        ],
    );
    check_node(
        "mapReduce(w, { id: 'm', items: '$.memory.list', into: 'end', onError: 'fail_fast' })",
        &[
            "id = \"m\"",
            "map_reduce_config.items_path = \"$.memory.list\"",
            "map_reduce_config.synthesizer_node_id = \"end\"",
            "map_reduce_config.error_strategy = \"fail_fast\"",
            "map_reduce_config.worker_node_id = \"w\"",
            "type = \"map\"",
        ],
    );
    check_node(
        "mapReduce('w', { id: 'm', items: [{ aB: 1 }] })",
        &[
            "id = \"m\"",
            "map_reduce_config.static_items[0].aB = 1",
            "map_reduce_config.worker_node_id = \"w\"",
            "type = \"map\"",
        ],
    );
    check_node(
        "verifier.jsonPath('draft', { id: 'v', path: '$.a', assertion: { type: 'exists' } })",
        &[
            "id = \"v\"",
            "verifier_config.path = \"$.a\"",
            "verifier_config.assertion.type = \"exists\"",
            "verifier_config.target_key = \"draft\"",
            "verifier_config.type = \"jsonpath\"",
            "type = \"verifier\"",
        ],
    );
}

#[test]
fn builders_name_agents_tools_and_graphs() {
    check_node("approval({ id: 'a' })", &["id = \"a\"", "approval_config = {}", "type = \"approval\""]);
    check_node("cyc.runTool('t', { id: 'r' })", &["id = \"r\"", "tool_id = \"t\"", "type = \"tool\""]);
    check_node(
        "voting([x, 'b'], { id: 'v', judge: x, weights: { aB: 1 } })",
        &[
            "id = \"v\"",
            "voting_config.judge_agent_id = \"ax\"",
            "voting_config.weights.aB = 1",
            "voting_config.voter_agent_ids[0] = \"ax\"",
            "voting_config.voter_agent_ids[1] = \"b\"",
            "type = \"voting\"",
        ],
    );
    check_node(
        "subgraph(graph({ name: 'c', nodes: [w] }), { id: 's', inputs: { myKey: 'k' } })",
        &[
            "id = \"s\"",
            "subgraph_config.input_mapping.myKey = \"k\"",
            "subgraph_config.subgraph_id = \"m.ts#graph-5\"",
            "type = \"subgraph\"",
        ],
    );
    check_node(
        "{ id: 'n', agentId: 'b', failurePolicy: { maxRetries: 2 }, metadata: { aB: 1 }, tools: [tool({ name: 't', execute() {} })] }",
        &[
            "id = \"n\"",
            "agent_id = \"b\"",
            "failure_policy.max_retries = 2",
            "metadata.aB = 1",
            "tools[0].type = \"custom\"",
            "tools[0].name = \"t\"",
            "type = \"agent\"",
        ],
    );
}

#[test]
fn graphs_in_the_documents_form() {
    check(
        "createGraph({ id: 'g', name: 'g', description: '', nodes: [{ id: 'a', type: 'router', readKeys: ['k'] }], edges: [{ source: 'a', target: 'b' }], startNode: 'a', end_nodes: ['b'] });",
        ".",
        &[
            ".id = \"g\" @ 'g'",
            ".name = \"g\" @ 'g'",
            ".description = \"\" @ ''",
            ".nodes[0].id = \"a\" @ 'a'",
            ".nodes[0].type = \"router\" @ 'router'",
            ".nodes[0].read_keys[0] = \"k\" @ 'k'",
            ".edges[0].source = \"a\" @ 'a'",
            ".edges[0].target = \"b\" @ 'b'",
            ".start_node = \"a\" @ 'a'",
            ".end_nodes[0] = \"b\" @ 'b'",
        ],
    );
}

#[test]
fn other_modules_of_the_project() {
    let files = [
        ("lib/keys.ts", "export const KEYS = { topic: 'topic' } as const;\nexport default 'def';"),
        (
            "lib/index.ts",
            "export * from './keys.js';\nexport { graph as build, node } from '@cycgraph/orchestrator';\nexport { first as start } from './nodes';",
        ),
        (
            "lib/nodes.ts",
            "import { node } from '@cycgraph/orchestrator';\nimport { KEYS } from './keys';\nexport const first = node({ id: 'first', type: 'router', reads: [KEYS.topic] });",
        ),
    ];
    let project = Project(files.iter().map(|(path, text)| ((*path).to_owned(), Arc::from(*text))).collect());
    let text: Arc<str> = "// not directly from '@cycgraph/orchestrator'
import { build, start, KEYS } from './lib';
export const g = build({ name: KEYS.topic, nodes: [start] });"
        .into();
    let module = read("main.ts", &text, &project);
    check_module(
        &module,
        &text,
        ".n",
        &[
            ".name = \"topic\" @ KEYS.topic",
            ".nodes[0].id = \"first\" @ start",
            ".nodes[0].type = \"router\" @ start",
            ".nodes[0].read_keys[0] = \"topic\" @ start",
        ],
    );
    assert!(module.imports.contains(&"lib/keys.ts".to_owned()), "{:?}", module.imports);
}

#[test]
fn hostile_texts_have_an_answer() {
    for text in [
        "export * from './m'; import './m';".to_owned(),
        format!("const x = {}1{};", "(".repeat(5_000), ")".repeat(5_000)),
        format!("const x = {};", "[".repeat(5_000)),
        "const f = () => f(); graph({ name: f(), nodes: [] });".to_owned(),
        "const f = (x) => [x, x].map(f); graph({ name: f(1), nodes: f(2) });".to_owned(),
        "graph({ name: 'x', nodes: [ { id: 'a', ".to_owned(),
        "graph(".to_owned(),
    ] {
        let text: Arc<str> = format!("{IMPORT}{text}").into();
        let _ = read("m.ts", &text, &NoOthers);
    }
}

#[test]
fn half_typed_code_keeps_the_rest() {
    check(
        "const a = node({ id: 'a', type: });\nexport const g = graph({ name: 'g', nodes: [a, { id: 'b', type: 'router' }, ], edges: [{ from: a, to: }] });",
        ".nodes[1]",
        &[".nodes[1].id = \"b\" @ 'b'", ".nodes[1].type = \"router\" @ 'router'"],
    );
}

#[test]
fn of_what_a_module_imports_only_what_values_depend_on_is_read() {
    let texts = [
        ("lib/keys.ts", "import './setup';\nexport { A } from './deep';\nimport { unused } from './unused';"),
        ("lib/deep.ts", "import { other } from './other';\nexport const A = 'a';"),
        ("lib/other.ts", "export const other = 1;"),
    ];
    let project = Project(texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).into())).collect());
    let text: Arc<str> =
        "import { graph } from '@cycgraph/orchestrator';\nimport { A } from './lib/keys.js';\n\
        import { size } from './lib/size';\ngraph({ name: A, nodes: [], edges: [] });\nexport const double = size + size;"
            .into();
    assert_eq!(read("m.ts", &text, &project).imports, ["lib/keys.ts", "lib/deep.ts"]);
}

#[test]
fn every_text_that_could_name_a_module_is_an_import() {
    let text = "import a from './a.js';\nexport * from \"../b\";\nconst c = await import('./c.mjs');\n\
        const package = require('d'); // don't\nimport '../../outside';";
    let first: Vec<Option<String>> =
        super::imported_paths("src/m.ts", text).into_iter().map(|paths| paths.into_iter().next()).collect();
    assert_eq!(first, ["src/a.ts", "b.ts", "src/c.mts"].map(|path| Some(path.to_owned())));
}
