//! Scripts and scenarios: what models, tools, people and everything else outside of a graph answer in a dry run, what the
//! run begins with, and what must hold. They know no system; what a system has no use for is the loader's to report.
//!
//! A part that is absent or unreadable is `None` or empty.

mod eval;

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use crate::origin::{Located, Origin};
use crate::reference::Reference;
pub use eval::{Eval, EvalJudge, JudgeQuestion, ModelChoice, PromptChoice};

/// A script, or a scenario.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The first line.
    pub head: Origin,
    /// What it shows, in words.
    pub title: Option<Located<SmolStr>>,
    /// Whether it is answers alone, for scenarios and the command line to use.
    pub is_script: bool,
    /// The files of scripts whose answers it uses too; its own come first.
    pub uses: Vec<Located<SmolStr>>,
    /// What runs.
    pub target: TargetNames,
    /// What the run begins with.
    pub start: StartState,
    pub answers: Answers,
    /// How the program around the graph is set up.
    pub host: HostSetup,
    /// What the simulator allows the run.
    pub limits: RunLimits,
    /// The seed of the run's randomness.
    pub seed: Option<f64>,
    /// What happens after the run: it is resumed, or another one is forked from it.
    pub phases: Vec<Phase>,
    /// What must hold.
    pub expect: Option<Expectations>,
    /// What judges the result of a live run.
    pub judges: Vec<EvalJudge>,
    /// The cases of an eval, and what they are run with; `None` for a script or scenario.
    pub eval: Option<Box<Eval>>,
}

/// What runs.
#[derive(Debug, Clone, Default)]
pub struct TargetNames {
    /// The file that declares it.
    pub file: Option<Located<SmolStr>>,
    pub graph: Option<Reference>,
    /// The node that the run begins at.
    pub node: Option<Located<SmolStr>>,
    /// Whether the run ends behind that node.
    pub is_alone: bool,
}

/// What a run begins with.
#[derive(Debug, Clone, Default)]
pub struct StartState {
    /// What the run is given.
    pub input: Option<Located<Value>>,
    /// What the run is to achieve.
    pub goal: Option<Located<SmolStr>>,
    /// What it must keep to.
    pub constraints: Vec<Located<SmolStr>>,
    /// What the memory holds.
    pub memory: Vec<(Located<SmolStr>, Value)>,
    /// What the user says, turn by turn.
    pub turns: Vec<Turn>,
    /// What conditions and accounts see beside the state.
    pub context: Option<Located<Value>>,
    /// The language of prompts.
    pub language: Option<Located<SmolStr>>,
    /// The language of prompts that lack the other.
    pub fallback_language: Option<Located<SmolStr>>,
}

/// What the user says in a turn.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The text.
    pub input: Value,
    /// The context of this turn, if it has its own.
    pub context: Option<Value>,
}

#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// Who answers what, in the order of the text.
    pub parts: Vec<AnswerPart>,
    /// The decisions of people, in order, for any node that asks.
    pub decisions: Option<Located<Vec<ScriptedAnswer>>>,
    /// What is answered where nothing is scripted: the word.
    pub otherwise: Option<Located<SmolStr>>,
}

/// What one who is asked answers.
#[derive(Debug, Clone)]
pub struct AnswerPart {
    /// What sort of thing is asked.
    pub subject: Respondent,
    /// Its name; `None` where there is but one of its sort.
    pub name: Option<Located<SmolStr>>,
    /// The graph whose questions are meant; `None` is all.
    pub graph: Option<Located<SmolStr>>,
    /// The answers, in order.
    pub answers: Vec<ScriptedAnswer>,
    /// Where the answers stand.
    pub at: Origin,
}

/// Who can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Respondent {
    /// An agent, whichever node calls it.
    Agent,
    /// Whatever a node asks for its work.
    Node,
    Tool,
    /// A function of the host program.
    Function,
    /// An extension and its method.
    Extension,
    /// A server with agents of another system.
    Server,
    /// A search for a capability, by its words.
    Search,
    Guardrails,
    /// Long-term memory that is read.
    Recall,
    /// Long-term memory that is written.
    Remember,
    /// The host's score of candidates.
    Fitness,
}

