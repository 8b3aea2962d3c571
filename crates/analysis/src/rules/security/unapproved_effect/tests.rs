//! Planted effects, each with a twin in which someone decides first: systems × effects × checks. And where nothing is
//! reported.

use nodewise_test_support::Fixture;

use crate::check;
use crate::settings::{SecuritySettings, Settings};
use crate::testing::{check_rule_with, project};

const RULE: &str = "unapproved-effect";

/// Checks files, and compares the nodes that are reported, and the first node of each path, with `expected`.
#[track_caller]
fn check_nodes(name: &str, files: &str, expected: &[(&str, &str)]) {
    let fixture = Fixture::parse(files);
    let files = project(&fixture, &Settings::default());
    let diagnostics = check::check(&files);
    let text = |at: nodewise_model::Origin| files.get(at.source).unwrap().text[at.range].to_owned();
    let found: Vec<(String, String)> = diagnostics
        .iter()
        .filter(|one| one.rule == RULE)
        .map(|one| {
            let first = one.finding.related.first().map(|related| text(related.at));
            (text(one.finding.at), first.unwrap_or_default())
        })
        .collect();
    let found: Vec<(&str, &str)> =
        found.iter().map(|(node, first)| (node.as_str(), first.as_str())).collect();
    assert_eq!(found, expected, "{name}: {diagnostics:#?}");
}

/// How a graph of cycgraph acts: the node `act`, and other files.
const CYCGRAPH_EFFECTS: [(&str, &str); 5] = [
    ("{id: act, type: agent, agent_id: b, tools: [{type: custom, name: refund_order}]}", ""),
    ("{id: act, type: tool, tool_id: delete_user}", ""),
    ("{id: act, type: agent, agent_id: b, tools: [{type: mcp, server_id: own, tool_names: [deploy]}]}", ""),
    (
        "{id: act, type: agent, agent_id: payer}",
        "#- /payer.yaml
{id: payer, name: p, model: m, provider: p, system_prompt: s, tools: [{type: custom, name: run_shell}]}
",
    ),
    (
        "{id: act, type: subgraph, subgraph_config: {subgraph_id: paying}}",
        "#- /paying.yaml
{id: paying, name: s, description: d, nodes: [{id: x, type: tool, tool_id: pay_out}], edges: [], start_node: x, end_nodes: [x]}
",
    ),
];

const CYCGRAPH_CHECKS: [&str; 2] = [
    "{id: ask, type: approval, approval_config: {approval_type: human_review, prompt_message: Continue?}}",
    "{id: ask, type: verifier, read_keys: [plan], verifier_config: {type: expression, expression: memory.plan == 1}}",
];

fn cycgraph(check: Option<&str>, effect: (&str, &str)) -> String {
    let (ask, edges) = match check {
        None => (String::new(), "{source: think, target: act}"),
        Some(check) => (format!("{check}, "), "{source: think, target: ask}, {source: ask, target: act}"),
    };
    let think = "{id: think, type: agent, agent_id: t, write_keys: [plan], tools: []}";
    let (act, files) = effect;
    format!(
        "#- /main.yaml
{{id: main, name: main, description: d, nodes: [{think}, {ask}{act}], edges: [{edges}], start_node: think, end_nodes: [act]}}
{files}"
    )
}

/// The settings of the node `act` of AgentOS.
const AGENTOS_EFFECTS: [&str; 3] = [
    "type: tool, executorConfig: {type: tool, toolName: pay_card}",
    "type: tool, executorConfig: {type: tool, toolName: deleteUser}",
    "type: extension, executorConfig: {type: extension, extensionId: com.acme.x, method: wipe}",
];

const AGENTOS_CHECKS: [&str; 2] = [
    "{id: ask, type: human, executorConfig: {type: human, prompt: Continue?}}",
    "{id: ask, type: guardrail, executorConfig: {type: guardrail, guardrailIds: [injection], onViolation: block}}",
];

