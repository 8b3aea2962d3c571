//! Runs whose questions of one moment are answered in another order than they are asked in.
//!
//! Where a system has several things at work at once, its runtime's event loop decides who goes on first. Input is a run
//! that has not begun and who answers it; output is whether some order makes it what is wanted. Invariant: time goes on
//! only when every question of a moment is answered, so that only the order within moments varies; and the work is
//! bounded by counts of orders and steps.

use std::sync::Arc;

use nodewise_engine::ask::{Answer, Ask};
use nodewise_engine::event::{AskId, Event};
use nodewise_engine::kernel::{Kernel, Step, System};
use nodewise_engine::outcome::{Outcome, Status};
use nodewise_engine::provider::Provider;
use nodewise_engine::random::Random;
use nodewise_expr::value::Value as Plain;
use serde_json::Value;

/// The orders that are tried before a run counts as another one.
const ORDERS: u64 = 800;
/// The steps of all orders together after which no further order is tried.
const STEPS: u64 = 400_000;

/// As often the one as the other.
const EVEN: f64 = 0.5;

/// A run at its end.
struct Driven {
    log: Vec<Event>,
    outcome: Outcome,
    steps: u64,
    /// Whether at some moment several things could have gone on, so that another order may be another run.
    has_choice: bool,
}

/// Whether a run is what is wanted when those who ask at one moment go on in some other order. A run in which there is
/// never more than one of them has no other order.
pub(crate) fn any<S: System, P: Provider + Clone>(
    run: &Kernel<S>,
    provider: &P,
    mut is_wanted: impl FnMut(&[Event], &Outcome) -> bool,
) -> bool {
    let mut steps = 0;
    for order in 0..ORDERS {
        let driven = drive(run.clone(), provider.clone(), order);
        if !driven.has_choice {
            return false;
        }
        if is_wanted(&driven.log, &driven.outcome) {
            return true;
        }
        steps += driven.steps;
        if steps > STEPS {
            return false;
        }
    }
    false
}

/// Runs to the end, in the order of this number.
fn drive<S: System>(mut run: Kernel<S>, mut provider: impl Provider, order: u64) -> Driven {
    // Apart from the run, so that copies of it are small.
    let mut log = Vec::new();
    let (mut steps, mut has_choice) = (0, false);
    let mut random = Random::new(order);
    // Some orders go on with what is at hand before others, some answer as soon as they are asked.
    let haste = random.fraction();
    // In every other order, answers also come in another order than they were thought of: an error is quicker.
    let is_shuffled = order % 2 == 1;
    let mut open: Vec<(AskId, Arc<Ask>)> = Vec::new();
    let mut ready: Vec<(AskId, Answer)> = Vec::new();
    loop {
        log.append(&mut run.take_log());
        steps += 1;
        let is_waiting = !open.is_empty() || !ready.is_empty();
        let is_due = is_waiting && random.fraction() < haste;
        has_choice |= open.len() + ready.len() > 1;
        let mut ahead = (!is_due || !has_choice).then(|| {
            let mut ahead = run.clone();
            let step = ahead.step();
            (ahead, step)
        });
        if is_waiting {
            let goes_on = |(ahead, step): &(Kernel<S>, Step)| {
                ahead.now() == run.now() && !matches!(step, Step::Blocked)
            };
            ahead = ahead.filter(goes_on);
            has_choice |= ahead.is_some();
            ahead = ahead.filter(|_| !is_due);
        }
        let mut end = |mut run: Kernel<S>, outcome| {
            log.append(&mut run.take_log());
            Driven { log: std::mem::take(&mut log), outcome, steps, has_choice }
        };
        match ahead {
            None => {
                let thinks = !open.is_empty() && (ready.is_empty() || random.fraction() < EVEN);
                if thinks {
                    let (id, ask) = open.remove(one_of(open.len(), &mut random));
                    ready.push((id, provider.answer(id, &ask)));
                }
                if !thinks || !is_shuffled {
                    let (id, answer) = ready.remove(one_of(ready.len(), &mut random));
                    run.answer(id, answer);
                }
            }
            Some((ahead, step)) => {
                run = ahead;
                match step {
                    Step::Went => {}
                    Step::Asked(id, ask) => open.push((id, ask)),
                    Step::Paused(outcome) => match provider.decide(&outcome.output) {
                        Some(decision) => run.resume(decision),
                        None => return end(run, outcome),
                    },
                    Step::Ended(outcome) => return end(run, outcome),
                    Step::Blocked => return end(run, Outcome::of(Status::Hung, Plain::Null)),
                }
            }
        }
    }
}

/// A position among so many.
fn one_of(count: usize, random: &mut Random) -> usize {
    (random.bits() % count.max(1) as u64) as usize
}

/// A report in which these lists, at whatever depth they stand, have an order that does not depend on who was first.
pub(crate) fn without_order(report: &Value, lists: &[&str]) -> Value {
    match report {
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                let mut value = without_order(value, lists);
                if let (true, Some(items)) = (lists.contains(&key.as_str()), value.as_array_mut()) {
                    items.sort_by_cached_key(Value::to_string);
                }
                (key.clone(), value)
            };
            Value::Object(members.iter().map(member).collect())
        }
        Value::Array(items) => items.iter().map(|item| without_order(item, lists)).collect(),
        value => value.clone(),
    }
}
