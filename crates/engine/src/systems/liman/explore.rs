//! What the exploration knows of Liman: the tools that a model may call, what functions set for conditions, errors.
//!
//! Input: a program; output: a guide. Invariant: each call of a node starts from the beginning, so earlier answers of
//! a model only matter through what was set for conditions.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

use nodewise_expr::ast::{Expr, ExprKind};
use nodewise_expr::eval::{Scope, evaluate};
use nodewise_expr::limance::LimanCe;
use nodewise_expr::value::{Map, Value};
use nodewise_model::NodeKind;
use smol_str::{SmolStr, format_smolstr};

use crate::ask::{Answer, Ask, Decision, ModelReply, Question, Reply, ToolCall};
use crate::explore::guide::{
    AnswerChoice, Choices, EdgeOutline, Ending, ExplorationState, Guide, NodeOutline, Outline,
};
use crate::explore::live_variables::{LiveVariables, StateReader};
use crate::explore::values;
use crate::outcome::{Failure, Outcome, Status};
use crate::script::echo;
use crate::systems::liman::program::{CompiledCondition, Program, ProgramNode};

/// The guide for explorations of Liman's agents.
pub struct LimanGuide {
    program: Arc<Program>,
    nodes: Vec<Known>,
    outlines: Vec<Outline>,
    /// The classes of errors that conditions ask for, and one that none asks for.
    errors: Vec<SmolStr>,
}

/// What is known of a node.
struct Known {
    variables: LiveVariables,
    conditions: Conditions,
}

/// How the conditions of a node's edges read the variables that were set for them.
struct Conditions {
    node: SmolStr,
    /// The run's context, which all conditions see.
    context: Arc<Map>,
}

/// The class of an error that no condition asks for.
const PLAIN: &str = "Error";

impl LimanGuide {
    /// Collects what is known of a program. `context` is the context of the run.
    #[must_use]
    pub fn new(program: Arc<Program>, context: &Arc<Map>) -> LimanGuide {
        let mut errors: Vec<SmolStr> = vec![PLAIN.into()];
        let known = |node: &ProgramNode| {
            let conditions = Conditions { node: node.full_name.clone(), context: context.clone() };
            let mut variables = LiveVariables::default();
            for tree in node.edges.iter().filter_map(tree) {
                variables.condition(tree, &conditions);
                asked_errors(tree, &mut errors);
            }
            Known { variables, conditions }
        };
        let nodes: Vec<Known> = program.nodes().iter().map(known).collect();
        let outlines = vec![outline(&program, &nodes)];
        LimanGuide { program, nodes, outlines, errors }
    }

    fn place(&self, node: &str) -> Option<(&ProgramNode, &Known)> {
        let position = self.program.nodes().iter().position(|known| known.full_name == node)?;
        Some((self.program.nodes().get(position)?, self.nodes.get(position)?))
    }

    /// Copies of an answer, one for each combination of what can be set for conditions; and whether some were left out.
    fn set(&self, answer: &Answer, known: &Known, most: usize) -> (Vec<Answer>, bool) {
        let everything = known.variables.everything();
        let mut keys: Vec<(SmolStr, Vec<Option<Value>>)> = Vec::new();
        let mut is_cut = false;
        for key in known.variables.keys(&everything) {
            let found = known.variables.values(&key, &everything, most, &known.conditions);
            is_cut |= found.is_cut;
            let mut options: Vec<Option<Value>> = found.list.into_iter().map(Some).collect();
            if found.absence_matters {
                options.push(None);
            }
            let name = key.strip_prefix(known.conditions.prefix().as_str()).unwrap_or(&key);
            keys.push((name.into(), options));
        }
        let options: Vec<usize> = keys.iter().map(|(_, options)| options.len()).collect();
        let (picks, picks_are_cut) = values::combinations(&options, most);
        let with = |pick: Vec<usize>| {
            let chosen = keys.iter().zip(pick);
            let set: Map = chosen
                .filter_map(|((key, options), place)| Some((key.clone(), options.get(place)?.clone()?)))
                .collect();
            let aside = Some(set).filter(|set| !set.is_empty()).map(Value::from);
            Answer { aside, ..answer.clone() }
        };
        (picks.into_iter().map(with).collect(), is_cut || picks_are_cut)
    }

