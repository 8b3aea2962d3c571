//! A damaged store is never taken for right: whatever is cut or flipped, the runs are as they were, or the damage is reported.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use super::super::{NewRun, RunId, RunList, RunStatus, Store, Stored};
use super::{Folder, claims, error, event};

/// Everything that a store says of its runs.
#[derive(Debug, PartialEq)]
struct Said {
    list: RunList,
    runs: BTreeMap<RunId, Stored>,
}

/// A store with a run of each kind, and its files as a crash leaves them.
struct Sample {
    ids: Vec<RunId>,
    files: BTreeMap<String, Vec<u8>>,
    said: Said,
}

const DATABASE: &str = "runs.db";
const LOG: &str = "runs.db-wal";

impl Sample {
    /// `is_closed`: everything is in the database; otherwise everything is in its log.
    fn new(is_closed: bool) -> Sample {
        let folder = Folder::new();
        let mut store = folder.store();
        let mut ids = Vec::new();
        for kind in ["ended", "waiting", "interrupted"] {
            let own = (format!("{kind}.yaml"), std::sync::Arc::from("kind: LLMNode\n".repeat(40)));
            let new = NewRun { title: kind.to_owned(), sources: vec![own], ..claims() };
            let run = store.begin(&new).unwrap();
            for number in 0..8 {
                let text = format!("the answer {number} ").repeat(if number % 4 == 0 { 400 } else { 4 });
                let usage = json!({"input_tokens": 10, "output_tokens": number});
                let answered =
                    json!({"at": number, "event": "answered", "answer": {"text": text, "usage": usage}});
                store.append_starting(&run, &[event(number), answered], &[number]).unwrap();
            }
            match kind {
                "ended" => store.end(&run, "completed", "8 visits").unwrap(),
                "waiting" => store.pause(&run, &json!([{"prompt": "well?"}])).unwrap(),
                _ => store.let_go(&run),
            }
            ids.push(run);
        }
        let mut files = BTreeMap::new();
        if is_closed {
            drop(store);
            files = files_of(&folder.0);
        } else {
            files.extend(files_of(&folder.0));
            files.remove("runs.db-shm");
            assert!(files[LOG].len() > files[DATABASE].len(), "the log has it");
        }
        let mut sample =
            Sample { ids, files, said: Said { list: RunList::default(), runs: BTreeMap::new() } };
        sample.said = sample.read(&sample.files.clone()).unwrap();
        assert_eq!(sample.said.list.runs.len(), 3);
        sample
    }

    /// What a store of these files says; an error, where it says that something is damaged.
    fn read(&self, files: &BTreeMap<String, Vec<u8>>) -> Result<Said, String> {
        let folder = Folder::new();
        let own = folder.0.join(".nodewise");
        std::fs::create_dir(&own).unwrap();
        for (name, bytes) in files {
            std::fs::write(own.join(name), bytes).unwrap();
        }
        let said = |error: anyhow::Error| format!("{error:#}");
        let store = Store::open_existing(&folder.0).map_err(said)?.ok_or("there is no store, help: none")?;
        let list = store.list().map_err(said)?;
        if let Some(damage) = list.damage.first() {
            return Err(damage.clone());
        }
        let mut runs = BTreeMap::new();
        for id in &self.ids {
            let found = store.find(id.as_str()).map_err(said)?;
            runs.insert(found, store.read(id).map_err(said)?);
        }
        Ok(Said { list, runs })
    }

    /// With one file changed, everything is as it was or something is said; how often something was.
    fn check(&self, name: &str, change: impl Fn(&mut Vec<u8>)) -> bool {
        let mut files = self.files.clone();
        change(files.get_mut(name).unwrap());
        match self.read(&files) {
            Ok(said) => {
                assert_eq!(said, self.said, "{name} was changed, and nothing is said");
                false
            }
            Err(damage) => {
                assert!(damage.contains("help: ") && damage.contains(".nodewise"), "{damage}");
                true
            }
        }
    }

    fn check_flips(&self, name: &str, stride: usize) {
        let length = self.files[name].len();
        let mut reported = 0;
        for (turn, position) in (0..length).step_by(stride).enumerate() {
            let mask = [0x01, 0x80, 0xff, 0x10][turn % 4];
            reported += u32::from(self.check(name, |bytes| bytes[position] ^= mask));
        }
        assert!(reported > 20, "{reported} of {length} bytes matter");
    }

    fn check_cuts(&self, name: &str, stride: usize) {
        for length in (0..self.files[name].len()).step_by(stride) {
            assert!(self.check(name, |bytes| bytes.truncate(length)), "cut to {length} bytes");
        }
    }
}

fn files_of(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let own = folder.join(".nodewise");
    let files = std::fs::read_dir(own).unwrap().map(|entry| entry.unwrap());
    files
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect()
}

#[test]
fn a_flipped_byte_of_the_database_is_reported() {
    Sample::new(true).check_flips(DATABASE, 101);
}

#[test]
fn a_flipped_byte_of_the_log_is_reported() {
    Sample::new(false).check_flips(LOG, 601);
}

