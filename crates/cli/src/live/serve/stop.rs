//! The signals that end a server.

use anyhow::{Context, Result};

/// The signals that end a server: SIGTERM, and Ctrl-C.
pub(super) struct Stop {
    #[cfg(unix)]
    terminated: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupted: tokio::signal::unix::Signal,
}

impl Stop {
    /// Listens from now on; needs a runtime.
    pub(super) fn new() -> Result<Stop> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            Ok(Stop {
                terminated: signal(SignalKind::terminate()).context("SIGTERM cannot be handled")?,
                interrupted: signal(SignalKind::interrupt()).context("Ctrl-C cannot be handled")?,
            })
        }
        #[cfg(not(unix))]
        Ok(Stop {})
    }

    /// Waits for the next one.
    pub(super) async fn wait(&mut self) {
        #[cfg(unix)]
        tokio::select! {
            _ = self.interrupted.recv() => {}
            _ = self.terminated.recv() => {}
        }
        #[cfg(not(unix))]
        tokio::signal::ctrl_c().await.ok();
    }
}
