//! A worker handles each item (cycgraph:6.9). In: the slice, and items of it or of the graph; out: what the workers
//! wrote, in the order of the items. Invariant: workers see the map's slice, and their own policies are ignored.

use std::sync::Arc;

use nodewise_expr::javascript::number_to_text;
use nodewise_expr::jsonpath::{self, PathErrorKind};
use nodewise_expr::value::{Map as Mapping, Value};
use nodewise_model::cycgraph::{MapWork, Work};
use smol_str::{SmolStr, format_smolstr};

use super::done;
use crate::ask::{Question, Reply, ToolQuestion};
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::action::{NodeAction, Output, Stopped};
use crate::systems::cycgraph::agent_call::{AgentCall, AgentJob, saved};
use crate::systems::cycgraph::gathered::{self, WorkerUsage};
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::pool::{PieceResult, Plan, Pool, WorkerPool};
use crate::systems::cycgraph::program::{NodeId, NodeProgram};
use crate::systems::cycgraph::tools::{SAVE, ToolSet};
use crate::systems::cycgraph::{Cycgraph, failures};
use crate::time::Millis;

/// The word for a map that fails with its first failing item.
const FAIL_FAST: &str = "fail_fast";

/// An attempt of a map node.
#[derive(Debug, Clone)]
pub(super) struct Map {
    workers: Workers,
    pool: Option<Pool>,
}

/// The pool that handles the items.
#[derive(Debug, Clone)]
struct Workers {
    input: Input,
    items: Arc<[Value]>,
    worker: Option<NodeId>,
    /// The worker's name.
    label: SmolStr,
    /// Tokens of the finished workers, and how many workers have finished.
    tokens: f64,
    done: f64,
}

/// A tool that handles an item.
#[derive(Debug, Clone)]
struct ToolWorker {
    input: Input,
    key: SmolStr,
    tool: SmolStr,
    arguments: Value,
    is_answered: bool,
}

impl Map {
    pub(super) fn new(input: Input) -> Map {
        let workers = Workers {
            input,
            items: Arc::default(),
            worker: None,
            label: SmolStr::default(),
            tokens: 0.0,
            done: 0.0,
        };
        Map { workers, pool: None }
    }

    fn begin(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Result<Option<NodeAction>, Failure> {
        let program = context.program().clone();
        let node = self.workers.input.node(&program);
        let settings = settings(&node.work)
            .ok_or_else(|| failures::node_config("map", &node.id, "map_reduce_config"))?;
        self.workers.items = items(settings, node, &self.workers.input)?;
        let total = self.workers.items.len();
        let most = settings.max_items.value;
        if total as f64 > most {
            let most = number_to_text(most);
            let lacks =
                format!("at most {most} items (resolved {total}) — chunk the input or lower the item count");
            return Err(failures::node_config("map", &node.id, &lacks));
        }
        if total == 0 {
            let mut updates = Mapping::new();
            updates.insert(key(node, "results"), Value::List([].into()));
            updates.insert(key(node, "count"), Value::Number(0.0));
            return Ok(Some(NodeAction::merge(updates)));
        }
        let worker = settings.worker.as_ref().map(|worker| worker.value.clone()).unwrap_or_default();
        let found = self.workers.input.graph(&program).named(&worker);
        let lacks = || failures::node_config("map", &node.id, &format!("worker node \"{worker}\""));
        self.workers.worker = Some(found.ok_or_else(lacks)?);
        self.workers.label.clone_from(&worker);
        let plan = Plan {
            total,
            places: settings.max_concurrency.value as usize,
            fails_fast: settings.on_error.value == FAIL_FAST,
            timeout: settings.timeout_ms.as_ref().map(|timeout| Millis::from_f64(timeout.value)),
        };
        self.pool = Some(Pool::begin(plan, &mut self.workers, context));
        Ok(None)
    }

    fn action(&self, results: Vec<(usize, PieceResult)>, context: &TaskContext<'_, Cycgraph>) -> NodeAction {
        let program = context.program();
        let node = self.workers.input.node(program);
        let worker = &self.workers.label;
        let mut worker_usage = WorkerUsage::default();
        let (mut successes, mut errors, mut actions) = (Vec::new(), Vec::new(), Vec::new());
        for (item, result) in results {
            let mut row = Mapping::new();
            row.insert("index", Value::Number(item as f64));
            row.insert("node_id", Value::Text(worker.clone()));
            match result {
                Ok(action) => {
                    worker_usage.add(&action);
                    row.insert("updates", gathered::updates(&action).into());
                    successes.push(row.into());
                    actions.push(action);
                }
                Err(text) => {
                    row.insert("error", Value::Text(text));
                    errors.push(row.into());
                }
            }
        }
        let keys = ["results", "errors", "count", "error_count"].map(|suffix| key(node, suffix));
        let taint =
            gathered::taint_of(actions.iter().map(|action| &**action), &keys, &node.id, context.now());
        let count = |rows: &[Value]| Value::Number(rows.len() as f64);
        let values = [count(&successes), count(&errors)];
        let lists: [Value; 2] = [Value::List(successes.into()), Value::List(errors.into())];
        let updates = keys.into_iter().zip(lists.into_iter().chain(values)).collect();
        NodeAction {
            taint,
            usage: Some(worker_usage.tokens),
            model: worker_usage.model,
            ..NodeAction::merge(updates)
        }
    }

    fn goes_on(
        &mut self,
        wake: Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        match &mut self.pool {
            Some(pool) => pool.wake(wake, &mut self.workers, context),
            None => {
                if let Some(end) = self.begin(context).transpose() {
                    return Some(end);
                }
            }
        }
        let results = self.pool.as_mut()?.take_results()?;
        Some(results.map(|results| self.action(results, context)))
    }
}

impl Workers {
    /// What the worker is given about its item.
    fn context(&self, piece: usize) -> Mapping {
        let mut context = Mapping::new();
        context.insert("map_item", self.items.get(piece).cloned().unwrap_or(Value::Undefined));
        context.insert("map_index", Value::Number(piece as f64));
        context.insert("map_total", Value::Number(self.items.len() as f64));
        context
    }

