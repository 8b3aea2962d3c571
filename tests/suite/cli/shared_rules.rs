//! `rules fetch`: rules from a commit of a repository and from a folder, and copies that somebody changed.

use crate::cli::support::Folder;
use crate::git::git;

const FLOW: &str = "\
id: flow
name: Flow
description: x
nodes:
  - {id: draft, type: agent, agent_id: writer, write_keys: [draft]}
edges: []
start_node: draft
end_nodes: [draft]
outputs: {draft: {schema: {type: string}}}
";

const RULE: &str = "\
rule: agent-with-budget
message: \"`{node}` may use any number of tokens\"
node: {kind: agent}
must: {max_tokens: {set: true}}
";

/// A repository of rules, whose first commit has the rule, and a project that takes the rules of that commit.
fn project() -> Folder {
    let folder = Folder::new("");
    folder.write("company/rules/budget.rule.yaml", RULE);
    folder.write("company/rules/agent.yaml", FLOW);
    git(folder.path(), "-C company init --quiet --initial-branch main");
    git(folder.path(), "-C company add .");
    git(folder.path(), "-C company commit --quiet -m one");
    let commit = git(folder.path(), "-C company rev-parse HEAD");
    folder.write("company/rules/budget.rule.yaml", RULE.replace("any number", "all"));
    git(folder.path(), "-C company commit --quiet -a -m two");
    folder.write("desk/flow.yaml", FLOW);
    let pin =
        format!("[shared_rules.company]\ngit = \"../company\"\ncommit = \"{commit}\"\nfolder = \"rules\"\n");
    folder.write("desk/nodewise.toml", pin);
    folder
}

const FOUND: &str = "flow.yaml:5:10: warning[project/agent-with-budget] `draft` may use any number of tokens";
const MISSING: &str = "nodewise.toml:1:15: the shared rules `company` are not here as they are configured";

#[track_caller]
fn check_has(shown: &str, text: &str) {
    assert!(shown.contains(text), "no `{text}` in:\n{shown}");
}

#[test]
fn rules_of_a_commit_are_copied_and_applied() {
    let folder = project();
    let before = folder.run("check desk --format concise");
    check_has(&before, MISSING);
    check_has(&before, "exit 2");
    let fetched = folder.run("rules fetch desk");
    check_has(&fetched, "company: 1 file from commit ");
    check_has(&fetched, "exit 0");
    assert_eq!(folder.read("desk/.nodewise/rules/company/budget.rule.yaml"), RULE);
    assert!(!folder.path().join("desk/.nodewise/rules/company/agent.yaml").exists());
    let after = folder.run("check desk --format concise");
    check_has(&after, FOUND);
    check_has(&after, "exit 1");
    check_has(&folder.run("rules fetch desk"), "exit 0");
}

#[test]
fn a_copy_that_was_changed_or_is_of_another_pin_is_not_used() {
    let folder = project();
    folder.run("rules fetch desk");
    let copy = "desk/.nodewise/rules/company/budget.rule.yaml";
    folder.write(copy, RULE.replace("agent}", "tool}"));
    check_has(&folder.run("check desk --format concise"), MISSING);
    folder.write(copy, RULE);
    check_has(&folder.run("check desk --format concise"), FOUND);
    let config = folder.read("desk/nodewise.toml");
    let head = git(folder.path(), "-C company rev-parse HEAD");
    let old = git(folder.path(), "-C company rev-parse HEAD~1");
    folder.write("desk/nodewise.toml", config.replace(&old, &head));
    check_has(&folder.run("check desk --format concise"), MISSING);
    folder.run("rules fetch desk");
    check_has(&folder.run("check desk --format concise"), "`draft` may use all of tokens");
}

#[test]
fn rules_of_a_folder() {
    let folder = project();
    folder.write("desk/nodewise.toml", "[shared_rules.team]\npath = \"../company/rules\"\n");
    check_has(&folder.run("rules fetch desk"), "team: 1 file from `../company/rules`");
    check_has(&folder.run("check desk --format concise"), "`draft` may use all of tokens");
}

#[test]
fn what_cannot_be_copied_is_reported() {
    let folder = project();
    folder.write("desk/nodewise.toml", "");
    check_has(&folder.run("rules fetch desk"), "takes no rules from elsewhere");
    let commit = "0".repeat(40);
    folder.write(
        "desk/nodewise.toml",
        format!("[shared_rules.company]\ngit = \"../company\"\ncommit = \"{commit}\"\n"),
    );
    let shown = folder.run("rules fetch desk");
    check_has(&shown, "the shared rules `company` cannot be copied");
    check_has(&shown, "exit 2");
    folder.write("desk/nodewise.toml", "[shared_rules.team]\npath = \"../nowhere\"\n");
    check_has(&folder.run("rules fetch desk"), "exit 2");
}
