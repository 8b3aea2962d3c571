//! The start of a run: goal, memory, and limits of the run itself. In: what a caller or a scenario file gives; out:
//! plain data. Invariant: the defaults are those of the release.

use nodewise_expr::value::Map;
use smol_str::SmolStr;

/// Everything that a run begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    pub workflow_id: SmolStr,
    pub run_id: SmolStr,
    /// The goal of the run.
    pub goal: SmolStr,
    /// The constraints of the run.
    pub constraints: Vec<SmolStr>,
    pub memory: Map,
    /// The number of visits at which the run fails.
    pub max_iterations: f64,
    /// How long the run may take, in milliseconds.
    pub max_execution_time_ms: f64,
    /// The most tokens that the run may use.
    pub max_token_budget: Option<f64>,
    /// The most money that the run may use, in US dollars.
    pub budget_usd: Option<f64>,
}

impl Default for Start {
    fn default() -> Start {
        Start {
            workflow_id: "00000000-0000-4000-8000-0000000000aa".into(),
            run_id: "00000000-0000-4000-8000-000000000001".into(),
            goal: SmolStr::default(),
            constraints: Vec::new(),
            memory: Map::new(),
            max_iterations: 50.0,
            max_execution_time_ms: 3_600_000.0,
            max_token_budget: None,
            budget_usd: None,
        }
    }
}
