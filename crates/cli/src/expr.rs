//! `nodewise expr`: parse and evaluate expressions.
//!
//! Input: an expression, or JSON lines with expressions. Output: S-expressions, values, faults. Invariant: the
//! code that answers here is the code that judges files.

mod batch;
mod question;

use std::io::Read;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use nodewise_expr::TextRange;
use nodewise_expr::limance;
use nodewise_expr::sexpr::sexpr;
use nodewise_syntax::LineIndex;

use self::question::{Question, evaluate, read_context};
use crate::outcome::Outcome;
use crate::output::{Output, complain};
use crate::print::fault::Fault;
use crate::print::json::to_json;

const NAME: &str = "expression";

/// Parse an expression, or evaluate it.
#[derive(Args)]
pub(crate) struct Options {
    /// The language.
    #[arg(value_enum)]
    language: Language,
    /// The expression; without it, standard input is read.
    #[arg(allow_hyphen_values = true, conflicts_with = "batch")]
    expression: Option<String>,
    /// Answer a stream of questions: JSON lines in, JSON lines out.
    #[arg(long)]
    batch: bool,
    /// Whose reading of the language counts.
    #[arg(long, value_enum, default_value_t = Profile::Spec)]
    profile: Profile,
    /// Evaluate with these variables, a JSON object.
    #[arg(long, value_name = "JSON", conflicts_with = "batch")]
    context: Option<String>,
}

/// An expression language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    /// The conditions of Liman.
    Limance,
}

/// Whose reading of a language counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
enum Profile {
    /// The specification.
    #[serde(rename = "spec")]
    Spec,
    /// The parser of liman_core 0.1.0 and 0.1.1.
    #[value(alias = "0.1.1", alias = "0.1.0")]
    #[serde(rename = "release", alias = "0.1.1", alias = "0.1.0")]
    Release,
}

impl From<Profile> for limance::Profile {
    fn from(profile: Profile) -> limance::Profile {
        match profile {
            Profile::Spec => limance::Profile::Spec,
            Profile::Release => limance::Profile::Release,
        }
    }
}

/// Answers one expression or a stream of them.
pub(crate) fn run(options: &Options, output: &mut Output) -> Result<Outcome> {
    let Language::Limance = options.language;
    if options.batch {
        return batch::run(options.profile, output);
    }
    let variables = options.context.as_deref().map(read_context).transpose()?;
    let text = match &options.expression {
        Some(text) => text.clone(),
        None => standard_input()?,
    };
    let parsed = limance::parse(&text, options.profile.into());
    if let Some(problem) = parsed.problems.first() {
        explain(&text, problem.range, &problem.message, problem.help.as_deref());
        return Ok(Outcome::Findings);
    }
    output.line(&sexpr(&parsed.expr))?;
    let Some(variables) = variables else { return Ok(Outcome::Clean) };
    let question = Question { variables, ..Question::default() };
    let answer = evaluate(&parsed.expr, &question);
    let outcome = match &answer.value {
        Ok(value) => {
            output.line(&format!("value: {}", to_json(value)))?;
            Outcome::Clean
        }
        Err(error) => {
            output.finish()?;
            explain(&text, error.range, &error.message, None);
            Outcome::Findings
        }
    };
    output.line(&format!("routes: {}", answer.routes))?;
    Ok(outcome)
}

fn standard_input() -> Result<String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).context("standard input cannot be read")?;
    let end = text.trim_end_matches(['\n', '\r']).len();
    text.truncate(end);
    Ok(text)
}

fn explain(text: &str, range: TextRange, message: &str, help: Option<&str>) {
    let fault = Fault { name: NAME, text, range, message, help };
    complain(&fault.text(&LineIndex::new(text)));
}
