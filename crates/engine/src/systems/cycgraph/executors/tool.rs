//! A call of a tool with the node's slice (cycgraph:6.6). In: the slice; out: the result, under a key of the node.

use nodewise_expr::javascript::is_truthy;
use nodewise_expr::value::Value;
use nodewise_model::cycgraph::Work;
use smol_str::{SmolStr, format_smolstr};

use super::done;
use crate::ask::{Answer, Question, Reply, ToolQuestion};
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::action::{NodeAction, Output};
use crate::systems::cycgraph::agent_call::saved;
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::report::Reporter;
use crate::systems::cycgraph::tools::{SAVE, ToolSet};
use crate::systems::cycgraph::{Cycgraph, failures, taint};

/// An attempt of a tool node.
#[derive(Debug, Clone)]
pub(super) struct Tool {
    input: Input,
    reporter: Reporter,
    tools: ToolSet,
}

impl Tool {
    pub(super) fn new(input: Input) -> Tool {
        Tool { reporter: Reporter::new(input.prefix.clone()), input, tools: ToolSet::default() }
    }

    /// Calls the tool. If the engine itself answers, returns the result at once.
    fn call(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Result<Option<Value>, Failure> {
        let program = context.program().clone();
        let node = self.input.node(&program);
        let tool = tool_of(&node.work).ok_or_else(|| failures::node_config("tool", &node.id, "tool_id"))?;
        self.tools = ToolSet::resolve(node.tools.as_deref().unwrap_or_default(), &program.host)?;
        let is_there = self.tools.has(&tool);
        if !is_there && !self.tools.echoes {
            let lacks = format!(
                "resolvable tool \"{tool}\" (no tool sources configured or tool not found in resolved sources)"
            );
            return Err(failures::node_config("tool", &node.id, &lacks));
        }
        self.reporter.emit(context, "tool:call_start", || Value::Text(tool.clone()));
        let arguments = self.input.slice.value();
        if !is_there {
            return Ok(Some(arguments));
        }
        if tool == SAVE {
            return Ok(Some(saved(&arguments)));
        }
        let ask = self.input.ask(&program, Question::Tool(ToolQuestion { tool, arguments, call: None }));
        context.ask(self.input.visit, ask);
        Ok(None)
    }

    fn answered(
        &self,
        answer: Answer,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<NodeAction, Failure> {
        let value = match answer.result? {
            Reply::Value(value) => value,
            _ => Value::Undefined,
        };
        Ok(self.action(value, context))
    }

    fn action(&self, raw: Value, context: &TaskContext<'_, Cycgraph>) -> NodeAction {
        let node = self.input.node(context.program());
        let key = format_smolstr!("{}_result", node.id);
        let (value, given) = unwrapped(raw);
        let of_tool = || {
            let tool = tool_of(&node.work)?;
            let origin = self.tools.taints(&tool)?;
            Some(taint::entry(origin.word(), &[("tool_name", Value::Text(tool))]))
        };
        let entry = match given {
            Some(given) => is_truthy(&given).then(|| taint::of_given(&given, &value, &node.id)),
            None => of_tool().map(|entry| taint::of_value(&entry, &value, &node.id, context.now())),
        };
        let mut action = NodeAction::update([(key.clone(), value)].into_iter().collect());
        if let Some(entry) = entry {
            action.taint.insert(key, entry);
        }
        action
    }

    fn goes_on(
        &mut self,
        wake: Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        let result = match wake {
            Wake::Start => match self.call(context) {
                Ok(None) => return None,
                Ok(Some(value)) => Ok(self.action(value, context)),
                Err(failure) => return Some(Err(failure)),
            },
            Wake::Answer(_, answer) => self.answered(answer, context),
            _ => return None,
        };
        self.reporter.emit(context, "tool:call_finish", || Value::Bool(result.is_ok()));
        Some(result)
    }
}

/// The tool that a node calls.
fn tool_of(work: &Work) -> Option<SmolStr> {
    match work {
        Work::Tool(work) => work.tool.as_ref().map(|tool| tool.value.clone()).filter(|tool| !tool.is_empty()),
        _ => None,
    }
}

/// The result; and its taint, if the result names one.
fn unwrapped(raw: Value) -> (Value, Option<Value>) {
    if let Value::Map(map) = &raw
        && let (Some(result), Some(taint)) = (map.get("result"), map.get("taint"))
    {
        return (result.clone(), Some(taint.clone()));
    }
    (raw, None)
}

impl Task<Cycgraph> for Tool {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.goes_on(wake, context).map_or(Flow::Wait, done)
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }
}
