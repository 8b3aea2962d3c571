//! Servers of tools: a small one with every fault, over its standard streams.

use std::fmt::Write;

use nodewise_live::wiring::{Tool, Wiring};
use serde_json::json;

use crate::tools::support::{
    Folder, Running, SECRET, all_of, has_python, nothing, start, tools_named, until, until_gone,
};

/// A server in a few lines; the called tool says how it fails.
const SERVER: &str = r#"
#- server.py
import json, os, subprocess, sys, time

child = subprocess.Popen(["sleep", "600"])
open("child", "w").write(str(child.pid))
open("server", "w").write(str(os.getpid()))
starts = open("starts", "a+")
starts.write("x")
starts.flush()
starts.seek(0)
start = len(starts.read())
with open("environment", "w") as file: json.dump(dict(os.environ), file)
if start in [int(number) for number in os.environ.get("FAILING_STARTS", "").split()]:
    sys.exit("this server does not want to start")
print("the server is up", file=sys.stderr)
print("this is no JSON")
print("[1, 2]")

def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()

def ask(method):
    send({"id": "ours", "method": method, "params": {"messages": [], "maxTokens": 1, "message": "who?", "requestedSchema": {"type": "object", "properties": {}}}})
    while True:
        answer = json.loads(sys.stdin.readline())
        if answer.get("id") == "ours": return answer

def text(*texts): return {"content": [{"type": "text", "text": one} for one in texts]}

SHAPE = {"type": "object", "properties": {"sum": {"type": "number"}}}
SEARCH = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}

def tool(name, **more): return {"name": name, "inputSchema": {"type": "object"}, **more}

TOOLS = [
    tool("echo", description="Says it again."), tool("search", inputSchema=SEARCH), tool("dies"),
    tool("dies_once", annotations={"readOnlyHint": True}), tool("hangs"), tool("fails"), tool("refuses"), tool("confused"),
    tool("large"), tool("shaped", outputSchema=SHAPE), tool("shaped_text", outputSchema=SHAPE), tool("json_text"),
    tool("parts"), tool("nothing"), tool("picture"), tool("asks"), tool("start"), tool("secret"), tool("logs"), tool("structured"),
]

def call(name, arguments):
    if name == "echo": return text(json.dumps(arguments))
    if name == "search": return text("found " + arguments["query"])
    if name == "dies" or (name == "dies_once" and start == 1):
        print("something is wrong inside", file=sys.stderr)
        sys.stderr.flush()
        os._exit(9)
    if name == "dies_once" or name == "start": return text("start %d" % start)
    if name == "hangs": time.sleep(600)
    if name == "fails": return {**text("no such page", "ask again"), "isError": True}
    if name == "large": return text("x" * 300000)
    if name == "shaped": return {**text("three"), "structuredContent": {"sum": 3}}
    if name == "structured": return {"structuredContent": {"a": [1, None]}, "content": []}
    if name in ("shaped_text", "json_text"): return text('{"sum": 3}')
    if name == "parts": return {"content": [{"type": "text", "text": "see"}, {"type": "resource_link", "uri": "file:///a", "name": "a", "_meta": {"x": 1}}, {"type": "resource", "resource": {"uri": "file:///b", "text": "b"}}]}
    if name == "nothing": return {"content": []}
    if name == "picture": return {"content": [{"type": "image", "data": "AAAA", "mimeType": "image/png", "annotations": {"priority": 1}}]}
    if name == "asks": return text(json.dumps([ask("sampling/createMessage").get("error", {}).get("code"), ask("roots/list").get("result"), ask("elicitation/create").get("result")]))
    if name == "secret": return text("the key is %s")
    if name == "logs":
        send({"method": "notifications/message", "params": {"level": "info", "data": "it logs %s"}})
        return text("logged")

