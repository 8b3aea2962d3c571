//! Text of files that would like to steer the terminal.

use crate::cli::support::{Folder, check_shown};

#[test]
fn control_and_direction_characters_never_reach_the_terminal() {
    let folder = Folder::new("");
    folder.write(
        "a\u{1b}[31m\u{202e}.yaml",
        "kind: Node\nname: n\nfunc: f.n\nno\u{9b}des\u{202e}: [\"\u{1b}]0;x\u{7}\"]\nnodes:\n  - {target: \"\u{2066}q\", when: a}\n",
    );
    for words in ["check", "check --format concise", "check --format json"] {
        let shown = folder.run(words);
        let harmful = |character: char| {
            character != '\n' && character.is_control() || matches!(character, '\u{202e}' | '\u{2066}')
        };
        assert!(shown.contains("unknown-node"), "{shown}");
        assert!(!shown.contains(harmful), "{}", shown.escape_debug());
    }
}

#[test]
fn carets_stay_below_replaced_characters() {
    let folder = Folder::new("");
    folder.write(
        "x.yaml",
        "kind: Node\nname: n\nfunc: f.n\nnodes:\n  - {id: \u{202e}\u{202c}, target: q, when: a}\n",
    );
    check_shown(
        &folder.run("check --select unknown-node"),
        "
error[unknown-node]: no node is named `q`
 --> x.yaml:5:22
  |
5 |   - {id: ��, target: q, when: a}
  |                      ^ nothing in the project declares it
  |
  = help: declare it as Node, FunctionNode, LLMNode or ToolNode, or list it in nodewise.toml if the program registers it

1 error in 1 file (1 declaration)
exit 1
",
    );
}

#[test]
fn colours_come_when_they_are_asked_for() {
    let folder = Folder::new(
        "
#- x.yaml
kind: Node
name: n
func: f.n
nodes: [q]
",
    );
    assert!(!folder.run("check").contains('\u{1b}'));
    assert!(folder.run("check --color always").contains("\u{1b}["));
    assert!(!folder.run("check --color never").contains('\u{1b}'));
}

#[test]
fn very_long_lines_are_cut() {
    let folder = Folder::new("");
    folder.write(
        "x.yaml",
        format!(
            "{{kind: Node, name: n, func: f.n, owner: {}, nodes: [q, {}]}}\n",
            "x".repeat(50_000),
            "n, ".repeat(50_000)
        ),
    );
    let shown = folder.run("check --select unknown-node");
    assert!(shown.contains("--> x.yaml:1:50051"), "{shown}");
    assert!(shown.len() < 2_000, "{} bytes", shown.len());
}
