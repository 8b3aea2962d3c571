//! What happens after a run: it resumes where it waits or from a checkpoint, or another run forks from one.
//!
//! Input: a scenario with all that it uses; output: the recording of the run, and one for each phase. Invariant: a phase
//! that names what is not there is a fault that says what there is, and so is one that its system does not have.

use nodewise_analysis::workspace::Snapshot;
use nodewise_model::scenario::Scenario;

use crate::inputs::RunInputs;
use crate::prepare::{prepare, runtime};
use crate::recording::Recording;
use crate::run::Run;
use crate::target::{SimulationTarget, TargetError};

/// Runs a scenario and its phases. `look` sees each run from time to time, and returns whether to continue.
///
/// # Errors
/// If a run cannot be prepared, or if a phase names something that does not exist.
pub fn recordings(
    snapshot: &Snapshot,
    target: &SimulationTarget,
    scenario: &Scenario,
    look: &mut dyn FnMut(&Run) -> bool,
) -> Result<Vec<Recording>, TargetError> {
    let runtime = runtime(snapshot, target)?;
    let mut run = prepare(snapshot, target, scenario)?;
    if scenario.phases.is_empty() {
        let outcome = run.drive(&mut *look);
        return Ok(vec![run.recording(outcome)]);
    }
    let inputs = RunInputs { snapshot, target, scenario };
    runtime.continue_run(run, &inputs, look)
}