for line in sys.stdin:
    message = json.loads(line)
    method, params = message.get("method"), message.get("params", {})
    if method == "initialize":
        send({"id": message["id"], "result": {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "faults", "version": "1"}}})
    elif method == "tools/list":
        half = len(TOOLS) // 2
        page = {"tools": TOOLS[half:]} if params.get("cursor") else {"tools": TOOLS[:half], "nextCursor": "more"}
        send({"id": message["id"], "result": page})
    elif method == "tools/call" and params["name"] == "refuses":
        send({"id": message["id"], "error": {"code": -32602, "message": "not like that"}})
    elif method == "tools/call" and params["name"] == "confused":
        send({"id": message["id"], "error": {"code": -32603, "message": "lost the thread"}})
    elif method == "tools/call":
        send({"id": message["id"], "result": call(params["name"], params.get("arguments", {}))})
    elif method == "ping":
        send({"id": message["id"], "result": {}})
"#;

const CONFIGURATION: &str = "[live.mcp.faults]\ncommand = [\"python3\", \"server.py\"]\n";

fn folder() -> Folder {
    Folder::new(&SERVER.replace("%s", SECRET))
}

async fn started(folder: &Folder) -> Running {
    start(folder, CONFIGURATION, &all_of("faults")).await.unwrap()
}

/// What calls of tools answer: each row a tool, its arguments, and the answer.
async fn check_calls(rows: &[(&str, serde_json::Value, &str)]) {
    if !has_python() {
        return;
    }
    let folder = folder();
    let running = started(&folder).await;
    for (tool, arguments, expected) in rows {
        assert_eq!(running.call(tool, arguments.clone()).await, *expected, "{tool}");
    }
    running.tools.stop().await;
}

