//! `nodewise.toml`, from the outside.

use crate::cli::support::{Folder, check_run, check_shown};

const CONDITION: &str = "
#- a/x.yaml
kind: Node
name: n
func: f.n
nodes:
  - {target: n, when: \"a =\"}
#- b/x.yaml
kind: Node
name: m
func: f.n
nodes:
  - {target: m, when: \"b =\"}
";

#[test]
fn levels_hold_for_the_project_and_for_globs() {
    let config = "
#- nodewise.toml
[rules]
invalid-expression = \"warning\"
[[rules.override]]
files = [\"b/**\"]
levels = { invalid-expression = \"off\" }
";
    check_run(
        &format!("{CONDITION}{config}"),
        "check --format concise",
        "
a/x.yaml:5:26: warning[invalid-expression] `=` is not part of the language
1 warning in 2 files (2 declarations)
exit 1
",
    );
}

#[test]
fn rules_of_the_project_that_nobody_declares() {
    let files = "
#- nodewise.toml
[rules]
\"project/agents\" = \"error\"
\"project/broken\" = \"error\"
[[rules.override]]
files = [\"b/**\"]
levels = { \"project/agent\" = \"off\", \"project/else\" = \"off\" }
#- rules/agent.rule.yaml
rule: agent
message: m
node: {kind: agent}
#- rules/broken.rule.yaml
rule: broken
message: m
node: {knd: agent}
";
    let folder = Folder::new(files);
    let shown = folder.run("check --format concise --select project");
    let notices: Vec<&str> =
        shown.lines().filter(|line| line.contains("nodewise.toml") || line.contains("help")).collect();
    let expected = [
        "! warning: nodewise.toml: no rule of the project is called `project/agents`",
        "!   help: did you mean `project/agent`?",
        "! warning: nodewise.toml: no rule of the project is called `project/else`",
        "!   help: `nodewise explain project` lists the rules of the project",
    ];
    assert_eq!(notices, expected, "{shown}");
}

#[test]
fn files_are_excluded_unless_they_are_named() {
    let config = "
#- nodewise.toml
[files]
exclude = [\"b\"]
";
    let folder = Folder::new(&format!("{CONDITION}{config}"));
    let a = "a/x.yaml:5:26: error[invalid-expression] `=` is not part of the language\n";
    let b = "b/x.yaml:5:26: error[invalid-expression] `=` is not part of the language\n";
    let one = "1 error in 1 file (1 declaration)\nexit 1\n";
    check_shown(&folder.run("check --format concise"), &format!("{a}{one}"));
    check_shown(&folder.run("check --format concise b"), &format!("{b}{one}"));
    check_shown(&folder.run("check --format concise b/x.yaml"), &format!("{b}{one}"));
}

#[test]
fn exclusions_can_be_forced_on_files_that_are_named() {
    let config = "
#- nodewise.toml
[files]
exclude = [\"b\", \"c/inner/x.yaml\"]
#- b/inner/nodewise.toml
#- b/inner/x.yaml
kind:  Node
#- c/inner/nodewise.toml
#- c/inner/x.yaml
kind:  Node
";
    let folder = Folder::new(&format!("{CONDITION}{config}"));
    let a = "a/x.yaml:5:26: error[invalid-expression] `=` is not part of the language\n";
    let one = "1 error in 1 file (1 declaration)\nexit 1\n";
    let check = "check --format concise --force-exclude";
    check_shown(&folder.run(&format!("{check} a/x.yaml b/x.yaml b/inner/x.yaml")), &format!("{a}{one}"));
    check_shown(&folder.run(&format!("{check} a b b/inner")), &format!("{a}{one}"));
    let fmt = "fmt --check --force-exclude";
    let nothing = "! 0 files to format, 0 unchanged\nexit 0\n";
    check_shown(&folder.run(&format!("{fmt} b/inner/x.yaml c/inner/x.yaml b/inner")), nothing);
    let input = "kind:  Node\n";
    check_shown(
        &folder.run_with_input("fmt --force-exclude --stdin-filename b/inner/x.yaml -", input),
        &format!("{input}exit 0\n"),
    );
    check_shown(
        &folder.run_with_input("fmt --stdin-filename b/inner/x.yaml -", input),
        "kind: Node\nexit 0\n",
    );
}

#[test]
fn only_included_files_are_read() {
    let config = "
#- nodewise.toml
[files]
include = [\"a/*.yaml\"]
";
    check_run(
        &format!("{CONDITION}{config}"),
        "check --format concise",
        "
a/x.yaml:5:26: error[invalid-expression] `=` is not part of the language
1 error in 1 file (1 declaration)
exit 1
",
    );
}

#[test]
fn a_dialect_is_pinned_to_none() {
    let config = "
#- nodewise.toml
[dialect]
\"**/x.yaml\" = \"none\"
";
    check_run(
        &format!("{CONDITION}{config}"),
        "check",
        "No declarations found, 2 files skipped\n! warning: no declarations of Liman, cycgraph, AgentOS found\n!   help: check the paths; `nodewise check --list-files` shows why a file is skipped\nexit 0\n",
    );
}

#[test]
fn names_of_the_host_are_known() {
    let files = "
#- x.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [search]
#- nodewise.toml
[liman.external]
tools = [\"search\"]
";
    check_run(files, "check", "No problems in 1 file (1 declaration)\nexit 0\n");
}

const FORMER: &str = "
#- x.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools: [search]
#- FILE
[liman.outside]
tools = [\"search\"]
";

#[test]
fn a_former_name_is_a_warning_and_counts() {
    let expected = |file: &str| {
        format!(
            "No problems in 1 file (1 declaration)\n! warning: {file}:1:8: `[liman.outside]` is now called \
             `[liman.external]`\n!   help: rename it; the former name still works\nexit 0\n"
        )
    };
    check_run(&FORMER.replace("FILE", "nodewise.toml"), "check", &expected("nodewise.toml"));
    check_run(&FORMER.replace("FILE", "ci.toml"), "check --config ci.toml", &expected("ci.toml"));
}

#[test]
fn a_former_name_beside_the_new_one_is_an_error() {
    let files = FORMER.replace("FILE", "nodewise.toml") + "[liman.external]\ntools = [\"search\"]\n";
    check_run(
        &files,
        "check",
        "
Nothing found in 1 file (1 declaration), 1 path not read
! error: nodewise.toml:1:8: `[liman.outside]` and `[liman.external]` are the same table, and both are set
!   help: move its lists to `[liman.external]`; it is ignored until then
exit 2
",
    );
}

#[test]
fn a_broken_file_is_named_and_the_project_is_checked_with_defaults() {
    let config = "
#- nodewise.toml
[files]
exlude = [\"b\"]
";
    check_run(
        &format!("{CONDITION}{config}"),
        "check --format concise",
        "
a/x.yaml:5:26: error[invalid-expression] `=` is not part of the language
b/x.yaml:5:26: error[invalid-expression] `=` is not part of the language
2 errors in 2 files (2 declarations)
! error: nodewise.toml:2:1: unknown key `exlude`
!   help: did you mean `exclude`? It is ignored until then
exit 2
",
    );
}

#[test]
fn another_file_can_be_used_instead() {
    let files = format!(
        "{CONDITION}
#- ci.toml
[rules]
invalid-expression = \"off\"
#- bad.toml
[rules]
invalid-expression = off
"
    );
    check_run(&files, "check --config ci.toml", "No problems in 2 files (2 declarations)\nexit 0\n");
    check_run(
        &files,
        "check --config bad.toml",
        "
! error: bad.toml:2:22: string values must be quoted, expected literal string
!   help: see docs/configuration.md of nodewise for every key
exit 2
",
    );
}

#[test]
fn rules_that_are_gone_may_still_be_named() {
    check_run(
        "#- nodewise.toml\n[rules]\nsingle-attempt = \"off\"\n#- a.yaml\nkind: Node\nname: a\nfunc: a.b\n",
        "check",
        "No problems in 1 file (1 declaration)\nexit 0\n",
    );
}
