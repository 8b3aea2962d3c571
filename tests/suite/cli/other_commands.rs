//! `explain`, `expr`, `schema`, `syntax`.

use crate::cli::support::{Folder, check_run, check_shown};

#[test]
fn explain_lists_rules_and_prints_pages() {
    let folder = Folder::new("");
    let list = folder.run("explain");
    assert!(list.contains("\ninvalid-expression "), "{list}");
    assert!(list.ends_with("exit 0\n"), "{list}");
    let page = folder.run("explain invalid-expression");
    assert!(page.starts_with("invalid-expression\n==================\n\nSeverity: error"), "{page}");
    assert!(page.contains("\nExample\n-------\n\nIn cycgraph:\n\n    name: "), "{page}");
    check_run(
        "",
        "explain when-sintax",
        "
! error: no rule is called `when-sintax`
!   help: did you mean `invalid-expression`?
exit 2
",
    );
}

#[test]
fn an_expression_is_parsed_and_evaluated() {
    let folder = Folder::new("");
    check_shown(
        &folder.run_with_input("expr limance", "a == 1 and b\n"),
        "(and (== (var a) 1) (var b))\nexit 0\n",
    );
    check_shown(
        &folder.run("expr limance -1<x --context {\"x\":2}"),
        "(< -1 (var x))\nvalue: true\nroutes: true\nexit 0\n",
    );
    check_shown(
        &folder.run("expr limance x>1 --context {}"),
        "
(> (var x) 1)
routes: false
! error: `x` does not exist
!  --> expression:1:1
!   |
! 1 | x>1
!   | ^
exit 1
",
    );
    check_shown(
        &folder.run_with_input("expr limance", "a = 1"),
        "
! error: `=` is not part of the language
!  --> expression:1:3
!   |
! 1 | a = 1
!   |   ^
!   |
!   = help: write `==` to compare: `a == 1`
exit 1
",
    );
    check_shown(
        &folder.run("expr limance a --context [1]"),
        "
! error: the context is not a JSON object
!   help: write `--context '{\"name\": \"value\"}'`
exit 2
",
    );
}

#[test]
fn a_stream_of_expressions_is_answered_line_by_line() {
    let questions = r#"
{"expr": "n > 1", "context": {"n": 5}}
{"expr": "n", "context": {"n": [1, 2.5, {"k": null}]}}
{"expr": "n", "context": {"n": ""}}
{"expr": "missing == 1", "context": {}}
{"expr": "é =", "context": {}}
not json
{"expr": "a", "contxt": {}}
{"expr": "$now() == 12", "context": {}, "now": 12}
{"expr": "$is_error('T')", "context": {}, "errors": ["T"]}
{"expr": "a >= 1"}
{"expr": "a >= 1", "profile": "0.1.1"}
{"expr": "a || b && c", "profile": "release"}
"#;
    check_shown(
        &Folder::new("").run_with_input("expr limance --batch", questions),
        r#"
{"accept":true,"ast":"(> (var n) 1)","value":true,"routes":true}
{"accept":true,"ast":"(var n)","value":[1,2.5,{"k":null}],"routes":true}
{"accept":true,"ast":"(var n)","value":"","routes":false}
{"accept":true,"ast":"(== (var missing) 1)","error":{"kind":"missing","message":"`missing` does not exist"},"routes":false}
{"accept":false,"offset":0,"message":"`é` is not part of the language"}
{"error":{"kind":"input","line":7,"message":"line 7: expected ident at column 2"}}
{"error":{"kind":"input","line":8,"message":"line 8: unknown field `contxt`, expected one of `expr`, `context`, `now`, `errors`, `profile`, `strict_taint` at column 22"}}
{"accept":true,"ast":"(== (call $now) 12)","value":true,"routes":true}
{"accept":true,"ast":"(call $is_error \"T\")","value":true,"routes":true}
{"accept":true,"ast":"(>= (var a) 1)"}
{"accept":false,"offset":3,"message":"liman_core 0.1.1 cannot read `=` here"}
{"accept":true,"ast":"(or (var a) (and (var b) (var c)))"}
exit 1
"#,
    );
}

