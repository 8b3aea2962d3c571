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
    /// How it is evaluated; `None` if that cannot be read.
    pub verification: Option<Verification>,
    /// The key of the verdict, where it has a name of its own.
    pub result_key: Option<Located<SmolStr>>,
    /// Whether a failed verification fails the node.
    pub throws: Setting<bool>,
}

/// How a part of the state is evaluated.
#[derive(Debug, Clone)]
pub enum Verification {
    /// By an agent that scores a key.
    Judge {
        /// The key.
        target: Option<Located<SmolStr>>,
        /// The agent.
        evaluator: Option<Reference>,
        /// The score from which it passes.
        threshold: Setting<f64>,
        /// What the agent must look at.
        criteria: Option<SmolStr>,
    },
    Expression(Option<Condition>),
    /// By an assertion about what a JSONPath finds in a key.
    JsonPath(Box<JsonPathCheck>),
}

/// An assertion about what a JSONPath finds in a key.
#[derive(Debug, Clone)]
pub struct JsonPathCheck {
    /// The key.
    pub target: Option<Located<SmolStr>>,
    pub path: Option<Condition>,
    /// What must hold of the first result.
    pub assertion: Option<Assertion>,
}

/// What must hold of a value.
#[derive(Debug, Clone)]
pub enum Assertion {
    /// It is there and not null.
    Exists,
    /// It is this scalar.
    Equals(Value),
    /// It is a text that the pattern matches.
    Matches(Option<Located<SmolStr>>),
    /// It is a number above.
    Above(f64),
    /// It is a number not below.
    AtLeast(f64),
    /// It is a number below.
    Below(f64),
    /// It is a number not above.
    AtMost(f64),
}

/// Parts of the state are distilled to facts.
#[derive(Debug, Clone, Default)]
pub struct ReflectionWork {
    /// The settings' key, if they are there.
    pub settings_at: Option<Origin>,
    /// The keys that are distilled.
    pub sources: Vec<Located<SmolStr>>,
    /// How facts are found; `None` while that cannot be read.
    pub extractor: Option<Extractor>,
    /// The tags of every fact.
    pub tags: Vec<Located<SmolStr>>,
    /// The keys whose texts name what the facts are about.
    pub entities: Vec<Located<SmolStr>>,
    /// The key of the summary, where it has a name of its own.
    pub result_key: Option<Located<SmolStr>>,
}

/// How facts are found.
#[derive(Debug, Clone)]
pub enum Extractor {
    /// Each long sentence is a fact.
    Sentences {
        /// The characters of the shortest fact.
        least_length: Setting<f64>,
    },
    /// An agent distils facts.
    Agent {
        agent: Option<Reference>,
        /// Its instructions, instead of the engine's own text.
        instruction: Option<SmolStr>,
        /// The most facts.
        max_facts: Setting<f64>,
    },
}
