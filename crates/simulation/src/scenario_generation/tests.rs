//! Scenarios of small graphs against the least number, which is counted over all paths. The graphs are those of the corpora
//! and of the examples in which a run comes to no state twice.

#![allow(clippy::disallowed_methods, reason = "a test reads the corpora")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};

use super::atoms::AtomSet;
use super::{Goal, Work};
use crate::target::targets_of_file;
use nodewise_engine::explore::ExplorationBounds;

/// The most paths, atoms and states of a graph whose least number is counted.
const PATHS_MAX: usize = 3_000;
const ATOMS_MAX: usize = 24;
const STATES_MAX: usize = 400;

fn snapshot(files: &[PathBuf], root: &Path) -> Snapshot {
    let mut workspace = Workspace::new();
    let write = |path: &PathBuf| {
        let name = path.strip_prefix(root).ok()?.to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(path).ok()?;
        Some(Change::Write { path: name.into(), text: text.into(), settings: Arc::new(Settings::default()) })
    };
    workspace.apply(files.iter().filter_map(write).collect());
    workspace.snapshot()
}

/// The least number of runs that reach as much of the goal as all runs together.
fn least(work: &Work<'_>) -> Option<usize> {
    let mut sets: BTreeSet<AtomSet> = BTreeSet::new();
    for explored in &work.explored {
        sets.extend(explored.states.all_paths(PATHS_MAX, STATES_MAX)?);
    }
    let everything: AtomSet = sets.iter().flatten().copied().collect();
    if everything.len() > ATOMS_MAX {
        return None;
    }
    let goal = work.goals.reached(&work.atoms, &everything);
    let mut layer: BTreeSet<AtomSet> = BTreeSet::from([AtomSet::new()]);
    for count in 0.. {
        if layer.iter().any(|shown| work.goals.reached(&work.atoms, shown) == goal) {
            return Some(count);
        }
        let with = |shown: &AtomSet| sets.iter().map(|set| shown | set).collect::<Vec<_>>();
        layer = layer.iter().flat_map(with).collect();
        if layer.len() > 100_000 {
            return None;
        }
    }
    None
}

#[test]
fn at_most_half_more_scenarios_than_necessary() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in [
        "examples/cycgraph",
        "examples/agentos",
        "tests/data/corpus/cycgraph",
        "tests/data/corpus/agentos/valid",
    ] {
        let found = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        files.extend(found.filter(|path| path.extension().is_some_and(|ext| ext == "yaml")));
    }
    files.sort();
    let (mut compared, mut sum, mut sum_least) = (0, 0, 0);
    for path in files {
        let snapshot = snapshot(std::slice::from_ref(&path), &root);
        let targets: Vec<_> =
            snapshot.files().iter().flat_map(|file| targets_of_file(&snapshot, file)).take(1).collect();
        for goal in Goal::ALL {
            let bounds = ExplorationBounds { states: STATES_MAX, ..ExplorationBounds::default() };
            let Ok(mut work) = Work::new(&snapshot, &targets, goal, &bounds) else { continue };
            let Some(least) = least(&work).filter(|least| *least > 0) else { continue };
            work.fill();
            let found = work.chosen();
            let count = found.len();
            assert!(
                2 * count <= 3 * least,
                "{}: {goal:?}: {count} scenarios, {least} are enough",
                path.display()
            );
            let everything = work.goals.reached(&work.atoms, &work.possible());
            assert_eq!(work.reached_by(&found), everything, "{}: {goal:?}", path.display());
            (compared, sum, sum_least) = (compared + 1, sum + count, sum_least + least);
        }
    }
    assert!(compared > 40, "{compared} goals, {sum} scenarios, {sum_least} are the least");
}
