//! The process of the client: a server whose editor was killed ends, even if some child of the editor holds its input open.
//!
//! Input: the `processId` of `initialize`. Output: the end of the process. Invariant: where the system cannot say whether a
//! process lives, nothing is ended.

use std::time::Duration;

use serde_json::Value;

/// The time between two looks.
const INTERVAL: Duration = Duration::from_secs(3);
/// What a server that was left alone ends with, as at the end of its input.
const LEFT: i32 = 1;

/// Ends this process some seconds after the client's, which the parameters of `initialize` name.
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
        tracing::warn!(%error, "nobody watches the client's process");
    }
}

#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    Pid::from_raw(process).is_some_and(|process| test_kill_process(process) == Err(Errno::SRCH))
}

/// Elsewhere the input ends with the process that holds it.
#[cfg(not(unix))]
fn is_gone(_process: i32) -> bool {
    false
}
