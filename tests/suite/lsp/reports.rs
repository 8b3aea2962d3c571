//! Diagnostics: what is pushed, what is pulled, what they say.

use std::time::Duration;

use serde_json::{Value, json};

use crate::lsp::client::{Folder, Server, shown};

const PLANNER: &str = "kind: LLMNode\nname: planner\nprompts: {system: {en: x}}\ntools: [serch]\n";
const UNRESOLVED: &str = "3:8: unknown-tool no tool is named `serch`\n";
const SEARCH: &str = "kind: ToolNode\nname: serch\ndescription: {en: x}\nfunc: a.b\n";

#[test]
fn a_document_is_judged_with_its_version_after_each_edit() {
    let folder = Folder::new(&[("planner.yaml", PLANNER)]);
    let uri = folder.uri("planner.yaml");
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    server.open(&uri, 1, PLANNER);
    assert_eq!(server.diagnostics(&uri, Some(1)), UNRESOLVED);
    server.replace(&uri, 2, &PLANNER.replace("tools: [serch]", ""));
    assert_eq!(server.diagnostics(&uri, Some(2)), "");
    server.replace(&uri, 3, &PLANNER.replace("prompts: {system: {en: x}}", "prompts:\n  system: {en: \"x}"));
    let broken = server.diagnostics(&uri, Some(3));
    assert!(
        broken.contains("invalid-yaml") && broken.contains("serch"),
        "syntax hides nothing else: {broken}"
    );
}

#[test]
fn the_most_harmful_of_too_many_findings_are_shown() {
    let mut text = "kind: Node\nname: n\nfunc: f.n\n".to_owned();
    (0..1500).for_each(|number| text.push_str(&format!("unknown_{number}: 1\n")));
    text.push_str("tools: [gone]\n");
    let folder = Folder::new(&[("n.yaml", &text)]);
    let uri = folder.uri("n.yaml");
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    server.open(&uri, 1, &text);
    let found = server.diagnostics(&uri, Some(1));
    assert_eq!(found.lines().count(), 1001);
    assert!(found.contains("no tool is named `gone`"), "errors come first");
    assert!(found.contains("501 more findings are not shown"), "{found}");
}

/// Opens a document of a folder that is not read before `initialized`; gives back what is said before and after.
fn check_before_and_after_reading(files: &[(&str, &str)], before: &str, after: &str) {
    let folder = Folder::new(files);
    let uri = folder.uri(files[0].0);
    let mut server = Server::start();
    server.introduce(&[crate::lsp::client::uri(&folder.path)], json!({}), json!({}));
    server.open(&uri, 1, files[0].1);
    assert_eq!(server.diagnostics(&uri, Some(1)), before);
    server.notify("initialized", json!({}));
    if before != after {
        assert_eq!(server.diagnostics(&uri, Some(1)), after);
    }
    server.wait_until_read();
    server.idle(Duration::from_millis(100));
    assert!(server.drain("textDocument/publishDiagnostics").is_empty(), "nothing is taken back");
}

#[test]
fn what_a_text_alone_proves_is_reported_before_the_folder_is_read() {
    let own = "kind: LLMNode\nname: planner\ntols: [x]\nprompts: {system: {en: x}}\ntools: [serch, find]\nnodes:\n  - {target: writer, when: \"a ==\"}\n";
    let whole = format!("{own}---\nkind: LLMNode\nname: writer\n");
    let proven =
        "2:0: unknown-field `LLMNode` has no field `tols`\n6:32: invalid-expression nothing follows `==`\n";
    let known = "2:0: unknown-field `LLMNode` has no field `tols`\n4:15: unknown-tool no tool is named `find`\n6:32: invalid-expression nothing follows `==`\n8:0: missing-field `LLMNode` lacks the required key `prompts`\n";
    check_before_and_after_reading(&[("planner.yaml", &whole), ("search.yaml", SEARCH)], proven, known);
    let graph = "id: 11111111-1111-4111-8111-111111111111\nname: Claims\ndescription: x\nnodes:\n  - {id: a, type: tool, tool_id: x, read_keys: [\"*\"], write_keys: [b]}\n  - {id: c, type: subgraph, subgraph_config: {subgraph_id: nowhere}}\nedges: [{source: a, target: d}]\nstart_node: a\nend_nodes: [c]\n";
    let proven = "4:33: unprovided-tool no tool of `a` is named `x`\n4:48: wildcard-access `a` may read every key\n4:67: ineffective-write-keys `a` never writes `b`\n6:28: unknown-node no node has the id `d`\n";
    check_before_and_after_reading(&[("claims.yaml", graph)], proven, proven);
}

