//! Tests of hovers: the text that each is about, and its content as Markdown.

mod liman;
mod modules;

use std::cell::RefCell;

use self::liman::in_planner;
use super::hover;
use crate::markup::{MarkupLinkTarget, place_of};
use crate::testing::project_at_cursor;

/// Compares the hover at the cursor with `text => markdown`. Empty for no hover.
fn check_hover(fixture: &str, expected: &str) {
    let (snapshot, position) = project_at_cursor(fixture);
    let shown = hover(&snapshot, position).map(|hover| {
        let text = &snapshot.file(position.source).unwrap().text;
        let letters = &text[std::ops::Range::<usize>::from(hover.range)];
        format!("{letters} => {}", hover.text.markdown())
    });
    assert_eq!(shown.unwrap_or_default(), expected.strip_prefix('\n').unwrap_or(expected));
}

/// Compares the links of the hover at the cursor, each as `text => place`, including links to a program or rule.
fn check_links(fixture: &str, expected: &[&str]) {
    let (snapshot, position) = project_at_cursor(fixture);
    let hover = hover(&snapshot, position).unwrap();
    let places = RefCell::new(Vec::new());
    let text = hover.text.linked(|place| {
        places.borrow_mut().push(match place {
            MarkupLinkTarget::File(at) => place_of(&snapshot, *at),
            MarkupLinkTarget::Program { path, line } => format!("{path}:{}", line + 1),
            MarkupLinkTarget::Rule(rule) => format!("rule {rule}"),
        });
        Some("PLACE".to_owned())
    });
    let mut words = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once("](PLACE)") {
        words.push(before.rsplit_once('[').map_or(before, |(_, words)| words));
        rest = behind;
    }
    let shown: Vec<String> =
        words.iter().zip(places.into_inner()).map(|(words, place)| format!("{words} => {place}")).collect();
    assert_eq!(shown, expected);
}

const CLAIMS: &str = "
#- /claims.yaml
id: claims
name: Claims
description: ''
inputs: [{key: claim, required: true}]
nodes:
  - id: read
    type: agent
    agent_id: reader
    read_keys: [claim]
    write_keys: [amount.net]
    failure_policy: {max_retries: 2, backoff_strategy: linear}
  - id: check
    type: verifier
    read_keys: [amount]
    verifier_config: {type: expression, expression: amount > 3}
  - {id: sub, type: subgraph, read_keys: ['*'], write_keys: [out], subgraph_config: {subgraph_id: child, input_mapping: {amount: topic}, output_mapping: {result: out}}}
