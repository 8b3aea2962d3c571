//! Planted mistakes: wrong answers that are similar to a difference in the ledger. No entry may explain them. Next to
//! them are the differences that the entry does explain.

use serde_json::{Value, json};

use super::super::subject::{Disagreement, Explanation, Subject, agree};
use super::super::subjects;

/// A question with our answer and the package's.
struct Case {
    subject: &'static Subject,
    question: Value,
    theirs: Value,
}

fn case(subject: &str, question: Value, theirs: Value) -> Case {
    let (system, name) = subject.split_once(' ').expect("a system and a subject");
    let subject = subjects().find(|subject| subject.system == system && subject.name == name);
    Case { subject: subject.expect("a subject of that name"), question, theirs }
}

impl Case {
    fn explanation(&self, ours: &Value) -> Explanation {
        assert!(!agree(ours, &self.theirs), "the answers differ: {ours}");
        self.subject.explain(&Disagreement { question: &self.question, ours, theirs: &self.theirs })
    }

    /// The ledger does not explain this answer.
    fn check_caught(&self, ours: Value) {
        assert_eq!(self.explanation(&ours), Explanation::None, "{}\n  ours {ours}", self.question);
    }

    fn check_kept(&self, ours: Value) {
        let explanation = self.explanation(&ours);
        assert!(matches!(explanation, Explanation::Entry(_)), "{}\n  ours {ours}", self.question);
    }
}

/// A document of Liman that one side rejects for a reason.
fn document(line: &str, document: Value, refused_by_us: bool, why: &str) -> (Case, Value) {
    documents(line, json!([document]), refused_by_us, why)
}

/// The last document differs.
fn documents(line: &str, documents: Value, refused_by_us: bool, why: &str) -> (Case, Value) {
    let count = documents.as_array().map_or(0, Vec::len);
    let answer = |is_refused: bool| {
        let mut words = vec!["loaded"; count];
        let mut whys: Vec<Vec<&str>> = vec![Vec::new(); count];
        if is_refused {
            words[count - 1] = "refused";
            whys[count - 1].push(why);
        }
        json!({"documents": words, "why": whys})
    };
    let question = json!({"ask": "documents", "line": line, "form": "json", "value": documents});
    (case("liman documents", question, answer(!refused_by_us)), answer(refused_by_us))
}

fn check_document(is_kept: bool, (case, ours): (Case, Value)) {
    if is_kept { case.check_kept(ours) } else { case.check_caught(ours) }
}

#[test]
fn lists_are_kept_for_triggers_alone() {
    let why = "AttributeError: 'CommentedSeq' object has no attribute 'items'";
    let tool = |key: &str, value: Value| {
        let mut tool = json!({"kind": "ToolNode", "name": "a", "func": "a.b"});
        tool[key] = value;
        document("release", tool, false, why)
    };
    check_document(
        false,
        document("release", json!({"kind": "LLMNode", "name": "a", "prompts": ["hello"]}), false, why),
    );
    check_document(false, tool("description", json!(["hello"])));
    check_document(false, tool("triggers", json!(["hello"])));
    check_document(true, tool("triggers", json!([["hello"]])));
}

#[test]
fn what_a_line_does_not_read_is_one_key() {
    let node = |key: &str, why: &str| {
        let mut node = json!({"kind": "LLMNode", "name": "a", "prompts": "x"});
        node[key] = json!(["b"]);
        document("classic", node, true, why)
    };
    check_document(false, node("tools", "tools: wrong-type"));
    check_document(false, node("tool_prompt_template", "tool_prompt_template: wrong-type"));
    check_document(true, node("to", "to: wrong-type"));
}

#[test]
fn a_duplicate_is_kept_where_the_packages_lack_the_other() {
    let named =
        |kind: &str| json!({"kind": kind, "name": "a", "prompts": "x", "func": "a.b", "description": "x"});
    let why = "kind: duplicate-declaration";
    check_document(false, documents("release", json!([named("LLMNode"), named("ToolNode")]), true, why));
    check_document(false, documents("release", json!([named("LLMNode"), named("LLMNode")]), true, why));
    let (mut case, mut ours) = documents("release", json!([named("LLMNode"), named("LLMNode")]), true, why);
    for answer in [&mut case.theirs, &mut ours] {
        answer["documents"][0] = json!("refused");
    }
    case.check_kept(ours);
}