/// An answer. Which of its parts mean something depends on what is asked.
#[derive(Debug, Clone)]
pub struct ScriptedAnswer {
    pub at: Origin,
    /// What must hold of the question.
    pub when: AnswerCondition,
    /// How often it is given.
    pub times: Times,
    /// How likely it is among others.
    pub weight: Option<Located<f64>>,
    /// Answers of which one is given; the rest of this one is empty then.
    pub one_of: Vec<ScriptedAnswer>,
    /// A text, or another simple value, that stands for the whole answer.
    pub short: Option<Value>,
    /// What a model says.
    pub text: Option<Located<SmolStr>>,
    /// The value that a tool yields, or a model that must answer with one.
    pub value: Option<Located<Value>>,
    /// The tools that a model asks for.
    pub calls: Vec<ScriptedCall>,
    /// Why there is no answer.
    pub error: Option<ScriptedError>,
    /// How long it takes, in milliseconds.
    pub after_ms: Option<Located<f64>>,
    /// Tokens that the model read.
    pub input_tokens: Option<Located<f64>>,
    /// Tokens that the model wrote.
    pub output_tokens: Option<Located<f64>>,
    /// What it costs, in US dollars.
    pub cost_usd: Option<Located<f64>>,
    /// A person's decision: the word.
    pub decision: Option<Located<SmolStr>>,
    /// What a person adds.
    pub data: Option<Located<Value>>,
    /// What a person changes in the state.
    pub updates: Vec<(Located<SmolStr>, Value)>,
    /// Whether guardrails are content.
    pub passed: Option<Located<bool>>,
    /// What each guardrail found.
    pub results: Option<Located<Value>>,
    /// What happens in a voice session.
    pub events: Vec<ScriptedEvent>,
    /// The state of a remote task: the word.
    pub state: Option<Located<SmolStr>>,
    /// What a remote task made, by name.
    pub artifacts: Vec<(SmolStr, Value)>,
    /// What a remote agent says.
    pub message: Option<SmolStr>,
    /// The id of a remote task.
    pub task: Option<SmolStr>,
    /// What is merged into the context of the node beside the answer.
    pub context: Option<Value>,
    /// The whole result of the node, in the place of its work.
    pub result: Option<Located<Value>>,
    /// What is put over the result of the node.
    pub patch: Option<Located<Value>>,
    /// The keys that are written, for reports of what means nothing here.
    pub keys: Vec<Located<SmolStr>>,
}

/// How often an answer is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// So often.
    Count(u32),
    /// Whenever it is asked for.
    Always,
}

/// What must hold of a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnswerCondition {
    /// The prompt of the model contains this.
    pub prompt: Option<SmolStr>,
    /// The input holds these values under these keys.
    pub input: Option<Value>,
    pub attempt: Option<u32>,
    /// It is this question to the same one.
    pub call: Option<u32>,
}

/// A tool that a model asks for.
#[derive(Debug, Clone)]
pub struct ScriptedCall {
    pub tool: Located<SmolStr>,
    pub arguments: Value,
    /// The id of the call, where it matters.
    pub id: Option<SmolStr>,
    /// What the tool yields, where that is said here.
    pub returns: Option<Value>,
    /// Why the tool fails, where that is said here.
    pub error: Option<ScriptedError>,
}

/// Why there is no answer.
#[derive(Debug, Clone)]
pub struct ScriptedError {
    pub at: Origin,
    /// The class, as the system names it.
    pub class: Option<SmolStr>,
    /// The text.
    pub message: SmolStr,
    /// Whether trying again can help; `None` when it does not say.
    pub retryable: Option<bool>,
    /// The class of the error below it.
    pub cause: Option<SmolStr>,
}

/// Something that happens in a voice session.
#[derive(Debug, Clone)]
pub struct ScriptedEvent {
    /// What happens: the word.
    pub name: SmolStr,
    /// How long after the event before it, in milliseconds.
    pub after_ms: f64,
    /// What comes with it.
    pub data: Value,
}

