//! Evals: tables of prompts, models and cases that are run, judged and compared.

use nodewise_test_support::model_server::ModelServer;
use serde_json::{Value, json};

use crate::place::{Done, Place, has_python, provider};

/// What the judge of a rubric says.
fn judge(score: f64) -> Value {
    json!({"when": "You judge", "json": {"reasoning": "It was read.", "score": score}, "usage": [200, 20], "times": 0})
}

/// One agent of cycgraph, evaluated with two prompts.
const NOTES: &str = "#- agents.yaml
id: writer
name: Writer
model: declared-model
provider: local
system_prompt: |
  Write a long note.
  Take your time.
permissions: {read_keys: ['*'], write_keys: [note]}
#- notes.yaml
id: notes
name: Notes
description: ''
nodes:
  - {id: write, type: agent, agent_id: writer, read_keys: ['*'], write_keys: [note]}
edges: []
start_node: write
end_nodes: [write]
#- notes.eval.yaml
eval: Notes are short.
file: notes.yaml
prompts:
  long: {}
  short:
    writer: \"Write one word, 'quoted': now.\"
judges:
  - name: short
    expression: length(memory.note) < 10
  - name: good
    rubric: The note is good.
    of: note
    at_least: 0.8
expect: {time: 5 min}
cases:
  - case: A note is written.
    input: {topic: hail}
";

/// A place with a project whose provider is a server that says this.
fn project(files: &str, models: Value) -> (Place, ModelServer) {
    let server = ModelServer::start(models).unwrap();
    let place = Place::new(files);
    let live = "[live]\nmodel = \"small\"\nprovider = \"local\"\n[live.models.small]\ninput_usd = 10.0\noutput_usd = 10.0\n";
    place.write("nodewise.toml", &format!("{live}{}", provider("local", "openai", &server)));
    (place, server)
}

fn notes(score: f64, short: &str) -> Value {
    json!([
        judge(score),
        {"when": "Write one word, 'quoted': now.", "text": short, "usage": [10, 1], "times": 0},
        {"when": "Take your time.", "text": "In the beginning there was hail.", "usage": [20, 9], "times": 0},
    ])
}

/// The places of the table of the first eval: prompt, model, case, and how many runs passed.
fn places(done: &Done) -> Vec<String> {
    let report: Value = serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{done:?}"));
    let places = report["evals"][0]["places"].as_array().unwrap().iter();
    let text = |place: &Value, key: &str| place[key].as_str().unwrap().to_owned();
    places
        .map(|place| {
            let names = [text(place, "prompt"), text(place, "model"), text(place, "case")];
            format!("{} {}/{}", names.join(", "), place["passed"], place["runs"])
        })
        .collect()
}

#[test]
fn two_models_two_prompts_and_three_cases_of_the_example() {
    if !has_python() {
        return;
    }
    let server = ModelServer::start(json!([
        judge(0.9),
        {"when": "Answer in one sentence", "text": "We look into it.", "usage": [50, 9], "times": 0},
        {"when": "Thank", "text": "Thank you for your patience.", "usage": [10, 3], "times": 0},
        {"text": "We look into it, dear customer.", "usage": [50, 9], "times": 0},
    ]))
    .unwrap();
    let place = Place::copy("examples/liman");
    let live =
        "[liman.external]\ntools = [\"web_search\"]\n[live]\nmodel = \"llama3.2\"\nprovider = \"local\"\n";
    place.write("nodewise.toml", &format!("{live}{}", provider("local", "openai", &server)));
    let done = place.run(&["eval", "--trust", "--format", "json"]).well();
    let cases = [
        "A solved case is closed.",
        "An urgent case pages whoever is on call.",
        "A question about money is not closed.",
    ];
    let expected = cases.iter().flat_map(|case| {
        ["as declared", "one sentence"].into_iter().flat_map(move |prompt| {
            ["llama3.2", "qwen3"].map(|model| format!("{prompt}, {model}, {case} 1/1"))
        })
    });
    assert_eq!(places(&done), expected.collect::<Vec<_>>());
    let bodies: Vec<Value> = server.requests().into_iter().map(|request| request.body).collect();
    let asked = |model: &str, text: &str| {
        bodies.iter().filter(|body| body["model"] == model && body.to_string().contains(text)).count()
    };
    for model in ["llama3.2", "qwen3"] {
        assert_eq!(asked(model, "Answer in one sentence"), 3, "{model}");
        assert_eq!(asked(model, "for {product}"), 3, "{model}");
    }
    let text = place.run(&["eval", "--trust", "--no-progress", "--filter", "money"]).well();
    assert!(text.out.contains("4 runs: 4 passed, 0 failed"), "{}", text.out);
    let listed = place.run(&["eval", "--list"]).well();
    assert!(listed.out.contains("(2 prompts × 2 models × 3 cases: 12 runs)"), "{}", listed.out);
}

