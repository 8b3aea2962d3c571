//! Async functions: they run side by side in one process, and one that is given up is cancelled.

use nodewise_engine::ask::FunctionQuestion;
use nodewise_expr::json::from_json;
use serde_json::json;

use crate::tools::support::{Folder, KEY, functions, has_python, line, start, tools_named, until};

const WORK: &str = r#"
#- work.py
import asyncio, os, time

here, everybody = 0, asyncio.Event()
async def meets(count):
    global here
    here += 1
    if here == count:
        everybody.set()
    await everybody.wait()
    return os.getpid()

async def hangs(file):
    try:
        open(file, "w").close()
        await asyncio.sleep(1000)
    finally:
        open(file + ".ended", "w").close()

async def blocks(file):
    open(file, "w").close()
    time.sleep(1000)

async def fails(): raise KeyError("x")
async def leaves(): os._exit(7)
async def later(a):
    await asyncio.sleep(0)
    return a * 2
"#;

#[tokio::test]
async fn async_functions_run_side_by_side_in_one_process() {
    if !has_python() {
        return;
    }
    let folder = Folder::new(WORK);
    let running = start(&folder, "", &functions()).await.unwrap();
    // Each of them ends only when all of them have begun.
    let calls = (0..8).map(|_| running.function("work.meets", json!({"count": 8})));
    let processes = futures::future::join_all(calls).await;
    assert!(processes[0].parse::<u32>().is_ok(), "{processes:?}");
    assert!(processes.iter().all(|process| *process == processes[0]), "{processes:?}");
    running.tools.stop().await;
}

#[tokio::test]
async fn what_takes_too_long_is_cancelled_and_the_others_go_on() {
    if !has_python() {
        return;
    }
    let folder = Folder::new(WORK);
    let wiring = tools_named(&["hangs", "meets"]);
    let configuration = "[live.tools]\nhangs = {function = \"work.hangs\", timeout_s = 3}\nmeets = {function = \"work.meets\"}\n";
    let running = start(&folder, configuration, &wiring).await.unwrap();
    let (late, first, second) = tokio::join!(
        running.call("hangs", json!({"file": "late"})),
        running.call("meets", json!({"count": 2})),
        async {
            until(|| folder.path.join("late.ended").exists()).await;
            running.call("meets", json!({"count": 2})).await
        },
    );
    assert!(late.starts_with("TimeoutError: `work.hangs` took longer than 3 s and was stopped"), "{late}");
    assert!(first == second && first.parse::<u32>().is_ok(), "{first} {second}");
}

#[tokio::test]
async fn what_does_not_let_itself_be_cancelled_ends_with_its_process() {
    if !has_python() {
        return;
    }
    let folder = Folder::new(WORK);
    let wiring = tools_named(&["blocks", "later", "leaves"]);
    let configuration = "[live.tools]\nblocks = {function = \"work.blocks\", timeout_s = 3}\n\
                         later = {function = \"work.later\"}\nleaves = {function = \"work.leaves\"}\n";
    let running = start(&folder, configuration, &wiring).await.unwrap();
    let late = running.call("blocks", json!({"file": "late"})).await;
    assert!(late.starts_with("TimeoutError: `work.blocks` took longer than 3 s"), "{late}");
    assert_eq!(running.call("later", json!({"a": 4})).await, "8");
    let left = running.call("leaves", json!({})).await;
    assert!(
        left.starts_with("ProcessEnded: the Python process of `work.leaves` ended: ") && left.contains('7'),
        "{left}"
    );
    assert_eq!(running.call("later", json!({"a": 5})).await, "10");
}

#[tokio::test]
async fn a_call_that_is_given_up_is_cancelled() {
    if !has_python() {
        return;
    }
    let folder = Folder::new(WORK);
    let running = start(&folder, "", &functions()).await.unwrap();
    let question = FunctionQuestion { path: "work.hangs".into(), input: from_json(json!({"file": "one"})) };
    {
        let call = running.tools.function(&question, KEY);
        tokio::select! {
            answer = call => panic!("{}", line(&answer)),
            () = until(|| folder.path.join("one").exists()) => {}
        }
    }
    until(|| folder.path.join("one.ended").exists()).await;
    assert_eq!(running.function("work.later", json!({"a": 2})).await, "4");
    let failed = running.function("work.fails", json!(null)).await;
    assert!(failed.starts_with("KeyError: 'x'"), "{failed}");
}