/// How the program around the graph is set up.
#[derive(Debug, Clone, Default)]
pub struct HostSetup {
    /// The version of the system that is followed: the word.
    pub profile: Option<Located<SmolStr>>,
    /// Whether what the documentation says counts where the release does something else: the word.
    pub reading: Option<Located<SmolStr>>,
    /// The most steps.
    pub max_iterations: Option<Located<f64>>,
    /// The most tokens.
    pub max_tokens: Option<Located<f64>>,
    /// The most money, in US dollars.
    pub max_cost_usd: Option<Located<f64>>,
    /// The longest time, in milliseconds.
    pub max_time_ms: Option<Located<f64>>,
    /// The time of conditions when the run begins, in seconds since 1970.
    pub now: Option<Located<f64>>,
    pub run_id: Option<SmolStr>,
    /// Whether a run whose last node leads nowhere is complete.
    pub implicit_completion: Option<bool>,
    /// Whether a failed run is rolled back.
    pub auto_rollback: Option<bool>,
    /// Whether a missing credential is an error.
    pub strict: Option<bool>,
    /// Whether service accounts are registered.
    pub accounts: Option<bool>,
    /// The tools that the program registers beside those that are scripted.
    pub tools: Option<Vec<Located<SmolStr>>>,
    /// The tools whose results are tainted.
    pub untrusted_tools: Vec<Located<SmolStr>>,
    /// Agents that the program registers.
    pub agents: Vec<RegisteredAgent>,
    /// What models cost.
    pub prices: Vec<(Located<SmolStr>, ModelPrice)>,
    /// The services that are not wired: the words.
    pub without: Vec<Located<SmolStr>>,
    /// The traits of the persona.
    pub traits: Vec<(Located<SmolStr>, f64)>,
    /// How checkpoints are kept: the word.
    pub checkpoint_store: Option<Located<SmolStr>>,
    /// Servers, with the agents that may call them; `None` is all.
    pub servers: Vec<(Located<SmolStr>, Option<Vec<SmolStr>>)>,
    /// Servers of tools, with the tools that they have beside those that declarations name.
    pub server_tools: Vec<(Located<SmolStr>, Vec<SmolStr>)>,
    /// The words of a security policy about nodes.
    pub policy: Vec<(Located<SmolStr>, Located<SmolStr>)>,
    /// What undoes the effect of nodes.
    pub compensations: Vec<(Located<SmolStr>, Value)>,
}

/// An agent that the program registers.
#[derive(Debug, Clone)]
pub struct RegisteredAgent {
    pub id: Located<SmolStr>,
    /// The system prompt.
    pub prompt: Option<SmolStr>,
    /// The tools that it may call.
    pub tools: Vec<Located<SmolStr>>,
    /// The keys that it may read; `None` is no limit.
    pub reads: Option<Vec<SmolStr>>,
    /// The keys that it may write; `None` is no limit.
    pub writes: Option<Vec<SmolStr>>,
    /// The model calls of one visit at most.
    pub max_steps: Option<f64>,
    /// The sampling temperature.
    pub temperature: Option<f64>,
    /// What its model costs.
    pub price: Option<ModelPrice>,
}

/// What a model costs, in US dollars a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ModelPrice {
    /// Tokens that it reads.
    pub input: f64,
    /// Tokens that it writes.
    pub output: f64,
}

/// What the simulator allows a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunLimits {
    /// Visits of nodes.
    pub visits: Option<f64>,
    /// Virtual time, in milliseconds.
    pub time_ms: Option<f64>,
    pub tokens: Option<f64>,
    /// Money, in US dollars.
    pub cost_usd: Option<f64>,
    /// Graphs inside one another.
    pub depth: Option<f64>,
    /// Work at once.
    pub fan_out: Option<f64>,
    /// Events of the log.
    pub events: Option<f64>,
}

/// What happens after a run.
#[derive(Debug, Clone)]
pub struct Phase {
    pub at: Origin,
    /// What is resumed: `run`, a checkpoint, or `node:` and a node.
    pub resume: Option<Located<SmolStr>>,
    /// The checkpoint that a new run is forked from.
    pub fork: Option<Located<SmolStr>>,
    /// What is put over the state of the fork.
    pub patch: Option<Value>,
    /// Answers of nodes in this phase, in the place of the script's.
    pub nodes: Vec<AnswerPart>,
    /// What must hold of this phase.
    pub expect: Option<Expectations>,
}

/// What must hold of a run.
#[derive(Debug, Clone, Default)]
pub struct Expectations {
    pub at: Option<Origin>,
    /// How it ends: the word.
    pub status: Option<Located<SmolStr>>,
    /// Why it failed.
    pub error: Option<ExpectedError>,
    /// The nodes that are visited, exactly these in this order.
    pub path: Option<Located<Vec<Located<SmolStr>>>>,
    /// Nodes that are visited in this order, others between them or not.
    pub in_order: Vec<Located<SmolStr>>,
    /// Nodes that are visited.
    pub includes: Vec<Located<SmolStr>>,
    /// Nodes that are not visited.
    pub excludes: Vec<Located<SmolStr>>,
    /// The nodes that the last visited node leads to.
    pub next: Option<Located<Vec<Located<SmolStr>>>>,
    /// What the state holds at the end, among other things.
    pub state: Vec<(Located<SmolStr>, Located<Value>)>,
    /// The whole state at the end.
    pub whole_state: Option<Located<Value>>,
    /// What the run gives back.
    pub output: Option<Located<Value>>,
    /// What is asked: agents, nodes, tools, functions and others, by name.
    pub calls: Vec<ExpectedCalls>,
    /// The money, in US dollars.
    pub cost_usd: Option<AmountBounds>,
    pub tokens: Option<AmountBounds>,
    /// The time, in milliseconds.
    pub time_ms: Option<AmountBounds>,
    /// The visits of nodes.
    pub visits: Option<AmountBounds>,
    /// How much of the graph is visited, in percent.
    pub coverage: Option<CoverageThresholds>,
}

