//! Folders, configuration, files that change on disk.

use std::fs;

use serde_json::json;

use crate::lsp::client::{Folder, Server, uri};

const PLANNER: &str = "kind: LLMNode\nname: planner\nprompts: {system: {en: x}}\ntools: [serch]\n";
const UNRESOLVED: &str = "3:8: unknown-tool no tool is named `serch`\n";
const SEARCH: &str = "kind: ToolNode\nname: serch\ndescription: {en: x}\nfunc: a.b\n";

fn touched(server: &mut Server, uris: &[&str]) {
    let changes: Vec<_> = uris.iter().map(|uri| json!({"uri": uri, "type": 2})).collect();
    server.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
}

#[test]
fn projects_are_the_nearest_configured_folders() {
    let folder = Folder::new(&[
        ("planner.yaml", PLANNER),
        ("inner/nodewise.toml", ""),
        ("inner/search.yaml", SEARCH),
        ("inner/planner.yaml", PLANNER),
    ]);
    let (outer, inner) = (folder.uri("planner.yaml"), folder.uri("inner/planner.yaml"));
    let mut server = Server::open_folder(&folder);
    server.open(&outer, 1, PLANNER);
    server.open(&inner, 1, PLANNER);
    let status = server.wait_until_read();
    let counts: Vec<_> =
        status["projects"].as_array().unwrap().iter().map(|project| &project["files"]).collect();
    assert_eq!(counts, [1, 2]);
    server.replace(&outer, 2, PLANNER);
    server.replace(&inner, 2, PLANNER);
    assert_eq!(server.diagnostics(&outer, Some(2)), UNRESOLVED);
    assert_eq!(server.diagnostics(&inner, Some(2)), "");
}

#[test]
fn several_folders_come_and_go() {
    let (one, two) = (Folder::new(&[("planner.yaml", PLANNER)]), Folder::new(&[("search.yaml", SEARCH)]));
    let planner = one.uri("planner.yaml");
    let mut server = Server::start();
    server.initialize(&[uri(&one.path), uri(&two.path)], json!({}), json!({}));
    server.open(&planner, 1, PLANNER);
    // Each folder is read for itself, and one may be known before the other is begun.
    let count = |server: &mut Server| server.wait_until_read()["projects"].as_array().unwrap().len();
    assert!((0..1000).any(|_| count(&mut server) == 2), "both folders are read");
    let event = json!({"event": {"added": [], "removed": [{"uri": uri(&two.path), "name": ""}]}});
    server.notify("workspace/didChangeWorkspaceFolders", event);
    assert_eq!(count(&mut server), 1);
    let event = json!({"event": {"added": [], "removed": [{"uri": uri(&one.path), "name": ""}]}});
    server.notify("workspace/didChangeWorkspaceFolders", event);
    let status = server.wait_until_read();
    assert_eq!(status["projects"][0]["root"], json!(null), "the document is alone now: {status}");
}

#[test]
fn a_file_that_changes_on_disk_is_read_again() {
    let folder =
        Folder::new(&[("planner.yaml", PLANNER), ("search.yaml", &SEARCH.replace("serch", "other"))]);
    let (planner, search) = (folder.uri("planner.yaml"), folder.uri("search.yaml"));
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    server.open(&planner, 1, PLANNER);
    assert_eq!(server.diagnostics(&planner, Some(1)), UNRESOLVED);
    folder.write("search.yaml", SEARCH);
    touched(&mut server, &[&search]);
    assert_eq!(server.diagnostics(&planner, Some(1)), "");
    fs::remove_file(folder.path.join("search.yaml")).unwrap();
    touched(&mut server, &[&search]);
    assert_eq!(server.diagnostics(&planner, Some(1)), UNRESOLVED);
    folder.write("deep/new.yaml", SEARCH);
    touched(&mut server, &[&folder.uri("deep/new.yaml")]);
    assert_eq!(server.diagnostics(&planner, Some(1)), "");
}