#[test]
fn an_overlay_explains_its_own_target_alone() {
    let tool = json!({"kind": "LLMNode", "name": "a", "prompts": "x"});
    let overlay = |to: &str| json!({"kind": "Overlay", "to": to, "prompts": 5});
    let of = |to: &str| documents("release", json!([overlay(to), tool.clone()]), true, "name: invalid-value");
    check_document(false, of("LLMNode:b"));
    check_document(false, of("ToolNode:a"));
    check_document(true, of("LLMNode:a"));
    let given = |key: &str| {
        let overlay = json!({"kind": "Overlay", "to": "ServiceAccount:b", key: "x"});
        let account = json!({"kind": "ServiceAccount", "name": "b"});
        documents(
            "release",
            json!([overlay, account]),
            false,
            "InvalidSpecError: it must have a credentials_provider",
        )
    };
    check_document(false, given("description"));
    check_document(true, given("credentials_provider"));
    let inlined = |patch: Value| {
        let node = json!({"kind": "LLMNode", "name": "b", "prompts": "x", "auth": {"service_account": {}}});
        let mut overlay = json!({"kind": "Overlay", "to": "LLMNode:b"});
        overlay.as_object_mut().expect("an overlay").extend(patch.as_object().cloned().expect("a patch"));
        let why = "InvalidSpecError: Invalid service_account spec: it must have a credentials_provider";
        documents("classic", json!([overlay, node]), false, why)
    };
    check_document(false, inlined(json!({"credentials_provider": "x"})));
    check_document(false, inlined(json!({"auth": {"credentials_provider": "x"}})));
    check_document(false, inlined(json!({"auth": {"service_account": {"description": "x"}}})));
    check_document(true, inlined(json!({"auth": {"service_account": {"credentials_provider": "x"}}})));
}

#[test]
fn a_list_of_types_is_read_late_where_its_use_fails() {
    let tool = |types: Value| {
        let arguments = json!([{"name": "x", "type": types}]);
        let tool = json!({"kind": "ToolNode", "name": "a", "description": "x", "func": "a.b", "arguments": arguments});
        document("release", tool, true, "arguments.type: wrong-type")
    };
    check_document(false, tool(json!(["str", "int"])));
    check_document(true, tool(json!(["str", "text"])));
    let model = |output: Value, way: &str| {
        let model = json!({"kind": "LLMNode", "name": "a", "prompts": {}, "structured_output": output});
        document("release", model, true, &format!("{way}: wrong-type"))
    };
    check_document(false, model(json!(["float", "int"]), "structured_output"));
    check_document(false, model(json!({"x?": ["int"]}), "structured_output.x?"));
    check_document(false, model(json!({"x": {"type": ["int"]}}), "structured_output.x.type"));
    check_document(false, model(json!({"x": "int", "y": ["float", "int"]}), "structured_output.x.y"));
    check_document(true, model(json!({"x?": ["float", "int"]}), "structured_output.x?"));
    check_document(true, model(json!({"x": {"type": ["float", "int"]}}), "structured_output.x.type"));
    check_document(true, model(json!({"x": []}), "structured_output.x"));
}

/// A run of one model with tools in a row.
fn sequential_run(prompts: Value) -> Value {
    json!({"ask": "run", "line": "classic", "value": {
        "documents": [
            {"kind": "LLMNode", "name": "desk", "prompts": prompts, "tools": ["find", "note"]},
            {"kind": "ToolNode", "name": "find", "func": "fake.find", "description": "Find"},
            {"kind": "ToolNode", "name": "note", "func": "fake.note", "description": "Note"},
        ],
        "functions": {},
        "script": {
            "start": "LLMNode/desk",
            "turns": ["go"],
            "tools": {"find": {"returns": "found"}, "note": {"returns": "noted"}},
            "llm": [
                {"tool_calls": [{"name": "find", "args": {}, "id": "c1"}]},
                {"tool_calls": [{"name": "note", "args": {}, "id": "c2"}]},
                "done",
            ],
        },
    }})
}