#[test]
fn an_edit_changes_what_is_said_of_other_open_documents() {
    let folder = Folder::new(&[("planner.yaml", PLANNER)]);
    let (planner, search) = (folder.uri("planner.yaml"), folder.uri("new/search.yaml"));
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    server.open(&planner, 1, PLANNER);
    assert_eq!(server.diagnostics(&planner, Some(1)), UNRESOLVED);
    server.open(&search, 1, SEARCH);
    assert_eq!(server.diagnostics(&planner, Some(1)), "");
    server.notify("textDocument/didClose", json!({"textDocument": {"uri": search}}));
    assert_eq!(server.diagnostics(&planner, Some(1)), UNRESOLVED);
}

#[test]
fn a_diagnostic_says_all_that_is_known() {
    let folder = Folder::new(&[("a.yaml", SEARCH), ("b.yaml", SEARCH)]);
    let uri = folder.uri("b.yaml");
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    server.open(&uri, 1, SEARCH);
    let published = server.published(&uri, Some(1));
    let duplicate = &published["diagnostics"][0];
    assert_eq!(duplicate["code"], "duplicate-declaration");
    assert_eq!(duplicate["source"], "nodewise");
    assert_eq!(duplicate["codeDescription"]["href"], "nodewise:///rules/duplicate-declaration.md");
    assert_eq!(duplicate["relatedInformation"][0]["location"]["uri"], folder.uri("a.yaml"));
    server.open(
        "untitled:One",
        1,
        &format!("{PLANNER}# nodewise: ignore[wrong-type]\n---\nkind: LLMNod\nname: b\n"),
    );
    let published = server.published("untitled:One", Some(1));
    let of = |rule: &str| {
        let mut found = published["diagnostics"].as_array().unwrap().iter();
        found.find(|one| one["code"] == rule).unwrap_or_else(|| panic!("no {rule}: {published}"))
    };
    assert_eq!(of("unused-suppression")["tags"], json!([1]));
    let fix = &of("unknown-kind")["data"]["fixes"][0];
    assert_eq!(fix["edits"][0]["uri"], "untitled:One", "{published}");
}

#[test]
fn a_client_gets_only_what_it_understands() {
    let folder = Folder::new(&[("a.yaml", SEARCH), ("b.yaml", SEARCH)]);
    let uri = folder.uri("b.yaml");
    let mut server = Server::start();
    let plain = json!({"textDocument": {"publishDiagnostics": null}});
    server.initialize(&[crate::lsp::client::uri(&folder.path)], plain, json!({}));
    server.wait_until_read();
    server.open(&uri, 1, SEARCH);
    let published = server.published(&uri, None);
    let keys: Vec<&String> = published["diagnostics"][0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["range", "severity", "code", "source", "message"]);
}

#[test]
fn closing_a_document_takes_its_diagnostics_back() {
    let mut server = Server::start();
    server.initialize(&[], json!({}), json!({}));
    server.open("untitled:One", 1, PLANNER);
    assert_eq!(server.diagnostics("untitled:One", Some(1)), UNRESOLVED);
    server.notify("textDocument/didClose", json!({"textDocument": {"uri": "untitled:One"}}));
    assert_eq!(server.diagnostics("untitled:One", None), "");
}

