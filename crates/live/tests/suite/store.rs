//! The store before processes that die, and several at once.
//!
//! A test begins its own program again: in the child, the same test writes until it is killed.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use nodewise_live::store::{NewRun, RunStatus, Store};
use serde_json::{Value as Json, json};

/// The variable that tells a child which folder it writes in.
const FOLDER: &str = "NODEWISE_STORE_TEST_FOLDER";
/// How many events an append has.
const EVENTS: u64 = 3;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = Folder(std::env::temp_dir().join(format!("nodewise-{name}-{}", std::process::id())));
        std::fs::create_dir_all(&folder.0).unwrap();
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// The same test in a process of its own.
fn child(test: &str, folder: &Path) -> Child {
    let (_, module) = module_path!().split_once("::").unwrap();
    Command::new(std::env::current_exe().unwrap())
        .args([&format!("{module}::{test}"), "--exact", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap()
}

/// A line to the parent, past what captures a test's output.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").unwrap();
    out.flush().unwrap();
}

/// What a child says: lines that begin with a word, without it.
fn heard(child: &mut Child, word: &'static str) -> impl Iterator<Item = String> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // The frame around a test writes its name in front of the first line.
    lines
        .map_while(Result::ok)
        .filter_map(move |line| line.split_once(word).map(|(_, said)| said.trim().to_owned()))
}

fn event(number: u64) -> Json {
    json!({"at": number, "event": "wrote", "scope": 0, "key": "k", "value": "v".repeat(200)})
}

fn append_without_end(folder: &Path) {
    let mut store = Store::open(folder).unwrap();
    let run = store.begin(&NewRun::default()).unwrap();
    say(&format!("run: {run}"));
    for append in 0_u32.. {
        let events: Vec<Json> = (0..EVENTS).map(|one| event(u64::from(append) * EVENTS + one)).collect();
        assert_eq!(store.append_starting(&run, &events, &[append.into()]).unwrap(), [0]);
        say(&format!("run: {append}"));
    }
}

#[test]
fn what_was_written_is_there_after_a_kill() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return append_without_end(Path::new(&folder));
    }
    let folder = Folder::new("killed");
    for round in 0..20_usize {
        let mut process = child("what_was_written_is_there_after_a_kill", &folder.0);
        let mut said = heard(&mut process, "run:");
        let id = said.next().unwrap();
        let mut last = None;
        // Each round is killed somewhere else; what it wrote last may or may not have been reported.
        for line in said.by_ref().take(1 + round * 3 % 17) {
            last = line.parse::<u64>().ok();
        }
        std::thread::sleep(std::time::Duration::from_micros(137 * round as u64));
        process.kill().unwrap();
        process.wait().unwrap();
        for line in said {
            last = line.parse::<u64>().ok().or(last);
        }
        let reported = (last.unwrap() + 1) * EVENTS;
        let mut store = Store::open(&folder.0).unwrap();
        let run = store.find(&id).unwrap();
        let stored = store.read(&run).unwrap();
        let count = stored.events.len() as u64;
        assert!(
            (reported..=reported + EVENTS).contains(&count) && count.is_multiple_of(EVENTS),
            "{count} events, {reported} reported"
        );
        for (number, stored) in (0..).zip(&stored.events) {
            assert_eq!(stored.event, event(number));
        }
        // A question is noted before what follows from its answer.
        assert!(stored.attempts.len() as u64 >= count / EVENTS);
        assert_eq!(stored.status, RunStatus::Interrupted);
        store.append(&run, &[event(count)]).unwrap();
        assert_eq!(store.read(&run).unwrap().events.len() as u64, count + 1);
    }
}

#[test]
fn processes_write_side_by_side_and_drive_no_run_together() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return append_without_end(Path::new(&folder));
    }
    let test = "processes_write_side_by_side_and_drive_no_run_together";
    // All of them find no store, and one makes it.
    for round in 0..3 {
        side_by_side(test, &Folder::new(&format!("together-{round}")));
    }
}

fn side_by_side(test: &str, folder: &Folder) {
    let mut processes: Vec<Child> = (0..4).map(|_| child(test, &folder.0)).collect();
    let mut said: Vec<_> = processes.iter_mut().map(|process| heard(process, "run:")).collect();
    let ids: Vec<String> = said.iter_mut().map(|said| said.next().unwrap()).collect();
    let mut store = Store::open(&folder.0).unwrap();
    for (id, said) in ids.iter().zip(&mut said) {
        let run = store.find(id).unwrap();
        let refused = store.append(&run, &[event(0)]).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("another process is running `{id}`")), "{refused}");
        assert_eq!(store.read(&run).unwrap().status, RunStatus::Running);
        assert!(said.by_ref().take(5).count() == 5, "the driver goes on");
    }
    for process in &mut processes {
        process.kill().unwrap();
        process.wait().unwrap();
    }
    for id in ids {
        let run = store.find(&id).unwrap();
        let count = store.read(&run).unwrap().events.len() as u64;
        assert!(count >= 5 * EVENTS && count.is_multiple_of(EVENTS), "{count}");
        store.append(&run, &[event(count)]).unwrap();
        store.end(&run, "completed", "").unwrap();
    }
}
