//! What answers questions, started once for all runs that need the same.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use nodewise_live::answering::Answering;
use nodewise_live::planning::plan;
use nodewise_live::wiring::Wiring;
use nodewise_live::world::{World, WorldFacts};
use tokio::sync::OnceCell;

use super::Shared;
use crate::wire;

/// What is started, by what it is needed for.
#[derive(Default)]
pub(super) struct Worlds {
    started: Mutex<BTreeMap<String, Arc<OnceCell<Arc<Started>>>>>,
}

/// What is started for a target.
pub(super) struct Started {
    pub(super) answering: Arc<dyn Answering>,
    pub(super) facts: WorldFacts,
}

impl Shared {
    /// What answers for a target, with the operator's permission.
    pub(super) async fn world(&self, wiring: &Wiring) -> Result<Arc<Started>> {
        let setup = &self.setup;
        self.check(&plan(&setup.live, wiring, &setup.folder)?)?;
        let name = wire::digest_of(&wire::wiring_to_json(wiring).to_string());
        let cell = {
            let mut started = self.worlds.started.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(started.entry(name).or_default())
        };
        let start = || async {
            let world =
                World::start(&setup.live, &setup.folder, wiring.clone(), Arc::clone(&setup.notes)).await?;
            let facts = world.facts();
            anyhow::Ok(Arc::new(Started { answering: world.answering(&setup.live)?, facts }))
        };
        Ok(Arc::clone(cell.get_or_try_init(start).await?))
    }
}