edges:
  - {id: e1, source: read, target: check, condition: {type: conditional, condition: \"memory.amount.net > 1 and memory.check_verification_passed\"}}
  - {id: e2, source: check, target: nowhere}
start_node: read
end_nodes: [check]
#- /child.yaml
id: child
name: Child
description: ''
nodes:
  - {id: a, type: tool, tool_id: save_to_memory, read_keys: [topic], write_keys: []}
edges: []
start_node: a
end_nodes: [a]
#- /reader.yaml
id: reader
name: Reader
description: ''
model: m-1
provider: p
system_prompt: Read `the` claim
";

fn in_claims(before: &str) -> String {
    let wanted = before.replace('$', "");
    CLAIMS.replacen(&wanted, &format!("{wanted}$0"), 1)
}

#[test]
fn cycgraph_nodes_and_keys() {
    check_hover(
        &in_claims("id: re"),
        r#"
read => **node** `read` · claims.yaml:6

`agent` `reader`: runs an agent: a language model with tools

- Reads `claim`
- Writes `amount.net`
- From the start
- To `check` when `memory.amount.net > 1 and memory.check_verification_passed`"#,
    );
    check_hover(&in_claims("type: ag"), "agent => `agent`: runs an agent: a language model with tools");
    check_hover(
        &in_claims("agent_id: re"),
        r#"
reader => **Agent** `reader` · reader.yaml:1

> Read \`the\` claim

Model `m-1` of `p`

- 1 reference: `Claims`"#,
    );
    check_hover(
        &in_claims("write_keys: [am"),
        r#"
amount => **state key** `amount`

- Written by `read` (10)
- Read by `check` (14), `sub` (16), `read` → `check` (18)"#,
    );
}

#[test]
fn cycgraph_expressions_and_graphs() {
    check_hover(
        &in_claims("max_re"),
        r#"
max_retries => `FailurePolicy.max_retries`: a whole number from 0 to 10

Default `3`

How often the node is tried in all, not how often again: 0 and 1 both mean one try."#,
    );
    check_hover(
        &in_claims("backoff_strategy: li"),
        r#"
linear => `linear`: the first wait, then twice, three times as long"#,
    );
    check_hover(
        &in_claims("subgraph_id: ch"),
        r#"
child => **Graph** `Child` · `child` · child.yaml:1

1 node, 0 edges

- 1 reference: `Claims`"#,
    );
    check_hover(
        &in_claims("input_mapping: {amount: to"),
        r#"
topic => **state key** `topic`

- Written by claims.yaml:16
- Read by `a` (5)"#,
    );
    check_hover(
        &in_claims("memory.am"),
        r#"
amount => **state key** `amount`

- Written by `read` (10)
- Read by `check` (14), `sub` (16), `read` → `check` (18)"#,
    );
    check_hover(
        &in_claims("condition: \"mem"),
        r#"
memory => `memory`: What the nodes have written, by key. A verifier sees the keys that its node may read."#,
    );
    check_hover(
        &in_claims("memory.check_ve"),
        r#"
check_verification_passed => **state key** `check_verification_passed`

- Written by `check`, by the engine
- Read by `read` → `check` (18)"#,
    );
    // A finding already says that the graph has no such node.
    check_hover(&in_claims("target: no"), "");
    check_hover(
        &in_claims("tool_id: sa"),
        r#"
save_to_memory => **tool** `save_to_memory`

Built into the engine: writes a key of the memory."#,
    );
    check_hover(
        &in_claims("{id: e"),
        r#"
e1 => **edge** `e1` · claims.yaml:18

`read` → `check` when `memory.amount.net > 1 and memory.check_verification_passed`"#,
    );
    check_hover(
        &in_claims("verifier_config: {type: ex"),
        r#"
expression => `expression`: an expression over the keys that the node reads

---

`ExpressionVerifier`: An expression that must be truthy. One that ends in an error passes."#,
    );
}

const FLOW: &str = "
id: flow
name: Flow
nodes:
  - id: ask
    type: tool
    executorConfig: {type: tool, toolName: search}
    metadata: {outputAs: hits}
    effectClass: read
    checkpoint: none
    executionMode: single_turn
  - id: route
    type: router
    executorConfig:
      type: router
      condition: {type: expression, expr: \"scratch.count > 3 ? ask : done\"}
edges:
  - {id: e1, source: __START__, target: ask, type: static}
  - {id: e2, source: ask, target: route, type: static}
stateSchema: {input: {}, scratch: {type: object, properties: {count: {type: number, description: How often}}}, artifacts: {}}
reducers: {scratch.count: sum}
checkpointPolicy: none
memoryConsistency: live
";

fn in_flow(before: &str) -> String {
    FLOW.replacen(before, &format!("{before}$0"), 1)
}

#[test]
fn agentos() {
    check_hover(
        &in_flow("- id: as"),
        r#"
ask => **node** `ask` · main.yaml:4

`tool` `search`: calls a tool

- Leaves `artifacts.hits`
- From the start
- To `route`"#,
    );
    check_hover(&in_flow("source: __ST"), "__START__ => `__START__`: where a run begins");
    check_hover(
        &in_flow("scratch.co"),
        r#"
count => **state key** `scratch.count`: number

> How often

- Read by `route` (15)
- Writes are combined by `sum`: the sum; with a text on either side the two are joined"#,
    );
    check_hover(
        &in_flow("{scratch.count: su"),
        r#"
sum => `sum`: the sum; with a text on either side the two are joined"#,
    );
    check_hover(&in_flow("effectClass: re"), "read => `read`: reads only; run again on resume");
    check_hover(
        &in_flow("outputAs: hi"),
        r#"
hits => **state key** `artifacts.hits`

- Written by `ask` (7)"#,
    );
    check_hover(
        &in_flow("toolName: se"),
        r#"
search => **tool** `search`

Provided by the host program."#,
    );
    check_hover(
        &in_flow("count > 3 "),
        r#"
? => `?`: Chooses: `condition ? one : other`. An arm is a path, a literal or a plain word, and holds no operator.

`scratch.count > 3 ? ask : done`: a text"#,
    );
    check_hover(
        &in_flow("condition: {type: ex"),
        r#"
expression => `expression`: an expression

---

`ExpressionCondition`: A routing expression. An edge is followed on `true` or its own target's id; a router takes the text as a node id."#,
    );
}

#[test]
fn comments() {
    check_hover(
        "kind: LLMNode\nname: a # nodewise: ignore[unkno$0wn-field]\nprompts: x\n",
        r#"
unknown-field => `unknown-field` · warning · correctness

Reports a key that its declaration, edge, argument or account does not have."#,
    );
    check_hover(
        "kind: LLMNode\nname: a # nodewise: ign$0ore[unknown-field]\nprompts: x\n",
        r#"
# nodewise: ignore[unknown-field] => Ignores the listed rules on this line."#,
    );
    check_hover("kind: LLMNode\nname: a # not$0e\nprompts: x\n", "");
}

#[test]
fn nothing_to_say() {
    check_hover("apiVersion: v1\nkin$0d: Pod\n", "");
    check_hover("$0", "");
    check_hover("kind: LLMNode\nname: a\nprompts: [\n$0", "");
}

#[test]
fn aliases_and_merged_keys() {
    let text = "kind: ToolNode\nname: a\nauth: &who\n  service_account: x\n";
    check_hover(&format!("{text}---\nkind: ToolNode\nname: b\nauth: *wh$0o\n"), "");
    let shared = "kind: LLMNode\nname: a\nprompts: &texts {system: x}\nnodes:\n  - &way {target: a, id: 1}\n";
    check_hover(
        &format!("{shared}tools: *te$0xts\n"),
        r#"
*texts => **alias** of `texts` · main.yaml:3

```yaml
{system: x}
```"#,
    );
    check_hover(&shared.replace("&way", "&wa$0y"), "&way => **anchor** `way`: 0 aliases");
    check_hover(
        &format!("{shared}  - {{<$0<: *way, when: b}}\n"),
        "
<< => Inherits the keys that are not set here: `target`, `id`",
    );
}

#[test]
fn what_is_named_is_a_link_to_its_place() {
    check_links(
        &in_planner("name: plan"),
        &[
            "planner.yaml:2 => planner.yaml:2",
            "`search` => search.yaml:2",
            "`writer` => search.yaml:10",
            "`planner` => planner.yaml:2",
            "`planner` => planner.yaml:9",
        ],
    );
    check_links(
        &in_planner("tools: [sea"),
        &[
            "search.yaml:2 => search.yaml:2",
            "overlays/search.yaml:1 => overlays/search.yaml:1",
            "`planner` => planner.yaml:5",
        ],
    );
    check_links(&in_claims("source: re"), &["claims.yaml:6 => claims.yaml:6", "`check` => claims.yaml:12"]);
    check_links(
        &in_claims("memory.am"),
        &[
            "`read` => claims.yaml:6",
            "10 => claims.yaml:10",
            "`check` => claims.yaml:12",
            "14 => claims.yaml:14",
            "`sub` => claims.yaml:16",
            "16 => claims.yaml:16",
            "`read` => claims.yaml:6",
            "`check` => claims.yaml:12",
            "18 => claims.yaml:18",
        ],
    );
    check_links(
        &in_claims("{id: e"),
        &["claims.yaml:18 => claims.yaml:18", "`read` => claims.yaml:6", "`check` => claims.yaml:12"],
    );
    check_links(&in_flow("- id: as"), &["main.yaml:4 => main.yaml:4", "`route` => main.yaml:11"]);
    check_links(&in_flow("scratch.co"), &["`route` => main.yaml:11", "15 => main.yaml:15"]);
    check_links(
        "kind: LLMNode\nname: a # nodewise: ignore[unkno$0wn-field]\nprompts: x\n",
        &["`unknown-field` => rule unknown-field"],
    );
}

#[test]
fn what_is_seen_at_a_glance() {
    // The cursor is before the word.
    check_hover("kind:$0 LLMNode\nname: a\nprompts: x\n", "");
    // The hover on a part of a value shows the name that contains it.
    check_hover(
        &in_claims("memory.amount.n"),
        r#"
net => `memory.amount.net` is a part of `amount`:

---

**state key** `amount`

- Written by `read` (10)
- Read by `check` (14), `sub` (16), `read` → `check` (18)"#,
    );
    // The name of the graph equals its id, so there is nothing more to show.
    check_hover(
        "id: g$0\nname: g\ndescription: ''\nnodes: [{id: a, type: router}]\nedges: []\nstart_node: a\nend_nodes: [a]\n",
        r#"
g => **Graph** `g` · main.yaml:1

1 node, 0 edges

- No references"#,
    );
}

#[test]
fn names_in_scenarios_show_what_they_stand_for() {
    let files = "
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
#- /claims.scenario.yaml
scenario: A claim.
file: claims.yaml
nodes: {triage: hello}
expect: {path: ['pay']}
";
    let triage = "\
triage => **node** `triage` · claims.yaml:5

`agent` `clerk`: runs an agent: a language model with tools

- Writes `kind`
- From the start
- To `pay`";
    check_hover(&files.replace("nodes: {triage", "nodes: {tri$0age"), triage);
    // Also in incomplete text.
    check_hover(&files.replace("path: ['pay']}", "path: [tri$0age"), triage);
}

#[test]
fn keys_of_evals_are_explained() {
    let eval = |line: &str| format!("#- /a.eval.yaml\neval: Compares.\n{line}\ncases: []\n");
    let found = |line: &str| {
        let (snapshot, position) = project_at_cursor(&eval(line));
        hover(&snapshot, position).unwrap().text.plain().to_owned()
    };
    assert!(found("re$0peat: 2").contains("How often each case runs with each model and prompt."));
    assert!(
        found("judges: [{rub$0ric: Polite.}]").contains("What a good result is, in words for the judge.")
    );
}

#[test]
fn an_account_that_is_written_in_place_has_a_name() {
    let node = |auth: &str| {
        format!(
            "kind: LLMNode\nname: desk\nprompts: {{system: {{en: x}}}}\nauth:\n  service_acc$0ount: {auth}\n"
        )
    };
    let found = |fixture: &str| {
        let (snapshot, position) = project_at_cursor(fixture);
        hover(&snapshot, position).unwrap().text.plain().to_owned()
    };
    let name = "is named `LLMNode:desk__inlined__0_ServiceAccount`";
    let plain = found(&node("{inject: [a], credentials_provider: vault}"));
    assert!(plain.contains(name), "{plain}");
    assert!(!found(&node("robot")).contains("__inlined__"));
}

#[test]
fn a_name_that_a_finding_calls_undeclared_is_not_called_so_again() {
    let tool = "kind: LLMNode\nname: desk\nprompts: {system: {en: x}}\ntools: [se$0rch]\n";
    check_hover(tool, "");
    let node = "
id: g
name: G
description: ''
nodes: [{id: a, type: agent, agent_id: x}]
edges: [{source: a, target: b$0b}]
start_node: a
end_nodes: [a]
";
    check_hover(node, "");
}
