//! A rule that a project writes for itself: a pattern over the model, what is reported where it fits, and tests.
//!
//! Patterns ask for properties, which mean the same in every system. Whether a system's declarations can say a property at
//! all is in its table. Invariant: a pattern that cannot be read is absent, and the rule is not applied.

use smol_str::SmolStr;

use crate::origin::{Located, Origin};

#[derive(Debug, Clone)]
pub struct ProjectRule {
    /// The first line.
    pub head: Origin,
    /// The name, without the `project/` that findings put in front of it.
    pub id: Option<Located<SmolStr>>,
    /// The message of its findings, with placeholders in braces.
    pub message: Option<Located<SmolStr>>,
    /// The help of its findings, with placeholders in braces.
    pub help: Option<Located<SmolStr>>,
    /// The author's reason for the rule.
    pub why: Option<SmolStr>,
    /// The severity of its findings, as the word in the file.
    pub severity: Option<SmolStr>,
    /// What the rule checks, each with its key. A valid rule has exactly one.
    pub subjects: Vec<Located<RuleSubject>>,
    /// What must be true for each part that matches. `None` reports every part that matches.
    pub must: Option<Located<PartPattern>>,
    pub tests: Vec<RuleTest>,
}

/// What a rule checks.
#[derive(Debug, Clone)]
pub enum RuleSubject {
    /// The parts of a kind that match a pattern.
    Parts(PartKind, PartPattern),
    Paths(PathPattern),
}

/// A kind of part that a pattern can be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// A node, in a graph or alone.
    Node,
    /// Anything that calls a model: a declared agent, or a node that calls a model itself.
    Agent,
    Graph,
}

/// A pattern for a part. The part matches if all fields of the pattern are satisfied.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PartPattern {
    /// Tests that must all hold.
    pub tests: Vec<PropertyTest>,
    /// Patterns of which at least one must match; an empty list has no effect.
    pub any: Vec<PartPattern>,
    /// A pattern that must not match.
    pub not: Option<Box<PartPattern>>,
}

/// A test of a property of a part.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyTest {
    pub property: PartProperty,
    pub test: ValueTest,
}

/// What must be true for a property. `*` in a text matches any characters.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueTest {
    /// The value is one of these, or the list contains one of these.
    Is(Vec<SmolStr>),
    /// The value exists and is none of these, or the list contains none of these.
    Not(Vec<SmolStr>),
    /// The list contains nothing but these.
    Only(Vec<SmolStr>),
    /// Whether the value exists.
    Set(bool),
    /// The value exists and is at least this.
    AtLeast(f64),
    /// The value exists and is at most this.
    AtMost(f64),
    /// A yes/no property has this value.
    Flag(bool),
}

/// A property of a part, in terms that fit every system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartProperty {
    Id,
    /// The display name.
    Name,
    /// What the part does, in a word that is the same for every system.
    Kind,
    /// What the part does, in the word of its system.
    TypeWord,
    /// The agent that a node calls.
    Agent,
    Model,
    /// The provider of the model.
    Provider,
    /// The tools that it may call.
    Tools,
    /// The servers that it may call.
    Servers,
    /// The guardrails that check the part.
    Guardrails,
    /// The keys that it may read.
    Reads,
    /// The keys that it may write.
    Writes,
    /// Whether it may read every key.
    ReadsAll,
    /// Whether it may write every key.
    WritesAll,
    /// The maximum number of tokens.
    MaxTokens,
    /// The maximum cost, in US dollars.
    MaxCost,
    /// The maximum time, in milliseconds.
    Timeout,
    /// The maximum number of attempts.
    Attempts,
    /// Which side effects the part has, as the word in the file.
    Effect,
    /// The graph that the node runs.
    Runs,
    /// The sampling temperature.
    Temperature,
    /// The maximum number of model calls in one visit.
    MaxSteps,
    /// How many nodes a graph has.
    NodeCount,
    /// How many edges a graph has.
    EdgeCount,
}

/// Paths from one node to another that avoid some nodes.
#[derive(Debug, Clone, Default)]
pub struct PathPattern {
    /// Where the paths begin.
    pub from: Option<Located<PathEnd>>,
    /// Where the paths lead.
    pub to: Option<Located<PathEnd>>,
    /// Only paths that avoid every node that matches this are reported.
    pub without: Option<PartPattern>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PathEnd {
    /// Where a run begins.
    Start,
    /// Where a run ends.
    End,
    /// A node that matches.
    Node(PartPattern),
}

/// A test of a project rule: files, with the findings that are expected in them.
#[derive(Debug, Clone)]
pub struct RuleTest {
    /// What the test shows.
    pub title: Option<Located<SmolStr>>,
    /// The files, in the notation of fixtures.
    pub text: Located<SmolStr>,
}

impl PartPattern {
    /// The number of tests in the pattern, those in nested patterns included.
    #[must_use]
    pub fn size(&self) -> usize {
        let inside = self.any.iter().chain(self.not.as_deref()).map(PartPattern::size);
        1 + self.tests.len() + inside.sum::<usize>()
    }
}
