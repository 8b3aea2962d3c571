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
import os, time

def append(name):
    if name == 't5' and os.path.exists('down'):
        raise RuntimeError('it is down')
    time.sleep(0.01)
    with open('effects.txt', 'a') as file:
        file.write(name + '\\n')
    time.sleep(0.01)
    return name
";

const RESUME: &[&str] = &["resume", "last", "--trust", "--no-progress", "--format", "json"];
const RESUME_WITH_LIMIT: &[&str] =
    &["resume", "last", "--trust", "--no-progress", "--format", "json", "--limit-visits", "100"];

/// The tool that fails while the file `down` is there, and from which forks begin.
const MIDDLE: &str = "t5";

/// A graph of tools that append their names to a file; a resume does so with calls that may have had their effect.
fn place(again: &str) -> Place {
    let mut config = "[live]\n".to_owned();
    let mut graph = "id: flow\nname: Flow\ndescription: ''\nstart_node: t0\nnodes:\n".to_owned();
    let mut edges = "edges:\n".to_owned();
    let mut python = APPEND.to_owned();
    for tool in 0..TOOLS {
        config += &format!("tools.t{tool} = {{ function = \"effects.t{tool}\", again = \"{again}\" }}\n");
        graph += &format!(
            "  - {{id: t{tool}, type: tool, tool_id: t{tool}, tools: [t{tool}], failure_policy: {{max_retries: 1}}}}\n"
        );
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

/// Kills a run after a while; the run, if it was cut off in the middle.
fn cut_off(after: Duration, again: &str) -> Option<Place> {
    let place = place(again);
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
        return None;
    }
    (!runs.out.contains("\"completed\"")).then_some(place)
}

/// Kills a run after a while, goes on with it, and counts; whether the run was cut off in the middle.
fn crash(after: Duration) -> bool {
    let Some(place) = cut_off(after, "repeat") else { return false };
    let resumed = place.run(RESUME).well();
    let effects = effects(&place);
    assert_eq!(effects.len(), TOOLS, "{effects:?}");
    for (tool, count) in effects {
        let is_reported = resumed.err.contains(&format!("calls the tool `{tool}` again"));
        assert!(count == 1 || count == 2 && is_reported, "{tool}: {count} times\n{}", resumed.err);
    }
    check_replay(&place, &resumed.out);
    true
}

/// The same, where calls are not repeated, or a person is asked and repeats none: nothing is done twice, and what became of the
/// last call is what the person says.
fn crash_without_repeats(after: Duration, again: &str) -> bool {
    let Some(place) = cut_off(after, again) else { return false };
    let mut resumed = place.run(RESUME);
    if resumed.code != Some(0) {
        let printed = resumed.err.split("the call of the tool `").nth(1);
        let tool = printed.and_then(|rest| rest.split('`').next()).unwrap_or_default();
        assert!(tool.starts_with('t'), "{resumed:?}");
        let answer = format!("{tool}=\"{tool}\"");
        resumed = place.run(&[RESUME, &["--answer", &answer]].concat()).well();
    }
    let effects = effects(&place);
    assert!(effects.values().all(|count| *count == 1), "{effects:?}");
    assert!(
        effects.len() >= TOOLS - 1,
        "only the call that was cut off may be without its effect: {effects:?}"
    );
    check_replay(&place, &resumed.out);
    true
}

/// How a recorded run is taken up, by a process that is killed.
struct TakenUp {
    place: Place,
    /// The command line that is killed.
    words: &'static [&'static str],
    /// The one that continues after it.
    resume: &'static [&'static str],
    /// Whether the recorded answer of a tool stays, so that its effect is not made again.
    is_kept: fn(&str) -> bool,
}

impl TakenUp {
    /// A new run from the middle of one that completed.
    fn fork() -> TakenUp {
        let place = place("repeat");
        place.run(&["run", "flow.yaml", "--trust", "--no-progress"]).well();
        TakenUp {
            place,
            words: &["run", "--from", "last@t5", "--trust", "--no-progress"],
            resume: RESUME,
            is_kept: |tool| tool < MIDDLE,
        }
    }

