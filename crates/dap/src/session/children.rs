//! Forks as sessions of their own, next to the run that they branch off.
//!
//! Input: a fork; output: the request `startDebugging` with a configuration that leads to the fork, and what follows if the client
//! refuses it. Invariant: the configuration names the same program or stored run, so that the session can be restarted.

use std::collections::BTreeMap;

use nodewise_debugger::forks::PreparedFork;
use nodewise_project::debug_configuration::DebugRequest;
use serde_json::{Map, Value, json};

use super::DebugSession;

/// The note for the user in a session that begins with recorded answers.
pub(super) const SIMULATED: &str =
    "The first answers are recorded. What follows is a simulation: no model and no tool is asked.";

/// The keys of a configuration that do not apply to a fork of its run.
const NOT_OF_FORKS: [&str; 8] =
    ["live", "goOn", "breakOnAsk", "stopOnEntry", "trace", "name", "preLaunchTask", "postDebugTask"];

/// The sessions that the client was asked to start.
#[derive(Default)]
pub(crate) struct ChildSessions {
    /// Whether the client can start sessions.
    pub(crate) are_supported: bool,
    /// The forks for which the client has not answered yet, by the number of the request.
    asked: BTreeMap<u64, PreparedFork>,
}

impl ChildSessions {
    /// Forgets the requests, because their forks are of a run that was replaced.
    pub(crate) fn forget(&mut self) {
        self.asked.clear();
    }
}

impl DebugSession<'_> {
    /// Whether a fork can be a session: the client can start one, and it would read the same files.
    pub(crate) fn can_start_child(&self) -> bool {
        let Some(run) = self.run.as_ref().filter(|_| self.children.are_supported) else { return false };
        let is_same = |path: &str, text: &str| {
            self.launcher.text(&run.files.root.join(path)).is_some_and(|now| now == text)
        };
        run.stored.is_some() || run.files.snapshot.files().iter().all(|file| is_same(&file.path, &file.text))
    }

    /// Asks the client to start a session with a fork.
    pub(crate) fn start_child(&mut self, fork: PreparedFork) {
        let Some(run) = &self.run else { return };
        let replay = fork.replay();
        let (request, configuration) = &self.raw_arguments;
        let own =
            |(key, _): &(&String, &Value)| !key.starts_with('_') && !NOT_OF_FORKS.contains(&key.as_str());
        let kept = configuration.as_object().into_iter().flatten().filter(own);
        let mut configuration: Map<String, Value> =
            kept.map(|(key, value)| (key.clone(), value.clone())).collect();
        let request = match (&run.stored, request) {
            (Some((id, folder)), request) => {
                if *request == DebugRequest::Launch {
                    configuration.retain(|key, _| OF_BOTH.contains(&key.as_str()));
                }
                configuration.insert("run".to_owned(), id.as_str().into());
                configuration.insert("folder".to_owned(), folder.to_string_lossy().into());
                "attach"
            }
            (None, DebugRequest::Launch) => "launch",
            (None, DebugRequest::Attach) => "attach",
        };
        configuration.insert("type".to_owned(), "nodewise".into());
        configuration.insert("request".to_owned(), request.into());
        configuration.insert("name".to_owned(), fork.label().into());
        configuration.insert("answers".to_owned(), json!({"seed": replay.seed, "events": replay.events()}));
        configuration.insert("stopAtEvent".to_owned(), fork.position().into());
        let arguments = json!({"request": request, "configuration": configuration});
        let number = self.request("startDebugging", &arguments);
        self.children.asked.insert(number, fork);
    }

    /// Handles the client's answer to a request to start a session. If the client refuses, the fork begins here as a branch.
    pub(crate) fn child_answered(&mut self, number: u64, is_started: bool) {
        let Some(fork) = self.children.asked.remove(&number).filter(|_| !is_started) else { return };
        match self.stopped_run_mut() {
            Ok(run) => {
                let stop = run.debugger.begin_fork(fork);
                self.stopped(&stop);
                self.output(
                    "console",
                    "The editor started no session. The other answer is a branch.\n",
                    None,
                );
            }
            Err(_) => {
                self.output("important", "The editor started no session with the other answer.\n", None)
            }
        }
    }
}

/// The keys that both `launch` and `attach` have.
const OF_BOTH: [&str; 3] = ["stopAtEnd", "timeline", "noDebug"];