#[test]
fn conditions_of_cycgraph_see_the_state_of_a_run() {
    let questions = r#"
{"expr": "memory.n > 1 and not (tainted)", "context": {"memory": {"n": 5}}}
{"expr": "memory.n > 1", "context": {"memory": {"n": 5}, "taint_registry": {"n": {}}}, "strict_taint": true}
{"expr": "status == 'running'", "context": {"memory": {}, "status": "running"}}
{"expr": "memory.gone + 1", "context": {"memory": {}}}
{"expr": "memory.gone", "context": {"memory": {}}}
{"expr": "not(memory.n)"}
"#;
    check_shown(
        &Folder::new("").run_with_input("expr filtrex --batch", questions),
        r#"
{"accept":true,"ast":"(and (> (var memory.n) 1) (not (var tainted)))","value":true,"routes":true,"verifier":true}
{"accept":true,"ast":"(> (var memory.n) 1)","value":true,"routes":false,"verifier":true}
{"accept":true,"ast":"(== (var status) \"running\")","value":true,"routes":true,"verifier":false}
{"accept":true,"ast":"(+ (var memory.gone) 1)","error":{"kind":"type","message":"a number or a text is wanted here, not a missing value"},"routes":false,"verifier":true}
{"accept":true,"ast":"(var memory.gone)","value":"<undefined>","routes":false,"verifier":false}
{"accept":false,"offset":0,"message":"`not` needs a blank behind it, or `(` is lost"}
exit 0
"#,
    );
}

#[test]
fn routing_expressions_of_agentos_name_a_route() {
    let questions = r#"
{"expr": "scratch.n > 3 ? 'big' : small", "context": {"scratch": {"n": 5}}}
{"expr": "scratch.n >= 5 && input.ok", "context": {"scratch": {"n": 5}, "input": {"ok": "yes"}}}
{"expr": "scratch.items.length", "context": {"scratch": {"items": [1, 2]}}}
{"expr": "scratch.gone", "context": {}}
{"expr": "''", "context": {}}
{"expr": "{{scratch.n}} > 3", "context": {"scratch": {"n": 5}}}
{"expr": "!scratch.n"}
"#;
    check_shown(
        &Folder::new("").run_with_input("expr agentos --batch", questions),
        r#"
{"accept":true,"ast":"(if (> (var scratch.n) 3) \"big\" \"small\")","value":"big","routes":"big","edge":"other:big"}
{"accept":true,"ast":"(and (>= (var scratch.n) 5) (var input.ok))","value":"true","routes":"true","edge":"follow"}
{"accept":true,"ast":"(var scratch.items.length)","value":"2","routes":"2","edge":"other:2"}
{"accept":true,"ast":"(var scratch.gone)","value":"false","routes":"false","edge":"skip"}
{"accept":true,"ast":"\"\"","value":"","routes":"","edge":"other:"}
{"accept":true,"ast":"(error (var scratch.n))","value":"false","routes":"false","edge":"skip"}
{"accept":true,"ast":"\"!scratch.n\""}
exit 0
"#,
    );
}

#[test]
fn paths_select_from_any_value() {
    let questions = r#"
{"expr": "$.a[?(@.p>10)].p", "context": {"a": [{"p": 8}, {"p": 12}]}}
{"expr": "$[*]", "context": [1, "x", null]}
{"expr": "$", "context": 0}
{"expr": "$.a[?(@.p.q.r)]", "context": {"a": [{}]}}
{"expr": "$.a[?(@.p <)]", "context": {"a": []}}
{"expr": "$.a[?(@.p <)]", "context": {"a": [1]}}
{"expr": "$..b[1:]^~"}
"#;
    check_shown(
        &Folder::new("").run_with_input("expr jsonpath --batch", questions),
        r#"
{"accept":true,"ast":"(path root (child \"a\") (filter (> (var @.p) 10)) (child \"p\"))","value":[12]}
{"accept":true,"ast":"(path root wildcard)","value":[1,"x",null]}
{"accept":true,"ast":"(path root)","value":"<undefined>"}
{"accept":true,"ast":"(path root (child \"a\") (filter (var @.p.q.r)))","error":{"kind":"thrown","message":"jsonPath: Cannot read properties of undefined (reading 'q'): @.p.q.r"}}
{"accept":true,"ast":"(path root (child \"a\") (filter (var @.p)))","value":[]}
{"accept":false,"offset":11,"message":"an operand is missing here"}
{"accept":true,"ast":"(path root descendants (child \"b\") (slice 1 end 1) parent name)"}
exit 0
"#,
    );
}

