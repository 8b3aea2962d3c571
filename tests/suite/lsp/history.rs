//! The history of runs over the wire: dry runs of the session and stored live runs, shown again, repeated and compared.

use serde_json::{Value, json};

use crate::lsp::live::Scene;

impl Scene {
    /// The history, a line a run: what it is, its result, its summary without time and cost.
    fn history(&mut self, search: &str) -> Vec<String> {
        let listed = self.command("nodewise.history", &json!({"search": search}));
        let line = |run: &Value| {
            let kind = if run["isLive"] == true { "live" } else { "dry" };
            let summary = run["summary"].as_str().unwrap().split(" · ").next().unwrap();
            format!("{kind} {} {} {summary}", run["title"].as_str().unwrap(), run["result"].as_str().unwrap())
        };
        listed.as_array().unwrap().iter().map(line).collect()
    }

    fn reference(&mut self, search: &str) -> Value {
        let run = self.command("nodewise.history", &json!({"search": search}))[0].clone();
        match run["isLive"] == true {
            true => json!({"run": run["run"]}),
            false => json!({"trace": run["trace"]}),
        }
    }
}

#[test]
fn dry_and_live_runs_are_listed_found_by_words_and_shown_again() {
    let mut scene = Scene::allowed(json!([{"text": "Dear all."}]));
    let subject = scene.subject();
    let dry = scene.command("nodewise.simulate", &subject);
    assert_eq!(
        scene.history(""),
        [
            "dry graph `Letters` open waiting for a person in 2 steps",
            "live graph `Letters` open waiting for a person"
        ]
    );
    assert_eq!(scene.history("LETTERS live").len(), 1);
    assert_eq!(scene.history("steps").len(), 1);
    assert_eq!(scene.history("nothing"), Vec::<String>::new());

    let reference = scene.reference("dry");
    let again = scene.command("nodewise.showRun", &reference);
    for member in ["id", "trace", "text", "summary", "madeUp", "script"] {
        assert_eq!(again[member], dry[member], "{member}");
    }
    let reference = scene.reference("live");
    let live = scene.command("nodewise.showRun", &reference);
    assert_eq!((&live["run"], &live["trace"]["outcome"]["status"]), (&reference["run"], &json!("waiting")));
    assert_eq!(live["waiting"][0]["node"], "look", "{live}");
    assert!(live["text"].as_str().unwrap().contains("Dear all."), "{live}");
    // A run that is shown again is not another run, and nobody was asked.
    assert_eq!((scene.history("").len(), scene.models.requests().len()), (2, 1));
    let error = scene.refused("nodewise.showRun", &json!({}));
    assert_eq!(error["message"], "name a run: `trace` or `run` is missing");
    scene.check_no_key();
}

#[test]
fn a_stored_run_is_repeated_with_the_same_input_and_compared_with_the_first() {
    let mut scene = Scene::allowed(json!([
        {"text": "Dear all."}, {"text": "Thank you."}, {"text": "Dear both."}, {"text": "Thank you."},
    ]));
    let first = scene.reference("live");
    let decided = json!({"run": first["run"], "decisions": [{"node": "look", "word": "approved"}]});
    assert_eq!(scene.command("nodewise.resume", &decided)["trace"]["outcome"]["status"], "completed");
    scene.server.chooses.push_back("Approve");
    let again = scene.command("nodewise.run", &json!({"from": {"run": first["run"], "step": 1}}));
    assert_eq!(again["trace"]["outcome"]["status"], "completed", "{again}");
    assert_eq!(scene.models.requests().len(), 4);

    let second = json!({"run": again["run"]});
    let compared = scene.command("nodewise.compare", &json!({"first": first, "second": second}));
    let difference = |of: &str| {
        let found = compared["differences"].as_array().unwrap().iter().find(|one| one["of"] == of);
        found.map(|found| found["text"].as_str().unwrap().to_owned())
    };
    assert_eq!(difference("path"), None);
    assert_eq!(difference("answers").unwrap(), "answered differently at `write`");
    assert_eq!(difference("prompts").unwrap(), "asked differently at `answer`");
    assert_eq!(difference("state").unwrap(), "other values of `letter`");
    let text = compared["first"]["text"].as_str().unwrap();
    for part in [
        "Path\n  write\n  look\n  answer\n",
        "system:\n      Write.",
        "State at the end\n",
        "  letter: Dear all.\n",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    assert!(compared["second"]["text"].as_str().unwrap().contains("  letter: Dear both.\n"), "{compared}");

    let itself = scene.command("nodewise.compare", &json!({"first": first, "second": first}));
    assert_eq!(itself["differences"], json!([]));
    scene.check_no_key();
}

/// A graph whose last node runs another graph. AgentOS continues if a node of that graph fails.
const REFUNDS: &str = "\
id: refunds
name: refunds
nodes:
  - {id: sum_up, executorConfig: {type: subgraph, graphId: order-history, inputMapping: {}, outputMapping: {}}}
edges:
  - {id: a, source: __START__, target: sum_up, type: static}
  - {id: b, source: sum_up, target: __END__, type: static}
---
id: order-history
name: order-history
nodes:
  - {id: tell, executorConfig: {type: gmi, instructions: Sum up the orders.}}
edges:
  - {id: a, source: __START__, target: tell, type: static}
  - {id: b, source: tell, target: __END__, type: static}
";

#[test]
fn a_live_run_whose_only_model_call_failed_in_a_subgraph_completes_and_is_no_success() {
    let mut scene = Scene::of_file(json!([{"status": 404, "body": "{}"}]), "refunds.yaml", REFUNDS);
    scene.server.chooses.push_back("Allow");
    let uri = scene.folder.uri("refunds.yaml");
    let run = scene.command("nodewise.run", &json!({"uri": uri, "graph": "refunds"}));
    assert_eq!(scene.models.requests().len(), 1);
    assert_eq!(run["trace"]["outcome"]["status"], "completed", "{run}");
    let expected = "completed, 1 step failed, in 2 steps";
    assert!(run["summary"].as_str().unwrap().contains(expected), "{run}");
    assert_eq!(scene.history(""), [format!("live graph `refunds` doubtful {expected}")]);
    // The step is in the trace, with its place and the reason.
    let events = run["trace"]["events"].as_array().unwrap();
    let failed = events.iter().find(|event| event["event"] == "visit-ended" && !event["failure"].is_null());
    let failed = failed.unwrap_or_else(|| panic!("{run}"));
    assert!(failed["failure"].to_string().contains("404"), "{failed}");
    let place = usize::try_from(failed["location"].as_u64().unwrap()).unwrap();
    assert_eq!(run["trace"]["locations"][place]["range"]["start"]["line"], 11, "{run}");
    // The same after it is read from the store.
    let reference = scene.reference("live");
    let again = scene.command("nodewise.showRun", &reference);
    assert!(again["summary"].as_str().unwrap().contains(expected), "{again}");
    scene.check_no_key();
}
