//! The results that `nodewise check` keeps of large projects: the same bytes as without them, whatever changed in between.

use crate::cli::support::Folder;

/// Says that the result was not found again, but found out.
const HOLDS: &str = "the result of a former check holds";

const GRAPH: &str = "id: desk\nname: Desk\ndescription: Answers.\nnodes:\n  - {id: review, type: agent, agent_id: editor}\nedges: []\n\
                     start_node: review\nend_nodes: [review]\n";

const RULE: &str = "rule: budget\nmessage: \"`{node}` may use any number of tokens\"\nwhy: A loop cost 900 dollars.\n\
                    node: {kind: agent}\nmust: {max_tokens: {at_most: 20000}}\n";

/// A project of 600 files with a rule of its own, two mistakes and a module without a graph, and a cache beside it.
struct Scene {
    project: Folder,
    cache: Folder,
}

impl Scene {
    fn new() -> Scene {
        let scene = Scene { project: Folder::new(""), cache: Folder::new("") };
        scene.project.write("nodewise.toml", "");
        scene.project.write("program.mts", "export const one = 1;\n");
        for number in 0..600 {
            scene.project.write(&format!("t{number:03}.yaml"), tool(number));
        }
        let desk = "kind: LLMNode\nname: desk\nprompts:\n  system: {en: Hi.}\ntools: [t001, t002, t0003]\n";
        scene.project.write("desk.yaml", desk);
        scene.project.write("graph.yaml", GRAPH);
        scene.project.write("rules/budget.rule.yaml", RULE);
        scene
    }

    /// What a command shows, and whether it found its result.
    fn run(&self, words: &str) -> (String, bool) {
        let mut command = self.project.command(words);
        command.env("NODEWISE_CACHE_DIR", self.cache.path()).env("NODEWISE_LOG", "info");
        let output = command.output().unwrap();
        let log = String::from_utf8(output.stderr).unwrap();
        let is_logged = |line: &&str| [" INFO ", " WARN "].iter().any(|level| line.contains(level));
        let told: String =
            log.lines().filter(|line| !is_logged(line)).map(|line| format!("{line}\n")).collect();
        (String::from_utf8(output.stdout).unwrap() + &told, log.contains(HOLDS))
    }

    /// Holds a check with the cache against one without, and says whether the result was found.
    #[track_caller]
    fn check_same(&self, words: &str) -> bool {
        let (shown, is_found) = self.run(words);
        let (expected, is_found_without) = self.run(&format!("{words} --no-cache"));
        assert!(!is_found_without);
        let lines = shown.lines().zip(expected.lines());
        assert!(shown == expected, "{words}: {:?}", lines.into_iter().find(|(one, other)| one != other));
        is_found
    }
}

fn tool(number: usize) -> String {
    format!("kind: ToolNode\nname: t{number:03}\ndescription: {{en: Tool.}}\nfunc: tools.t{number}\n")
}

#[test]
fn a_second_check_shows_the_same_in_all_formats() {
    let scene = Scene::new();
    assert!(!scene.check_same("check --hints"));
    let shown = scene.run("check --hints --format sarif").0;
    assert!(shown.contains("unknown-tool") && shown.contains("A loop cost 900 dollars."), "{shown}");
    for format in ["full", "concise", "agent", "json", "sarif", "github", "gitlab", "junit"] {
        assert!(scene.check_same(&format!("check --hints --format {format}")), "{format}");
    }
    assert!(scene.check_same("check --select unknown-tool --statistics"));
}

#[test]
fn what_changes_is_seen() {
    let scene = Scene::new();
    scene.run("check");
    assert!(scene.check_same("check"));
    scene.project.write("t001.yaml", tool(1).replace("name: t001", "name: t901"));
    assert!(!scene.check_same("check"), "a name in another file");
    assert!(scene.check_same("check"));
    scene.project.write("nodewise.toml", "[rules]\nunknown-tool = \"off\"\n");
    assert!(!scene.check_same("check"), "the configuration");
    scene.project.write("more.yaml", tool(700));
    assert!(!scene.check_same("check"), "a new file");
    std::fs::remove_file(scene.project.path().join("more.yaml")).unwrap();
    assert!(!scene.check_same("check"), "a deleted file");
    assert!(!scene.check_same("check --dialect cycgraph"), "another option");
    std::fs::remove_file(scene.project.path().join("nodewise.toml")).unwrap();
    scene.project.write("program.py", "");
    let unknown = scene.run("check").0;
    assert!(scene.check_same("check") && unknown.contains("t0003"), "{unknown}");
    scene.project.write(
        "program.py",
        "from liman import Agent\nagent = Agent(\"agents\")\nagent.register_tools([t0003])\n",
    );
    assert!(!scene.check_same("check"), "a program that may register the name");
}

#[test]
fn parts_of_a_project_use_the_result_of_the_whole() {
    let scene = Scene::new();
    scene.run("check");
    std::fs::create_dir_all(scene.project.path().join("sub")).unwrap();
    assert!(!scene.check_same("check desk.yaml"), "a file that is named may be read as something else");
    assert!(scene.check_same("check desk.yaml"));
}

#[test]
fn a_folder_that_cannot_be_written_changes_nothing() {
    let scene = Scene::new();
    scene.cache.write("file", "");
    let mut command = scene.project.command("check");
    command.env("NODEWISE_CACHE_DIR", scene.cache.path().join("file/below"));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("unknown-tool"));
}

#[test]
fn results_are_shown_and_deleted() {
    let scene = Scene::new();
    scene.run("check");
    let shown = scene.run("cache").0;
    assert!(
        shown.starts_with(&scene.cache.path().display().to_string()) && shown.contains(": 1 result, "),
        "{shown}"
    );
    let deleted = scene.run("cache clean").0;
    assert!(deleted.starts_with("deleted 1 result, "), "{deleted}");
    assert!(!scene.check_same("check"));
}
