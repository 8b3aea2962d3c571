//! Services: Python functions that answer what is asked beside models, tools and people.

use nodewise_project::config::live::Service;
use serde_json::json;

use crate::tools::support::{Folder, KEY, functions, has_python, line, start};

const SERVICES: &str = r#"
#- program.py
def guard(guardrails, content):
    return {"passed": "bad" not in content, "results": [{"by": name} for name in guardrails]}
def remote(question): return {"state": "completed", "artifacts": {"answer": question["input"]}, "message": "done"}
def score(candidate): return len(candidate)
def recall(text, max_facts=None): return [{"fact": text}]
def talk(mode): return [{"name": "close", "after": 5}]
def wrong(): return 1
"#;

#[tokio::test]
async fn services_are_functions() {
    if !has_python() {
        return;
    }
    let folder = Folder::new(SERVICES);
    let configuration = "[live.services]\nguardrail = \"program.guard\"\nremote = \"program.remote\"\nfitness = \
                         \"program.score\"\nrecall = \"program.recall\"\nsession = \"program.talk\"\nextension = \
                         \"program.wrong\"\n";
    let running = start(&folder, configuration, &functions()).await.unwrap();
    let rows = [
        (
            Service::Guardrail,
            json!({"guardrails": ["a"], "content": "bad words"}),
            r#"Verdict(Verdict { passed: false, results: List([Map({"by": Text("a")})]) })"#,
        ),
        (
            Service::Remote,
            json!({"server": "s", "skill": null, "input": 3, "resumed": null}),
            r#"Remote(RemoteReply { task: "task-1", state: "completed", artifacts: [("answer", Number(3.0))], message: Some("done") })"#,
        ),
        (Service::Fitness, json!({"candidate": "abc"}), "3"),
        (
            Service::Recall,
            json!({"text": "x", "entities": [], "tags": [], "max_facts": 2}),
            r#"[{"fact":"x"}]"#,
        ),
        (
            Service::Session,
            json!({"mode": "listen", "line": null}),
            r#"Session([SessionEvent { name: "close", after: Millis(5), data: Null }])"#,
        ),
    ];
    for (service, question, expected) in rows {
        assert_eq!(line(&running.tools.service(service, question, KEY).await), expected, "{service:?}");
    }
    assert_eq!(
        line(&running.tools.service(Service::Discovery, json!({"query": "x"}), KEY).await),
        "ServiceNotWired: no function is set for the service `discovery`\n  help: name a Python function under `[live.services]` in nodewise.toml: `discovery = \"module.function\"` lasts"
    );
}

#[tokio::test]
async fn a_service_has_to_answer_in_its_shape() {
    if !has_python() {
        return;
    }
    let folder = Folder::new(SERVICES);
    let running =
        start(&folder, "[live.services]\nguardrail = \"program.wrong\"\n", &functions()).await.unwrap();
    assert_eq!(
        line(&running.tools.service(Service::Guardrail, json!(null), KEY).await),
        "TypeError: `program.wrong` answers for the service `guardrail` and must return a boolean, or a mapping with `passed` and optionally `results` lasts"
    );
}