/// Why a run is expected to fail.
#[derive(Debug, Clone)]
pub struct ExpectedError {
    pub at: Origin,
    pub class: Option<SmolStr>,
    /// A part of the message.
    pub message: Option<SmolStr>,
}

/// How often an agent, a tool or a person is expected to be asked, and what.
#[derive(Debug, Clone)]
pub struct ExpectedCalls {
    /// Who is asked.
    pub name: Located<SmolStr>,
    /// How often.
    pub count: Option<Located<f64>>,
    /// The arguments of each call in order, as far as they matter.
    pub arguments: Option<Located<Vec<Value>>>,
}

/// Bounds of an amount, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AmountBounds {
    pub at: Origin,
    pub at_least: Option<f64>,
    pub at_most: Option<f64>,
}

/// How much of a graph must be visited over all scenarios of a file, in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoverageThresholds {
    pub at: Origin,
    pub nodes: Option<f64>,
    pub edges: Option<f64>,
    /// Of the values that parts of conditions must have had to matter.
    pub conditions: Option<f64>,
}

impl Scenario {
    /// Whether it is a scenario that runs with scripted answers: neither answers alone nor an eval.
    #[must_use]
    pub fn is_test(&self) -> bool {
        !self.is_script && self.eval.is_none()
    }

    /// Itself, and the cases of an eval.
    pub fn with_cases(&self) -> impl Iterator<Item = &Scenario> {
        std::iter::once(self).chain(self.eval.iter().flat_map(|eval| &eval.cases))
    }
}

impl Expectations {
    /// The same, where what is not said is as `others` say it.
    #[must_use]
    pub fn or(&self, others: &Expectations) -> Expectations {
        fn list<T: Clone>(own: &[T], others: &[T]) -> Vec<T> {
            if own.is_empty() { others.to_vec() } else { own.to_vec() }
        }
        let ends = self.status.is_some() || self.error.is_some();
        let has_path = self.path.is_some()
            || !self.in_order.is_empty()
            || !self.includes.is_empty()
            || !self.excludes.is_empty();
        let path = if has_path { self } else { others };
        Expectations {
            at: self.at.or(others.at),
            status: if ends { self.status.clone() } else { others.status.clone() },
            error: if ends { self.error.clone() } else { others.error.clone() },
            path: path.path.clone(),
            in_order: path.in_order.clone(),
            includes: path.includes.clone(),
            excludes: path.excludes.clone(),
            next: self.next.clone().or_else(|| others.next.clone()),
            state: list(&self.state, &others.state),
            whole_state: self.whole_state.clone().or_else(|| others.whole_state.clone()),
            output: self.output.clone().or_else(|| others.output.clone()),
            calls: list(&self.calls, &others.calls),
            cost_usd: self.cost_usd.or(others.cost_usd),
            tokens: self.tokens.or(others.tokens),
            time_ms: self.time_ms.or(others.time_ms),
            visits: self.visits.or(others.visits),
            coverage: self.coverage.or(others.coverage),
        }
    }
}

impl RunLimits {
    /// Replaces the limits that `others` sets.
    pub fn replace_by(&mut self, others: &RunLimits) {
        let RunLimits { visits, time_ms, tokens, cost_usd, depth, fan_out, events } = *others;
        self.visits = visits.or(self.visits);
        self.time_ms = time_ms.or(self.time_ms);
        self.tokens = tokens.or(self.tokens);
        self.cost_usd = cost_usd.or(self.cost_usd);
        self.depth = depth.or(self.depth);
        self.fan_out = fan_out.or(self.fan_out);
        self.events = events.or(self.events);
    }
}

impl Respondent {
    /// Who is asked, in words.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Respondent::Agent => "agent",
            Respondent::Node => "node",
            Respondent::Tool => "tool",
            Respondent::Function => "function",
            Respondent::Extension => "extension",
            Respondent::Server => "server",
            Respondent::Search => "search",
            Respondent::Guardrails => "guardrails",
            Respondent::Recall => "memory",
            Respondent::Remember => "memory writer",
            Respondent::Fitness => "fitness function",
        }
    }
}