#[test]
fn files_of_others_are_silent() {
    let folder = Folder::new(&[]);
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    for (path, text) in [
        ("compose.yaml", "services:\n  a: {image: b}\n"),
        ("package.json", "{\"name\": \"x\",}"),
        ("empty.yaml", ""),
    ] {
        let uri = folder.uri(path);
        server.open(&uri, 1, text);
        let expected = if text.is_empty() { "0:0: empty-file the file declares nothing\n" } else { "" };
        let found = server.diagnostics(&uri, Some(1));
        assert!(found == expected || found.is_empty(), "{path}: {found}");
    }
}

#[test]
fn the_whole_workspace_is_shown_if_wanted() {
    let folder = Folder::new(&[("planner.yaml", PLANNER), ("good.yaml", &SEARCH.replace("serch", "other"))]);
    let (planner, good) = (folder.uri("planner.yaml"), folder.uri("good.yaml"));
    let mut server = Server::open_folder_with(&folder, json!({}), json!({"diagnostics": "workspace"}));
    assert_eq!(server.diagnostics(&planner, None), UNRESOLVED);
    server.open(&planner, 1, &PLANNER.replace("serch", "other"));
    assert_eq!(server.diagnostics(&planner, Some(1)), "");
    server.notify("textDocument/didClose", json!({"textDocument": {"uri": planner}}));
    assert_eq!(server.diagnostics(&planner, None), UNRESOLVED);
    server.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"nodewise": {"diagnostics": "open"}}}),
    );
    assert_eq!(server.diagnostics(&planner, None), "");
    server.idle(Duration::from_millis(100));
    let shown: Vec<_> =
        server.drain("textDocument/publishDiagnostics").into_iter().map(|(_, message)| message).collect();
    let last = shown.iter().rfind(|message| message["params"]["uri"] == good).unwrap();
    assert_eq!(last["params"]["diagnostics"], json!([]), "{shown:?}");
}

fn pulling() -> Value {
    json!({"textDocument": {"diagnostic": {"relatedDocumentSupport": false}}, "workspace": {"diagnostics": {"refreshSupport": true}}})
}

#[test]
fn a_client_that_pulls_is_not_pushed() {
    let folder = Folder::new(&[("planner.yaml", PLANNER)]);
    let uri = folder.uri("planner.yaml");
    let mut server = Server::open_folder_with(&folder, pulling(), json!({}));
    server.wait_until_read();
    server.open(&uri, 1, PLANNER);
    let asked = json!({"textDocument": {"uri": uri}});
    let report = server.result("textDocument/diagnostic", asked.clone());
    assert_eq!((report["kind"].as_str(), shown(&report["items"])), (Some("full"), UNRESOLVED.to_owned()));
    let mut again = asked;
    again["previousResultId"] = report["resultId"].clone();
    let report = server.result("textDocument/diagnostic", again.clone());
    assert_eq!(report, json!({"kind": "unchanged", "resultId": again["previousResultId"]}));
    server.replace(&uri, 2, SEARCH);
    let report = server.result("textDocument/diagnostic", again);
    assert_eq!((report["kind"].as_str(), shown(&report["items"])), (Some("full"), String::new()));
    server.idle(Duration::from_millis(100));
    assert!(server.drain("textDocument/publishDiagnostics").is_empty());
    assert!(server.asked.iter().any(|asked| asked["method"] == "workspace/diagnostic/refresh"));
}

