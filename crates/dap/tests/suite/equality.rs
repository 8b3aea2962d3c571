//! A debugger changes nothing: the log, the states and the hits of a run are the same on every path through it.

use std::sync::Arc;

use nodewise_debugger::breakpoints::{BreakpointSpec, HitCondition, Trigger};
use nodewise_debugger::debugger::{Backward, Debugger, Forward, Progress};
use nodewise_debugger::locations::Locations;
use nodewise_debugger::stops::StopKind;
use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::fold::States;
use nodewise_simulation::run::Run;

use crate::support::Project;

/// The runs of the examples of each system.
fn each_run(mut check: impl FnMut(&str, &Project, Run)) {
    let mut count = 0;
    for system in ["agentos", "cycgraph", "liman"] {
        let project = Project::example(system);
        for (path, position) in project.scenarios() {
            if path.ends_with(".eval.yaml") {
                continue;
            }
            if let Some(run) = project.run(&path, position) {
                check(&format!("{system}/{path}#{position}"), &project, run);
                count += 1;
            }
        }
    }
    assert!(count >= 8, "the examples have {count} scenarios");
}

fn debugger(project: &Project, run: Run) -> Debugger {
    let locations = Arc::new(Locations::new(&project.snapshot, &run.facts().charts));
    Debugger::new(run, locations, false, true)
}

fn forward(debugger: &mut Debugger, motion: Forward) -> Progress {
    debugger.go(motion);
    loop {
        match debugger.work(7) {
            Progress::Running => {}
            progress => return progress,
        }
    }
}

fn log_of(run: &Run) -> Vec<Event> {
    let mut run = run.clone();
    run.drive(|_| true);
    run.log().to_vec()
}

fn everywhere(debugger: &mut Debugger) {
    let names: Vec<String> = debugger.locations().names().map(ToString::to_string).collect();
    let specs = names.iter().filter_map(|name| debugger.locations().named(name).ok()).map(|subject| {
        BreakpointSpec { trigger: Trigger::At(subject), condition: None, hit: None, log: None }
    });
    let specs = specs.collect();
    debugger.breakpoints.replace("functions", specs);
}

/// Numbers that look random, and are always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

#[test]
fn the_log_is_that_of_a_simulation_on_any_walk() {
    each_run(|name, project, run| {
        let expected = log_of(&run);
        for seed in 0..4 {
            let mut debugger = debugger(project, run.clone());
            if seed % 2 == 0 {
                everywhere(&mut debugger);
            }
            let mut dice = Dice(seed);
            for _ in 0..60 {
                match dice.roll(8) {
                    0 => drop(forward(&mut debugger, Forward::Continue)),
                    1 => drop(forward(&mut debugger, Forward::Next)),
                    2 => drop(forward(&mut debugger, Forward::Into)),
                    3 => drop(forward(&mut debugger, Forward::Out)),
                    4 => drop(forward(&mut debugger, Forward::Event)),
                    5 => drop(debugger.back(Backward::Step)),
                    6 => drop(debugger.back(Backward::Into)),
                    _ => drop(debugger.back(Backward::Continue)),
                }
            }
            while forward(&mut debugger, Forward::Continue) != Progress::Finished {}
            assert!(debugger.timeline().log() == expected, "{name}: another log");
        }
    });
}

#[test]
fn states_are_those_of_the_fold() {
    each_run(|name, project, run| {
        let mut debugger = debugger(project, run);
        while forward(&mut debugger, Forward::Continue) != Progress::Finished {}
        let timeline = debugger.timeline();
        let log = timeline.log();
        let mut states = States::default();
        let mut open = std::collections::BTreeSet::new();
        for (position, event) in log.iter().enumerate() {
            states.apply(event);
            match &event.kind {
                EventKind::GraphStarted { scope, .. } => drop(open.insert(*scope)),
                EventKind::GraphEnded { scope, .. } if scope.0 > 0 => drop(open.remove(scope)),
                _ => {}
            }
            let standing = timeline.state_at(position).unwrap();
            assert_eq!(standing.graphs.len(), open.len(), "{name} at {position}");
            for graph in standing.graphs {
                let folded = states.of(graph.scope).unwrap();
                assert!(folded.iter().eq(graph.state.iter()), "{name} at {position}");
            }
        }
    });
}

#[test]
fn a_step_back_undoes_a_step() {
    let (mut same, mut all) = (0, 0);
    each_run(|_, project, run| {
        let mut debugger = debugger(project, run);
        let mut steps = Vec::new();
        while let Progress::Stopped(_) = forward(&mut debugger, Forward::Next) {
            steps.push(debugger.cursor());
        }
        for pair in steps.windows(2) {
            debugger.jump(pair[0].position, nodewise_debugger::debugger::StopReason::Goto);
            forward(&mut debugger, Forward::Next);
            assert_eq!(debugger.cursor(), pair[1]);
            debugger.back(Backward::Step);
            all += 1;
            same += usize::from(debugger.cursor() == pair[0]);
        }
    });
    // Leaving a lane or an inner graph is the exception.
    assert!(all > 60 && same * 10 >= all * 9, "{same} of {all} steps are undone");
}

