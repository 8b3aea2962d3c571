//! Turns: models, the tools that they call, and what stays for the next turn.

use nodewise_engine::event::EventKind;

use crate::liman::{DESK, TOOLS, check_desk, prompts, run};

#[test]
fn a_text_ends_the_turn() {
    check_desk(
        r#"{"llm": ["hi there"], "turns": ["hello"]}"#,
        r#"
        LLMNode/desk <- "hello"
          = {"ai":"hi there"}
        turn: completed {"ai":"hi there"}"#,
    );
}

#[test]
fn a_tool_answers_the_model_that_called_it() {
    check_desk(
        r#"{"llm": [{"calls": [["c1", "find", {"email": "a@b.c", "more": 1}]]}, "It is Ann."], "tools": {TOOLS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"find","args":{"email":"a@b.c","more":1},"id":"c1"}]}
        ToolNode/find <- {"name":"find","args":{"email":"a@b.c","more":1},"id":"c1"}
          = {"tool":"Ann","name":"find","id":"c1"}
        LLMNode/desk <- {"tool":"Ann","name":"find","id":"c1"}
          = {"ai":"It is Ann."}
        turn: completed {"ai":"It is Ann."}"#,
    );
}

#[test]
fn several_tools_run_in_order_and_answer_together() {
    check_desk(
        r#"{"llm": [{"calls": [["c1", "note"], ["c2", "note"]]}, "done"], "tools": {TOOLS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"note","args":{},"id":"c1"},{"name":"note","args":{},"id":"c2"}]}
        ToolNode/note <- {"name":"note","args":{},"id":"c1"}
          = {"tool":"noted","name":"note","id":"c1"}
        ToolNode/note <- {"name":"note","args":{},"id":"c2"}
          = {"tool":"noted","name":"note","id":"c2"}
        LLMNode/desk <- [{"tool":"noted","name":"note","id":"c1"},{"tool":"noted","name":"note","id":"c2"}]
          = {"ai":"done"}
        turn: completed {"ai":"done"}"#,
    );
}

#[test]
fn rounds_of_calls_follow_one_another() {
    let script = r#"{"llm": [{"calls": [["c1", "note"]]}, {"calls": [["c2", "note"], ["c3", "note"]]}, "done"], "tools": {TOOLS}}"#;
    let log = run(DESK, &script.replace("TOOLS", TOOLS));
    let visited: Vec<&str> = log
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::VisitStarted { node, .. } => node.split('/').nth(1),
            _ => None,
        })
        .collect();
    assert_eq!(visited, ["desk", "note", "desk", "note", "note", "desk"]);
}

#[test]
fn an_unknown_tool_is_reported_to_the_model_or_an_error() {
    let script = |strict: bool| {
        format!(
            r#"{{"strict": {strict}, "llm": [{{"calls": [["c1", "fnd"]]}}, "sorry"], "tools": {{TOOLS}}}}"#
        )
    };
    check_desk(
        &script(false),
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"fnd","args":{},"id":"c1"}]}
        LLMNode/desk <- {"tool":"`fnd` is no tool of LLMNode/desk","name":"fnd","id":"c1"}
          = {"ai":"sorry"}
        turn: completed {"ai":"sorry"}"#,
    );
    check_desk(
        &script(true),
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"fnd","args":{},"id":"c1"}]}
        turn: failed null UnknownToolError: `fnd` is no tool of LLMNode/desk"#,
    );
}

#[test]
fn a_tool_that_exists_but_is_not_listed_is_unknown() {
    check_desk(
        r#"{"start": "LLMNode/auditor", "llm": [{"calls": [["c1", "note"]]}, "ok"], "tools": {TOOLS}}"#,
        r#"
        LLMNode/auditor <- "go"
          = {"ai":"","tool_calls":[{"name":"note","args":{},"id":"c1"}]}
        LLMNode/auditor <- {"tool":"`note` is no tool of LLMNode/auditor","name":"note","id":"c1"}
          = {"ai":"ok"}
        turn: completed {"ai":"ok"}"#,
    );
}

