//! `nodewise check --fix` and `--diff`, from the outside.

use crate::cli::support::{Folder, check_shown};

const DESK: &str = "
#- desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: You help.}}
tools: [serach]
#- search.yaml
kind: ToolNode
name: search
description: {en: Looks something up.}
func: desk.search
#- seeker.yaml
kind: LLMNode
name: seeker
prompts: {system: {en: You help.}}
tools: [search]
#- other.yaml
kind: LLMNode
name: other
prompts: {system: {en: You help.}}
tools: [serach]
";

#[test]
fn what_is_certain_is_fixed_and_the_rest_reported() {
    let folder = Folder::new(DESK);
    let shown = folder.run("check --fix --unsafe-fixes --format concise desk.yaml search.yaml");
    check_shown(&shown, "No problems in 2 files (2 declarations)\n! fixed 1 problem in 1 file\nexit 0\n");
    assert!(folder.read("desk.yaml").contains("tools: [search]"));
    // It was not asked for.
    assert!(folder.read("other.yaml").contains("tools: [serach]"));
}

#[test]
fn a_guess_is_not_made_unasked() {
    let folder = Folder::new(DESK);
    let shown = folder.run("check --fix --format concise desk.yaml search.yaml");
    assert!(shown.contains("! fixed 0 problems in 0 files\n"), "{shown}");
    assert!(folder.read("desk.yaml").contains("tools: [serach]"));
}

#[test]
fn a_diff_writes_nothing() {
    let folder = Folder::new(DESK);
    check_shown(
        &folder.run("check --diff --unsafe-fixes desk.yaml"),
        "
--- a/desk.yaml
+++ b/desk.yaml
@@ -1,4 +1,4 @@
 kind: LLMNode
 name: desk
 prompts: {system: {en: You help.}}
-tools: [serach]
+tools: [search]
exit 1
",
    );
    assert!(folder.read("desk.yaml").contains("tools: [serach]"));
}

#[test]
fn wrong_usage_is_reported() {
    let folder = Folder::new(DESK);
    let shown = folder.run("check --unsafe-fixes");
    assert!(shown.contains("add `--fix` or `--diff`") && shown.ends_with("exit 2\n"), "{shown}");
    let shown = folder.run("check --fix -");
    assert!(
        shown.contains("standard input cannot be fixed in place") && shown.ends_with("exit 2\n"),
        "{shown}"
    );
}