#[test]
fn a_database_that_was_cut_is_reported() {
    Sample::new(true).check_cuts(DATABASE, 1021);
}

#[test]
fn a_log_that_was_cut_is_reported() {
    Sample::new(false).check_cuts(LOG, 4093);
}

#[test]
fn files_that_are_missing_are_reported() {
    let sample = Sample::new(false);
    let mut files = sample.files.clone();
    files.remove(LOG);
    let message = sample.read(&files).unwrap_err();
    assert!(
        message.contains(
            "runs.db` is damaged: it is empty, but runs were stored in it\n  help: restore a backup"
        ),
        "{message}"
    );
    // The notes of what was written are there to find damage; without them, nothing is wrong.
    files = sample.files.clone();
    files.retain(|name, _| name == DATABASE || name == LOG);
    assert_eq!(sample.read(&files).unwrap(), sample.said);
}

/// One statement changes the tables; what is said then of the interrupted run, or of the store.
fn check_changed(sql: &str, expected: &str) {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin(&claims()).unwrap();
    let long = json!({"at": 1, "event": "native", "text": "long ".repeat(1000)});
    store.append_starting(&run, &[event(0), long, event(2)], &[4]).unwrap();
    store.let_go(&run);
    store.connection.execute_batch(&format!("PRAGMA foreign_keys = off; {sql}")).unwrap();
    let list = store.list().unwrap();
    let message = match list.damage.first() {
        Some(damage) => {
            assert!(error(store.find("last")).contains("is damaged"), "{damage}");
            damage.clone()
        }
        None => error(store.read(&run)),
    };
    let file = folder.database();
    let expected = expected.replace("RUN", run.as_str()).replace("FILE", &file.display().to_string());
    assert!(message.starts_with(&expected), "{message}\nexpected {expected}");
    assert!(message.contains("\n  help: restore a backup with `nodewise runs restore FILE`"), "{message}");
}

#[test]
fn what_is_damaged_is_named() {
    let run = "the run `RUN` in `FILE` is damaged: ";
    for (sql, what) in [
        ("UPDATE events SET event = '{' WHERE number = 1", "its event 1 cannot be read"),
        ("DELETE FROM events WHERE number = 1", "its event 1 is missing"),
        ("DELETE FROM events WHERE number = 2", "1 of its 3 events are missing"),
        (
            "UPDATE events SET event = replace(event, 'wrote', 'write') WHERE number = 0",
            "its input, declarations or events are not as they were written",
        ),
        ("UPDATE runs SET scenario = 'input: 6'", "its input, declarations or events are not as"),
        (
            "UPDATE sources SET path = 'other.yaml' WHERE position = 0",
            "its input, declarations or events are not as",
        ),
        (
            "UPDATE blobs SET text = text || 'x' WHERE length(text) > 2000",
            "a text of its event 1 is missing or",
        ),
        ("DELETE FROM attempts", "its list of started calls is not as it was written"),
        ("UPDATE attempts SET times = 2", "its list of started calls is not as it was written"),
        ("UPDATE runs SET standing = 'ended', outcome = 'completed'", "its status and usage are not as"),
        ("UPDATE runs SET input_tokens = 1", "its status and usage are not as they"),
    ] {
        check_changed(sql, &format!("{run}{what}"));
    }
    check_changed("DELETE FROM runs", "`FILE` is damaged: one of its runs is missing");
    check_changed(
        "UPDATE store SET runs = 2",
        "`FILE` is damaged: its list of runs is not as it was written",
    );
}

#[test]
fn a_damaged_run_is_not_continued_and_can_be_deleted() {
    let folder = Folder::new();
    let mut store = folder.store();
    let (damaged, sound) = (store.begin(&claims()).unwrap(), store.begin(&claims()).unwrap());
    let change = "UPDATE runs SET title = 'another' WHERE id = ?1";
    store.connection.execute(change, [damaged.as_str()]).unwrap();
    store.let_go(&damaged);
    for message in [error(store.append(&damaged, &[event(0)])), error(store.take(&damaged))] {
        assert!(message.contains("is damaged: its status and usage"), "{message}");
    }
    let list = store.list().unwrap();
    assert_eq!((list.runs.len(), list.damage.len()), (1, 1));
    store.append(&sound, &[event(0)]).unwrap();
    store.remove(&damaged).unwrap();
    let list = store.list().unwrap();
    assert_eq!((list.runs.len(), list.damage), (1, Vec::new()));
}

