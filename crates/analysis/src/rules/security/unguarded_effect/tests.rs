//! Sixty planted flows, each with a twin that has a check on the path: systems × sources × effects. And the ways in which
//! text does not come to an effect.

use nodewise_test_support::Fixture;

use crate::check;
use crate::settings::Settings;
use crate::testing::{check_rule, project};

const RULE: &str = "unguarded-effect";

/// What stands in a check's place where there is none.
const NO_CHECK: &str = "";

/// Checks files, and compares the first and the last node of each path that is found with `expected`.
#[track_caller]
fn check_paths(name: &str, files: &str, expected: &[(&str, &str)]) {
    let fixture = Fixture::parse(files);
    let files = project(&fixture, &Settings::default());
    let diagnostics = check::check(&files);
    let found: Vec<(String, String)> = diagnostics
        .iter()
        .filter(|one| one.rule == RULE)
        .map(|one| {
            let text = |at: nodewise_model::Origin| files.get(at.source).unwrap().text[at.range].to_owned();
            let related = &one.finding.related;
            let own = || text(one.finding.at);
            let end = |one: Option<&crate::diagnostic::Related>| one.map_or_else(own, |one| text(one.at));
            (end(related.first()), end(related.last()))
        })
        .collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    assert_eq!(found, expected, "{name}: {diagnostics:#?}");
}

/// How untrusted text comes into a graph of cycgraph: the node `read`, and other files.
const CYCGRAPH_SOURCES: [(&str, &str, &str); 6] = [
    ("server", "{id: read, type: agent, agent_id: a, tools: [{type: mcp, server_id: web}], write_keys: [found]}", ""),
    (
        "agent with server",
        "{id: read, type: agent, agent_id: surfer, write_keys: [found]}",
        "#- /surfer.yaml
{id: surfer, name: s, model: m, provider: p, system_prompt: s, tools: [{type: mcp, server_id: web}]}
",
    ),
    (
        "remote agent",
        "{id: read, type: a2a, a2a_config: {server_id: partner, input_mapping: {goal: ask}, output_mapping: {answer: found}}}",
        "",
    ),
    (
        "untrusted memory",
        "{id: read, type: agent, agent_id: a, memory_query: {text: x, untrusted: true}, write_keys: [found]}",
        "",
    ),
    (
        "tainting tool",
        "{id: read, type: agent, agent_id: a, tools: [{type: custom, name: look_around}], write_keys: [found]}",
        "",
    ),
    (
        "graph with server",
        "{id: read, type: subgraph, subgraph_config: {subgraph_id: surfing, output_mapping: {result: found}}}",
        "#- /surfing.yaml
{id: surfing, name: s, description: d, nodes: [{id: x, type: agent, agent_id: a, tools: [{type: mcp, server_id: web}], write_keys: [result]}], edges: [], start_node: x, end_nodes: [x]}
",
    ),
];

/// How a graph of cycgraph acts: the node `act`, and other files.
const CYCGRAPH_EFFECTS: [(&str, &str, &str); 6] = [
    ("custom tool", "{id: act, type: agent, agent_id: b, read_keys: [plan], tools: [{type: custom, name: pay_card}]}", ""),
    ("tool node", "{id: act, type: tool, tool_id: send_mail, read_keys: [plan]}", ""),
    (
        "tool of a server",
        "{id: act, type: agent, agent_id: b, read_keys: [plan], tools: [{type: mcp, server_id: own, tool_names: [delete_row]}]}",
        "",
    ),
    (
        "agent with tool",
        "{id: act, type: agent, agent_id: payer, read_keys: [plan]}",
        "#- /payer.yaml
{id: payer, name: p, model: m, provider: p, system_prompt: s, tools: [{type: custom, name: refund_order}]}
",
    ),
    (
        "kept facts",
        "{id: act, type: reflection, read_keys: [plan], reflection_config: {source_keys: [plan], tags: [t]}}",
        "",
    ),
    (
        "graph with tool",
        "{id: act, type: subgraph, read_keys: [plan], subgraph_config: {subgraph_id: paying, input_mapping: {plan: order}}}",
        "#- /paying.yaml
{id: paying, name: s, description: d, nodes: [{id: x, type: tool, tool_id: pay_out, read_keys: [order]}], edges: [], start_node: x, end_nodes: [x]}
",
    ),
];

const CYCGRAPH_CHECKS: [&str; 2] = [
    "{id: ask, type: approval, approval_config: {approval_type: human_review, prompt_message: Go on?}}",
    "{id: ask, type: verifier, read_keys: [plan], verifier_config: {type: expression, expression: memory.plan == 1}}",
];

