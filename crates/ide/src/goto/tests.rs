//! Tests of where names lead, with places as lists.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use super::{DefinitionLink, declaration, definition, implementation, type_definition};
use crate::testing::{places, project_at_cursor};

/// Lists the targets of the cursor in a fixture's project.
fn check_goto(fixture: &str, expected: &str) {
    let (snapshot, position) = project_at_cursor(fixture);
    let mut list = String::new();
    let mut add = |word: &str, link: Option<DefinitionLink>| {
        for one in link.iter().flat_map(|link| &link.functions) {
            writeln!(list, "{word} function {}:{}:{} {}", one.path, one.line + 1, one.column + 1, one.title)
                .unwrap();
        }
        for target in link.iter().flat_map(|link| &link.targets) {
            write!(list, "{word} {} {}", target.title, places(&snapshot, &[target.at])).unwrap();
        }
    };
    let found = definition(&snapshot, position);
    let declared = declaration(&snapshot, position);
    let is_same = found == declared;
    add("definition", found);
    add("declaration", declared.filter(|_| !is_same));
    add("type", type_definition(&snapshot, position));
    add("implementation", implementation(&snapshot, position));
    assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
}

const LIMAN: &str = "
#- /tools.yaml
kind: ToolNode
name: search
func: app.search
description: x
#- /writer.yaml
kind: LLMNode
name: writer
prompts: {system: x}
";

#[test]
fn liman_references_lead_to_declarations() {
    let with = |file: &str| format!("{}{file}", LIMAN.trim_start());
    check_goto(
        &with("#- /a.yaml\nkind: LLMNode\nname: a\nprompts: {system: x}\ntools: [sea$0rch]\n"),
        "definition ToolNode `search` tools.yaml:2:7 search\n",
    );
    check_goto(
        &with(
            "#- /a.yaml\nkind: LLMNode\nname: a\nprompts: {system: x}\nnodes: [{target: \"wri$0ter\", when: x}]\n",
        ),
        "definition LLMNode `writer` writer.yaml:2:7 writer\n",
    );
    check_goto(
        &with("#- /o.yaml\nkind: Overlay\nto: LLMNode:wri$0ter\nprompts: {system: y}\n"),
        "definition LLMNode `writer` writer.yaml:2:7 writer\n",
    );
    check_goto(&with("#- /a.yaml\nkind: LLMNode\nname: a\nprompts: {system: x}\ntools: [gon$0e]\n"), "");
}

#[test]
fn a_declaration_leads_to_itself_and_its_overlays() {
    check_goto(
        "
#- /a.yaml
kind: LLMNode
name: plan$0ner
prompts: {system: x}
#- /de.yaml
kind: Overlay
to: LLMNode:planner
prompts: {system: {de: y}}
",
        "
definition LLMNode `planner` a.yaml:2:7 planner
definition Overlay of LLMNode `planner` de.yaml:2:13 planner
declaration LLMNode `planner` a.yaml:2:7 planner
",
    );
}

#[test]
fn a_dependency_leads_to_its_edge_through_overlays() {
    check_goto(
        "
#- /a.yaml
kind: LLMNode
name: planner
prompts: {system: x}
nodes: [{target: b, when: x, id: 1}]
#- /patch.yaml
kind: Overlay
to: LLMNode:planner
nodes: [{target: b, when: y, depends: '1$0'}]
",
        "definition edge `1` a.yaml:4:34 1\n",
    );
}

const CYCGRAPH: &str = "
id: main
name: Main
description: ''
inputs: {topic: {schema: {type: string}}}
nodes:
  - {id: plan, type: agent, agent_id: planner, read_keys: [topic], write_keys: [draft]}
  - {id: look, type: tool, tool_id: echo, read_keys: [draft], write_keys: [look_result]}
  - id: sub
    type: subgraph
    read_keys: ['*']
    subgraph_config: {subgraph_id: child, input_mapping: {draft: text}, output_mapping: {out: found}}
