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

#[derive(Debug, Clone)]
pub struct Scenario {
    /// The first line.
    pub head: Origin,
    /// What the scenario shows, as a title.
    pub title: Option<Located<SmolStr>>,
    /// Whether it is a script: it only has answers, and scenarios or the command line use it.
    pub is_script: bool,
    /// The script files whose answers are used too. Answers in this file take precedence.
    pub uses: Vec<Located<SmolStr>>,
    /// What runs.
    pub target: TargetNames,
    /// The state at the start of the run.
    pub start: StartState,
    pub answers: Answers,
    /// How the program around the graph is set up.
    pub host: HostSetup,
    /// The limits of the simulator.
    pub limits: RunLimits,
    /// The seed for random numbers.
    pub seed: Option<f64>,
    /// What happens after the run: the run is resumed, or a new run is forked from it.
    pub phases: Vec<Phase>,
    /// What must be true after the run.
    pub expect: Option<Expectations>,
    /// The judges of the result of a live run.
    pub judges: Vec<EvalJudge>,
    /// The cases, models and prompts of an eval; `None` for a script or a scenario.
    pub eval: Option<Box<Eval>>,
}

/// What a scenario runs: a graph, or one node.
#[derive(Debug, Clone, Default)]
pub struct TargetNames {
    /// The file that contains the declaration.
    pub file: Option<Located<SmolStr>>,
    pub graph: Option<Reference>,
    /// The node at which the run begins.
    pub node: Option<Located<SmolStr>>,
    /// Whether the run ends after that node.
    pub is_alone: bool,
}

/// The state at the start of a run.
#[derive(Debug, Clone, Default)]
pub struct StartState {
    /// The input of the run.
    pub input: Option<Located<Value>>,
    /// The goal of the run.
    pub goal: Option<Located<SmolStr>>,
    /// The constraints that the run must satisfy.
    pub constraints: Vec<Located<SmolStr>>,
    /// The initial values in the memory.
    pub memory: Vec<(Located<SmolStr>, Value)>,
    /// What the user says, one entry for each turn.
    pub turns: Vec<Turn>,
    /// Values that conditions and accounts can read in addition to the state.
    pub context: Option<Located<Value>>,
    /// The language of prompts.
    pub language: Option<Located<SmolStr>>,
    /// The language that is used if a prompt has no text in `language`.
    pub fallback_language: Option<Located<SmolStr>>,
}

/// What the user says in one turn.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The text.
    pub input: Value,
    /// The context of this turn, if it has its own.
    pub context: Option<Value>,
}

#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// The answers of models, tools and others, in the order of the text.
    pub parts: Vec<AnswerPart>,
    /// The decisions of people, in order, for every node that asks for one.
    pub decisions: Option<Located<Vec<ScriptedAnswer>>>,
    /// What happens where no answer is scripted, as the word in the file.
    pub otherwise: Option<Located<SmolStr>>,
}

/// The scripted answers of one respondent.
#[derive(Debug, Clone)]
pub struct AnswerPart {
    /// The sort of respondent.
    pub subject: Respondent,
    /// The name of the respondent; `None` if there is only one of its sort.
    pub name: Option<Located<SmolStr>>,
    /// The graph in which these answers apply; `None` means every graph.
    pub graph: Option<Located<SmolStr>>,
    /// The answers, in order.
    pub answers: Vec<ScriptedAnswer>,
    /// The place of the answers.
    pub at: Origin,
}

/// Who or what can answer in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Respondent {
    /// An agent, for whichever node calls it.
    Agent,
    /// A node, for anything that it asks while it works.
    Node,
    Tool,
    /// A function of the host program.
    Function,
    /// An extension and its method.
    Extension,
    /// A server with agents of another system.
    Server,
    /// A search for a capability, identified by its query.
    Search,
    Guardrails,
    /// A query of long-term memory.
    Recall,
    /// A write to long-term memory.
    Remember,
    /// The host's scoring of candidates.
    Fitness,
}