fn cycgraph(source: &(&str, &str, &str), check: &str, effect: &(&str, &str, &str)) -> String {
    let (ask, edges) = match check {
        NO_CHECK => (String::new(), "{source: think, target: act}"),
        check => (format!("{check}, "), "{source: think, target: ask}, {source: ask, target: act}"),
    };
    let think = "{id: think, type: agent, agent_id: t, read_keys: [found], write_keys: [plan], tools: []}";
    let (read, act) = (source.1, effect.1);
    let graph = format!(
        "{{id: main, name: main, description: d, nodes: [{read}, {think}, {ask}{act}], edges: [{{source: read, target: think}}, {edges}], start_node: read, end_nodes: [act]}}"
    );
    format!(
        "#- /bundle.bundle.yaml
{{manifest: {{name: n, version: '1', requires: {{tools: [{{name: look_around, taints: true}}]}}}}, graph: {graph}}}
{}{}",
        source.2, effect.2
    )
}

const AGENTOS_SOURCES: [(&str, &str); 4] = [
    ("caller", "{id: read, type: voice, executorConfig: {type: voice, voiceConfig: {mode: conversation}}}"),
    ("web tool", "{id: read, type: tool, executorConfig: {type: tool, toolName: web_search}}"),
    ("mail tool", "{id: read, type: tool, executorConfig: {type: tool, toolName: readMail}}"),
    (
        "extension",
        "{id: read, type: extension, executorConfig: {type: extension, extensionId: com.acme.x, method: crawl}}",
    ),
];

/// The node `act`, and the edge to it from `think`.
const AGENTOS_EFFECTS: [(&str, &str, &str); 3] = [
    ("tool", "toolName: pay_card", "condition: {type: expression, expr: artifacts.think.pay}"),
    (
        "tool by scratch",
        "toolName: send_reply",
        "condition: {type: expression, expr: \"scratch.go === true\"}",
    ),
    ("tool by name", "toolName: deleteUser", "condition: {type: expression, expr: artifacts.think.next}"),
];

fn agentos(source: &str, check: &str, effect: &(&str, &str, &str)) -> String {
    let (_, tool, condition) = effect;
    let (ask, last) = match check {
        NO_CHECK => (String::new(), "think"),
        check => (
            format!(
                "  - {check}\n  - {{id: rest, type: gmi, executorConfig: {{type: gmi, instructions: i}}}}\n"
            ),
            "rest",
        ),
    };
    let edges = match check {
        NO_CHECK => String::new(),
        _ => "  - {id: e3, source: think, target: ask, type: static}\n  - {id: e4, source: ask, target: rest, type: static}\n".to_owned(),
    };
    format!(
        "#- /graph.yaml
id: main
name: main
nodes:
  - {source}
  - {{id: think, type: gmi, executorConfig: {{type: gmi, instructions: i}}}}
{ask}  - {{id: act, type: tool, executorConfig: {{type: tool, {tool}}}, effectClass: external}}
edges:
  - {{id: e1, source: __START__, target: read, type: static}}
  - {{id: e2, source: read, target: think, type: static}}
{edges}  - {{id: e5, source: {last}, target: act, type: conditional, {condition}}}
  - {{id: e6, source: act, target: __END__, type: static}}
stateSchema: {{input: {{}}, scratch: {{}}, artifacts: {{}}}}
reducers: {{}}
checkpointPolicy: none
memoryConsistency: live
"
    )
}

const AGENTOS_CHECKS: [&str; 2] = [
    "{id: ask, type: human, executorConfig: {type: human, prompt: Go on?}}",
    "{id: ask, type: guardrail, executorConfig: {type: guardrail, guardrailIds: [injection], onViolation: block}}",
];

const LIMAN_SOURCES: [&str; 3] = ["web_search", "read_mail", "browse"];
const LIMAN_EFFECTS: [&str; 2] = ["send_mail", "delete_user"];

/// Where the tool that acts is: how many model nodes after the one that brings in the text.
const LIMAN_DISTANCES: [usize; 2] = [0, 2];

fn liman(source: &str, is_checked: bool, effect: &str, distance: usize) -> String {
    let node = |name: &str, tools: &str, next: &str| {
        format!(
            "kind: LLMNode\nname: {name}\nprompts: {{system: {{en: Hi}}}}\ntools: [{tools}]\nnodes: [{next}]\n---\n"
        )
    };
    let check = "kind: FunctionNode\nname: ask\nfunc: a.b\nnodes: [think]\n---\n";
    let nodes = match (distance, is_checked) {
        (0, false) => node("read", &format!("{source}, {effect}"), ""),
        (_, false) => node("read", source, "think") + &node("think", "", "act") + &node("act", effect, ""),
        (_, true) => {
            node("read", source, "ask") + check + &node("think", "", "act") + &node("act", effect, "")
        }
    };
    let tool = |name: &str| format!("kind: ToolNode\nname: {name}\ndescription: {{en: d}}\nfunc: a.{name}\n");
    format!("#- /a.yaml\n{nodes}{}---\n{}", tool(source), tool(effect))
}

