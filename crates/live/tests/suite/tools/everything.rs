//! The reference server of the Model Context Protocol, over its standard streams and over HTTP.
//!
//! Input: `NODEWISE_MCP_SERVERS`, the folder that its package is installed in; without it these tests say that they are skipped.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::json;

use crate::tools::support::{Folder, Running, all_of, start, until};

const FOLDER: &str = "NODEWISE_MCP_SERVERS";
const SERVER: &str = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";

/// The server's program, where it is installed.
fn program() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os(FOLDER) else {
        println!("skipped: {FOLDER} names no folder");
        return None;
    };
    let program = Path::new(&folder).join(SERVER);
    assert!(program.exists(), "{} is not there", program.display());
    Some(program)
}

/// What every connection to the server has to give.
async fn check_tools(running: &Running) {
    assert_eq!(running.call("echo", json!({"message": "hello"})).await, r#""Echo: hello""#);
    assert_eq!(running.call("get-sum", json!({"a": 2, "b": 3})).await, r#""The sum of 2 and 3 is 5.""#);
    assert_eq!(
        running.call("get-sum", json!({"a": "two", "b": 3})).await,
        "InvalidArguments: the call of `get-sum` does not match its declaration: `a` must be of type number, but is \"two\" lasts"
    );
    let structured = running.call("get-structured-content", json!({"location": "New York"})).await;
    assert!(structured.starts_with('{') && structured.contains("\"temperature\":"), "{structured}");
    let image = running.call("get-tiny-image", json!({})).await;
    assert!(image.contains(r#"{"type":"image","data":""#), "{image}");
    let (one, other) = tokio::join!(
        running.call("trigger-long-running-operation", json!({"duration": 1, "steps": 2})),
        running.call("echo", json!({"message": "meanwhile"})),
    );
    assert!(one.contains("completed"), "{one}");
    assert_eq!(other, r#""Echo: meanwhile""#);
    assert!(running.tools.of_servers()["everything"].iter().any(|tool| tool == "echo"));
}

#[tokio::test]
async fn over_standard_streams() {
    let Some(program) = program() else { return };
    let folder = Folder::new("");
    let configuration = format!(
        "[live.mcp.everything]\ncommand = [\"node\", {:?}, \"stdio\"]\n",
        program.display().to_string()
    );
    let running = start(&folder, &configuration, &all_of("everything")).await.unwrap();
    check_tools(&running).await;
    running.tools.stop().await;
}

#[tokio::test]
async fn over_http() {
    let Some(program) = program() else { return };
    let folder = Folder::new("");
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut server = tokio::process::Command::new("node")
        .arg(program)
        .arg("streamableHttp")
        .env("PORT", port.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    until(|| std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()).await;
    let configuration = format!("[live.mcp.everything]\nurl = \"http://127.0.0.1:{port}/mcp\"\n");
    let running = start(&folder, &configuration, &all_of("everything")).await.unwrap();
    check_tools(&running).await;
    running.tools.stop().await;
    server.kill().await.unwrap();
}
