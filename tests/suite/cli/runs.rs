//! `runs`: stored live runs, seen through the command. The runs are made here, with answers of the test.

use std::sync::Arc;

use nodewise_engine::ask::{Answer, ModelReply, Question, Reply};
use nodewise_engine::kernel::Step;
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_expr::value::Value;
use nodewise_live::restore::{snapshot, sources};
use nodewise_live::store::{NewRun, RunId, Store};
use nodewise_simulation::recording::Recording;
use nodewise_simulation::render::json::{EventWriter, trace_text};
use nodewise_simulation::render::{mermaid, svg, text};
use nodewise_simulation::scenario::empty;
use nodewise_simulation::target::SimulationTarget;
use nodewise_simulation::{prepare, setup};
use serde_json::{Value as Json, json};

use crate::cli::support::{Folder, check_shown};

const FLOW: &str = "#- flow.yaml
id: flow
name: flow
description: A draft is sent when it is good.
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [draft]}
  - {id: rate, type: tool, tool_id: rate, tools: [rate], read_keys: [draft]}
  - {id: send, type: agent, agent_id: sender, read_keys: [draft], write_keys: [sent]}
edges:
  - {source: write, target: rate}
  - {source: rate, target: send, condition: {type: conditional, condition: memory.rate_result > 5}}
start_node: write
end_nodes: [send]
---
id: writer
name: Writer
model: m-1
provider: local
system_prompt: Write.
";

const CONFIG: &str = "#- nodewise.toml
[files]
exclude = [\"drafts/**\"]
";

/// How much of a run is stored.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Whole,
    /// What was kept before the first answer came, of a run that nobody drives any more.
    Beginning,
}

/// A live run as its driver would store it; `change` may falsify what is stored.
fn lived(folder: &Folder, part: Part, change: impl Fn(&mut Json)) -> (RunId, Recording) {
    let flow = ("flow.yaml".to_owned(), Arc::from(folder.read("flow.yaml")));
    let sources = sources(folder.path(), [flow]);
    let declared = snapshot(&sources);
    let target = SimulationTarget::named(&declared, None, None, None).unwrap();
    let mut run = prepare(&declared, &target, &empty()).unwrap();
    let outcome = loop {
        match run.step() {
            Step::Asked(id, ask) => run.answer(id, answer(&ask.what)),
            Step::Went => {}
            Step::Ended(outcome) => break outcome,
            other => panic!("{other:?}"),
        }
    };
    let facts = run.facts().clone();
    let mut writer = EventWriter::new(facts.system, facts.charts, facts.beside, facts.clock);
    let mut events: Vec<Json> = run.log().iter().map(|event| writer.event(event)).collect();
    events.iter_mut().for_each(change);
    let mut store = Store::open(folder.path()).unwrap();
    let id = store
        .begin(&NewRun {
            origin: None,
            system: "cycgraph".to_owned(),
            title: facts.title.clone(),
            scenario: setup::text(&declared, &target, &empty(), &facts.title, &[]),
            seed: facts.seed,
            sources,
            version: "0.1.0".to_owned(),
            ..NewRun::default()
        })
        .unwrap();
    match part {
        Part::Whole => {
            store.append(&id, &events).unwrap();
            store.end(&id, outcome.status.word(), "3 visits").unwrap();
        }
        // Drivers keep whole steps.
        Part::Beginning => {
            let asked = events.iter().position(|event| event["event"] == "asked").unwrap();
            store.append(&id, events.get(..=asked).unwrap()).unwrap();
        }
    }
    (id, run.recording(outcome))
}

fn answer(question: &Question) -> Answer {
    let reply = match question {
        Question::Tool(_) => Reply::Value(Value::from(8.0)),
        _ => Reply::Model(ModelReply { text: "Dear all.".into(), ..ModelReply::default() }),
    };
    let usage = Usage { input_tokens: 10.0, output_tokens: 5.0, cost_usd: 0.25, ..Usage::default() };
    Answer { after: Millis(750), usage, ..Answer::now(reply) }
}

fn as_it_was(_: &mut Json) {}

/// What a command line shows, with the ids of runs replaced.
fn shown(folder: &Folder, words: &str, ids: &[&RunId]) -> String {
    let mut shown = folder.run(words);
    for (id, name) in ids.iter().zip(["RUN-1", "RUN-2", "RUN-3"]) {
        shown = shown.replace(id.as_str(), name);
    }
    shown
}

