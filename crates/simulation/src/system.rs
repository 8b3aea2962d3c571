//! What a system is to simulations.
//!
//! A system implements [`Runtime`] in its module below [`crate::systems`]. Everything else asks a [`RunnableSystem`], and knows none by
//! name. Invariant: a system has one dialect, and two systems are equal if their dialects are.

use std::fmt;
use std::ops::Deref;

use nodewise_dialect::table::Dialect;
use nodewise_engine::explore::Guide;
use nodewise_engine::running::Running;
use nodewise_expr::value::{Map, Value};

use crate::chart::Charts;
use crate::continuations;
use crate::explain::ConditionContext;
use crate::prepare::RunInputs;
use crate::recording::Recording;
use crate::run::Run;
use crate::systems::SYSTEMS;
use crate::target::TargetError;

/// A system whose graphs run.
#[derive(Clone, Copy)]
pub struct RunnableSystem(&'static dyn Runtime);

/// How the graphs of a system run.
pub trait Runtime: Sync {
    /// The dialect of its declarations.
    fn dialect(&self) -> &'static Dialect;

    /// A run before its first step; `None` if its graph is no longer declared.
    fn prepare<'w>(&self, inputs: &RunInputs<'w>) -> Option<Prepared<'w>>;

    /// Whether runs can follow its documentation where its release does something else.
    fn has_documented_reading(&self) -> bool {
        false
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
        continuations::resume_waiting(run, inputs.scenario, look)
    }

    /// What conditions see at a moment of a run.
    fn visible_state(&self, moment: &ConditionContext<'_>) -> Value;

    /// The state after a run, as expectations name its members.
    fn final_state(&self, state: &Map) -> Map {
        state.clone()
    }

    /// What can stand before a key that an expectation names, in the order of search.
    fn key_prefixes(&self) -> &'static [&'static str] {
        &[""]
    }

    /// Whether the nodes of a project are one graph, wherever a run begins.
    fn nodes_are_one_graph(&self) -> bool {
        false
    }

    /// Whether a condition was evaluated even if the run gives another reason why its edge was not followed.
    fn evaluates_before_reasons(&self) -> bool {
        false
    }
}

/// What a system makes of its declarations.
pub struct Prepared<'w> {
    /// The run.
    pub running: Box<dyn Running>,
    /// What the system knows for explorations.
    pub guide: MakeGuide<'w>,
    /// What runs, for people.
    pub title: String,
    /// The graphs that can run.
    pub charts: Charts,
    /// What conditions see beside the state.
    pub beside: Map,
    /// The time that conditions read when the run begins, in seconds.
    pub clock: f64,
    /// What a person should know before the run.
    pub notes: Vec<String>,
}

/// Works out what a system knows for explorations; most runs do without.
pub type MakeGuide<'w> = Box<dyn FnOnce() -> Box<dyn Guide> + 'w>;

impl RunnableSystem {
    /// A system that runs so.
    #[must_use]
    pub const fn new(runtime: &'static dyn Runtime) -> RunnableSystem {
        RunnableSystem(runtime)
    }

    /// The system whose declarations the dialect reads.
    #[must_use]
    pub fn of(dialect: &Dialect) -> Option<RunnableSystem> {
        SYSTEMS
            .iter()
            .find(|runtime| runtime.dialect().id == dialect.id)
            .map(|runtime| RunnableSystem(*runtime))
    }
}

/// The titles of the systems that have a documented reading.
#[must_use]
pub fn with_documented_reading() -> String {
    let systems = SYSTEMS.iter().filter(|system| system.has_documented_reading());
    let titles: Vec<&str> = systems.map(|system| system.dialect().title).collect();
    titles.join(" and ")
}

impl Deref for RunnableSystem {
    type Target = dyn Runtime;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for RunnableSystem {
    fn eq(&self, other: &Self) -> bool {
        self.dialect().id == other.dialect().id
    }
}

impl Eq for RunnableSystem {}

impl fmt::Debug for RunnableSystem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "System({})", self.dialect().id)
    }
}
