//! Watches the process of the client. If the editor was killed, the server ends, even if a child of the editor still
//! has its input open.
//!
//! Input: the `processId` of `initialize`. Output: the end of this process. Invariant: if the system cannot say whether
//! the client's process is alive, nothing ends.

use std::time::Duration;

use serde_json::Value;

/// The time between two checks.
const INTERVAL: Duration = Duration::from_secs(3);
/// The exit code after the client's process has ended, the same as after the end of the input.
const LEFT: i32 = 1;

/// Ends this process a few seconds after the client's process has ended. The parameters of `initialize` name that process.
pub(crate) fn watch(parameters: &Value) {
    let named = parameters.get("processId").and_then(Value::as_i64).and_then(|id| i32::try_from(id).ok());
    let Some(client) = named else { return };
    let watching = std::thread::Builder::new().name("nodewise-client".to_owned()).spawn(move || {
        while !is_gone(client) {
            std::thread::sleep(INTERVAL);
        }
        tracing::warn!(process = client, "the client's process is gone");
        std::process::exit(LEFT);
    });
    if let Err(error) = watching {
        tracing::warn!(%error, "cannot watch the client's process");
    }
}

#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    Pid::from_raw(process).is_some_and(|process| test_kill_process(process) == Err(Errno::SRCH))
}

/// On other systems, the input ends together with the process that holds it.
#[cfg(not(unix))]
fn is_gone(_process: i32) -> bool {
    false
}
