//! How a system prepares its runs, and what happens after them.
//!
//! A system implements [`Runtime`] in its module below [`crate::systems`]; the list there finds it. Input: what a run is made
//! of; output: a run before its first step, with what its system knows for explorations.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_engine::explore::Guide;
use nodewise_engine::running::Running;
use nodewise_expr::value::Map;
use nodewise_model::scenario::Scenario;
use serde_json::Value as Json;

use crate::chart::Charts;
use crate::input_schema;
use crate::inputs::{RunInputs, seed_of};
use crate::phases;
use crate::recording::Recording;
use crate::run::{Facts, Run};
use crate::script::{Scripting, scripting};
use crate::system::{RunSemantics, RunnableSystem};
use crate::target::TargetError;

/// How the graphs of a system run.
pub trait Runtime: RunSemantics {
    /// A run before its first step; `None` if its graph is no longer declared.
    fn prepare<'w>(&self, inputs: &RunInputs<'w>) -> Option<Prepared<'w>>;

    /// The JSON Schema of what a run is given, if the declarations describe it.
    fn input_schema(&self, inputs: &RunInputs<'_>) -> Option<Json> {
        input_schema::of_graph(inputs)
    }

    /// Runs the phases of a scenario after its first run. `look` sees each run now and then, and says whether to continue.
    ///
    /// # Errors
    /// If a phase names what does not exist, or what the system does not have.
    fn continue_run(
        &self,
        run: Run,
        inputs: &RunInputs<'_>,
        look: &mut dyn FnMut(&Run) -> bool,
    ) -> Result<Vec<Recording>, TargetError> {
        phases::resume_waiting(run, inputs.scenario, look)
    }
}

/// What a system prepares from its declarations for a run.
pub struct Prepared<'w> {
    /// The run.
    pub running: Box<dyn Running>,
    /// What the system knows for explorations.
    pub guide: MakeGuide<'w>,
    /// What runs, for people.
    pub title: String,
    /// The graphs that can run.
    pub charts: Charts,
    /// What conditions can read besides the state.
    pub beside: Map,
    /// The time that conditions read when the run begins, in seconds.
    pub clock: f64,
    /// What a person should know before the run.
    pub notes: Vec<String>,
}

/// Computes what a system knows for explorations. It is a function because most runs do not need that.
pub type MakeGuide<'w> = Box<dyn FnOnce() -> Box<dyn Guide> + 'w>;

/// A run that has not begun, in its parts.
pub(crate) struct Setting<'w> {
    pub(crate) running: Box<dyn Running>,
    pub(crate) scripting: Scripting,
    pub(crate) facts: Facts,
    pub(crate) guide: MakeGuide<'w>,
}

impl<'w> Prepared<'w> {
    /// The run with the answers of a scenario.
    pub(crate) fn run(self, system: RunnableSystem, scenario: &Scenario) -> Run {
        let setting = self.setting(system, scenario);
        Run::new(setting.running, setting.scripting, setting.facts)
    }

    /// The parts of the run with the answers of a scenario.
    pub(crate) fn setting(self, system: RunnableSystem, scenario: &Scenario) -> Setting<'w> {
        let scripting = scripting(&scenario.answers, &self.charts);
        let facts = Facts {
            system,
            title: self.title,
            seed: seed_of(scenario),
            charts: Arc::new(self.charts),
            beside: self.beside,
            clock: self.clock,
            notes: self.notes,
            origins: BTreeMap::new(),
            is_alone: scenario.target.is_alone,
        };
        Setting { running: self.running, scripting, facts, guide: self.guide }
    }
}
