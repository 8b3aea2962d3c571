//! Workers and nodes of the engine that are killed while runs are under way.

use std::time::Duration;

use crate::balancer;
use crate::engine::{Engine, free_port, installed};
use crate::place::{Place, Worker, WorkerStart};

/// How many runs each test has, unless `NODEWISE_DURABLE_RUNS` says it; each has five calls.
const RUNS: usize = 20;
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
        let installed = installed()?;
        let engine = Engine::start(&installed, nodes, &[]);
        let place = Place::new();
        place.name(&engine, "");
        let ports = [free_port(), free_port()];
        let reached_as = format!("http://127.0.0.1:{}", balancer::before(ports.to_vec()));
        let first = place.worker(&WorkerStart { port: ports[0], register: None, plans: &PLANS });
        let register = Some((engine.admin(), reached_as));
        let second = place.worker(&WorkerStart { port: ports[1], register, plans: &PLANS });
        let count = std::env::var("NODEWISE_DURABLE_RUNS").ok().and_then(|count| count.parse().ok());
        let runs = (0..count.unwrap_or(RUNS)).map(|_| place.start("flow")).collect();
        Some(Scene { engine, place, workers: [first, second], ports, runs })
    }

    fn kill_worker(&mut self, number: usize) {
        self.workers[number].kill();
    }

    fn restart_worker(&mut self, number: usize) {
        let start = WorkerStart { port: self.ports[number], register: None, plans: &PLANS };
        self.workers[number] = self.place.worker(&start);
    }

    /// Waits until all runs wait for a person, and decides.
    #[track_caller]
    fn decide(&self) {
        self.place.wait(&self.runs, "waiting", LIMIT * 2);
        for run in &self.runs {
            self.place.told(&["resume", run, "--on", "test", "--approve", "--detach"]);
        }
    }

    /// All runs have ended in time; nothing is lost, nothing is repeated without notice, and records are their replays.
    #[track_caller]
    fn check(&self) {
        let took = self.place.wait(&self.runs, "completed", LIMIT);
        let effects = self.place.effects();
        let told: String = self.workers.iter().map(Worker::log).collect();
        let mut repeated = 0;
        for run in &self.runs {
            let mine: Vec<_> = effects.iter().filter(|(key, _)| key.starts_with(run.as_str())).collect();
            assert_eq!(mine.len(), CALLS, "{run}: {mine:?}");
            for (key, (begun, done)) in mine {
                assert!(*done >= 1, "{key} is lost");
                if *begun > 1 {
                    repeated += 1;
                    assert!(
                        told.contains(&format!("{key} is made again")),
                        "{key} was repeated without notice"
                    );
                }
            }
            self.place.told(&["runs", "replay", run, "--on", "test"]);
        }
        eprintln!(
            "{} runs ended {took:?} after the last kill or decision; {repeated} calls were repeated, each with notice",
            self.runs.len()
        );
    }
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
    std::thread::sleep(Duration::from_secs(5));
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

#[test]
fn a_worker_dies_between_the_effect_and_its_record() {
    let Some(installed) = installed() else { return };
    let engine = Engine::start(&installed, 1, &[]);
    let place = Place::new();
    place.name(&engine, "");
    let port = free_port();
    let register = Some((engine.admin(), format!("http://127.0.0.1:{port}")));
    let mut worker = place.worker(&WorkerStart { port, register, plans: &["fatal"] });
    let run = place.start("fatal");
    while !worker.has_ended() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let worker = place.worker(&WorkerStart { port, register: None, plans: &["fatal"] });
    place.wait(std::slice::from_ref(&run), "completed", LIMIT);
    assert_eq!(place.effects().values().copied().collect::<Vec<_>>(), [(2, 2)]);
    assert!(worker.log().contains(&format!("{run}/0 is made again")), "{}", worker.log());
    assert_eq!(worker.figure("nodewise_calls_repeated_total"), 1);
    place.told(&["runs", "replay", &run, "--on", "test"]);
}