fn agentos(check: Option<&str>, effect: &str) -> String {
    let (ask, edges) = match check {
        None => (String::new(), "  - {id: e2, source: think, target: act, type: static}\n"),
        Some(check) => (
            format!("  - {check}\n"),
            "  - {id: e2, source: think, target: ask, type: static}\n  - {id: e3, source: ask, target: act, type: static}\n",
        ),
    };
    format!(
        "#- /graph.yaml
id: main
name: main
nodes:
  - {{id: think, type: gmi, executorConfig: {{type: gmi, instructions: i}}}}
{ask}  - {{id: act, {effect}, effectClass: external}}
edges:
  - {{id: e1, source: __START__, target: think, type: static}}
{edges}  - {{id: e9, source: act, target: __END__, type: static}}
"
    )
}

#[test]
fn planted_effects_are_found_and_their_checked_twins_are_not() {
    let reported = [("act", "think")];
    for effect in CYCGRAPH_EFFECTS {
        check_nodes(effect.0, &cycgraph(None, effect), &reported);
        for check in CYCGRAPH_CHECKS {
            check_nodes(check, &cycgraph(Some(check), effect), &[]);
        }
    }
    for effect in AGENTOS_EFFECTS {
        check_nodes(effect, &agentos(None, effect), &reported);
        for check in AGENTOS_CHECKS {
            check_nodes(check, &agentos(Some(check), effect), &[]);
        }
    }
}

#[test]
fn an_approval_at_once_is_no_decision() {
    let at_once =
        "{id: ask, type: human, executorConfig: {type: human, prompt: Continue?, autoAccept: true}}";
    check_nodes(at_once, &agentos(Some(at_once), AGENTOS_EFFECTS[0]), &[("act", "think")]);
}

#[test]
fn effects_that_are_decided_elsewhere_or_reported_already() {
    let paying = CYCGRAPH_EFFECTS[4].1;
    let unknown = "{id: ask, type: subgraph, subgraph_config: {subgraph_id: of_a_program}}";
    check_nodes("a graph of a program", &cycgraph(Some(unknown), CYCGRAPH_EFFECTS[1]), &[]);
    let asking = "#- /asking.yaml
{id: asking, name: s, description: d, nodes: [{id: x, type: approval, approval_config: {}}], edges: [], start_node: x, end_nodes: [x]}
";
    let asks = "{id: ask, type: subgraph, subgraph_config: {subgraph_id: asking}}";
    let files = cycgraph(Some(asks), CYCGRAPH_EFFECTS[1]) + asking;
    check_nodes("a graph that asks", &files, &[]);
    check_nodes("a graph alone", paying, &[("x", "")]);
    let tainted = "#- /main.yaml
id: main
name: main
description: d
nodes:
  - {id: read, type: agent, agent_id: a, tools: [{type: mcp, server_id: web}], write_keys: [found]}
  - {id: act, type: tool, tool_id: pay_card, read_keys: [found]}
edges: [{source: read, target: act}]
start_node: read
end_nodes: [act]
";
    check_nodes("reported by `unguarded-effect`", tainted, &[]);
}

#[test]
fn a_choice_between_a_check_and_the_effect_is_a_decision() {
    let graph = |condition: &str, ends: &str| {
        format!(
            "#- /main.yaml
id: main
name: main
description: d
nodes:
  - {{id: rate, type: tool, tool_id: rate}}
  - {{id: ask, type: approval, approval_config: {{}}}}
  - {{id: act, type: tool, tool_id: pay_card}}
edges:
  - {{source: rate, target: {ends}{condition}}}
  - {{source: rate, target: act}}
  - {{source: ask, target: act}}
start_node: rate
end_nodes: [act]
"
        )
    };
    let condition = ", condition: {type: conditional, condition: memory.rate_result > 5}";
    check_nodes("large sums", &graph(condition, "ask"), &[]);
    check_nodes("another choice", &graph(condition, "act"), &[("act", "rate")]);
    check_nodes("no choice", &graph("", "ask"), &[("act", "rate")]);
}

#[test]
fn the_project_says_what_cannot_be_undone() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let security = SecuritySettings {
        effects: names(&["close_*"]),
        harmless: names(&["delete_draft"]),
        ..SecuritySettings::default()
    };
    check_rule_with(
        RULE,
        &Settings { security, ..Settings::default() },
        "
id: a
name: a
description: d
nodes:
  - {id: close, type: tool, tool_id: close_ticket}
#        ^^^^^ hint[unapproved-effect]: `close` acts, and no person or check decides before it
  - {id: clean, type: tool, tool_id: delete_draft}
edges: [{source: close, target: clean}]
start_node: close
end_nodes: [clean]
",
    );
}
