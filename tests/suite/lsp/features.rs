//! Editor features over the wire: that questions and answers are translated. What the answers are is tested where they
//! are made.

use serde_json::{Value, json};

use crate::lsp::client::{Folder, Server};

const PLANNER: &str = "kind: LLMNode\nname: planner\nprompts: {system: {en: \"😀 x\"}}\ntools: [search]\n";
const SEARCH: &str = "# 😀\nkind: ToolNode\nname: search\ndescription: {en: x}\nfunc: a.b\n";

struct Session {
    server: Server,
    folder: Folder,
}

/// A client that understands everything, and the planner open.
fn session() -> Session {
    let folder = Folder::new(&[("planner.yaml", PLANNER), ("tools/search.yaml", SEARCH)]);
    let able = json!({
        "textDocument": {
            "definition": {"linkSupport": true},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "hover": {"contentFormat": ["markdown", "plaintext"]},
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
                "dataSupport": true, "resolveSupport": {"properties": ["edit"]},
            },
        },
        "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"]}},
    });
    let mut server = Server::open_folder_with(&folder, able, json!({}));
    server.wait_until_read();
    server.open(&folder.uri("planner.yaml"), 1, PLANNER);
    Session { server, folder }
}

impl Session {
    fn at(&self, line: u32, character: u32) -> Value {
        json!({
            "textDocument": {"uri": self.folder.uri("planner.yaml")},
            "position": {"line": line, "character": character},
            "context": {"includeDeclaration": true},
        })
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.server.result(method, parameters)
    }
}

fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    let position = |(line, character): (u32, u32)| json!({"line": line, "character": character});
    json!({"start": position(start), "end": position(end)})
}

#[test]
fn names_lead_to_files_that_are_not_open() {
    let mut session = session();
    let at = session.at(3, 10);
    for method in ["definition", "declaration"] {
        let found = session.ask(&format!("textDocument/{method}"), at.clone());
        assert_eq!(found[0]["targetUri"], session.folder.uri("tools/search.yaml"));
        assert_eq!(found[0]["targetSelectionRange"], range((2, 6), (2, 12)));
        assert_eq!(found[0]["originSelectionRange"], range((3, 8), (3, 14)));
    }
    let found = session.ask("textDocument/references", at.clone());
    assert_eq!(found.as_array().map(Vec::len), Some(2), "{found}");
    let found = session.ask("textDocument/documentHighlight", at);
    assert_eq!(found, json!([{"range": range((3, 8), (3, 14)), "kind": 1}]));
    let nowhere = session.at(99, 99);
    assert!(session.ask("textDocument/definition", nowhere).is_null());
}

#[test]
fn the_shape_of_a_file_is_reported() {
    let mut session = session();
    let document = json!({"textDocument": {"uri": session.folder.uri("planner.yaml")}});
    let symbols = session.ask("textDocument/documentSymbol", document.clone());
    assert_eq!(
        (&symbols[0]["name"], &symbols[0]["selectionRange"]),
        (&json!("planner"), &range((1, 6), (1, 13)))
    );
    let symbols = session.ask("workspace/symbol", json!({"query": "srch"}));
    assert_eq!(symbols[0]["location"]["uri"], session.folder.uri("tools/search.yaml"));
    let folds = session.ask("textDocument/foldingRange", document.clone());
    assert!(
        folds.as_array().is_some_and(|folds| folds
            .iter()
            .all(|fold| fold["startLine"].as_u64() < fold["endLine"].as_u64()))
    );
    let mut selected = document.clone();
    selected["positions"] = json!([{"line": 3, "character": 10}, {"line": 99, "character": 0}]);
    let selected = session.ask("textDocument/selectionRange", selected);
    assert_eq!(selected[0]["range"], range((3, 8), (3, 14)));
    assert_eq!(selected.as_array().map(Vec::len), Some(2));
}

