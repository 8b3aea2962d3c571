//! What was stored is there again, whatever happens to the disk or the process. In: events; out: records, errors.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod damage;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value as Json, json};

use super::{NewRun, NodePin, RunId, RunStatus, Store};

static FOLDERS: AtomicU32 = AtomicU32::new(0);

/// A project's folder, removed with its test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("nodewise-store-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn store(&self) -> Store {
        Store::open(&self.0).unwrap()
    }

    fn database(&self) -> PathBuf {
        self.0.join(".nodewise/runs.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

fn claims() -> NewRun {
    NewRun {
        origin: None,
        pins: Vec::new(),
        system: "cycgraph".to_owned(),
        title: "graph `claims`".to_owned(),
        scenario: "script: a run\ninput: {\"amount\":5}\n".to_owned(),
        seed: u64::MAX,
        sources: vec![
            ("claims.yaml".to_owned(), Arc::from("id: claims\n")),
            ("empty.yaml".to_owned(), Arc::from("")),
        ],
        version: "0.1.0".to_owned(),
        name: Some("the first".to_owned()),
        tags: vec!["nightly".to_owned(), "claims".to_owned()],
    }
}

fn event(number: u64) -> Json {
    json!({"at": number * 10, "event": "wrote", "scope": 0, "key": "größer \u{0} \"", "value": number})
}

/// An error with all that is said of it.
fn error<T>(result: anyhow::Result<T>) -> String {
    format!("{:#}", result.err().expect("an error"))
}

#[test]
fn a_run_is_read_back_as_it_was_written() {
    let folder = Folder::new();
    let run = "20261122-1304-k7f2".to_owned();
    let pins = vec![NodePin { graph: Some("claims".to_owned()), node: "rate".to_owned(), run }];
    let new = NewRun { pins, ..claims() };
    let run = {
        let mut store = folder.store();
        let run = store.begin(&new).unwrap();
        store.append(&run, &[event(0), event(1)]).unwrap();
        assert_eq!(store.append_starting(&run, &[], &[7]).unwrap(), [0]);
        assert_eq!(store.append_starting(&run, &[], &[7, 8]).unwrap(), [1, 0]);
        store.append(&run, &[]).unwrap();
        store.append(&run, &[event(2)]).unwrap();
        store.end(&run, "completed", "3 visits").unwrap();
        run
    };
    let store = Store::open_existing(&folder.0).unwrap().unwrap();
    let stored = store.read(&run).unwrap();
    assert_eq!(stored.new, new);
    let events = stored.events();
    assert_eq!(events, [event(0), event(1), event(2)]);
    assert!(stored.events.iter().all(|event| event.stored >= stored.begun));
    assert_eq!(stored.attempts.into_iter().collect::<Vec<_>>(), [(7, 2), (8, 1)]);
    let RunStatus::Ended { at, outcome, summary } = stored.status else { panic!("it is over") };
    assert!(at >= stored.begun);
    assert_eq!((outcome.as_str(), summary.as_str()), ("completed", "3 visits"));
}

#[test]
fn a_list_says_how_runs_stand_and_what_they_used() {
    let folder = Folder::new();
    let mut store = folder.store();
    let first = store.begin(&claims()).unwrap();
    let usage = json!({"input_tokens": 10, "output_tokens": 2.5, "cost_usd": 0.25});
    store
        .append(
            &first,
            &[
                json!({"at": 3, "event": "answered", "ask": 0, "answer": {"after": 3, "usage": usage}}),
                json!({"at": 9, "event": "spent", "visit": 0, "usage": {"cost_usd": 0.5}}),
            ],
        )
        .unwrap();
    store
        .append(&first, &[json!({"at": 7, "event": "answered", "ask": 1, "answer": {"usage": usage}})])
        .unwrap();
    let paused = store.begin(&claims()).unwrap();
    store.pause(&paused, &json!({"prompt": "well?"})).unwrap();
    let status = |store: &Store, run: &RunId| {
        let list = store.list().unwrap().runs;
        list.into_iter().find(|one| one.id == *run).unwrap().status
    };
    assert_eq!(status(&store, &first), RunStatus::Running);
    assert_eq!(status(&store, &paused), RunStatus::Waiting(json!({"prompt": "well?"})));
    let list = store.list().unwrap().runs;
    let one = list.iter().find(|one| one.id == first).unwrap();
    assert_eq!((one.events, one.time_ms), (3, 9));
    assert_eq!((one.usage.input_tokens, one.usage.output_tokens, one.usage.cost_usd), (20.0, 5.0, 0.5));
    // Whoever drove the run is gone.
    store.let_go(&first);
    assert_eq!(status(&store, &first), RunStatus::Interrupted);
    store.append(&paused, &[event(0)]).unwrap();
    assert_eq!(status(&store, &paused), RunStatus::Running);
}

#[test]
fn runs_are_found_by_a_beginning_of_their_id() {
    let folder = Folder::new();
    let mut store = folder.store();
    assert_eq!(
        error(store.find("last")),
        "the project has no runs\n  help: `nodewise run TARGET` starts one"
    );
    let first = store.begin(&claims()).unwrap();
    let second = store.begin(&claims()).unwrap();
    assert_eq!(store.find(first.as_str()).unwrap(), first);
    let longest = |run: &RunId| store.find(run.as_str().get(..run.as_str().len() - 1).unwrap());
    assert_eq!(longest(&second).ok(), Some(second.clone()));
    assert_eq!(store.find("last").unwrap(), store.list().unwrap().runs.first().unwrap().id);
    let both = error(store.find("2"));
    assert!(both.starts_with("2 runs start with `2`\n  help: write more of the id; there are `"), "{both}");
    assert!(both.contains(first.as_str()) && both.contains(second.as_str()), "{both}");
    for nobody in ["", "x", "../x", "%"] {
        let help = "help: `nodewise runs` lists the runs of the project";
        assert_eq!(error(store.find(nobody)), format!("there is no run `{nobody}`\n  {help}"));
    }
}

#[test]
fn a_run_that_is_over_stays_as_it_is() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin(&claims()).unwrap();
    store.append(&run, &[event(0)]).unwrap();
    store.end(&run, "failed", "it broke").unwrap();
    let over = format!("the run `{run}` has ended\n  help: `nodewise runs replay {run}` runs it again");
    assert_eq!(error(store.append(&run, &[event(1)])), over);
    assert_eq!(error(store.append_starting(&run, &[], &[0])), over);
    assert_eq!(error(store.pause(&run, &Json::Null)), over);
    assert_eq!(error(store.end(&run, "completed", "")), over);
    assert_eq!(store.read(&run).unwrap().events.len(), 1);
}

#[test]
fn two_drive_no_run_at_once() {
    let folder = Folder::new();
    let (mut one, mut other) = (folder.store(), folder.store());
    let run = one.begin(&claims()).unwrap();
    let refused = error(other.append(&run, &[event(0)]));
    assert!(refused.starts_with(&format!("another process is running `{run}`\n  help: ")), "{refused}");
    assert_eq!(other.list().unwrap().runs.first().unwrap().status, RunStatus::Running);
    assert!(error(other.remove(&run)).starts_with("another process is running"));
    one.append(&run, &[event(0)]).unwrap();
    drop(one);
    other.append(&run, &[event(1)]).unwrap();
    assert_eq!(other.read(&run).unwrap().events.len(), 2);
}

#[test]
fn reading_makes_nothing() {
    let folder = Folder::new();
    assert!(Store::open_existing(&folder.0).unwrap().is_none());
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0);
    folder.store();
    assert_eq!(std::fs::read_to_string(folder.0.join(".nodewise/.gitignore")).unwrap(), "*\n");
}

