//! Tests that stop runs. At many events, and at every checkpoint and pause, a run is started again with the answers up
//! to that point. Between its steps, it is saved and resumed. The path and the result must always be the same.

use std::collections::BTreeSet;

use nodewise_engine::ask::{Answer, Ask, Decision};
use nodewise_engine::event::{AskId, Event, EventKind};
use nodewise_engine::kernel::{Kernel, Step, System};
use nodewise_engine::outcome::Outcome;
use nodewise_engine::provider::{Provider, drive};
use nodewise_engine::replay::Recorded;
use nodewise_expr::value::Value;

/// The maximum number of places at which a run is stopped. In a longer run, only every second or third event is used.
const CUTS_MAX: usize = 200;
/// The event of cycgraph after it saved a snapshot.
const SNAPSHOT: &str = "state:persisted";

/// Continues to answer a run as if it had also answered the beginning.
struct Following<P>(P);

impl<P: Provider> Provider for Following<P> {
    fn answer(&mut self, id: AskId, ask: &Ask) -> Answer {
        self.0.answer(id, ask)
    }

    fn decide(&mut self, question: &Value) -> Option<Decision> {
        self.0.decide(question)
    }

    fn pass_over(&mut self, id: AskId, ask: &Ask) {
        let _passed = self.0.answer(id, ask);
    }

    fn pass_over_decision(&mut self, question: &Value) {
        let _passed = self.0.decide(question);
    }
}

/// Stops a new run after many of its events.
pub(super) fn check<S: System>(run: &Kernel<S>, provider: &(impl Provider + Clone)) {
    let mut whole = run.clone();
    let outcome = drive(&mut whole, &mut provider.clone());
    let log = whole.take_log();
    for cut in cuts(&log) {
        let mut again = run.clone();
        let mut answers = Recorded::new(&log[..cut], Following(provider.clone()));
        assert_eq!(drive(&mut again, &mut answers), outcome, "started again after {cut} events");
        assert!(again.log() == log, "started again after {cut} events, the run takes another path");
    }
    set_aside(run, provider, &outcome, &log);
}

/// Saves a run between its steps, and continues with a copy.
fn set_aside<S: System>(
    run: &Kernel<S>,
    provider: &(impl Provider + Clone),
    outcome: &Outcome,
    log: &[Event],
) {
    let (mut run, mut provider) = (run.clone(), provider.clone());
    let stride = log.len() / CUTS_MAX + 1;
    for step in 0.. {
        if step % stride == 0 {
            let mut copy = run.clone();
            assert_eq!(&drive(&mut copy, &mut provider.clone()), outcome, "saved before step {step}");
            assert!(copy.log() == log, "saved before step {step}, the run takes another path");
        }
        match run.step() {
            Step::Went => {}
            Step::Asked(id, ask) => run.answer(id, provider.answer(id, &ask)),
            Step::Paused(waiting) => match provider.decide(&waiting.output) {
                Some(decision) => run.resume(decision),
                None => return,
            },
            Step::Ended(_) | Step::Blocked => return,
        }
    }
}

/// The numbers of events after which a run is stopped: many of them, and every checkpoint, pause and decision.
fn cuts(log: &[Event]) -> BTreeSet<usize> {
    let mut cuts: BTreeSet<usize> = (0..=log.len()).step_by(log.len() / CUTS_MAX + 1).collect();
    cuts.extend(log.iter().enumerate().filter(|(_, event)| is_checkpoint(event)).map(|(place, _)| place + 1));
    cuts
}

fn is_checkpoint(event: &Event) -> bool {
    match &event.kind {
        EventKind::CheckpointSaved { .. } | EventKind::Paused { .. } | EventKind::Resumed { .. } => true,
        EventKind::Native { name, .. } => name == SNAPSHOT,
        _ => false,
    }
}
