//! The engine: servers on free ports of this machine, in a temporary folder.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The servers of an engine; they end with it.
pub(crate) struct Engine {
    nodes: Vec<Node>,
    _folder: tempdir::Folder,
}

struct Node {
    number: usize,
    ports: Ports,
    command: Command,
    child: Option<Child>,
}

#[derive(Clone, Copy)]
struct Ports {
    ingress: u16,
    admin: u16,
    fabric: u16,
}

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Ports below those that the system gives to connections, so that none of them takes one before its server does.
const PORTS: std::ops::Range<u16> = 12_000..32_000;

/// A port that is free, and that no other test of this process gets.
pub(crate) fn free_port() -> u16 {
    static COUNT: AtomicU16 = AtomicU16::new(0);
    let begin = u16::try_from(std::process::id() % u32::from(PORTS.end - PORTS.start)).unwrap();
    let mut next = || {
        let offset = begin.wrapping_add(COUNT.fetch_add(1, Ordering::Relaxed)) % (PORTS.end - PORTS.start);
        PORTS.start + offset
    };
    std::iter::repeat_with(&mut next).find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).unwrap()
}

/// Where the engine is installed; without it the tests are skipped, and say so.
pub(crate) fn installed() -> Option<PathBuf> {
    match std::env::var_os("NODEWISE_RESTATE") {
        Some(folder) => Some(folder.into()),
        None => {
            eprintln!("skipped: NODEWISE_RESTATE is not set; `cargo xtask test --all` installs the engine");
            None
        }
    }
}

impl Engine {
    /// An engine of so many nodes; extra variables of its environment.
    pub(crate) fn start(installed: &Path, count: usize, variables: &[(&str, String)]) -> Engine {
        let folder = tempdir::Folder::new("engine");
        let ports: Vec<Ports> = (0..count)
            .map(|_| Ports { ingress: free_port(), admin: free_port(), fabric: free_port() })
            .collect();
        let addresses: Vec<String> =
            ports.iter().map(|ports| format!("\"http://127.0.0.1:{}\"", ports.fabric)).collect();
        let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
        let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
        let package =
            format!("node_modules/@restatedev/restate-server-{system}-{machine}/bin/restate-server");
        let nodes = ports.iter().enumerate().map(|(position, ports)| {
            let number = position + 1;
            let mut command = Command::new(installed.join(&package));
            let base = folder.path().join(format!("n{number}"));
            command.arg("--base-dir").arg(base).args(["--node-name", &format!("n{number}"), "--no-logo"]);
            command.args(["--log-disable-ansi-codes", "true", "--default-num-partitions", "4"]);
            command.args(["--listen-mode", "tcp"]);
            command.env("RESTATE_DISABLE_TELEMETRY", "true");
            command.env("RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE", "256MiB");
            command.env("RESTATE_INGRESS__BIND_ADDRESS", format!("127.0.0.1:{}", ports.ingress));
            command.env("RESTATE_ADMIN__BIND_ADDRESS", format!("127.0.0.1:{}", ports.admin));
            command.env("RESTATE_BIND_ADDRESS", format!("127.0.0.1:{}", ports.fabric));
            command.envs(variables.iter().map(|(name, value)| (*name, value.as_str())));
            if count > 1 {
                command.args(["--force-node-id", &number.to_string()]);
                command.env("RESTATE_CLUSTER_NAME", "nodewise");
                command.env("RESTATE_DEFAULT_REPLICATION", "2");
                command.env("RESTATE_METADATA_CLIENT__ADDRESSES", format!("[{}]", addresses.join(",")));
                command.env("RESTATE_ADVERTISED_ADDRESS", format!("http://127.0.0.1:{}", ports.fabric));
                command.env("RESTATE_AUTO_PROVISION", if number == 1 { "true" } else { "false" });
            }
            Node { number, ports: *ports, command, child: None }
        });
        let mut engine = Engine { nodes: nodes.collect(), _folder: folder };
        for number in 1..=count {
            engine.begin(number);
        }
        engine.nodes.iter().for_each(Node::wait);
        engine
    }

    /// Starts a node, for the first time or again with its folder.
    pub(crate) fn begin(&mut self, number: usize) {
        let node = &mut self.nodes[number - 1];
        let log = Stdio::null();
        node.child = Some(node.command.stdout(log).stderr(Stdio::null()).spawn().unwrap());
    }

