//! Steps that a program makes a graph of, or does by itself: their ids, what each waits for, and the tools that they
//! call. A part that is absent or unreadable is `None` or empty.

use smol_str::SmolStr;

use crate::origin::{Located, Origin};

/// Steps that a program makes a graph of, or does by itself.
#[derive(Debug, Clone, Default)]
pub struct DeclaredPlan {
    /// The steps, in the order of the document.
    pub steps: Vec<PlanStep>,
    /// What becomes of the steps.
    pub purpose: PlanPurpose,
}

/// What becomes of the steps of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlanPurpose {
    /// They are checked as a plan of a mission, and compiled to a chain.
    Mission,
    /// They are compiled one after another.
    #[default]
    Workflow,
    /// They are tasks that an engine does by itself.
    Tasks,
}

#[derive(Debug, Clone)]
pub struct PlanStep {
    pub id: Option<Located<SmolStr>>,
    /// The first line.
    pub head: Origin,
    /// The steps that must be done before.
    pub depends: Vec<Located<SmolStr>>,
    /// Whether it calls a tool and must name it: where it says so.
    pub calls_tool: Option<Origin>,
    pub tool: Option<Located<SmolStr>>,
    /// The kinds of work that it names; only the first counts.
    pub works: Vec<Origin>,
}
