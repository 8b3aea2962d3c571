//! Python functions: how they get their arguments, what becomes of results, exceptions, prints, hangs and crashes.

use std::time::Duration;

use nodewise_engine::ask::{FunctionQuestion, ToolQuestion};
use nodewise_expr::json::from_json;
use nodewise_live::wiring::{Tool, Wiring};
use serde_json::json;

use crate::tools::support::{
    Folder, KEY, SECRET, functions, has_python, line, nothing, start, tools_named, until, until_gone,
};

/// Functions of all sorts.
const WORK: &str = r#"
#- work.py
import asyncio, dataclasses, datetime, enum, os, subprocess, sys, time

def add(a, b=2): return a + b
def named(**given): return given
def only(value): return ["only", value]
def none(): return "called"
def positional(a, /, b): return [a, b]

async def later(a):
    await asyncio.sleep(0)
    return a * 2

loops = set()
async def loop():
    loops.add(id(asyncio.get_running_loop()))
    return len(loops)

class Color(enum.Enum):
    RED = "red"

@dataclasses.dataclass
class Point:
    x: int
    color: Color

class Model:
    def model_dump(self): return {"inside": Point(1, Color.RED)}

class Odd:
    def __str__(self): return "an odd thing"

def shapes():
    return {"tuple": (1, 2), "model": Model(), "day": datetime.date(2026, 1, 2), 3: "three", "whole": 10**20, "text": "\ud800é"}
def odd(): return {"odd": Odd(), "none": float("nan")}
def deep():
    value = []
    for _ in range(200): value = [value]
    return value

def fails(): raise KeyError("x")
def below():
    try: 1 / 0
    except ZeroDivisionError as error: raise RuntimeError("it failed") from error
def leaves(): sys.exit(3)
def large(): return "x" * (20 << 20)

def prints():
    print("from print")
    os.write(1, b"from below print\n")
    subprocess.run([sys.executable, "-c", "print('from a child')"])
    return sys.stdin.read()

def crashes():
    print("last words", file=sys.stderr)
    sys.stderr.flush()
    os._exit(7)

def hangs(file):
    child = subprocess.Popen(["sleep", "600"])
    open("child", "w").write(str(child.pid))
    open(file, "w").write(str(os.getpid()))
    while True: time.sleep(600)

def pid(): return os.getpid()
def meets(name, other):
    open(name, "w").close()
    for _ in range(3000):
        if os.path.exists(other): return "met"
        time.sleep(0.01)
    return "never met"

def context(liman, a):
    liman.execution_context.node_state.context["seen"] = a
    return "kept"

def secret(): return {"key": "%s", "%s": 1}
def prints_secret():
    print("the key is %s")
    raise ValueError("no access with %s")

count = 5
class Tool:
    @staticmethod
    def run(): return 1
"#;

fn work() -> Folder {
    Folder::new(&WORK.replace("%s", SECRET))
}

fn tool(function: &str) -> Wiring {
    let tool = Tool { function: Some(function.into()), ..Tool::default() };
    Wiring { tools: [("tool".into(), tool)].into_iter().collect(), ..nothing() }
}

/// What a tool that is a function answers.
async fn check_tool(function: &str, arguments: serde_json::Value, expected: &str) {
    if !has_python() {
        return;
    }
    let folder = work();
    let running = start(&folder, "", &tool(function)).await.unwrap();
    assert_eq!(running.call("tool", arguments).await, expected, "{function}");
    running.tools.stop().await;
}

/// What functions answer, each line a function, its input, and the answer.
async fn check_functions(rows: &[(&str, serde_json::Value, &str)]) {
    if !has_python() {
        return;
    }
    let folder = work();
    let running = start(&folder, "", &functions()).await.unwrap();
    for (function, input, expected) in rows {
        assert_eq!(running.function(function, input.clone()).await, *expected, "{function} with {input}");
    }
    running.tools.stop().await;
}