#[tokio::test]
async fn results_become_values() {
    check_calls(&[
        ("echo", json!({"a": [1, "b"]}), r#""{\"a\": [1, \"b\"]}""#),
        ("shaped", json!({}), r#"{"sum":3}"#),
        ("structured", json!({}), r#"{"a":[1,null]}"#),
        ("shaped_text", json!({}), r#"{"sum":3}"#),
        ("json_text", json!({}), r#""{\"sum\": 3}""#),
        (
            "parts",
            json!({}),
            r#"["see",{"type":"resource_link","uri":"file:///a","name":"a"},{"type":"resource","resource":{"uri":"file:///b","text":"b"}}]"#,
        ),
        ("nothing", json!({}), "null"),
        ("picture", json!({}), r#"{"type":"image","data":"AAAA","mimeType":"image/png"}"#),
        ("secret", json!({}), r#""the key is ***""#),
    ])
    .await;
}

#[tokio::test]
async fn failures_say_whether_trying_again_may_help() {
    check_calls(&[
        ("fails", json!({}), "McpToolError: no such page\nask again"),
        ("refuses", json!({}), "McpError: the server `faults` rejects the call of `refuses`: not like that lasts"),
        ("confused", json!({}), "McpError: the server `faults` rejects the call of `confused`: lost the thread"),
        (
            "search",
            json!({"query": 1}),
            "InvalidArguments: the call of `search` does not match its declaration: `query` must be of type string, but is 1 lasts",
        ),
        ("search", json!({"query": "a"}), r#""found a""#),
    ])
    .await;
}

#[tokio::test]
async fn a_large_answer_arrives_whole() {
    let mut expected = String::new();
    write!(expected, "\"{}\"", "x".repeat(300_000)).unwrap();
    check_calls(&[("large", json!({}), &expected)]).await;
}

#[tokio::test]
async fn a_server_reaches_no_model_and_nobody() {
    check_calls(&[("asks", json!({}), r#""[-32601, {\"roots\": []}, {\"action\": \"decline\"}]""#)]).await;
}

#[tokio::test]
async fn a_server_that_dies_in_a_call_is_started_again_for_the_next_one() {
    if !has_python() {
        return;
    }
    let folder = folder();
    let running = started(&folder).await;
    assert_eq!(running.call("start", json!({})).await, r#""start 1""#);
    let failure = running.call("dies", json!({})).await;
    assert!(
        failure.starts_with(
            "McpError: the connection to the server `faults` broke while `dies` ran; the call may have taken effect: exit \
             status: 9; its last output:"
        ),
        "{failure}"
    );
    assert!(failure.ends_with("something is wrong inside"), "{failure}");
    assert_eq!(running.call("start", json!({})).await, r#""start 2""#);
}

#[tokio::test]
async fn a_call_without_effect_is_repeated() {
    check_calls(&[("dies_once", json!({}), r#""start 2""#)]).await;
}

#[tokio::test]
async fn a_server_that_is_gone_before_the_call_is_started_again() {
    if !has_python() {
        return;
    }
    let folder = folder();
    let running = started(&folder).await;
    let process = folder.number_in("server").await;
    std::process::Command::new("kill").args(["-9", &process.to_string()]).status().unwrap();
    until_gone(process).await;
    // Long enough for the runtime to look around.
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(running.call("start", json!({})).await, r#""start 2""#);
}

#[tokio::test]
async fn a_server_that_cannot_be_started_again_says_why() {
    if !has_python() {
        return;
    }
    let folder = folder();
    let code = "import os, sys; os.environ['FAILING_STARTS'] = '2'; exec(open('server.py').read())";
    let configuration = format!("[live.mcp.faults]\ncommand = [\"python3\", \"-c\", \"{code}\"]\n");
    let running = start(&folder, &configuration, &all_of("faults")).await.unwrap();
    running.call("dies", json!({})).await;
    let failure = running.call("start", json!({})).await;
    assert!(
        failure.starts_with("McpError: the server `faults` does not follow the MCP protocol: "),
        "{failure}"
    );
    assert!(failure.contains("exit status: 1") && failure.contains("does not want to start"), "{failure}");
    assert!(!failure.ends_with(" lasts"), "{failure}");
    assert_eq!(running.call("start", json!({})).await, r#""start 3""#);
}

#[tokio::test]
async fn a_call_that_hangs_is_given_up_and_the_server_with_it() {
    if !has_python() {
        return;
    }
    let folder = folder();
    let configuration = format!("{CONFIGURATION}\n[live.tools.hangs]\nmcp = \"faults\"\ntimeout_s = 2\n");
    let mut wiring = all_of("faults");
    wiring.tools.insert("hangs".into(), Tool::default());
    let running = start(&folder, &configuration, &wiring).await.unwrap();
    let (server, child) = (folder.number_in("server").await, folder.number_in("child").await);
    assert_eq!(
        running.call("hangs", json!({})).await,
        "TimeoutError: `hangs` of the server `faults` took longer than 2 s and was stopped\n  help: raise `timeout_s` under `[live]` in nodewise.toml"
    );
    until_gone(server).await;
    until_gone(child).await;
    assert_eq!(running.call("start", json!({})).await, r#""start 2""#);
}

#[tokio::test]
async fn everything_ends_with_the_run() {
    if !has_python() {
        return;
    }
    for is_dropped in [false, true] {
        let folder = folder();
        let running = started(&folder).await;
        let (server, child) = (folder.number_in("server").await, folder.number_in("child").await);
        match is_dropped {
            true => drop(running),
            false => running.tools.stop().await,
        }
        until_gone(server).await;
        until_gone(child).await;
    }
}

#[tokio::test]
async fn a_server_gets_a_clean_environment() {
    if !has_python() {
        return;
    }
    let folder = folder();
    let configuration = format!("{CONFIGURATION}env = [\"CARGO_MANIFEST_DIR\"]\n");
    let running = start(&folder, &configuration, &all_of("faults")).await.unwrap();
    let text = std::fs::read_to_string(folder.path.join("environment")).unwrap();
    let environment: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
    for (name, is_given) in
        [("PATH", true), ("HOME", true), ("CARGO_MANIFEST_DIR", true), ("CARGO_PKG_NAME", false)]
    {
        assert!(std::env::var_os(name).is_some(), "{name}");
        assert_eq!(environment.contains_key(name), is_given, "{name}");
    }
    running.tools.stop().await;
}

#[tokio::test]
async fn what_a_server_writes_beside_is_reported() {
    if !has_python() {
        return;
    }
    let folder = folder();
    let running = started(&folder).await;
    assert_eq!(running.call("logs", json!({})).await, r#""logged""#);
    until(|| running.heard.has("faults: the server is up")).await;
    until(|| running.heard.has("faults: it logs ***")).await;
    assert!(!running.heard.has(SECRET));
}

#[tokio::test]
async fn all_tools_of_a_server_are_offered_or_those_that_are_wanted() {
    if !has_python() {
        return;
    }
    let folder = folder();
    let running = started(&folder).await;
    assert_eq!(running.tools.of_servers().len(), 1);
    assert_eq!(running.tools.of_servers()["faults"].len(), 20);
    let offered = running.tools.offered();
    assert_eq!(offered.len(), 20);
    let echo = offered.iter().find(|tool| tool.name == "echo").unwrap();
    assert_eq!(echo.description.as_deref(), Some("Says it again."));
    running.tools.stop().await;

    let wanted = |name: &str| Wiring {
        servers: [("faults".into(), Some([name.into()].into_iter().collect()))].into_iter().collect(),
        ..nothing()
    };
    let running = start(&folder, CONFIGURATION, &wanted("search")).await.unwrap();
    assert_eq!(running.tools.of_servers()["faults"], ["search"]);
    assert_eq!(running.tools.offered().len(), 1);
    // A name that is taken is called by a longer one.
    assert_eq!(running.call("mcp__search", json!({"query": "a"})).await, r#""found a""#);
    assert_eq!(
        running.call("mcp__search", json!({})).await,
        "InvalidArguments: the call of `mcp__search` does not match its declaration: `query` is missing lasts"
    );
    assert!(running.call("mcp__find", json!({})).await.starts_with("ToolNotWired: "));
    running.tools.stop().await;

    let error = start(&folder, CONFIGURATION, &wanted("find")).await.err().unwrap();
    let message = format!("{error:#}");
    assert!(
        message.starts_with("the server `faults` has no tool `find`\n  help: it has `asks`, `confused`, "),
        "{message}"
    );
}

#[tokio::test]
async fn a_configured_tool_has_a_name_of_its_own() {
    if !has_python() {
        return;
    }
    let folder = folder();
    let configuration = format!(
        "{CONFIGURATION}\n[live.tools.say]\nmcp = \"faults\"\nname = \"echo\"\ndescription = \"Ours.\"\n"
    );
    let running = start(&folder, &configuration, &tools_named(&["say"])).await.unwrap();
    assert_eq!(running.call("say", json!({"a": 1})).await, r#""{\"a\": 1}""#);
    let offered = running.tools.offered();
    assert_eq!(offered.len(), 1);
    assert_eq!(offered[0].description.as_deref(), Some("Ours."));
}

/// The messages where tools cannot be started.
async fn check_start(configuration: &str, wiring: &Wiring, expected: &str) {
    if !has_python() {
        return;
    }
    let folder = folder();
    let error = start(&folder, configuration, wiring).await.err().unwrap();
    assert_eq!(format!("{error:#}"), expected);
}

#[tokio::test]
async fn what_cannot_be_started_is_reported_with_help() {
    check_start(
        "",
        &all_of("faults"),
        "the MCP server `faults` is not configured\n  help: write how to reach it under `[live.mcp.faults]` in nodewise.toml: `command = [\"…\"]` or `url = \"…\"`",
    )
    .await;
    check_start(
        "[live.mcp.faults]\n",
        &all_of("faults"),
        "the server `faults` has neither a `command` nor a `url`\n  help: write one of them under `[live.mcp.faults]` in nodewise.toml",
    )
    .await;
    check_start(
        "[live.mcp.faults]\ncommand = [\"no-such-server\"]\n",
        &all_of("faults"),
        "cannot start the server `faults` with `no-such-server`\n  help: install it, or fix `command` under `[live.mcp.faults]` in nodewise.toml: No such file or directory (os error 2)",
    )
    .await;
    check_start(
        "[live.mcp.faults]\ncommand = [\"python3\", \"server.py\"]\nenv = [\"NODEWISE_NOT_SET\"]\n",
        &all_of("faults"),
        "the variable `NODEWISE_NOT_SET` of the server `faults` is not set\n  help: set it in the environment or in `.env`, or remove it from `env` of `[live.mcp.faults]` in nodewise.toml",
    )
    .await;
    check_start(
        "[live.mcp.faults]\ncommand = [\"python3\", \"-c\", \"import sys; sys.exit('not today')\"]\n",
        &all_of("faults"),
        "the server `faults` does not follow the MCP protocol: connection closed: initialize response: exit status: \
         1; its last output:\n    not today",
    )
    .await;
}
