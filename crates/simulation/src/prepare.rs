//! Declarations, a host and a script become a run.
//!
//! Input: a snapshot, what is to run, a scenario that says the rest; output: a run at its beginning. Invariant: where the
//! scenario says nothing of the program around the graph, it has everything that the graph names, so that a run shows its
//! path at once.

use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::tables::scenario::DOCUMENTED;
use nodewise_model::scenario::Scenario;

use crate::inputs::RunInputs;
use crate::run::Run;
use crate::runtime::{Runtime, Setting};
use crate::system::RunnableSystem;
use crate::systems::with_documented_reading;
use crate::target::{SimulationTarget, TargetError};

/// Prepares a run.
///
/// # Errors
/// If the target no longer exists, or if the scenario asks for something that its system does not have.
pub fn prepare(
    snapshot: &Snapshot,
    target: &SimulationTarget,
    scenario: &Scenario,
) -> Result<Run, TargetError> {
    let setting = setting(snapshot, target, scenario)?;
    Ok(Run::new(setting.running, setting.scripting, setting.facts))
}

/// The parts of a run at its beginning.
pub(crate) fn setting<'w>(
    snapshot: &'w Snapshot,
    target: &'w SimulationTarget,
    scenario: &'w Scenario,
) -> Result<Setting<'w>, TargetError> {
    let runtime = runtime(snapshot, target)?;
    let system = RunnableSystem::new(runtime);
    check_reading(system, scenario)?;
    let prepared = runtime.prepare(&RunInputs { snapshot, target, scenario }).ok_or_else(gone)?;
    Ok(prepared.setting(system, scenario))
}

/// Returns an error if the scenario asks for a reading that the system does not have.
fn check_reading(system: RunnableSystem, scenario: &Scenario) -> Result<(), TargetError> {
    let is_documented = scenario.host.reading.as_ref().is_some_and(|reading| reading.value == DOCUMENTED);
    if !is_documented || system.has_documented_reading() {
        return Ok(());
    }
    let titles = with_documented_reading();
    Err(TargetError {
        message: format!("`reading: {DOCUMENTED}` means nothing for {}", system.dialect().title),
        help: Some(format!(
            "leave it out; only {titles} has a reading of its own where its documentation and its release differ"
        )),
    })
}

/// The runtime of a target's system.
pub(crate) fn runtime(
    snapshot: &Snapshot,
    target: &SimulationTarget,
) -> Result<&'static dyn Runtime, TargetError> {
    target.runtime(snapshot).ok_or_else(gone)
}

fn gone() -> TargetError {
    TargetError::new("the graph of this run is no longer declared".to_owned())
}