#[test]
fn colours_come_whole_in_part_and_as_what_differs() {
    let mut session = session();
    let uri = session.folder.uri("planner.yaml");
    let document = json!({"textDocument": {"uri": uri}});
    let all = session.ask("textDocument/semanticTokens/full", document.clone());
    let data: Vec<u64> = serde_json::from_value(all["data"].clone()).unwrap();
    assert!(data.len() >= 25 && data.len().is_multiple_of(5), "{data:?}");
    let mut part = document.clone();
    part["range"] = range((3, 0), (3, 99));
    let part = session.ask("textDocument/semanticTokens/range", part);
    assert!(part["data"].as_array().unwrap().len() < data.len());
    session.server.replace(&uri, 2, &PLANNER.replace("planner", "planer"));
    let mut since = document;
    since["previousResultId"] = all["resultId"].clone();
    let delta = session.ask("textDocument/semanticTokens/full/delta", since.clone());
    let mut patched = data;
    for edit in delta["edits"].as_array().unwrap() {
        let start = usize::try_from(edit["start"].as_u64().unwrap()).unwrap();
        let end = start + usize::try_from(edit["deleteCount"].as_u64().unwrap()).unwrap();
        let new: Vec<u64> = serde_json::from_value(edit["data"].clone()).unwrap();
        patched.splice(start..end, new);
    }
    let whole = session.ask("textDocument/semanticTokens/full", json!({"textDocument": {"uri": uri}}));
    assert_eq!(json!(patched), whole["data"]);
    since["previousResultId"] = json!("unknown");
    assert!(session.ask("textDocument/semanticTokens/full/delta", since)["data"].is_array());
}

#[test]
fn texts_about_things_are_as_the_client_shows_them() {
    let mut session = session();
    let at = session.at(3, 2);
    let hover = session.ask("textDocument/hover", at);
    assert_eq!((&hover["contents"]["kind"], &hover["range"]), (&json!("markdown"), &range((3, 0), (3, 5))));
    let page =
        session.ask("workspace/textDocumentContent", json!({"uri": "nodewise:///rules/unknown-tool.md"}));
    assert!(page["text"].as_str().is_some_and(|text| text.starts_with("# ")), "{page}");
    let text = page["text"].as_str().unwrap_or_default();
    let link = text.split_once("(nodewise:///spec/").and_then(|(_, link)| link.split_once(')'));
    let link = link.map(|(link, _)| format!("nodewise:///spec/{link}")).expect("a link to a class");
    let specification = session.ask("workspace/textDocumentContent", json!({"uri": link}));
    let (_, class) = link.split_once('#').expect("an anchor");
    let anchor = format!("<a id=\"{class}\"></a>");
    assert!(specification["text"].as_str().is_some_and(|text| text.contains(&anchor)), "{link}");
    for unknown in ["nodewise:///rules/x.md", "nodewise:///spec/x.md"] {
        let answer = session.server.request("workspace/textDocumentContent", json!({"uri": unknown}));
        assert_eq!(answer["error"]["code"], -32602, "{unknown}");
    }
    let mut plain = Server::open_folder(&session.folder);
    plain.wait_until_read();
    let at = session.at(3, 2);
    assert_eq!(plain.result("textDocument/hover", at)["contents"]["kind"], "plaintext");
}

#[test]
fn fixes_are_offered_and_worked_out_when_wanted() {
    let mut session = session();
    let uri = session.folder.uri("planner.yaml");
    session.server.replace(&uri, 2, &PLANNER.replace("LLMNode", "LLMNod"));
    let published = session.server.published(&uri, Some(2));
    let mut asked = json!({"textDocument": {"uri": uri}, "range": range((0, 6), (0, 6))});
    asked["context"] = json!({"diagnostics": published["diagnostics"]});
    let actions = session.ask("textDocument/codeAction", asked.clone());
    let fix = actions
        .as_array()
        .unwrap()
        .iter()
        .find(|action| action["kind"] == "quickfix" && action["edit"].is_object());
    let fix = fix.unwrap_or_else(|| panic!("{actions}"));
    assert_eq!(fix["diagnostics"][0]["code"], "unknown-kind");
    let change = &fix["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": uri, "version": 2}));
    assert_eq!(change["edits"][0], json!({"range": range((0, 6), (0, 12)), "newText": "LLMNode"}));
    for action in actions.as_array().unwrap().iter().filter(|action| action["edit"].is_null()) {
        let resolved = session.ask("codeAction/resolve", action.clone());
        assert!(resolved["edit"]["documentChanges"].is_array(), "{resolved}");
    }
    asked["context"]["only"] = json!(["refactor.move"]);
    assert_eq!(session.ask("textDocument/codeAction", asked), json!([]));
}

#[test]
fn a_new_line_is_indented_and_links_lead_to_pages() {
    let mut session = session();
    let uri = session.folder.uri("planner.yaml");
    session.server.replace(&uri, 2, "kind: LLMNode # nodewise: ignore[missing-field]\nprompts:\n\n");
    let mut typed = session.at(2, 0);
    typed["ch"] = json!("\n");
    typed["options"] = json!({"tabSize": 2, "insertSpaces": true});
    let edits = session.ask("textDocument/onTypeFormatting", typed);
    assert_eq!(edits[0]["newText"], "  ", "{edits}");
    let links = session.ask("textDocument/documentLink", json!({"textDocument": {"uri": uri}}));
    assert_eq!(links[0]["target"], "nodewise:///rules/missing-field.md");
}

