//! Secrets planted wherever a run meets one are in no file, stream or span that the run and the commands after it make.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use nodewise_test_support::model_server::ModelServer;
use serde_json::json;

use crate::place::{Done, PLANTED, Place, has_python, holding, provider};

/// An agent, a function and a tool of a server that give secrets away, and a function that fails with them.
const PROJECT: &str = r#"#- flow.yaml
id: flow
name: Flow
description: ''
nodes:
  - {id: say, type: agent, agent_id: writer, read_keys: ['*'], write_keys: ['*']}
  - {id: leak, type: tool, tool_id: leak, tools: [leak], read_keys: ['*'], write_keys: ['*']}
  - {id: read, type: tool, tool_id: read, tools: [read], read_keys: ['*'], write_keys: ['*']}
  - {id: fail, type: tool, tool_id: fail, tools: [fail], read_keys: ['*'], failure_policy: {max_retries: 1}}
edges: [{source: say, target: leak}, {source: leak, target: read}, {source: read, target: fail}]
start_node: say
end_nodes: [fail]
---
id: writer
name: Writer
model: m-1
provider: local
system_prompt: Write.
#- office.py
import base64, os, subprocess, sys
def leak(**state):
    token = os.environ['SHOP_TOKEN']
    print(token, 'PLAIN-printed')
    print(token, file=sys.stderr)
    subprocess.run([sys.executable, '-c', 'import sys; print(sys.argv[1])', token])
    return {'token': token, token: [1], 'coded': base64.b64encode(token.encode()).decode(), 'plain': 'PLAIN-returned'}
def fail(**state):
    raise RuntimeError('no access with %s from %s' % (os.environ['SHOP_TOKEN'], state))
#- documents.py
import json, os, sys
token = os.environ['DOCUMENTS_TOKEN']
print('starts with', token, 'PLAIN-started', file=sys.stderr, flush=True)
def send(number, result):
    print(json.dumps({'jsonrpc': '2.0', 'id': number, 'result': result}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get('method'), message.get('id')
    if method == 'initialize':
        version = message['params']['protocolVersion']
        send(number, {'protocolVersion': version, 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'd', 'version': '1'}})
    elif method == 'tools/list':
        send(number, {'tools': [{'name': 'read', 'inputSchema': {'type': 'object'}}]})
    elif method == 'tools/call':
        print('called with', token, file=sys.stderr, flush=True)
        send(number, {'content': [{'type': 'text', 'text': 'the token is ' + token + ', PLAIN-read'}]})
#- .env
DOCUMENTS_TOKEN=doc-Ex4mple-55aa
#- team.txt
team-Ex4mple-9
"#;

/// Each secret, where it is for the run to find, and the one file of the project that has it.
const SECRETS: &[(&str, &str, Option<&str>)] = &[
    ("PLANTED_KEY", PLANTED, None),
    ("SHOP_TOKEN", "tok-Ex4mple-7c1d", None),
    ("DOCUMENTS_TOKEN", "doc-Ex4mple-55aa", Some(".env")),
    ("OTLP_TOKEN", "otlp-Ex4mple-3b", None),
    ("the command `cat team.txt`", "team-Ex4mple-9", Some("team.txt")),
    ("PGPASSWORD", "Pg-Ex4mple-word", None),
    ("GATEWAY_KEY", "gate-Ex4mple-1", None),
];
/// Another form of one of them.
const CODED: &str = "dG9rLUV4NG1wbGUtN2MxZA==";

/// What takes spans and metrics, and keeps their bytes.
struct Collector {
    address: String,
    bodies: Arc<Mutex<Vec<u8>>>,
}

impl Collector {
    fn start() -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let bodies: Arc<Mutex<Vec<u8>>> = Arc::default();
        let kept = Arc::clone(&bodies);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || keep(&stream, &kept));
            }
        });
        Collector { address, bodies }
    }
}

/// Keeps the bodies of a connection until it is closed.
fn keep(mut stream: &TcpStream, bodies: &Mutex<Vec<u8>>) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let head = head.to_ascii_lowercase();
        let length = head.split("content-length: ").nth(1).unwrap().split("\r\n").next().unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        bodies.lock().unwrap().extend(body);
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
    }
}

fn configuration(server: &ModelServer, collector: &Collector) -> String {
    let local = provider("local", "openai", server);
    format!(
        "[live]\ntimeout_s = 60\npython_env = [\"SHOP_TOKEN\"]\n{local}\n[live.providers.local.headers]\n\
         api-key = {{ env = \"GATEWAY_KEY\" }}\n[live.tools]\nleak = {{ function = \"office.leak\" }}\n\
         fail = {{ function = \"office.fail\" }}\nread = {{ mcp = \"documents\" }}\n[live.mcp.documents]\n\
         command = [\"python3\", \"documents.py\"]\nenv = [\"DOCUMENTS_TOKEN\"]\n[live.telemetry]\nendpoint = \"{}\"\n\
         content = true\nmetrics = true\nheaders = {{ authorization = \"Bearer ${{OTLP_TOKEN}}\", x-team = {{ command = [\"cat\", \"team.txt\"] }} }}\n",
        collector.address
    )
}

