//! Evals: cases that run with real models, the models and prompts that are compared, and judges.
//!
//! A part that is absent or unreadable is `None` or empty.

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use super::Scenario;
use crate::origin::{Located, Origin};

/// Cases that run with real models, and the models and prompts to compare.
#[derive(Debug, Clone)]
pub struct Eval {
    /// The cases. What a case does not set comes from the scenario around it.
    pub cases: Vec<Scenario>,
    /// The models to compare. If empty, each agent uses its own model.
    pub models: Vec<ModelChoice>,
    /// The prompts to compare. If empty, the declared prompts are used.
    pub prompts: Vec<PromptChoice>,
    /// How often each case runs with each model and prompt.
    pub repeat: u32,
    /// How many of the repetitions must pass, in percent.
    pub pass_rate: f64,
}

/// Models that replace those of the agents.
#[derive(Debug, Clone)]
pub struct ModelChoice {
    /// The name in reports.
    pub name: Located<SmolStr>,
    /// The model of every agent that is not listed in `agents`.
    pub model: Option<Located<SmolStr>>,
    /// The provider of the model.
    pub provider: Option<Located<SmolStr>>,
    /// The models of particular agents, by the names of the agents.
    pub agents: Vec<(Located<SmolStr>, SmolStr)>,
}

/// Texts that replace declared prompts.
#[derive(Debug, Clone)]
pub struct PromptChoice {
    /// The name in reports.
    pub name: Located<SmolStr>,
    /// The texts, by the names of the agents or nodes whose prompts they replace.
    pub texts: Vec<(Located<SmolStr>, Located<SmolStr>)>,
}

/// A judge of the result of a live run.
#[derive(Debug, Clone)]
pub struct EvalJudge {
    pub at: Origin,
    /// The name in reports.
    pub name: Option<Located<SmolStr>>,
    /// The state key to judge; `None` means the output of the run.
    pub of: Option<Located<SmolStr>>,
    pub question: JudgeQuestion,
}

/// How a judge decides.
#[derive(Debug, Clone)]
pub enum JudgeQuestion {
    /// A model gives a score from 0 to 1.
    Rubric {
        /// A description of a good result.
        text: Located<SmolStr>,
        /// The model that judges; `None` means the configured one.
        model: Option<SmolStr>,
        /// The provider of the model.
        provider: Option<SmolStr>,
        /// The lowest score that passes.
        at_least: f64,
    },
    /// An expression must be true.
    Expression(Located<SmolStr>),
    /// The result must match a JSON Schema.
    Schema(Located<Value>),
}
