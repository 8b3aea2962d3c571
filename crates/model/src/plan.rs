//! Steps that a program makes a graph of, or does by itself: their ids, what each waits for, and the tools that they
//! call. A part that is absent or unreadable is `None` or empty.

use smol_str::SmolStr;

use crate::origin::{Located, Origin};

/// Steps that a program compiles to a graph or runs directly.
#[derive(Debug, Clone, Default)]
pub struct DeclaredPlan {
    /// The steps, in the order in which they are written.
    pub steps: Vec<PlanStep>,
    /// What the steps are used for.
    pub purpose: PlanPurpose,
}

/// What the steps of a plan are used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlanPurpose {
    /// A mission: its steps are compiled to a chain. Additional rules check them.
    Mission,
    /// A workflow: its steps are compiled in their order.
    #[default]
    Workflow,
    /// Tasks that an engine runs directly.
    Tasks,
}

#[derive(Debug, Clone)]
pub struct PlanStep {
    pub id: Option<Located<SmolStr>>,
    /// The first line.
    pub head: Origin,
    /// The steps that must be done first.
    pub depends: Vec<Located<SmolStr>>,
    /// The place where the step says that it calls a tool, so that it must name one.
    pub calls_tool: Option<Origin>,
    pub tool: Option<Located<SmolStr>>,
    /// The keys that say what the step does. Only the first one has an effect.
    pub works: Vec<Origin>,
}
