//! Work that judges and keeps: verification of a part of the state, facts for later runs.
//! Settings are defaults where the author says nothing; nothing here can be invalid.

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use crate::condition::Condition;
use crate::origin::{Located, Origin, Setting};
use crate::reference::Reference;

/// A part of the state is evaluated.
#[derive(Debug, Clone, Default)]
pub struct VerifierWork {
    /// The settings' key, if they are there.
    pub settings_at: Option<Origin>,
    /// How it is evaluated; `None` if the settings cannot be read.
    pub verification: Option<Verification>,
    /// The state key of the verdict; `None` if the default name is used.
    pub result_key: Option<Located<SmolStr>>,
    /// Whether the node fails if the verification fails.
    pub throws: Setting<bool>,
}

/// How a part of the state is evaluated.
#[derive(Debug, Clone)]
pub enum Verification {
    /// By an agent that scores a key.
    Judge {
        /// The state key to judge.
        target: Option<Located<SmolStr>>,
        /// The agent that scores.
        evaluator: Option<Reference>,
        /// The lowest score that passes.
        threshold: Setting<f64>,
        /// What the agent must pay attention to.
        criteria: Option<SmolStr>,
    },
    Expression(Option<Condition>),
    /// By an assertion about what a JSONPath finds in a key.
    JsonPath(Box<JsonPathCheck>),
}

/// An assertion about what a JSONPath finds in a key.
#[derive(Debug, Clone)]
pub struct JsonPathCheck {
    /// The state key to search.
    pub target: Option<Located<SmolStr>>,
    pub path: Option<Condition>,
    /// What must be true about the first result.
    pub assertion: Option<Assertion>,
}

/// What must be true about a value.
#[derive(Debug, Clone)]
pub enum Assertion {
    /// The value exists and is not null.
    Exists,
    /// The value equals this scalar.
    Equals(Value),
    /// The value is a text that the pattern matches.
    Matches(Option<Located<SmolStr>>),
    /// The value is a number greater than this.
    Above(f64),
    /// The value is a number greater than or equal to this.
    AtLeast(f64),
    /// The value is a number less than this.
    Below(f64),
    /// The value is a number less than or equal to this.
    AtMost(f64),
}

/// Parts of the state are distilled to facts.
#[derive(Debug, Clone, Default)]
pub struct ReflectionWork {
    /// The settings' key, if they are there.
    pub settings_at: Option<Origin>,
    /// The keys that are distilled.
    pub sources: Vec<Located<SmolStr>>,
    /// How facts are found; `None` if the settings cannot be read.
    pub extractor: Option<Extractor>,
    /// Tags that every fact gets.
    pub tags: Vec<Located<SmolStr>>,
    /// The state keys whose texts name the entities that the facts are about.
    pub entities: Vec<Located<SmolStr>>,
    /// The state key of the summary; `None` if the default name is used.
    pub result_key: Option<Located<SmolStr>>,
}

/// How facts are found.
#[derive(Debug, Clone)]
pub enum Extractor {
    /// Each long sentence is a fact.
    Sentences {
        /// The minimum length of a fact, in characters.
        least_length: Setting<f64>,
    },
    /// An agent distils facts.
    Agent {
        agent: Option<Reference>,
        /// The instructions for the agent; `None` means the text of the engine.
        instruction: Option<SmolStr>,
        /// The maximum number of facts.
        max_facts: Setting<f64>,
    },
}
