//! Hover, signature help, inlay hints, lenses and evaluation over the wire.

use serde_json::{Value, json};

use crate::lsp::client::{Folder, Server};

const PLANNER: &str = "kind: LLMNode\nname: planner\nprompts: {system: {en: \"😀 <x>\"}}\ntools: [\"search\"]\nnodes:\n  - target: planner\n    when: \"$is_error(T)\"\n";
const SEARCH: &str = "kind: ToolNode\nname: search\ndescription: Finds\nfunc: app.search\n";

fn served(capabilities: Value) -> (Folder, Server) {
    let folder = Folder::new(&[("planner.yaml", PLANNER), ("search.yaml", SEARCH)]);
    let mut server = Server::open_folder_with(
        &folder,
        capabilities,
        json!({"inlayHints": {"overlays": true, "kinds": true, "expressionTypes": true}}),
    );
    server.wait_until_read();
    (folder, server)
}

fn at(folder: &Folder, path: &str, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": folder.uri(path)}, "position": {"line": line, "character": character}})
}

#[test]
fn hovers_are_in_the_form_that_the_client_shows() {
    let markdown = json!({"textDocument": {"hover": {"contentFormat": ["markdown"]}}});
    for (capabilities, kind, title) in
        [(markdown, "markdown", "**ToolNode** `search`"), (json!({}), "plaintext", "ToolNode `search`")]
    {
        let (folder, mut server) = served(capabilities);
        let hover = server.result("textDocument/hover", at(&folder, "planner.yaml", 3, 10));
        assert_eq!(hover["contents"]["kind"], kind);
        let text = hover["contents"]["value"].as_str().unwrap();
        let place = match kind {
            "markdown" => format!("[search.yaml:2]({}#L2)", folder.uri("search.yaml")),
            _ => "search.yaml:2".to_owned(),
        };
        assert!(text.starts_with(&format!("{title} · {place}")), "{text}");
        assert_eq!(hover["range"]["start"], json!({"line": 3, "character": 9}));
        let nothing = server.result("textDocument/hover", at(&folder, "planner.yaml", 99, 99));
        assert_eq!(nothing, Value::Null);
    }
}

#[test]
fn calls_get_help() {
    let (folder, mut server) = served(json!({}));
    let help = server.result("textDocument/signatureHelp", at(&folder, "planner.yaml", 6, 21));
    assert_eq!(help["signatures"][0]["label"], "$is_error(error_type?, ...)");
    assert_eq!(help["signatures"][0]["parameters"][0]["label"], json!([10, 21]));
    assert_eq!(help["activeParameter"], 0);
}

#[test]
fn hints_stand_behind_what_they_are_about() {
    let (folder, mut server) = served(json!({}));
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let parameters = json!({"textDocument": {"uri": folder.uri("planner.yaml")}, "range": whole});
    let hints = server.result("textDocument/inlayHint", parameters);
    let shown: Vec<String> = hints
        .as_array()
        .unwrap()
        .iter()
        .map(|hint| format!("{} {}", hint["position"]["line"], hint["label"][0]["value"].as_str().unwrap()))
        .collect();
    assert_eq!(shown, ["5 : LLMNode", "6 : true or false"]);
}

#[test]
fn a_stopped_run_has_values_at_the_ends_of_lines() {
    const FLOW: &str = "id: flow\nname: Flow 😀\ndescription: ''\nnodes:\n  - {id: plan, type: agent, agent_id: x, read_keys: [goal], write_keys: [😀a]}\nedges:\n  - {source: plan, target: plan, condition: {type: conditional, condition: memory.goal > 1}}\nstart_node: plan\nend_nodes: []\n";
    let folder = Folder::new(&[("flow.yaml", FLOW)]);
    let mut server = Server::open_folder_with(&folder, json!({}), json!({}));
    server.wait_until_read();
    let ask = |server: &mut Server, line: u32| {
        let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
        let stopped = json!({"start": {"line": line, "character": 4}, "end": {"line": line, "character": 6}});
        let context = json!({"frameId": 7, "stoppedLocation": stopped});
        let parameters =
            json!({"textDocument": {"uri": folder.uri("flow.yaml")}, "range": whole, "context": context});
        let values = server.result("textDocument/inlineValue", parameters);
        let shown = values.as_array().unwrap().iter().map(|value| {
            format!(
                "{} {} {}",
                value["range"]["start"]["line"], value["range"]["end"]["character"], value["expression"]
            )
        });
        shown.collect::<Vec<String>>()
    };
    assert_eq!(ask(&mut server, 4), ["4 57 \"goal\"", "4 76 \"😀a\""]);
    assert_eq!(ask(&mut server, 6), ["4 57 \"goal\"", "4 76 \"😀a\"", "6 86 \"memory.goal\""]);
    assert_eq!(ask(&mut server, 1), Vec::<String>::new());
}

