//! `nodewise fmt`, from the outside.

use crate::cli::support::{Folder, check_run, check_shown};

const UNTIDY: &str = "
#- a.yaml
kind:   ToolNode
name:   a
description: {en: 'x'}
func: a.b   # called
#- tidy.yaml
kind: ToolNode
name: tidy
description: {en: x}
func: a.b
#- other.yaml
nobody:   s
";

const TIDY: &str = "kind: ToolNode\nname: a\ndescription: {en: \"x\"}\nfunc: a.b   # called\n";

#[test]
fn declarations_are_laid_out_and_nothing_else() {
    let folder = Folder::new(UNTIDY);
    check_shown(
        &folder.run("fmt"),
        "formatted: a.yaml\n! 1 file formatted, 1 unchanged, 1 skipped\nexit 0\n",
    );
    assert_eq!(folder.read("a.yaml"), TIDY);
    assert_eq!(folder.read("other.yaml"), "nobody:   s\n");
    check_shown(&folder.run("fmt"), "! 0 files formatted, 2 unchanged, 1 skipped\nexit 0\n");
    let all = "formatted: other.yaml\n! 1 file formatted, 2 unchanged\nexit 0\n";
    check_shown(&folder.run("fmt --all"), all);
    assert_eq!(folder.read("other.yaml"), "nobody: s\n");
}

#[test]
fn asking_writes_nothing() {
    let folder = Folder::new(UNTIDY);
    let before = folder.read("a.yaml");
    let check = "would change: a.yaml\n! 1 file to format, 1 unchanged, 1 skipped\nexit 1\n";
    check_shown(&folder.run("fmt --check"), check);
    check_shown(
        &folder.run("fmt --diff"),
        "
--- a/a.yaml
+++ b/a.yaml
@@ -1,4 +1,4 @@
-kind:   ToolNode
-name:   a
-description: {en: 'x'}
+kind: ToolNode
+name: a
+description: {en: \"x\"}
 func: a.b   # called
! 1 file to format, 1 unchanged, 1 skipped
exit 1
",
    );
    assert_eq!(folder.read("a.yaml"), before);
}

#[test]
fn a_project_chooses() {
    let folder = Folder::new(
        "
#- nodewise.toml
[format]
quotes = \"single\"
key_order = \"table\"
#- a.yaml
name: \"a\"
kind: ToolNode
description: {en: x}
func: a.b
",
    );
    folder.run("fmt");
    assert_eq!(folder.read("a.yaml"), "kind: ToolNode\nname: 'a'\ndescription: {en: x}\nfunc: a.b\n");
}

#[test]
fn wrong_choices_are_named_and_nothing_is_formatted() {
    check_run(
        "
#- nodewise.toml
[format]
quotes = \"doubel\"
#- a.yaml
kind:   ToolNode
",
        "fmt",
        "
! error: nodewise.toml:2:10: `doubel` is not a quote style
!   help: did you mean `double`? It is ignored until then
! error: nodewise.toml: fix this file first; nothing in its project is formatted
! 0 files formatted, 0 unchanged
exit 2
",
    );
}

#[test]
fn broken_texts_are_named_and_left() {
    check_run(
        "
#- a.yaml
kind: ToolNode
name: [a
",
        "fmt",
        "
! error: a.yaml:2:7: `[` is not closed
!   help: fix the syntax first; `nodewise check` shows where
! 0 files formatted, 0 unchanged
exit 1
",
    );
}

#[test]
fn the_examples_are_laid_out() {
    let folder = Folder::new("");
    let mut command = folder.command("fmt --check examples");
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn json_stays_json() {
    let folder = Folder::new(
        r#"
#- graph.json
{"id": "7d1e0c52-5d0b-4a53-9a51-0a2f6c1d9b01","name":"x","nodes":[
{"id":"a","type":"agent","agent_id":"r","read_keys":["*"],"write_keys":[]}],
"edges":[{"source":"a","target":"a","condition":{"type":"conditional","condition":"memory.x==\"2\" and  memory.y"}}],
"start_node":"a","end_nodes":["a"],"description":"caf\u00e9 \/"}
"#,
    );
    folder.run("fmt");
    assert_eq!(
        folder.read("graph.json"),
        r#"{
  "id": "7d1e0c52-5d0b-4a53-9a51-0a2f6c1d9b01",
  "name": "x",
  "nodes": [
    { "id": "a", "type": "agent", "agent_id": "r", "read_keys": ["*"], "write_keys": [] }
  ],
  "edges": [
    {
      "source": "a",
      "target": "a",
      "condition": { "type": "conditional", "condition": "memory.x == \"2\" and memory.y" }
    }
  ],
  "start_node": "a",
  "end_nodes": ["a"],
  "description": "caf\u00e9 \/"
}
"#
    );
}