#[test]
fn sixty_planted_flows_are_found_and_their_checked_twins_are_not() {
    let mut count = 0;
    let mut check_pair = |name: String, planted: String, checked: String, ends: (&str, &str)| {
        check_paths(&name, &planted, &[ends]);
        check_paths(&format!("{name}, checked"), &checked, &[]);
        count += 1;
    };
    for (number, source) in CYCGRAPH_SOURCES.iter().enumerate() {
        for effect in &CYCGRAPH_EFFECTS {
            let name = format!("cycgraph: {} → {}", source.0, effect.0);
            let check = CYCGRAPH_CHECKS[number % 2];
            check_pair(
                name,
                cycgraph(source, NO_CHECK, effect),
                cycgraph(source, check, effect),
                ("read", "act"),
            );
        }
    }
    for (number, (word, source)) in AGENTOS_SOURCES.iter().enumerate() {
        for effect in &AGENTOS_EFFECTS {
            let name = format!("AgentOS: {word} → {}", effect.0);
            let check = AGENTOS_CHECKS[number % 2];
            check_pair(
                name,
                agentos(source, NO_CHECK, effect),
                agentos(source, check, effect),
                ("read", "act"),
            );
        }
    }
    for source in LIMAN_SOURCES {
        for effect in LIMAN_EFFECTS {
            for distance in LIMAN_DISTANCES {
                let name = format!("Liman: {source} → {effect} after {distance}");
                let end = if distance == 0 { "read" } else { "act" };
                let (planted, checked) =
                    (liman(source, false, effect, distance), liman(source, true, effect, distance));
                check_pair(name, planted, checked, ("read", end));
            }
        }
    }
    assert_eq!(count, 60);
}

#[test]
fn text_that_comes_to_no_effect() {
    check_rule(
        RULE,
        "
#- /other_key.yaml
id: a
name: a
description: d
nodes:
  - {id: read, type: agent, agent_id: a, tools: [{type: mcp, server_id: web}], write_keys: [found]}
  - {id: act, type: tool, tool_id: pay_card, read_keys: [order]}
edges: [{source: read, target: act}]
start_node: read
end_nodes: [act]
#- /before.yaml
id: b
name: b
description: d
nodes:
  - {id: act, type: tool, tool_id: pay_card, read_keys: [found]}
  - {id: read, type: agent, agent_id: a, tools: [{type: mcp, server_id: web}], write_keys: [found]}
edges: [{source: act, target: read}]
start_node: act
end_nodes: [read]
#- /looks.yaml
id: c
name: c
description: d
nodes:
  - {id: read, type: agent, agent_id: a, tools: [{type: mcp, server_id: web}], write_keys: [found]}
  - {id: look, type: tool, tool_id: list_payments, read_keys: [found]}
edges: [{source: read, target: look}]
start_node: read
end_nodes: [look]
#- /own_tools.yaml
id: d
name: d
description: d
nodes:
  - {id: read, type: agent, agent_id: surfer, tools: [], write_keys: [found]}
  - {id: act, type: tool, tool_id: pay_card, read_keys: [found]}
edges: [{source: read, target: act}]
start_node: read
end_nodes: [act]
#- /surfer.yaml
{id: surfer, name: s, model: m, provider: p, system_prompt: s, tools: [{type: mcp, server_id: web}]}
#- /unknown_graph.yaml
id: e
name: e
description: d
nodes:
  - {id: read, type: agent, agent_id: a, tools: [{type: mcp, server_id: web}], write_keys: [found]}
  - {id: other, type: subgraph, subgraph_config: {subgraph_id: of_a_program}}
  - {id: act, type: tool, tool_id: pay_card, read_keys: [found]}
edges: [{source: read, target: other}, {source: other, target: act}]
start_node: read
end_nodes: [act]
",
    );
}

#[test]
fn the_path_is_shown() {
    let files = cycgraph(&CYCGRAPH_SOURCES[0], NO_CHECK, &CYCGRAPH_EFFECTS[0]);
    let fixture = Fixture::parse(&files);
    let diagnostics = check::check(&project(&fixture, &Settings::default()));
    let found = diagnostics.iter().find(|one| one.rule == RULE).expect("it is found");
    assert_eq!(found.finding.message, "`act` acts on untrusted text from `read`");
    let path: Vec<&str> = found.finding.related.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(path, ["`read` reads from the server `web`", "`think` reads `found`", "`act` reads `plan`"]);
}
