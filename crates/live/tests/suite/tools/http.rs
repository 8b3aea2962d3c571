//! Servers of tools over HTTP: keys, redirects, faults.

use serde_json::json;

use crate::tools::support::{Folder, Running, SECRET, all_of, has_python, start};

/// A server in a few lines, which writes its port to a file; it wants a key unless it is configured otherwise.
const SERVER: &str = r#"
#- server.py
import http.server, json, os, socket, sys

TOOLS = ["echo", "key", "meta", "cut", "failing", "refused"]
calls = 0

def answer(method, params, key):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "http", "version": "1"}}
    if method == "tools/list":
        return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]}
    if method == "tools/call":
        if params["name"] == "meta": key = params["_meta"]["nodewise/idempotency-key"]
        return {"content": [{"type": "text", "text": json.dumps(params["arguments"]) if params["name"] == "echo" else key}]}
    return {}

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments): pass

    def end(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items(): self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self): self.end(405)
    def do_DELETE(self): self.end(405)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = self.headers.get("Authorization")
        with open("keys", "a") as file: file.write("%s %s\n" % (self.path, key))
        if self.path == "/moved": return self.end(307, Location="/mcp")
        if self.path == "/elsewhere": return self.end(307, Location="http://localhost:%d/mcp" % server.server_port)
        if key != "Bearer PLANTED" and self.path != "/open": return self.end(401, WWW_Authenticate="Bearer")
        method, params = message["method"], message.get("params", {})
        if "id" not in message: return self.end(202)
        name = params.get("name") if method == "tools/call" else None
        if name == "cut":
            self.close_connection = True
            return self.connection.shutdown(socket.SHUT_RDWR)
        if name == "failing": return self.end(503, b"not now")
        if name == "refused": return self.end(403, b"not you")
        body = {"jsonrpc": "2.0", "id": message["id"], "result": answer(method, params, key)}
        self.end(200, json.dumps(body).encode(), Content_Type="application/json")

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open("port.new", "w") as file: file.write(str(server.server_port))
os.rename("port.new", "port")
server.serve_forever()
"#;

/// The server while it runs.
struct Served {
    folder: Folder,
    port: u32,
    _process: tokio::process::Child,
}

async fn served() -> Served {
    let folder = Folder::new(&SERVER.replace("PLANTED", SECRET));
    let process = tokio::process::Command::new("python3")
        .arg("server.py")
        .current_dir(&folder.path)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let port = folder.number_in("port").await;
    Served { folder, port, _process: process }
}

impl Served {
    /// The tools of the server at a path; the server named `keyed` gets the key.
    async fn tools(&self, server: &str, path: &str) -> anyhow::Result<Running> {
        let mut configuration =
            format!("[live.mcp.{server}]\nurl = \"http://127.0.0.1:{}{path}\"\n", self.port);
        if server == "keyed" {
            configuration.push_str(&format!("key = {{ command = [\"echo\", \"{SECRET}\"] }}\n"));
        }
        start(&self.folder, &configuration, &all_of(server)).await
    }
}

#[tokio::test]
async fn a_key_goes_along_and_does_not_come_back() {
    if !has_python() {
        return;
    }
    let served = served().await;
    let running = served.tools("keyed", "/mcp").await.unwrap();
    assert_eq!(running.call("echo", json!({"a": 1})).await, r#""{\"a\": 1}""#);
    assert_eq!(running.call("key", json!({})).await, r#""Bearer ***""#);
    assert_eq!(running.call("meta", json!({})).await, r#""20261122-1304-k7f2/7""#);
    running.tools.stop().await;
}

#[tokio::test]
async fn without_its_key_a_server_is_reported_with_help() {
    if !has_python() {
        return;
    }
    let served = served().await;
    let message = format!("{:#}", served.tools("plain", "/mcp").await.err().unwrap());
    assert!(message.starts_with("cannot connect to the server `plain` at http://127.0.0.1:"), "{message}");
    assert!(
        message.ends_with(
            "help: set its key under `[live.mcp.plain]` in nodewise.toml: `key = { env = \"NAME\" }`"
        ),
        "{message}"
    );
}

#[tokio::test]
async fn a_server_may_send_us_elsewhere_on_itself_alone() {
    if !has_python() {
        return;
    }
    let served = served().await;
    let running = served.tools("keyed", "/moved").await.unwrap();
    assert_eq!(running.call("echo", json!({})).await, r#""{}""#);
    running.tools.stop().await;
    assert!(served.tools("keyed", "/elsewhere").await.is_err());
    let keys = std::fs::read_to_string(served.folder.path.join("keys")).unwrap();
    assert!(keys.lines().last().unwrap().starts_with("/elsewhere "), "{keys}");
}

#[tokio::test]
async fn faults_of_the_way_are_failures() {
    if !has_python() {
        return;
    }
    let served = served().await;
    let running = served.tools("keyed", "/mcp").await.unwrap();
    let broken = running.call("cut", json!({})).await;
    let begin = "McpError: the connection to the server `keyed` broke while `cut` ran; the call may have taken effect: ";
    assert!(broken.starts_with(begin) && !broken.ends_with(" lasts"), "{broken}");
    assert_eq!(running.call("echo", json!({})).await, r#""{}""#);
    assert_eq!(
        running.call("failing", json!({})).await,
        "McpError: the server `keyed` rejects the call of `failing`: HTTP 503"
    );
    assert_eq!(
        running.call("refused", json!({})).await,
        "McpError: the server `keyed` rejects the call of `refused`: HTTP 403 Forbidden: not you lasts"
    );
    assert_eq!(running.call("echo", json!({})).await, r#""{}""#);
    running.tools.stop().await;
}

#[tokio::test]
async fn an_address_where_nobody_is_is_reported_with_help() {
    let folder = Folder::new("");
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let configuration = format!("[live.mcp.nobody]\nurl = \"http://127.0.0.1:{port}/mcp\"\n");
    let message = format!("{:#}", start(&folder, &configuration, &all_of("nobody")).await.err().unwrap());
    assert!(
        message
            .starts_with(&format!("cannot connect to the server `nobody` at http://127.0.0.1:{port}/mcp: ")),
        "{message}"
    );
    assert!(
        message.ends_with(
            "help: check that it runs, and that `url` under `[live.mcp.nobody]` in nodewise.toml is its address"
        ),
        "{message}"
    );
}
