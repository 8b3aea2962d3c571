//! Formats texts that nobody would write, and checks each result against the laws of `tests/suite/properties/laws.rs`.
//!
//! `cargo xtask fuzz format` runs it. Input: how many cases, or how many minutes, and a seed. Output: what was run, and
//! each finding, made as small as it goes, as a test case. Invariant: a case depends on the seed and its number alone.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use laws::{Breach, Outcome};
use nodewise_format::FormatOptions;
use nodewise_syntax::{TextRange, TextSize};

#[path = "../../tests/suite/properties/choices.rs"]
mod choices;
#[path = "../../tests/suite/properties/corpora.rs"]
mod corpora;
#[path = "../../../syntax/tests/suite/generate.rs"]
mod generate;
mod growing;
#[path = "../../tests/suite/properties/laws.rs"]
mod laws;
mod mutating;
mod shrinking;
#[path = "../../../syntax/tests/suite/support.rs"]
#[allow(dead_code, reason = "the tests of the syntax use all of it")]
mod support;

use support::Random;

const USAGE: &str = "Usage: fuzz [--cases N | --minutes N] [--seed S] [--only CASE]";
const CASES: u64 = 20_000;
/// A case that takes longer counts as a hang.
const PATIENCE: Duration = Duration::from_secs(60);
/// A case that takes longer needs more than linear time: a text of a few kilobytes normally takes a millisecond.
const SLOW: Duration = Duration::from_secs(2);
/// How many findings of one law are printed. The others are only counted.
const SHOWN: usize = 3;
const REPORT: Duration = Duration::from_secs(300);

/// The options of a run.
struct Plan {
    cases: u64,
    time: Option<Duration>,
    seed: u64,
    first: u64,
}

/// The result of a run.
#[derive(Default)]
struct Tally {
    cases: u64,
    formatted: u64,
    passed: u64,
    /// The number of violations of each law. A refused text counts too, because the formatter should get it right at
    /// once.
    breaches: BTreeMap<&'static str, u64>,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(plan) = read(&words) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    // Every panic is caught and reported as a finding, so the default output is not needed.
    std::panic::set_hook(Box::new(|_| {}));
    let pool = mutating::Pool::read();
    let at = Arc::new(AtomicU64::new(plan.first));
    watch(&at, plan.seed);
    let (started, mut reported, mut tally) = (Instant::now(), Instant::now(), Tally::default());
    let is_over = |tally: &Tally| match plan.time {
        Some(time) => started.elapsed() >= time,
        None => tally.cases >= plan.cases,
    };
    while !is_over(&tally) {
        let case = plan.first + tally.cases;
        at.store(case, Ordering::Relaxed);
        run(&pool, plan.seed, case, &mut tally);
        if reported.elapsed() >= REPORT {
            reported = Instant::now();
            eprintln!("{:.0} s: {}", started.elapsed().as_secs_f64(), tally.summary());
        }
    }
    println!("seed {}: {}", plan.seed, tally.summary());
    let is_clean = tally.breaches.keys().all(|law| *law == REFUSED);
    if is_clean { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// The name for a text that the formatter refused because its own check failed. The file does not change, so no law is
/// broken.
const REFUSED: &str = "no text is refused";
const PANIC: &str = "nothing panics";

fn read(words: &[String]) -> Option<Plan> {
    let mut plan = Plan { cases: CASES, time: None, seed: 1, first: 0 };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let number: u64 = words.next()?.parse().ok()?;
        match word.as_str() {
            "--cases" => plan.cases = number,
            "--minutes" => plan.time = Some(Duration::from_secs(number * 60)),
            "--seed" => plan.seed = number,
            "--only" => (plan.first, plan.cases) = (number, 1),
            _ => return None,
        }
    }
    Some(plan)
}

/// Ends the process if a case hangs.
fn watch(at: &Arc<AtomicU64>, seed: u64) {
    let at = Arc::clone(at);
    std::thread::spawn(move || {
        let mut last = (u64::MAX, Instant::now());
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let case = at.load(Ordering::Relaxed);
            if case != last.0 {
                last = (case, Instant::now());
            } else if last.1.elapsed() > PATIENCE {
                println!("case {case} of seed {seed} does not end: `--seed {seed} --only {case}`");
                std::process::exit(1);
            }
        }
    });
}

