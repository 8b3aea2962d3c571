//! Repeats a run with other orders of answers at the same time.
//!
//! If a system has several active agents, its runtime's event loop decides which one continues first. Input is a new
//! run and its provider. Output is whether some order gives the wanted run. Invariant: time continues only after every
//! question at the same time is answered, so only the order at one time varies. The numbers of orders and steps are
//! limited.

use std::sync::Arc;

use nodewise_engine::ask::{Answer, Ask};
use nodewise_engine::event::{AskId, Event};
use nodewise_engine::kernel::{Kernel, Step, System};
use nodewise_engine::outcome::{Outcome, Status};
use nodewise_engine::provider::Provider;
use nodewise_engine::random::Random;
use nodewise_expr::value::Value as Plain;
use serde_json::Value;

/// The maximum number of orders.
const ORDERS: u64 = 8_000;
/// The maximum number of steps in all orders together.
const STEPS: u64 = 4_000_000;

/// A probability of one half.
const EVEN: f64 = 0.5;

/// A finished run.
struct Driven {
    log: Vec<Event>,
    outcome: Outcome,
    steps: u64,
    /// Whether several agents could continue at the same time, so that another order may give another run.
    has_choice: bool,
}

/// Whether some other order at the same times gives the wanted run. If there is never more than one active agent, there
/// is no other order.
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

/// Runs to the end, in the order with this number.
fn drive<S: System>(mut run: Kernel<S>, mut provider: impl Provider, order: u64) -> Driven {
    // Separate from the run, so that copies of the run are small.
    let mut log = Vec::new();
    let (mut steps, mut has_choice) = (0, false);
    let mut random = Random::new(order);
    // Some orders process pending work before others, some answer immediately.
    let haste = random.fraction();
    // In every second order, answers also arrive in another order than they were computed, because errors are faster.
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

/// An index below `count`.
fn one_of(count: usize, random: &mut Random) -> usize {
    (random.bits() % count.max(1) as u64) as usize
}

/// A report in which these lists, at any depth, are sorted.
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