    /// Waits until a node answers.
    pub(crate) fn wait(&self, number: usize) {
        self.nodes[number - 1].wait();
    }

    /// Kills a node.
    pub(crate) fn kill(&mut self, number: usize) {
        if let Some(mut child) = self.nodes[number - 1].child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// The addresses of the nodes, those that live first.
    pub(crate) fn urls(&self) -> Vec<String> {
        let (live, dead): (Vec<&Node>, Vec<&Node>) = self.nodes.iter().partition(|node| node.child.is_some());
        let url = |node: &Node| format!("http://127.0.0.1:{}", node.ports.ingress);
        live.into_iter().chain(dead).map(url).collect()
    }

    /// The administration of a node that lives.
    pub(crate) fn admin(&self) -> String {
        let node = self.nodes.iter().find(|node| node.child.is_some()).unwrap();
        format!("http://127.0.0.1:{}", node.ports.admin)
    }

    /// The node that leads most partitions.
    pub(crate) fn leader(&self, installed: &Path) -> usize {
        let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
        let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
        let tool = format!("node_modules/@restatedev/restatectl-{system}-{machine}/bin/restatectl");
        let address = format!("http://127.0.0.1:{}", self.nodes[0].ports.fabric);
        let printed =
            Command::new(installed.join(tool)).args(["--address", &address, "partitions", "list"]).output();
        let printed = String::from_utf8_lossy(&printed.unwrap().stdout).into_owned();
        let leads = |number: usize| {
            let name = format!("N{number}:");
            printed.lines().filter(|line| line.contains("Leader") && line.contains(&name)).count()
        };
        let count = self.nodes.len();
        let leader = (1..=count).max_by_key(|number| leads(*number)).unwrap();
        assert!(leads(leader) > 0, "nobody leads: {printed}");
        leader
    }
}

impl Node {
    fn wait(&self) {
        let url = format!("127.0.0.1:{}", self.ports.admin);
        let begin = Instant::now();
        while !is_healthy(&url) {
            assert!(begin.elapsed() < PATIENCE, "node {} does not answer", self.number);
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Whether a server answers `GET /health` with 200.
pub(crate) fn is_healthy(address: &str) -> bool {
    get(address, "/health").is_some_and(|answer| answer.starts_with("HTTP/1.1 200"))
}

/// The answer to a request, head and all.
pub(crate) fn get(address: &str, path: &str) -> Option<String> {
    asked(address, &format!("GET {path} HTTP/1.1"), "")
}

/// The rows of a question to an engine's administration; `None` while the engine does not answer.
pub(crate) fn query(admin: &str, query: &str) -> Option<Vec<Value>> {
    let body = json!({"query": query}).to_string();
    let kind = "content-type: application/json\r\naccept: application/json";
    let address = admin.strip_prefix("http://")?;
    // This version has no pieces in its answers.
    let head = format!("POST /query HTTP/1.0\r\n{kind}\r\ncontent-length: {}", body.len());
    let answer = asked(address, &head, &body)?;
    let answer: Value = serde_json::from_str(answer.split_once("\r\n\r\n")?.1).ok()?;
    answer.get("rows")?.as_array().cloned()
}

/// The answer to a form, head and all.
pub(crate) fn post(address: &str, path: &str, form: &str) -> Option<String> {
    let kind = "content-type: application/x-www-form-urlencoded";
    asked(address, &format!("POST {path} HTTP/1.1\r\n{kind}\r\ncontent-length: {}", form.len()), form)
}

fn asked(address: &str, head: &str, body: &str) -> Option<String> {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
    write!(stream, "{head}\r\nhost: {address}\r\nconnection: close\r\n\r\n{body}").ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    Some(String::from_utf8_lossy(&answer).into_owned())
}

impl Drop for Engine {
    fn drop(&mut self) {
        for number in 1..=self.nodes.len() {
            self.kill(number);
        }
    }
}

/// Folders that are removed with their owners.
pub(crate) mod tempdir {
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicU32, Ordering};

    static NUMBER: AtomicU32 = AtomicU32::new(0);

    pub(crate) struct Folder(PathBuf);

    impl Folder {
        pub(crate) fn new(name: &str) -> Folder {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("nodewise-durable-{name}-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        pub(crate) fn path(&self) -> &Path {
            &self.0
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            std::fs::remove_dir_all(&self.0).ok();
        }
    }
}
