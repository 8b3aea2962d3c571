//! Runs whose questions of one moment are answered in another order than they are asked in.
//!
//! Where a system has several things at work at once, its runtime's event loop decides who goes on first. Input is a run
//! that has not begun, who answers it, and the number of an order; output is the run at its end, with its outcome.
//! Invariant: time goes on only when every question of a moment is answered, so that only the order within moments varies.

use std::sync::Arc;

use nodewise_engine::ask::{Answer, Ask};
use nodewise_engine::event::AskId;
use nodewise_engine::kernel::{Kernel, Step, System};
use nodewise_engine::outcome::{Outcome, Status};
use nodewise_engine::provider::Provider;
use nodewise_engine::random::Random;
use nodewise_expr::value::Value as Plain;
use serde_json::Value;

/// The orders that are tried before a run counts as another one.
pub(crate) const ORDERS: u64 = 800;

/// As often the one as the other.
const EVEN: f64 = 0.5;

/// Runs to the end, in the order of this number.
pub(crate) fn drive<S: System>(
    mut run: Kernel<S>,
    provider: &mut impl Provider,
    order: u64,
) -> (Kernel<S>, Outcome) {
    let mut random = Random::new(order);
    // Some orders go on with what is at hand before others, some answer as soon as they are asked.
    let haste = random.fraction();
    // In every other order, answers also come in another order than they were thought of: an error is quicker.
    let is_shuffled = order % 2 == 1;
    let mut open: Vec<(AskId, Arc<Ask>)> = Vec::new();
    let mut ready: Vec<(AskId, Answer)> = Vec::new();
    loop {
        let is_waiting = !open.is_empty() || !ready.is_empty();
        let is_due = is_waiting && random.fraction() < haste;
        let ahead = (!is_due).then(|| {
            let mut ahead = run.clone();
            let step = ahead.step();
            (ahead, step)
        });
        let stays = |ahead: &Kernel<S>| !is_waiting || ahead.now() == run.now();
        match ahead.filter(|(ahead, step)| stays(ahead) && !matches!(step, Step::Blocked if is_waiting)) {
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
                        None => return (run, outcome),
                    },
                    Step::Ended(outcome) => return (run, outcome),
                    Step::Blocked => return (run, Outcome::of(Status::Hung, Plain::Null)),
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
