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

/// The started models, tools and functions that answer the questions of a target.
pub struct World {
    pub(crate) tools: Tools,
    pub(crate) wiring: Wiring,
    pub(crate) secrets: Arc<Secrets>,
}

/// What is known about a started world. It can be used after the world itself is given away.
pub struct WorldFacts {
    system: RunnableSystem,
    server_tools: ServerTools,
    secrets: Arc<Secrets>,
}

impl World {
    /// Starts what a target needs. Models, keys and headers are checked before anything starts.
    ///
    /// # Errors
    /// Where something is not configured, or cannot be started.
    pub async fn start(live: &Live, folder: &Path, wiring: Wiring, notes: Arc<dyn Notes>) -> Result<World> {
        models::plan(live, &wiring)?;
        let environment = Environment::of_folder(folder)?;
        let secrets = Arc::new(Secrets::resolve_in(&needed_keys(live, &wiring), environment));
        // A header of spans whose value cannot be found is an error before the start, too.
        secrets.headers()?;
        let tools = Tools::start(live, folder, &wiring, secrets.clone(), notes).await?;
        Ok(World { tools, wiring, secrets })
    }

    /// What is known about this world.
    #[must_use]
    pub fn facts(&self) -> WorldFacts {
        WorldFacts {
            system: self.wiring.system,
            server_tools: self.tools.of_servers(),
            secrets: Arc::clone(&self.secrets),
        }
    }

    /// Turns the world into what answers questions.
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
    /// Adds to a scenario what only a live run knows, such as the tools of servers.
    pub fn complete(&self, scenario: &mut Scenario) {
        systems::of(self.system).complete(scenario, self.server_tools.clone());
    }

    /// A text in which the secrets that are known here are masked.
    #[must_use]
    pub fn mask_text(&self, text: &str) -> String {
        self.secrets.mask_text(text)
    }
}
