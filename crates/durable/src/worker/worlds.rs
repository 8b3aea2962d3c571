//! What answers questions, started once for all runs that need the same.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use nodewise_live::answering::Answering;
use nodewise_live::planning::plan;
use nodewise_live::wiring::Wiring;
use nodewise_live::world::{World, WorldFacts};
use tokio::sync::OnceCell;

use super::Shared;
use crate::wire;

/// The started worlds, by the digest of the wiring that they serve.
#[derive(Default)]
pub(super) struct Worlds(Mutex<BTreeMap<String, KnownWorld>>);

#[derive(Default)]
struct KnownWorld {
    started: Arc<OnceCell<Arc<Started>>>,
    /// When its plan was last found to be allowed.
    allowed: Option<Instant>,
}

/// How long a check of the permission is valid. The check reads the code of all functions, which takes longer than many calls.
const PERMISSION: Duration = Duration::from_secs(1);

/// A started world for one wiring.
pub(super) struct Started {
    pub(super) answering: Arc<dyn Answering>,
    pub(super) facts: WorldFacts,
}

impl Shared {
    /// The world for a target, started if needed. Returns an error if the operator did not allow its plan.
    pub(super) async fn world(&self, wiring: &Wiring) -> Result<Arc<Started>> {
        let setup = &self.setup;
        let name = wire::digest_of(&wire::wiring_to_json(wiring).to_string());
        let allowed = self.worlds.known().get(&name).and_then(|world| world.allowed);
        if allowed.is_none_or(|at| at.elapsed() >= PERMISSION) {
            self.check(&plan(&setup.live, wiring, &setup.folder)?)?;
            self.worlds.known().entry(name.clone()).or_default().allowed = Some(Instant::now());
        }
        let started = Arc::clone(&self.worlds.known().entry(name).or_default().started);
        let start = || async {
            let world =
                World::start(&setup.live, &setup.folder, wiring.clone(), Arc::clone(&setup.notes)).await?;
            let facts = world.facts();
            anyhow::Ok(Arc::new(Started { answering: world.answering(&setup.live)?, facts }))
        };
        Ok(Arc::clone(started.get_or_try_init(start).await?))
    }
}

impl Worlds {
    fn known(&self) -> MutexGuard<'_, BTreeMap<String, KnownWorld>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
