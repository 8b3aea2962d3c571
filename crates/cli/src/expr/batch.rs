//! A stream of questions: JSON lines in, JSON lines out.
//!
//! Input: objects `{"expr", "context"?, "now"?, "errors"?, "profile"?}`. Output: one object for each, in order.
//! Invariant: a line that cannot be read is answered too, and the rest is answered all the same.

use std::io::{BufRead, BufReader};

use anyhow::{Context, Result};
use nodewise_expr::eval::EvalError;
use nodewise_expr::limance;
use nodewise_expr::problem::Problem;
use nodewise_expr::sexpr::sexpr;
use serde::{Deserialize, Serialize};

use super::Profile;
use super::question::{Answer, Question, evaluate, variables};
use crate::outcome::Outcome;
use crate::output::Output;
use crate::print::json::to_json;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    expr: String,
    context: Option<serde_json::Map<String, serde_json::Value>>,
    now: Option<f64>,
    #[serde(default)]
    errors: Vec<String>,
    profile: Option<Profile>,
}

#[derive(Serialize)]
struct Rejected<'a> {
    accept: bool,
    offset: usize,
    message: &'a str,
}

#[derive(Serialize)]
struct Accepted {
    accept: bool,
    ast: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    routes: Option<bool>,
}

#[derive(Serialize)]
struct Failure {
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

/// Answers standard input, line by line.
pub(super) fn run(profile: Profile, output: &mut Output) -> Result<Outcome> {
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
            Ok(asked) => output.line(&answer(asked, profile))?,
            Err(error) => {
                outcome = Outcome::Findings;
                output.line(&unreadable(number, &error))?;
            }
        }
        // Whoever waits for an answer before asking on gets it now.
        if input.buffer().is_empty() {
            output.finish()?;
        }
    }
    Ok(outcome)
}

fn answer(asked: Asked, profile: Profile) -> String {
    let parsed = limance::parse(&asked.expr, asked.profile.unwrap_or(profile).into());
    if let Some(problem) = parsed.problems.first() {
        let offset = characters_before(&asked.expr, problem);
        return to_json(&Rejected { accept: false, offset, message: &problem.message });
    }
    let question = asked.context.map(|context| Question {
        variables: variables(context),
        now: asked.now,
        errors: asked.errors.into_iter().map(Into::into).collect(),
    });
    let mut accepted =
        Accepted { accept: true, ast: sexpr(&parsed.expr), value: None, error: None, routes: None };
    if let Some(question) = question {
        let Answer { value, routes } = evaluate(&parsed.expr, &question);
        accepted.routes = Some(routes);
        match value {
            Ok(value) => accepted.value = Some(value),
            Err(EvalError { kind, message, .. }) => {
                accepted.error = Some(Failure { kind: kind.name(), message });
            }
        }
    }
    to_json(&accepted)
}

fn characters_before(text: &str, problem: &Problem) -> usize {
    text.get(..usize::from(problem.offset())).unwrap_or(text).chars().count()
}

/// The answer to a line that is no question.
fn unreadable(line: usize, error: &serde_json::Error) -> String {
    // Each line is a text of its own to the JSON reader, which calls it line 1.
    let reason = error.to_string().replace(" at line 1 column ", " at column ");
    let message = format!("line {line}: {reason}");
    to_json(&Unreadable { error: UnreadableLine { kind: "input", line, message } })
}