/// Every request about a document, in text of every system, half-typed, and where nothing is.
#[test]
fn no_question_brings_the_server_to_an_end() {
    let mut session = session();
    let texts = [
        "",
        "kind: ",
        "kind: LLMNode\nna",
        "- \"a\n  b: |\n   x: [",
        "id: x\nnodes:\n  - id: a\n    type: \nedges:\n  - {from: a, to: ",
        "{\"kind\": \"agent\", \"routing\": {\"",
        "\u{feff}a: 😀",
        "%YAML 1.2\n---\n&a *a\n",
    ];
    let methods = [
        "definition",
        "declaration",
        "typeDefinition",
        "implementation",
        "references",
        "documentHighlight",
        "linkedEditingRange",
        "documentLink",
        "hover",
        "documentSymbol",
        "foldingRange",
        "semanticTokens/full",
    ];
    for (number, text) in (0..).zip(texts) {
        let uri = format!("untitled:{number}");
        session.server.open(&uri, 1, text);
        let end = u32::try_from(text.len()).unwrap();
        for (line, character) in [(0, 0), (0, end), (1, 3), (3, 7), (u32::MAX, u32::MAX)] {
            for method in methods {
                let parameters = json!({
                    "textDocument": {"uri": uri}, "position": {"line": line, "character": character},
                    "context": {"includeDeclaration": true},
                });
                session.ask(&format!("textDocument/{method}"), parameters);
            }
            let range =
                json!({"start": {"line": 0, "character": 0}, "end": {"line": line, "character": character}});
            let asked = json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}});
            session.ask("textDocument/codeAction", asked);
        }
    }
    for method in methods {
        let parameters = json!({
            "textDocument": {"uri": "file:///never/opened.yaml"}, "position": {"line": 0, "character": 0},
            "context": {"includeDeclaration": true},
        });
        assert!(session.ask(&format!("textDocument/{method}"), parameters).is_null());
    }
}

#[test]
fn a_name_is_changed_in_all_files() {
    let mut session = session();
    let mut at = session.at(3, 10);
    let prepared = session.ask("textDocument/prepareRename", at.clone());
    assert_eq!(prepared, json!({"range": range((3, 8), (3, 14)), "placeholder": "search"}));
    at["newName"] = json!("find");
    let edit = session.ask("textDocument/rename", at);
    let changed: Vec<_> =
        edit["documentChanges"].as_array().unwrap().iter().map(|change| &change["textDocument"]).collect();
    let planner = json!({"uri": session.folder.uri("planner.yaml"), "version": 1});
    let search = json!({"uri": session.folder.uri("tools/search.yaml"), "version": null});
    assert_eq!(changed, [&planner, &search]);
    let nothing = session.at(0, 0);
    let answer = session.server.request("textDocument/prepareRename", nothing);
    assert_eq!(answer["error"]["code"], -32803, "{answer}");
}

#[test]
fn a_document_and_a_part_of_it_are_laid_out_as_its_project_wants() {
    let text = "kind:   LLMNode\nname:   planner\ntools:\n    -   search\nprompts: {system: {en: 'x'}}\n";
    let folder = Folder::new(&[
        ("planner.yaml", text),
        ("nodewise.toml", "[format]\nquotes = \"keep\"\nindent = 4\n"),
    ]);
    let mut server = Server::open_folder_with(&folder, json!({}), json!({}));
    server.wait_until_read();
    server.open(&folder.uri("planner.yaml"), 1, text);
    let document = json!({"uri": folder.uri("planner.yaml")});
    let options = json!({"tabSize": 8, "insertSpaces": true});
    let edits = server.result(
        "textDocument/formatting",
        json!({"textDocument": document.clone(), "options": options.clone()}),
    );
    let whole = json!([
        {"range": range((0, 5), (0, 8)), "newText": " "},
        {"range": range((1, 5), (1, 8)), "newText": " "},
        {"range": range((3, 5), (3, 8)), "newText": " "},
    ]);
    assert_eq!(edits, whole);
    let part = json!({"textDocument": document, "options": options, "range": range((1, 0), (1, 3))});
    let edits = server.result("textDocument/rangeFormatting", part);
    assert_eq!(edits, json!([{"range": range((1, 5), (1, 8)), "newText": " "}]));
}