edges:
  - {source: plan, target: look}
  - {source: look, target: sub, condition: {type: conditional, condition: \"memory.EXPR\"}}
start_node: plan
end_nodes: [sub]
#- /planner.yaml
id: planner
name: P
model: m
provider: p
system_prompt: x
tools: []
#- /child.yaml
id: child
name: Child
description: ''
nodes:
  - {id: a, type: agent, agent_id: planner, read_keys: [text], write_keys: [out]}
edges: []
start_node: a
end_nodes: [a]
";

#[test]
fn cycgraph_ends_of_edges_lead_to_nodes_and_nodes_to_what_they_run() {
    let with = |from: &str, to: &str| {
        format!("#- /main.yaml\n{}", CYCGRAPH.trim_start().replace("EXPR", "draft").replace(from, to))
    };
    check_goto(
        &with("source: plan,", "source: pl$0an,"),
        "
definition node `plan` main.yaml:6:10 plan
type Agent `planner` planner.yaml:1:5 planner
implementation Agent `planner` planner.yaml:1:5 planner
",
    );
    check_goto(
        &with("start_node: plan", "start_node: plan$0"),
        "
definition node `plan` main.yaml:6:10 plan
type Agent `planner` planner.yaml:1:5 planner
implementation Agent `planner` planner.yaml:1:5 planner
",
    );
    check_goto(
        &with("subgraph_id: child", "subgraph_id: ch$0ild"),
        "definition Graph `Child` child.yaml:1:5 child\n",
    );
}

#[test]
fn cycgraph_keys_lead_to_their_writers() {
    let with = |key: &str| format!("#- /main.yaml\n{}", CYCGRAPH.trim_start().replace("EXPR", key));
    check_goto(&with("dra$0ft.title"), "definition state key `draft` main.yaml:6:81 draft\n");
    check_goto(
        &with("$0topic"),
        "
definition state key `topic` main.yaml:4:10 topic
type state key `topic` main.yaml:4:10 topic
",
    );
    check_goto(&with("found$0"), "definition state key `found` main.yaml:11:95 found\n");
    check_goto(&with("plan_output$0"), "definition node `plan` main.yaml:6:10 plan\n");
    check_goto(
        &format!("#- /main.yaml\n{}", CYCGRAPH.trim_start().replace("{out: found}", "{o$0ut: found}")),
        "definition state key `out` child.yaml:5:77 out\n",
    );
}

const AGENTOS: &str = r#"
id: flow
name: flow
nodes:
  - {id: ask, type: tool, executorConfig: {type: tool, toolName: search}, metadata: {outputAs: hits}}
  - {id: more, type: tool, executorConfig: {type: tool, toolName: search}}
  - id: route
    type: router
    executorConfig: {type: router, condition: {type: expression, expr: "EXPR"}}
  - {id: sub, type: subgraph, executorConfig: {type: subgraph, graphId: flow, inputMapping: {count: topic}, outputMapping: {more: total}}}
edges:
  - {id: e1, source: __START__, target: ask, type: static}
stateSchema:
  input: {type: object, properties: {topic: {type: string}}}
  scratch: {type: object, properties: {"count": {type: number}}}
  artifacts: {}
reducers: {scratch.count: sum}
"#;

#[test]
fn agentos_expressions_lead_to_nodes_schemas_and_outputs() {
    let with = |expr: &str| AGENTOS.replace("EXPR", expr);
    check_goto(&with("scratch.count > 3 ? as$0k : more"), "definition node `ask` main.yaml:4:10 ask\n");
    check_goto(
        &with("scratch.cou$0nt > 3 ? ask : more"),
        "
definition state key `scratch.count` main.yaml:14:41 count
definition state key `scratch.count` main.yaml:16:20 count
declaration state key `scratch.count` main.yaml:14:41 count
type state key `scratch.count` main.yaml:14:41 count
",
    );
    check_goto(
        &with("artifacts.hits$0 == 1 ? ask : more"),
        "definition state key `artifacts.hits` main.yaml:4:96 hits\n",
    );
    check_goto(&with("artifacts.mo$0re == 1 ? ask : more"), "definition node `more` main.yaml:5:10 more\n");
}

#[test]
fn agentos_mappings_lead_to_the_other_graph() {
    let with = |from: &str, to: &str| AGENTOS.replace("EXPR", "ask").replace(from, to);
    check_goto(
        &with("{count: topic}", "{count: top$0ic}"),
        "
definition state key `input.topic` main.yaml:13:38 topic
definition state key `input.topic` main.yaml:9:101 topic
declaration state key `input.topic` main.yaml:13:38 topic
type state key `input.topic` main.yaml:13:38 topic
",
    );
    check_goto(&with("{more: total}", "{mo$0re: total}"), "definition node `more` main.yaml:5:10 more\n");
    check_goto(&with("source: __START__", "source: __ST$0ART__"), "");
}

#[test]
fn aliases_lead_to_anchors() {
    check_goto(
        "
kind: LLMNode
name: &me planner
prompts: &texts {system: x}
nodes: [{target: *m$0e, when: x}]
",
        "
definition anchor `me` main.yaml:2:8 me
declaration LLMNode `planner` main.yaml:2:11 planner
",
    );
    check_goto(
        "
id: main
name: Main
description: ''
nodes:
  - &base {id: a, type: agent, agent_id: x, read_keys: [k], write_keys: [k]}
  - {<<: *ba$0se, id: b}
edges: []
start_node: a
end_nodes: [b]
",
        "definition anchor `base` main.yaml:5:6 base\n",
    );
}

#[test]
fn functions_lead_to_python() {
    let files = "
#- /search.yaml
kind: ToolNode
name: search
func: app.tools.search
description: x
#- /src/app/tools.py
import os

def search(query: str) -> str:
    \"Finds.\"
#- /use.yaml
kind: LLMNode
name: a
prompts: {system: x}
tools: [search]
nodes: [{target: b, when: app.tools.search}]
";
    check_goto(
        &files.replace("func: app.tools.search", "func: app.tools.sea$0rch"),
        "
definition function src/app/tools.py:3:5 search(query: str) -> str: Finds.
type function src/app/tools.py:3:5 search(query: str) -> str: Finds.
implementation function src/app/tools.py:3:5 search(query: str) -> str: Finds.
",
    );
    check_goto(
        &files.replace("tools: [search]", "tools: [sea$0rch]"),
        "
definition ToolNode `search` search.yaml:2:7 search
type function src/app/tools.py:3:5 search(query: str) -> str: Finds.
implementation function src/app/tools.py:3:5 search(query: str) -> str: Finds.
",
    );
    check_goto(
        &files.replace("when: app.tools.search", "when: app.to$0ols.search"),
        "
definition function src/app/tools.py:3:5 search(query: str) -> str: Finds.
type function src/app/tools.py:3:5 search(query: str) -> str: Finds.
implementation function src/app/tools.py:3:5 search(query: str) -> str: Finds.
",
    );
}

#[test]
fn names_that_programs_register_lead_to_python() {
    check_goto(
        "
#- /app.py
from liman_core.nodes.tool_node import ToolNode

ToolNode.from_dict({\"kind\": \"ToolNode\", \"name\": \"search\"}, registry)
#- /use.yaml
kind: LLMNode
name: a
prompts: {system: x}
tools: [sea$0rch]
",
        "definition function app.py:3:50 ToolNode search\n",
    );
}

#[test]
fn names_in_scenarios_lead_to_what_they_run() {
    let claims = "
#- /claims.yaml
id: claims
name: Claims
description: ''
nodes:
  - {id: triage, type: agent, agent_id: clerk, write_keys: [kind]}
  - {id: pay, type: tool, tool_id: bank}
edges: [{source: triage, target: pay}]
start_node: triage
end_nodes: [pay]
#- /tests/claims.scenario.yaml
scenario: A claim.
file: ../claims.yaml
graph: claims
nodes: {triage: hello}
expect: {path: ['pay']}
";
    let triage = "definition node `triage` claims.yaml:5:10 triage\n";
    let pay = "definition node `pay` claims.yaml:6:10 pay\n";
    check_goto(&claims.replace("{triage: hello", "{tri$0age: hello"), triage);
    check_goto(&claims.replace("['pay']", "['pa$0y']"), pay);
    check_goto(&claims.replace("['pay']}", "['pa$0y'"), pay);
    let flow = "
#- /flow.yaml
id: flow
nodes:
  - {id: ask, executorConfig: {type: human, prompt: May I?}}
edges:
  - {id: a, source: __START__, target: ask, type: static}
#- /flow.script.yaml
script: What is answered.
file: flow.yaml
nodes: {as$0k: {decision: approve}}
";
    check_goto(flow, "definition node `ask` flow.yaml:3:10 ask\n");
    let desk = "
#- /desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Hi}}
#- /desk.scenario.yaml
scenario: Hello.
file: desk.yaml
start: \"LLMNode/de$0sk\"
";
    check_goto(desk, "definition LLMNode `desk` desk.yaml:2:7 desk\n");
}

#[test]
fn paths_of_scenarios_lead_to_files() {
    let files = "
#- /t/a.scenario.yaml
scenario: A
uses: b.script.yaml
file: ../flow.yaml
expect: {}
#- /t/b.script.yaml
script: B
agents: {}
#- /flow.yaml
id: flow
nodes: [{id: ask, executorConfig: {type: tool, toolName: x}}]
edges: []
";
    let at =
        |place: &str| files.trim_start().replacen(place, &format!("{}$0{}", &place[..2], &place[2..]), 1);
    check_goto(&at("../flow.yaml"), "definition file `flow.yaml` flow.yaml:1:1 \n");
    check_goto(&at("b.script.yaml\nfile"), "definition file `t/b.script.yaml` t/b.script.yaml:1:1 \n");
    check_goto(&at("b.script.yaml\nfile").replace("b.$0s", "x.$0s"), "");
}

#[test]
fn in_modules_texts_lead_to_letters() {
    let files = "
#- /agents.yaml
id: ada
name: Ada
model: m
provider: openai
system_prompt: Find.
#- /ids.ts
export const FIRST = 'one';
#- /m.ts
import { graph, node } from '@cycgraph/orchestrator';
import { FIRST } from './ids';
const one = node({ id: FIRST, agent: 'ada', writes: 'notes' });
const two = node({ id: 'two', agent: 'ada', reads: ['notes', one.output] });
graph({ name: 'g', nodes: [one, two], edges: [{ from: 'one', to: 'two', when: 'memory.notes > 1' }] });
";
    let at = |place: &str| files.replace(&place.replace("$0", ""), place);
    let check = |place: &str, expected: &str| check_goto(&at(place), expected);
    check("FIRST, agent: 'a$0da'", "definition Agent `ada` agents.yaml:1:5 ada\n");
    check("from: 'o$0ne'", "definition node `one` ids.ts:1:23 one\n");
    check(
        "to: 't$0wo'",
        "definition node `two` m.ts:4:25 two\ntype Agent `ada` agents.yaml:1:5 ada\nimplementation Agent `ada` agents.yaml:1:5 ada\n",
    );
    check("memory.not$0es", "definition state key `notes` m.ts:3:54 notes\n");
    check("[o$0ne, two]", "");
    check("one.outp$0ut", "");
}