#[test]
fn a_tools_error_is_its_answer() {
    check_desk(
        r#"{"llm": [{"calls": [["c1", "note"]]}, "sorry"], "tools": {"note": {"raises": "db down"}}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"note","args":{},"id":"c1"}]}
        ToolNode/note <- {"name":"note","args":{},"id":"c1"}
          ! RuntimeError: db down
        LLMNode/desk <- {"tool":"db down","name":"note","id":"c1"}
          = {"ai":"sorry"}
        turn: completed {"ai":"sorry"}"#,
    );
}

#[test]
fn a_missing_argument_is_an_answer_too() {
    check_desk(
        r#"{"llm": [{"calls": [["c1", "find"]]}, "sorry"], "tools": {TOOLS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"find","args":{},"id":"c1"}]}
        ToolNode/find <- {"name":"find","args":{},"id":"c1"}
          ! ValueError: Required parameter is missing: 'email'
        LLMNode/desk <- {"tool":"Required parameter is missing: 'email'","name":"find","id":"c1"}
          = {"ai":"sorry"}
        turn: completed {"ai":"sorry"}"#,
    );
}

#[test]
fn the_visit_beyond_the_limit_fails_the_turn_and_the_next_turn_counts_anew() {
    check_desk(
        r#"{"max_iterations": 2, "turns": ["one", "two"], "llm": [{"calls": [["c1", "note"]]}, "second"], "tools": {TOOLS}}"#,
        r#"
        LLMNode/desk <- "one"
          = {"ai":"","tool_calls":[{"name":"note","args":{},"id":"c1"}]}
        ToolNode/note <- {"name":"note","args":{},"id":"c1"}
          = {"tool":"noted","name":"note","id":"c1"}
        turn: failed null MaxIterationsError: the turn took more than 2 visits
        LLMNode/desk <- "two"
          = {"ai":"second"}
        turn: completed {"ai":"second"}"#,
    );
}

#[test]
fn a_limit_of_zero_fails_every_turn() {
    check_desk(
        r#"{"max_iterations": 0, "llm": ["x"]}"#,
        "turn: failed null MaxIterationsError: the turn took more than 0 visits",
    );
}

#[test]
fn the_start_nodes_actor_lives_across_turns_and_others_do_not() {
    let log = run(
        DESK,
        r#"{"turns": ["one", "two"], "llm": {"desk": ["first", {"calls": [["c1", "pay"]]}, "end"], "auditor": ["fine"]}, "tools": {"pay": {"returns": "paid"}}}"#,
    );
    assert_eq!(
        prompts(&log),
        [
            r#"System "You are the desk.\nfind - Find\nnote - Note\npay - Pay" | Human "one""#,
            r#"System "You are the desk.\nfind - Find\nnote - Note\npay - Pay" | Human "one" | Model "first" | Human "two""#,
            r#"System "You audit." | Tool "paid""#,
            r#"System "You are the desk.\nfind - Find\nnote - Note\npay - Pay" | Human "one" | Model "first" | Human "two" | Model "" | Tool "fine""#,
        ]
    );
}

#[test]
fn a_followed_edge_of_a_tool_answers_the_call() {
    check_desk(
        r#"{"llm": [{"calls": [["c1", "pay"]]}, "audited", "all done"], "tools": {TOOLS}}"#,
        r#"
        LLMNode/desk <- "go"
          = {"ai":"","tool_calls":[{"name":"pay","args":{},"id":"c1"}]}
        ToolNode/pay <- {"name":"pay","args":{},"id":"c1"}
          = {"tool":"paid","name":"pay","id":"c1"}
          > LLMNode/auditor: yes
        LLMNode/auditor <- {"tool":"paid","name":"pay","id":"c1"}
          = {"ai":"audited"}
        LLMNode/desk <- {"tool":"audited","name":"pay","id":"c1"}
          = {"ai":"all done"}
        turn: completed {"ai":"all done"}"#,
    );
}
