//! Tests of actions: a fixture with a cursor, the title of an action, and what the files are afterwards.

use std::sync::Arc;

use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_model::SourceId;
use nodewise_syntax::TextRange;
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_test_support::Fixture;

use super::{Action, Request, SourceChange, actions, resolve};
use crate::testing::project_at_cursor;

/// What can be done at the cursor.
fn offered(fixture: &str) -> (Snapshot, SourceId, Vec<Action>) {
    let (snapshot, position) = project_at_cursor(fixture);
    let range = TextRange::empty(position.offset);
    let request = Request { source: position.source, range, only: &[], can_create_files: true };
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

/// Does the action of that title and compares all files with `result`; makes sure that every finding which it mends is
/// gone, that none came in its place, that no syntax problem came, and that every comment is still there.
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
    for mended in &action.mends {
        assert!(
            count(&snapshot, mended.rule) > count(&after, mended.rule),
            "`{}` is still there",
            mended.rule
        );
    }
    if !action.mends.is_empty() {
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
    let write =
        |path: String, text: &str| Change::Write { path, text: text.into(), settings: Arc::clone(&settings) };
    let mut changes = Vec::new();
    for file in before.files() {
        let own = change.edits.iter().filter(|edit| edit.at.source == file.source);
        let mut own: Vec<TextEdit> =
            own.map(|edit| TextEdit { range: edit.at.range, text: edit.text.clone() }).collect();
        changes.push(write(file.path.clone(), &apply_edits(&file.text, &mut own).unwrap()));
    }
    changes.extend(change.new_files.iter().map(|file| write(file.path.clone(), &file.text)));
    let mut workspace = Workspace::new();
    workspace.apply(changes);
    workspace.snapshot()
}

mod fixes {
    use super::{check_action, check_titles};

    #[test]
    fn a_fix_of_a_rule() {
        check_action(
            "
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [serch$0]
---
kind: ToolNode
name: search
description: {en: Searches.}
func: a.b
",
            "Replace it with `search`",
            "
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [search]
---
kind: ToolNode
name: search
description: {en: Searches.}
func: a.b
",
        );
    }

    #[test]
    fn all_of_a_rule_and_all_that_is_safe() {
        let before = "
kind: Node
name: a
func: \"pkg:ru$0n\"
---
kind: Node
name: b
func: \"pkg:go\"
nodes: [a]  # nodewise: ignore nothing
";
        check_titles(
            before,
            "Fix",
            &["Fix all 2 `func-path` in the file", "Fix everything that is safe to fix"],
        );
        check_action(
            before,
            "Fix all 2 `func-path` in the file",
            "
kind: Node
name: a
func: \"pkg.run\"
---
kind: Node
name: b
func: \"pkg.go\"
nodes: [a]  # nodewise: ignore nothing
",
        );
        check_action(
            before,
            "Fix everything that is safe to fix",
            "
kind: Node
name: a
func: \"pkg.run\"
---
kind: Node
name: b
func: \"pkg.go\"
nodes: [a]
",
        );
    }
}

mod ignoring {
    use super::{check_action, check_titles};

    #[test]
    fn at_the_end_of_the_line() {
        check_action(
            "kind: Node\nname: a\nfunc: x$0\n",
            "Ignore `func-path` here",
            "kind: Node\nname: a\nfunc: x  # nodewise: ignore[func-path]\n",
        );
        check_action(
            "kind: Node\r\nname: a\r\nfunc: x$0\r\n",
            "Ignore `func-path` here",
            "kind: Node\r\nname: a\r\nfunc: x  # nodewise: ignore[func-path]\r\n",
        );
    }

    #[test]
    fn above_where_the_line_has_no_room() {
        check_action(
            "kind: Node\nname: a\nfunc: x$0 # why\n",
            "Ignore `func-path` here",
            "kind: Node\nname: a\n# nodewise: ignore-next[func-path]\nfunc: x # why\n",
        );
        check_action(
            "kind: Node\nname: a\nfunc: >-\n  x$0\n",
            "Ignore `func-path` here",
            "kind: Node\nname: a\nfunc: >-  # nodewise: ignore[func-path]\n  x\n",
        );
        check_titles(
            "kind: Node\nname: a\nfunc: a.b\nnodes:\n  - target: a\n    when: >-\n      a and\n      b ($0\n",
            "Ignore",
            &["Ignore `when-syntax` in this file"],
        );
    }

    #[test]
    fn in_a_list_that_is_there() {
        check_action(
            "kind: Node\nname: a\nfunc: x$0 # nodewise: ignore[other] why\n",
            "Ignore `func-path` here",
            "kind: Node\nname: a\nfunc: x # nodewise: ignore[other, func-path] why\n",
        );
        check_action(
            "# nodewise: ignore-file[empty-file]\nkind: Node\nname: a\nfunc: x$0\n",
            "Ignore `func-path` in this file",
            "# nodewise: ignore-file[empty-file, func-path]\nkind: Node\nname: a\nfunc: x\n",
        );
    }

    #[test]
    fn in_the_file() {
        check_action(
            "%YAML 1.2\n---\nkind: Node\nname: a\nfunc: x$0\n",
            "Ignore `func-path` in this file",
            "%YAML 1.2\n# nodewise: ignore-file[func-path]\n---\nkind: Node\nname: a\nfunc: x\n",
        );
        check_action(
            "\u{feff}kind: Node\nname: a\nfunc: x$0\n",
            "Ignore `func-path` in this file",
            "\u{feff}# nodewise: ignore-file[func-path]\nkind: Node\nname: a\nfunc: x\n",
        );
    }

    #[test]
    fn not_in_json() {
        check_titles(
            "#- /a.json\n{\"id\": \"g\", \"name\": \"g\", \"description\": \"\", \"start_node\": \"x$0\", \"end_nodes\": [], \"edges\": [], \"nodes\": []}\n",
            "Ignore",
            &[],
        );
    }
}
