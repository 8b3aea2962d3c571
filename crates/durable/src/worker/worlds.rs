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

/// What is started, by what it is needed for.
#[derive(Default)]
pub(super) struct Worlds(Mutex<BTreeMap<String, KnownWorld>>);

#[derive(Default)]
struct KnownWorld {
    started: Arc<OnceCell<Arc<Started>>>,
    /// When it was last found to be allowed.
    allowed: Option<Instant>,
}

/// How long a permission holds. To find out what is started reads the code of all functions, which takes longer than many calls.
const PERMISSION: Duration = Duration::from_secs(1);

/// What is started for a target.
pub(super) struct Started {
    pub(super) answering: Arc<dyn Answering>,
    pub(super) facts: WorldFacts,
}

impl Shared {
    /// What answers for a target, with the operator's permission.
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
