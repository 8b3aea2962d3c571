//! An exploration reports the same with any number of threads, whatever the order in which they finish.

use std::fmt::Write;
use std::sync::Mutex;

use nodewise_engine::explore::state_space::state_space;
use nodewise_engine::explore::thread_pool::SharedWork;
use nodewise_engine::explore::{ExplorationBounds, Guide, OneThread, ThreadPool, explore};
use nodewise_engine::random::Random;
use nodewise_engine::running::Running;

use crate::explore_graphs::{of_agentos, of_cycgraph};
use crate::explore_proof::Draw;

/// So many threads, which take the last works first.
struct Backwards(usize);

impl ThreadPool for Backwards {
    fn threads(&self) -> usize {
        self.0
    }

    fn do_all(&self, works: Vec<SharedWork<'_>>) {
        let works = Mutex::new(works);
        let next = || works.lock().unwrap().pop();
        std::thread::scope(|scope| {
            for _ in 0..self.0 {
                scope.spawn(|| std::iter::from_fn(next).for_each(|work| work()));
            }
        });
    }
}

/// Everything that an exploration on these threads reports, and all states that it finds.
fn everything(
    (run, guide): (&dyn Running, &dyn Guide),
    bounds: &ExplorationBounds,
    pool: &dyn ThreadPool,
) -> (usize, String) {
    let report = explore(run, guide, bounds, pool, &mut || true);
    let space = state_space(run, guide, bounds, pool);
    (report.states, format!("{report:#?}\n{space:#?}"))
}

/// Holds that the number of threads changes nothing; yields the number of states.
pub(crate) fn check_threads(setting: (&dyn Running, &dyn Guide), bounds: &ExplorationBounds) -> usize {
    let (states, one) = everything(setting, bounds, &OneThread);
    for threads in [2, 5] {
        let (_, several) = everything(setting, bounds, &Backwards(threads));
        let differs = one.lines().zip(several.lines()).position(|(one, several)| one != several);
        let around = |text: &str| {
            let from = differs.unwrap_or_default().saturating_sub(10);
            text.lines().skip(from).take(20).fold(String::new(), |all, line| all + line + "\n")
        };
        assert!(one == several, "{threads} threads:\n{}\none:\n{}", around(&several), around(&one));
    }
    states
}

#[test]
fn the_number_of_threads_changes_nothing_in_generated_graphs() {
    let mut most = 0;
    for seed in 0..24 {
        let mut draw = Draw(Random::new(1_000 + seed));
        let text = if seed % 3 == 0 { draw.graph() } else { draw.row() };
        let (run, guide) = of_cycgraph(&text);
        // All states, few states, and states up to a proof.
        let (states, plain) = [(300, 300), (60, 300), (300, 5)][seed as usize % 3];
        let bounds = ExplorationBounds { states, plain, ..ExplorationBounds::default() };
        most = most.max(check_threads((&*run, &*guide), &bounds));
    }
    assert!(most > 200, "{most}");
}

/// Nodes of AgentOS in layers, each of which waits for some of the layer before.
fn layers(draw: &mut Draw) -> String {
    let mut nodes = String::new();
    let mut edges = String::new();
    let mut before = vec!["__START__".to_owned()];
    for layer in 0..2 + draw.below(2) {
        let mut here = Vec::new();
        for number in 0..1 + draw.below(2) {
            let id = format!("n{layer}{number}");
            let (kind, executor) = match draw.below(3) {
                0 => ("gmi", "instructions: x"),
                _ => ("extension", "extensionId: x, methodName: y"),
            };
            writeln!(
                nodes,
                "  - {{id: {id}, type: {kind}, executorConfig: {{type: {kind}, {executor}}}, executionMode: single_turn, effectClass: read, checkpoint: none}}"
            )
            .unwrap();
            for source in &before {
                let guard = match draw.below(3) {
                    0 if source != "__START__" => format!(
                        "conditional, condition: {{type: expression, expr: \"scratch.k{} == 'yes'\"}}",
                        draw.below(2)
                    ),
                    _ => "static".to_owned(),
                };
                let number = edges.lines().count();
                writeln!(edges, "  - {{id: e{number}, source: {source}, target: {id}, type: {guard}}}")
                    .unwrap();
            }
            here.push(id);
        }
        before = here;
    }
    for source in before {
        let number = edges.lines().count();
        writeln!(edges, "  - {{id: e{number}, source: {source}, target: __END__, type: static}}").unwrap();
    }
    format!(
        "id: g\nname: g\nnodes:\n{nodes}edges:\n{edges}stateSchema: {{input: {{}}, scratch: {{}}, artifacts: {{}}}}\nreducers: {{}}\ncheckpointPolicy: none\nmemoryConsistency: snapshot\n"
    )
}

#[test]
fn the_number_of_threads_changes_nothing_in_generated_graphs_of_agentos() {
    let mut most = 0;
    for seed in 0..24 {
        let text = layers(&mut Draw(Random::new(seed)));
        let (run, guide) = of_agentos(&text);
        let bounds = ExplorationBounds { states: 200, ..ExplorationBounds::default() };
        most = most.max(check_threads((&*run, &*guide), &bounds));
    }
    assert!(most > 30, "{most}");
}
