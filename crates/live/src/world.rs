//! What answers the questions of a target: its models, tools and functions, started.
//!
//! Input: what a target needs, the configuration, a folder. Output: who answers. Invariant: a model or a key that is missing is
//! reported before anything starts.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use nodewise_model::scenario::Scenario;
use nodewise_project::config::live::Live;
use nodewise_simulation::system::RunnableSystem;

use crate::answering::Answering;
use crate::environment::Environment;
use crate::models::{self, Models};
use crate::needed_keys::needed_keys;
use crate::providers::Providers;
use crate::secrets::Secrets;
use crate::systems::{self, ServerTools};
use crate::tools::{Notes, Tools};
use crate::wiring::Wiring;

/// What answers the questions of a target, started.
pub struct World {
    pub(crate) tools: Tools,
    pub(crate) wiring: Wiring,
    pub(crate) secrets: Arc<Secrets>,
}

/// What is known of a world since it was started.
pub struct WorldFacts {
    system: RunnableSystem,
    server_tools: ServerTools,
    secrets: Arc<Secrets>,
}

impl World {
    /// Starts what a target needs.
    ///
    /// # Errors
    /// Where something is not configured, or cannot be started.
    pub async fn start(live: &Live, folder: &Path, wiring: Wiring, notes: Arc<dyn Notes>) -> Result<World> {
        models::plan(live, &wiring)?;
        let environment = Environment::of_folder(folder)?;
        let secrets = Arc::new(Secrets::resolve_in(&needed_keys(live, &wiring), environment));
        // So is a header of spans whose value cannot be had.
        secrets.headers()?;
        let tools = Tools::start(live, folder, &wiring, secrets.clone(), notes).await?;
        Ok(World { tools, wiring, secrets })
    }

    /// What is known since it was started.
    #[must_use]
    pub fn facts(&self) -> WorldFacts {
        WorldFacts {
            system: self.wiring.system,
            server_tools: self.tools.of_servers(),
            secrets: Arc::clone(&self.secrets),
        }
    }

    /// Who answers.
    ///
    /// # Errors
    /// Where a model is not configured.
    pub fn answering(self, live: &Live) -> Result<Arc<dyn Answering>> {
        let World { tools, wiring, secrets } = self;
        let models = Models::new(live, &wiring, tools.offered(), Arc::clone(&secrets))?;
        Ok(Arc::new(Providers::new(models, tools, secrets)))
    }
}

impl WorldFacts {
    /// Completes a scenario with what a live run has and a script would say.
    pub fn complete(&self, scenario: &mut Scenario) {
        systems::of(self.system).complete(scenario, self.server_tools.clone());
    }

    /// A text without the secrets that are known here.
    #[must_use]
    pub fn mask_text(&self, text: &str) -> String {
        self.secrets.mask_text(text)
    }
}
