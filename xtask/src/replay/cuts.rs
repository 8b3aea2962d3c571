//! Runs that are stopped and begun anew, in tests: after each event of its log a run is begun again with the answers up
//! to there, and must come to the same end by the same way.

use nodewise_engine::ask::{Answer, Ask, Decision};
use nodewise_engine::event::AskId;
use nodewise_engine::kernel::{Kernel, System};
use nodewise_engine::provider::{Provider, drive};
use nodewise_engine::replay::Recorded;
use nodewise_expr::value::Value;

/// So many places of a run are tried; of a longer one every second event, or every third one.
const CUTS_MAX: usize = 200;

/// Who answers the rest of a run as if the beginning had been answered too.
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

/// Stops a run that has not begun at many events.
pub(super) fn check<S: System>(run: &Kernel<S>, provider: &(impl Provider + Clone)) {
    let mut whole = run.clone();
    let outcome = drive(&mut whole, &mut Following(provider.clone()));
    let log = whole.take_log();
    for cut in (0..=log.len()).step_by(log.len() / CUTS_MAX + 1) {
        let mut again = run.clone();
        let mut answers = Recorded::new(&log[..cut], Following(provider.clone()));
        assert_eq!(drive(&mut again, &mut answers), outcome, "begun anew after {cut} events");
        assert!(again.log() == log, "begun anew after {cut} events, the run goes another way");
    }
}
