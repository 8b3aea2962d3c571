//! Tests of actions: a fixture with a cursor, the title of an action, and the files after it.

mod creating;
mod edges;
mod fixes;
mod ignoring;
mod keys;
mod layout;
mod parts;
mod translations;

use std::sync::Arc;

use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_model::SourceId;
use nodewise_syntax::TextRange;
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_test_support::Fixture;

use super::{Action, ActionRequest, SourceChange, actions, resolve};
use crate::testing::project_at_cursor;

/// The actions at the cursor.
fn offered(fixture: &str) -> (Snapshot, SourceId, Vec<Action>) {
    let (snapshot, position) = project_at_cursor(fixture);
    let range = TextRange::empty(position.offset);
    let request = ActionRequest { source: position.source, range, only: &[], can_create_files: true };
    let actions = actions(&snapshot, request);
    (snapshot, position.source, actions)
}

/// The titles of all actions at the cursor that begin with `prefix`.
fn check_titles(fixture: &str, prefix: &str, expected: &[&str]) {
    let (_, _, actions) = offered(fixture);
    let titles: Vec<&str> =
        actions.iter().map(|action| &*action.title).filter(|title| title.starts_with(prefix)).collect();
    assert_eq!(titles, expected);
}

/// Applies the action with that title and compares all files with `result`. Checks that every finding that it fixes is
/// gone, that there are no new findings and syntax problems, and that every comment still exists.
fn check_action(fixture: &str, title: &str, result: &str) {
    let (snapshot, source, actions) = offered(fixture);
    let titles: Vec<&str> = actions.iter().map(|action| &*action.title).collect();
    let Some(action) = actions.iter().find(|action| action.title == title) else {
        panic!("no action `{title}` among {titles:#?}")
    };
    let change = resolve(&snapshot, source, &action.change).expect("the action changes nothing");
    let after = changed(&snapshot, &change);
    let expected = Fixture::parse(result.strip_prefix('\n').unwrap_or(result));
    let list = |files: Vec<(String, String)>| {
        files.into_iter().map(|(path, text)| format!("#- {path}\n{text}")).collect::<String>()
    };
    let mut wanted: Vec<_> =
        expected.files.iter().map(|file| (file.path.clone(), file.text.clone())).collect();
    wanted.sort();
    let found = after.files().iter().map(|file| (format!("/{}", file.path), file.text.to_string()));
    assert_eq!(list(found.collect()), list(wanted));
    for fixed in &action.fixes {
        assert!(count(&snapshot, fixed.rule) > count(&after, fixed.rule), "`{}` is still there", fixed.rule);
    }
    if !action.fixes.is_empty() {
        let all = |snapshot: &Snapshot| -> usize {
            snapshot.files().iter().map(|file| snapshot.diagnostics(file.source).len()).sum()
        };
        assert!(all(&after) < all(&snapshot), "another finding came: {:#?}", findings(&after));
    }
}

fn count(snapshot: &Snapshot, rule: &str) -> usize {
    findings(snapshot).iter().filter(|one| one.rule == rule).count()
}

fn findings(snapshot: &Snapshot) -> Vec<Diagnostic> {
    snapshot.files().iter().flat_map(|file| snapshot.diagnostics(file.source)).collect()
}

/// The project after a change.
fn changed(before: &Snapshot, change: &SourceChange) -> Snapshot {
    let settings = Arc::new(Settings::default());
    let write = |path: String, text: &str| Change::Write {
        path: path.into(),
        text: text.into(),
        settings: Arc::clone(&settings),
    };
    let mut changes = Vec::new();
    for file in before.files() {
        let own = change.edits.iter().filter(|edit| edit.at.source == file.source);
        let mut own: Vec<TextEdit> =
            own.map(|edit| TextEdit { range: edit.at.range, text: edit.text.clone() }).collect();
        changes.push(write(file.path.to_string(), &apply_edits(&file.text, &mut own).unwrap()));
    }
    changes.extend(change.new_files.iter().map(|file| write(file.path.clone(), &file.text)));
    let mut workspace = Workspace::new();
    workspace.apply(changes);
    workspace.snapshot()
}