#[test]
fn a_full_disk_is_reported_and_nothing_is_half_written() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin(&claims()).unwrap();
    store.append(&run, &[event(0)]).unwrap();
    let pages: i64 = store.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    let limit = |store: &Store, pages: i64| {
        store.connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).unwrap();
    };
    limit(&store, pages + 2);
    let long = json!({"at": 1, "event": "native", "name": "x".repeat(100_000)});
    let message = error(store.append(&run, &[event(1), long.clone()]));
    assert!(
        message.contains("runs.db` cannot be written: the disk is full\n  help: free some space, then"),
        "{message}"
    );
    assert_eq!(store.read(&run).unwrap().events.len(), 1);
    limit(&store, 1_000_000);
    store.append(&run, &[event(1), long]).unwrap();
    assert_eq!(store.read(&run).unwrap().events.len(), 3);
}

#[test]
fn a_store_that_may_not_be_written_is_reported() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin(&claims()).unwrap();
    store.connection.pragma_update(None, "query_only", true).unwrap();
    let message = error(store.append(&run, &[event(0)]));
    assert!(
        message.contains("cannot be written: the file or its folder is not writable\n  help: "),
        "{message}"
    );
    // A file stands where the folder should be.
    let other = Folder::new();
    std::fs::write(other.0.join(".nodewise"), "").unwrap();
    let message = error(Store::open(&other.0));
    assert!(message.contains(".nodewise`, which stores the runs\n  help: make the folder"), "{message}");
}

#[test]
fn a_damaged_store_is_reported_and_left_alone() {
    let folder = Folder::new();
    std::fs::create_dir(folder.0.join(".nodewise")).unwrap();
    std::fs::write(folder.database(), "no database at all, but long enough to have a header ".repeat(20))
        .unwrap();
    let message = error(Store::open(&folder.0));
    assert!(
        message.contains("runs.db` cannot be read: it is not a database\n  help: move it away"),
        "{message}"
    );

    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin(&claims()).unwrap();
    let events: Vec<Json> = (0..2_000).map(event).collect();
    store.append(&run, &events).unwrap();
    drop(store);
    let mut bytes = std::fs::read(folder.database()).unwrap();
    let half = bytes.len() / 2;
    bytes.iter_mut().skip(half).for_each(|byte| *byte = 0xa5);
    std::fs::write(folder.database(), &bytes).unwrap();
    let message = error(folder.store().read(&run));
    assert!(
        message.contains("runs.db` cannot be read: it is damaged\n  help: restore a backup"),
        "{message}"
    );
}

