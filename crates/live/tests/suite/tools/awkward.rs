//! Awkward functions, each called twice in one process after another. Invariant: each gives a value or a failure that says what is
//! wrong, and the call after it is answered.

use serde_json::{Value as Json, json};

use crate::tools::support::{Folder, has_python, start, tools_named, until_gone};

const AWKWARD: &str = r#"#- awkward.py
import asyncio, os, signal, subprocess, sys, time

def plain(): return 1
async def later():
    await asyncio.sleep(0)
    return 2
def raises(): raise ValueError("\033[2J\033[31mgone")
def hangs():
    child = subprocess.Popen(["sleep", "600"])
    with open("child", "w") as file: file.write(str(child.pid))
    time.sleep(600)
def prints(): print('{"value": "from print"}')
def writes_below_print(): os.write(1, b'{"value": "from file 1"}\n')
def starts_a_child(): subprocess.run([sys.executable, "-c", "print('{\"value\": \"from a child\"}')"])
def reads(): return sys.stdin.read()
def leaves(): sys.exit(4)
def ends(): os._exit(5)
def segfaults(): os.kill(os.getpid(), signal.SIGSEGV)
def large(): return "x" * (20 << 20)
def circle():
    value = []
    value.append(value)
    return value
def surrogate(): return "\ud800"
def generator(): yield 1
async def async_generator(): yield 1
def mapped(): return {"inside": map(str, [1])}
class Odd:
    def __str__(self): return "an odd thing"
def odd(): return Odd()
def exact(): return 2 ** 80
def digits(): return 2 ** 80 + 1
def huge(): return 10 ** 5000
#- lame.py
import no_such_package
def run(): return 1
"#;

/// What an awkward function answers: its tool, the function, the answer or its beginning, and what is reported beside it.
const FUNCTIONS: &[(&str, &str, &str, &str)] = &[
    ("sync", "awkward.plain", "1", ""),
    ("async", "awkward.later", "2", ""),
    (
        "raises",
        "awkward.raises",
        "ValueError: \u{1b}[2J\u{1b}[31mgone",
        "ValueError: \u{1b}[2J\u{1b}[31mgone",
    ),
    ("hangs", "awkward.hangs", "TimeoutError: `awkward.hangs` took longer than 5 s and was stopped", ""),
    ("prints", "awkward.prints", "null", "python: {\"value\": \"from print\"}"),
    ("file-1", "awkward.writes_below_print", "null", "python: {\"value\": \"from file 1\"}"),
    ("child", "awkward.starts_a_child", "null", "python: {\"value\": \"from a child\"}"),
    ("reads", "awkward.reads", "\"\"", ""),
    ("leaves", "awkward.leaves", "SystemExit: 4", ""),
    (
        "ends",
        "awkward.ends",
        "ProcessEnded: the Python process of `awkward.ends` ended (it closed its output): exit status: 5",
        "",
    ),
    (
        "segfaults",
        "awkward.segfaults",
        "ProcessEnded: the Python process of `awkward.segfaults` ended (it closed its output): signal: 11",
        "",
    ),
    ("large", "awkward.large", "ValueError: the result is larger than 16 MB as JSON lasts", ""),
    ("circle", "awkward.circle", "ValueError: the result is nested deeper than 100", ""),
    ("surrogate", "awkward.surrogate", "\"?\"", ""),
    (
        "no-module",
        "nowhere.run",
        "ModuleNotFoundError: cannot import `nowhere`, the module of `nowhere.run`",
        "",
    ),
    (
        "no-package",
        "lame.run",
        "ModuleNotFoundError: cannot import `lame`, the module of `lame.run`: No module named 'no_such_package'",
        "",
    ),
    (
        "no-function",
        "awkward.nothing",
        "AttributeError: module 'awkward' has no attribute 'nothing' lasts",
        "",
    ),
    (
        "generator",
        "awkward.generator",
        "TypeError: the result has a value of type generator, which gives its items one by one: return a list lasts",
        "",
    ),
    (
        "async-generator",
        "awkward.async_generator",
        "TypeError: the result has a value of type async_generator",
        "",
    ),
    ("mapped", "awkward.mapped", "TypeError: the result has a value of type map", ""),
    ("odd", "awkward.odd", "\"an odd thing\"", "a value of type Odd was converted to text"),
    ("exact", "awkward.exact", "1.2089258196146292e+24", ""),
    (
        "digits",
        "awkward.digits",
        "1.2089258196146292e+24",
        "JSON cannot hold all digits of 1208925819614629174706177",
    ),
    ("huge", "awkward.huge", "OverflowError: the result has a whole number above 1.8e308", ""),
];

#[tokio::test]
async fn each_awkward_function_has_an_answer_and_the_next_call_too() {
    if !has_python() {
        return;
    }
    let folder = Folder::new(AWKWARD);
    let mut configuration = "[live.tools]\n".to_owned();
    for (tool, function, ..) in FUNCTIONS {
        let limit = if *tool == "hangs" { ", timeout_s = 5" } else { "" };
        configuration += &format!("{tool} = {{ function = \"{function}\"{limit} }}\n");
    }
    // What cannot be imported describes nothing, so the call finds out.
    let names: Vec<&str> = FUNCTIONS.iter().map(|(tool, ..)| *tool).collect();
    let running = start(&folder, &configuration, &tools_named(&names)).await.unwrap();
    let nothing = || -> Json { json!({}) };
    for (tool, function, expected, heard) in FUNCTIONS {
        let answer = running.call(tool, nothing()).await;
        let is_value = expected.parse::<f64>().is_ok() || expected.starts_with('"') || *expected == "null";
        let is_right = if is_value { answer == *expected } else { answer.starts_with(expected) };
        assert!(is_right, "{function}: {answer}");
        crate::tools::support::until(|| heard.is_empty() || running.heard.has(heard)).await;
        assert_eq!(running.call("sync", nothing()).await, "1", "after {function}");
    }
    until_gone(folder.number_in("child").await).await;
    running.tools.stop().await;
}
