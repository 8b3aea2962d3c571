//! The live comparison: many generated questions, both answers, and what is made of the differences.
//!
//! Input is a subject, a running oracle, a number of cases and a seed; output is the counts and each kind of unexplained
//! difference with its smallest reproduction. Invariant: equal seeds ask equal questions in the same order.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::Value;

use super::process::Oracle;
use super::subject::{Disagreement, Explanation, Subject};

/// Questions that are on their way at a time.
const BATCH: u64 = 500;
/// Reproductions that are made and printed.
const REPRODUCTIONS: usize = 20;
/// Smaller questions that are tried for one reproduction.
const SHRINK_QUESTIONS: usize = 4_000;

#[derive(Default)]
pub(super) struct Outcome {
    cases: u64,
    agreed: u64,
    /// How many differences each entry of the ledger explained.
    explained: Vec<u64>,
    unexplained: u64,
    /// One example of each kind of unexplained difference, and how many there are.
    kinds: BTreeMap<String, (Example, u64)>,
    elapsed: Duration,
}

struct Example {
    question: Value,
    ours: Value,
    theirs: Value,
}

impl Outcome {
    pub(super) fn is_clean(&self) -> bool {
        self.unexplained == 0
    }
}

/// Asks both sides for the cases with the numbers 0 to `cases`.
pub(super) fn compare(subject: &Subject, oracle: &mut Oracle, cases: u64, seed: u64) -> Result<Outcome> {
    let started = Instant::now();
    let mut outcome = Outcome { explained: vec![0; subject.ledger.len()], ..Outcome::default() };
    let mut first = 0;
    while first < cases {
        let end = cases.min(first + BATCH);
        let questions: Vec<Value> = (first..end).map(|case| subject.question(seed, case)).collect();
        for example in examples(subject, oracle, questions)? {
            outcome.add(subject, example);
        }
        first = end;
    }
    let kinds = std::mem::take(&mut outcome.kinds);
    for (number, (kind, (example, count))) in kinds.into_iter().enumerate() {
        let example = if number < REPRODUCTIONS { shrink(subject, oracle, example)? } else { example };
        outcome.kinds.insert(kind, (example, count));
    }
    outcome.elapsed = started.elapsed();
    Ok(outcome)
}

pub(super) fn print(subject: &Subject, outcome: &Outcome) {
    println!(
        "{} {}: {} cases in {:.1} s, {} agree, {} differ for a reason, {} unexplained",
        subject.system,
        subject.name,
        outcome.cases,
        outcome.elapsed.as_secs_f64(),
        outcome.agreed,
        outcome.explained.iter().sum::<u64>(),
        outcome.unexplained
    );
    for (entry, count) in subject.ledger.iter().zip(&outcome.explained).filter(|(_, count)| **count > 0) {
        println!("  {count:>7}  {}: {}", entry.name, entry.reason);
    }
    for (kind, (example, count)) in outcome.kinds.iter().take(REPRODUCTIONS) {
        println!("  {count:>7}  unexplained: {kind}");
        println!("           question {}", example.question);
        println!("           ours     {}", example.ours);
        println!("           theirs   {}", example.theirs);
    }
}

impl Outcome {
    fn add(&mut self, subject: &Subject, example: Example) {
        self.cases += 1;
        if example.agrees() {
            self.agreed += 1;
            return;
        }
        match subject.explain(&example.disagreement()) {
            Explanation::Entry(entry) => self.explained[entry] += 1,
            explanation => {
                self.unexplained += 1;
                let mut kind = differing_parts("", &example.ours, &example.theirs).join(", ");
                if explanation == Explanation::Ambiguous {
                    kind.push_str(" (two entries of the ledger hold)");
                }
                let (smallest, count) = self.kinds.entry(kind).or_insert_with(|| (example.clone(), 0));
                *count += 1;
                if example.size() < smallest.size() {
                    *smallest = example;
                }
            }
        }
    }
}

impl Example {
    fn agrees(&self) -> bool {
        self.ours == self.theirs
    }

    fn disagreement(&self) -> Disagreement<'_> {
        Disagreement { question: &self.question, ours: &self.ours, theirs: &self.theirs }
    }

    fn size(&self) -> usize {
        self.question.to_string().len()
    }

    fn clone(&self) -> Example {
        Example {
            question: self.question.clone(),
            ours: self.ours.clone(),
            theirs: self.theirs.clone(),
        }
    }
}

/// Both answers to each question.
fn examples(subject: &Subject, oracle: &mut Oracle, questions: Vec<Value>) -> Result<Vec<Example>> {
    let (answers, ours) =
        oracle.ask(&questions, || questions.iter().map(subject.ours).collect::<Vec<Value>>())?;
    let examples = questions.into_iter().zip(ours).zip(answers);
    Ok(examples
        .map(|((question, ours), answer)| Example { question, ours, theirs: (subject.theirs)(&answer) })
        .collect())
}

/// The smallest question found on which the two sides still differ without explanation.
fn shrink(subject: &Subject, oracle: &mut Oracle, mut example: Example) -> Result<Example> {
    let mut asked = 0;
    loop {
        let size = example.size();
        let mut candidates = (subject.smaller)(&example.question);
        candidates.retain(|candidate| candidate.to_string().len() < size);
        candidates.truncate(SHRINK_QUESTIONS);
        asked += candidates.len();
        let found = examples(subject, oracle, candidates)?.into_iter().find(|candidate| {
            !candidate.agrees()
                && !matches!(subject.explain(&candidate.disagreement()), Explanation::Entry(_))
        });
        match found {
            Some(smaller) if asked < SHRINK_QUESTIONS => example = smaller,
            Some(smaller) => return Ok(smaller),
            None => return Ok(example),
        }
    }
}

/// The paths at which two answers differ, so that like differences are counted together.
fn differing_parts(path: &str, ours: &Value, theirs: &Value) -> Vec<String> {
    match (ours, theirs) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: std::collections::BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            keys.into_iter()
                .flat_map(|key| differing_parts(&format!("{path}.{key}"), &ours[key], &theirs[key]))
                .collect()
        }
        (Value::Array(one), Value::Array(other)) => {
            let missing = other.iter().filter(|item| !one.contains(item)).map(|item| format!("{path}: -{item}"));
            let added = one.iter().filter(|item| !other.contains(item)).map(|item| format!("{path}: +{item}"));
            missing.chain(added).collect()
        }
        _ if ours == theirs => Vec::new(),
        _ => vec![format!("{path}: {} for {}", kind_of(ours), kind_of(theirs))],
    }
}

fn kind_of(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(_) => "a number".to_owned(),
        Value::String(_) => "a text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
