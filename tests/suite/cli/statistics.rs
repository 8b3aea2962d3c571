//! `nodewise check --statistics`: how often each rule found something.

use crate::cli::support::{Folder, check_run};

const FILES: &str = "
#- a.yaml
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
tools: [serach, none_at_all]
nodes:
  - {target: b, when: a = 1}
#- b.yaml
kind: ToolNode
name: search
description: Looks
func: s.s
";

#[test]
fn people_get_a_table() {
    check_run(
        FILES,
        "check --statistics",
        "
errors  warnings  fixable  unsafe  rule
     2         0        0       1  unknown-tool
     1         0        0       1  invalid-expression
     1         0        0       0  unknown-node
4 errors in 2 files (2 declarations)
exit 1
",
    );
    check_run(
        "",
        "check --statistics",
        "No declarations found\n! warning: no declarations of Liman, cycgraph, AgentOS found\n!   help: check the paths; `nodewise check --list-files` shows why a file is skipped\nexit 0\n",
    );
}

#[test]
fn programs_get_a_list() {
    let shown = Folder::new(FILES).run("check --statistics --format json");
    let document: serde_json::Value =
        serde_json::from_str(shown.trim_end().strip_suffix("exit 1").unwrap()).unwrap();
    assert!(document["diagnostics"].as_array().unwrap().len() >= 4);
    assert_eq!(
        document["statistics"].to_string(),
        r#"[{"rule":"unknown-tool","errors":2,"warnings":0,"infos":0,"fixable":0,"unsafelyFixable":1},{"rule":"invalid-expression","errors":1,"warnings":0,"infos":0,"fixable":0,"unsafelyFixable":1},{"rule":"unknown-node","errors":1,"warnings":0,"infos":0,"fixable":0,"unsafelyFixable":0}]"#
    );
}

#[test]
fn other_formats_have_no_place_for_them() {
    let folder = Folder::new(FILES);
    let shown = folder.run("check --statistics --format sarif");
    assert!(shown.starts_with("! error: `--statistics` does not work with this format"), "{shown}");
    let shown = folder.run("check --statistics --format junit -o r.xml --format concise");
    assert!(
        shown.starts_with("errors  warnings") && folder.read("r.xml").contains("unknown-tool"),
        "{shown}"
    );
}
