//! `kill -9` at any moment: what is recorded as done is not done again.

use std::collections::BTreeMap;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::place::{Place, check_replay, has_python};

/// How often the process is killed, unless `NODEWISE_CRASHES` says it.
const CRASHES: u32 = 12;
/// So many tools append to the file, one after another.
const TOOLS: usize = 10;

/// What every tool does; the time around it is for the process to be killed in.
const APPEND: &str = "\
import time

def append(name):
    time.sleep(0.01)
    with open('effects.txt', 'a') as file:
        file.write(name + '\\n')
    time.sleep(0.01)
    return name
";

/// A graph of tools that append their names to a file.
fn place() -> Place {
    let mut config = "[live]\n".to_owned();
    let mut graph = "id: flow\nname: Flow\ndescription: ''\nstart_node: t0\nnodes:\n".to_owned();
    let mut edges = "edges:\n".to_owned();
    let mut python = APPEND.to_owned();
    for tool in 0..TOOLS {
        config += &format!("tools.t{tool} = {{ function = \"effects.t{tool}\" }}\n");
        graph += &format!("  - {{id: t{tool}, type: tool, tool_id: t{tool}, tools: [t{tool}]}}\n");
        python += &format!("def t{tool}():\n    return append('t{tool}')\n");
        if tool > 0 {
            edges += &format!("  - {{source: t{}, target: t{tool}}}\n", tool - 1);
        }
    }
    graph += &format!("{edges}end_nodes: [t{}]\n", TOOLS - 1);
    let place = Place::new("");
    place.write("nodewise.toml", &config);
    place.write("flow.yaml", &graph);
    place.write("effects.py", &python);
    place
}

fn effects(place: &Place) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in place.read("effects.txt").lines() {
        *counts.entry(line.to_owned()).or_default() += 1;
    }
    counts
}

/// Waits until a run is about to be on record.
fn wait_for_record(place: &Place, child: &mut Child) {
    while !place.path().join(".nodewise").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Kills a run after a while, goes on with it, and counts; whether the run was cut off in the middle.
fn crash(after: Duration) -> bool {
    let place = place();
    let mut child = place
        .command(&["run", "flow.yaml", "--trust", "--no-progress"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_record(&place, &mut child);
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
    let runs = place.run(&["runs", "--format", "json"]);
    if !runs.out.contains("\"id\"") {
        assert_eq!(effects(&place), BTreeMap::new(), "nothing is done before the run is on record: {runs:?}");
        return false;
    }
    if runs.out.contains("\"completed\"") {
        return false;
    }
    let resumed = place.run(&["resume", "last", "--trust", "--no-progress", "--format", "json"]).well();
    let effects = effects(&place);
    assert_eq!(effects.len(), TOOLS, "{effects:?}");
    for (tool, count) in effects {
        let is_told = resumed.err.contains(&format!("calls the tool `{tool}` again"));
        assert!(count == 1 || count == 2 && is_told, "{tool}: {count} times\n{}", resumed.err);
    }
    check_replay(&place, &resumed.out);
    true
}

#[test]
fn no_effect_is_lost_or_done_twice_in_silence() {
    if !has_python() {
        return;
    }
    let whole = {
        let place = place();
        let mut child = place
            .command(&["run", "flow.yaml", "--trust", "--no-progress"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        wait_for_record(&place, &mut child);
        let begun = Instant::now();
        assert!(child.wait().unwrap().success());
        begun.elapsed()
    };
    let crashes = std::env::var("NODEWISE_CRASHES").map_or(CRASHES, |count| count.parse().unwrap());
    // Points all over the run, in an order without a pattern.
    let point = move |number: u32| {
        whole.mul_f64(f64::from(number.wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24))
    };
    let threads: Vec<_> = (0..2)
        .map(|thread| {
            std::thread::spawn(move || {
                (0..crashes)
                    .filter(|number| number % 2 == thread)
                    .filter(|number| crash(point(*number)))
                    .count()
            })
        })
        .collect();
    let cut: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    println!("{cut} of {crashes} runs were cut off in their middle, of {whole:?}");
    assert!(cut > 0, "none of {crashes} runs was cut off in its middle");
}