#[test]
fn the_order_of_visits_counts() {
    let mut run = case("liman runs", sequential_run(json!({"system": "x"})), Value::Null);
    run.theirs = (run.subject.ours)(&run.question);
    let mut ours = run.theirs.clone();
    let visited = ours["turns"][0]["visited"].as_array_mut().expect("visits");
    assert_eq!(visited.len(), 5);
    visited.swap(1, 3);
    run.check_caught(ours);
}

#[test]
fn the_order_of_failures_counts() {
    let mut run = case("liman runs", sequential_run(json!({"system": "x"})), Value::Null);
    run.theirs = (run.subject.ours)(&run.question);
    run.theirs["failures"] = json!(["a fails", "b fails"]);
    let mut ours = run.theirs.clone();
    ours["failures"] = json!(["b fails", "a fails"]);
    run.check_caught(ours);
}

#[test]
fn a_language_above_changes_the_first_words_alone() {
    let mut run = case("liman runs", sequential_run(json!({"ru": {"system": "x"}})), Value::Null);
    let ours = (run.subject.ours)(&run.question);
    run.theirs = ours.clone();
    for call in run.theirs["llm_calls"].as_array_mut().expect("calls") {
        call["messages"][0]["system"] = json!("");
    }
    run.check_kept(ours.clone());
    run.theirs["turns"][0]["output"] = json!({"ai": "other"});
    run.check_caught(ours);
}

#[test]
fn localized_texts_are_those_of_the_specification() {
    let bundle = |value: Value, theirs: Value| {
        let question = json!({"ask": "bundle", "value": value, "language": "en"});
        case("liman bundles", question, theirs)
    };
    let beside = bundle(json!({"en": "a", "ru": "b", "xx": "c"}), json!({"error": true}));
    beside.check_caught(json!({"bundle": {}, "lookup": null}));
    beside.check_caught(json!({"bundle": {"en": "a"}, "lookup": "a"}));
    beside.check_kept(json!({"bundle": {"en": "a", "ru": "b"}, "lookup": "a"}));
    let conflict = bundle(
        json!({"system": {"en": "a"}, "en": {"system": "b"}}),
        json!({"bundle": {"en": {"system": "a"}}, "lookup": {"system": "a"}}),
    );
    conflict.check_kept(json!({"error": true}));
    let clean =
        bundle(json!({"en": "a", "ru": "b"}), json!({"bundle": {"en": "a", "ru": "b"}, "lookup": "a"}));
    clean.check_caught(json!({"error": true}));
    let odd = bundle(json!({"de": {"zh": 5}, "fr": "x"}), json!({"error": true}));
    odd.check_caught(json!({"bundle": {"zh": 5.0}, "lookup": null}));
}

fn scenario(nodes: Value) -> Value {
    json!({"ask": "run", "scenario": {"graph": {"id": "g", "name": "g", "description": "d", "start_node": "a",
        "end_nodes": ["a"], "nodes": nodes, "edges": []}}})
}

fn calls(agents: &[(&str, f64)]) -> Value {
    agents.iter().map(|(agent, temperature)| json!({"agent": agent, "temperature": temperature})).collect()
}

#[test]
fn one_call_more_is_a_workers() {
    let nodes = json!([
        {"id": "a", "type": "map", "map_reduce_config": {"worker_node_id": "w", "error_strategy": "fail_fast"}},
        {"id": "w", "type": "agent", "agent_id": "one"},
        {"id": "b", "type": "agent", "agent_id": "two"},
    ]);
    let theirs = json!({"status": "completed", "model_calls": calls(&[("one", 0.7), ("two", 0.7)])});
    let run = case("cycgraph runs", scenario(nodes), theirs);
    let with = |agents: &[(&str, f64)]| json!({"status": "completed", "model_calls": calls(agents)});
    run.check_caught(with(&[("one", 0.7), ("two", 0.3)]));
    run.check_caught(with(&[("one", 0.7), ("two", 0.7), ("two", 0.7)]));
    run.check_caught(with(&[("one", 0.7)]));
    run.check_caught(with(&[("one", 0.7), ("one", 0.7), ("one", 0.7), ("two", 0.7)]));
    run.check_kept(with(&[("one", 0.7), ("one", 0.7), ("two", 0.7)]));
}