#[test]
fn the_workspace_is_pulled_with_result_ids() {
    let folder = Folder::new(&[("planner.yaml", PLANNER), ("good.yaml", &SEARCH.replace("serch", "other"))]);
    let uri = folder.uri("planner.yaml");
    let mut server =
        Server::open_folder_with(&folder, pulling(), json!({"diagnostics": "workspace", "hints": false}));
    server.wait_until_read();
    let report = server.result("workspace/diagnostic", json!({"previousResultIds": []}));
    let items = report["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{report}");
    assert_eq!(shown(&items[0]["items"]), UNRESOLVED);
    let known = json!([
        {"uri": uri, "value": items[0]["resultId"]},
        {"uri": folder.uri("gone.yaml"), "value": "1"},
    ]);
    let report = server.result("workspace/diagnostic", json!({"previousResultIds": known}));
    let kinds: Vec<_> = report["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (item["kind"].as_str(), item["items"].clone()))
        .collect();
    assert_eq!(kinds, [(Some("unchanged"), Value::Null), (Some("full"), json!([]))]);
}

/// Asks for the workspace's diagnostics, and sees that no answer comes while there is no news.
fn ask_and_wait(server: &mut Server, known: &Value) -> i64 {
    let id = server.ask("workspace/diagnostic", json!({"previousResultIds": known}));
    server.idle(Duration::from_millis(400));
    assert!(!server.has_answer(id), "there is no news");
    id
}

#[test]
fn a_workspace_without_news_is_reported_when_there_is_some() {
    let folder = Folder::new(&[("planner.yaml", PLANNER)]);
    let uri = folder.uri("planner.yaml");
    let mut server = Server::open_folder_with(&folder, pulling(), json!({"diagnostics": "workspace"}));
    server.wait_until_read();
    let report = server.result("workspace/diagnostic", json!({"previousResultIds": []}));
    let known = json!([{"uri": uri, "value": report["items"][0]["resultId"]}]);
    let held = ask_and_wait(&mut server, &known);
    server.open(&uri, 1, PLANNER);
    server.idle(Duration::from_millis(400));
    assert!(!server.has_answer(held), "opening a file is no news");
    server.replace(&uri, 2, SEARCH);
    let report = server.answer(held)["result"].clone();
    assert_eq!(
        (&report["items"][0]["uri"], shown(&report["items"][0]["items"])),
        (&json!(uri), String::new())
    );
    assert_eq!(report["items"][0]["version"], 2);
    // A client that shows nothing any more has no ids to send.
    let held = ask_and_wait(&mut server, &json!([]));
    server.notify("$/cancelRequest", json!({"id": held}));
    assert_eq!(server.answer(held)["error"]["code"], -32800);
}

#[test]
fn a_clean_workspace_is_reported_once() {
    let folder = Folder::new(&[]);
    let mut server = Server::open_folder_with(&folder, pulling(), json!({"diagnostics": "workspace"}));
    server.wait_until_read();
    assert_eq!(server.result("workspace/diagnostic", json!({"previousResultIds": []})), json!({"items": []}));
    let held = ask_and_wait(&mut server, &json!([]));
    let uri = folder.uri("planner.yaml");
    folder.write("planner.yaml", PLANNER);
    let touched = json!({"changes": [{"uri": uri, "type": 1}]});
    server.notify("workspace/didChangeWatchedFiles", touched);
    assert_eq!(shown(&server.answer(held)["result"]["items"][0]["items"]), UNRESOLVED);
}

#[test]
fn a_workspace_is_reported_in_parts_if_wanted() {
    let names: Vec<String> = (0..450).map(|number| format!("{number:03}.yaml")).collect();
    let files: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), "kind: LLMNod\nname: a\n")).collect();
    let folder = Folder::new(&files);
    let mut server = Server::open_folder_with(&folder, pulling(), json!({"diagnostics": "workspace"}));
    server.wait_until_read();
    let asked = json!({"previousResultIds": [], "partialResultToken": "parts"});
    assert_eq!(server.result("workspace/diagnostic", asked), json!({"items": []}), "all was reported before");
    let parts = server.drain("$/progress").into_iter().map(|(_, message)| message["params"].clone());
    let parts: Vec<Value> = parts.filter(|parameters| parameters["token"] == "parts").collect();
    let reported: Vec<&Value> =
        parts.iter().flat_map(|part| part["value"]["items"].as_array().unwrap()).collect();
    assert!(parts.len() > 1);
    assert_eq!(reported.len(), files.len());
}