/// A scripted answer. The kind of question decides which of its parts have a meaning.
#[derive(Debug, Clone)]
pub struct ScriptedAnswer {
    pub at: Origin,
    /// When the answer applies.
    pub when: AnswerCondition,
    /// How often the answer is given.
    pub times: Times,
    /// How likely the answer is, relative to the others.
    pub weight: Option<Located<f64>>,
    /// Answers of which one is chosen. The other parts are empty then.
    pub one_of: Vec<ScriptedAnswer>,
    /// A text or another simple value that was written instead of a mapping.
    pub short: Option<Value>,
    /// The text that a model answers.
    pub text: Option<Located<SmolStr>>,
    /// The value that a tool returns, or the structured answer of a model.
    pub value: Option<Located<Value>>,
    /// The tools that a model calls.
    pub calls: Vec<ScriptedCall>,
    /// The error that is returned instead of an answer.
    pub error: Option<ScriptedError>,
    /// How long the answer takes, in milliseconds.
    pub after_ms: Option<Located<f64>>,
    /// How many tokens the model read.
    pub input_tokens: Option<Located<f64>>,
    /// How many tokens the model wrote.
    pub output_tokens: Option<Located<f64>>,
    /// The cost, in US dollars.
    pub cost_usd: Option<Located<f64>>,
    /// A person's decision, as the word in the file.
    pub decision: Option<Located<SmolStr>>,
    /// The data that a person adds.
    pub data: Option<Located<Value>>,
    /// The changes that a person makes in the state.
    pub updates: Vec<(Located<SmolStr>, Value)>,
    /// Whether the guardrails pass.
    pub passed: Option<Located<bool>>,
    /// The result of each guardrail.
    pub results: Option<Located<Value>>,
    /// The events of a voice session.
    pub events: Vec<ScriptedEvent>,
    /// The state of a remote task, as the word in the file.
    pub state: Option<Located<SmolStr>>,
    /// The artifacts of a remote task, by name.
    pub artifacts: Vec<(SmolStr, Value)>,
    /// The message of a remote agent.
    pub message: Option<SmolStr>,
    /// The id of the remote task.
    pub task: Option<SmolStr>,
    /// Values that are merged into the context of the node, in addition to the answer.
    pub context: Option<Value>,
    /// The whole result of the node. Its work does not run.
    pub result: Option<Located<Value>>,
    /// Values that replace those in the result of the node.
    pub patch: Option<Located<Value>>,
    /// The keys that were written, so that those without an effect can be reported.
    pub keys: Vec<Located<SmolStr>>,
}

/// How often an answer is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// At most this often.
    Count(u32),
    /// Every time it is needed.
    Always,
}

/// When a scripted answer applies. All parts that are given must match.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnswerCondition {
    /// The prompt of the model contains this text.
    pub prompt: Option<SmolStr>,
    /// The input contains these values under these keys.
    pub input: Option<Value>,
    pub attempt: Option<u32>,
    /// The number of the question to the same respondent, from 1.
    pub call: Option<u32>,
}

/// A tool call that a model makes.
#[derive(Debug, Clone)]
pub struct ScriptedCall {
    pub tool: Located<SmolStr>,
    pub arguments: Value,
    /// The id of the call, if it matters.
    pub id: Option<SmolStr>,
    /// The result of the tool, if it is given here.
    pub returns: Option<Value>,
    /// The error of the tool, if it is given here.
    pub error: Option<ScriptedError>,
}

/// An error that is returned instead of an answer.
#[derive(Debug, Clone)]
pub struct ScriptedError {
    pub at: Origin,
    /// The class of the error, in the words of the system.
    pub class: Option<SmolStr>,
    pub message: SmolStr,
    /// Whether a retry can help; `None` if the script does not say.
    pub retryable: Option<bool>,
    /// The class of the error that caused this one.
    pub cause: Option<SmolStr>,
}

