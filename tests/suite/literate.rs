//! The runs that the pages of `docs/simulation` show are what the simulator does.
//!
//! Input: a page. A block `yaml graph` is a file (its name may follow), `yaml script` what is answered, `text trace` the run
//! of them; a script behind a trace runs the same graph again, a graph behind a trace begins another example. Output: the
//! page with the traces that the runs have; with `NODEWISE_BLESS=1` it is written. Invariant: a page shows no graph and no
//! script with an error, unless it says `broken` of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_model::scenario::Scenario;
use nodewise_simulation::prepare;
use nodewise_simulation::render::text;
use nodewise_simulation::scenario::{documents_of, empty, whole};
use nodewise_simulation::target::{SimulationTarget, folder_of};

const FENCE: &str = "```";
const GRAPH: &str = "graph";
const SCRIPT: &str = "script";
const TRACE: &str = "trace";
const BROKEN: &str = "broken";
const MAIN_FILE: &str = "graph.yaml";
const SCRIPT_FILE: &str = "run.script.yaml";

/// The files of an example, as far as the page was read.
#[derive(Default)]
struct Example {
    files: Vec<(String, String)>,
    script: Option<String>,
    is_broken: bool,
    is_shown: bool,
}

impl Example {
    /// Takes in a block.
    fn add(&mut self, words: &[&str], body: &str) {
        if words.contains(&SCRIPT) {
            self.script = Some(body.to_owned());
        } else {
            if self.is_shown {
                *self = Example::default();
            }
            let name = words.iter().find(|word| word.contains('.')).unwrap_or(&MAIN_FILE);
            self.files.push(((*name).to_owned(), body.to_owned()));
        }
        self.is_broken |= words.contains(&BROKEN);
    }

    fn snapshot(&self) -> Snapshot {
        let script = self.script.iter().map(|text| (SCRIPT_FILE, text.as_str()));
        let files = self.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).chain(script);
        let write = |(path, text): (&str, &str)| Change::Write {
            path: path.into(),
            text: Arc::from(text),
            settings: Arc::new(Settings::default()),
        };
        let mut workspace = Workspace::new();
        workspace.apply(files.map(write).collect());
        workspace.snapshot()
    }

    /// The timeline of its run.
    fn trace(&mut self) -> String {
        self.is_shown = true;
        let snapshot = self.snapshot();
        if !self.is_broken {
            for file in snapshot.files() {
                let found = snapshot.diagnostics(snapshot.source(&file.path).unwrap());
                let error = found.iter().find(|one| one.severity == Severity::Error);
                assert!(error.is_none(), "{}: {error:?}\n{}", file.path, &*file.text);
            }
        }
        let scenario = scenario_of(&snapshot);
        let main = snapshot.source(&self.files.first().unwrap().0);
        let target = match scenario.target.file {
            Some(_) => SimulationTarget::find(&snapshot, &scenario.target, ""),
            None => {
                let node = scenario.target.node.as_ref().map(|node| node.value.as_str());
                SimulationTarget::named(&snapshot, main, None, node)
            }
        };
        let mut run = prepare(&snapshot, &target.unwrap(), &scenario).unwrap();
        let outcome = run.drive(|_| true);
        text(&run.recording(outcome))
    }
}

fn scenario_of(snapshot: &Snapshot) -> Scenario {
    let script = snapshot.source(SCRIPT_FILE).and_then(|source| snapshot.file(source));
    let Some(file) = script else { return empty() };
    let found = documents_of(snapshot, file).next().unwrap_or_else(|| panic!("no script:\n{}", &*file.text));
    assert_eq!(folder_of(found.path), "");
    whole(snapshot, found.scenario, found.path).unwrap()
}

/// The page with the traces that its runs have, and how many those are.
fn rewritten(page: &str) -> (String, usize) {
    let mut example = Example::default();
    let mut out = String::new();
    let mut traces = 0;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.push_str(&format!("{line}\n"));
        let words: Vec<&str> =
            line.strip_prefix(FENCE).unwrap_or_default().split_whitespace().skip(1).collect();
        let is_ours = [GRAPH, SCRIPT, TRACE].iter().any(|word| words.contains(word));
        if !is_ours {
            continue;
        }
        let body: String =
            lines.by_ref().take_while(|line| *line != FENCE).map(|line| format!("{line}\n")).collect();
        if words.contains(&TRACE) {
            traces += 1;
            out.push_str(&example.trace());
        } else {
            example.add(&words, &body);
            out.push_str(&body);
        }
        out.push_str(&format!("{FENCE}\n"));
    }
    (out, traces)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/simulation")
}

/// Holds the traces of a page against the runs of its graphs.
#[track_caller]
fn check_page(name: &str) {
    let path = folder().join(name);
    let page = std::fs::read_to_string(&path).unwrap();
    let (found, traces) = rewritten(&page);
    assert!(traces > 0, "{name} shows no run");
    if std::env::var_os("NODEWISE_BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
        return;
    }
    let differs = found.lines().zip(page.lines()).position(|(found, written)| found != written);
    let line = differs.map_or(0, |line| line + 1);
    assert!(found == page, "{name}:{line} shows another run; see it with NODEWISE_BLESS=1\n{found}");
}

#[test]
fn liman() {
    check_page("liman.md");
}

#[test]
fn cycgraph() {
    check_page("cycgraph.md");
}

#[test]
fn agentos() {
    check_page("agentos.md");
}

#[test]
fn the_index_names_every_page() {
    let index = std::fs::read_to_string(folder().join("README.md")).unwrap();
    for entry in folder().read_dir().unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == "README.md" || index.contains(&format!("({name})")), "{name}");
    }
}
