//! Runs that published releases stored: a later release lists, shows, replays, resumes and exports them.
//!
//! Input: the stores below `tests/data/stored-runs`, whose README says how they were made. Invariant: they are never made again by
//! a later release. With `NODEWISE_BLESS=1` the traces of their replays are written.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use nodewise_test_support::model_server::ModelServer;
use serde_json::Value as Json;

use crate::place::{Place, has_python};

const STORES: &str = "tests/data/stored-runs";
/// The address of the model server when the runs were stored.
const FORMER_ADDRESS: &str = "http://127.0.0.1:8643/v1";

/// Moves what happened to now: time counts while a run waits for a person, and an approval of cycgraph waits for 30 days at most.
const MOVE_TO_NOW: &str = "\
import sqlite3, time
store = sqlite3.connect('.nodewise/runs.db')
last, = store.execute('SELECT max(stored) FROM events').fetchone()
store.execute('UPDATE events SET stored = stored + ?', (int(time.time() * 1000) - last,))
store.commit()
store.close()
";

/// A project with the runs that a release stored, and a model server that answers as it did then.
struct Stored {
    folder: String,
    place: Place,
    /// The ids of the runs by how they stand.
    runs: BTreeMap<String, String>,
    _server: ModelServer,
}

impl Stored {
    fn copy(release: &str, system: &str) -> Stored {
        let folder = format!("{STORES}/{release}/{system}");
        let place = Place::copy(&folder);
        let server = ModelServer::start(serde_json::from_str(&place.read("models.json")).unwrap()).unwrap();
        // The configuration is read again when a run is resumed.
        let config = place.read("nodewise.toml");
        assert!(config.contains(FORMER_ADDRESS), "{config}");
        place.write("nodewise.toml", &config.replace(FORMER_ADDRESS, &server.base_url()));
        std::fs::create_dir(place.path().join(".nodewise")).unwrap();
        std::fs::rename(place.path().join("runs.db"), place.path().join(".nodewise/runs.db")).unwrap();
        let mut python = Command::new("python3");
        assert!(python.args(["-c", MOVE_TO_NOW]).current_dir(place.path()).status().unwrap().success());
        let list = place.run(&["runs", "--format", "json"]).well();
        let list: Json = serde_json::from_str(&list.out).unwrap();
        let text = |run: &Json, key: &str| run[key].as_str().unwrap().to_owned();
        let runs = list["runs"].as_array().unwrap().iter();
        let runs = runs.map(|run| (text(run, "status"), text(run, "id"))).collect();
        Stored { folder, place, runs, _server: server }
    }

    /// Each run is shown, and its replay gives the recorded trace.
    fn check_record(&self) {
        for (status, id) in &self.runs {
            let shown = self.place.run(&["runs", "show", id]).well();
            assert!(shown.out.contains("write") || shown.out.contains("LLMNode/desk"), "{}", shown.out);
            let replayed = self.place.run(&["runs", "replay", id, "--format", "json"]).well();
            let file =
                Path::new(env!("CARGO_MANIFEST_DIR")).join(&self.folder).join(format!("{status}.jsonl"));
            if std::env::var_os("NODEWISE_BLESS").is_some() {
                std::fs::write(&file, &replayed.out).unwrap();
            }
            let expected = std::fs::read_to_string(&file).unwrap_or_default();
            let help = "another trace than the release gave; see it with NODEWISE_BLESS=1";
            assert!(replayed.out == expected, "{}: {help}\n{}", file.display(), replayed.out);
        }
    }

    /// The ended run becomes a scenario that passes.
    fn check_export(&self) {
        let file = "lived.scenario.yaml";
        self.place.run(&["runs", "export", &self.runs["completed"], "-o", file]).well();
        let tested = self.place.run(&["test", file]).well();
        assert!(tested.out.contains("1 passed"), "{}", tested.out);
    }

    /// The interrupted run ends, and the call that was cut off is made again and announced.
    fn check_interrupted(&self) {
        let id = &self.runs["interrupted"];
        let resumed = self.place.run(&["resume", id, "--trust"]).well();
        assert!(resumed.err.contains("calls the tool `pay` again"), "{}", resumed.err);
        assert_eq!(self.place.read("paid.txt"), "paid\n", "it is called once more");
        self.check_completed(id);
    }

    /// The waiting run ends after a decision.
    fn check_waiting(&self) {
        let id = &self.runs["waiting"];
        self.place.run(&["resume", id, "--approve", "--trust"]).well();
        assert_eq!(self.place.read("paid.txt"), "paid\n", "what was approved is paid");
        self.check_completed(id);
    }

    fn check_completed(&self, id: &str) {
        let list = self.place.run(&["runs"]).well();
        let line = list.out.lines().find(|line| line.contains(id)).unwrap();
        assert!(line.contains("completed"), "{line}");
    }
}

/// Everything that a later release owes to the runs of a system which `release` stored with these statuses.
#[track_caller]
fn check_stored_runs(release: &str, system: &str, statuses: &[&str]) {
    if !has_python() {
        return;
    }
    let stored = Stored::copy(release, system);
    assert_eq!(stored.runs.keys().collect::<Vec<_>>(), statuses);
    stored.check_record();
    stored.check_export();
    stored.check_interrupted();
    if statuses.contains(&"waiting") {
        Stored::copy(release, system).check_waiting();
    }
}

#[test]
fn cycgraph_0_1() {
    check_stored_runs("0.1", "cycgraph", &["completed", "interrupted", "waiting"]);
}

#[test]
fn agentos_0_1() {
    check_stored_runs("0.1", "agentos", &["completed", "interrupted", "waiting"]);
}

#[test]
fn liman_0_1() {
    check_stored_runs("0.1", "liman", &["completed", "interrupted"]);
}
