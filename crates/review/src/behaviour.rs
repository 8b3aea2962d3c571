//! Which scenarios take another path in the new version.
//!
//! Input: both versions, and the renames between them. Output: the scenarios of the new version whose run visits other nodes,
//! or ends in another way, on the old graph. Invariant: a rename alone changes no path, and neither does a scenario that was
//! edited together with its graph and takes the same path in both versions.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_analysis::facts::{FileFacts, Ownership};
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_dialect::meaning::PartRole;
use nodewise_simulation::scenario::{FoundScenario, scenarios_of};
use nodewise_simulation::testing::{ScenarioResult, course};

use crate::change::{
    Behaviour, ChangedPlace, ChangedScenario, PartChange, PartChangeKind, Review, ScenarioDifference,
};
use crate::version::ProjectVersion;

/// Runs the scenarios of the new version on both versions. `counts` selects their files by path. A scenario is reported
/// only if both its new and its old text do something else on the old version.
#[must_use]
pub fn behaviour(
    base: &[ProjectVersion],
    head: &[ProjectVersion],
    review: &Review,
    counts: &dyn Fn(&str) -> bool,
) -> Behaviour {
    let renames = renames(review);
    let mut found = Behaviour::default();
    for project in head {
        let Some(before) = base.iter().find(|other| other.folder == project.folder) else { continue };
        let is_wanted = |scenario: &FoundScenario<'_>| counts(&project.path_of(scenario.path));
        let scenarios: Vec<FoundScenario<'_>> = scenarios(project).into_iter().filter(is_wanted).collect();
        if scenarios.is_empty() {
            continue;
        }
        let merged = with_scenarios_of(&before.snapshot, &project.snapshot);
        for scenario in scenarios {
            let Ok(after) = course(&project.snapshot, &scenario) else { continue };
            let on_base = same_scenario(&merged, &scenario).map(|found| course(&merged, &found));
            let own =
                same_scenario(&before.snapshot, &scenario).map(|found| course(&before.snapshot, &found));
            let courses: Vec<ScenarioResult> = [on_base, own].into_iter().flatten().flatten().collect();
            found.compared += usize::from(!courses.is_empty());
            let differences = courses.iter().map(|before| difference(before, &after, &renames));
            let differences: Vec<ScenarioDifference> = differences.collect::<Option<_>>().unwrap_or_default();
            // Report the difference of the new scenario, because that is the one a reviewer reads.
            if let Some(difference) = differences.into_iter().next() {
                found.changed.push(changed(project, &scenario, difference));
            }
        }
    }
    found
}

fn changed(
    project: &ProjectVersion,
    scenario: &FoundScenario<'_>,
    difference: ScenarioDifference,
) -> ChangedScenario {
    let line = project
        .snapshot
        .file(scenario.document.source)
        .map_or(1, |file| file.line(scenario.scenario.head.range.start()));
    let path = project.path_of(scenario.path);
    let title = scenario.scenario.title.as_ref().map(|title| title.value.to_string());
    let title =
        title.filter(|title| !title.is_empty()).unwrap_or_else(|| format!("the scenario of line {line}"));
    ChangedScenario { title, place: ChangedPlace { path, line }, difference }
}

/// The first difference between two runs. `None` if they visit the same nodes and end with the same status.
fn difference(
    before: &ScenarioResult,
    after: &ScenarioResult,
    renames: &BTreeMap<String, String>,
) -> Option<ScenarioDifference> {
    let old: Vec<String> = before
        .path
        .iter()
        .map(|name| renames.get(name.as_str()).cloned().unwrap_or_else(|| name.to_string()))
        .collect();
    let new: Vec<String> = after.path.iter().map(ToString::to_string).collect();
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let is_same_path = same == old.len() && same == new.len();
    if is_same_path && before.status == after.status {
        return None;
    }
    let behind = same.checked_sub(1).and_then(|last| new.get(last).cloned());
    let (before_next, after_next) = match is_same_path {
        true => (Some(before.ended.clone()), Some(after.ended.clone())),
        false => (old.get(same).cloned(), new.get(same).cloned()),
    };
    Some(ScenarioDifference { behind, before: before_next, after: after_next, is_end: is_same_path })
}

fn scenarios(project: &ProjectVersion) -> Vec<FoundScenario<'_>> {
    let files = project.sources.iter().filter_map(|source| project.snapshot.file(*source));
    files.flat_map(|file| scenarios_of(&project.snapshot, file)).collect()
}

/// The scenario with the same title in the same file, or else the one at the same position.
fn same_scenario<'s>(snapshot: &'s Snapshot, wanted: &FoundScenario<'_>) -> Option<FoundScenario<'s>> {
    let file = snapshot.file(snapshot.source(wanted.path)?)?;
    let title = |found: &FoundScenario<'_>| found.scenario.title.as_ref().map(|title| title.value.clone());
    let all: Vec<FoundScenario<'s>> = scenarios_of(snapshot, file).collect();
    let called = all.iter().find(|found| title(found).is_some() && title(found) == title(wanted));
    called.or_else(|| all.iter().find(|found| found.document.position == wanted.document.position)).cloned()
}

/// A snapshot with the declarations of one version and the scripts and scenarios of another.
fn with_scenarios_of(declarations: &Snapshot, scenarios: &Snapshot) -> Snapshot {
    let is_declaration =
        |file: &FileFacts| !matches!(file.ownership, Ownership::Ours(dialect) if !dialect.is_system());
    let write = |file: &FileFacts| Change::Write {
        path: Arc::clone(&file.path),
        text: Arc::clone(file.text.shared()),
        settings: Arc::clone(&file.settings),
    };
    let kept = declarations.files().iter().filter(|file| is_declaration(file)).map(|file| write(file));
    let taken = scenarios.files().iter().filter(|file| !is_declaration(file)).map(|file| write(file));
    let mut workspace = Workspace::new();
    workspace.apply(kept.chain(taken).collect());
    workspace.snapshot()
}

/// The new names of renamed nodes, by their old names.
fn renames(review: &Review) -> BTreeMap<String, String> {
    fn add(part: &PartChange, renames: &mut BTreeMap<String, String>) {
        if let (PartRole::Node, PartChangeKind::Renamed(former)) = (part.role, &part.kind) {
            renames.insert(former.clone(), part.name.clone());
        }
        part.parts.iter().for_each(|inner| add(inner, renames));
    }
    let mut renames = BTreeMap::new();
    review.declarations.iter().for_each(|changed| add(&changed.part, &mut renames));
    renames
}