#[tokio::test]
async fn a_tool_gets_the_arguments_that_it_declares() {
    check_tool("work.add", json!({"a": 1}), "3").await;
    check_tool("work.add", json!({"a": 1, "b": 3, "c": 4}), "4").await;
    check_tool("work.named", json!({"a": 1, "c": 4}), r#"{"a":1,"c":4}"#).await;
    check_tool("work.positional", json!({"a": 1, "b": 3}), "[1,3]").await;
}

#[tokio::test]
async fn what_a_tool_needs_has_to_be_given() {
    let expected =
        "InvalidArguments: the call of `tool` does not match its declaration: `a` is missing lasts";
    check_tool("work.add", json!({"b": 1}), expected).await;
}

#[tokio::test]
async fn functions_of_conditions_get_nothing_and_nodes_their_input() {
    check_functions(&[
        ("work.none", json!(null), r#""called""#),
        ("work.add", json!(null), "TypeError: add() missing 1 required positional argument: 'a'"),
        ("work.only", json!("text"), r#"["only","text"]"#),
        ("work.only", json!({"value": 1}), r#"["only",1]"#),
        ("work.only", json!({"other": 1}), r#"["only",{"other":1}]"#),
        ("work.only", json!([1, 2]), r#"["only",[1,2]]"#),
        ("work.none", json!({"other": 1}), r#""called""#),
        ("work.none", json!("text"), r#""called""#),
        ("work.add", json!({"b": 1}), "ValueError: Required parameter is missing: 'a' lasts"),
        ("work.later", json!({"a": 4}), "8"),
        ("work.context", json!({"a": 4}), r#""kept" beside {"seen":4}"#),
    ])
    .await;
}

#[tokio::test]
async fn coroutines_share_a_loop() {
    check_functions(&[("work.loop", json!(null), "1"), ("work.loop", json!(null), "1")]).await;
}

#[tokio::test]
async fn results_become_json() {
    check_functions(&[
        (
            "work.shapes",
            json!(null),
            r#"{"tuple":[1,2],"model":{"inside":{"x":1,"color":"red"}},"day":"2026-01-02","3":"three","whole":1e+20,"text":"?é"}"#,
        ),
        ("work.deep", json!(null), "ValueError: the result is nested deeper than 100"),
        ("work.large", json!(null), "ValueError: the result is larger than 16 MB as JSON lasts"),
        ("work.none", json!(null), r#""called""#),
    ])
    .await;
}

#[tokio::test]
async fn what_is_no_json_becomes_a_text_and_is_reported() {
    if !has_python() {
        return;
    }
    let folder = work();
    let running = start(&folder, "", &functions()).await.unwrap();
    assert_eq!(running.function("work.odd", json!(null)).await, r#"{"odd":"an odd thing","none":null}"#);
    assert!(running.heard.has("work.odd: a value of type Odd was converted to text"));
    assert!(running.heard.has("work.odd: JSON cannot hold nan, which became null"));
}

#[tokio::test]
async fn exceptions_are_failures_with_their_class() {
    check_functions(&[
        ("work.fails", json!(null), "KeyError: 'x'"),
        ("work.below", json!(null), "RuntimeError: it failed below ZeroDivisionError"),
        ("work.leaves", json!(null), "SystemExit: 3"),
        (
            "nowhere.run",
            json!(null),
            "ModuleNotFoundError: cannot import `nowhere`, the module of `nowhere.run`: No module named 'nowhere' lasts",
        ),
        ("work.nothing", json!(null), "AttributeError: module 'work' has no attribute 'nothing' lasts"),
        ("work.count", json!(null), "TypeError: `work.count` is a value of type int, not a function lasts"),
        (
            "work.Tool.run",
            json!(null),
            "ModuleNotFoundError: cannot import `work.Tool`, the module of `work.Tool.run`: No module named 'work.Tool'; 'work' is not a package lasts",
        ),
        ("work", json!(null), "ImportError: `work` is not the path of a function: write `module.function` lasts"),
    ])
    .await;
}

#[tokio::test]
async fn a_traceback_is_reported() {
    if !has_python() {
        return;
    }
    let folder = work();
    let running = start(&folder, "", &functions()).await.unwrap();
    running.function("work.below", json!(null)).await;
    assert!(running.heard.has("in below"));
    assert!(running.heard.has("RuntimeError: it failed"));
}

#[tokio::test]
async fn prints_are_reported_and_disturb_nothing() {
    if !has_python() {
        return;
    }
    let folder = work();
    let running = start(&folder, "", &functions()).await.unwrap();
    assert_eq!(running.function("work.prints", json!(null)).await, r#""""#);
    for said in ["from print", "from below print", "from a child"] {
        until(|| running.heard.has(&format!("python: {said}"))).await;
    }
}

#[tokio::test]
async fn no_secret_comes_back() {
    if !has_python() {
        return;
    }
    let folder = work();
    let running = start(&folder, "", &functions()).await.unwrap();
    assert_eq!(running.function("work.secret", json!(null)).await, r#"{"key":"***","***":1}"#);
    assert_eq!(running.function("work.prints_secret", json!(null)).await, "ValueError: no access with ***");
    until(|| running.heard.has("the key is ***")).await;
    assert!(!running.heard.has(SECRET));
}

#[tokio::test]
async fn a_crash_is_a_failure_and_the_next_call_works() {
    if !has_python() {
        return;
    }
    let folder = work();
    let running = start(&folder, "", &functions()).await.unwrap();
    let crash = running.function("work.crashes", json!(null)).await;
    assert!(crash.starts_with("ProcessEnded: the Python process of `work.crashes` ended"), "{crash}");
    assert!(crash.contains("exit status: 7") && crash.contains("last words"), "{crash}");
    assert_eq!(running.function("work.none", json!(null)).await, r#""called""#);
}

#[tokio::test]
async fn what_takes_too_long_is_killed_with_its_children() {
    if !has_python() {
        return;
    }
    let folder = work();
    let wiring = tools_named(&["hangs", "pid"]);
    let configuration =
        "[live.tools]\nhangs = {function = \"work.hangs\", timeout_s = 3}\npid = {function = \"work.pid\"}\n";
    let running = start(&folder, configuration, &wiring).await.unwrap();
    assert_eq!(
        running.call("hangs", json!({"file": "worker"})).await,
        "TimeoutError: `work.hangs` took longer than 3 s and was stopped\n  help: raise `timeout_s` under `[live]` in nodewise.toml"
    );
    until_gone(folder.number_in("worker").await).await;
    until_gone(folder.number_in("child").await).await;
    running.call("pid", json!({})).await.parse::<u32>().unwrap();
}

#[tokio::test]
async fn a_call_that_is_given_up_ends_at_once() {
    if !has_python() {
        return;
    }
    let folder = work();
    let running = start(&folder, "", &functions()).await.unwrap();
    let question =
        FunctionQuestion { path: "work.hangs".into(), input: from_json(json!({"file": "worker"})) };
    let worker = {
        let call = running.tools.function(&question, KEY);
        tokio::select! {
            answer = call => panic!("{}", line(&answer)),
            worker = folder.number_in("worker") => worker,
        }
    };
    until_gone(worker).await;
    until_gone(folder.number_in("child").await).await;
    assert_eq!(running.function("work.none", json!(null)).await, r#""called""#);
}

#[tokio::test]
async fn calls_at_the_same_time_have_processes_of_their_own() {
    if !has_python() || std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        return;
    }
    let folder = work();
    let running = start(&folder, "", &tool("work.meets")).await.unwrap();
    let (one, other) = tokio::join!(
        running.call("tool", json!({"name": "one", "other": "other"})),
        running.call("tool", json!({"name": "other", "other": "one"})),
    );
    assert_eq!((one.as_str(), other.as_str()), (r#""met""#, r#""met""#));
}

#[tokio::test]
async fn the_same_process_answers_one_call_after_the_other() {
    if !has_python() {
        return;
    }
    let folder = work();
    let running = start(&folder, "", &functions()).await.unwrap();
    let first = running.function("work.pid", json!(null)).await;
    assert_eq!(running.function("work.pid", json!(null)).await, first);
    let process = first.parse().unwrap();
    running.tools.stop().await;
    until_gone(process).await;
}

#[tokio::test]
async fn dropping_everything_ends_everything() {
    if !has_python() {
        return;
    }
    let folder = work();
    let running = start(&folder, "", &functions()).await.unwrap();
    let process = running.function("work.pid", json!(null)).await.parse().unwrap();
    drop(running);
    until_gone(process).await;
}

#[tokio::test]
async fn an_interpreter_that_is_not_there_is_reported_before_anything_runs() {
    let folder = work();
    let error = start(&folder, "[live]\npython = \"no-such-python\"\n", &functions()).await.err().unwrap();
    let message = format!("{error:#}");
    assert!(
        message
            .starts_with("cannot start the Python interpreter `no-such-python`\n  help: install Python 3.8"),
        "{message}"
    );
}

#[tokio::test]
async fn an_interpreter_that_is_something_else_is_reported() {
    let folder = work();
    let error = start(&folder, "[live]\npython = \"false\"\n", &functions()).await.err().unwrap();
    let message = format!("{error:#}");
    assert!(
        message.starts_with("the Python interpreter `false` did not run nodewise's worker: exit status: 1"),
        "{message}"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_virtual_environment_in_the_folder_is_used() {
    use std::os::unix::fs::PermissionsExt;
    if !has_python() {
        return;
    }
    let folder = work();
    let python = folder.path.join(".venv/bin/python");
    std::fs::create_dir_all(python.parent().unwrap()).unwrap();
    std::fs::write(&python, "#!/bin/sh\nFROM_ENVIRONMENT=yes exec python3 \"$@\"\n").unwrap();
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::write(
        folder.path.join("inside.py"),
        "import os\ndef where(): return os.environ.get('FROM_ENVIRONMENT')\n",
    )
    .unwrap();
    let running = start(&folder, "", &functions()).await.unwrap();
    assert_eq!(running.function("inside.where", json!(null)).await, r#""yes""#);
}

#[tokio::test]
async fn functions_get_only_the_variables_that_are_named() {
    if !has_python() {
        return;
    }
    // Cargo sets this one for tests.
    let folder = Folder::new(
        "#- work.py\nimport os\ndef all(): return sorted(os.environ)\ndef one(): return os.environ['CARGO_PKG_NAME']\nasync def later(): return os.environ['CARGO_PKG_NAME']\n",
    );
    let running = start(&folder, "", &functions()).await.unwrap();
    let all: Vec<String> = serde_json::from_str(&running.function("work.all", json!(null)).await).unwrap();
    // An interpreter may set some itself, for example the one of pyenv.
    let inherited: Vec<&String> = all.iter().filter(|name| name.starts_with("CARGO")).collect();
    assert!(all.contains(&"PATH".to_owned()) && inherited.is_empty(), "{all:?}");
    for function in ["work.one", "work.later"] {
        let missing = running.function(function, json!(null)).await;
        let help = "write `python_env = [\"CARGO_PKG_NAME\"]` under `[live]` in nodewise.toml";
        assert!(missing.starts_with("KeyError: 'CARGO_PKG_NAME'") && missing.contains(help), "{missing}");
    }
    let running = start(&folder, "[live]\npython_env = [\"CARGO_PKG_NAME\"]\n", &functions()).await.unwrap();
    // The value is masked, because the configuration names the variable.
    for function in ["work.one", "work.later"] {
        assert_eq!(running.function(function, json!(null)).await, r#""***""#);
    }
    let unset = start(&folder, "[live]\npython_env = [\"NOT_SET_ANYWHERE\"]\n", &functions()).await;
    let unset = unset.err().unwrap().to_string();
    assert!(unset.starts_with("the variable `NOT_SET_ANYWHERE` of Python functions is not set"), "{unset}");
}

#[tokio::test]
async fn functions_are_looked_for_in_the_folders_that_are_named() {
    if !has_python() {
        return;
    }
    let folder =
        Folder::new("#- src/package/inner.py\ndef run(): return 'found'\n#- src/package/__init__.py\n");
    let running = start(&folder, "[live]\npython_path = [\"src\"]\n", &functions()).await.unwrap();
    assert_eq!(running.function("package.inner.run", json!(null)).await, r#""found""#);
}

#[tokio::test]
async fn a_function_describes_itself_where_nothing_else_does() {
    if !has_python() {
        return;
    }
    let folder = Folder::new(
        "#- work.py\nfrom typing import List, Optional\ndef search(query: str, most: int = 3, tags: Optional[List[str]] = None, other=1):\n    \"\"\"Looks for pages.\"\"\"\n    return query\n",
    );
    let running =
        start(&folder, "[live.tools]\nsearch = {function = \"work.search\"}\n", &tools_named(&["search"]))
            .await
            .unwrap();
    let offered = running.tools.offered();
    assert_eq!(offered.len(), 1);
    assert_eq!(offered[0].description.as_deref(), Some("Looks for pages."));
    assert_eq!(
        offered[0].parameters.to_string(),
        r#"{"type":"object","properties":{"query":{"type":"string"},"most":{"type":"integer"},"tags":{"anyOf":[{"type":"array"},{"type":"null"}]},"other":{}},"required":["query"]}"#
    );
    assert_eq!(
        running.call("search", json!({"query": 1})).await,
        "InvalidArguments: the call of `search` does not match its declaration: `query` must be of type string, but is 1 lasts"
    );
}

#[tokio::test]
async fn a_process_that_loses_its_parent_ends_in_the_middle_of_a_call() {
    if !has_python() {
        return;
    }
    // The runtime is gone with everything in it, as when the whole program is killed: nobody is left to kill by hand.
    let folder = work();
    let worker = include_str!("../../../src/tools/worker.py");
    let mut child = std::process::Command::new("python3")
        .args(["-c", worker, "[\".\"]"])
        .current_dir(&folder.path)
        .stdin(std::process::Stdio::piped())
        .stdout(std::fs::File::create(folder.path.join("answers")).unwrap())
        // A file that becomes the pipe of whoever runs these tests is more than Python's streams bear.
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    use std::io::Write;
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(b"{\"function\":\"work.hangs\",\"how\":\"tool\",\"input\":{\"file\":\"worker\"},\"key\":\"r/1\"}\n")
        .unwrap();
    until(|| {
        let answers = std::fs::read_to_string(folder.path.join("answers")).unwrap();
        assert!(!answers.contains("error"), "{answers}");
        folder.path.join("worker").exists()
    })
    .await;
    drop(input);
    until(|| child.try_wait().unwrap().is_some()).await;
    let sleeping = folder.number_in("child").await;
    std::process::Command::new("kill").arg(sleeping.to_string()).status().unwrap();
}

#[tokio::test]
async fn a_tool_with_nothing_behind_it_fails_when_it_is_called() {
    let folder = Folder::new("");
    let running = start(&folder, "", &tools_named(&["search"])).await.unwrap();
    assert_eq!(running.tools.unwired(), ["search"]);
    assert!(running.tools.offered().is_empty());
    let question = ToolQuestion { tool: "search".into(), arguments: from_json(json!({})), call: None };
    let answer =
        tokio::time::timeout(Duration::from_secs(60), running.tools.call(&question, KEY)).await.unwrap();
    assert_eq!(
        line(&answer),
        "ToolNotWired: no function or server is set for the tool `search`\n  help: name one under `[live.tools.search]` in nodewise.toml: `function = \"module.function\"` or `mcp = \"server\"` lasts"
    );
}

#[tokio::test]
async fn a_function_sees_the_key_of_its_call() {
    if !has_python() {
        return;
    }
    let folder = Folder::new(
        r#"
#- work.py
import asyncio
from nodewise_run import idempotency_key as current
def asks(amount=0, idempotency_key=None): return [amount, idempotency_key]
def named(*, idempotency_key): return idempotency_key
def deep(): return current.get()
async def later():
    await asyncio.sleep(0)
    return await asyncio.gather(inner(), inner())
async def inner(): return current.get()
def takes_all(**given): return given
"#,
    );
    let config = "[live.tools]\nasks = { function = \"work.asks\" }\n";
    let wiring = Wiring { functions: ["work.any".into()].into_iter().collect(), ..tools_named(&["asks"]) };
    let running = start(&folder, config, &wiring).await.unwrap();
    let schema = running.tools.offered()[0].parameters.to_string();
    assert!(!schema.contains("idempotency_key"), "models are not asked for it: {schema}");
    let own = r#"[3,"20261122-1304-k7f2/7"]"#;
    assert_eq!(running.call("asks", json!({"amount": 3})).await, own);
    assert_eq!(running.function("work.asks", json!({"amount": 3})).await, own);
    assert_eq!(running.function("work.asks", json!({"idempotency_key": "mine"})).await, r#"[0,"mine"]"#);
    assert_eq!(running.function("work.asks", json!(3)).await, own);
    assert_eq!(running.function("work.named", json!(null)).await, r#""20261122-1304-k7f2/7""#);
    assert_eq!(running.function("work.deep", json!(null)).await, r#""20261122-1304-k7f2/7""#);
    let both = r#"["20261122-1304-k7f2/7","20261122-1304-k7f2/7"]"#;
    assert_eq!(running.function("work.later", json!(null)).await, both);
    assert_eq!(running.function("work.takes_all", json!({"a": 1})).await, r#"{"a":1}"#);
    running.tools.stop().await;
}
