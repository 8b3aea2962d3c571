//! Evals: cases that run with real models, the models and prompts that are compared, and judges.
//!
//! A part that is absent or unreadable is `None` or empty.

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use super::Scenario;
use crate::origin::{Located, Origin};

/// Cases that run with real models, and the models and prompts that are compared.
#[derive(Debug, Clone)]
pub struct Eval {
    /// What is run; what a case does not say, the scenario around it says.
    pub cases: Vec<Scenario>,
    /// The models that are compared; with none, each agent asks its own.
    pub models: Vec<ModelChoice>,
    /// The prompts that are compared; with none, those that are declared.
    pub prompts: Vec<PromptChoice>,
    /// How often each case runs with each model and prompt.
    pub repeat: u32,
    /// How many of the repetitions must pass, in percent.
    pub pass_rate: f64,
}

/// Models that take the place of those that agents ask.
#[derive(Debug, Clone)]
pub struct ModelChoice {
    /// What reports call it.
    pub name: Located<SmolStr>,
    /// The model of every agent that has none of its own here.
    pub model: Option<Located<SmolStr>>,
    /// Whose model it is.
    pub provider: Option<Located<SmolStr>>,
    /// The models of single agents, by their names.
    pub agents: Vec<(Located<SmolStr>, SmolStr)>,
}

/// Texts that take the place of declared prompts.
#[derive(Debug, Clone)]
pub struct PromptChoice {
    /// What reports call it.
    pub name: Located<SmolStr>,
    /// The texts, by the names of the agents or nodes whose prompts they are.
    pub texts: Vec<(Located<SmolStr>, Located<SmolStr>)>,
}

/// What judges the result of a live run.
#[derive(Debug, Clone)]
pub struct EvalJudge {
    pub at: Origin,
    /// What reports call it.
    pub name: Option<Located<SmolStr>>,
    /// The key of the state that it looks at; without it, what the run gives back.
    pub of: Option<Located<SmolStr>>,
    /// How it judges.
    pub question: JudgeQuestion,
}

/// How a judge decides.
#[derive(Debug, Clone)]
pub enum JudgeQuestion {
    /// A model gives a score from 0 to 1.
    Rubric {
        /// What a good result is, in words.
        text: Located<SmolStr>,
        /// The model that judges; `None` is the configured one.
        model: Option<SmolStr>,
        /// Whose model it is.
        provider: Option<SmolStr>,
        /// The score from which the result passes.
        at_least: f64,
    },
    /// An expression must be true.
    Expression(Located<SmolStr>),
    /// The result must match a JSON Schema.
    Schema(Located<Value>),
}