/// An event of a voice session.
#[derive(Debug, Clone)]
pub struct ScriptedEvent {
    /// What happens, as the word in the file.
    pub name: SmolStr,
    /// The time since the event before it, in milliseconds.
    pub after_ms: f64,
    /// The data of the event.
    pub data: Value,
}

/// How the program around the graph is set up.
#[derive(Debug, Clone, Default)]
pub struct HostSetup {
    /// The version of the system to follow, as the word in the file.
    pub profile: Option<Located<SmolStr>>,
    /// Which one to follow where the documentation and the release differ, as the word in the file.
    pub reading: Option<Located<SmolStr>>,
    /// The maximum number of steps.
    pub max_iterations: Option<Located<f64>>,
    /// The maximum number of tokens.
    pub max_tokens: Option<Located<f64>>,
    /// The maximum cost, in US dollars.
    pub max_cost_usd: Option<Located<f64>>,
    /// The maximum time, in milliseconds.
    pub max_time_ms: Option<Located<f64>>,
    /// The time that conditions see when the run begins, in seconds since 1970.
    pub now: Option<Located<f64>>,
    pub run_id: Option<SmolStr>,
    /// Whether a run is complete if its last node has no edge to follow.
    pub implicit_completion: Option<bool>,
    /// Whether a failed run is rolled back.
    pub auto_rollback: Option<bool>,
    /// Whether a missing credential is an error.
    pub strict: Option<bool>,
    /// Whether service accounts are registered.
    pub accounts: Option<bool>,
    /// The tools that the program registers in addition to those with scripted answers.
    pub tools: Option<Vec<Located<SmolStr>>>,
    /// The tools whose results are tainted.
    pub untrusted_tools: Vec<Located<SmolStr>>,
    /// Agents that the program registers.
    pub agents: Vec<RegisteredAgent>,
    /// The prices of models, by name.
    pub prices: Vec<(Located<SmolStr>, ModelPrice)>,
    /// The services that are not available, as the words in the file.
    pub without: Vec<Located<SmolStr>>,
    /// The traits of the persona.
    pub traits: Vec<(Located<SmolStr>, f64)>,
    /// How checkpoints are stored, as the word in the file.
    pub checkpoint_store: Option<Located<SmolStr>>,
    /// Servers, each with the agents that may call it; `None` means all.
    pub servers: Vec<(Located<SmolStr>, Option<Vec<SmolStr>>)>,
    /// Servers of tools, each with its tools in addition to those that declarations name.
    pub server_tools: Vec<(Located<SmolStr>, Vec<SmolStr>)>,
    /// What the security policy says about nodes: a node and the word for it.
    pub policy: Vec<(Located<SmolStr>, Located<SmolStr>)>,
    /// What undoes the side effects of a node.
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
    /// The only keys that it may read; `None` means no limit.
    pub reads: Option<Vec<SmolStr>>,
    /// The only keys that it may write; `None` means no limit.
    pub writes: Option<Vec<SmolStr>>,
    /// The maximum number of model calls in one visit.
    pub max_steps: Option<f64>,
    /// The sampling temperature.
    pub temperature: Option<f64>,
    /// The price of its model.
    pub price: Option<ModelPrice>,
}

/// The price of a model, in US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ModelPrice {
    /// The price of tokens that the model reads.
    pub input: f64,
    /// The price of tokens that the model writes.
    pub output: f64,
}

/// The limits of the simulator for a run; `None` means the default of the simulator.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunLimits {
    /// The maximum number of visits.
    pub visits: Option<f64>,
    /// The maximum virtual time, in milliseconds.
    pub time_ms: Option<f64>,
    pub tokens: Option<f64>,
    /// The maximum cost, in US dollars.
    pub cost_usd: Option<f64>,
    /// How deep graphs may be nested.
    pub depth: Option<f64>,
    /// How many pieces of work may run at the same time.
    pub fan_out: Option<f64>,
    /// The maximum number of events in the log.
    pub events: Option<f64>,
}