    /// A run that failed in its middle, for a reason that is gone now.
    fn failed() -> TakenUp {
        let place = place("repeat");
        place.write("down", "");
        let failed = place.run(&["run", "flow.yaml", "--trust", "--no-progress"]);
        assert_eq!(failed.code, Some(1), "{failed:?}");
        std::fs::remove_file(place.path().join("down")).unwrap();
        TakenUp { place, words: RESUME, resume: RESUME, is_kept: |tool| tool < MIDDLE }
    }

    /// A run that its limit stopped in its middle. The limit is raised each time, since the first process may end before it is.
    fn stopped() -> TakenUp {
        let place = place("repeat");
        let stopped = place.run(&["run", "flow.yaml", "--trust", "--no-progress", "--limit-visits", "5"]);
        assert_eq!(stopped.code, Some(1), "{stopped:?}");
        assert!(stopped.out.contains("stopped at its limit of visits"), "{stopped:?}");
        assert_eq!(effects(&place).into_keys().collect::<Vec<_>>(), ["t0", "t1", "t2", "t3", "t4"]);
        TakenUp { place, words: RESUME_WITH_LIMIT, resume: RESUME_WITH_LIMIT, is_kept: |tool| tool < MIDDLE }
    }

    /// Kills the process after a while, continues, and counts; whether the run was cut off in the middle.
    fn crash(&self, after: Duration) -> bool {
        let before = effects(&self.place);
        let mut child =
            self.place.command(self.words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // The lease of a run is there as long as the run.
        let is_begun = || {
            let files = std::fs::read_dir(self.place.path().join(".nodewise")).unwrap();
            files.into_iter().any(|file| file.unwrap().path().extension().is_some_and(|end| end == "lock"))
        };
        while !is_begun() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(after);
        child.kill().unwrap();
        child.wait().unwrap();
        let runs = self.place.run(&["runs", "--format", "json"]).well();
        let runs: serde_json::Value = serde_json::from_str(&runs.out).unwrap();
        let status = runs["runs"][0]["status"].as_str().unwrap();
        if status == "completed" {
            return false;
        }
        let resumed = self.place.run(self.resume).well();
        let effects = effects(&self.place);
        assert_eq!(effects.len(), TOOLS, "{effects:?}");
        for (tool, count) in effects {
            let more = count - before.get(&tool).copied().unwrap_or_default();
            let is_reported = resumed.err.contains(&format!("calls the tool `{tool}` again"));
            let is_right =
                if (self.is_kept)(&tool) { more == 0 } else { more == 1 || more == 2 && is_reported };
            assert!(is_right, "{tool}: {more} more times\n{}", resumed.err);
        }
        check_replay(&self.place, &resumed.out);
        status == "interrupted"
    }
}

/// How long a run takes that nobody kills.
fn whole() -> Duration {
    let place = place("repeat");
    let mut child = place
        .command(&["run", "flow.yaml", "--trust", "--no-progress"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_record(&place, &mut child);
    let begun = Instant::now();
    assert!(child.wait().unwrap().success());
    begun.elapsed()
}

/// Crashes at points all over a run; one of them at least is in the middle of it.
fn check_crashes(crash: impl Fn(Duration) -> bool + Send + Sync) {
    let whole = whole();
    let crashes = std::env::var("NODEWISE_CRASHES").map_or(CRASHES, |count| count.parse().unwrap());
    // In an order without a pattern.
    let point =
        |number: u32| whole.mul_f64(f64::from(number.wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24));
    let half = |thread: u32| {
        let numbers = (0..crashes).filter(|number| number % 2 == thread);
        numbers.filter(|number| crash(point(*number))).count()
    };
    let cut: usize = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        half(0) + other.join().unwrap()
    });
    println!("{cut} of {crashes} runs were cut off in their middle, of {whole:?}");
    assert!(cut > 0, "none of {crashes} runs was cut off in its middle");
}

#[test]
fn no_effect_is_lost_or_done_twice_in_silence() {
    if has_python() {
        check_crashes(crash);
    }
}

#[test]
fn a_run_that_is_taken_up_survives_like_any_other() {
    if has_python() {
        for taken_up in [TakenUp::fork, TakenUp::failed, TakenUp::stopped] {
            check_crashes(|after| taken_up().crash(after));
        }
    }
}

#[test]
fn no_effect_is_done_twice_that_must_not_be_repeated() {
    if has_python() {
        check_crashes(|after| crash_without_repeats(after, "never"));
        check_crashes(|after| crash_without_repeats(after, "ask"));
    }
}