#[test]
fn a_stream_excludes_a_single_expression() {
    for words in ["expr limance a --batch", "expr limance --batch --context {}"] {
        let shown = Folder::new("").run(words);
        assert!(shown.contains("cannot be used with"), "{shown}");
        assert!(shown.ends_with("exit 2\n"), "{shown}");
    }
}

#[test]
fn every_schema_is_json() {
    let folder = Folder::new("");
    let schema = |words: &str| -> serde_json::Value {
        let shown = folder.run(&format!("schema {words}"));
        serde_json::from_str(shown.trim_end().strip_suffix("exit 0").unwrap()).unwrap()
    };
    for name in ["liman", "cycgraph", "agentos", "scenario", "config", "launch"] {
        let schema = schema(name);
        assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
        assert_eq!(schema["$id"], format!("https://json.schemastore.org/nodewise-{name}.json"));
    }
    let closed =
        |schema: &serde_json::Value| schema["definitions"]["ToolNode"]["additionalProperties"] == false;
    assert!(closed(&schema("liman")));
    assert!(!closed(&schema("liman --allow-unknown-keys")));
    check_run(
        "",
        "schema limam",
        "
! error: no schema is called `limam`
!   help: did you mean `liman`?
exit 2
",
    );
}

#[test]
fn syntax_shows_tree_events_and_documents() {
    let files = "
#- x.yaml
a: [1, 0x10, ~]
---
!own text
";
    check_run(files, "syntax x.yaml --format json", "{\"a\":[1,16,null]}\nnull\nexit 0\n");
    check_run(
        files,
        "syntax x.yaml --format events",
        "
+STR
+DOC
+MAP
=VAL :a
+SEQ []
=VAL :1
=VAL :0x10
=VAL :~
-SEQ
-MAP
-DOC
+DOC ---
=VAL <!own> :text
-DOC
-STR
exit 0
",
    );
    let tree = Folder::new(files).run("syntax x.yaml");
    assert!(tree.contains("\"0x10\""), "{tree}");
    check_shown(
        &Folder::new("").run_with_input("syntax - --format json", "a: [1\n"),
        "
{\"a\":[1]}
! error: `[` is not closed
!  --> -:1:4
!   |
! 1 | a: [1
!   |    ^
!   |
!   = help: close it with the matching bracket
exit 1
",
    );
    check_run(
        "",
        "syntax nowhere.yaml",
        "
! error: nowhere.yaml: no such file
!   help: check the path, or remove the broken link
exit 2
",
    );
}

#[test]
fn rules_are_listed_by_dialect() {
    let folder = Folder::new("");
    let list = folder.run("explain --dialect liman");
    assert!(list.contains("\ninvalid-expression ") && !list.contains("wildcard-access"), "{list}");
    assert!(folder.run("explain --dialect cycgraph").contains("wildcard-access"));
}

#[test]
fn the_version_is_a_command_too() {
    let folder = Folder::new("");
    assert_eq!(folder.run("version"), folder.run("--version"));
    assert!(folder.run("version --verbose").contains("\ncommit "));
}

#[test]
fn variables_choose_colours() {
    let folder = Folder::new("#- a.yaml\nkind: LLMNode\nname: x\n");
    let is_coloured = |variables: &[(&str, &str)]| {
        let mut command = folder.command("check");
        command.envs(variables.iter().copied());
        command.output().unwrap().stdout.contains(&b'\x1b')
    };
    assert!(!is_coloured(&[]));
    assert!(is_coloured(&[("FORCE_COLOR", "1")]));
    assert!(is_coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(is_coloured(&[("FORCE_COLOR", "1"), ("CLICOLOR", "0")]));
    assert!(!is_coloured(&[("FORCE_COLOR", "0")]));
    assert!(!is_coloured(&[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
}
