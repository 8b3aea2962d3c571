//! `nodewise expr`: parse and evaluate expressions.
//!
//! Input: an expression, or JSON lines with expressions. Output: S-expressions, values, errors. Invariant: this is the
//! same code that checks files.

mod batch;
mod languages;
mod question;

use std::io::Read;

use anyhow::{Context, Result};
use clap::Args;
use nodewise_expr::TextRange;
use nodewise_syntax::LineIndex;

use self::languages::Choice;
use self::question::{Profile, Question, read_context};
use crate::outcome::Outcome;
use crate::output::{Output, complain};
use crate::print::fault::Fault;
use crate::print::json::to_json;

const NAME: &str = "expression";

/// Parse an expression, or evaluate it.
#[derive(Args)]
pub(crate) struct ExprOptions {
    /// The language of the expression.
    #[arg(value_parser = languages::choice())]
    language: Choice,
    /// The expression; by default, it is read from standard input.
    #[arg(allow_hyphen_values = true, conflicts_with = "batch")]
    expression: Option<String>,
    /// Evaluate many expressions: JSON lines in, JSON lines out.
    #[arg(long)]
    batch: bool,
    /// Follow the specification or the released parser.
    #[arg(long, value_enum, default_value_t = Profile::Spec)]
    profile: Profile,
    /// Evaluate the expression with these values.
    #[arg(long, value_name = "JSON", conflicts_with = "batch", long_help = languages::context_help())]
    context: Option<String>,
}

/// Evaluates one expression, or a stream of them.
pub(crate) fn run(options: &ExprOptions, output: &mut Output) -> Result<Outcome> {
    if options.batch {
        return batch::run(options.language, options.profile, output);
    }
    let takes_any_value = options.language.takes_any_value();
    let context = options.context.as_deref().map(|text| read_context(text, takes_any_value)).transpose()?;
    let expr = match &options.expression {
        Some(text) => text.clone(),
        None => standard_input()?,
    };
    let question = Question { expr, context, profile: options.profile, ..Question::default() };
    let answer = match question.ask(options.language) {
        Ok(answer) => answer,
        Err(problem) => {
            explain(&question.expr, problem.range, &problem.message, problem.help.as_deref());
            return Ok(Outcome::Findings);
        }
    };
    output.line(&answer.tree)?;
    let Some(evaluated) = answer.evaluated else { return Ok(Outcome::Clean) };
    let outcome = match &evaluated.value {
        Ok(value) => {
            output.line(&format!("value: {}", to_json(value)))?;
            Outcome::Clean
        }
        Err(error) => {
            output.finish()?;
            explain(&question.expr, error.range, &error.message, None);
            Outcome::Findings
        }
    };
    for (name, decision) in &evaluated.decisions {
        output.line(&format!("{name}: {}", to_json(decision)))?;
    }
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

/// The ids of the languages, and what values their expressions can have.
#[cfg(feature = "mcp")]
pub(crate) fn languages_and_values() -> (Vec<String>, String) {
    (languages::ids(), languages::values())
}