#[test]
fn behind_a_time_limit_everything_but_the_last_calls_of_one_agent_counts() {
    let error = json!({"name": "Error", "message": "Node a timeout after 30ms"});
    let nodes = json!([
        {"id": "a", "type": "agent", "agent_id": "one"},
        {"id": "b", "type": "evolution", "evolution_config": {
            "candidate_agent_id": "two", "evaluator_agent_id": "judge", "max_concurrency": 1, "population_size": 2}},
    ]);
    let theirs = json!({
        "status": "failed",
        "error": error,
        "events": ["1 workflow_started", "2 internal_dispatched:_push_compensation"],
        "retries": [{"node": "a", "attempt": 1, "backoff_ms": 10}],
        "model_calls": calls(&[("one", 0.7)]),
    });
    let run = case("cycgraph runs", scenario(nodes), theirs.clone());
    let with = |key: &str, value: Value| {
        let mut ours = theirs.clone();
        ours[key] = value;
        ours
    };
    run.check_caught(with("events", json!(["1 workflow_started"])));
    run.check_caught(with("retries", json!([{"node": "a", "attempt": 1, "backoff_ms": 20}])));
    run.check_caught(with(
        "failures",
        json!([{"node": "a", "attempt": 1, "error": "Agent one timed out after 30ms"}]),
    ));
    run.check_caught(with("model_calls", calls(&[("one", 0.3)])));
    run.check_kept(with("model_calls", calls(&[("one", 0.7), ("one", 0.7)])));
    run.check_caught(with("model_calls", calls(&[("one", 0.7), ("one", 0.7), ("one", 0.7)])));
    run.check_kept(with("model_calls", calls(&[("one", 0.7), ("judge", 0.7), ("judge", 0.7)])));
    run.check_caught(with(
        "model_calls",
        calls(&[("one", 0.7), ("judge", 0.7), ("judge", 0.7), ("judge", 0.7)]),
    ));
    run.check_caught(with("model_calls", calls(&[("one", 0.7), ("judge", 0.7), ("judge", 0.3)])));
    run.check_caught(with("model_calls", calls(&[("one", 0.7), ("judge", 0.7), ("two", 0.7)])));
    run.check_caught(with("model_calls", calls(&[("judge", 0.7), ("one", 0.7), ("judge", 0.7)])));
}

#[test]
fn the_words_of_a_parser_are_all_that_is_left_out() {
    let question = json!({"ask": "run", "scenario": {"graph": {"id": "g", "name": "g", "description": "d",
        "start_node": "a", "end_nodes": ["b"], "nodes": [
            {"id": "a", "type": "agent", "agent_id": "one"}, {"id": "b", "type": "agent", "agent_id": "one"}],
        "edges": [{"source": "a", "target": "b", "condition": {"type": "conditional", "condition": "memory.n >"}}]}}});
    let failure =
        |node: &str, error: &str| json!({"failures": [{"node": node, "attempt": 1, "error": error}]});
    let run = case("cycgraph runs", question, Value::Null);
    let theirs = |node: &str, error: &str| (run.subject.theirs)(&run.question, &failure(node, error));
    let words = theirs("a", "Parse error on line 1:\nmemory.n >\n----------^");
    assert!(!agree(&words, &theirs("b", "Parse error on line 1: other")), "the node counts");
    assert!(!agree(&words, &theirs("a", "no luck")), "another error is another");
    assert!(agree(&words, &theirs("a", "Lexical error on line 1. Unrecognized text.")));
}