fn run(pool: &mutating::Pool, seed: u64, case: u64, tally: &mut Tally) {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9) ^ case.wrapping_mul(0xd134_2543_de82_ef95));
    let text = pool.text(&mut random);
    let choice = random.below(choices::choices().len());
    let options = &choices::choices()[choice];
    let wanted = range(&text, &mut random);
    let started = Instant::now();
    let found = judge(&text, options, wanted);
    tally.cases += 1;
    let law = match found {
        Judged::Formatted => {
            tally.formatted += 1;
            None
        }
        Judged::Passed => {
            tally.passed += 1;
            None
        }
        Judged::Breach(breach) => Some(breach.law),
    };
    // Measure again: on a busy machine one measurement may be slow, but a text that needs more than linear time is
    // slow every time.
    let is_slow = started.elapsed() > SLOW && {
        let again = Instant::now();
        judge(&text, options, wanted);
        again.elapsed() > SLOW
    };
    let law = law.or(is_slow.then_some("the time is linear"));
    if let Some(law) = law {
        let count = tally.breaches.entry(law).or_default();
        *count += 1;
        if *count <= SHOWN as u64 {
            show(seed, case, law, &text, choice, wanted);
        }
    }
}

enum Judged {
    Formatted,
    Passed,
    Breach(Breach),
}

/// Checks a text against every law.
fn judge(text: &str, options: &FormatOptions, wanted: TextRange) -> Judged {
    let judged = catch_unwind(AssertUnwindSafe(|| {
        let outcome = match laws::check("case.yaml", text, options) {
            Ok(outcome) => outcome,
            Err(breach) => return Judged::Breach(breach),
        };
        match outcome {
            Outcome::Formatted(formatted) => match laws::check_range(text, &formatted, wanted) {
                Ok(()) => Judged::Formatted,
                Err(breach) => Judged::Breach(breach),
            },
            Outcome::Refused(failure) => {
                Judged::Breach(Breach { law: REFUSED, detail: format!("{failure}\n{text:?}") })
            }
            Outcome::Passed => Judged::Passed,
        }
    }));
    let panicked = |payload: Box<dyn std::any::Any + Send>| {
        let reason = payload.downcast_ref::<String>().cloned();
        let reason = reason.or_else(|| payload.downcast_ref::<&str>().map(|reason| (*reason).to_owned()));
        Judged::Breach(Breach { law: PANIC, detail: reason.unwrap_or_default() })
    };
    judged.unwrap_or_else(panicked)
}

/// A range of bytes. It may begin and end inside a character or after the text.
fn range(text: &str, random: &mut Random) -> TextRange {
    let mut ends = [random.below(text.len() + 2), random.below(text.len() + 2)];
    ends.sort_unstable();
    let size = |at| TextSize::try_from(at).unwrap();
    TextRange::new(size(ends[0]), size(ends[1]))
}

/// Prints a finding, with its text made as small as possible.
fn show(seed: u64, case: u64, law: &'static str, text: &str, choice: usize, wanted: TextRange) {
    let options = &choices::choices()[choice];
    let breaks = |text: &str| match judge(text, options, wanted) {
        Judged::Breach(breach) => breach.law == law,
        _ => false,
    };
    let smallest = shrinking::smallest(text, &breaks);
    let detail = match judge(&smallest, options, wanted) {
        Judged::Breach(breach) => breach.detail,
        _ => String::new(),
    };
    println!(
        "== {law}: `--seed {seed} --only {case}`, options {choice}, range {wanted:?}\n{smallest:?}\n{detail}\n"
    );
}

impl Tally {
    fn summary(&self) -> String {
        let breaches: Vec<String> =
            self.breaches.iter().map(|(law, count)| format!("{count} × not: {law}")).collect();
        let breaches = if breaches.is_empty() { "nothing found".to_owned() } else { breaches.join(", ") };
        format!("{} cases, {} formatted, {} not YAML; {breaches}", self.cases, self.formatted, self.passed)
    }
}