#[test]
fn lenses_run_at_once_and_count_when_they_come_into_view() {
    for (commands, command) in
        [(json!(["nodewise.showReferences"]), "nodewise.showReferences"), (json!([]), "")]
    {
        let (folder, mut server) = served(json!({"experimental": {"commands": {"commands": commands}}}));
        let parameters = json!({"textDocument": {"uri": folder.uri("search.yaml")}});
        let lenses = server.result("textDocument/codeLens", parameters);
        let titles: Vec<&Value> =
            lenses.as_array().unwrap().iter().map(|lens| &lens["command"]["title"]).collect();
        // What is known later stands behind, so that nothing moves then.
        assert_eq!(titles, [&json!("Run node"), &Value::Null]);
        assert_eq!(server.result("codeLens/resolve", lenses[0].clone()), lenses[0]);
        let lens = server.result("codeLens/resolve", lenses[1].clone());
        assert_eq!(lens["command"]["title"], "1 reference");
        assert_eq!(lens["command"]["command"], command);
        if !command.is_empty() {
            assert_eq!(lens["command"]["arguments"][2][0]["uri"], folder.uri("planner.yaml"));
        }
    }
}

#[test]
fn a_client_that_does_not_resolve_lenses_gets_them_complete() {
    for (properties, is_complete) in [(json!([]), true), (json!(["data"]), true), (json!(["command"]), false)]
    {
        let (folder, mut server) =
            served(json!({"textDocument": {"codeLens": {"resolveSupport": {"properties": properties}}}}));
        let parameters = json!({"textDocument": {"uri": folder.uri("search.yaml")}});
        let lenses = server.result("textDocument/codeLens", parameters);
        let counted = &lenses[1]["command"]["title"];
        assert_eq!(counted, &if is_complete { json!("1 reference") } else { Value::Null });
    }
}

#[test]
fn expressions_are_evaluated() {
    let (folder, mut server) = served(json!({}));
    let mut evaluate = |argument: Value| {
        let parameters = json!({"command": "nodewise.evaluate", "arguments": [argument]});
        server.request("workspace/executeCommand", parameters)
    };
    let found =
        evaluate(json!({"language": "limance", "text": "a > 1 and b", "state": {"a": 2, "b": false}}));
    assert_eq!(found["result"]["value"], false);
    assert_eq!(found["result"]["decision"], "fails");
    assert_eq!(found["result"]["parts"][0]["value"], true);
    let mut place = at(&folder, "planner.yaml", 6, 14);
    place["state"] = json!({});
    let found = evaluate(place);
    assert_eq!(
        (&found["result"]["text"], &found["result"]["value"]),
        (&json!("$is_error(T)"), &json!(false))
    );
    assert_eq!(evaluate(at(&folder, "planner.yaml", 0, 0))["result"], Value::Null);
    assert_eq!(evaluate(json!({"language": "cobol", "text": "a"}))["error"]["code"], -32602);
    assert_eq!(evaluate(json!(1))["error"]["code"], -32602);
}

#[test]
fn lenses_and_hints_are_asked_for_again_when_other_documents_refer_in_another_way() {
    let tool = "kind: ToolNode\nname: search\ndescription: x\nfunc: a.b\n";
    let user = "kind: LLMNode\nname: planner\nprompts: {system: {en: x}}\ntools: [search]\n";
    let folder = Folder::new(&[("search.yaml", tool), ("planner.yaml", user)]);
    let refreshes = json!({"workspace": {
        "codeLens": {"refreshSupport": true}, "inlayHint": {"refreshSupport": true},
    }});
    let mut server = Server::open_folder_with(&folder, refreshes, json!({}));
    let (search, planner) = (folder.uri("search.yaml"), folder.uri("planner.yaml"));
    server.open(&search, 1, tool);
    let count = |server: &Server| {
        let of = |method: &str| server.asked.iter().filter(|asked| asked["method"] == method).count();
        (of("workspace/codeLens/refresh"), of("workspace/inlayHint/refresh"))
    };
    server.wait_until_read();
    let come_to = |server: &mut Server, wanted: usize| {
        server.wait_until(&format!("the client is asked {wanted} times"), |server| {
            server.command("nodewise.status");
            let (lenses, hints) = count(server);
            lenses >= wanted && hints >= wanted
        });
    };
    // The folder was read.
    come_to(&mut server, 1);
    server.open(&planner, 1, user);
    assert_eq!(server.diagnostics(&planner, Some(1)), "");
    let before = count(&server);
    server.replace(&planner, 2, &format!("{user}---\n{}", user.replace("planner", "other")));
    come_to(&mut server, before.0 + 1);
    let lens = json!({"textDocument": {"uri": search}});
    let lenses = server.result("textDocument/codeLens", lens);
    let counted = lenses.as_array().unwrap().iter().find(|lens| lens.get("command").is_none()).unwrap();
    let counted = server.result("codeLens/resolve", counted.clone());
    assert_eq!(counted["command"]["title"], "2 references");
    assert_eq!(count(&server), (before.0 + 1, before.1 + 1));
}