    /// Answers of a model, each with a call of one tool.
    fn calls(&self, tools: &[SmolStr]) -> Vec<Answer> {
        let call = |(position, tool): (usize, &SmolStr)| {
            let name = format_smolstr!("ToolNode/{tool}");
            let arguments = self.place(&name).map(|(node, _)| arguments(node)).unwrap_or_default();
            let call = ToolCall {
                id: format_smolstr!("call-{}", position + 1),
                tool: tool.clone(),
                arguments: arguments.into(),
            };
            Answer::now(Reply::Model(ModelReply { calls: vec![call], ..ModelReply::default() }))
        };
        tools.iter().enumerate().map(call).collect()
    }
}

impl Guide for LimanGuide {
    fn choices(&self, ask: &Ask, most: usize) -> Choices {
        let Some((node, known)) = self.place(&ask.node) else {
            return Choices::of(vec![AnswerChoice::of(echo::answer(ask))]);
        };
        let plain = match (&ask.what, &node.answer_example) {
            (Question::Model(_), Some(example)) => {
                let reply = ModelReply { value: Some(example.clone()), ..ModelReply::default() };
                Answer::now(Reply::Model(reply))
            }
            _ => echo::answer(ask),
        };
        if let Question::Function(function) = &ask.what
            && function.input == Value::Null
            && node.edges.iter().any(
                |edge| matches!(&edge.condition, CompiledCondition::Function(path) if *path == function.path),
            )
        {
            let verdicts = [true, false].map(|holds| AnswerChoice::of(Answer::value(Value::Bool(holds))));
            return Choices::of(verdicts.to_vec());
        }
        let (mut answers, is_cut) = self.set(&plain, known, most);
        if let Question::Model(model) = &ask.what {
            answers.extend(self.calls(&model.tools));
        }
        let failed = |class: &SmolStr| {
            let message = format_smolstr!("the {} fails", ask.what.noun());
            Answer::failed(Failure::lasting(class.clone(), message))
        };
        answers.extend(self.errors.iter().map(failed));
        Choices { list: answers.into_iter().map(AnswerChoice::of).collect(), is_cut }
    }

    fn decisions(&self, _: Option<&str>, _: &Value) -> Vec<Decision> {
        Vec::new()
    }

    fn digest(&self, _: &str, _: &[&SmolStr], moment: &ExplorationState<'_>, hasher: &mut dyn Hasher) {
        // What was set for a node still matters when the run returns to it.
        for known in &self.nodes {
            let everything = known.variables.everything();
            known.variables.digest(&everything, moment.state, &known.conditions, hasher);
        }
    }

    fn outlines(&self) -> &[Outline] {
        &self.outlines
    }

    fn returns(&self) -> bool {
        true
    }

    fn judge(&self, outcome: &Outcome) -> Ending {
        let class = outcome.failure.as_ref().map_or("", |failure| &failure.class);
        match outcome.status {
            Status::Stopped(_) | Status::TimedOut => Ending::Limit,
            Status::Hung => Ending::DeadEnd,
            _ if class.starts_with("MaxIterations") => Ending::Limit,
            _ => Ending::Proper,
        }
    }

    fn limit(&self) -> Option<String> {
        Some(format!("max_iterations ({})", self.program.host.max_iterations))
    }

    fn gaps(&self) -> Vec<String> {
        Vec::new()
    }

    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Conditions {
    fn prefix(&self) -> String {
        format!("{}.", self.node)
    }
}

impl StateReader for Conditions {
    fn locate(&self, path: &[SmolStr]) -> Option<(SmolStr, Vec<SmolStr>)> {
        let (key, rest) = path.split_first()?;
        Some((format_smolstr!("{}.{key}", self.node), rest.to_vec()))
    }

