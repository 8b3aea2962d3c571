//! Systems that do not ship: a program brings one along.
//!
//! Input: the parts of a system; output: they are on the lists of the layers. Invariant: a system is added before anything
//! else runs, because a list does not change once it is read.

use nodewise_analysis::rules::{self, SystemRules};
use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::DIALECTS;
#[cfg(feature = "live")]
use nodewise_live::systems::LivePart;
use nodewise_simulation::runtime::Runtime;
use nodewise_simulation::systems;

/// The parts of a system, one for each layer.
pub struct SystemPlugin {
    /// Its declarations: keys, types, defaults, documentation, languages.
    pub dialect: &'static Dialect,
    /// Its rules, and its parts of shared rules.
    pub rules: &'static SystemRules,
    /// How its graphs run.
    pub runtime: &'static dyn Runtime,
    /// What its live runs need to know; `None` if its nodes need nothing special.
    #[cfg(feature = "live")]
    pub live: Option<&'static LivePart>,
}

/// Adds a system to those that ship. Returns `false` if it is too late, because something has run already.
#[must_use]
pub fn add_system(system: &SystemPlugin) -> bool {
    let is_added = DIALECTS.add(system.dialect)
        && rules::SYSTEMS.add(system.rules)
        && systems::SYSTEMS.add(system.runtime);
    #[cfg(feature = "live")]
    let is_added = is_added && system.live.is_none_or(|live| nodewise_live::systems::SYSTEMS.add(live));
    is_added
}
