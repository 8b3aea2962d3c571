//! The results that `nodewise check` keeps of large projects: the same bytes as without them, whatever changed in between.

use crate::cli::support::Folder;

/// What the log says of a result that is used again, and of a check of less than all files.
const HOLDS: &str = "the result of a former check holds";
const ONLY_CHANGED: &str = "only what changed is checked files=";

/// How a check came to its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Kept,
    /// So many files were checked.
    Files(usize),
    /// All files were checked.
    All,
}

impl How {
    fn of_log(log: &str) -> How {
        let files = log.split_once(ONLY_CHANGED).and_then(|(_, rest)| rest.split_whitespace().next());
        match files {
            _ if log.contains(HOLDS) => How::Kept,
            Some(files) => How::Files(files.parse().unwrap()),
            None => How::All,
        }
    }
}

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

    /// The same project with another file that uses all tools. A name that leads nowhere may mean any tool that nothing uses.
    fn with_uses() -> Scene {
        let scene = Scene::new();
        let tools: Vec<String> = (0..600).map(|number| format!("t{number:03}")).collect();
        let head = "kind: LLMNode\nname: help\nprompts:\n  system: {en: Hi.}\n";
        scene.project.write("help.yaml", format!("{head}tools: [{}]\n", tools.join(", ")));
        scene
    }

    /// What a command shows, and how it came to its result.
    fn run(&self, words: &str) -> (String, How) {
        let mut command = self.project.command(words);
        command.env("NODEWISE_CACHE_DIR", self.cache.path()).env("NODEWISE_LOG", "info");
        let output = command.output().unwrap();
        let log = String::from_utf8(output.stderr).unwrap();
        let is_logged = |line: &&str| [" INFO ", " WARN "].iter().any(|level| line.contains(level));
        let printed: String =
            log.lines().filter(|line| !is_logged(line)).map(|line| format!("{line}\n")).collect();
        (String::from_utf8(output.stdout).unwrap() + &printed, How::of_log(&log))
    }

    /// Holds a check with the cache against one without, and says whether the result was kept.
    #[track_caller]
    fn check_same(&self, words: &str) -> bool {
        self.how(words) == How::Kept
    }

    /// The same, and says how the check came to its result.
    #[track_caller]
    fn how(&self, words: &str) -> How {
        let (shown, how) = self.run(words);
        let (expected, how_without) = self.run(&format!("{words} --no-cache"));
        assert_eq!(how_without, How::All);
        let lines = shown.lines().zip(expected.lines());
        assert!(shown == expected, "{words}: {:?}", lines.into_iter().find(|(one, other)| one != other));
        how
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
fn only_what_changed_and_what_depends_on_it_is_checked() {
    let scene = Scene::with_uses();
    let all = "check --hints --format json";
    assert_eq!(scene.how(all), How::All);
    scene.project.write("t100.yaml", tool(100).replace("en: Tool.", "en: Another tool."));
    assert_eq!(scene.how(all), How::Files(1), "a text");
    assert_eq!(scene.how(all), How::Kept);
    scene.project.write("t001.yaml", tool(1).replace("name: t001", "name: t901"));
    assert!(matches!(scene.how(all), How::Files(3..)), "a name that is used in another file");
    scene.project.write("t0003.yaml", tool(3).replace("name: t003", "name: t0003"));
    assert!(matches!(scene.how(all), How::Files(3..)), "a new file with a name that nothing declared");
    assert!(!scene.run("check").0.contains("`t0003`"));
    std::fs::remove_file(scene.project.path().join("t002.yaml")).unwrap();
    assert!(matches!(scene.how(all), How::Files(2..)), "a deleted file");
    scene.project.write("t004.yaml", "kind: ToolNode\nname: [\n");
    scene.project.write("t005.yaml", "# nodewise: ignore-file[unused-declaration]\n".to_owned() + &tool(5));
    assert!(matches!(scene.how(all), How::Files(_)), "broken text, and a comment");
    scene.project.write("patch.yaml", "kind: Overlay\nto: LLMNode:desk\ntools: [t007]\n");
    assert!(matches!(scene.how(all), How::Files(_)), "an overlay");
    // The last check of all files is still the one before all these changes.
    scene
        .project
        .write("desk.yaml", "kind: LLMNode\nname: desk\nprompts:\n  system: {en: Hi.}\ntools: [t008]\n");
    assert!(matches!(scene.how(all), How::Files(_)), "what it patches");
    for number in 0..80 {
        scene.project.write(&format!("t{number:03}.yaml"), tool(number + 800));
    }
    assert_eq!(scene.how(all), How::All, "many files");
}

#[test]
fn a_checkout_that_gives_all_files_new_times_changes_few() {
    let scene = Scene::with_uses();
    scene.run("check");
    (0..600).for_each(|number| scene.project.write(&format!("t{number:03}.yaml"), tool(number)));
    scene.project.write("t100.yaml", tool(100).replace("en: Tool.", "en: Another tool."));
    assert_eq!(scene.how("check"), How::Files(1));
    assert_eq!(scene.how("check"), How::Kept);
    scene.project.write("t101.yaml", tool(101).replace("en: Tool.", "en: Another tool."));
    assert_eq!(scene.how("check"), How::Files(2), "since the last check of all files");
    scene.project.write("t100.yaml", tool(100));
    scene.project.write("t101.yaml", tool(101));
    assert_eq!(scene.how("check"), How::Files(0));
}

#[test]
fn all_files_are_checked_where_the_former_text_says_more_than_names() {
    let scene = Scene::new();
    scene.project.write("patch.yaml", "kind: Overlay\nto: LLMNode:desk\ntools: [t007]\n");
    let change = |path: &str, text: &str| {
        assert!(matches!(scene.how("check"), How::All | How::Kept));
        scene.project.write(path, text);
        scene.how("check")
    };
    let desk = "kind: LLMNode\nname: desk\nprompts:\n  system: {en: Hi.}\ntools: [t008]\n";
    assert_eq!(change("desk.yaml", desk), How::All, "what an overlay patches");
    assert_eq!(
        change("patch.yaml", "kind: Overlay\nto: LLMNode:desk\ntools: [t009]\n"),
        How::All,
        "an overlay"
    );
    assert_eq!(
        change("rules/budget.rule.yaml", &RULE.replace("20000", "10000")),
        How::All,
        "a rule of the project"
    );
    assert_eq!(change("program.mts", "export const one = 2;\n"), How::All, "a module");
}

#[test]
fn programs_that_register_names_are_read() {
    let scene = Scene::new();
    let register = |name: &str| {
        let call = format!("agent.register_tools([{name}])\n");
        scene
            .project
            .write("program.py", "from liman import Agent\nagent = Agent(\"agents\")\n".to_owned() + &call);
    };
    register("t0003");
    assert_eq!(scene.how("check"), How::All);
    scene.project.write("t010.yaml", tool(10).replace("Tool.", "Other."));
    assert!(matches!(scene.how("check"), How::Files(_)), "the program is the same");
    register("t0004");
    assert_eq!(scene.how("check"), How::All, "the program is another one");
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
        shown.starts_with(&scene.cache.path().display().to_string()) && shown.contains(": 2 results, "),
        "{shown}"
    );
    let deleted = scene.run("cache clean").0;
    assert!(deleted.starts_with("deleted 2 results, "), "{deleted}");
    assert!(!scene.check_same("check"));
}
