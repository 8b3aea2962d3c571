//! The `nodewise` command: the command line, and its exit code.
//!
//! It is a library so that a program can add a system of its own to those that ship, and be nodewise for it:
//! [`add_system`], then [`run`]. Input: arguments, files, standard input. Output: text on standard output and standard error,
//! an exit code. Invariant: findings and other results go to standard output, everything about the run itself to standard
//! error.

#![allow(clippy::disallowed_methods, reason = "the command is the program that reads files and clocks")]

mod input;
mod log;
mod notices;
mod outcome;
mod output;
mod screen;

mod baseline;
mod cache;
mod check;
mod completions;
mod dap;
mod diff;
mod explain;
mod export;
mod expr;
mod fixing;
mod fmt;
mod graph;
mod init;
mod left_out;
#[cfg(feature = "live")]
mod live;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "man")]
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod merge;
mod print;
mod progress;
mod project;
mod review;
mod rules;
mod schema;
mod simulate;
mod subject;
mod syntax;
mod systems;
mod test;
mod trace_key;
mod undeclared_rules;
mod usage;
mod version;
mod words;
mod workspace;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

#[cfg(not(feature = "live"))]
use crate::left_out::live;
#[cfg(not(feature = "lsp"))]
use crate::left_out::lsp;
#[cfg(not(feature = "man"))]
use crate::left_out::man;
#[cfg(not(feature = "mcp"))]
use crate::left_out::mcp;
use crate::outcome::Outcome;
use crate::output::Output;
pub use crate::systems::{SystemPlugin, add_system};

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  nodewise check            report problems in this folder
  nodewise check --fix      apply safe fixes, then report what is left
  nodewise init             write a `nodewise.toml` for this folder
  nodewise simulate FILE    run a graph without calling models or tools

Exit codes:
  0  success
  1  problems: errors or warnings (hints do not count), invalid syntax, files to format,
     a run that does not complete, a scenario that fails
  2  wrong usage, or a file that cannot be read";

/// Linter, formatter, simulator and language server for agent workflow files.
#[derive(Parser)]
#[command(name = "nodewise", version, after_help = EXAMPLES_AND_EXIT_CODES, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    log: log::LogOptions,
}

#[derive(Subcommand)]
enum Command {
    Cache(cache::CacheOptions),
    Check(check::CheckOptions),
    Completions(completions::CompletionsOptions),
    Dap(dap::DapOptions),
    Diff(review::DiffOptions),
    Eval(live::EvalOptions),
    Explain(explain::ExplainOptions),
    Export(export::ExportOptions),
    Expr(expr::ExprOptions),
    Fmt(fmt::FmtOptions),
    Graph(graph::GraphOptions),
    Import(live::ImportOptions),
    Init(init::InitOptions),
    Lsp(lsp::LspOptions),
    Man(man::ManOptions),
    Mcp(mcp::McpOptions),
    Merge(merge::MergeOptions),
    Resume(live::ResumeOptions),
    Rules(rules::RulesOptions),
    Run(live::RunOptions),
    Runs(live::RunsOptions),
    Schema(schema::SchemaOptions),
    Serve(live::ServeOptions),
    Simulate(simulate::SimulateOptions),
    Syntax(syntax::SyntaxOptions),
    Test(test::TestOptions),
    TraceKey(trace_key::TraceKeyOptions),
    Trust(live::TrustOptions),
    Version(version::VersionOptions),
}

/// The definition of the command line.
pub(crate) fn command_line() -> clap::Command {
    Arguments::command()
}

/// Runs the command that the arguments of the process say, and ends the process with its exit code.
pub fn run() -> ! {
    let matches = command_line().try_get_matches().unwrap_or_else(|error| usage::exit(&error));
    let mut arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if let (Command::Check(options), Some((_, matches))) = (&mut arguments.command, matches.subcommand()) {
        options.route(matches);
    }
    if let Err(error) = log::begin(&arguments.log, matches.subcommand_name().unwrap_or_default()) {
        output::complain(&format!("error: {error:#}"));
        std::process::exit(Outcome::Failed.exit_code());
    }
    let mut output = Output::stdout();
    let result = match &arguments.command {
        Command::Cache(options) => cache::run(options, &mut output),
        Command::Check(options) => check::run(options, &mut output),
        Command::Completions(options) => completions::run(options, &mut output),
        Command::Dap(options) => dap::run(options),
        Command::Diff(options) => review::run(options, &mut output),
        Command::Eval(options) => live::eval(options, &mut output),
        Command::Explain(options) => explain::run(options, &mut output),
        Command::Export(options) => export::run(options, &mut output),
        Command::Expr(options) => expr::run(options, &mut output),
        Command::Fmt(options) => fmt::run(options, &mut output),
        Command::Graph(options) => graph::run(options, &mut output),
        Command::Import(options) => live::import(options, &mut output),
        Command::Init(options) => init::run(options, &mut output),
        Command::Lsp(options) => lsp::run(options),
        Command::Man(options) => man::run(options, &mut output),
        Command::Mcp(options) => mcp::run(options),
        Command::Merge(options) => merge::run(options, &mut output),
        Command::Resume(options) => live::resume(options, &mut output),
        Command::Rules(options) => rules::run(options, &mut output),
        Command::Run(options) => live::run(options, &mut output),
        Command::Runs(options) => live::runs(options, &mut output),
        Command::Schema(options) => schema::run(options, &mut output),
        Command::Serve(options) => live::serve(options, &mut output),
        Command::Simulate(options) => simulate::run(options, &mut output),
        Command::Syntax(options) => syntax::run(options, &mut output),
        Command::Test(options) => test::run(options, &mut output),
        Command::TraceKey(options) => trace_key::run(options, &mut output),
        Command::Trust(options) => live::trust(options, &mut output),
        Command::Version(_) => version::run(&mut output),
    };
    let finished = output.finish();
    let outcome = match result.and_then(|outcome| finished.map(|()| outcome)) {
        Ok(outcome) => outcome,
        Err(error) => {
            output::complain(&format!("error: {error:#}"));
            Outcome::Failed
        }
    };
    // Exit immediately. Dropping the trees of ten thousand files takes longer than printing the findings.
    std::process::exit(outcome.exit_code());
}