#[test]
fn a_folder_that_goes_or_comes_is_reported_by_its_name_alone() {
    let folder = Folder::new(&[
        ("planner.yaml", PLANNER),
        ("sub/deep/search.yaml", SEARCH),
        ("sub/deep/app.py", "def find(): pass\n"),
    ]);
    let (planner, sub) = (folder.uri("planner.yaml"), folder.uri("sub"));
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    server.open(&planner, 1, PLANNER);
    assert_eq!(server.diagnostics(&planner, Some(1)), "");
    let away = Folder::new(&[]);
    let (inside, outside) = (folder.path.join("sub"), away.path.join("sub"));
    fs::rename(&inside, &outside).unwrap();
    touched(&mut server, &[&sub]);
    assert_eq!(server.diagnostics(&planner, Some(1)), UNRESOLVED);
    // Its files are as old as before.
    fs::rename(&outside, &inside).unwrap();
    touched(&mut server, &[&sub]);
    assert_eq!(server.diagnostics(&planner, Some(1)), "");
    fs::rename(&inside, folder.path.join("other.d")).unwrap();
    let renamed = json!({"files": [{"oldUri": sub, "newUri": folder.uri("other.d")}]});
    server.notify("workspace/didRenameFiles", renamed);
    server.wait_until("the folder is at its new place", |server| {
        let found = server.result("workspace/symbol", json!({"query": "serch"})).to_string();
        found.contains("other.d/deep/search.yaml") && !found.contains("/sub/")
    });
    fs::remove_dir_all(folder.path.join("other.d")).unwrap();
    server.notify("workspace/didDeleteFiles", json!({"files": [{"uri": folder.uri("other.d")}]}));
    assert_eq!(server.diagnostics(&planner, Some(1)), UNRESOLVED);
    fs::create_dir_all(&inside).unwrap();
    folder.write("sub/search.yaml", SEARCH);
    server.notify("workspace/didCreateFiles", json!({"files": [{"uri": sub}]}));
    assert_eq!(server.diagnostics(&planner, Some(1)), "");
}

#[test]
fn without_watchers_the_disk_is_looked_at_on_request() {
    let folder = Folder::new(&[("planner.yaml", PLANNER)]);
    let planner = folder.uri("planner.yaml");
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    server.open(&planner, 1, PLANNER);
    assert_eq!(server.diagnostics(&planner, Some(1)), UNRESOLVED);
    folder.write("search.yaml", SEARCH);
    server.command("nodewise.refresh");
    assert_eq!(server.diagnostics(&planner, Some(1)), "");
    fs::remove_file(folder.path.join("search.yaml")).unwrap();
    server.command("nodewise.refresh");
    assert_eq!(server.diagnostics(&planner, Some(1)), UNRESOLVED);
}

#[test]
fn an_open_document_hides_its_file() {
    let folder = Folder::new(&[("planner.yaml", PLANNER), ("search.yaml", SEARCH)]);
    let (planner, search) = (folder.uri("planner.yaml"), folder.uri("search.yaml"));
    let mut server = Server::open_folder(&folder);
    server.open(&planner, 1, PLANNER);
    server.open(&search, 1, "");
    server.wait_until_read();
    server.replace(&planner, 2, PLANNER);
    assert_eq!(server.diagnostics(&planner, Some(2)), UNRESOLVED);
    touched(&mut server, &[&search]);
    server.command("nodewise.refresh");
    server.wait_until_read();
    server.replace(&planner, 3, PLANNER);
    assert_eq!(server.diagnostics(&planner, Some(3)), UNRESOLVED);
    server.notify("textDocument/didClose", json!({"textDocument": {"uri": search}}));
    assert_eq!(server.diagnostics(&planner, Some(3)), "");
}

