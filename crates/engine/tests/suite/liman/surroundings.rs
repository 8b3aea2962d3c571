//! What stands around nodes: accounts, what functions set, texts, languages, time, and what is missing.

use crate::liman::{check_desk, check_flow, check_run, prompts, run, shown};

const ACCOUNTS: &str = "
kind: LLMNode
name: desk
prompts: {system: S}
auth: {service_account: clerk}
nodes: [{target: a, when: auth.context.uid == 7}, {target: b, when: auth.service_account == 'clerk'}]
---
kind: Node
name: a
func: lib.a
nodes: [{target: b, when: auth.context.uid == 7}]
---
kind: Node
name: b
func: lib.b
---
kind: ServiceAccount
name: clerk
context: {inject: ['uid: user.id']}
";

#[test]
fn an_account_is_injected_into_its_node_alone() {
    check_run(
        ACCOUNTS,
        r#"{"llm": ["hi"], "functions": {"lib.a": {"returns": "A"}, "lib.b": {"returns": "B"}}, "turns": [{"input": "go", "context": {"user": {"id": 7}}}]}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: yes
          > Node/b: yes
        Node/a <- "hi"
          = "A"
          > Node/b: no (the condition fails: `auth` does not exist)
        Node/b <- "hi"
          = "B"
        turn: completed ["A","B"]"#,
    );
}

#[test]
fn a_variable_that_a_strict_account_misses_fails_the_frame() {
    check_run(
        ACCOUNTS,
        r#"{"llm": ["hi"]}"#,
        r#"
        LLMNode/desk <- "go"
          ! ValueError: Required context variable not found in state: 'user.id'
        turn: failed null ValueError: Required context variable not found in state: 'user.id'"#,
    );
}

#[test]
fn what_a_function_sets_comes_before_the_runs_context() {
    check_run(
        "kind: Node\nname: desk\nfunc: lib.desk\nnodes: [{target: a, when: n == 1}, {target: a, when: m == 2}]\n---\nkind: FunctionNode\nname: a\nfunc: lib.a\n",
        r#"{"start": "Node/desk", "turns": [{"input": "go", "context": {"n": 5, "m": 2}}],
            "functions": {"lib.desk": {"returns": {"k": 1}, "context": {"n": 1}}, "lib.a": {"returns": "A"}}}"#,
        r#"
        Node/desk <- "go"
          = {"k":1}
          > FunctionNode/a: yes
          > FunctionNode/a: yes
        FunctionNode/a <- {"k":1}
          = "A"
        FunctionNode/a <- {"k":1}
          = "A"
        turn: completed ["A","A"]"#,
    );
}

#[test]
fn texts_of_outputs_are_contents_or_json() {
    check_run(
        "kind: LLMNode\nname: desk\nprompts: {system: S}\ntools: [t]\n---\nkind: ToolNode\nname: t\ndescription: T\nfunc: f.t\nnodes: [a, b]\n---\nkind: Node\nname: a\nfunc: lib.a\n---\nkind: Node\nname: b\nfunc: lib.b\n",
        r#"{"llm": [{"calls": [["c", "t"]]}, "end"], "tools": {"t": {"returns": {"x": [1]}}}, "functions": {"lib.a": {"returns": "A"}, "lib.b": {"returns": null}}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"t","args":{},"id":"c"}]}
        ToolNode/t <- {"name":"t","args":{},"id":"c"}
          = {"tool":"{\"x\":[1]}","name":"t","id":"c"}
          > Node/a: yes (the edge has no condition)
          > Node/b: yes (the edge has no condition)
        Node/a <- {"tool":"{\"x\":[1]}","name":"t","id":"c"}
          = "A"
        Node/b <- {"tool":"{\"x\":[1]}","name":"t","id":"c"}
          = null
        LLMNode/desk <- {"tool":"[\"A\",null]","name":"t","id":"c"}
          = {"ai":"end"}
        turn: completed {"ai":"end"}"#,
    );
}

