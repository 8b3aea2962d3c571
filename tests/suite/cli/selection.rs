//! What is reported: hints, chosen rules, suppressions, exit codes.

use crate::cli::support::{Folder, check_run, check_shown};

const MIXED: &str = "
#- x.yaml
kind: Node
name: n
func: f.n
nodes:
  - {target: n, when: \"a;\"}
  - {target: n, when: \"a && b || c\"}
  - {target: n, when: \"a =\"}
";

#[test]
fn hints_are_counted_and_shown_on_demand() {
    let files = "
#- x.yaml
kind: Node
name: n
func: f.n
nodes:
  - {target: n, when: \"a;\"}
";
    check_run(files, "check", "No problems in 1 file (1 declaration)\n1 hint not shown (--hints)\nexit 0\n");
    check_run(
        files,
        "check --hints --format concise",
        "
x.yaml:5:25: hint[trailing-semicolon] a trailing `;`: liman_core 0.1.1 rejects it
1 hint in 1 file (1 declaration)
exit 0
",
    );
}

#[test]
fn rules_are_selected_and_ignored() {
    check_run(
        MIXED,
        "check --format concise --select invalid-expression",
        "
x.yaml:7:26: error[invalid-expression] `=` is not part of the language
1 error in 1 file (1 declaration)
exit 1
",
    );
    check_run(
        MIXED,
        "check --format concise --ignore invalid-expression,mixed-logic",
        "No problems in 1 file (1 declaration)\n1 hint not shown (--hints)\nexit 0\n",
    );
    check_run(
        MIXED,
        "check --select when-sintax",
        "
! error: no rule is called `when-sintax`
!   help: did you mean `invalid-expression`?
exit 2
",
    );
}

#[test]
fn findings_may_count_as_success() {
    check_run(
        MIXED,
        "check --format concise --select invalid-expression --exit-zero",
        "
x.yaml:7:26: error[invalid-expression] `=` is not part of the language
1 error in 1 file (1 declaration)
exit 0
",
    );
}

#[test]
fn comments_silence_rules_and_unused_ones_are_reported() {
    let files = "
#- x.yaml
kind: Node
name: n
func: f.n
nodes:
  - {target: n, when: \"a =\"} # nodewise: ignore[invalid-expression] written by a machine
  - {target: n, when: \"a\"} # nodewise: ignore[invalid-expression]
";
    check_run(
        files,
        "check --format concise",
        "
x.yaml:6:28: warning[unused-suppression] this comment silences no `invalid-expression`
1 warning in 1 file (1 declaration)
exit 1
",
    );
}

#[test]
fn a_dialect_can_be_forced() {
    let files = "
#- x.yaml
name: a
";
    check_run(
        files,
        "check",
        "No declarations found, 1 file skipped\n! warning: no declarations of Liman, cycgraph, AgentOS found\n!   help: check the paths; `nodewise check --list-files` shows why a file is skipped\nexit 0\n",
    );
    check_run(
        files,
        "check --dialect liman --format concise",
        "
x.yaml:1:1: error[missing-kind] the document has no `kind`
1 error in 1 file (1 declaration)
exit 1
",
    );
    check_run(
        files,
        "check --dialect lima",
        "
! error: no dialect is called `lima`
!   help: did you mean `liman`?
exit 2
",
    );
}

const COLOURS: &str = "
#- a.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
colour: red
#- b.yaml
kind: LLMNode
name: other
prompts: {system: {en: Hi}}
colour: red
";

#[test]
fn so_many_warnings_are_borne() {
    let exit = |words: &str| Folder::new(COLOURS).run(words).lines().last().unwrap().to_owned();
    assert_eq!(exit("check"), "exit 1");
    assert_eq!(exit("check --max-warnings 1"), "exit 1");
    assert_eq!(exit("check --max-warnings 2"), "exit 0");
    let broken = Folder::new(&format!("{COLOURS}#- c.yaml\nkind: LLMNode\nname: x\n"));
    assert!(broken.run("check --max-warnings 9").ends_with("exit 1\n"));
}

#[test]
fn less_severe_findings_are_left_out_of_every_report() {
    let folder = Folder::new(&format!("{COLOURS}#- c.yaml\nkind: LLMNode\nname: x\n"));
    check_shown(
        &folder.run("check --format concise --min-severity error"),
        "
c.yaml:1:1: error[missing-field] `LLMNode` lacks the required key `prompts`
1 error in 3 files (3 declarations)
exit 1
",
    );
    assert!(!folder.run("check --format json --min-severity error").contains("\"warning\""));
    assert_eq!(folder.run("check --min-severity hint"), folder.run("check --hints"));
    check_shown(
        &Folder::new(COLOURS).run("check --min-severity error"),
        "No problems in 2 files (2 declarations)\nexit 0\n",
    );
}

#[test]
fn rules_have_categories() {
    check_run(
        MIXED,
        "check --format concise --select style,suspicious --hints",
        "
x.yaml:5:25: hint[trailing-semicolon] a trailing `;`: liman_core 0.1.1 rejects it
x.yaml:6:24: warning[mixed-logic] `and` and `or` stand side by side without parentheses
1 warning, 1 hint in 1 file (1 declaration)
exit 1
",
    );
    check_run(
        &format!(
            "{MIXED}#- nodewise.toml\n[rules]\ncorrectness = \"hint\"\nstyle = \"error\"\nmixed-logic = \"off\"\n"
        ),
        "check --format concise",
        "
x.yaml:5:25: error[trailing-semicolon] a trailing `;`: liman_core 0.1.1 rejects it
1 error in 1 file (1 declaration)
1 hint not shown (--hints)
exit 1
",
    );
    let folder = Folder::new("");
    let list = folder.run("explain style");
    assert!(list.contains("trailing-semicolon ") && !list.contains("mixed-logic "), "{list}");
}

#[test]
fn former_ids_of_rules_are_accepted_with_a_note() {
    check_run(
        MIXED,
        "check --format concise --select when-syntax",
        "
x.yaml:7:26: error[invalid-expression] `=` is not part of the language
1 error in 1 file (1 declaration)
! note: `when-syntax` is now called `invalid-expression`
exit 1
",
    );
    let files =
        format!("{MIXED}#- nodewise.toml\n[rules]\nwhen-syntax = \"off\"\nwhen-mixed-logic = \"off\"\n");
    check_run(
        &files,
        "check --format concise",
        "
No problems in 1 file (1 declaration)
1 hint not shown (--hints)
! warning: nodewise.toml:2:1: `when-syntax` is now called `invalid-expression`
!   help: write `invalid-expression`
! warning: nodewise.toml:3:1: `when-mixed-logic` is now called `mixed-logic`
!   help: write `mixed-logic`
exit 0
",
    );
    let page = Folder::new("").run("explain when-syntax");
    assert!(page.starts_with("invalid-expression\n"), "{page}");
    assert!(page.contains("! note: `when-syntax` is now called `invalid-expression`\n"), "{page}");
}

#[test]
fn former_ids_in_comments_still_silence_and_are_rewritten() {
    let folder = Folder::new(
        "
#- x.yaml
kind: Node
name: n
func: notify  # nodewise: ignore[func-path] generated later
nodes:
  - {target: n, when: \"a =\"}  # nodewise: ignore[when-syntax]
",
    );
    check_shown(
        &folder.run("check --format concise"),
        "
No problems in 1 file (1 declaration)
2 hints not shown (--hints)
! note: x.yaml:3:34: `func-path` is now called `invalid-function-path`
!   help: rewrite 2 former ids in comments with `nodewise check --fix`
exit 0
",
    );
    check_shown(
        &folder.run("check --format concise --fix"),
        "
No problems in 1 file (1 declaration)
! fixed 2 problems in 1 file
exit 0
",
    );
    let text = folder.read("x.yaml");
    assert!(text.contains("ignore[invalid-function-path] generated later"), "{text}");
    assert!(text.contains("ignore[invalid-expression]\n"), "{text}");
    // Those who ask for severe findings alone have them alone fixed.
    folder.write("x.yaml", text.replace("invalid-expression", "when-syntax"));
    folder.run("check --fix --min-severity warning");
    assert!(folder.read("x.yaml").contains("ignore[when-syntax]"));
}