#[test]
fn a_judge_that_fails_ends_with_1() {
    let (place, server) = project(NOTES, notes(0.5, "Hail."));
    let done = place.run(&["eval", "--trust", "--format", "json"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let expected =
        ["long, as declared, A note is written. 0/1", "short, as declared, A note is written. 0/1"];
    assert_eq!(places(&done), expected);
    let text = place.run(&["eval", "--trust", "--no-progress"]);
    assert_eq!(text.code, Some(1));
    assert!(text.out.contains("`good`: score 0.5: It was read."), "{}", text.out);
    assert!(text.out.contains("`short`: the expression is not true"), "{}", text.out);
    let asked =
        server.requests().into_iter().filter(|request| request.body.to_string().contains("You judge"));
    assert!(asked.clone().count() == 4, "each run is judged");
    let body = asked.map(|request| request.body.to_string()).find(|body| body.contains("Hail."));
    assert!(body.unwrap().contains("hail"), "the judge gets the input of the run");
}

#[test]
fn reports_for_build_servers_and_pull_requests() {
    let (place, _server) = project(NOTES, notes(0.9, "Hail."));
    let done = place.run(&["eval", "--trust", "--format", "junit", "-o", "report.xml"]);
    assert_eq!(done.code, Some(1), "the long note is too long: {done:?}");
    let report = place.read("report.xml");
    assert!(
        report.contains("<testsuite name=\"Notes are short.\" tests=\"2\" failures=\"1\" errors=\"0\""),
        "{report}"
    );
    assert!(
        report.contains("<failure message=\"`short`: the expression is not true\" type=\"judge\">"),
        "{report}"
    );
    place.run(&["eval", "--trust", "--format", "markdown", "-o", "report.md"]);
    let report = place.read("report.md");
    assert!(
        report.starts_with("### ❌ Notes are short.\n\n| case | prompt | as declared |\n|---|---|---|\n"),
        "{report}"
    );
    assert!(report.contains("| A note is written. | short | ✅ 1/1 · 0.90 · "), "{report}");
}

#[test]
fn what_was_accepted_is_compared() {
    let (place, server) = project(NOTES, notes(0.9, "Hail."));
    let words = ["eval", "--trust", "--no-progress", "--filter", "short"];
    place.run(&words).well();
    let accepted = place.run(&["eval", "--accept-last"]).well();
    assert!(accepted.err.contains("accepted the results of \"Notes are short.\""), "{}", accepted.err);
    let again = place.run(&words).well();
    assert!(again.out.contains("as accepted on"), "{}", again.out);
    drop(server);
    let server = ModelServer::start(notes(0.9, "Hail, and a lot of it.")).unwrap();
    let config = place.read("nodewise.toml");
    let config = config.split("\n[live.providers.").next().unwrap().to_owned();
    place.write("nodewise.toml", &(config + &provider("local", "openai", &server)));
    // Half of the runs are enough for the eval, but not for the comparison.
    let lenient =
        place.read("notes.eval.yaml").replace("file: notes.yaml\n", "file: notes.yaml\npass_rate: 0\n");
    place.write("notes.eval.yaml", &lenient);
    let worse = place.run(&words);
    assert_eq!(worse.code, Some(1), "{worse:?}");
    assert!(worse.out.contains("worse    A note is written. · short    1/1 -> 0/1"), "{}", worse.out);
    let accepted = place.run(&["eval", "--trust", "--filter", "short", "--accept"]);
    assert_eq!(accepted.code, Some(1), "what is accepted now is worse than before: {accepted:?}");
    let again = place.run(&words).well();
    assert!(again.out.contains("as accepted on"), "{}", again.out);
}

#[test]
fn results_are_saved_in_a_file_and_compared_without_a_store() {
    let (place, server) = project(NOTES, notes(0.9, "Hail."));
    let words = ["eval", "--trust", "--no-progress", "--filter", "short"];
    let missing = place.run(&[&words[..], &["--against", "base.json"]].concat());
    assert_eq!(missing.code, Some(2), "{missing:?}");
    assert!(
        missing.err.contains("`base.json` cannot be read") && missing.err.contains("--save"),
        "{missing:?}"
    );
    assert!(server.requests().is_empty(), "nothing is paid for what cannot be compared");
    place.run(&[&words[..], &["--save", "base.json"]].concat()).well();
    assert!(!place.read("base.json").contains("Hail."), "{}", place.read("base.json"));
    drop(server);
    std::fs::remove_dir_all(place.path().join(".nodewise")).unwrap();
    let server = ModelServer::start(notes(0.9, "Hail, and a lot of it.")).unwrap();
    let config = place.read("nodewise.toml");
    let config = config.split("\n[live.providers.").next().unwrap().to_owned();
    place.write("nodewise.toml", &(config + &provider("local", "openai", &server)));
    let lenient =
        place.read("notes.eval.yaml").replace("file: notes.yaml\n", "file: notes.yaml\npass_rate: 0\n");
    place.write("notes.eval.yaml", &lenient);
    let worse = place.run(&[&words[..], &["--against", "base.json", "--save", "now.json"]].concat());
    assert_eq!(worse.code, Some(1), "{worse:?}");
    assert!(worse.out.contains("compared with the results saved in base.json on "), "{}", worse.out);
    assert!(worse.out.contains("worse    A note is written. · short    1/1 -> 0/1"), "{}", worse.out);
    let same = place.run(&[&words[..], &["--against", "now.json"]].concat()).well();
    assert!(same.out.contains("as saved in now.json on "), "{}", same.out);
    // What is not in the file is not compared, and what does not run stays in it.
    let all =
        place.run(&["eval", "--trust", "--no-progress", "--filter", "long", "--save", "now.json"]).well();
    assert!(!all.out.contains("compared"), "{}", all.out);
    let saved: Value = serde_json::from_str(&place.read("now.json")).unwrap();
    let places = saved["evals"][0]["results"]["places"].as_array().unwrap();
    let prompts: Vec<&str> = places.iter().map(|place| place["prompt"].as_str().unwrap()).collect();
    assert_eq!(prompts, ["long", "short"]);
    let renamed = place.read("notes.eval.yaml").replace("Notes are short.", "Notes.");
    place.write("notes.eval.yaml", &renamed);
    let other = place.run(&[&words[..], &["--against", "now.json"]].concat()).well();
    let note = "note: `now.json` has no results of \"Notes.\" in notes.eval.yaml, so nothing is compared";
    assert!(other.err.contains(note), "{}", other.err);
}

#[test]
fn evals_with_one_title_have_results_of_their_own() {
    let (place, _server) = project(NOTES, notes(0.9, "Hail."));
    let one = place.read("notes.eval.yaml");
    // The second one fails in the row that the first one does not have.
    let other = one.replace("  short:\n    writer: \"Write one word, 'quoted': now.\"\n", "");
    let one = one.replace("  long: {}\n", "");
    place.write("notes.eval.yaml", &format!("{one}---\n{other}"));
    let done = place.run(&["eval", "--trust", "--no-progress", "--save", "base.json"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let saved: Value = serde_json::from_str(&place.read("base.json")).unwrap();
    let entries = saved["evals"].as_array().unwrap().iter();
    let entries: Vec<String> = entries
        .map(|eval| {
            let sum = &eval["results"]["places"][0];
            format!("{} {} {}/{}", eval["title"], sum["prompt"], sum["passed"], sum["runs"])
        })
        .collect();
    assert_eq!(entries, ["\"Notes are short.\" \"short\" 1/1", "\"Notes are short. (2)\" \"long\" 0/1"]);
    let again = place.run(&["eval", "--trust", "--no-progress", "--against", "base.json"]);
    assert!(
        !again.err.contains("has no results") && again.out.contains("as saved in base.json on "),
        "{again:?}"
    );
}

#[test]
fn a_json_schema_judges() {
    let judged = NOTES.replace(
        "  - name: short\n    expression: length(memory.note) < 10\n",
        "  - name: shape\n    schema: {type: object, required: [word], properties: {word: {type: string, maxLength: 6}}}\n    of: note\n",
    );
    assert_ne!(judged, NOTES);
    let (place, _server) = project(
        &judged,
        json!([
            judge(0.9),
            {"when": "Write one word, 'quoted': now.", "text": "{\"word\": \"Hail.\"}", "times": 0},
            {"when": "Take your time.", "text": "{\"word\": \"Hail and more\"}", "times": 0},
        ]),
    );
    let done = place.run(&["eval", "--trust", "--no-progress"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.contains("2 runs: 1 passed, 1 failed"), "{}", done.out);
    assert!(done.out.contains("`shape`: ") && done.out.contains("word"), "{}", done.out);
}

#[test]
fn models_of_single_agents_are_chosen() {
    let chosen = NOTES.replace(
        "prompts:\n",
        "models:\n  - {name: declared}\n  - {name: large writer, agents: {writer: large}}\n  - {name: all small, model: small, agents: {writer: large}}\nprompts:\n",
    );
    let (place, server) = project(&chosen, notes(0.9, "Hail."));
    let config = place.read("nodewise.toml");
    place.write(
        "nodewise.toml",
        &format!("{config}\n[live.models.large]\nid = \"large-1\"\nprovider = \"local\"\n"),
    );
    place.run(&["eval", "--trust", "--no-progress", "--filter", "short"]).well();
    let models = server.requests().into_iter().map(|request| request.body);
    let models = models.filter(|body| !body.to_string().contains("You judge"));
    let mut models: Vec<String> = models.map(|body| body["model"].as_str().unwrap().to_owned()).collect();
    models.sort();
    assert_eq!(models, ["declared-model", "large-1", "large-1"]);
}

#[test]
fn earlier_results_that_cannot_be_read_are_reported_and_do_not_count() {
    let (place, _server) = project(NOTES, notes(0.9, "Hail."));
    let words = ["eval", "--trust", "--no-progress", "--filter", "short"];
    place.run(&[&words[..], &["--accept"]].concat()).well();
    let store = place.path().join(".nodewise/runs.db");
    let mut bytes = std::fs::read(&store).unwrap();
    let version = b"{\"version\":1,\"places\"";
    let places: Vec<usize> = bytes
        .windows(version.len())
        .enumerate()
        .filter_map(|(at, window)| (window == version).then_some(at))
        .collect();
    places.iter().for_each(|at| bytes[at + version.len() - 11] = b'9');
    assert!(!places.is_empty());
    std::fs::write(&store, &bytes).unwrap();
    let done = place.run(&words).well();
    assert!(
        done.err.contains("note: earlier results of \"Notes are short.\" do not count: "),
        "{}",
        done.err
    );
    assert!(!done.out.contains("accepted"), "{}", done.out);
}

#[cfg(unix)]
#[test]
fn ctrl_c_reports_what_ran_and_leaves_no_unfinished_run() {
    let (place, server) = project(
        NOTES,
        json!([
            judge(0.9),
            {"when": "Write one word, 'quoted': now.", "text": "Hail."},
            {"when": "Write one word, 'quoted': now.", "text": "never", "hangs": true, "times": 0},
        ]),
    );
    let words =
        ["eval", "--trust", "--filter", "short", "--repeat", "2", "--jobs", "1", "--save", "base.json"];
    let mut command = place.command(&words);
    let child =
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    // The first run asks the writer and the judge; the third question is the one that hangs.
    assert_eq!(server.wait_for(3).len(), 3);
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let done = Done::of(child.wait_with_output().unwrap());
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.contains("1 of 2 runs are finished: you stopped it"), "{}", done.out);
    assert!(
        done.err.contains("the results are not saved, because not all runs are finished"),
        "{}",
        done.err
    );
    assert_eq!(place.run(&["runs"]).well().out.lines().count(), 1, "no run is left that was not finished");
}

#[test]
fn prompts_in_bundles_and_overlays_are_replaced() {
    let bundle = "#- bundle.yaml
manifest: {name: notes, version: '1', requires: {models: [small]}}
agents:
  - id: writer
    name: Writer
    model: small
    provider: local
    system_prompt: Write a long note.
    permissions: {read_keys: ['*'], write_keys: [note]}
graph:
  id: notes
  name: Notes
  description: ''
  nodes:
    - {id: write, type: agent, agent_id: writer, read_keys: ['*'], write_keys: [note]}
  edges: []
  start_node: write
  end_nodes: [write]
#- bundle.eval.yaml
eval: Notes.
file: bundle.yaml
prompts: {short: {writer: Write one word.}}
cases: [{case: One.}]
";
    let overlay = "#- desk.yaml
kind: LLMNode
name: desk
prompts:
  system: {en: You are a desk.}
#- overlay.yaml
kind: Overlay
to: LLMNode:desk
strategy: merge
prompts:
  system: {en: You are a long desk.}
#- desk.eval.yaml
eval: Desk.
file: desk.yaml
start: desk
prompts: {short: {desk: You are brief.}}
cases: [{case: One., turns: [Hello.]}]
";
    for (files, own, others) in
        [(bundle, "Write one word.", "Write a long note."), (overlay, "You are brief.", "desk.")]
    {
        let (place, server) = project(files, json!([{"text": "ok", "times": 0}]));
        place.run(&["eval", "--trust", "--no-progress"]).well();
        let body = server.requests()[0].body.to_string();
        assert!(body.contains(own) && !body.contains(others), "{body}");
    }
}

#[test]
fn no_run_begins_that_may_exceed_the_limit() {
    let (place, server) = project(NOTES, notes(0.9, "Hail."));
    // The judge of a run costs 0.0022 USD.
    let words =
        ["eval", "--trust", "--filter", "short", "--repeat", "3", "--jobs", "1", "--limit-cost", "0.005"];
    let done = place.run(&words);
    assert_eq!(done.code, Some(1), "{done:?}");
    let stopped = "2 of 3 runs are finished: another run could exceed `--limit-cost`";
    assert!(done.out.contains(stopped), "{}", done.out);
    assert_eq!(server.requests().len(), 4);
    assert!(place.run(&["runs"]).well().out.lines().count() == 2, "no run is left that was not finished");
}

#[test]
fn nothing_starts_without_permission() {
    let (place, server) = project(NOTES, notes(0.9, "Hail."));
    let done = place.run(&["eval"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("models of `local`"), "{}", done.err);
    let shown = place.run(&["eval", "--dry-run"]).well();
    assert!(shown.out.contains("models of `local`"), "{}", shown.out);
    assert!(server.requests().is_empty());
    let broken = place.read("notes.eval.yaml").replace("at_least: 0.8", "at_least: 8");
    place.write("notes.eval.yaml", &broken);
    let done = place.run(&["eval", "--trust"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("notes.eval.yaml:13: `at_least` takes a number"), "{}", done.err);
    assert!(server.requests().is_empty());
}

/// A graph whose agent has the tools of a server that cannot be started.
const GONE: &str = "#- z-agents.yaml
id: looker
name: Looker
model: declared-model
provider: local
system_prompt: Look.
tools: [{type: mcp, server_id: gone}]
permissions: {read_keys: ['*'], write_keys: [note]}
#- z.yaml
id: look
name: Look
description: ''
nodes:
  - {id: look, type: agent, agent_id: looker, read_keys: ['*'], write_keys: [note]}
edges: []
start_node: look
end_nodes: [look]
#- z.eval.yaml
eval: Nobody looks.
file: z.yaml
cases:
  - case: Nothing is seen.
";

#[test]
fn what_ran_is_reported_if_a_later_eval_cannot_start() {
    let (place, _server) = project(&format!("{NOTES}{GONE}"), notes(0.9, "Hail."));
    let config = place.read("nodewise.toml");
    place.write("nodewise.toml", &format!("{config}\n[live.mcp.gone]\ncommand = [\"/nowhere/server\"]\n"));
    let done = place.run(&["eval", "--trust", "--no-progress"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("no run of the eval could begin"), "{}", done.err);
    assert!(done.out.contains("Notes are short."), "{}", done.out);
}

#[test]
fn a_run_of_an_eval_does_not_continue_alone() {
    let (place, _server) = project(NOTES, notes(0.9, "Hail."));
    place.run(&["eval", "--trust", "--filter", "short"]).well();
    for words in [&["resume", "--trust"][..], &["run", "--from", "last", "--trust"]] {
        let done = place.run(words);
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.err.contains("belongs to the eval \"Notes are short.\""), "{}", done.err);
    }
}

#[test]
fn a_live_run_becomes_a_case() {
    let files = format!("{FLOW}{HOST}");
    let models = json!([
        {"when": "Say", "calls": [{"tool": "pay", "arguments": {"amount": 5}}]},
        {"text": "Paid.", "times": 0},
    ]);
    let (place, server) = project(&files, models);
    if !has_python() {
        return;
    }
    let config = place.read("nodewise.toml");
    place.write("nodewise.toml", &(config + "\n[live.tools.pay]\nfunction = \"shop.pay\"\n"));
    place.run(&["run", "flow.yaml", "--input", "{\"topic\": \"hail\"}", "--trust"]).well();
    assert_eq!(place.read("effects.txt"), "paid 5\n");
    let words = ["runs", "export", "last", "--case", "Five are paid.", "-o", "flow.eval.yaml"];
    place.run(&words).well();
    let mut again = words.to_vec();
    again[4] = "Five are paid again.";
    place.run(&again).well();
    let text = place.read("flow.eval.yaml");
    assert!(text.contains("  - case: \"Five are paid.\"\n    input: {\"topic\":\"hail\"}\n"), "{text}");
    assert!(text.contains("times: always"), "{text}");
    place.run(&["check", "flow.eval.yaml"]).well();
    drop(server);
    let server = ModelServer::start(json!([{"text": "Paid.", "times": 0}])).unwrap();
    let config = place.read("nodewise.toml");
    let (before, after) = config.split_once("\n[live.providers.").unwrap();
    let tools = after.split_once("\n[live.tools").unwrap().1;
    let config = format!("{before}{}\n[live.tools{tools}", provider("local", "openai", &server));
    place.write("nodewise.toml", &config);
    let done = place.run(&["eval", "--trust", "--no-progress"]).well();
    assert!(done.out.contains("2 runs: 2 passed"), "{}", done.out);
    assert_eq!(place.read("effects.txt"), "paid 5\n", "the tool is answered by the case");
}

const FLOW: &str = "#- agents.yaml
id: payer
name: Payer
model: small
provider: local
system_prompt: Say what you pay.
tools: [{type: custom, name: pay}]
permissions: {read_keys: ['*'], write_keys: ['*']}
#- flow.yaml
id: flow
name: Flow
description: ''
nodes:
  - {id: pay, type: agent, agent_id: payer, read_keys: ['*'], write_keys: ['*']}
edges: []
start_node: pay
end_nodes: [pay]
";

const HOST: &str = "#- shop.py
def pay(amount):
    with open('effects.txt', 'a') as file:
        file.write(f'paid {amount}\\n')
    return 'paid'
";

#[test]
fn prompts_of_each_system_are_replaced() {
    let agentos = "#- ask.yaml
id: ask
name: ask
nodes:
  - id: think
    type: gmi
    executorConfig: {type: gmi, instructions: Think for long.}
    executionMode: single_turn
    effectClass: pure
    checkpoint: none
edges:
  - {id: a, source: __START__, target: think, type: static}
  - {id: b, source: think, target: __END__, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
#- ask.eval.yaml
eval: Asks.
file: ask.yaml
prompts: {fast: {think: Think fast.}}
cases: [{case: One., input: {a: 1}}]
";
    let (place, server) = project(agentos, json!([{"text": "ok", "times": 0}]));
    place.run(&["eval", "--trust"]).well();
    let body = server.requests()[0].body.to_string();
    assert!(body.contains("Think fast.") && !body.contains("Think for long."), "{body}");
    let unknown = place.read("ask.eval.yaml").replace("think: Think", "thinks: Think");
    place.write("ask.eval.yaml", &unknown);
    let done = place.run(&["eval", "--trust"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(
        done.err.contains("ask.eval.yaml:3: `thinks` has no prompt that can be replaced"),
        "{}",
        done.err
    );
}
