//! What the server asks of the system because a file was opened: no network, no process, nothing outside the folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::lsp::client::{Folder, Server, uri};

/// Where a program may look whatever it does: its libraries, and what the system says about itself.
const OWN: [&str; 7] = ["/etc/ld.so", "/lib", "/usr/lib", "/proc/self", "/proc/sys", "/sys/", "/dev/"];

fn has_strace() -> bool {
    Command::new("strace").arg("-V").output().is_ok_and(|output| output.status.success())
}

#[test]
fn opening_a_file_neither_connects_nor_executes_nor_looks_around() {
    if !has_strace() {
        println!("skipped: strace is not installed");
        return;
    }
    let outer = Folder::new(&[
        ("nodewise.toml", ""),
        (".gitignore", ""),
        ("secret.yaml", "kind: ToolNode\n"),
        (
            "in/a.yaml",
            "# yaml-language-server: $schema=http://127.0.0.1:9/x.json\nkind: LLMNode\nname: a\nextends: ../secret.yaml\n$ref: http://127.0.0.1:9/y\n",
        ),
        ("in/b/nodewise.toml", ""),
        ("in/flow.ts", HOSTILE),
        ("in/b/c.json", "{\"$schema\": \"../../secret.yaml\", \"kind\": \"LLMNode\"}"),
    ]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(outer.path.join("secret.yaml"), outer.path.join("in/link.yaml")).unwrap();
    let root = outer.path.join("in");
    let log = outer.path.join("log");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "trace=network,execve,execveat,fork,vfork,open,openat"]);
    // Cargo points the loader at its own folders.
    command.env_remove("LD_LIBRARY_PATH").arg("-o").arg(&log).arg(env!("CARGO_BIN_EXE_nodewise")).arg("lsp");
    let mut server = Server::start_with(&mut command);
    server.initialize(&[uri(&root)], json!({}), json!({"diagnostics": "workspace"}));
    server.wait_until_read();
    for path in ["in/a.yaml", "in/b/c.json", "in/flow.ts"] {
        let text = fs::read_to_string(outer.path.join(path)).unwrap();
        server.open(&outer.uri(path), 1, &text);
        server.diagnostics(&outer.uri(path), Some(1));
    }
    server.open("untitled:../../secret.yaml", 1, "kind: LLMNode\n");
    server.open(&outer.uri("secret.yaml"), 1, "kind: LLMNode\n");
    server.diagnostics(&outer.uri("secret.yaml"), Some(1));
    server.notify("exit", json!(null));
    server.exit_code();
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("a.yaml"), "the log shows what was read");
    let suspicious: Vec<&str> = log.lines().filter(|line| is_suspicious(line, &root)).collect();
    assert!(suspicious.is_empty(), "{suspicious:#?}");
}

/// A module that does everything at its top level.
const HOSTILE: &str = "import { execSync } from 'node:child_process';
import { AgentGraph, END, START, toolNode } from '@framers/agentos/orchestration';
execSync('touch ran');
await fetch('http://127.0.0.1:9/');
const sneaky = { get id() { return execSync('touch ran').toString(); } };
export const desk = new AgentGraph({ input: {}, scratch: {}, artifacts: {} })
  .addNode('look', toolNode('look_up'))
  .addNode(sneaky.id, toolNode(await import('http://127.0.0.1:9/x.js')))
  .addEdge(START, 'look')
  .addEdge('look', END)
  .compile();
";

/// Runs a command of nodewise under strace, and holds that it starts no process and opens no socket. What it writes.
#[track_caller]
fn check_quiet(folder: &Folder, words: &[&str]) -> String {
    let log = folder.path.join("log");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "trace=network,execve,execveat,fork,vfork"]);
    command.env_remove("LD_LIBRARY_PATH").arg("-o").arg(&log).arg(env!("CARGO_BIN_EXE_nodewise"));
    let output = command.args(words).current_dir(&folder.path).output().unwrap();
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("execve"), "the log shows the command itself");
    let suspicious: Vec<&str> = log.lines().filter(|line| is_suspicious(line, &folder.path)).collect();
    assert!(suspicious.is_empty() && !folder.path.join("ran").exists(), "{suspicious:#?}");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn hostile_modules_are_read_without_a_process_or_a_socket() {
    if !has_strace() {
        println!("skipped: strace is not installed");
        return;
    }
    let scripts = "{\"scripts\": {\"postinstall\": \"touch ran\", \"prepare\": \"touch ran\"}}";
    let plain =
        HOSTILE.replace("  .addNode(sneaky.id, toolNode(await import('http://127.0.0.1:9/x.js')))\n", "");
    assert_ne!(plain, HOSTILE, "the node without a known id is left out");
    let files =
        [("package.json", scripts), ("flow.ts", HOSTILE), ("plain.ts", &plain), ("nodewise.toml", "")];
    let folder = Folder::new(&files);
    let checked = check_quiet(&folder, &["check", "."]);
    assert!(checked.contains("2 declarations"), "{checked}");
    let simulated = check_quiet(&folder, &["simulate", "plain.ts"]);
    assert!(simulated.contains("calls   tool look_up"), "{simulated}");
    let exported = check_quiet(&folder, &["export", "flow.ts"]);
    assert!(exported.contains("look_up"), "{exported}");
}

fn is_suspicious(line: &str, root: &Path) -> bool {
    let call = line.split_once(' ').map_or(line, |(_, call)| call.trim_start());
    let name = call.split('(').next().unwrap_or_default();
    let path = call.split('"').nth(1).unwrap_or_default();
    match name {
        "socket" | "connect" | "bind" | "sendto" | "fork" | "vfork" => true,
        "execve" | "execveat" => !path.ends_with("nodewise"),
        "open" | "openat" => {
            !path.is_empty()
                && !Path::new(path).starts_with(root)
                && !OWN.iter().any(|own| path.starts_with(own))
        }
        _ => false,
    }
}