#[test]
fn the_configuration_is_followed() {
    let folder = Folder::new(&[("planner.yaml", PLANNER)]);
    let (planner, configuration) = (folder.uri("planner.yaml"), folder.uri("nodewise.toml"));
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    server.open(&planner, 1, PLANNER);
    assert_eq!(server.diagnostics(&planner, Some(1)), UNRESOLVED);
    folder.write("nodewise.toml", "[rules]\nunknown-tool = \"off\"\n");
    touched(&mut server, &[&configuration]);
    assert_eq!(server.diagnostics(&planner, Some(1)), "");
    folder.write("nodewise.toml", "[rules]\nunresolved-tol = \"off\"\n");
    touched(&mut server, &[&configuration]);
    assert_eq!(server.diagnostics(&planner, Some(1)), UNRESOLVED);
    assert_eq!(server.diagnostics(&configuration, None), "1:0: - no rule is called `unresolved-tol`\n");
    folder.write("nodewise.toml", "[liman.outside]\ntools = []\n");
    touched(&mut server, &[&configuration]);
    let noted = server.diagnostics(&configuration, None);
    assert!(noted.contains("`[liman.outside]` is now called `[liman.external]`"), "{noted}");
    fs::remove_file(folder.path.join("nodewise.toml")).unwrap();
    touched(&mut server, &[&configuration]);
    assert_eq!(server.diagnostics(&configuration, None), "");
    folder.write("nodewise.toml", "[files]\nexclude = [\"planner.yaml\"]\n");
    touched(&mut server, &[&configuration]);
    assert_eq!(server.diagnostics(&planner, Some(1)), "");
}

#[test]
fn settings_are_asked_for_and_watchers_registered() {
    let folder = Folder::new(&[("planner.yaml", PLANNER)]);
    let mut server = Server::start();
    server.settings = json!({"diagnostics": "workspace"});
    let able = json!({
        "workspace": {"configuration": true, "didChangeWatchedFiles": {"dynamicRegistration": true}},
        "window": {"workDoneProgress": true},
    });
    server.initialize(&[uri(&folder.path)], able, json!({}));
    assert_eq!(server.diagnostics(&folder.uri("planner.yaml"), None), UNRESOLVED);
    let registered = server.asked.iter().map(|asked| &asked["params"]["registrations"][0]);
    let mut watching = registered.filter(|one| one["method"] == "workspace/didChangeWatchedFiles");
    let patterns = watching.next().unwrap()["registerOptions"]["watchers"].to_string();
    assert!(
        ["nodewise.toml", "yaml", ".py", "\"**/*\",\"kind\":5"].iter().all(|one| patterns.contains(one)),
        "{patterns}"
    );
    server.wait("the end of the progress", |message| {
        message["method"] == "$/progress" && message["params"]["value"]["kind"] == "end"
    });
    server.settings = json!({"diagnostics": "open"});
    server.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    assert_eq!(server.diagnostics(&folder.uri("planner.yaml"), None), "");
}

#[test]
fn the_configuration_is_judged_as_it_is_typed() {
    let folder = Folder::new(&[("planner.yaml", PLANNER), ("nodewise.toml", "[rules]\n")]);
    let uri = folder.uri("nodewise.toml");
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    let text = "[rulez]\n[liman]\nprofile = \"0.1.2\"\npro\n";
    server.open(&uri, 1, text);
    let problems = "0:1: - unknown key `rulez`\n2:10: - `0.1.2` is not a profile\n3:3: - ";
    let found = server.diagnostics(&uri, Some(1));
    assert!(found.starts_with(problems), "{found}");
    let at = |line: u32, character: u32| json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
    let hover = server.result("textDocument/hover", at(2, 3));
    assert!(
        hover["contents"]["value"].as_str().unwrap().contains("The version of Liman to follow."),
        "{hover}"
    );
    let offers = server.result("textDocument/completion", at(3, 3));
    let profile = offers.as_array().unwrap().iter().find(|offer| offer["label"] == "profile").unwrap();
    assert_eq!(profile["textEdit"]["newText"], "profile = ");
    assert_eq!(profile["textEdit"]["range"]["start"], json!({"line": 3, "character": 0}));
    server.replace(&uri, 2, "[rules]\n");
    assert_eq!(server.diagnostics(&uri, Some(2)), "");
}

#[test]
fn a_broken_configuration_keeps_what_is_right_in_it() {
    let config = "[rulez]\n[rules]\nunknown-tool = \"off\"\n";
    let folder = Folder::new(&[("planner.yaml", PLANNER), ("nodewise.toml", config)]);
    let planner = folder.uri("planner.yaml");
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    server.open(&planner, 1, PLANNER);
    assert_eq!(server.diagnostics(&planner, Some(1)), "");
    assert_eq!(server.diagnostics(&folder.uri("nodewise.toml"), None), "0:1: - unknown key `rulez`\n");
}
