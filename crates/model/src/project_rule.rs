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
    /// Its name, without what stands in front of it in findings.
    pub id: Option<Located<SmolStr>>,
    /// What is reported, with names in braces.
    pub message: Option<Located<SmolStr>>,
    /// What to write instead, likewise.
    pub help: Option<Located<SmolStr>>,
    /// Why the project has the rule.
    pub why: Option<SmolStr>,
    /// How much harm the pattern does: the word.
    pub severity: Option<SmolStr>,
    /// What the rule looks at, each with its key; a rule that works has one.
    pub subjects: Vec<Located<RuleSubject>>,
    /// What must hold of each part that fits; without it, a part that fits is reported.
    pub must: Option<Located<PartPattern>>,
    pub tests: Vec<RuleTest>,
}

/// What a rule looks at.
#[derive(Debug, Clone)]
pub enum RuleSubject {
    /// Parts of a kind that fit a pattern.
    Parts(PartKind, PartPattern),
    /// Paths from one node to another.
    Paths(PathPattern),
}

/// A kind of part that a pattern can be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// A node, in a graph or alone.
    Node,
    /// What works with a model: a declared agent, or a node that is one itself.
    Agent,
    Graph,
}

/// What must hold of a part for it to fit: all of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PartPattern {
    /// Tests of its properties.
    pub tests: Vec<PropertyTest>,
    /// Patterns of which one must fit, if there are any.
    pub any: Vec<PartPattern>,
    /// A pattern that must not fit.
    pub not: Option<Box<PartPattern>>,
}

/// A test of a property of a part.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyTest {
    pub property: PartProperty,
    /// What must hold of it.
    pub test: ValueTest,
}

/// What must hold of a property. `*` in a text stands for any letters.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueTest {
    /// It is, or has, one of these.
    Is(Vec<SmolStr>),
    /// It is there and is none of these; a list has none of these.
    Not(Vec<SmolStr>),
    /// A list has nothing but these.
    Only(Vec<SmolStr>),
    /// Whether it is there at all.
    Set(bool),
    /// It is there, and at least so much.
    AtLeast(f64),
    /// It is there, and at most so much.
    AtMost(f64),
    /// It is so.
    Flag(bool),
}

/// A property of a part, in the terms of every system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartProperty {
    Id,
    /// Its name for people.
    Name,
    /// What it does, whatever its system calls it.
    Kind,
    /// The word of its system for what it does.
    TypeWord,
    /// The agent that a node calls.
    Agent,
    Model,
    /// Whose model it is.
    Provider,
    /// The tools that it may call.
    Tools,
    /// The servers that it may call.
    Servers,
    /// The guardrails that look at it.
    Guardrails,
    /// The keys that it may read.
    Reads,
    /// The keys that it may write.
    Writes,
    /// Whether it may read every key.
    ReadsAll,
    /// Whether it may write every key.
    WritesAll,
    /// The most tokens that it may use.
    MaxTokens,
    /// The most that it may cost, in US dollars.
    MaxCost,
    /// How long it may take, in milliseconds.
    Timeout,
    /// How often it is tried in all.
    Attempts,
    /// What side effects it has: the word.
    Effect,
    /// The graph that it runs.
    Runs,
    /// The sampling temperature.
    Temperature,
    /// The model calls of one visit at most.
    MaxSteps,
    /// How many nodes a graph has.
    NodeCount,
    /// How many edges a graph has.
    EdgeCount,
}

/// Paths from one node to another that avoid some nodes.
#[derive(Debug, Clone, Default)]
pub struct PathPattern {
    /// Where they begin.
    pub from: Option<Located<PathEnd>>,
    /// Where they lead.
    pub to: Option<Located<PathEnd>>,
    /// The nodes that they avoid.
    pub without: Option<PartPattern>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PathEnd {
    /// Where a run begins.
    Start,
    /// Where a run ends.
    End,
    /// A node that fits.
    Node(PartPattern),
}

/// A test of a rule: a project, with the findings that the rule has in it.
#[derive(Debug, Clone)]
pub struct RuleTest {
    /// What it shows.
    pub title: Option<Located<SmolStr>>,
    /// The files, in the notation of fixtures.
    pub text: Located<SmolStr>,
}

impl PartPattern {
    /// How many tests it has, those of patterns inside of it included.
    #[must_use]
    pub fn size(&self) -> usize {
        let inside = self.any.iter().chain(self.not.as_deref()).map(PartPattern::size);
        1 + self.tests.len() + inside.sum::<usize>()
    }
}
