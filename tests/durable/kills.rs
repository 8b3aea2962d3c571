//! Workers and nodes of the engine that are killed while runs are under way.

use std::time::Duration;

use crate::balancer;
use crate::engine::{Engine, free_port, installed};
use crate::place::{Place, Worker, WorkerStart};

/// How many runs each test has, unless `NODEWISE_DURABLE_RUNS` says it; each has five calls.
const RUNS: usize = 12;
/// The number of runs in nightly tests, which also wait longer.
const MANY: usize = 50;
const CALLS: usize = 5;
/// How long runs may take after the last kill.
const LIMIT: Duration = Duration::from_secs(30);
const PLANS: [&str; 1] = ["flow"];

/// Two workers that are one to the engine, and what they carry.
struct Scene {
    engine: Engine,
    place: Place,
    workers: [Worker; 2],
    ports: [u16; 2],
    runs: Vec<String>,
}

impl Scene {
    fn begin(nodes: usize) -> Option<Scene> {
        Scene::begin_with(nodes, &[], &[])
    }

    /// The same with further variables of the engine, and of the first worker.
    fn begin_with(nodes: usize, of_engine: &[(&str, String)], variables: &[(&str, &str)]) -> Option<Scene> {
        let installed = installed()?;
        let engine = Engine::start(&installed, nodes, of_engine);
        let place = Place::new();
        place.name(&engine, "");
        let ports = [free_port(), free_port()];
        let reached_as = format!("http://127.0.0.1:{}", balancer::before(ports.to_vec()));
        let started = WorkerStart { plans: &PLANS, ..WorkerStart::default() };
        let first = place.worker(&WorkerStart { port: ports[0], variables, ..started });
        let register = Some((engine.admin(), reached_as));
        let second = place.worker(&WorkerStart { port: ports[1], register, ..started });
        let runs = (0..runs()).map(|_| place.start("flow")).collect();
        Some(Scene { engine, place, workers: [first, second], ports, runs })
    }

    fn kill_worker(&mut self, number: usize) {
        self.workers[number].kill();
    }

    fn restart_worker(&mut self, number: usize) {
        let start = WorkerStart { port: self.ports[number], plans: &PLANS, ..WorkerStart::default() };
        self.workers[number] = self.place.worker(&start);
    }

    /// Waits until all runs wait for a person, and decides.
    #[track_caller]
    fn decide(&self) {
        self.place.wait(&self.runs, "waiting", LIMIT * 2);
        for run in &self.runs {
            self.place.output_of(&["resume", run, "--on", "test", "--approve", "--detach"]);
        }
    }

    /// All runs have ended in time; nothing is lost, nothing is repeated without notice, and records are their replays.
    #[track_caller]
    fn check(&self) -> usize {
        check(&self.place, &self.runs, &self.workers)
    }
}

/// How many runs a test has.
fn runs() -> usize {
    let count = std::env::var("NODEWISE_DURABLE_RUNS").ok().and_then(|count| count.parse().ok());
    count.unwrap_or(RUNS)
}

/// All runs have ended in time; nothing is lost, nothing is repeated without notice, and records are their replays. How often calls
/// were repeated.
#[track_caller]
fn check(place: &Place, runs: &[String], workers: &[Worker]) -> usize {
    let took = place.wait(runs, "completed", LIMIT);
    let effects = place.effects();
    let printed: String = workers.iter().map(Worker::log).collect();
    let mut repeated = 0;
    for run in runs {
        let mine: Vec<_> = effects.iter().filter(|(key, _)| key.starts_with(run.as_str())).collect();
        assert_eq!(mine.len(), CALLS, "{run}: {mine:?}");
        for (key, (begun, done)) in mine {
            assert!(*done >= 1, "{key} is lost");
            if *begun > 1 {
                repeated += *begun as usize - 1;
                assert!(
                    printed.contains(&format!("{key} is made again")),
                    "{key} was repeated without notice"
                );
            }
        }
        place.output_of(&["runs", "replay", run, "--on", "test"]);
    }
    eprintln!(
        "{} runs ended {took:?} after the last kill or decision; calls were repeated {repeated} times, each with notice",
        runs.len()
    );
    repeated
}

#[test]
fn workers_are_killed_in_their_calls() {
    let Some(mut scene) = Scene::begin(1) else { return };
    scene.kill_worker(0);
    std::thread::sleep(Duration::from_secs(1));
    scene.restart_worker(0);
    scene.decide();
    std::thread::sleep(Duration::from_millis(200));
    scene.kill_worker(1);
    scene.check();
}

#[test]
fn the_server_is_restarted_with_its_folder() {
    let Some(mut scene) = Scene::begin(1) else { return };
    scene.engine.kill(1);
    scene.engine.begin(1);
    scene.engine.wait(1);
    scene.decide();
    scene.check();
}

#[test]
fn all_workers_are_away_for_a_while() {
    let Some(mut scene) = Scene::begin(1) else { return };
    scene.kill_worker(0);
    scene.kill_worker(1);
    std::thread::sleep(Duration::from_secs(if runs() < MANY { 5 } else { 60 }));
    scene.restart_worker(0);
    scene.restart_worker(1);
    scene.decide();
    scene.check();
}

#[test]
fn the_node_that_leads_is_killed_and_then_another_one() {
    let Some(mut scene) = Scene::begin(3) else { return };
    let leader = scene.engine.leader(&installed().unwrap());
    scene.engine.kill(leader);
    scene.place.name(&scene.engine, "");
    scene.decide();
    // Two of three are away now: everything stands still, and continues when one is back.
    let other = if leader == 1 { 2 } else { 1 };
    scene.engine.kill(other);
    std::thread::sleep(Duration::from_secs(3));
    scene.engine.begin(other);
    scene.place.name(&scene.engine, "");
    scene.check();
}