/// Standard output alone.
fn printed(folder: &Folder, words: &str) -> String {
    String::from_utf8(folder.command(words).output().unwrap().stdout).unwrap()
}

#[test]
fn runs_are_listed() {
    let folder = Folder::new(FLOW);
    let (first, _) = lived(&folder, Part::Whole, as_it_was);
    check_shown(
        &shown(&folder, "runs", &[&first]),
        "RUN-1  completed  2.25 s  45 tokens  $0.75  graph `flow`\nexit 0\n",
    );
    let (second, _) = lived(&folder, Part::Beginning, as_it_was);
    let list = shown(&folder, "runs", &[&first, &second]);
    assert!(list.contains("RUN-1  completed    2.25 s  45 tokens  $0.75  graph `flow`\n"), "{list}");
    assert!(list.contains("RUN-2  interrupted  "), "{list}");
    let list: Json = serde_json::from_str(&printed(&folder, "runs --format json")).unwrap();
    let runs = list["runs"].as_array().unwrap();
    let found = runs.iter().find(|run| run["id"] == json!(first.as_str())).unwrap();
    assert_eq!((&list["version"], runs.len()), (&json!(1), 2));
    assert_eq!(found["status"], "completed");
    assert_eq!(found["spent"], json!({"input_tokens": 30, "output_tokens": 15, "cost_usd": 0.75}));
    assert!(found["begun"].as_str().unwrap().ends_with('Z'));
}

#[test]
fn a_folder_without_runs_says_how_to_start_one() {
    let folder = Folder::new(FLOW);
    let help = "start one with `nodewise run TARGET`, or name another project with `--project FOLDER`";
    check_shown(&folder.run("runs"), &format!("! no runs found here\n!   help: {help}\nexit 0\n"));
    check_shown(&folder.run("runs --format json"), "{\n  \"version\": 1,\n  \"runs\": []\n}\nexit 0\n");
    for words in
        ["runs show last", "runs replay last", "runs export last", "runs delete last", "runs prune --keep 1"]
    {
        check_shown(&folder.run(words), &format!("! error: no runs found here\n!   help: {help}\nexit 2\n"));
    }
    assert!(!folder.path().join(".nodewise").exists(), "looking makes nothing");
    let (id, _) = lived(&folder, Part::Whole, as_it_was);
    folder.write("deep/er/x.yaml", "a: 1\n");
    let mut below = folder.command("runs show nobody");
    below.current_dir(folder.path().join("deep/er"));
    let printed = String::from_utf8(below.output().unwrap().stderr).unwrap();
    assert_eq!(
        printed,
        "error: there is no run `nobody`\n  help: `nodewise runs` lists the runs of the project\n"
    );
    assert!(folder.run("runs --project deep").contains("no runs found here"));
    assert!(folder.run("runs --project .").contains(id.as_str()));
}

#[test]
fn a_run_is_shown_and_replayed_as_it_was() {
    let folder = Folder::new(&[CONFIG, FLOW].concat());
    let (id, recording) = lived(&folder, Part::Whole, as_it_was);
    // What the files say now does not matter.
    folder.write("flow.yaml", "id: other\n");
    for verb in ["show", "replay"] {
        let run = |format: &str| printed(&folder, &format!("runs {verb} {id} --format {format}"));
        assert_eq!(run("text"), text(&recording));
        assert_eq!(run("json"), trace_text(&recording));
        assert_eq!(run("mermaid"), mermaid(&recording));
        assert_eq!(run("svg"), svg(&recording));
        assert!(folder.run(&format!("runs {verb} last")).ends_with("exit 0\n"));
    }
    let events = printed(&folder, "runs show last --format events");
    let trace: Json = serde_json::from_str(&trace_text(&recording)).unwrap();
    let events: Vec<Json> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(trace["events"], Json::Array(events));
}

#[test]
fn a_run_that_was_cut_off_is_shown_as_far_as_it_came() {
    let folder = Folder::new(FLOW);
    let (id, recording) = lived(&folder, Part::Beginning, as_it_was);
    for verb in ["show", "replay"] {
        let found = shown(&folder, &format!("runs {verb} last"), &[&id]);
        let whole = text(&recording);
        let beginning: Vec<&str> = whole.lines().take(4).collect();
        assert!(found.starts_with(&beginning.join("\n")), "{found}");
        let end = "cancelled after 0 ms, 1 visit: Interrupted: the run is not finished; resume it with `nodewise resume RUN-1`";
        assert!(found.contains(end), "{found}");
        let trace = printed(&folder, &format!("runs {verb} last --format json"));
        let trace: Json = serde_json::from_str(&trace).unwrap();
        assert_eq!(trace["events"].as_array().unwrap().last().unwrap()["event"], "asked");
    }
}

