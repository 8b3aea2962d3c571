//! The systems, each in a module of its own, and the list of them: the one place that finds a system's runtime.

pub mod agentos;
pub mod cycgraph;
pub mod liman;

use nodewise_analysis::facts::Ownership;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::Dialect;
use nodewise_model::for_each_system;
use nodewise_model::registry::Registry;

use crate::runtime::Runtime;
use crate::system::RunnableSystem;
use crate::target::SimulationTarget;

macro_rules! runtimes {
    ($($system:ident $dialect:ident),*) => { &[$($system::RUNTIME),*] };
}

/// How the graphs of each system run.
pub static SYSTEMS: Registry<dyn Runtime> = Registry::new(for_each_system!(runtimes));

/// The runtime of a dialect's system, if its graphs can run.
fn runtime_of(dialect: &Dialect) -> Option<&'static dyn Runtime> {
    SYSTEMS.iter().copied().find(|runtime| runtime.dialect().id == dialect.id)
}

/// The titles of the systems that have a documented reading.
#[must_use]
pub fn with_documented_reading() -> String {
    let systems = SYSTEMS.iter().filter(|system| system.has_documented_reading());
    let titles: Vec<&str> = systems.map(|system| system.dialect().title).collect();
    titles.join(" and ")
}

impl RunnableSystem {
    /// The system whose declarations the dialect reads.
    #[must_use]
    pub fn of(dialect: &Dialect) -> Option<RunnableSystem> {
        runtime_of(dialect).map(|runtime| RunnableSystem::new(runtime))
    }
}

impl SimulationTarget {
    /// Whose graph it is.
    #[must_use]
    pub fn system(&self, snapshot: &Snapshot) -> Option<RunnableSystem> {
        self.runtime(snapshot).map(|runtime| RunnableSystem::new(runtime))
    }

    /// How its graph runs.
    pub(crate) fn runtime(&self, snapshot: &Snapshot) -> Option<&'static dyn Runtime> {
        match snapshot.file(self.document().source)?.ownership {
            Ownership::Ours(dialect) => runtime_of(dialect),
            Ownership::Empty | Ownership::NotOurs => None,
        }
    }
}
