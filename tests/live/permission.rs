//! What the user allowed holds until something of it changes, and can be taken back.

use serde_json::json;

use crate::place::Place;

const FLOW: &str = "#- flow.yaml
id: flow
name: Flow
description: ''
start_node: look
nodes: [{id: look, type: tool, tool_id: look, tools: [look]}]
edges: []
end_nodes: [look]
#- office.py
import helper
def look(): return helper.word()
#- helper.py
def word(): return 'a'
#- other/office.py
def look(): return 'b'
#- nodewise.toml
[live]
tools.look = { function = \"office.look\" }
";

#[test]
fn changes_of_the_programs_are_in_the_plan() {
    let place = Place::new(FLOW);
    let plan = || place.run(&["run", "flow.yaml", "--dry-run"]).out;
    let first = plan();
    assert!(
        first.contains("  office.look\n")
            && first.contains("  helper.py: ")
            && first.contains("  office.py: "),
        "{first}"
    );
    assert!(
        first.contains("  python_path: nothing\n") && first.contains("  Python interpreter: "),
        "{first}"
    );
    place.write("helper.py", "def word(): return 'c'\n");
    let changed = plan();
    assert_ne!(first, changed);
    place.write(
        "nodewise.toml",
        "[live]\npython_path = [\"other\"]\ntools.look = { function = \"office.look\" }\n",
    );
    let moved = plan();
    assert!(moved.contains("  other/office.py: ") && moved.contains("  python_path: other\n"), "{moved}");
}

#[test]
fn the_file_of_variables_is_in_the_plan_while_a_run_takes_one_from_it() {
    let place = Place::new(FLOW);
    let file_line = || {
        let plan = place.run(&["run", "flow.yaml", "--dry-run"]).well().out;
        plan.lines().find(|line| line.starts_with("  .env: ")).map(str::to_owned)
    };
    place.write(".env", "SHOP_REGION=north\n");
    assert_eq!(file_line(), None);
    let config =
        "[live]\npython_env = [\"SHOP_REGION\", \"PATH\"]\ntools.look = { function = \"office.look\" }\n";
    place.write("nodewise.toml", config);
    let first = file_line().unwrap();
    place.write(".env", "SHOP_REGION=south\n");
    let changed = file_line().unwrap();
    assert_ne!(first, changed);
    assert!(!changed.contains("south"), "{changed}");
    // The process comes first: nothing is taken from the file.
    place.write(".env", "PATH=/nowhere\n");
    assert_eq!(file_line(), None);
}

#[test]
fn permissions_are_listed_and_taken_back() {
    let place = Place::new("#- a\n#- project/b\n");
    let nothing = place.run(&["trust"]).well();
    assert!(nothing.out.is_empty() && nothing.err.contains("no live run is allowed anything"), "{nothing:?}");
    let folder = std::fs::canonicalize(place.path().join("project")).unwrap();
    let folder = folder.to_str().unwrap();
    let permission = json!({"when": 1_795_352_640_000_i64, "allowed": [{"function": "shop.search"}]});
    let trust = json!({"version": 2, "folders": {folder: permission, "/gone": permission}});
    place.write("state/nodewise/trust.json", &trust.to_string());
    let listed = place.run(&["trust"]).well().out;
    let expected =
        format!("{folder}  allowed 2026-11-22 13:04:00 UTC\n  runs the functions\n    shop.search\n");
    assert!(listed.contains(&expected), "{listed}");
    place.run(&["trust", "remove", "project"]).well();
    place.run(&["trust", "remove", "/gone"]).well();
    assert_eq!(place.run(&["trust", "remove", "project"]).code, Some(2));
    place.run(&["trust", "remove", "--all"]).well();
    assert!(place.run(&["trust"]).well().out.is_empty());
    assert_eq!(place.run(&["trust", "remove"]).code, Some(2));
}
