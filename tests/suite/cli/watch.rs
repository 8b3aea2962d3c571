//! `nodewise check --watch`: files change below the command, and it tells.
//!
//! A test waits for what it expects and never for a while: what comes before, such as the report of a half-written file, is
//! passed over.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::cli::support::Folder;

/// Whoever waits longer waits in vain.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command that watches.
struct Watcher {
    child: Child,
    /// What it shows up to each status line; closed when nobody writes any more.
    reports: Receiver<String>,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Watcher {
    /// Begins to watch in a folder below the test's own.
    fn start(folder: &Folder, below: &str, words: &str) -> Watcher {
        let mut command = folder.command(words);
        command.current_dir(folder.path().join(below));
        Watcher::of(command)
    }

    /// Begins to watch with this command.
    fn of(mut command: Command) -> Watcher {
        let (reader, writer) = std::io::pipe().unwrap();
        command.stdout(writer.try_clone().unwrap()).stderr(writer);
        let child = command.spawn().unwrap();
        // The command holds ends of the pipe too.
        drop(command);
        let (sender, reports) = channel();
        std::thread::spawn(move || {
            let mut report = String::new();
            for line in BufReader::new(reader).lines().map_while(Result::ok) {
                let is_last = line.ends_with("; waiting for changes");
                report.push_str(&if is_last { status(&line) } else { line });
                report.push('\n');
                if is_last && sender.send(std::mem::take(&mut report)).is_err() {
                    return;
                }
            }
        });
        Watcher { child, reports }
    }

    /// Waits until this is reported.
    #[track_caller]
    fn expect(&self, expected: &str) {
        let expected = expected.trim_start_matches('\n');
        let mut seen: Vec<String> = Vec::new();
        while seen.last().is_none_or(|last| last != expected) {
            let Ok(report) = self.reports.recv_timeout(PATIENCE) else { break };
            seen.push(report);
        }
        let is_seen = seen.last().is_some_and(|last| last == expected);
        assert!(is_seen, "expected:\n{expected}\nseen:\n{}", seen.join("---\n"));
    }

    /// Waits until it has ended.
    fn end(mut self) -> ExitStatus {
        while self.reports.recv_timeout(PATIENCE).is_ok() {}
        let start = Instant::now();
        loop {
            if let Some(ended) = self.child.try_wait().unwrap() {
                return ended;
            }
            assert!(start.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A status line without the time of day and how long it took.
fn status(line: &str) -> String {
    let (_, rest) = line.split_once(" UTC: ").unwrap();
    let (counts, _) = rest.rsplit_once(" in ").unwrap();
    format!("= {counts}")
}

const FILES: &str = "
#- chat.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [search]
#- tools/search.yaml
kind: ToolNode
name: search
description: Looks
func: s.s
";

const CLEAN: &str = "No problems in 2 files (2 declarations)\n= 0 errors, 0 warnings in 2 files; ";

const BROKEN: &str = "chat.yaml:4:9: error[unknown-tool] no tool is named `search`\n1 error in ";

/// What is said besides where there is nothing.
const NOTHING: &str = "warning: no declarations of Liman, cycgraph, AgentOS found\n  help: check the paths; `nodewise \
                       check --list-files` shows why a file is skipped\n";

/// What is said besides while nobody uses a tool.
const HINT: &str = "1 hint not shown (--hints)\n";

fn tool(name: &str) -> String {
    format!("kind: ToolNode\nname: {name}\ndescription: Looks\nfunc: s.s\n")
}

#[test]
fn edits_new_files_and_removed_ones_are_reported() {
    let folder = Folder::new(FILES);
    let watcher = Watcher::start(&folder, ".", "check --watch --format concise");
    watcher.expect(&format!("{CLEAN}2 files read\n"));
    folder.write("tools/search.yaml", tool("seek"));
    watcher.expect(&format!(
        "{BROKEN}2 files (2 declarations)\n{HINT}= 1 error, 0 warnings in 2 files; 1 file read\n"
    ));
    folder.write("tools/more.yaml", tool("search"));
    watcher.expect(&format!(
        "No problems in 3 files (3 declarations)\n{HINT}= 0 errors, 0 warnings in 3 files; 1 file read\n"
    ));
    std::fs::remove_file(folder.path().join("tools/more.yaml")).unwrap();
    watcher.expect(&format!(
        "{BROKEN}2 files (2 declarations)\n{HINT}= 1 error, 0 warnings in 2 files; 0 files read\n"
    ));
    // As editors save: another file is moved over the old one.
    folder.write("tools/search.yaml.tmp", tool("search"));
    let at = |name: &str| folder.path().join(name);
    std::fs::rename(at("tools/search.yaml.tmp"), at("tools/search.yaml")).unwrap();
    watcher.expect(&format!("{CLEAN}1 file read\n"));
    std::fs::rename(at("tools"), at("instruments")).unwrap();
    watcher.expect(&format!("{CLEAN}1 file read\n"));
    // What came with its folder is seen, and what comes into it afterwards.
    folder.write("deep/er/one.yaml", tool("one"));
    watcher.expect(&format!(
        "No problems in 3 files (3 declarations)\n{HINT}= 0 errors, 0 warnings in 3 files; 1 file read\n"
    ));
    folder.write("deep/er/one.yaml", "kind: Node\nname: one\n");
    watcher.expect(&format!(
        "deep/er/one.yaml:1:1: error[missing-field] `Node` lacks the required key `func`\n1 error in 3 files (3 declarations)\n\
         {HINT}= 1 error, 0 warnings in 3 files; 1 file read\n"
    ));
}

#[test]
fn a_folder_may_go_and_come_again() {
    let folder = Folder::new(FILES);
    folder.write("agents/a.yaml", tool("one"));
    let watcher = Watcher::start(&folder, ".", "check --watch --format concise agents");
    watcher.expect("No problems in 1 file (1 declaration)\n= 0 errors, 0 warnings in 1 file; 1 file read\n");
    std::fs::remove_dir_all(folder.path().join("agents")).unwrap();
    watcher.expect(
        "error: agents: no such file or folder\n  help: check the path\nNo declarations found, 1 path not read\n\
         = 0 errors, 0 warnings in 0 files; 0 files read\n",
    );
    folder.write("agents/a.yaml", "kind: Node\nname: one\n");
    watcher.expect(
        "agents/a.yaml:1:1: error[missing-field] `Node` lacks the required key `func`\n1 error in 1 file (1 declaration)\n\
         = 1 error, 0 warnings in 1 file; 1 file read\n",
    );
}

#[test]
fn the_current_folder_may_go_and_come_again() {
    let folder = Folder::new("");
    folder.write("in/a.yaml", tool("one"));
    let watcher = Watcher::start(&folder, "in", "check --watch --format concise");
    watcher.expect("No problems in 1 file (1 declaration)\n= 0 errors, 0 warnings in 1 file; 1 file read\n");
    std::fs::remove_dir_all(folder.path().join("in")).unwrap();
    folder.write("in/b.yaml", tool("one"));
    folder.write("in/c.yaml", tool("other"));
    watcher
        .expect("No problems in 2 files (2 declarations)\n= 0 errors, 0 warnings in 2 files; 2 files read\n");
}

#[test]
fn the_configuration_may_change_and_be_broken() {
    let folder = Folder::new(FILES);
    folder.write("tools/search.yaml", tool("seek"));
    let watcher = Watcher::start(&folder, ".", "check --watch --format concise");
    let broken = format!("{BROKEN}2 files (2 declarations)\n{HINT}");
    watcher.expect(&format!("{broken}= 1 error, 0 warnings in 2 files; 2 files read\n"));
    folder.write("nodewise.toml", "[rules]\nunknown-tool = \"off\"\n");
    watcher.expect(&format!(
        "No problems in 2 files (2 declarations)\n{HINT}= 0 errors, 0 warnings in 2 files; 0 files read\n"
    ));
    folder.write("nodewise.toml", "[ruels]\n");
    let seen = "error: nodewise.toml:1:2: unknown key `ruels`\n  \
                help: did you mean `rules`? It is ignored until then\n";
    let finding = BROKEN.strip_suffix("1 error in ").unwrap();
    watcher.expect(&format!(
        "{finding}{seen}1 error in 2 files (2 declarations)\n{HINT}= 1 error, 0 warnings in 2 files; 0 files read\n"
    ));
    folder.write("nodewise.toml", "[files]\nexclude = [\"chat.yaml\"]\n");
    watcher.expect("No problems in 1 file (1 declaration)\n= 0 errors, 0 warnings in 1 file; 0 files read\n");
    folder.write(".gitignore", "tools/\n");
    watcher.expect(&format!(
        "No declarations found\n{NOTHING}= 0 errors, 0 warnings in 0 files; 0 files read\n"
    ));
    std::fs::remove_file(folder.path().join(".gitignore")).unwrap();
    watcher.expect("No problems in 1 file (1 declaration)\n= 0 errors, 0 warnings in 1 file; 1 file read\n");
    std::fs::remove_file(folder.path().join("nodewise.toml")).unwrap();
    watcher.expect(&format!("{broken}= 1 error, 0 warnings in 2 files; 1 file read\n"));
}

#[test]
fn a_baseline_counts_as_it_is_now() {
    let folder = Folder::new(FILES);
    folder.write("tools/search.yaml", tool("seek"));
    folder.write("known/.keep", "");
    folder.run("check --write-baseline --baseline known/debt.json");
    let watcher = Watcher::start(&folder, ".", "check --watch --format concise --baseline known/debt.json");
    let held = format!(
        "No problems in 2 files (2 declarations)\n{HINT}1 finding ignored by the baseline\n= 0 errors, 0 warnings in 2 files; "
    );
    watcher.expect(&format!("{held}2 files read\n"));
    let listed = folder.read("known/debt.json");
    folder.write("known/debt.json", "{\"version\": 1, \"findings\": []}\n");
    watcher.expect(&format!(
        "{BROKEN}2 files (2 declarations)\n{HINT}= 1 error, 0 warnings in 2 files; 0 files read\n"
    ));
    folder.write("known/debt.json", &listed);
    watcher.expect(&format!("{held}0 files read\n"));
}

#[test]
fn a_report_that_is_written_is_no_change() {
    let folder = Folder::new(FILES);
    let watcher = Watcher::start(&folder, ".", "check --watch --format json -o report.json --format concise");
    watcher.expect(&format!("{CLEAN}2 files read\n"));
    folder.write("tools/search.yaml", tool("seek"));
    watcher.expect(&format!(
        "{BROKEN}2 files (2 declarations)\n{HINT}= 1 error, 0 warnings in 2 files; 1 file read\n"
    ));
    assert!(folder.read("report.json").contains("unknown-tool"));
    folder.write("tools/search.yaml", tool("search"));
    watcher.expect(&format!("{CLEAN}1 file read\n"));
}

#[test]
fn it_ends_when_nobody_reads() {
    let folder = Folder::new(FILES);
    let mut command = folder.command("check --watch --format concise");
    let (reader, writer) = std::io::pipe().unwrap();
    let (status, errors) = std::io::pipe().unwrap();
    let mut child = command.stdout(writer).stderr(errors).spawn().unwrap();
    drop(command);
    let mut line = String::new();
    BufReader::new(status).read_line(&mut line).unwrap();
    assert!(line.ends_with("waiting for changes\n"), "{line}");
    drop(reader);
    // A process that another test just started holds this end too, until it runs its program. So one change may still find a
    // reader.
    let start = Instant::now();
    let ended = std::iter::repeat(["seek", "search"]).flatten().find_map(|name| {
        folder.write("tools/search.yaml", tool(name));
        std::thread::sleep(Duration::from_millis(100));
        let ended = child.try_wait().unwrap();
        assert!(ended.is_some() || start.elapsed() < PATIENCE, "it still watches");
        ended
    });
    assert_eq!(ended.unwrap().code(), Some(0));
}

/// Becomes the command of its arguments, which interruptions end even where the tests began in the background of a shell: what ignores
/// them hands that on to all that it starts.
#[cfg(unix)]
const HEED_INTERRUPTIONS: &str = "\
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
";

#[cfg(unix)]
#[test]
fn an_interruption_ends_it() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;

    const INTERRUPTED: i32 = 2;
    let folder = Folder::new(FILES);
    let command = folder.command("check --watch --format concise");
    let mut heeding = Command::new("python3");
    heeding.args(["-c", HEED_INTERRUPTIONS]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => heeding.env(name, value),
            None => heeding.env_remove(name),
        };
    }
    heeding.current_dir(folder.path()).stdin(Stdio::null());
    let watcher = Watcher::of(heeding);
    watcher.expect(&format!("{CLEAN}2 files read\n"));
    let process = watcher.child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &process]).status().unwrap();
    assert!(sent.success());
    assert_eq!(watcher.end().signal(), Some(INTERRUPTED));
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let folder = Folder::new(FILES);
    for words in
        ["check --watch --fix", "check --watch --diff", "check --watch --write-baseline", "check --watch -"]
    {
        let shown = folder.run(words);
        assert!(shown.starts_with("! error: ") && shown.ends_with("exit 2\n"), "{shown}");
    }
    let shown = folder.run("check --watch nowhere");
    assert!(shown.contains("nowhere: no such file or folder") && shown.ends_with("exit 2\n"), "{shown}");
}