/// The commands after the run, each with its exit code.
const AFTER: &[(&[&str], i32)] = &[
    (&["runs"], 0),
    (&["runs", "--format", "json"], 0),
    (&["runs", "show", "last"], 0),
    (&["runs", "show", "last", "--format", "json"], 0),
    (&["runs", "show", "last", "--format", "mermaid"], 0),
    (&["runs", "show", "last", "--format", "svg"], 0),
    (&["runs", "show", "last", "--format", "steps"], 0),
    (&["runs", "show", "last", "--format", "events"], 0),
    (&["runs", "replay", "last"], 0),
    (&["runs", "replay", "last", "--format", "json"], 0),
    (&["runs", "cost", "--by", "node", "--format", "json"], 0),
    (&["runs", "check"], 0),
    (&["runs", "backup", "copy.db"], 0),
    (&["runs", "export", "last", "-o", "last.scenario.yaml"], 0),
    (&["runs", "export", "last", "--case", "A case.", "-o", "last.eval.yaml"], 0),
    (&["test", "last.scenario.yaml"], 0),
    (&["check", "."], 1),
    (&["run", "flow.yaml", "--dry-run"], 0),
    (&["run", "flow.yaml", "--dry-run", "--node", "say", "--format", "json"], 0),
    (&["resume", "--trust"], 1),
    (&["run", "--from", "last@leak", "--trust", "--log", "fork.log", "--log-level", "trace"], 1),
    (&["trust"], 0),
];

#[test]
fn planted_secrets_are_in_no_file_stream_or_span() {
    if !has_python() {
        return;
    }
    let server =
        ModelServer::start(json!([{"echo": true, "text": "PLAIN-answer", "usage": [5, 2], "times": 0}]))
            .unwrap();
    let collector = Collector::start();
    let place = Place::new(PROJECT);
    place.write("nodewise.toml", &configuration(&server, &collector));
    let known: Vec<&str> = SECRETS.iter().map(|(_, value, _)| *value).collect();
    let input = json!({"note": format!("{} and PLAIN-input", known.join(" and "))}).to_string();
    let run = |words: &[&str]| {
        let mut command = place.command(words);
        let of_process = SECRETS.iter().filter(|(name, _, file)| file.is_none() && !name.contains(' '));
        command.envs(of_process.map(|(name, value, _)| (*name, *value)));
        Done::of(command.output().unwrap())
    };
    let first =
        ["run", "flow.yaml", "--trust", "--log", "run.log", "--log-level", "trace", "--input", &input];
    let mut streams: BTreeMap<String, Done> = BTreeMap::new();
    let done = run(&first);
    assert_eq!(done.code, Some(1), "{done:?}");
    streams.insert("run".to_owned(), done);
    for (words, code) in AFTER {
        let done = run(words);
        assert_eq!(done.code, Some(*code), "{words:?} {done:?}");
        streams.insert(words.join(" "), done);
    }

    // What was looked through has the texts beside the secrets, and the secrets were where they belong.
    let plain = ["PLAIN-answer", "PLAIN-input", "PLAIN-returned", "PLAIN-read"];
    let spans = collector.bodies.lock().unwrap().clone();
    let spans = String::from_utf8_lossy(&spans).into_owned();
    let events = &streams["runs show last --format events"].out;
    for text in plain {
        assert!(spans.contains(text) && events.contains(text), "{text}\n{events}");
        assert!(!holding(&place.path().join(".nodewise"), text).is_empty(), "{text}");
    }
    let printed = &streams["run"].err;
    assert!(printed.contains("PLAIN-printed") && printed.contains("PLAIN-started"), "{printed}");
    assert!(spans.contains("gen_ai.client.token.usage"), "metrics are looked through too");
    let request = &server.requests()[0];
    assert_eq!(request.header("authorization"), Some(format!("Bearer {PLANTED}").as_str()));
    assert_eq!(request.header("api-key"), Some("gate-Ex4mple-1"));

    for (name, value, file) in SECRETS.iter().copied().chain([("base64", CODED, None)]) {
        for (words, done) in &streams {
            let is_clean = !done.out.contains(value) && !done.err.contains(value);
            assert!(is_clean, "{name} after `{words}`: {done:?}");
        }
        assert!(!spans.contains(value), "{name} is in a span");
        let asked = server.requests().iter().any(|request| request.body.to_string().contains(value));
        assert!(!asked, "{name} was sent to the model");
        let own = file.map(|file| place.path().join(file).display().to_string());
        assert_eq!(holding(place.path(), value), Vec::from_iter(own), "{name}");
    }
}
