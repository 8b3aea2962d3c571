//! Edges: their order, dependencies and conditions, and what becomes of errors.

use crate::liman::{DESK, check_desk, check_flow, prompts, run};

#[test]
fn a_model_without_calls_follows_its_edges_in_order() {
    check_flow(
        "[a, {target: b, when: 'n > 1'}, {target: c, when: 'n > 5'}]",
        r#"{"llm": ["hi"], "functions": {FUNCTIONS}, "turns": [{"input": "go", "context": {"n": 2}}]}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: yes (the edge has no condition)
          > Node/b: yes
          > Node/c: no
        Node/a <- "hi"
          = "A"
        Node/b <- "hi"
          = {"n":2}
        turn: completed ["A",{"n":2}]"#,
    );
}

#[test]
fn the_output_of_the_only_branch_is_the_frames_output() {
    check_flow(
        "[{target: b, when: 'true'}]",
        r#"{"llm": ["hi"], "functions": {FUNCTIONS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/b: yes
        Node/b <- "hi"
          = {"n":2}
        turn: completed {"n":2}"#,
    );
}

#[test]
fn edges_wait_for_what_they_depend_on_wave_by_wave() {
    check_flow(
        "[{id: last, target: c, when: 'true', depends: [first, 7]}, {id: first, target: a, when: 'true'}, {id: 7, target: b, when: 'true', depends: first}]",
        r#"{"llm": ["hi"], "functions": {FUNCTIONS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: yes
        Node/a <- "hi"
          = "A"
          > Node/b: yes
        Node/b <- "hi"
          = {"n":2}
          > Node/c: yes
        Node/c <- "hi"
          = "C"
        turn: completed ["A",{"n":2},"C"]"#,
    );
}

#[test]
fn an_edge_whose_dependency_is_skipped_or_fails_is_skipped() {
    check_flow(
        "[{id: first, target: a, when: 'false'}, {target: b, when: 'true', depends: first}]",
        r#"{"llm": ["hi"], "functions": {FUNCTIONS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: no
          > Node/b: no (it depends on the edge `first`, which did not complete)
        turn: completed {"ai":"hi"}"#,
    );
    check_flow(
        "[{id: first, target: a, when: 'true'}, {target: b, when: 'true', depends: first}, {target: c, when: 'true'}]",
        r#"{"llm": ["hi"], "functions": {"lib.a": {"raises": "broken"}, "lib.b": {"returns": 1}, "lib.c": {"returns": "C"}}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: yes
          > Node/c: yes
        Node/a <- "hi"
          ! RuntimeError: broken
        Node/c <- "hi"
          = "C"
          > Node/b: no (it depends on the edge `first`, which did not complete)
        turn: completed [null,"C"]"#,
    );
}

#[test]
fn dependencies_that_are_unknown_or_a_circle_are_never_settled() {
    check_flow(
        "[{id: x, target: a, when: 'true', depends: y}, {id: y, target: b, when: 'true', depends: x}, {target: c, when: 'true', depends: zz}]",
        r#"{"llm": ["hi"], "functions": {FUNCTIONS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/c: no (it depends on `zz`, but no edge has that id)
          > Node/a: no (it waits for an edge that waits for it)
          > Node/b: no (it waits for an edge that waits for it)
        turn: completed {"ai":"hi"}"#,
    );
}

#[test]
fn conditions_may_be_functions_and_what_fails_is_not_followed() {
    check_flow(
        "[{target: a, when: rules.yes}, {target: b, when: rules.no}, {target: c, when: rules.bad}, {target: a, when: missing == 1}, {target: a, when: 'a =='}]",
        r#"{"llm": ["hi"], "functions": {FUNCTIONS, "rules.yes": {"returns": 1}, "rules.no": {"returns": ""}, "rules.bad": {"raises": "oh"}}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"hi"}
          > Node/a: yes (the function returns 1)
          > Node/b: no (the function returns )
          > Node/c: no (the function fails: oh)
          > Node/a: no (the condition fails: `missing` does not exist)
          > Node/a: no (the condition cannot be read: nothing follows `==`)
        Node/a <- "hi"
          = "A"
        turn: completed "A""#,
    );
}

#[test]
fn an_error_counts_for_edges_that_ask_for_it() {
    check_flow(
        "[{target: a, when: 'true'}, {target: b, when: $is_error(ModelError)}, {target: c, when: $is_error(OtherError)}]",
        r#"{"llm": [{"raises": "down"}], "functions": {FUNCTIONS}}"#,
        r#"
        LLMNode/desk <- "go"
          ! ModelError: down
          > Node/a: no (after an error, only conditions with `$is_error` are evaluated)
          > Node/b: yes
          > Node/c: no
        Node/b <- "down"
          = {"n":2}
        turn: completed {"n":2}"#,
    );
}

#[test]
fn an_error_that_nobody_handles_fails_the_root() {
    check_flow(
        "[a]",
        r#"{"llm": [{"raises": "down"}], "functions": {FUNCTIONS}}"#,
        r#"
        LLMNode/desk <- "go"
          ! ModelError: down
          > Node/a: no (after an error, only conditions with `$is_error` are evaluated)
        turn: failed null ModelError: down"#,
    );
}

#[test]
fn a_failed_model_remembers_nothing() {
    let log = run(DESK, r#"{"turns": ["one", "two"], "llm": [{"raises": "down"}, "up"]}"#);
    assert_eq!(
        prompts(&log)[1],
        r#"System "You are the desk.\nfind - Find\nnote - Note\npay - Pay" | Human "two""#
    );
}

#[test]
fn a_failed_frame_below_a_call_is_its_answer() {
    check_desk(
        r#"{"llm": {"desk": [{"calls": [["c1", "pay"]]}, "noticed"], "auditor": [{"raises": "no auditor"}]}, "tools": {TOOLS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"pay","args":{},"id":"c1"}]}
        ToolNode/pay <- {"name":"pay","args":{},"id":"c1"}
          = {"tool":"paid","name":"pay","id":"c1"}
          > LLMNode/auditor: yes
        LLMNode/auditor <- {"tool":"paid","name":"pay","id":"c1"}
          ! ModelError: no auditor
        LLMNode/desk <- {"tool":"no auditor","name":"pay","id":"c1"}
          = {"ai":"noticed"}
        turn: completed {"ai":"noticed"}"#,
    );
}
