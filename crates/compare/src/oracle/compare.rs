//! The live comparison: generates many questions, gets both answers, and groups the differences.
//!
//! Input is a subject, a running oracle, a number of cases and a seed. Output is the counts, and each kind of
//! unexplained difference with its smallest reproduction. Invariant: equal seeds give equal questions in the same
//! order.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::Value;

use super::process::Oracle;
use super::subject::{Disagreement, Explanation, Known, Subject, WHY, agree};
use super::verdict;

/// The number of questions in a batch.
const BATCH: u64 = 500;
/// The maximum number of reproductions.
const REPRODUCTIONS: usize = 20;
/// The maximum number of smaller questions for one reproduction.
const SHRINK_QUESTIONS: usize = 20_000;
/// The subject whose questions are whole runs, so fewer are asked.
pub(super) const RUNS: &str = "runs";
const SHRINK_RUNS: usize = 50;
/// The batch size for smaller questions. It is small, because the first one that still differs is used.
const SHRINK_BATCH: usize = 50;
/// Marks a kind of difference that several entries explain.
const AMBIGUOUS: &str = " (two entries of the ledger hold)";

#[derive(Default)]
pub(super) struct Outcome {
    cases: u64,
    agreed: u64,
    /// The number of differences that each entry of the ledger explained.
    explained: Vec<u64>,
    unexplained: u64,
    /// One example of each kind of unexplained difference, and the number of such differences.
    kinds: Vec<(String, Example, u64)>,
    /// The rules that the oracle reported at least once.
    listed: BTreeSet<String>,
    elapsed: Duration,
}

#[derive(Clone)]
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

/// Asks both sides for the cases from 0 to `cases`.
pub(super) fn compare(subject: &Subject, oracle: &mut Oracle, cases: u64, seed: u64) -> Result<Outcome> {
    let started = Instant::now();
    let mut outcome = Outcome { explained: vec![0; subject.ledger.len()], ..Outcome::default() };
    let mut kinds = BTreeMap::new();
    let mut first = 0;
    while first < cases {
        let end = cases.min(first + BATCH);
        let questions: Vec<Value> = (first..end).map(|case| subject.question(seed, case)).collect();
        for example in examples(subject, oracle, questions)? {
            outcome.add(subject, example, &mut kinds);
        }
        first = end;
    }
    outcome.kinds = kinds.into_iter().map(|(kind, (example, count))| (kind, example, count)).collect();
    outcome.kinds.sort_by_key(|(_, _, count)| std::cmp::Reverse(*count));
    for (kind, example, _) in outcome.kinds.iter_mut().take(REPRODUCTIONS) {
        *example = shrink(subject, oracle, kind, example.clone())?;
    }
    outcome.elapsed = started.elapsed();
    Ok(outcome)
}

pub(super) fn print(subject: &Subject, outcome: &Outcome) {
    let explained = |known: Known| -> u64 {
        let entries = subject.ledger.iter().zip(&outcome.explained);
        entries.filter(|(entry, _)| entry.known == known).map(|(_, count)| count).sum()
    };
    println!(
        "{} {}: {} cases in {:.1} s, {} agree, {} differ as specified, {} differ for a reason, {} unexplained",
        subject.system,
        subject.name,
        outcome.cases,
        outcome.elapsed.as_secs_f64(),
        outcome.agreed,
        explained(Known::Whole),
        explained(Known::Part),
        outcome.unexplained
    );
    if !outcome.listed.is_empty() {
        let listed: Vec<&str> = outcome.listed.iter().map(String::as_str).collect();
        println!("  {} rules were broken: {}", listed.len(), listed.join(" "));
    }
    for (entry, count) in subject.ledger.iter().zip(&outcome.explained).filter(|(_, count)| **count > 0) {
        println!("  {count:>7}  {}: {}", entry.name, entry.reason);
    }
    for (kind, example, count) in outcome.kinds.iter().take(REPRODUCTIONS) {
        println!("  {count:>7}  unexplained: {kind}");
        println!("           question {}", example.question);
        println!("           ours     {}", example.ours);
        println!("           theirs   {}", example.theirs);
    }
}

