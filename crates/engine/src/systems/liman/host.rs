//! What the program around an agent decides: whose engine runs, where it begins, in which language, how far it goes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::account::RunAccount;

/// How many visits a turn, or an executor, may have where the host says nothing.
pub const MAX_ITERATIONS: u32 = 50;

/// The language that texts without a language code are in, and that missing texts are taken from.
const DEFAULT_LANGUAGE: &str = "en";

/// Whose engine runs (liman:7).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LimanProfile {
    /// The specification's: calls and returns, every edge, `depends`.
    #[default]
    Spec,
    /// liman 0.1.0 on liman_core 0.1.1: jumps, and returns to nobody.
    Release,
    /// liman 0.1.0a4 on liman_core 0.1.0: calls and returns, concurrently.
    Classic,
}

/// The program around an agent.
#[derive(Debug, Clone)]
pub struct Host {
    /// Whose engine runs.
    pub profile: LimanProfile,
    /// The node that takes each turn, as `Kind/name` or as the name of a model node.
    pub start: SmolStr,
    /// The language of prompts.
    pub language: SmolStr,
    /// The language of what has no text in that one.
    pub fallback: SmolStr,
    /// The most visits of a turn; in the releases of an executor, and of turns.
    pub max_iterations: u32,
    /// Whether a model's call of a tool that it was not given is an error.
    pub strict: bool,
    /// The time at the beginning of the run, in seconds since 1970 UTC.
    pub now: f64,
    /// The nodes, as `Kind/name`, whose function the program does not have.
    pub missing_functions: BTreeSet<SmolStr>,
    /// Accounts that the program registers in code, by name.
    pub accounts: BTreeMap<SmolStr, RunAccount>,
}

/// What a user says, and the context that the program gives with it.
#[derive(Debug, Clone)]
pub struct UserTurn {
    /// What the start node is given; mostly a text.
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

    /// The profile of a version, as configuration names it.
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
    /// A host that begins at a node and is otherwise as usual.
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
    /// A turn without context.
    #[must_use]
    pub fn saying(text: &str) -> UserTurn {
        UserTurn { input: Value::from(text), context: Arc::default() }
    }
}
