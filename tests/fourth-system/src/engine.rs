//! How a relay runs: one step after another, each along the first link that fits.
//!
//! Input: a graph and what a run is given; output: a run. Invariant: one task, which waits only for answers.

use std::sync::Arc;

use nodewise_engine::ask::{Answer, Ask, Message, ModelQuestion, Purpose, Question, Reply, Role};
use nodewise_engine::event::{EventKind, ScopeId, VisitId};
use nodewise_engine::kernel::{Flow, Kernel, System, Task, TaskContext, Wake};
use nodewise_engine::limits::Limits;
use nodewise_engine::outcome::{Failure, Outcome, Status};
use nodewise_expr::eval::{Scope, holds};
use nodewise_expr::value::{Map, Value};
use nodewise_model::graph::{EdgeCondition, EdgeGuard, Graph, GraphEdge, GraphNode};
use smol_str::SmolStr;

use crate::language::{CONDITIONS, parse};
use crate::work::Work;

/// The class of a run that ends at a step which is not in `last`.
pub const STUCK: &str = "NoLinkFits";

/// A graph, and what a run of it is given.
pub struct Program {
    pub graph: Graph,
    /// The keys that the run begins with.
    pub given: Map,
}

/// The system, for the kernel.
#[derive(Debug, Clone)]
pub struct Relay;

impl System for Relay {
    type Program = Program;
    type Output = ();
}

/// A run at its beginning.
#[must_use]
pub fn begin(program: Arc<Program>, limits: Limits, seed: u64) -> Kernel<Relay> {
    let run = Run { state: program.given.clone(), scope: ScopeId(0), visit: VisitId(0), node: 0 };
    Kernel::new(program, Box::new(run), limits, seed)
}

/// A run: its state, and the visit that waits for an answer.
#[derive(Clone)]
struct Run {
    state: Map,
    scope: ScopeId,
    visit: VisitId,
    node: usize,
}

impl Task<Relay> for Run {
    fn step(&mut self, wake: Wake<()>, context: &mut TaskContext<'_, Relay>) -> Flow<()> {
        let program = context.program().clone();
        match wake {
            Wake::Start => {
                self.scope = context.new_scope(0);
                context.emit(EventKind::GraphStarted {
                    scope: self.scope,
                    graph: id(program.graph.id.as_ref()),
                    by: None,
                    state: self.state.clone().into(),
                });
                let first = program.graph.start.as_ref().map(|start| start.value.clone());
                self.continue_at(first, &program.graph, context)
            }
            Wake::Answer(_, answer) => match self.take(&program.graph, answer, context) {
                Ok(next) => self.continue_at(next, &program.graph, context),
                Err(failure) => self.end(Outcome::failed(Status::Failed, failure), context),
            },
            Wake::Cancelled => self.end(Outcome::of(Status::Cancelled, Value::Null), context),
            Wake::Timer(_) | Wake::Child(..) | Wake::GivenUp | Wake::Resumed(_) => Flow::Wait,
        }
    }

    fn copied(&self) -> Box<dyn Task<Relay>> {
        Box::new(self.clone())
    }
}

impl Run {
    /// Visits steps until one asks, or the run is over.
    fn continue_at(
        &mut self,
        mut next: Option<SmolStr>,
        graph: &Graph,
        context: &mut TaskContext<'_, Relay>,
    ) -> Flow<()> {
        while let Some(name) = next {
            let found = graph.nodes.iter().rposition(|node| id(node.id.as_ref()) == name);
            let Some((position, node)) = found.and_then(|at| Some((at, graph.nodes.get(at)?))) else {
                let failure = Failure::lasting("UnknownStep", format!("no step is named {name}"));
                return self.end(Outcome::failed(Status::Failed, failure), context);
            };
            self.node = position;
            self.visit = context.new_visit();
            let reads = self.reads(node);
            let (visit, scope) = (self.visit, self.scope);
            context.emit(EventKind::VisitStarted { visit, scope, node: name, reads: reads.clone().into() });
            match Work::of(node) {
                Work::Ask(question) => {
                    context.ask(visit, self.ask(graph, node, question, reads));
                    return Flow::Wait;
                }
                Work::Pick | Work::Unknown => {
                    context.emit(EventKind::VisitEnded { visit, result: Ok(Value::Null) });
                    next = self.follow(graph, context);
                }
            }
        }
        self.end(self.outcome(graph), context)
    }