#[test]
fn back_finds_the_hits_of_forward_in_reverse() {
    each_run(|name, project, run| {
        let mut debugger = debugger(project, run);
        everywhere(&mut debugger);
        let mut there = Vec::new();
        loop {
            match forward(&mut debugger, Forward::Continue) {
                Progress::Stopped(stop) if !debugger.is_at_end() => {
                    there.push((debugger.cursor(), stop.hits))
                }
                _ => break,
            }
        }
        let mut back = Vec::new();
        loop {
            let stop = debugger.back(Backward::Continue);
            if stop.hits.is_empty() {
                break;
            }
            back.push((debugger.cursor(), stop.hits));
        }
        back.reverse();
        // The run stops at its first event without a move, so a hit there is only found backwards.
        back.retain(|(cursor, _)| cursor.position > 0);
        assert!(there.len() > 1, "{name} has {} hits", there.len());
        assert_eq!(there, back, "{name}");
    });
}

#[test]
fn hit_counts_do_not_depend_on_the_walk() {
    each_run(|name, project, run| {
        let names = |debugger: &Debugger| {
            let log = debugger.timeline().log();
            log.iter().filter(|event| matches!(event.kind, EventKind::VisitStarted { .. })).count()
        };
        let mut first = debugger(project, run.clone());
        while forward(&mut first, Forward::Continue) != Progress::Finished {}
        let visits = names(&first);
        let node = first.timeline().log().iter().rev().find_map(|event| match &event.kind {
            EventKind::VisitStarted { node, .. } => Some(node.clone()),
            _ => None,
        });
        let Some(subject) = node.and_then(|node| first.locations().named(&node).ok()) else { return };
        let spec =
            |hit| BreakpointSpec { trigger: Trigger::At(subject.clone()), condition: None, hit, log: None };
        let stop = |debugger: &mut Debugger| {
            debugger.breakpoints.replace("functions", vec![spec(Some(HitCondition::Exactly(1)))]);
            forward(debugger, Forward::Continue);
            debugger.cursor()
        };
        let mut direct = debugger(project, run.clone());
        let straight = stop(&mut direct);
        // Past it, back, and there again.
        let mut again = debugger(project, run.clone());
        while forward(&mut again, Forward::Into) != Progress::Finished {}
        again.jump(0, nodewise_debugger::debugger::StopReason::Goto);
        assert_eq!(stop(&mut again), straight, "{name}, {visits} visits");
        again.back(Backward::Step);
        assert_eq!(stop(&mut again), straight, "{name}, {visits} visits");
    });
}

#[test]
fn the_recorded_answer_leads_to_the_same_log() {
    each_run(|name, project, run| {
        let expected = log_of(&run);
        let mut debugger = debugger(project, run);
        let answered = expected.iter().position(|event| matches!(event.kind, EventKind::Answered { .. }));
        let Some(position) = answered else { return };
        while debugger.cursor().position < position {
            forward(&mut debugger, Forward::Event);
        }
        let EventKind::Answered { answer, .. } = &expected[position].kind else { panic!("an answer") };
        let text = nodewise_simulation::render::json::answer(answer).to_string();
        debugger.answer(&text).unwrap();
        while forward(&mut debugger, Forward::Continue) != Progress::Finished {}
        assert_eq!(debugger.timeline().log().len(), expected.len(), "{name}");
        assert_eq!(debugger.branches().count(), 2);
    });
}

/// The negative control: a walk that ignores breakpoints or direction fails the checks above.
#[test]
fn stops_are_where_the_log_says() {
    each_run(|name, project, run| {
        let mut debugger = debugger(project, run);
        let mut last = debugger.cursor();
        while let Progress::Stopped(_) = forward(&mut debugger, Forward::Into) {
            let now = debugger.cursor();
            assert!(now > last, "{name}: a step forward went back");
            last = now;
        }
        let mut seen = 0;
        loop {
            let before = debugger.cursor();
            debugger.back(Backward::Into);
            assert!(debugger.cursor() < before || before.position == 0, "{name}: a step back went forward");
            let kind = nodewise_debugger::stops::stop_at(
                debugger.timeline().log(),
                debugger.cursor().position,
                true,
            );
            assert!(kind.is_some_and(|kind| kind != StopKind::RunEnd) || debugger.cursor().position == 0);
            seen += 1;
            if debugger.cursor().position == 0 {
                break;
            }
        }
        assert!(seen > 5, "{name}");
    });
}
