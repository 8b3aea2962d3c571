//! A server that starts in a large project that another one has read before: it knows the names at once, reads files when
//! they are asked for, and answers as one that has read everything.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::lsp::client::{Folder, Server};

/// Files that were written less than two seconds before they are read may be written again at the same time.
const SETTLED: Duration = Duration::from_millis(2_200);

const DESK: &str = "kind: LLMNode\nname: desk\nprompts:\n  system: {en: Hi.}\ntools: [t001, t002, t0003]\n";
const OVERLAY: &str = "kind: Overlay\nto: ToolNode:t004\ndescription: {de: Werkzeug {x}.}\n";
const GRAPH: &str = "id: outer\nname: Outer\ndescription: x\nnodes:\n  - {id: one, type: subgraph, subgraph_config: {subgraph_id: inner}}\n\
                     edges: []\nstart_node: one\nend_nodes: [one]\n";

fn tool(number: usize) -> String {
    format!("kind: ToolNode\nname: t{number:03}\ndescription: {{en: Tool.}}\nfunc: tools.t{number}\n")
}

/// A project of 600 tools and what uses them, and a cache beside it.
struct Scene {
    project: Folder,
    cache: Folder,
}

impl Scene {
    fn new() -> Scene {
        let scene = Scene { project: Folder::new(&[("nodewise.toml", "")]), cache: Folder::new(&[]) };
        for number in 0..600 {
            scene.project.write(&format!("t{number:03}.yaml"), &tool(number));
        }
        scene.project.write("desk.yaml", DESK);
        scene.project.write("deep/overlay.yaml", OVERLAY);
        scene.project.write("graph.yaml", GRAPH);
        scene
            .project
            .write("inner.yaml", &GRAPH.replace("outer", "inner").replace("{subgraph_id: inner}", "{}"));
        scene.project.write("package.json", "{\"name\": \"x\"}\n");
        std::thread::sleep(SETTLED);
        scene
    }

    /// A server that has read the project, or knows it; and how many files it knew without reading them.
    fn server(&self, option: &str) -> (Server, usize) {
        let log = self.cache.path.join("log");
        std::fs::remove_file(&log).ok();
        let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
        command.args(["lsp", "--log-level", "info", "--log"]).arg(&log).args(option.split_whitespace());
        command.env("NODEWISE_CACHE_DIR", self.cache.path.join("kept"));
        let mut server = Server::start_with(&mut command);
        server.initialize(&[self.project.uri("")], json!({}), json!({"diagnostics": "workspace"}));
        server.wait_until_read();
        let log = std::fs::read_to_string(&log).unwrap();
        let known = log.split("known from a former reading files=").nth(1);
        let known = known.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        (server, known.unwrap_or_default())
    }

    fn kept(&self) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.cache.path.join("kept")) else { return Vec::new() };
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_none()).collect()
    }

    /// A server that keeps what it reads, until it has.
    fn keep(&self) {
        let (mut server, known) = self.server("");
        assert_eq!(known, 0, "nothing is known before");
        server.wait_until("the links are kept", |_| !self.kept().is_empty());
        server.notify("exit", Value::Null);
    }

    /// Holds a server that knows the project against one that reads it; says how many files the first one knew.
    #[track_caller]
    fn check_same(&self) -> usize {
        let (mut warm, known) = self.server("");
        let (mut cold, nothing) = self.server("--no-cache");
        assert_eq!(nothing, 0);
        for name in ["desk.yaml", "t001.yaml", "graph.yaml", "deep/overlay.yaml"] {
            let uri = self.project.uri(name);
            let both = [&mut warm, &mut cold].map(|server| {
                let text = std::fs::read_to_string(self.project.path.join(name)).unwrap();
                server.open(&uri, 1, &text);
                let found = server.diagnostics(&uri, Some(1));
                let document = json!({"uri": uri});
                let places = (0..5).flat_map(|line| [6, 8, 17].map(|character| (line, character)));
                let answers = places.flat_map(|(line, character)| {
                    let at = json!({"textDocument": document, "position": {"line": line, "character": character},
                                    "context": {"includeDeclaration": true}});
                    let methods = ["definition", "hover", "references", "completion"];
                    methods.map(|method| {
                        let answer = server.request(&format!("textDocument/{method}"), at.clone());
                        (answer["result"].clone(), answer["error"].clone())
                    })
                });
                let answers: Vec<(Value, Value)> = answers.collect();
                (found, answers, server.result("workspace/symbol", json!({"query": "t00"})))
            });
            assert_eq!(both[0].0, both[1].0, "{name}");
            assert_eq!(both[0].1, both[1].1, "{name}");
            assert_eq!(both[0].2, both[1].2, "{name}");
        }
        known
    }
}

#[test]
fn a_project_that_was_read_before_is_known_at_once() {
    let scene = Scene::new();
    scene.keep();
    // The overlay and the graphs that run others are read, because their names do not say enough.
    assert_eq!(scene.check_same(), 602);
    // What changed meanwhile is read.
    scene.project.write("t001.yaml", &tool(1).replace("name: t001", "name: t901"));
    scene.project.write("new.yaml", &tool(700));
    std::fs::remove_file(scene.project.path.join("t005.yaml")).unwrap();
    assert_eq!(scene.check_same(), 600);
    // Another configuration makes other settings of each file.
    scene.project.write("nodewise.toml", "[rules]\nunknown-tool = \"off\"\n");
    assert_eq!(scene.check_same(), 0);
}

#[test]
fn damaged_links_are_read_again() {
    let scene = Scene::new();
    scene.keep();
    let [kept] = &scene.kept()[..] else { panic!("one project is kept") };
    let whole = std::fs::read(kept).unwrap();
    for at in [0, 20, whole.len() / 2, whole.len() - 3] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        std::fs::write(kept, damaged).unwrap();
        let (mut server, known) = scene.server("");
        assert_eq!(known, 0, "byte {at}");
        server.wait_until("the links are kept again", |_| std::fs::read(kept).unwrap() == whole);
    }
}

#[test]
fn what_changes_while_a_project_is_known_is_read() {
    let scene = Scene::new();
    scene.keep();
    let (mut server, known) = scene.server("");
    assert_eq!(known, 602);
    let uri = scene.project.uri("desk.yaml");
    server.open(&uri, 1, DESK);
    assert_eq!(server.diagnostics(&uri, Some(1)).matches("unknown-tool").count(), 1);
    scene.project.write("t002.yaml", &tool(2).replace("name: t002", "name: t902"));
    let change = json!({"changes": [{"uri": scene.project.uri("t002.yaml"), "type": 2}]});
    server.notify("workspace/didChangeWatchedFiles", change);
    server.wait_until("the changed name counts", |server| {
        server.replace(&uri, 2, DESK);
        server.diagnostics(&uri, Some(2)).matches("unknown-tool").count() == 2
    });
}