#[test]
fn a_store_of_a_newer_nodewise_or_of_others_is_refused() {
    let folder = Folder::new();
    let store = folder.store();
    store.connection.pragma_update(None, "user_version", 3).unwrap();
    drop(store);
    for message in [error(Store::open(&folder.0)), error(Store::open_existing(&folder.0))] {
        assert!(
            message.contains(
                "was written by a newer nodewise: its schema has version 3, and this nodewise reads version 2\n  help: "
            ),
            "{message}"
        );
    }
    let store = rusqlite::Connection::open(folder.database()).unwrap();
    store.pragma_update(None, "application_id", 7).unwrap();
    drop(store);
    let message = error(Store::open(&folder.0));
    assert!(
        message.contains("is a database, but not one that nodewise created\n  help: move it away"),
        "{message}"
    );
}

#[test]
fn a_store_with_triggers_is_refused() {
    for program in [
        "CREATE TRIGGER t AFTER INSERT ON events BEGIN UPDATE runs SET title = 'theirs'; END",
        "CREATE VIEW v AS SELECT * FROM runs",
    ] {
        let folder = Folder::new();
        let store = folder.store();
        store.connection.execute_batch(program).unwrap();
        drop(store);
        for message in [error(Store::open(&folder.0)), error(Store::open_existing(&folder.0))] {
            assert!(
                message.contains("runs.db` has triggers or views, which nodewise did not create"),
                "{message}"
            );
        }
    }
}

#[test]
fn a_store_on_a_disk_that_cannot_be_written_is_read() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin(&claims()).unwrap();
    store.append(&run, &[event(0)]).unwrap();
    store.end(&run, "completed", "").unwrap();
    let written = store.read(&run).unwrap();
    drop(store);
    let files = || {
        let entries = std::fs::read_dir(folder.0.join(".nodewise")).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = files();
    let mut store = super::open::read_only(&folder.0).unwrap();
    assert_eq!(store.list().unwrap().runs.len(), 1);
    assert_eq!(store.read(&run).unwrap(), written);
    assert_eq!(files(), before, "reading creates nothing");
    let message = error(store.begin(&claims()));
    assert!(message.contains("cannot be written: the file or its folder is not writable"), "{message}");
    drop(store);
    // The same where the system says that it cannot be written; everything can be for root.
    let mut permissions = std::fs::metadata(folder.database()).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(folder.database(), permissions).unwrap();
    let store = Store::open_existing(&folder.0).unwrap().unwrap();
    assert_eq!(store.read(&run).unwrap(), written);
}

#[test]
fn old_runs_are_forgotten_with_the_texts_that_nobody_else_has() {
    let folder = Folder::new();
    let mut store = folder.store();
    let mut runs = Vec::new();
    for number in 0..4 {
        let own = (format!("own-{number}.yaml"), Arc::from(format!("number: {number}\n")));
        let run =
            store.begin(&NewRun { sources: [claims().sources, vec![own]].concat(), ..claims() }).unwrap();
        store.append(&run, &[event(0)]).unwrap();
        runs.push(run);
    }
    let texts = |store: &Store| -> i64 {
        store.connection.query_row("SELECT count(*) FROM blobs", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(texts(&store), 6);
    for run in runs.iter().skip(1) {
        store.end(run, "completed", "").unwrap();
    }
    let listed: Vec<RunId> = store.list().unwrap().runs.into_iter().map(|run| run.id).collect();
    // The first run is not over.
    let expected: Vec<RunId> = listed.iter().filter(|id| **id != runs[0]).skip(1).cloned().collect();
    assert_eq!(store.prune(1).unwrap(), expected);
    assert_eq!(store.list().unwrap().runs.len(), 2);
    assert_eq!(texts(&store), 4);
    assert_eq!(store.read(&runs[0]).unwrap().new.sources.len(), 3);
    store.remove(&runs[0]).unwrap();
    assert!(error(store.read(&runs[0])).starts_with("there is no run"));
    let rows: i64 = store.connection.query_row("SELECT count(*) FROM events", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 1);
}

#[cfg(unix)]
#[test]
fn a_link_leads_no_store_elsewhere() {
    let (folder, other) = (Folder::new(), Folder::new());
    std::os::unix::fs::symlink(&other.0, folder.0.join(".nodewise")).unwrap();
    for message in [error(Store::open(&folder.0)), error(Store::open_existing(&folder.0))] {
        assert!(
            message.contains(".nodewise` is a link, but runs are stored in the project itself"),
            "{message}"
        );
    }
    assert_eq!(std::fs::read_dir(&other.0).unwrap().count(), 0);
}
