//! A worker: it carries runs, and puts their questions to the world.
//!
//! Input: requests of an engine; output: runs and answers. Reading order: `services` (what the engine calls), `journal` (the
//! host of a run), `worlds` (models and tools, started when they are first needed), `declarations` (what runs of one project share), `pausing` (runs that wait for people leave the memory), `http` (the server, its health and its
//! figures). Invariant: nothing is started or called that its operator did not allow, and what a handler gives back is a pure
//! function of what the engine keeps.

mod declarations;
mod http;
mod journal;
mod metrics;
mod pausing;
mod record;
mod services;
mod worlds;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Result, anyhow};
use nodewise_live::telemetry::{SpanExport, SpanSink};
use nodewise_live::tools::Notes;
use nodewise_live::trust::{Plan, Trust};
use nodewise_project::config::live::Live;
use restate_sdk::prelude::{Endpoint, HandlerOptions, ServiceOptions};
use restate_sdk::service::IntoServiceDefinition;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use self::declarations::Declarations;
use self::metrics::Metrics;
use self::services::{Asks, Runs};
use self::worlds::Worlds;

/// The longest time that a call may take.
const LONGEST_CALL: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a call may be silent before the engine asks for its suspension.
const QUIET_CALL: Duration = Duration::from_secs(5 * 60);
/// How long a worker that ends waits for its spans to be sent.
const TIME_FOR_SPANS: Duration = Duration::from_secs(5);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The settings of a worker.
pub struct WorkerSetup {
    /// The configuration. Commands, addresses and functions come from here, never from the person who starts a run.
    pub live: Live,
    /// The folder of the worker's project.
    pub folder: PathBuf,
    /// What runs are allowed to start and call.
    pub permission: WorkerPermission,
    /// The public keys of the engines that may call.
    pub identities: Vec<String>,
    /// How many calls may be under way at once.
    pub calls_at_once: usize,
    /// For how many days the engine keeps runs that have ended.
    pub keep_days: u32,
    /// Observes what tools print besides their answers.
    pub notes: Arc<dyn Notes>,
}

/// What runs are allowed to start and call.
#[derive(Debug)]
pub enum WorkerPermission {
    /// Everything in this plan. Each entry must be exactly the same.
    Plan(Plan),
    /// What the worker's user allowed in its folder.
    User,
}

/// What all requests of a worker share.
struct Shared {
    setup: WorkerSetup,
    worlds: Worlds,
    declarations: Declarations,
    metrics: Metrics,
    permits: Semaphore,
    /// Where spans are sent; `None` if no collector is configured.
    spans: Option<SpanSink>,
    /// Markers that this process issued for calls that it has not made yet.
    unused_markers: Mutex<BTreeSet<u64>>,
}

/// Serves an engine on a socket until `stopped` is ready, and then until the open calls are done.
///
/// # Errors
/// Where a key of an engine is not valid, or spans cannot be sent as configured.
pub async fn serve(
    setup: WorkerSetup,
    listener: TcpListener,
    stopped: impl Future<Output = ()>,
) -> Result<()> {
    let export = SpanExport::of_project(&setup.live, &setup.folder)?;
    let shared = Arc::new(Shared {
        spans: export.as_ref().map(SpanExport::sink),
        worlds: Worlds::default(),
        declarations: Declarations::default(),
        metrics: Metrics::default(),
        permits: Semaphore::new(setup.calls_at_once.clamp(1, Semaphore::MAX_PERMITS)),
        unused_markers: Mutex::default(),
        setup,
    });
    let kept = DAY * shared.setup.keep_days.max(1);
    let runs = Runs(Arc::clone(&shared)).into_service_definition().options(
        ServiceOptions::new()
            .journal_retention(kept)
            .enable_lazy_state(true)
            .handler("run", HandlerOptions::new().workflow_retention(kept)),
    );
    let asks = Asks(Arc::clone(&shared)).into_service_definition().options(
        ServiceOptions::new()
            .ingress_private(true)
            .inactivity_timeout(QUIET_CALL)
            .abort_timeout(LONGEST_CALL),
    );
    let mut endpoint = Endpoint::builder().bind(runs).bind(asks);
    for key in &shared.setup.identities {
        endpoint = endpoint.identity_key(key).map_err(|error| {
            anyhow!("`{key}` is not the public key of an engine: {error}\n  help: the engine writes its key to its log: `publickeyv1_…`")
        })?;
    }
    let notes = Arc::clone(&shared.setup.notes);
    http::serve(endpoint.build(), shared, listener, stopped).await;
    if let Some(export) = export {
        let report = tokio::task::spawn_blocking(|| export.finish(TIME_FOR_SPANS)).await.unwrap_or_default();
        if let Some(reason) = report.reason {
            notes.note("warning", &format!("not all spans were sent: {reason}"));
        }
    }
    Ok(())
}

impl Shared {
    /// Returns an error if a plan holds something that is not allowed.
    fn check(&self, plan: &Plan) -> Result<()> {
        let folder = &self.setup.folder;
        let missing = match &self.setup.permission {
            WorkerPermission::Plan(allowed) => plan.beyond(allowed),
            WorkerPermission::User => Trust::of_user()?.missing(folder, plan)?,
        };
        match missing.is_empty() {
            true => Ok(()),
            false => Err(anyhow!(
                "this worker is not allowed what the run starts and calls:\n{}  help: its operator allows it with `nodewise serve \
                 --allow plan.json`; `nodewise run --dry-run --format json` writes such a plan",
                missing.text()
            )),
        }
    }

    fn markers(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.unused_markers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A random number, so that no other process uses it as a marker.
    fn new_marker(&self) -> Result<u64> {
        let bytes = crate::wire::random()?;
        // JSON numbers are exact up to 53 bits.
        Ok(u64::from_le_bytes(bytes) >> 11)
    }
}

/// The time, in milliseconds since 1970.
fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