/// Where the links on a rule's page lead to, without the names of the files.
fn address(page: &str) -> String {
    let (_, link) = page.split_once("](").unwrap();
    let (file, _) = link.split_once(".md#").unwrap();
    let (folder, _) = file.rsplit_once('/').unwrap();
    format!("{folder}/")
}

#[test]
fn a_rule_is_explained_in_every_editor() {
    let text = "kind: LLMNode\nname: planner\ntols: []\nprompts: {system: {en: x}}\n";
    let actions = |server: &mut Server, diagnostics: &Value| {
        let line = json!({"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 0}});
        let asked = json!({"textDocument": {"uri": "untitled:One"}, "range": line, "context": {"diagnostics": diagnostics}});
        server.result("textDocument/codeAction", asked)
    };
    let explains = |actions: &Value| -> Option<Value> {
        actions.as_array().unwrap().iter().find(|one| one["title"] == "Explain `unknown-field`").cloned()
    };
    let literals = json!({"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}});
    let mut server = Server::start();
    let plain = json!({"textDocument": literals, "workspace": {"textDocumentContent": null}});
    server.initialize(&[], plain, json!({}));
    server.open("untitled:One", 1, text);
    let diagnostics = server.published("untitled:One", Some(1))["diagnostics"].clone();
    assert_eq!(diagnostics[0].get("codeDescription"), None, "a link to nowhere");
    let found = actions(&mut server, &diagnostics);
    let action = explains(&found).unwrap_or_else(|| panic!("no explanation: {found}"));
    assert_eq!(action["diagnostics"][0]["code"], "unknown-field");
    let command = &action["command"];
    assert_eq!(command["command"], "nodewise.explain");
    let asked = json!({"command": "nodewise.explain", "arguments": command["arguments"]});
    let answer = server.result("workspace/executeCommand", asked.clone());
    let page = answer["markdown"].as_str().unwrap();
    assert!(page.starts_with("# ") && page.contains("unknown-field"), "{page}");
    let (_, message) = server.wait("the page", |message| message["method"] == "window/showMessage");
    // A message shows no links.
    let shown = message["params"]["message"].as_str().unwrap();
    assert!(shown.contains("`liman:unknown-field`") && !shown.contains("]("), "{shown}");
    assert!(page.contains("[`liman:unknown-field`](https://"), "{page}");
    assert_eq!(shown.split("## ").skip(1).collect::<String>(), page.split("## ").skip(1).collect::<String>());
    assert_eq!(message["params"]["type"], 3);
    let wrong = server.request("workspace/executeCommand", json!({"command": "nodewise.explain"}));
    assert_eq!(wrong["error"]["code"], -32602);

    let mut server = Server::start();
    server.initialize(&[], json!({"textDocument": literals}), json!({}));
    server.open("untitled:One", 1, text);
    let diagnostics = server.published("untitled:One", Some(1))["diagnostics"].clone();
    let href = &diagnostics[0]["codeDescription"]["href"];
    let content = server.result("workspace/textDocumentContent", json!({"uri": href}));
    // Its link to the specification leads to another document of the server.
    let specification = page.replace(&address(page), "nodewise:///spec/");
    assert_eq!(content["text"], specification);
    assert_eq!(explains(&actions(&mut server, &diagnostics)), None, "the link is enough");
    server.result("workspace/executeCommand", asked);
    assert!(server.drain("window/showMessage").is_empty());
    let registered = server.asked.iter().map(|asked| &asked["params"]["registrations"][0]);
    let pages = registered.filter(|one| one["method"] == "workspace/textDocumentContent");
    assert_eq!(
        pages.map(|one| &one["registerOptions"]).collect::<Vec<_>>(),
        [&json!({"schemes": ["nodewise"]})]
    );
}
