//! Common to the tests of all features: a fixture as a project, and the cursor in it.

use std::fmt::Write;
use std::sync::Arc;

use nodewise_analysis::functions::PythonChange;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_model::Origin;
use nodewise_syntax::LineIndex;
use nodewise_test_support::Fixture;

use crate::position::FilePosition;

/// A fixture's files as a project.
pub(crate) fn project(fixture: &str) -> (Snapshot, Fixture) {
    project_with(fixture, &Settings::default())
}

/// The same with given settings.
pub(crate) fn project_with(fixture: &str, settings: &Settings) -> (Snapshot, Fixture) {
    let fixture = Fixture::parse(fixture.strip_prefix('\n').unwrap_or(fixture));
    let settings = Arc::new(settings.clone());
    let mut workspace = Workspace::new();
    let write = |file: &nodewise_test_support::FixtureFile| Change::Write {
        path: file.path.trim_start_matches('/').into(),
        text: file.text.as_str().into(),
        settings: Arc::clone(&settings),
    };
    let (programs, files): (Vec<_>, Vec<_>) =
        fixture.files.iter().partition(|file| file.path.ends_with(".py"));
    workspace.apply(files.into_iter().map(write).collect());
    let program = |file: &nodewise_test_support::FixtureFile| PythonChange {
        path: file.path.trim_start_matches('/').to_owned(),
        text: Some(file.text.as_str().into()),
    };
    workspace.apply_python(programs.into_iter().map(program).collect());
    (workspace.snapshot(), fixture)
}

/// A fixture's files as a project, and the position of its `$0`.
pub(crate) fn project_at_cursor(fixture: &str) -> (Snapshot, FilePosition) {
    let (snapshot, fixture) = project(fixture);
    let at = fixture.files.iter().find_map(|file| {
        let source = snapshot.source(file.path.trim_start_matches('/'))?;
        Some(FilePosition::new(source, file.cursor?))
    });
    let position = at.expect("the fixture has no cursor");
    (snapshot, position)
}

/// Places as lines: file, line and column, text.
pub(crate) fn places(snapshot: &Snapshot, places: &[Origin]) -> String {
    let mut list = String::new();
    for at in places {
        let file = snapshot.file(at.source).unwrap();
        let start = LineIndex::new(&file.text).line_col(at.range.start());
        let letters = &file.text[std::ops::Range::<usize>::from(at.range)];
        writeln!(list, "{}:{}:{} {letters}", file.path, start.line, start.column).unwrap();
    }
    list
}