#[test]
fn a_record_that_was_changed_is_reported() {
    let folder = Folder::new(FLOW);
    let falsify = |event: &mut Json| {
        if event["event"] == "wrote" && event["key"] == "draft" {
            event["value"] = json!("Dear nobody.");
        }
    };
    let (id, recording) = lived(&folder, Part::Whole, falsify);
    // What is shown follows from the answers.
    let printed = shown(&folder, "runs show last", &[&id]);
    assert!(!printed.contains("Dear nobody."), "{printed}");
    let printed = folder.run("runs replay last --format json");
    assert!(printed.starts_with(&trace_text(&recording)), "{printed}");
    assert!(printed.contains("! warning: the replay differs from the recording at event "), "{printed}");
    assert!(printed.contains("!   recorded: {\"at\":750,\"event\":\"wrote\""), "{printed}");
    assert!(printed.contains("Dear nobody.") && printed.ends_with("exit 1\n"), "{printed}");
    assert!(folder.run("runs show last --format events").contains("Dear nobody."));
}

#[test]
fn a_run_becomes_a_scenario_that_passes() {
    let folder = Folder::new(FLOW);
    let (id, _) = lived(&folder, Part::Whole, as_it_was);
    let printed = printed(&folder, "runs export last");
    assert!(printed.starts_with("scenario: A run of flow, completed.\nfile: flow.yaml\n"), "{printed}");
    folder.write("deep/er/x.yaml", "a: 1\n");
    check_shown(&folder.run("runs export last -o deep/er/sent.scenario.yaml"), "exit 0\n");
    check_shown(&folder.run(&format!("runs export {id} -o sent.scenario.yaml")), "exit 0\n");
    let tested = folder.run("test .");
    assert!(tested.contains("2 passed") && tested.ends_with("exit 0\n"), "{tested}");
    check_shown(
        &folder.run("runs export last -o sent.yaml"),
        "! error: `sent.yaml` is not the name of a scenario file\n!   help: end it with \
         `.scenario.yaml`, so that `nodewise test` finds it\nexit 2\n",
    );
    let outside = folder.run("runs export last -o ../sent.scenario.yaml");
    assert!(outside.contains("` is not in the project `"), "{outside}");
    folder.write("flow.yaml", folder.read("flow.yaml") + "# changed\n");
    let printed = folder.run("runs export last -o sent.scenario.yaml");
    assert!(printed.contains("! warning: `flow.yaml` has changed since the run began\n"), "{printed}");
}

#[test]
fn runs_are_deleted() {
    let folder = Folder::new(FLOW);
    let ids: Vec<RunId> = (0..3).map(|_| lived(&folder, Part::Whole, as_it_was).0).collect();
    let (open, _) = lived(&folder, Part::Beginning, as_it_was);
    check_shown(&folder.run("runs prune --keep 2"), "! deleted 1 finished run\nexit 0\n");
    let left = |folder: &Folder| {
        let list = folder.run("runs");
        ids.iter().filter(|id| list.contains(id.as_str())).count()
    };
    assert_eq!(left(&folder), 2);
    let listed = folder.run("runs");
    let some: Vec<&str> = ids.iter().map(RunId::as_str).filter(|id| listed.contains(id)).collect();
    let unknown = folder.run(&format!("runs delete {} nobody", some.join(" ")));
    assert!(unknown.contains("there is no run `nobody`"), "{unknown}");
    assert_eq!(left(&folder), 2, "all or none");
    check_shown(&folder.run(&format!("runs delete {} {open}", some.join(" "))), "exit 0\n");
    let printed = folder.run("runs");
    assert!(printed.starts_with("! no runs found here\n"), "{printed}");
}

#[test]
fn help_names_what_can_be_done() {
    let folder = Folder::new(FLOW);
    let help = folder.run("runs --help");
    for word in ["show", "replay", "export", "delete", "prune", "--project", "--format"] {
        assert!(help.contains(word), "no {word} in {help}");
    }
}