#[test]
fn comparisons_in_filters_have_an_answer() {
    let path = |path: &str| {
        let question = json!({"ask": "path", "path": path, "json": []});
        (case("cycgraph paths", question, json!({"value": []})), json!({"error": "unsupported"}))
    };
    for (text, is_kept) in [
        ("$[?(@.k > 1)]", false),
        ("$[?(@.k && @.l == 'x')]", false),
        ("$[?(@.k >= 1)]", false),
        ("$[?(@.k | 1)]", false),
        ("$[?(~@.k)]", false),
        ("$[?(@.k = 1)]", true),
        ("$[(k=~b)]", true),
        ("$[?(@.k.includes('x'))]", true),
    ] {
        let (case, mut ours) = path(text);
        ours["error"] = json!(nodewise_expr::jsonpath::PathErrorKind::Unsupported.name());
        if is_kept { case.check_kept(ours) } else { case.check_caught(ours) }
    }
}

#[test]
fn voice_events_are_excused_in_one_millisecond_alone() {
    let event = |t: u64, text: &str| json!({"t": t, "type": "voice_transcript", "text": text});
    let run = |events: Value| json!({"events": [{"t": 9, "type": "run_end"}], "sinkEvents": events});
    let of = |theirs: Value| case("agentos runs", json!({"ask": "run"}), run(theirs));
    let cut = of(json!([event(3, "a")]));
    cut.check_kept(run(json!([event(3, "a"), event(9, "b")])));
    cut.check_caught(run(json!([event(3, "a"), event(8, "b")])));
    cut.check_caught(run(json!([])));
    let both = of(json!([event(3, "a"), event(3, "b"), event(4, "c")]));
    both.check_kept(run(json!([event(3, "b"), event(3, "a"), event(4, "c")])));
    both.check_caught(run(json!([event(3, "a"), event(4, "c"), event(3, "b")])));
    both.check_caught(run(json!([event(3, "a"), event(3, "a"), event(4, "c")])));
}

#[test]
fn names_that_are_missing_explain_what_follows_from_them_alone() {
    let node =
        |id: Value| json!({"id": id, "type": "tool", "executorConfig": {"type": "tool", "toolName": "t"}});
    let edge = |id: &str, source: &str, target: &str| json!({"id": id, "source": source, "target": target, "type": "static"});
    let graph = json!({
        "nodes": [node(json!("a")), node(json!("b")), node(Value::Null)],
        "edges": [edge("e", "__START__", "a"), edge("f", "a", "__END__")],
        "checkpointPolicy": "none",
    });
    let question = json!({"ask": "document", "form": "json", "value": graph});
    let rules = |errors: &[&str], warnings: &[&str]| json!({"stage": "rules", "errors": errors, "warnings": warnings});
    let documents = case("agentos documents", question, rules(&[], &["R2 ", "R2 b"]));
    documents.check_kept(rules(&[], &["R2 b"]));
    documents.check_caught(rules(&["R1"], &["R2 b"]));
    documents.check_caught(rules(&[], &[]));
    documents.check_caught(rules(&[], &["R2 a"]));
    documents.check_caught(rules(&["R3 e x"], &["R2 b"]));
}

#[test]
fn findings_are_reported_of_each_node() {
    let node =
        |id: &str| json!({"id": id, "type": "tool", "executorConfig": {"type": "tool", "toolName": "t"}});
    let graph = json!({
        "nodes": [node("a"), node("b"), node("c")],
        "edges": [{"id": "e", "source": "__START__", "target": "a"}, {"id": "f", "source": "a", "target": "__END__"}],
        "checkpointPolicy": "none",
    });
    let question = json!({"ask": "document", "form": "json", "value": graph});
    let documents = case("agentos documents", question, Value::Null);
    let ours = (documents.subject.ours)(&documents.question);
    let listed = json!({"errors": [], "warnings": ["R2 b", "R2 c"]});
    let with_names = |names: &str| {
        (documents.subject.theirs)(
            &documents.question,
            &json!({"errors": [], "warnings": names.split(", ").collect::<Vec<&str>>()}),
        )
    };
    assert_eq!(ours, (documents.subject.theirs)(&documents.question, &listed));
    assert!(!agree(&ours, &with_names("R2 b")), "how many there are counts");
    assert!(!agree(&ours, &with_names("R2 a, R2 b")), "the node counts");
}
