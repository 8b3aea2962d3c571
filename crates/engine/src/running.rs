//! A run of any system behind one interface, for code that drives, records and shows runs without knowing systems.
//!
//! Input and output are those of [`Kernel`], which is what the interface hides. Invariant: a copy continues as the
//! original would.

use nodewise_expr::value::Map;

use crate::ask::{Answer, Decision};
use crate::event::{AskId, Event, VisitId};
use crate::kernel::{Kernel, Step, System};
use crate::time::Millis;
use crate::usage::Usage;

/// A run of any system.
pub trait Running: Send {
    /// Continues by one step.
    fn step(&mut self) -> Step;

    /// When the next step is due; `None` if the run waits only for answers.
    fn due(&mut self) -> Option<Millis>;

    /// Whether a task still waits for the answer to a question.
    fn awaits(&self, ask: AskId) -> bool;

    /// Whether the next step returns a question that is already in the log.
    fn is_asking(&self) -> bool;

    /// Gives the answer to a question.
    fn answer(&mut self, ask: AskId, answer: Answer);

    /// Continues after a pause.
    fn resume(&mut self, decision: Decision);

    /// Changes keys of the state when a visit begins. The visit must not have begun yet.
    fn change_state(&mut self, visit: VisitId, changes: Map);

    /// Ends the run from outside.
    fn cancel(&mut self);

    /// The events so far, without those that were taken.
    fn log(&self) -> &[Event];

    /// Removes the events so far from the run and returns them.
    fn take_log(&mut self) -> Vec<Event>;

    /// The virtual time.
    fn now(&self) -> Millis;

    /// What all answers used so far.
    fn spent(&self) -> Usage;

    /// Gives the run another seed, from here on.
    fn reseed(&mut self, seed: u64);

    /// A copy that continues as the original would.
    fn copied(&self) -> Box<dyn Running>;
}

impl<S: System> Running for Kernel<S> {
    fn step(&mut self) -> Step {
        Kernel::step(self)
    }

    fn due(&mut self) -> Option<Millis> {
        Kernel::due(self)
    }

    fn awaits(&self, ask: AskId) -> bool {
        Kernel::awaits(self, ask)
    }

    fn is_asking(&self) -> bool {
        Kernel::is_asking(self)
    }

    fn answer(&mut self, ask: AskId, answer: Answer) {
        Kernel::answer(self, ask, answer);
    }

    fn resume(&mut self, decision: Decision) {
        Kernel::resume(self, decision);
    }

    fn change_state(&mut self, visit: VisitId, changes: Map) {
        Kernel::change_state(self, visit, changes);
    }

    fn cancel(&mut self) {
        Kernel::cancel(self);
    }

    fn log(&self) -> &[Event] {
        Kernel::log(self)
    }

    fn take_log(&mut self) -> Vec<Event> {
        Kernel::take_log(self)
    }

    fn now(&self) -> Millis {
        Kernel::now(self)
    }

    fn spent(&self) -> Usage {
        Kernel::spent(self)
    }

    fn reseed(&mut self, seed: u64) {
        Kernel::reseed(self, seed);
    }

    fn copied(&self) -> Box<dyn Running> {
        Box::new(self.clone())
    }
}
