//! Providers, which answer the questions of a run, and the loop between a run and its provider.

use nodewise_expr::value::Value;

use crate::ask::{Answer, Ask, Decision};
use crate::event::AskId;
use crate::kernel::Step;
use crate::outcome::Outcome;
use crate::running::Running;

/// Answers the questions of a run.
pub trait Provider {
    /// The answer to a question.
    fn answer(&mut self, id: AskId, ask: &Ask) -> Answer;

    /// The decision of a person while the run waits; `None` leaves the run waiting.
    fn decide(&mut self, question: &Value) -> Option<Decision>;

    /// Called for a question that a recording answers, so that later answers are as if this provider had answered it.
    fn pass_over(&mut self, _id: AskId, _ask: &Ask) {}

    /// The same for a decision of a recording.
    fn pass_over_decision(&mut self, _question: &Value) {}
}

/// Steps a run until it ends, or until nobody decides what it waits for.
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
            // Every question was answered at once, so a run that cannot continue waits for nothing and would never end.
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