    fn agent(
        &self,
        worker: &NodeProgram,
        piece: usize,
        context: &TaskContext<'_, Cycgraph>,
    ) -> Result<Box<dyn Task<Cycgraph>>, Failure> {
        let agent =
            worker.agent.clone().ok_or_else(|| failures::node_config("agent", &worker.id, "agent_id"))?;
        let job = AgentJob {
            context: Some(self.context(piece).into()),
            timeout: worker.timeout,
            attempt: 1,
            ..AgentJob::of_node(&self.input, worker, agent)
        };
        Ok(Box::new(AgentCall::new(job, &self.input, context)?))
    }

    fn tool(
        &self,
        worker: &NodeProgram,
        tool: Option<SmolStr>,
        piece: usize,
        context: &TaskContext<'_, Cycgraph>,
    ) -> Result<Box<dyn Task<Cycgraph>>, Failure> {
        let lacks = |what: &str| failures::node_config("tool", &worker.id, what);
        let tool = tool.filter(|tool| !tool.is_empty()).ok_or_else(|| lacks("tool_id"))?;
        let tools = ToolSet::resolve(worker.tools.as_deref().unwrap_or_default(), &context.program().host)?;
        if !tools.has(&tool) && !tools.echoes {
            return Err(lacks(&format!("resolvable tool \"{tool}\"")));
        }
        let mut arguments = Mapping::clone(&self.input.slice.memory);
        for (key, value) in self.context(piece).iter() {
            arguments.insert(key.clone(), value.clone());
        }
        let arguments = Value::from(arguments);
        let is_answered = tool == SAVE || !tools.has(&tool);
        let arguments = if tool == SAVE { saved(&arguments) } else { arguments };
        let key = format_smolstr!("{}_result", worker.id);
        Ok(Box::new(ToolWorker { input: self.input.clone(), key, tool, arguments, is_answered }))
    }
}

impl WorkerPool for Workers {
    fn begin(
        &self,
        piece: usize,
        context: &TaskContext<'_, Cycgraph>,
    ) -> Result<Box<dyn Task<Cycgraph>>, Failure> {
        let program = context.program();
        let Some(worker) = self.worker.map(|worker| self.input.graph(program).node(worker)) else {
            return Err(failures::unsupported(""));
        };
        match &worker.work {
            Work::Agent(_) => self.agent(worker, piece, context),
            Work::Tool(work) => {
                let tool = work.tool.as_ref().map(|tool| tool.value.clone());
                self.tool(worker, tool, piece, context)
            }
            Work::Router(_)
            | Work::Subgraph(_)
            | Work::Human(_)
            | Work::Supervisor(_)
            | Work::Synthesizer
            | Work::RemoteAgent(_)
            | Work::Map(_)
            | Work::Voting(_)
            | Work::Evolution(_)
            | Work::Verifier(_)
            | Work::Reflection(_)
            | Work::Unknown => Err(failures::unsupported(&worker.type_word)),
        }
    }

