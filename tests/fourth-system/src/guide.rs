//! What explorations try: every text that a condition compares an answer with, and another one.

use std::collections::BTreeSet;
use std::hash::Hasher;
use std::sync::Arc;

use nodewise_engine::ask::{Answer, Ask, Decision, ModelReply, Reply};
use nodewise_engine::explore::guide::{
    AnswerChoice, Choices, EdgeOutline, Ending, ExplorationState, Guide, NodeOutline, Outline,
};
use nodewise_engine::outcome::{Outcome, Status};
use nodewise_expr::ast::ExprKind;
use nodewise_expr::value::Value;
use nodewise_model::graph::{EdgeCondition, EdgeGuard, GraphEdge};
use smol_str::SmolStr;

use crate::engine::{Program, STUCK};
use crate::language::{CONDITIONS, parse};

/// What explorations know of a relay.
pub struct RelayGuide {
    outlines: Vec<Outline>,
    /// The texts that conditions compare keys with.
    texts: BTreeSet<SmolStr>,
}

impl RelayGuide {
    /// The guide for a program.
    #[must_use]
    pub fn new(program: &Arc<Program>) -> RelayGuide {
        let graph = &program.graph;
        let name = |name: Option<&nodewise_model::Located<SmolStr>>| {
            name.map(|name| name.value.clone()).unwrap_or_default()
        };
        let conditions = |edge: &GraphEdge| match &edge.guard {
            EdgeGuard::When(Some(EdgeCondition::Expression(Some(condition)))) => {
                Some(condition.text.to_string())
            }
            _ => None,
        };
        let tests = |node: &SmolStr| -> Vec<SmolStr> {
            let leaving = graph
                .edges
                .iter()
                .filter(|edge| edge.source.as_ref().is_some_and(|end| end.name.value == *node));
            leaving
                .filter_map(conditions)
                .flat_map(|text| CONDITIONS.names(&text))
                .map(|named| named.name)
                .collect()
        };
        let nodes = graph.nodes.iter().map(|node| {
            let id = name(node.id.as_ref());
            NodeOutline {
                reads: node.access.reads.iter().map(|key| key.value.clone()).collect(),
                tests: tests(&id),
                writes: node.access.writes.iter().map(|key| key.value.clone()).collect(),
                id,
            }
        });
        let edges = (0..).zip(&graph.edges).map(|(number, edge)| EdgeOutline {
            from: name(edge.source.as_ref().map(|end| &end.name)),
            to: name(edge.target.as_ref().map(|end| &end.name)),
            number,
        });
        let mut texts = BTreeSet::new();
        for text in graph.edges.iter().filter_map(conditions) {
            parse(&text).0.walk(&mut |expr| {
                if let ExprKind::Text(text) = &expr.kind {
                    texts.insert(text.value.clone());
                }
            });
        }
        let given = program.given.iter().map(|(key, _)| key.clone()).collect();
        let outline =
            Outline { id: name(graph.id.as_ref()), nodes: nodes.collect(), edges: edges.collect(), given };
        RelayGuide { outlines: vec![outline], texts }
    }
}

impl Guide for RelayGuide {
    fn choices(&self, _: &Ask, most: usize) -> Choices {
        let other = SmolStr::new_static("another answer");
        let texts = std::iter::once(&other).chain(&self.texts);
        let reply = |text: &SmolStr| Reply::Model(ModelReply { text: text.clone(), ..ModelReply::default() });
        let list: Vec<AnswerChoice> =
            texts.take(most).map(|text| AnswerChoice::of(Answer::now(reply(text)))).collect();
        Choices { is_cut: list.len() <= self.texts.len(), list }
    }

    fn decisions(&self, _: Option<&str>, _: &Value) -> Vec<Decision> {
        Vec::new()
    }

    fn digest(&self, _: &str, _: &[&SmolStr], moment: &ExplorationState<'_>, hasher: &mut dyn Hasher) {
        for (key, value) in moment.state.iter() {
            hasher.write(key.as_bytes());
            hasher.write(format!("{value:?}").as_bytes());
        }
    }

    fn outlines(&self) -> &[Outline] {
        &self.outlines
    }

    fn judge(&self, outcome: &Outcome) -> Ending {
        let is_stuck = outcome.failure.as_ref().is_some_and(|failure| failure.class == STUCK);
        if outcome.status == Status::Failed && is_stuck { Ending::DeadEnd } else { Ending::Proper }
    }

    fn limit(&self) -> Option<String> {
        None
    }

    fn gaps(&self) -> Vec<String> {
        Vec::new()
    }

    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}