#[test]
fn prompts_are_in_the_runs_language_with_fallback_text_by_text() {
    let agent = "kind: LLMNode\nname: desk\nprompts: {system: {en: You., de: Du.}}\ntools: [t]\n---\nkind: ToolNode\nname: t\ndescription: {en: Search}\ntriggers: {en: [find it, look], de: [such]}\ntool_prompt_template: 'Use {name}: {description} {triggers}'\nfunc: f.t\n";
    let log = run(agent, r#"{"language": "de", "llm": ["ja"]}"#);
    assert_eq!(prompts(&log), [r#"System "Du.\nUse t: Search - such" | Human "go""#]);
}

#[test]
fn now_is_the_hosts_time() {
    check_flow(
        "[{target: a, when: $now() > '2020-01-01T00:00:00Z'}, {target: b, when: $now() > deadline}]",
        r#"{"now": 1600000000, "llm": ["hi"], "functions": {FUNCTIONS}, "turns": [{"input": "go", "context": {"deadline": 1600000001}}]}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: yes
          > Node/b: no
        Node/a <- "hi"
          = "A"
        turn: completed "A""#,
    );
}

#[test]
fn what_is_missing_is_reported_at_its_place() {
    check_desk(
        r#"{"start": "LLMNode/nobody"}"#,
        "turn: failed null ComponentNotFoundError: Component with key 'LLMNode:nobody' not found in the registry.",
    );
    check_flow(
        "[nowhere]",
        r#"{"llm": ["hi"]}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > nowhere: yes (the edge has no condition)
        turn: failed null ComponentNotFoundError: Component with key 'Node:nowhere' not found in the registry."#,
    );
    check_desk(
        r#"{"llm": []}"#,
        r#"
        LLMNode/desk <- "go"
          ! ScriptExhausted: the script has no answer left for the model `desk`, which node `LLMNode/desk` asks
        turn: failed null ScriptExhausted: the script has no answer left for the model `desk`, which node `LLMNode/desk` asks"#,
    );
}

#[test]
fn a_circle_of_nodes_ends_at_the_limit() {
    let agent = "kind: Node\nname: desk\nfunc: lib.desk\nnodes: [desk]\n";
    let script =
        r#"{"start": "Node/desk", "max_iterations": 3000, "functions": {"lib.desk": {"returns": 1}}}"#;
    let log = run(agent, script);
    assert!(
        shown(&log).ends_with("turn: failed null MaxIterationsError: the turn took more than 3000 visits\n")
    );
}

#[test]
fn a_hang_of_the_release_is_reported_and_lasts() {
    check_desk(
        r#"{"profile": "0.1.1", "turns": ["one", "two"], "start": "LLMNode/auditor", "llm": [{"calls": [["c1", "note"], ["c2", "note"]]}, "x"], "tools": {TOOLS}}"#,
        r#"
        LLMNode/auditor <- "one"
          = {"ai":"","tool_calls":[{"name":"note","args":{},"id":"c1"},{"name":"note","args":{},"id":"c2"}]}
        ToolNode/note <- {"name":"note","args":{},"id":"c1"}
          = {"tool":"noted","name":"note","id":"c1"}
        ToolNode/note <- {"name":"note","args":{},"id":"c2"}
          = {"tool":"noted","name":"note","id":"c2"}
        turn: hung null Hang: the turn never ends: this release waits for a node that never runs
        turn: hung null Hang: the turn never ends: this release waits for a node that never runs"#,
    );
}

/// The younger release counts before it makes the actor, and the count lasts over turns.
#[test]
fn a_node_of_the_release_without_an_actor_counts() {
    let agent = "
        kind: LLMNode
        name: desk
        prompts: {system: {en: You are the desk.}}
        tools: [pay]
        ---
        kind: ToolNode
        name: pay
        description: Pay
        func: fake.pay
        to: [{ref: LLMNode/auditor}]
        ---
        kind: LLMNode
        name: auditor
        prompts: {system: {en: You audit.}}
        tools: [nowhere]
        "
    .replace("\n        ", "\n");
    let check = |most: u32, ends: [&str; 2]| {
        let script = r#"{"profile": "0.1.1", "start": "LLMNode/desk", "max_iterations": MOST, "turns": ["one", "two"],
            "llm": [{"calls": [["c1", "pay"]]}, "second"], "tools": {"pay": {"returns": "paid"}}}"#;
        let [first, second] = ends;
        let expected = format!(
            r#"
            LLMNode/desk <- "one"
              = {{"ai":"","tool_calls":[{{"name":"pay","args":{{}},"id":"c1"}}]}}
            ToolNode/pay <- {{"name":"pay","args":{{}},"id":"c1"}}
              > LLMNode/auditor: yes (the edge has no condition)
              = {{"tool":"paid","name":"pay","id":"c1"}}
            turn: {first}
            {second}"#
        );
        check_run(&agent, &script.replace("MOST", &most.to_string()), &expected);
    };
    let flaw = "failed null NodeActorError: Failed to initialize actor: Component with key 'ToolNode:nowhere' not found in the registry.";
    let limit = |most: u32| format!("failed null RuntimeError: Executor exceeded max iterations ({most})");
    check(2, [&limit(2), &format!("turn: {}", limit(2))]);
    check(3, [flaw, &format!("turn: {}", limit(3))]);
    check(4, [flaw, "LLMNode/desk <- \"two\"\n= {\"ai\":\"second\"}\nturn: completed {\"ai\":\"second\"}"]);
}
