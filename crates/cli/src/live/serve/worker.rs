//! The worker: its configuration, its permission, its socket, and its end.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use nodewise_durable::client::EngineClient;
use nodewise_durable::worker::{self, WorkerPermission, WorkerSetup};
use nodewise_live::tools::Notes;
use nodewise_live::trust::Plan;
use tokio::net::TcpListener;

use super::ServeOptions;
use super::stop::Stop;
use crate::live::configuration::configuration;
use crate::outcome::Outcome;
use crate::output::{Output, complain, remark};

/// What tools print, as lines on standard error.
struct Lines;

impl Notes for Lines {
    fn note(&self, source: &str, line: &str) {
        complain(&format!("{source}: {line}"));
    }
}

/// Runs the worker until it has to stop.
pub(super) fn run(options: &ServeOptions, _output: &mut Output) -> Result<Outcome> {
    let project = options.project.as_deref().unwrap_or(Path::new("."));
    let folder =
        std::fs::canonicalize(project).with_context(|| format!("`{}` cannot be read", project.display()))?;
    let config = configuration(&folder)?;
    let listen = options.listen.clone().unwrap_or(config.serve.listen.clone());
    let address: SocketAddr = listen.parse().with_context(|| {
        format!("`{listen}` is not an address to listen on\n  help: write an IP address and a port, like 127.0.0.1:9080")
    })?;
    if config.serve.identity.is_empty() && !address.ip().is_loopback() {
        bail!(
            "anybody could call the worker at {address}, because no engine is named\n  help: set `identity = [\"publickeyv1_…\"]` under \
             [serve] in nodewise.toml, or listen on 127.0.0.1"
        );
    }
    let setup = WorkerSetup {
        permission: permission(options)?,
        identities: config.serve.identity.clone(),
        calls_at_once: config.serve.calls_at_once,
        keep_days: config.serve.keep_days,
        live: config.live,
        folder,
        notes: Arc::new(Lines),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_name("nodewise-worker")
        .build()
        .context("cannot start the threads of the worker")?;
    runtime.block_on(serve(options, setup, address))?;
    // Tasks that still run end with the process. A call that outlasts the time to end is repeated elsewhere.
    runtime.shutdown_background();
    Ok(Outcome::Clean)
}

async fn serve(options: &ServeOptions, setup: WorkerSetup, address: SocketAddr) -> Result<()> {
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}\n  help: another program may use the port"))?;
    let address = listener.local_addr().context("the address of the worker is unknown")?;
    let mut stop = Stop::new()?;
    let serving = worker::serve(setup, listener, async move {
        stop.wait().await;
        remark("the worker ends when the calls in progress are done");
        // The second one ends the process; calls that are cut off are made again elsewhere, with notice.
        tokio::spawn(async move {
            stop.wait().await;
            std::process::exit(130);
        });
    });
    let registered = async {
        if let (Some(admin), Some(reached_as)) = (&options.register, &options.reached_as) {
            let engine = EngineClient::new(admin, &[], Some(admin), None)?;
            engine.register(reached_as, options.force).await?;
            remark(&format!("registered {reached_as} at {admin}"));
        }
        remark(&format!("listening on {address}"));
        std::future::pending::<Result<()>>().await
    };
    tokio::select! {
        served = serving => served,
        failed = registered => failed,
    }
}

/// What runs may start and call.
fn permission(options: &ServeOptions) -> Result<WorkerPermission> {
    if options.allow.is_empty() {
        return Ok(WorkerPermission::User);
    }
    let mut allowed = Plan::default();
    for file in &options.allow {
        let text =
            std::fs::read_to_string(file).with_context(|| format!("`{}` cannot be read", file.display()))?;
        let plan = Plan::read(&text).with_context(|| {
            format!(
                "`{}` is no plan\n  help: write one with `nodewise run TARGET --dry-run --format json`",
                file.display()
            )
        })?;
        plan.parts().cloned().for_each(|part| allowed.add(part));
    }
    Ok(WorkerPermission::Plan(allowed))
}
