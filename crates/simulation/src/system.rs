//! The systems whose graphs run.

use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::agentos::AGENTOS;
use nodewise_dialect::tables::cycgraph::CYCGRAPH;
use nodewise_dialect::tables::liman::LIMAN;

/// A system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Liman: a document declares a node.
    Liman,
    /// cycgraph: a document declares a graph over one memory.
    Cycgraph,
    /// AgentOS: a document declares a graph over a state of parts.
    AgentOs,
}

impl System {
    /// The system whose declarations the dialect reads.
    #[must_use]
    pub fn of(dialect: &Dialect) -> Option<System> {
        [System::Liman, System::Cycgraph, System::AgentOs]
            .into_iter()
            .find(|system| system.dialect().id == dialect.id)
    }

    /// Its dialect.
    #[must_use]
    pub fn dialect(self) -> &'static Dialect {
        match self {
            System::Liman => &LIMAN,
            System::Cycgraph => &CYCGRAPH,
            System::AgentOs => &AGENTOS,
        }
    }

    /// Whether runs can follow its documentation where its release does something else.
    #[must_use]
    pub fn has_documented_reading(self) -> bool {
        self == System::AgentOs
    }
}
