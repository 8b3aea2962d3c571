//! What the program around an agent decides: which engine runs, where it starts, which language prompts have, which
//! limits apply.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::account::RunAccount;

/// How many visits a turn, or an executor, may have if the host does not say.
pub const MAX_ITERATIONS: u32 = 50;

/// The language of texts without a language code. Missing texts are also taken from it.
const DEFAULT_LANGUAGE: &str = "en";

/// The engine that runs (liman:7).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LimanProfile {
    /// The specification's engine: calls and returns, every edge, `depends`.
    #[default]
    Spec,
    /// liman 0.1.0 on liman_core 0.1.1: it jumps, and never returns.
    Release,
    /// liman 0.1.0a4 on liman_core 0.1.0: it calls and returns, concurrently.
    Classic,
}

/// The program around an agent.
#[derive(Debug, Clone)]
pub struct Host {
    pub profile: LimanProfile,
    /// The node where each turn starts, as `Kind/name`, or as the name alone for a model node.
    pub start: SmolStr,
    /// The language of prompts.
    pub language: SmolStr,
    /// The language of texts that are missing in `language`.
    pub fallback: SmolStr,
    /// The most visits of a turn. In the releases: of an executor, and the most turns.
    pub max_iterations: u32,
    /// Whether it is an error if a model calls a tool that it was not given.
    pub strict: bool,
    /// The time at the beginning of the run, in seconds since 1970 UTC.
    pub now: f64,
    /// The nodes, as `Kind/name`, whose function is missing in the program.
    pub missing_functions: BTreeSet<SmolStr>,
    /// Accounts that the program registers in code, by name.
    pub accounts: BTreeMap<SmolStr, RunAccount>,
}

/// A message of a user, with the context that the program adds.
#[derive(Debug, Clone)]
pub struct UserTurn {
    /// The input of the start node; usually a text.
    pub input: Value,
    /// The run's context.
    pub context: Arc<Map>,
}

impl LimanProfile {
    /// Whether it is one of the released engines.
    #[must_use]
    pub fn is_release(self) -> bool {
        self != LimanProfile::Spec
    }

    /// The profile for a version, as configuration names it.
    #[must_use]
    pub fn named(word: &str) -> Option<LimanProfile> {
        match word {
            "spec" => Some(LimanProfile::Spec),
            "0.1.1" => Some(LimanProfile::Release),
            "0.1.0" => Some(LimanProfile::Classic),
            _ => None,
        }
    }
}

impl Host {
    /// A host that starts at a node and has the usual values otherwise.
    #[must_use]
    pub fn starting_at(start: impl Into<SmolStr>) -> Host {
        Host {
            profile: LimanProfile::Spec,
            start: start.into(),
            language: DEFAULT_LANGUAGE.into(),
            fallback: DEFAULT_LANGUAGE.into(),
            max_iterations: MAX_ITERATIONS,
            strict: false,
            now: 0.0,
            missing_functions: BTreeSet::new(),
            accounts: BTreeMap::new(),
        }
    }
}

impl UserTurn {
    /// A turn with a text, without context.
    #[must_use]
    pub fn saying(text: &str) -> UserTurn {
        UserTurn { input: Value::from(text), context: Arc::default() }
    }
}
