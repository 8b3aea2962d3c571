//! When an edge is followed. In: the condition in the model; out: a condition that is parsed once. Invariant: a text
//! that is not an expression never holds.

use nodewise_expr::ast::Expr;
use nodewise_expr::eval::Scope;
use nodewise_expr::filtrex;
use nodewise_expr::value::{Map, Value};
use nodewise_model::graph::{EdgeCondition, EdgeGuard};
use smol_str::SmolStr;

use super::super::state::RunState;

/// When an edge is followed.
#[derive(Debug)]
pub enum CompiledCondition {
    Always,
    /// Never: it is not a valid condition.
    Never,
    /// When its expression holds.
    When(Box<Expression>),
}

/// The expression of a condition.
#[derive(Debug)]
pub struct Expression {
    pub text: Box<str>,
    parse: filtrex::Parse,
    /// The fields of the state that it reads.
    fields: Vec<SmolStr>,
}

/// Whether an edge is followed, and why not if the reason is not its expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConditionVerdict {
    Followed,
    /// Its condition does not hold.
    NotFollowed,
    /// Its condition reads tainted keys, which the graph does not allow.
    Tainted,
}

impl CompiledCondition {
    pub(super) fn new(guard: &EdgeGuard) -> CompiledCondition {
        match guard {
            EdgeGuard::Always => CompiledCondition::Always,
            EdgeGuard::When(Some(EdgeCondition::Expression(Some(condition))))
                if !condition.text.is_empty() =>
            {
                let parse = filtrex::parse(&condition.text);
                let mut fields: Vec<SmolStr> = filtrex::reads(&parse.expr)
                    .iter()
                    .filter_map(|read| read.root().map(|segment| SmolStr::new(&segment.name)))
                    .collect();
                fields.sort_unstable();
                fields.dedup();
                CompiledCondition::When(Box::new(Expression { text: condition.text.clone(), parse, fields }))
            }
            _ => CompiledCondition::Never,
        }
    }

    /// The parsed expression of a condition that can hold.
    pub(crate) fn tree(&self) -> Option<&Expr> {
        match self {
            CompiledCondition::When(expression) => {
                Some(&expression.parse.expr).filter(|_| expression.parse.accepted())
            }
            CompiledCondition::Always | CompiledCondition::Never => None,
        }
    }

    /// Whether an edge with this condition is followed in a state.
    pub(crate) fn verdict(&self, state: &RunState, strict_taint: bool) -> ConditionVerdict {
        let expression = match self {
            CompiledCondition::Always => return ConditionVerdict::Followed,
            CompiledCondition::Never => return ConditionVerdict::NotFollowed,
            CompiledCondition::When(expression) => expression,
        };
        if strict_taint && !state.taint.is_empty() {
            let tainted: Vec<SmolStr> = state.taint.iter().map(|(key, _)| key.clone()).collect();
            if filtrex::mentions_memory(&expression.text, &tainted) {
                return ConditionVerdict::Tainted;
            }
        }
        let mut seen = Map::new();
        for field in &expression.fields {
            match state.field(field) {
                Value::Undefined => {}
                value => seen.insert(field.clone(), value),
            }
        }
        let variables = [&seen];
        let scope = Scope { variables: &variables, now: 0.0, active_errors: &[], functions: None };
        match expression.parse.edge_verdict(&scope) {
            true => ConditionVerdict::Followed,
            false => ConditionVerdict::NotFollowed,
        }
    }
}
