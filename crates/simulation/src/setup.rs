//! What a run begins with, as a text: what is to run, what it is given, how the program around it is set up.
//!
//! Input: a target, and what scripts and the command line say; output: a script without answers, and the same read back.
//! Invariant: with the files that it was written for, the text says all that a run needs to be begun again, but for its answers.

use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::tables::scenario::SCRIPT_KIND;
use nodewise_model::scenario::Scenario;
use serde_json::Value as Json;

use crate::export_scenario::subject;
use crate::scenario::whole;
use crate::target::{SimulationTarget, TargetError};
use crate::writer::{read_back, setup_text};

/// Writes what a run begins with; `uses` are the scripts of the project that say the rest.
#[must_use]
pub fn text(
    snapshot: &Snapshot,
    target: &SimulationTarget,
    scenario: &Scenario,
    title: &str,
    uses: &[String],
) -> String {
    let mut lead = vec![("script", Json::from(title))];
    let uses: Vec<Json> = uses.iter().map(|path| format!("/{path}").into()).collect();
    match uses.as_slice() {
        [] => {}
        [one] => lead.push(("uses", one.clone())),
        _ => lead.push(("uses", Json::Array(uses))),
    }
    lead.extend(subject(snapshot, target, ""));
    setup_text(lead, scenario)
}

/// Reads what a run begins with.
///
/// # Errors
/// Where the text was written for other files.
pub fn read(snapshot: &Snapshot, text: &str) -> Result<(SimulationTarget, Scenario), TargetError> {
    let own = read_back(text, SCRIPT_KIND)
        .ok_or_else(|| TargetError::new("the recorded start of the run cannot be read".to_owned()))?;
    let scenario = whole(snapshot, &own, "")?;
    let target = SimulationTarget::find(snapshot, &scenario.target, "")?;
    Ok((target, scenario))
}