impl Outcome {
    fn add(&mut self, subject: &Subject, example: Example, kinds: &mut BTreeMap<String, (Example, u64)>) {
        self.cases += 1;
        for list in [&example.theirs["errors"], &example.theirs["warnings"]] {
            let words = list.as_array().into_iter().flatten().filter_map(Value::as_str);
            self.listed.extend(words.map(|finding| verdict::rule_of(finding).to_owned()));
        }
        if example.agrees() {
            self.agreed += 1;
            return;
        }
        match subject.explain(&example.disagreement()) {
            Explanation::Entry(entry) => self.explained[entry] += 1,
            explanation => {
                self.unexplained += 1;
                let mut kind = example.differing_parts().into_iter().next().unwrap_or_default();
                if explanation == Explanation::Ambiguous {
                    kind.push_str(AMBIGUOUS);
                }
                let (smallest, count) = kinds.entry(kind).or_insert_with(|| (example.clone(), 0));
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
        agree(&self.ours, &self.theirs)
    }

    fn disagreement(&self) -> Disagreement<'_> {
        Disagreement { question: &self.question, ours: &self.ours, theirs: &self.theirs }
    }

    fn differing_parts(&self) -> Vec<String> {
        let whys = [&self.ours[WHY], &self.theirs[WHY]].map(|why| match why {
            Value::Null => String::new(),
            why => format!(" {why}"),
        });
        let parts = differing_parts("", &self.ours, &self.theirs).into_iter();
        parts.map(|part| format!("{part}{}", whys.concat())).collect()
    }

    fn size(&self) -> usize {
        self.question.to_string().len()
    }
}

/// Both answers to each question.
fn examples(subject: &Subject, oracle: &mut Oracle, questions: Vec<Value>) -> Result<Vec<Example>> {
    let (answers, ours) =
        oracle.ask(&questions, || questions.iter().map(subject.ours).collect::<Vec<Value>>())?;
    let examples = questions.into_iter().zip(ours).zip(answers);
    Ok(examples
        .map(|((question, ours), answer)| {
            let theirs = (subject.theirs)(&question, &answer);
            Example { question, ours, theirs }
        })
        .collect())
}

/// The smallest question on which the two sides still differ in the same way.
fn shrink(subject: &Subject, oracle: &mut Oracle, kind: &str, mut example: Example) -> Result<Example> {
    let part = kind.trim_end_matches(AMBIGUOUS);
    let mut left = if subject.name == RUNS { SHRINK_RUNS } else { SHRINK_QUESTIONS };
    loop {
        let size = example.size();
        let mut candidates = (subject.smaller)(&example.question);
        candidates.retain(|candidate| candidate.to_string().len() < size);
        let mut found = None;
        for some in candidates.chunks(SHRINK_BATCH) {
            if found.is_some() || left == 0 {
                break;
            }
            left = left.saturating_sub(some.len());
            found = examples(subject, oracle, some.to_vec())?.into_iter().find(|candidate| {
                candidate.differing_parts().iter().any(|other| other == part)
                    && !matches!(subject.explain(&candidate.disagreement()), Explanation::Entry(_))
            });
        }
        match found {
            Some(smaller) => example = smaller,
            None => return Ok(example),
        }
    }
}

/// The paths at which two answers differ. Differences with the same paths are counted together.
fn differing_parts(path: &str, ours: &Value, theirs: &Value) -> Vec<String> {
    match (ours, theirs) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            keys.into_iter()
                .filter(|key| *key != WHY)
                .flat_map(|key| differing_parts(&format!("{path}.{key}"), &ours[key], &theirs[key]))
                .collect()
        }
        (Value::Array(one), Value::Array(other)) => {
            let missing =
                other.iter().filter(|item| !one.contains(item)).map(|item| format!("{path}: -{item}"));
            let added =
                one.iter().filter(|item| !other.contains(item)).map(|item| format!("{path}: +{item}"));
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
