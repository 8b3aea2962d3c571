//! AgentOS: variants, node ids with the ends of a run, keys of the state, in YAML and JSON.

use super::{check_accept, check_completion, check_labels};

const GRAPH: &str = "id: g
name: G
nodes:
  - id: plan
    type: gmi
    executorConfig: {type: gmi, instructions: Plan.}
    executionMode: single_turn
    effectClass: read
    checkpoint: none
  - id: search
    type: tool
    executorConfig: {type: tool, toolName: web}
    executionMode: single_turn
    effectClass: read
    checkpoint: none
    metadata: {outputAs: pages}
edges:
  - {id: e1, source: __START__, target: plan, type: static}
  - {id: e2, source: plan, target: search, type: static}
  - {id: e3, source: search, target: __END__, type: static}
stateSchema: {input: {}, scratch: {type: object, properties: {count: {type: number}}}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
";

fn with(line: &str, other: &str) -> String {
    assert!(GRAPH.contains(line), "{line}");
    GRAPH.replacen(line, other, 1)
}

#[test]
fn variants() {
    check_labels(&with("{type: tool, toolName: web}", "{type: tool, $0}"), "toolName args");
    check_labels(&with("{type: tool, toolName: web}", "{$0}"), "type instructions …");
    check_labels(
        &with("{type: tool, toolName: web}", "{type: $0}"),
        "gmi tool extension human guardrail router subgraph voice",
    );
    check_accept(
        &with("{type: tool, toolName: web}", "$0"),
        "type: tool",
        &with("{type: tool, toolName: web}", "\n      type: tool\n      toolName: $0"),
    );
}

#[test]
fn ends_of_edges() {
    check_completion(
        &with("target: search,", "target: $0,"),
        "search Node: tool
         __END__ Node: where a run ends
         plan Node: gmi",
    );
    check_completion(
        &with("source: plan,", "source: $0,"),
        "plan Node: gmi
         __START__ Node: where a run begins
         search Node: tool",
    );
    check_labels(
        &with("target: search, type: static}", "target: search, type: conditional, $0}"),
        "condition …",
    );
}

#[test]
fn state() {
    check_labels(&with("reducers: {}", "reducers: {$0}"), "scratch.count …");
    check_accept(
        &with("reducers: {}", "reducers: {co$0}"),
        "scratch.count",
        &with("reducers: {}", "reducers: {scratch.count: concat}"),
    );
}

#[test]
fn tools() {
    check_labels(
        &with(
            "effectClass: read\n    checkpoint: none\n    metadata",
            "effectClass: $0\n    checkpoint: none\n    metadata",
        ),
        "pure read write external human",
    );
    check_completion(
        &format!("#- /other.yaml\n{GRAPH}#- /main.yaml\n{}", with("toolName: web", "toolName: $0")),
        "web Provided: in other.yaml",
    );
}

#[test]
fn exits_of_a_voice_session() {
    let voice = "{type: voice, voiceConfig: {mode: conversation, exitOn: keyword, exitKeywords: [stop]}}";
    let at = |edges: &str| {
        with("{type: gmi, instructions: Plan.}", &format!("{voice}\n    edges: {edges}"))
            .replace("type: gmi", "type: voice")
    };
    check_labels(&at("{$0}"), "completed interrupted hangup turns-exhausted silence-timeout keyword:stop");
    check_labels(&at("{hangup: search, silence$0}"), "silence-timeout");
    check_labels(&at("{hangup: sea$0}"), "search");
}

#[test]
fn expressions() {
    let at = |expr: &str| {
        with(
            "target: search, type: static}",
            &format!("target: search, type: conditional, condition: {{type: expression, expr: {expr}}}}}"),
        )
    };
    check_labels(&at("\"$0\""), "search scratch.count artifacts.plan artifacts.pages …");
    check_labels(&at("\"scratch.$0\""), "count _personaTraits voiceTransport");
    check_labels(&at("\"artifacts.$0\""), "plan pages");
    check_accept(&at("artifacts.p$0"), "pages", &at("artifacts.pages"));
}

#[test]
fn keys_by_type() {
    check_labels(
        &with("target: plan, type: static}", "target: plan, type: discovery, $0}"),
        "discoveryQuery discoveryKind discoveryFallback guardrailPolicy condition personalityCondition",
    );
    check_labels(&with("checkpointPolicy: none\n", "$0\n"), "checkpointPolicy");
    check_labels(&with("checkpointPolicy: none", "checkpointPolicy: $0"), "every_node explicit none");
    check_labels(
        &with("    checkpoint: none\n    metadata", "    $0\n    metadata"),
        "checkpoint timeout retryPolicy …",
    );
}

#[test]
fn routers() {
    let router = |expr: &str| {
        with(
            "    type: gmi\n    executorConfig: {type: gmi, instructions: Plan.}\n",
            &format!(
                "    type: router\n    executorConfig:\n      type: router\n      condition: {{type: expression, expr: {expr}}}\n"
            ),
        )
    };
    check_labels(&router("\"scratch.count > 1 ? $0\""), "search …");
    check_labels(&router("\"scratch.count > 1 ? '$0'\""), "search");
    check_labels(&router("\"scratch.count > 1 ? 'search' : '$0\""), "search");
    check_labels(&router("\"scratch.count == '$0'\""), "");
    check_accept(
        &router("\"scratch.count > 1 ? 'se$0' : 'x'\""),
        "search",
        &router("\"scratch.count > 1 ? 'search' : 'x'\""),
    );
    check_accept(
        &router("\"scratch.count > 1 ? se$0\""),
        "search",
        &router("\"scratch.count > 1 ? search\""),
    );
    check_accept(
        &router("|-\n          scratch.c$0")
            .replace("}\n", "\n")
            .replace("{type: expression, expr:", "\n        type: expression\n        expr:"),
        "count",
        &router("|-\n          scratch.count")
            .replace("}\n", "\n")
            .replace("{type: expression, expr:", "\n        type: expression\n        expr:"),
    );
}

#[test]
fn mappings_between_graphs() {
    let child = GRAPH.replacen("id: g\n", "id: child\n", 1).replacen(
        "input: {}",
        "input: {type: object, properties: {query: {type: string}}}",
        1,
    );
    let parent = |mapping: &str| {
        let main = with(
            "    type: tool\n    executorConfig: {type: tool, toolName: web}\n",
            &format!(
                "    type: subgraph\n    executorConfig: {{type: subgraph, graphId: child, {mapping}}}\n"
            ),
        );
        format!("#- /child.yaml\n{child}#- /main.yaml\n{main}")
    };
    check_labels(&parent("inputMapping: {count: $0}"), "query");
    check_labels(&parent("outputMapping: {$0}"), "plan pages");
    check_labels(&parent("outputMapping: {pages: $0}"), "count voiceTransport");
    check_labels(&parent("inputMapping: {$0}"), "count …");
    check_labels(&parent("graphId: $0}").replace("graphId: child, ", "").replace("$0}}", "$0}"), "child g");
}

#[test]
fn json() {
    let graph = "{\n  \"id\": \"g\",\n  \"nodes\": [\n    {\n      \"id\": \"a\",\n      \"executorConfig\": {\"type\": \"tool\"},\n      $0\n    }\n  ]\n}\n";
    let at = |typed: &str| format!("#- /g.json\n{}", graph.replacen("$0", typed, 1));
    check_labels(&at("$0"), "type executionMode effectClass checkpoint timeout …");
    check_accept(&at("$0"), "effectClass", &graph.replacen("$0", "\"effectClass\": \"pure\"", 1));
    check_accept(&at("\"eff$0\""), "effectClass", &graph.replacen("$0", "\"effectClass\": \"pure\"", 1));
    check_accept(&at("\"type\": $0"), "tool", &graph.replacen("$0", "\"type\": \"tool\"", 1));
    check_accept(
        &at("\"retryPolicy\": {$0}"),
        "maxAttempts",
        &graph.replacen("$0", "\"retryPolicy\": {\"maxAttempts\": $0}", 1),
    );
}

#[test]
fn documents() {
    check_labels(
        "id: g\nnodes:\n  - id: a\n    executorConfig: {type: tool, toolName: x}\n---\n$0",
        "AgentOS graph AgentOS workflow …",
    );
    check_labels(
        "steps:\n  - id: a\n    action: $0\n    phase: gather\n",
        "reasoning tool_call human_input validation",
    );
}