/// A step that follows after a run.
#[derive(Debug, Clone)]
pub struct Phase {
    pub at: Origin,
    /// What to resume: `run`, a checkpoint, or `node:` and the name of a node.
    pub resume: Option<Located<SmolStr>>,
    /// The checkpoint from which a new run is forked.
    pub fork: Option<Located<SmolStr>>,
    /// Values that replace those in the state of the fork.
    pub patch: Option<Value>,
    /// Answers of nodes that replace those of the script in this phase.
    pub nodes: Vec<AnswerPart>,
    /// What must be true after this phase.
    pub expect: Option<Expectations>,
}

/// What must be true after a run.
#[derive(Debug, Clone, Default)]
pub struct Expectations {
    pub at: Option<Origin>,
    /// How the run ends, as the word in the file.
    pub status: Option<Located<SmolStr>>,
    /// The error with which the run fails.
    pub error: Option<ExpectedError>,
    /// The complete list of visited nodes, in order.
    pub path: Option<Located<Vec<Located<SmolStr>>>>,
    /// Nodes that are visited in this order; other nodes may be visited between them.
    pub in_order: Vec<Located<SmolStr>>,
    /// Nodes that must be visited.
    pub includes: Vec<Located<SmolStr>>,
    /// Nodes that must not be visited.
    pub excludes: Vec<Located<SmolStr>>,
    /// The nodes that follow the last visited node.
    pub next: Option<Located<Vec<Located<SmolStr>>>>,
    /// Values in the state at the end; other keys are allowed.
    pub state: Vec<(Located<SmolStr>, Located<Value>)>,
    /// The whole state at the end.
    pub whole_state: Option<Located<Value>>,
    /// The output of the run.
    pub output: Option<Located<Value>>,
    /// Calls of agents, nodes, tools, functions and others, by name.
    pub calls: Vec<ExpectedCalls>,
    /// The cost, in US dollars.
    pub cost_usd: Option<AmountBounds>,
    pub tokens: Option<AmountBounds>,
    /// The time, in milliseconds.
    pub time_ms: Option<AmountBounds>,
    /// The number of visits.
    pub visits: Option<AmountBounds>,
    /// The minimum coverage of the graph, in percent.
    pub coverage: Option<CoverageThresholds>,
}

/// Why a run is expected to fail.
#[derive(Debug, Clone)]
pub struct ExpectedError {
    pub at: Origin,
    pub class: Option<SmolStr>,
    /// A text that the message contains.
    pub message: Option<SmolStr>,
}

/// How often, and with which arguments, an agent, a tool or a person is called.
#[derive(Debug, Clone)]
pub struct ExpectedCalls {
    pub name: Located<SmolStr>,
    /// How often.
    pub count: Option<Located<f64>>,
    /// The arguments of each call in order. Other arguments are allowed.
    pub arguments: Option<Located<Vec<Value>>>,
}

/// Bounds of an amount, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AmountBounds {
    pub at: Origin,
    pub at_least: Option<f64>,
    pub at_most: Option<f64>,
}

/// The minimum coverage of a graph by all scenarios of a file, in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoverageThresholds {
    pub at: Origin,
    pub nodes: Option<f64>,
    pub edges: Option<f64>,
    /// The minimum coverage of conditions: which atoms were shown to decide on their own (MC/DC).
    pub conditions: Option<f64>,
}

impl Scenario {
    /// Whether it is a scenario with scripted answers: neither a script nor an eval.
    #[must_use]
    pub fn is_test(&self) -> bool {
        !self.is_script && self.eval.is_none()
    }

    /// The scenario itself, and the cases of its eval.
    pub fn with_cases(&self) -> impl Iterator<Item = &Scenario> {
        std::iter::once(self).chain(self.eval.iter().flat_map(|eval| &eval.cases))
    }
}

impl Expectations {
    /// These expectations; those of `others` fill the gaps.
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
    /// The respondent, as a noun for messages.
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
