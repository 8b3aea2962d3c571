//! Who answers what a run asks, and the loop between a run and its answers.

use nodewise_expr::value::Value;

use crate::ask::{Answer, Ask, Decision};
use crate::event::AskId;
use crate::kernel::Step;
use crate::outcome::Outcome;
use crate::running::Running;

/// Who answers what a run asks.
pub trait Provider {
    /// The answer to a question.
    fn answer(&mut self, id: AskId, ask: &Ask) -> Answer;

    /// What a person says to a run that waits; `None` leaves it waiting.
    fn decide(&mut self, question: &Value) -> Option<Decision>;

    /// Observes a question that a recording answers, so that later answers come as if this provider had answered.
    fn pass_over(&mut self, _id: AskId, _ask: &Ask) {}

    /// Observes a decision of a recording.
    fn pass_over_decision(&mut self, _question: &Value) {}
}

/// Runs until the end, or until nobody decides what a run waits for.
pub fn drive(run: &mut (impl Running + ?Sized), provider: &mut impl Provider) -> Outcome {
    loop {
        match run.step() {
            Step::Went => {}
            Step::Asked(id, ask) => {
                let answer = provider.answer(id, &ask);
                run.answer(id, answer);
            }
            Step::Paused(outcome) => match provider.decide(&outcome.output) {
                Some(decision) => run.resume(decision),
                None => return outcome,
            },
            Step::Ended(outcome) => return outcome,
            // Every question was answered at once, so that a run that cannot continue waits for nothing.
            Step::Blocked => return stalled(),
        }
    }
}

/// The outcome of a run that neither ends nor waits for anything.
pub(crate) fn stalled() -> Outcome {
    use crate::outcome::{Failure, Status};
    let failure = Failure::lasting("Stalled", "the run neither ends nor waits for anything");
    Outcome::failed(Status::Hung, failure)
}