/// A decision goes to an address of a node that is gone, and from there to the next one.
#[test]
fn a_node_that_follows_is_killed() {
    let Some(mut scene) = Scene::begin(3) else { return };
    let leader = scene.engine.leader(&installed().unwrap());
    let follower = if leader == 3 { 2 } else { 3 };
    let urls = scene.engine.urls();
    scene.engine.kill(follower);
    let dead_first: Vec<String> =
        std::iter::once(urls[follower - 1].clone()).chain(scene.engine.urls()).collect();
    scene.place.name_at(&dead_first, &scene.engine.admin(), "");
    scene.decide();
    scene.check();
}

/// The engine puts a run to sleep whenever it waits, so that each thing that happens is a replay.
#[test]
fn runs_are_suspended_whenever_they_wait() {
    let variable = ("RESTATE_WORKER__INVOKER__INACTIVITY_TIMEOUT", "0s".to_owned());
    let Some(scene) = Scene::begin_with(1, &[variable], &[]) else { return };
    scene.decide();
    assert_eq!(scene.check(), 0, "nothing was killed");
}

/// One worker is ten minutes ahead of the other; the time of a run never goes back.
#[test]
fn clocks_of_workers_are_ten_minutes_apart() {
    let Ok(library) = std::env::var("NODEWISE_FAKETIME") else {
        eprintln!("skipped: NODEWISE_FAKETIME is not set; `cargo xtask test --all` installs libfaketime");
        return;
    };
    let ahead =
        [("LD_PRELOAD", library.as_str()), ("FAKETIME", "+10m"), ("FAKETIME_DONT_FAKE_MONOTONIC", "1")];
    let Some(scene) = Scene::begin_with(1, &[], &ahead) else { return };
    scene.decide();
    scene.check();
    let mut jumps = 0;
    for run in &scene.runs {
        let events = scene.place.output_of(&["runs", "show", run, "--on", "test", "--format", "events"]);
        let moment =
            |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["at"].as_u64().unwrap();
        let moments: Vec<u64> = events.lines().map(moment).collect();
        assert!(moments.is_sorted(), "{run}: {moments:?}");
        jumps += usize::from(moments.last().is_some_and(|last| *last > 500_000));
    }
    assert!(jumps > 0, "no run was on both workers");
}

/// Runs stay with the version that began them, at its address; new ones begin with the newer one.
#[test]
fn a_newer_worker_stands_beside_an_older_one() {
    let Some(installed) = installed() else { return };
    let engine = Engine::start(&installed, 1, &[]);
    let place = Place::new();
    place.name(&engine, "");
    let ports = [free_port(), free_port()];
    let start = |port: u16| {
        let register = Some((engine.admin(), format!("http://127.0.0.1:{port}")));
        place.worker(&WorkerStart { port, register, plans: &PLANS, ..WorkerStart::default() })
    };
    let mut older = start(ports[0]);
    let before: Vec<String> = (0..runs()).map(|_| place.start("flow")).collect();
    place.wait(&before, "waiting", LIMIT * 2);
    let newer = start(ports[1]);
    let after: Vec<String> = (0..runs()).map(|_| place.start("flow")).collect();
    place.wait(&after, "waiting", LIMIT * 2);
    // The older one is away when people decide, and the newer one does not take its runs.
    older.kill();
    let decide = |runs: &[String]| {
        for run in runs {
            place.output_of(&["resume", run, "--on", "test", "--approve", "--detach"]);
        }
    };
    decide(&after);
    place.wait(&after, "completed", LIMIT);
    let older = start(ports[0]);
    decide(&before);
    let all: Vec<String> = before.iter().chain(&after).cloned().collect();
    check(&place, &all, &[older, newer]);
}

#[test]
fn workers_die_between_an_effect_and_its_record() {
    let Some(installed) = installed() else { return };
    let engine = Engine::start(&installed, 1, &[]);
    let place = Place::new();
    place.name(&engine, "");
    // There is one file at a time: two calls of one worker could take two, and the worker dies once.
    let write_death = || std::fs::write(place.path().join("death"), "").unwrap();
    write_death();
    let port = free_port();
    let register = Some((engine.admin(), format!("http://127.0.0.1:{port}")));
    let plans = ["fatal"];
    let mut worker = place.worker(&WorkerStart { port, register, plans: &plans, ..WorkerStart::default() });
    let deaths = runs() / 4;
    let runs: Vec<String> = (0..runs()).map(|_| place.start("fatal")).collect();
    for death in 1..=deaths {
        let begin = std::time::Instant::now();
        while !worker.has_ended() {
            assert!(begin.elapsed() < LIMIT, "no worker died: {}", worker.log());
            std::thread::sleep(Duration::from_millis(20));
        }
        if death < deaths {
            write_death();
        }
        worker = place.worker(&WorkerStart { port, plans: &plans, ..WorkerStart::default() });
    }
    let repeated = check(&place, &runs, std::slice::from_ref(&worker));
    assert!(repeated >= deaths, "{repeated} of {deaths}");
    // A call can be the one in which two workers die.
    let done_again: usize = place.effects().values().map(|(_, done)| *done as usize - 1).sum();
    assert!(done_again >= deaths, "{done_again} of {deaths}");
}
