//! Many expressions: JSON lines in, JSON lines out.
//!
//! Input: objects `{"expr", "context"?, "now"?, "errors"?, "profile"?, "strict_taint"?}`. Output: one object for each,
//! in order. Invariant: a line that cannot be parsed gets an answer too, and the other lines are still answered.

use std::io::{BufRead, BufReader};

use anyhow::{Context, Result};
use nodewise_expr::json::from_json;
use nodewise_expr::problem::ParseProblem;
use nodewise_expr::standalone::StandaloneAnswer;
use serde::{Deserialize, Serialize};

use super::languages::Choice;
use super::question::{Profile, Question};
use crate::outcome::Outcome;
use crate::output::Output;
use crate::print::json::to_json;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    expr: String,
    context: Option<serde_json::Value>,
    now: Option<f64>,
    #[serde(default)]
    errors: Vec<String>,
    profile: Option<Profile>,
    #[serde(default)]
    strict_taint: bool,
}

#[derive(Serialize)]
struct Rejection<'a> {
    accept: bool,
    offset: usize,
    message: &'a str,
}

#[derive(Serialize)]
struct Reason {
    kind: &'static str,
    message: String,
}

#[derive(Serialize)]
struct Unreadable {
    error: UnreadableLine,
}

#[derive(Serialize)]
struct UnreadableLine {
    kind: &'static str,
    line: usize,
    message: String,
}

/// Answers each line of standard input.
pub(super) fn run(language: Choice, profile: Profile, output: &mut Output) -> Result<Outcome> {
    let mut input = BufReader::new(std::io::stdin().lock());
    let mut outcome = Outcome::Clean;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if input.read_until(b'\n', &mut line).context("standard input cannot be read")? == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<Asked>(&line) {
            Ok(asked) if is_fitting(language, &asked) => output.line(&answer(language, asked, profile))?,
            Ok(_) => {
                outcome = Outcome::Findings;
                output.line(&unreadable(number, "the context is not a JSON object"))?;
            }
            Err(error) => {
                outcome = Outcome::Findings;
                // The JSON reader sees each line as a separate text, and calls it line 1.
                let reason = error.to_string().replace(" at line 1 column ", " at column ");
                output.line(&unreadable(number, &reason))?;
            }
        }
        // Print now, because the caller may wait for this answer before it sends the next line.
        if input.buffer().is_empty() {
            output.finish()?;
        }
    }
    Ok(outcome)
}

fn answer(language: Choice, asked: Asked, profile: Profile) -> String {
    let question = Question {
        expr: asked.expr,
        context: asked.context.map(from_json),
        now: asked.now,
        errors: asked.errors.into_iter().map(Into::into).collect(),
        profile: asked.profile.unwrap_or(profile),
        strict_taint: asked.strict_taint,
    };
    match question.ask(language) {
        Ok(answer) => acceptance(answer),
        Err(problem) => {
            let offset = characters_before(&question.expr, &problem);
            to_json(&Rejection { accept: false, offset, message: &problem.message })
        }
    }
}

/// An object with the tree, the value or the error, and the decisions.
fn acceptance(answer: StandaloneAnswer) -> String {
    let mut line = serde_json::Map::new();
    line.insert("accept".to_owned(), true.into());
    line.insert("ast".to_owned(), answer.tree.into());
    if let Some(evaluated) = answer.evaluated {
        match evaluated.value {
            Ok(value) => line.insert("value".to_owned(), value),
            Err(error) => {
                let reason = Reason { kind: error.kind, message: error.message };
                line.insert("error".to_owned(), serde_json::json!(reason))
            }
        };
        line.extend(evaluated.decisions.into_iter().map(|(name, decision)| (name.to_owned(), decision)));
    }
    to_json(&line)
}

fn characters_before(text: &str, problem: &ParseProblem) -> usize {
    text.get(..usize::from(problem.offset())).unwrap_or(text).chars().count()
}

/// Whether the language can use this type of context.
fn is_fitting(language: Choice, asked: &Asked) -> bool {
    language.takes_any_value() || asked.context.as_ref().is_none_or(serde_json::Value::is_object)
}

/// The answer to a line that cannot be parsed.
fn unreadable(line: usize, reason: &str) -> String {
    let message = format!("line {line}: {reason}");
    to_json(&Unreadable { error: UnreadableLine { kind: "input", line, message } })
}
