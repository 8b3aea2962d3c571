//! A debugger changes nothing: the log, the states and the hits of a run are the same on every path through it.
//!
//! Each check is a function of a [`Walk`], so that the same check is also done with a debugger that has a fault: it must fail then.

use std::sync::Arc;

use nodewise_debugger::breakpoints::{BreakpointSpec, HitCondition, Trigger};
use nodewise_debugger::debugger::{Backward, DebugStop, Debugger, Forward, Progress, StopReason};
use nodewise_debugger::locations::Locations;
use nodewise_debugger::stops::{Cursor, StopKind, stop_at};
use nodewise_debugger::variables::{Contents, ScopeKind};
use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::fold::States;
use nodewise_simulation::run::Run;

use crate::generated::{self, Dice};
use crate::support::{Fault, Project};

/// So many random graphs of each system are run.
const GENERATED: u64 = 6;

/// What is walked through: a run of a project.
struct Subject<'p> {
    name: String,
    project: &'p Project,
    run: Run,
}

/// The runs of the examples of each system, and of random graphs.
fn each_run(mut check: impl FnMut(&Subject<'_>)) {
    let mut count = 0;
    for system in ["agentos", "cycgraph", "liman"] {
        let project = Project::example(system);
        for (path, position) in project.scenarios() {
            if path.ends_with(".eval.yaml") {
                continue;
            }
            if let Some(run) = project.run(&path, position) {
                check(&Subject { name: format!("{system}/{path}#{position}"), project: &project, run });
                count += 1;
            }
        }
    }
    assert!(count >= 8, "the examples have {count} scenarios");
    for number in 0..GENERATED {
        for (name, project) in generated::projects(number) {
            let run = project.run(generated::SCENARIO, 0).unwrap();
            check(&Subject { name, project: &project, run });
        }
    }
}

/// A debugger that is moved, perhaps with a fault.
struct Walk {
    debugger: Debugger,
    fault: Fault,
}

impl Walk {
    fn of(subject: &Subject<'_>, fault: Fault) -> Walk {
        let run = subject.run.clone();
        let locations = Arc::new(Locations::new(&subject.project.snapshot, &run.facts().charts));
        Walk { debugger: Debugger::new(run, locations, false, true), fault }
    }

    fn forward(&mut self, motion: Forward) -> Progress {
        self.faulty(|debugger| {
            debugger.go(motion);
            loop {
                match debugger.work(7) {
                    Progress::Running => {}
                    progress => return progress,
                }
            }
        })
    }

    fn back(&mut self, motion: Backward) -> DebugStop {
        if self.fault == Fault::BackIsForward {
            let motion = match motion {
                Backward::Step => Forward::Next,
                Backward::Into => Forward::Into,
                Backward::Continue => Forward::Continue,
                Backward::Event => Forward::Event,
            };
            if let Progress::Stopped(stop) = self.forward(motion) {
                return stop;
            }
            return self.debugger.jump(self.position(), StopReason::End);
        }
        self.faulty(|debugger| debugger.back(motion))
    }

    /// A move without breakpoints, if that is the fault.
    fn faulty<T>(&mut self, moves: impl FnOnce(&mut Debugger) -> T) -> T {
        if self.fault != Fault::BreakpointsIgnored {
            return moves(&mut self.debugger);
        }
        let own = std::mem::take(&mut self.debugger.breakpoints);
        let moved = moves(&mut self.debugger);
        self.debugger.breakpoints = own;
        moved
    }

    fn go_to_end(&mut self) {
        while self.forward(Forward::Continue) != Progress::Finished {}
    }

    fn position(&self) -> usize {
        self.debugger.cursor().position
    }

    /// Sets breakpoints on all that has a name.
    fn break_everywhere(&mut self) {
        let locations = Arc::clone(self.debugger.locations());
        let subjects = locations.names().filter_map(|name| locations.named(name.as_ref()).ok());
        let specs = subjects.map(|subject| spec(Trigger::At(subject), None)).collect();
        self.debugger.breakpoints.replace("functions", specs);
    }
}

fn spec(trigger: Trigger, hit: Option<HitCondition>) -> BreakpointSpec {
    BreakpointSpec { trigger, condition: None, hit, log: None }
}

fn log_of(run: &Run) -> Vec<Event> {
    let mut run = run.clone();
    run.drive(|_| true);
    run.log().to_vec()
}

/// What is wrong, if it does not hold.
fn holds(is_true: bool, wrong: impl FnOnce() -> String) -> Result<(), String> {
    if is_true { Ok(()) } else { Err(wrong()) }
}

type Check = fn(&Subject<'_>, Fault) -> Result<(), String>;

/// Does a check with each run.
#[track_caller]
fn check_holds(check: Check) {
    each_run(|subject| {
        if let Err(wrong) = check(subject, Fault::None) {
            panic!("{}: {wrong}", subject.name);
        }
    });
}

/// The negative control: the check fails with each run that can show the fault, which is most of them.
#[track_caller]
fn check_finds(check: Check, fault: Fault) {
    let (mut found, mut all) = (0, 0);
    each_run(|subject| {
        all += 1;
        found += usize::from(check(subject, fault).is_err());
    });
    assert!(found * 10 >= all * 9, "{fault:?} is found in {found} of {all} runs");
}

fn log_is_that_of_a_simulation(subject: &Subject<'_>, fault: Fault) -> Result<(), String> {
    let expected = log_of(&subject.run);
    for seed in 0..4 {
        let mut walk = Walk::of(subject, fault);
        if seed % 2 == 0 {
            walk.break_everywhere();
        }
        let mut dice = Dice(seed);
        for _ in 0..60 {
            match dice.roll(8) {
                0 => drop(walk.forward(Forward::Continue)),
                1 => drop(walk.forward(Forward::Next)),
                2 => drop(walk.forward(Forward::Into)),
                3 => drop(walk.forward(Forward::Out)),
                4 => drop(walk.forward(Forward::Event)),
                5 => drop(walk.back(Backward::Step)),
                6 => drop(walk.back(Backward::Into)),
                _ => drop(walk.back(Backward::Continue)),
            }
        }
        walk.go_to_end();
        holds(walk.debugger.timeline().log() == expected, || "another log".to_owned())?;
    }
    Ok(())
}

#[test]
fn the_log_is_that_of_a_simulation_on_any_walk() {
    check_holds(log_is_that_of_a_simulation);
}

#[test]
fn states_are_those_of_the_fold() {
    check_holds(|subject, fault| {
        let mut walk = Walk::of(subject, fault);
        walk.go_to_end();
        let timeline = walk.debugger.timeline();
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
            holds(standing.graphs.len() == open.len(), || format!("other graphs at {position}"))?;
            for graph in standing.graphs {
                let folded = states.of(graph.scope).unwrap();
                holds(folded.iter().eq(graph.state.iter()), || format!("another state at {position}"))?;
            }
        }
        Ok(())
    });
}

/// How many steps are undone by a step back, of all.
fn undone(subject: &Subject<'_>, fault: Fault) -> Result<(usize, usize), String> {
    let mut walk = Walk::of(subject, fault);
    let mut steps: Vec<Cursor> = Vec::new();
    while let Progress::Stopped(_) = walk.forward(Forward::Next) {
        steps.push(walk.debugger.cursor());
    }
    let mut same = 0;
    for pair in steps.windows(2) {
        walk.debugger.jump(pair[0].position, StopReason::Goto);
        walk.forward(Forward::Next);
        holds(walk.debugger.cursor() == pair[1], || format!("another step from {:?}", pair[0]))?;
        walk.back(Backward::Step);
        same += usize::from(walk.debugger.cursor() == pair[0]);
    }
    Ok((same, steps.len().saturating_sub(1)))
}

#[test]
fn a_step_back_undoes_a_step() {
    let (mut same, mut all) = (0, 0);
    check_steps(Fault::None, &mut same, &mut all);
    // Leaving a lane or an inner graph is the exception.
    assert!(all > 200 && same * 10 >= all * 9, "{same} of {all} steps are undone");
    let (mut same, mut all) = (0, 0);
    check_steps(Fault::BackIsForward, &mut same, &mut all);
    assert!(same * 10 < all, "{same} of {all} steps are undone by steps forward");
}

fn check_steps(fault: Fault, same: &mut usize, all: &mut usize) {
    each_run(|subject| {
        let (undone, steps) = undone(subject, fault).unwrap();
        *same += undone;
        *all += steps;
    });
}

fn hits_are_the_same_backwards(subject: &Subject<'_>, fault: Fault) -> Result<(), String> {
    let mut walk = Walk::of(subject, fault);
    walk.break_everywhere();
    let mut there = Vec::new();
    while let Progress::Stopped(stop) = walk.forward(Forward::Continue) {
        if walk.debugger.is_at_end() {
            break;
        }
        there.push((walk.debugger.cursor(), stop.hits));
    }
    let mut back = Vec::new();
    loop {
        let stop = walk.back(Backward::Continue);
        if stop.hits.is_empty() || back.len() > there.len() {
            break;
        }
        back.push((walk.debugger.cursor(), stop.hits));
    }
    back.reverse();
    // The run stops at its first event without a move, so a hit there is only found backwards.
    back.retain(|(cursor, _)| cursor.position > 0);
    holds(!there.is_empty(), || "no hits".to_owned())?;
    holds(there == back, || format!("{} hits forwards, {} backwards", there.len(), back.len()))
}

#[test]
fn back_finds_the_hits_of_forward_in_reverse() {
    check_holds(hits_are_the_same_backwards);
    check_finds(hits_are_the_same_backwards, Fault::BreakpointsIgnored);
    check_finds(hits_are_the_same_backwards, Fault::BackIsForward);
}

/// The first hit of a breakpoint is where the log has the first visit, on each way there.
fn counts_do_not_depend_on_the_walk(subject: &Subject<'_>, fault: Fault) -> Result<(), String> {
    let log = log_of(&subject.run);
    let visited = |event: &Event| match &event.kind {
        EventKind::VisitStarted { node, .. } => Some(node.clone()),
        _ => None,
    };
    let Some(node) = log.iter().rev().find_map(visited) else { return Err("no visits".to_owned()) };
    let mut walk = Walk::of(subject, fault);
    let named = walk.debugger.locations().named(&node)?;
    let first = |walk: &mut Walk| {
        let hit = Some(HitCondition::Exactly(1));
        walk.debugger.breakpoints.replace("functions", vec![spec(Trigger::At(named.clone()), hit)]);
        walk.forward(Forward::Continue);
        walk.position()
    };
    let direct = first(&mut walk);
    let is_visit = log.get(direct).and_then(visited) == Some(node.clone());
    holds(is_visit, || format!("the first stop is at {direct}, not at `{node}`"))?;
    // Past it, back, and there again.
    let mut again = Walk::of(subject, fault);
    while again.forward(Forward::Into) != Progress::Finished {}
    again.debugger.jump(0, StopReason::Goto);
    let second = first(&mut again);
    again.back(Backward::Step);
    let third = first(&mut again);
    holds((second, third) == (direct, direct), || format!("{direct}, then {second}, then {third}"))
}

#[test]
fn hit_counts_do_not_depend_on_the_walk() {
    check_holds(counts_do_not_depend_on_the_walk);
    check_finds(counts_do_not_depend_on_the_walk, Fault::BreakpointsIgnored);
    check_finds(counts_do_not_depend_on_the_walk, Fault::BackIsForward);
}

/// At most so many answers of a run are given again.
const ANSWERS: usize = 8;

/// The text that is shown for the answer at the cursor.
fn shown_answer(debugger: &Debugger) -> String {
    let frame = debugger.frames(debugger.lane()).remove(0);
    let variables = Contents::of(debugger.stacks(), &frame).variables(ScopeKind::Answer);
    variables.iter().find(|variable| variable.name == "answer").unwrap().shown()
}

#[test]
fn the_recorded_answer_leads_to_the_same_log() {
    check_holds(|subject, fault| {
        let expected = log_of(&subject.run);
        let answers = expected.iter().enumerate().filter_map(|(position, event)| match &event.kind {
            EventKind::Answered { answer, .. } => Some((position, answer)),
            _ => None,
        });
        for (position, answer) in answers.take(ANSWERS) {
            let mut walk = Walk::of(subject, fault);
            while walk.position() < position {
                walk.forward(Forward::Event);
            }
            let text = nodewise_simulation::render::json::answer(answer).to_string();
            // The text that an editor shows, which the user changes there, means the same as the notation of traces.
            for (branch, text) in [text, shown_answer(&walk.debugger)].into_iter().enumerate() {
                walk.debugger.answer(&text).map_err(|error| format!("{error:?}"))?;
                holds(walk.position() == position, || format!("a fork of {position} is shown elsewhere"))?;
                walk.go_to_end();
                let log = walk.debugger.timeline().log();
                holds(log == expected, || format!("another log after {position}: {text}"))?;
                holds(walk.debugger.branches().count() == branch + 2, || "no branch".to_owned())?;
                walk.debugger.switch(0);
            }
        }
        Ok(())
    });
}

/// Steps lead forwards, steps back lead backwards, and both stop only where the log has something to stop at.
fn steps_have_a_direction(subject: &Subject<'_>, fault: Fault) -> Result<(), String> {
    let mut walk = Walk::of(subject, fault);
    let mut last = walk.debugger.cursor();
    while let Progress::Stopped(_) = walk.forward(Forward::Into) {
        let now = walk.debugger.cursor();
        holds(now > last, || format!("a step forward led from {last:?} to {now:?}"))?;
        last = now;
    }
    let mut seen = 0;
    while walk.position() > 0 {
        let before = walk.debugger.cursor();
        walk.back(Backward::Into);
        let now = walk.debugger.cursor();
        holds(now < before, || format!("a step back led from {before:?} to {now:?}"))?;
        let kind = stop_at(walk.debugger.timeline().log(), now.position, true);
        let is_stop = now.position == 0 || kind.is_some_and(|kind| kind != StopKind::RunEnd);
        holds(is_stop, || format!("{now:?} is no stop"))?;
        seen += 1;
    }
    holds(seen > 5, || format!("only {seen} steps"))
}

#[test]
fn stops_are_where_the_log_says() {
    check_holds(steps_have_a_direction);
    check_finds(steps_have_a_direction, Fault::BackIsForward);
}