#[test]
fn an_older_copy_in_place_of_the_store_is_reported() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin(&claims()).unwrap();
    store.append(&run, &[event(0)]).unwrap();
    drop(store);
    let older = std::fs::read(folder.database()).unwrap();
    let mut store = folder.store();
    store.append(&run, &[event(1)]).unwrap();
    store.append(&run, &[event(2)]).unwrap();
    let later = store.begin(&claims()).unwrap();
    drop(store);
    std::fs::write(folder.database(), &older).unwrap();
    let store = folder.store();
    let damage = store.list().unwrap().damage.join("\n");
    for missing in [
        "the last change is missing",
        &format!("the run `{run}`"),
        "the last 2 changes are missing",
        &format!("the run `{later}`"),
    ] {
        assert!(damage.contains(missing), "{damage}");
    }
    assert!(error(store.find("last")).contains("is damaged"));
    assert!(error(store.read(&run)).contains("is damaged: the last 2 changes are missing"));
    // What the help says makes the older copy the store.
    for name in ["runs.db-written".to_owned(), format!("{run}.lock"), format!("{later}.lock")] {
        std::fs::remove_file(folder.0.join(".nodewise").join(name)).unwrap();
    }
    assert_eq!(store.list().unwrap().damage, Vec::<String>::new());
    assert_eq!(store.read(&run).unwrap().events.len(), 1);
    assert_eq!(store.read(&run).unwrap().status, RunStatus::Interrupted);
}

#[test]
fn long_texts_are_stored_once_and_go_with_their_runs() {
    let folder = Folder::new();
    let mut store = folder.store();
    let text = "a long answer ".repeat(10_000);
    let long = json!({"at": 1, "event": "native", "text": text, "more": [{"same": text}, {"short": "x"}]});
    let runs: Vec<RunId> = (0..2).map(|_| store.begin(&claims()).unwrap()).collect();
    for run in &runs {
        store.append(run, &[long.clone(), long.clone(), long.clone()]).unwrap();
        assert_eq!(store.read(run).unwrap().events(), [long.clone(), long.clone(), long.clone()]);
    }
    let pages: i64 = store.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    assert!(pages * 4096 < 2 * text.len() as i64, "{pages} pages for {} bytes", text.len());
    // What looks like a reference is kept as it is.
    let odd = json!({"event": "native", "text": text, "value": {"$text": [1, 2]}});
    store.append(&runs[1], std::slice::from_ref(&odd)).unwrap();
    assert_eq!(store.read(&runs[1]).unwrap().events()[3], odd);
    let texts = |store: &Store| -> i64 {
        let long = "SELECT count(*) FROM blobs WHERE length(text) > 1000";
        store.connection.query_row(long, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(texts(&store), 1);
    store.remove(&runs[0]).unwrap();
    assert_eq!(store.read(&runs[1]).unwrap().events.len(), 4);
    store.remove(&runs[1]).unwrap();
    assert_eq!(texts(&store), 0);
}

#[test]
fn a_backup_is_a_store_of_its_moment() {
    let (folder, other) = (Folder::new(), Folder::new());
    let mut store = folder.store();
    let run = store.begin(&claims()).unwrap();
    let long = json!({"at": 1, "event": "native", "text": "long ".repeat(1000)});
    store.append_starting(&run, &[event(0), long, event(2)], &[4]).unwrap();
    store.pause(&run, &json!([{"prompt": "well?"}])).unwrap();
    let file = folder.0.join("copy.db");
    assert_eq!(store.backup(&file).unwrap(), Vec::<String>::new());
    let moment = store.read(&run).unwrap();
    // What happens later is not in the copy.
    store.append(&run, &[event(3)]).unwrap();
    let there = error(store.backup(&file));
    assert!(
        there.ends_with("copy.db` exists already\n  help: choose another name, or delete the file first"),
        "{there}"
    );
    assert_eq!(super::super::restore(&other.0, &file).unwrap(), None);
    let copy = other.store();
    assert_eq!(copy.read(&run).unwrap(), moment);
    assert_eq!(copy.check().unwrap(), Vec::<String>::new());
    // A process runs the run.
    let held = error(super::super::restore(&folder.0, &file));
    assert!(held.starts_with(&format!("another process is running `{run}`")), "{held}");
    drop(store);
    let former = super::super::restore(&folder.0, &file).unwrap();
    assert_eq!(former, Some(folder.0.join(".nodewise/runs.db-replaced")));
    assert_eq!(folder.store().read(&run).unwrap(), moment);
    assert_eq!(folder.store().check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_damaged_backup_is_reported() {
    let (folder, other) = (Folder::new(), Folder::new());
    let mut store = folder.store();
    let run = store.begin(&claims()).unwrap();
    store.append(&run, &[event(0)]).unwrap();
    let change = "UPDATE events SET event = replace(event, 'wrote', 'write')";
    store.connection.execute_batch(change).unwrap();
    let file = folder.0.join("copy.db");
    let damage = store.backup(&file).unwrap().join("\n");
    assert!(damage.contains("copy.db` is damaged: its input, declarations or events are not as"), "{damage}");
    assert_eq!(store.check().unwrap().len(), 1);
    let refused = error(super::super::restore(&other.0, &file));
    assert!(refused.starts_with("the backup is damaged, and nothing was changed: the run"), "{refused}");
    std::fs::write(&file, "no database").unwrap();
    let refused = error(super::super::restore(&other.0, &file));
    assert!(refused.contains("copy.db` cannot be read: it is not a database"), "{refused}");
    assert!(!other.database().exists());
}
