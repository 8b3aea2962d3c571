//! New runs that begin with the answers of stored ones.
//!
//! Input: a stored run and a point of it. Output: what runs now, and where the two runs part. Invariant: the new run uses the files
//! as they are now; the stored run stays as it is.

use nodewise_expr::json::from_json;
use nodewise_live::fork::{Fork, ForkPoint};
use nodewise_model::scenario::{RunLimits, Scenario};
use nodewise_simulation::setup;
use nodewise_simulation::target::SimulationTarget;
use serde::Deserialize;
use serde_json::{Map, Value};
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::Uri;

use super::failed;
use super::stored::{FoundRun, Resumption, last};
use crate::handlers::simulate::refused;
use crate::request::Asked;

/// The member `from` of the argument of `nodewise.run`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ForkRequest {
    /// The run: its id, the beginning of its id, or `last`.
    #[serde(default = "last")]
    run: String,
    /// A file of its project. Without it, all projects are searched.
    uri: Option<Uri>,
    /// The step from which on everything is asked again: its number from 1, or the name of a node, which means the
    /// node's last step.
    step: Option<Value>,
    /// An event of the run, which means the step that it belongs to.
    event: Option<usize>,
    /// New values for keys of the state, which are set before the step.
    #[serde(default)]
    set: Map<String, Value>,
}

/// What the new run runs, in the files as they are now.
pub(super) struct Subject {
    pub(super) target: SimulationTarget,
    pub(super) scenario: Scenario,
}

impl ForkRequest {
    /// Finds the stored run.
    pub(super) fn found<'v>(&self, asked: &Asked<'v>) -> Result<FoundRun<'v>> {
        Resumption::of(&self.run, self.uri.clone()).found(asked)
    }

    /// What the new run runs, in the files as they are now.
    pub(super) fn subject(found: &FoundRun<'_>) -> Result<Subject> {
        let snapshot = &found.project.snapshot;
        let (target, mut scenario) = setup::read(snapshot, &found.stored.new.scenario).map_err(refused)?;
        scenario.seed = Some(found.stored.new.seed as f64);
        scenario.limits.replace_by(&found.stored.limits);
        Ok(Subject { target, scenario })
    }

    /// Where the new run begins to differ from the stored one, and with which changes.
    pub(super) fn fork<'f>(&self, found: &'f FoundRun<'_>) -> Result<Fork<'f>> {
        let stored = &found.stored;
        let step =
            self.step.as_ref().map(|step| step.as_str().map_or_else(|| step.to_string(), str::to_owned));
        let point = match self.event {
            Some(event) => ForkPoint::at_event(stored, event),
            None => ForkPoint::find(stored, step.as_deref(), &RunLimits::default()),
        };
        let changes = self.set.iter().map(|(key, value)| (key.into(), from_json(value.clone()))).collect();
        Ok(Fork { from: stored, point: point.map_err(failed)?, changes })
    }
}
