//! Prints how long LimanCE takes to parse a thousand typical conditions.
//!
//! Run with `cargo run --release -p nodewise-expr --example limance_speed`.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use nodewise_expr::limance::{self, LimanceProfile};

const ROUNDS: usize = 50;
const CONDITIONS: usize = 1_000;

/// Conditions as declarations have them, distinguished by their numbers.
fn conditions() -> Vec<String> {
    let shapes = [
        "status@ == 'complete' and retry_count < 3",
        "failed@ and (retry_count < 3 or priority == 'high')",
        "user@.role == \"admin\" && user.age >= 18 && !user.blocked",
        "$is_error(TimeoutError) or attempts@ > 5",
        "not done@ and score > 0.75 and 'urgent' in tags",
        "(value@ == true && another_value != 1) || $is_error(UnauthorizedError)",
        "order@.total > 100 and order.currency in currencies and not order.paid",
        "is_ready@",
    ];
    (0..CONDITIONS).map(|index| shapes[index % shapes.len()].replace('@', &index.to_string())).collect()
}

/// The best of many rounds, in nanoseconds for one condition.
fn best(conditions: &[String], run: impl Fn(&str)) -> u128 {
    let round = || {
        let start = Instant::now();
        conditions.iter().for_each(|condition| run(condition));
        start.elapsed().as_nanos() / conditions.len() as u128
    };
    (0..ROUNDS).map(|_| round()).min().unwrap_or_default()
}

fn main() {
    let conditions = conditions();
    let bytes: usize = conditions.iter().map(String::len).sum();
    let broken: Vec<String> = conditions.iter().map(|condition| format!("{condition} = 1")).collect();
    println!("{} conditions of {} bytes on average", conditions.len(), bytes / conditions.len());
    let report = |name: &str, nanoseconds: u128| println!("{name:<28}{nanoseconds:>8} ns each");
    report("tokens", best(&conditions, |text| _ = black_box(limance::LANGUAGE.tokens(text))));
    report(
        "parse, specification",
        best(&conditions, |text| _ = black_box(limance::parse(text, LimanceProfile::Spec))),
    );
    report(
        "parse, release",
        best(&conditions, |text| _ = black_box(limance::parse(text, LimanceProfile::Release))),
    );
    report(
        "parse of broken text",
        best(&broken, |text| _ = black_box(limance::parse(text, LimanceProfile::Spec))),
    );
}