    fn class(&self, test: &Expr, state: &Arc<Map>) -> u64 {
        let prefix = self.prefix();
        let own = state.iter().filter_map(|(key, value)| Some((key.strip_prefix(&prefix)?, value)));
        let set: Map = own.map(|(key, value)| (SmolStr::new(key), value.clone())).collect();
        let scope = Scope { variables: &[&set, &self.context], ..Scope::default() };
        let mut hasher = DefaultHasher::new();
        match evaluate(test, &LimanCe, &scope) {
            Ok(value) => values::feed(&value, &mut hasher),
            Err(_) => hasher.write_u8(1),
        }
        hasher.finish()
    }
}

fn tree(edge: &crate::systems::liman::program::ProgramEdge) -> Option<&Expr> {
    match &edge.condition {
        CompiledCondition::Holds(tree) => Some(tree),
        CompiledCondition::Always | CompiledCondition::Function(_) | CompiledCondition::Broken(_) => None,
    }
}

/// Adds the classes of errors that a condition asks for.
fn asked_errors(tree: &Expr, errors: &mut Vec<SmolStr>) {
    tree.walk(&mut |expr| {
        let ExprKind::Call(call) = &expr.kind else { return };
        for argument in &call.arguments {
            let class = match &argument.without_groups().kind {
                ExprKind::Text(text) => text.value.clone(),
                ExprKind::Bare(text) => text.clone(),
                ExprKind::Variable(path) => path.dotted().into(),
                _ => continue,
            };
            if call.name == "$is_error" && !errors.contains(&class) {
                errors.push(class);
            }
        }
    });
}

/// Arguments of the declared types, for a call of a tool.
fn arguments(node: &ProgramNode) -> Map {
    let value = |types: &[SmolStr]| match types.first().map(SmolStr::as_str) {
        Some("number" | "integer" | "int" | "float") => Value::Number(1.0),
        Some("boolean" | "bool") => Value::Bool(true),
        Some("object") => Map::new().into(),
        Some("array" | "list") => Value::List([].into()),
        _ => Value::from("value"),
    };
    node.arguments.iter().map(|argument| (argument.name.clone(), value(&argument.types))).collect()
}

/// The outline of all nodes that the start node leads to, directly or through others.
fn outline(program: &Program, known: &[Known]) -> Outline {
    let start = &program.host.start;
    let is_start = |node: &&ProgramNode| {
        node.full_name == *start || (node.work == NodeKind::Model && node.name == *start)
    };
    let mut open: Vec<usize> = program.nodes().iter().position(|node| is_start(&node)).into_iter().collect();
    let mut reached: BTreeSet<usize> = open.iter().copied().collect();
    while let Some(node) = open.pop().and_then(|position| program.nodes().get(position)) {
        open.extend(program.next(node).into_iter().filter(|next| reached.insert(*next)));
    }
    let nodes: Vec<(&ProgramNode, &Known)> = reached
        .into_iter()
        .filter_map(|position| Some((program.nodes().get(position)?, known.get(position)?)))
        .collect();
    let edges = nodes.iter().flat_map(|(node, _)| {
        node.edges.iter().enumerate().map(|(position, edge)| EdgeOutline {
            from: node.full_name.clone(),
            to: edge.target_text.clone(),
            number: u32::try_from(position).unwrap_or(u32::MAX),
        })
    });
    Outline {
        id: start.clone(),
        edges: edges.collect(),
        nodes: nodes
            .iter()
            .map(|(node, known)| NodeOutline {
                id: node.full_name.clone(),
                tests: known.variables.keys(&known.variables.everything()),
                ..NodeOutline::default()
            })
            .collect(),
        given: BTreeSet::new(),
    }
}