    fn label(&self, _: usize, _: &TaskContext<'_, Cycgraph>) -> SmolStr {
        self.label.clone()
    }

    fn is_rationed(&self, _: &TaskContext<'_, Cycgraph>) -> bool {
        self.input.state.max_token_budget.is_some_and(|budget| budget != 0.0)
    }

    fn refusal(&self) -> Option<SmolStr> {
        let budget = self.input.state.max_token_budget.filter(|budget| *budget != 0.0)?;
        let average = if self.done > 0.0 { self.tokens / self.done } else { 0.0 };
        let spent = self.input.state.tokens + self.tokens;
        (spent + average > budget).then(|| {
            let (spent, budget) = (number_to_text(spent), number_to_text(budget));
            format_smolstr!("token budget nearly exhausted ({spent} of {budget} spent)")
        })
    }

    fn finished(&mut self, action: &NodeAction) {
        self.tokens += action.usage.map_or(0.0, |usage| usage.total);
        self.done += 1.0;
    }
}

fn settings(work: &Work) -> Option<&MapWork> {
    match work {
        Work::Map(map) if map.settings_at.is_some() => Some(map),
        _ => None,
    }
}

fn key(node: &NodeProgram, suffix: &str) -> SmolStr {
    format_smolstr!("{}_{suffix}", node.id)
}

/// The items: those written in the document, or those that the path finds in what the node sees.
fn items(settings: &MapWork, node: &NodeProgram, input: &Input) -> Result<Arc<[Value]>, Failure> {
    if let Some(items) = &settings.items {
        return Ok(items.value.as_slice().into());
    }
    let Some(path) = settings.items_path.as_ref().filter(|path| !path.text.is_empty()) else {
        return Err(failures::node_config("map", &node.id, "static_items or items_path"));
    };
    let found = jsonpath::map_items(&jsonpath::parse(&path.text).path, &view(input));
    found.map(Into::into).map_err(|error| match error.kind {
        PathErrorKind::Thrown => {
            let lacks = format!("valid items_path (\"{}\" failed)", path.text);
            Failure { cause: Some(failures::PLAIN.into()), ..failures::node_config("map", &node.id, &lacks) }
        }
        _ => failures::not_simulated(&node.id, &error.message),
    })
}

/// The value that the path is applied to: what the node sees of the state.
fn view(input: &Input) -> Value {
    let state = &input.state;
    let mut view = Mapping::new();
    view.insert("workflow_id", Value::Text(state.workflow_id.clone()));
    view.insert("run_id", Value::Text(state.run_id.clone()));
    view.insert("goal", Value::Text(state.goal.clone()));
    view.insert("constraints", state.constraints.iter().map(|text| Value::Text(text.clone())).collect());
    view.insert("memory", input.slice.value());
    if !input.slice.taint.is_empty() {
        view.insert("taint", Value::Map(input.slice.taint.clone()));
    }
    view.into()
}

impl Task<Cycgraph> for Map {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.goes_on(wake, context).map_or(Flow::Wait, done)
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }

    fn cut_off(&self, context: &mut TaskContext<'_, Cycgraph>) -> Option<Output> {
        let failure = self.pool.as_ref()?.cut_off(&self.workers, context)?.err()?;
        Some(Output::Stopped(Box::new(Stopped { failure, used: None })))
    }
}

impl ToolWorker {
    fn finished(&self, value: Value) -> Flow<Output> {
        done(Ok(NodeAction::update([(self.key.clone(), value)].into_iter().collect())))
    }
}

impl Task<Cycgraph> for ToolWorker {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        match wake {
            Wake::Start if self.is_answered => self.finished(self.arguments.clone()),
            Wake::Start => {
                let (tool, arguments) = (self.tool.clone(), self.arguments.clone());
                let question = Question::Tool(ToolQuestion { tool, arguments, call: None });
                let ask = self.input.ask(context.program(), question);
                context.ask(self.input.visit, ask);
                Flow::Wait
            }
            Wake::Answer(_, answer) => match answer.result {
                Ok(Reply::Value(value)) => self.finished(value),
                Ok(_) => self.finished(Value::Undefined),
                Err(failure) => done(Err(failure)),
            },
            _ => Flow::Wait,
        }
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }
}
