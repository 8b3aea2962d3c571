//! Which files are judged together, and which are found at all.

use crate::cli::support::{Folder, check_shown};

fn agent(name: &str, tool: &str) -> String {
    format!("kind: LLMNode\nname: {name}\nprompts: {{system: {{en: Hi}}}}\ntools: [{tool}]\n")
}

fn tool(name: &str) -> String {
    format!("kind: ToolNode\nname: {name}\ndescription: T\nfunc: t.run\n")
}

/// Two files that need each other, a third beside them, a fourth below.
fn workspace() -> Folder {
    let folder = Folder::new("");
    folder.write("agent.yaml", agent("one", "look"));
    folder.write("tool.yaml", tool("look"));
    folder.write("other.yaml", agent("two", "missing"));
    folder.write("sub/deep.yaml", agent("three", "look"));
    folder
}

#[test]
fn a_folder_is_one_project() {
    check_shown(
        &workspace().run("check --format concise"),
        "
other.yaml:4:9: error[unknown-tool] no tool is named `missing`
1 error in 4 files (4 declarations)
exit 1
",
    );
}

#[test]
fn what_programs_register_is_known() {
    let folder = workspace();
    folder.write(
        "app/main.py",
        "from liman_core.nodes.tool_node import ToolNode\n\n\
         ToolNode.from_dict({\"kind\": \"ToolNode\", \"name\": \"missing\"}, registry)\n",
    );
    check_shown(&folder.run("check"), "No problems in 4 files (4 declarations)\nexit 0\n");
}

#[test]
fn a_named_file_is_judged_with_its_neighbours_and_reported_alone() {
    let folder = workspace();
    check_shown(&folder.run("check agent.yaml"), "No problems in 1 file (1 declaration)\nexit 0\n");
    check_shown(
        &folder.run("check --format concise sub/deep.yaml"),
        "
sub/deep.yaml:4:9: error[unknown-tool] no tool is named `look`
1 error in 1 file (1 declaration)
exit 1
",
    );
}

#[test]
fn a_configuration_makes_the_folder_around_a_project() {
    let folder = workspace();
    folder.write("nodewise.toml", "");
    check_shown(&folder.run("check sub/deep.yaml"), "No problems in 1 file (1 declaration)\nexit 0\n");
    check_shown(&folder.run("check sub"), "No problems in 1 file (1 declaration)\nexit 0\n");
    let mut command = folder.command("check ..  --format concise");
    let output = command.current_dir(folder.path().join("sub")).output().unwrap();
    check_shown(
        &String::from_utf8(output.stdout).unwrap(),
        "
../other.yaml:4:9: error[unknown-tool] no tool is named `missing`
1 error in 4 files (4 declarations)
",
    );
}

#[test]
fn a_folder_with_a_configuration_of_its_own_is_a_project_of_its_own() {
    let folder = workspace();
    folder.write("sub/nodewise.toml", "");
    check_shown(
        &folder.run("check --format concise"),
        "
other.yaml:4:9: error[unknown-tool] no tool is named `missing`
sub/deep.yaml:4:9: error[unknown-tool] no tool is named `look`
2 errors in 4 files (4 declarations)
exit 1
",
    );
}

#[test]
fn an_outer_configuration_can_exclude_a_project() {
    let folder = workspace();
    folder.write("nodewise.toml", "[files]\nexclude = [\"sub\", \"other.yaml\"]\n");
    folder.write("sub/nodewise.toml", "");
    check_shown(&folder.run("check"), "No problems in 2 files (2 declarations)\nexit 0\n");
    let named = folder.run("check --format concise sub");
    check_shown(
        &named,
        "
sub/deep.yaml:4:9: error[unknown-tool] no tool is named `look`
1 error in 1 file (1 declaration)
exit 1
",
    );
}

#[test]
fn files_named_twice_count_once() {
    check_shown(
        &workspace().run("check --format concise . agent.yaml ./agent.yaml sub sub/deep.yaml"),
        "
other.yaml:4:9: error[unknown-tool] no tool is named `missing`
1 error in 4 files (4 declarations)
exit 1
",
    );
}

#[test]
fn the_first_in_load_order_stays() {
    let folder = Folder::new("");
    folder.write("a.yaml", tool("t"));
    folder.write("a/tool.yaml", tool("t"));
    folder.write("Z.yaml", tool("t"));
    check_shown(
        &folder.run("check --format concise --select duplicate-declaration"),
        "
a/tool.yaml:1:1: error[duplicate-declaration] ToolNode `t` is declared twice
a.yaml:1:1: error[duplicate-declaration] ToolNode `t` is declared twice
2 errors in 3 files (3 declarations)
exit 1
",
    );
}

#[test]
fn hidden_files_are_read_and_ignored_ones_are_not() {
    let folder = Folder::new("");
    for path in [".hidden/a.yaml", ".git/b.yaml", "ignored/c.yaml", "d.YAML", "e.json", "f.yml", ".g.yaml"] {
        folder.write(path, agent("chat", "missing"));
    }
    folder.write(".gitignore", "ignored/\n");
    check_shown(
        &folder.run("check --format concise --select unknown-tool"),
        "
.g.yaml:4:9: error[unknown-tool] no tool is named `missing`
.hidden/a.yaml:4:9: error[unknown-tool] no tool is named `missing`
f.yml:4:9: error[unknown-tool] no tool is named `missing`
3 errors in 4 files (4 declarations), 1 other file skipped
exit 1
",
    );
    let named = folder.run("check --format concise --select unknown-tool ignored d.YAML");
    check_shown(
        &named,
        "
ignored/c.yaml:4:9: error[unknown-tool] no tool is named `missing`
1 error in 2 files (2 declarations)
exit 1
",
    );
}

#[test]
fn standard_input_stands_for_a_file() {
    let folder = workspace();
    check_shown(
        &folder.run_with_input("check - --format concise --stdin-filename agent.yaml", agent("one", "lok")),
        "
agent.yaml:4:9: error[unknown-tool] no tool is named `lok`
1 error in 1 file (1 declaration)
exit 1
",
    );
    check_shown(
        &folder.run_with_input("check - --format concise", agent("one", "lok")),
        "
<stdin>:4:9: error[unknown-tool] no tool is named `lok`
1 error in 1 file (1 declaration)
exit 1
",
    );
}

#[test]
fn absolute_paths_are_shown_as_given() {
    let folder = workspace();
    let path = folder.path().join("other.yaml").display().to_string();
    let shown = folder.run(&format!("check --format concise {path}"));
    assert!(shown.starts_with(&format!("{path}:4:9: error")), "{shown}");
}