    fn reads(&self, node: &GraphNode) -> Map {
        let keys = node.access.reads.iter().map(|key| key.value.clone());
        keys.filter_map(|key| Some((key.clone(), self.state.get(&key)?.clone()))).collect()
    }

    fn ask(&self, graph: &Graph, node: &GraphNode, question: &SmolStr, reads: Map) -> Ask {
        let name = id(node.id.as_ref());
        let prompt = [
            Message::new(Role::State, reads.into()),
            Message::new(Role::Human, Value::Text(question.clone())),
        ];
        let model = ModelQuestion {
            agent: name.clone(),
            purpose: Purpose::Work,
            prompt: Arc::new(prompt),
            tools: Arc::new([]),
            temperature: None,
            opening: None,
        };
        Ask { graph: id(graph.id.as_ref()), node: name, attempt: 1, what: Question::Model(model) }
    }

    /// Keeps an answer, and returns the next step.
    fn take(
        &mut self,
        graph: &Graph,
        answer: Answer,
        context: &mut TaskContext<'_, Relay>,
    ) -> Result<Option<SmolStr>, Failure> {
        let visit = self.visit;
        context.emit(EventKind::Spent { visit, usage: answer.usage });
        let value = match answer.result {
            Ok(Reply::Model(reply)) => reply.value.unwrap_or(Value::Text(reply.text)),
            Ok(Reply::Value(value)) => value,
            Ok(_) => Value::Null,
            Err(failure) => {
                context.emit(EventKind::VisitEnded { visit, result: Err(failure.clone()) });
                return Err(failure);
            }
        };
        let node = graph.nodes.get(self.node);
        if let Some(key) = node.and_then(|node| node.access.writes.first()) {
            let (scope, key) = (self.scope, key.value.clone());
            self.state.insert(key.clone(), value.clone());
            context.emit(EventKind::Wrote { scope, visit: Some(visit), key, value: value.clone() });
        }
        context.emit(EventKind::VisitEnded { visit, result: Ok(value) });
        Ok(self.follow(graph, context))
    }

    /// The target of the first link that fits.
    fn follow(&self, graph: &Graph, context: &mut TaskContext<'_, Relay>) -> Option<SmolStr> {
        let here = graph.nodes.get(self.node).map(|node| id(node.id.as_ref()))?;
        let leaves = |edge: &GraphEdge| edge.source.as_ref().is_some_and(|source| source.name.value == here);
        for (edge, link) in (0..).zip(&graph.edges).filter(|(_, link)| leaves(link)) {
            let Some(target) = link.target.as_ref().map(|target| target.name.value.clone()) else { continue };
            let followed = self.fits(link);
            let visit = self.visit;
            context.emit(EventKind::EdgeJudged {
                visit,
                edge,
                target: target.clone(),
                followed,
                reason: None,
            });
            if followed {
                return Some(target);
            }
        }
        None
    }

    fn fits(&self, link: &GraphEdge) -> bool {
        match &link.guard {
            EdgeGuard::Always => true,
            EdgeGuard::When(Some(EdgeCondition::Expression(Some(condition)))) => {
                let (expr, problems) = parse(&condition.text);
                let scope = Scope { variables: &[&self.state], ..Scope::default() };
                problems.is_empty() && holds(&expr, CONDITIONS.semantics(), &scope) == Ok(true)
            }
            _ => false,
        }
    }

    fn outcome(&self, graph: &Graph) -> Outcome {
        let here = graph.nodes.get(self.node).map(|node| id(node.id.as_ref()));
        let ends = graph.ends.iter().flat_map(|ends| &ends.value);
        if ends.map(|end| &end.value).any(|end| Some(end) == here.as_ref()) {
            return Outcome::of(Status::Completed, self.state.clone().into());
        }
        let failure = Failure::lasting(STUCK, format!("no link fits at {}", here.unwrap_or_default()));
        Outcome::failed(Status::Failed, failure)
    }

    fn end(&self, outcome: Outcome, context: &mut TaskContext<'_, Relay>) -> Flow<()> {
        context.emit(EventKind::GraphEnded { scope: self.scope, outcome: Arc::new(outcome.clone()) });
        Flow::End(outcome)
    }
}

fn id(id: Option<&nodewise_model::Located<SmolStr>>) -> SmolStr {
    id.map(|id| id.value.clone()).unwrap_or_default()
}
