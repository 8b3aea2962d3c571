//! The parts of a condition that decide it: those between its logical operators.
//!
//! Input: a condition, states; output: its atoms, and the result of each in a state. Invariant: an atom that is
//! skipped because the result is already known has no value. The values come from the evaluator that decides when a
//! graph runs.

use text_size::TextRange;

use crate::ast::{Expr, ExprKind, LogicOperator};
use crate::eval::{self, Scope, Semantics};
use crate::language::{Circumstances, Language};

/// A condition, split at its logical operators.
#[derive(Debug, Clone)]
pub struct Atoms {
    language: Language,
    tree: Tree,
    atoms: Vec<Expr>,
}

/// How the logical operators combine the atoms.
#[derive(Debug, Clone)]
enum Tree {
    Atom(usize),
    /// A part with the same result in every state.
    Constant(Box<Expr>),
    Not(Box<Tree>),
    All(Vec<Tree>),
    Any(Vec<Tree>),
    Choice(Box<[Tree; 3]>),
}

impl Atoms {
    /// The atoms of a condition; `None` if the text is broken or no condition.
    #[must_use]
    pub fn of(language: Language, text: &str) -> Option<Atoms> {
        if language.is_path() || !language.accepts(text) {
            return None;
        }
        let expr = language.trees(text).into_iter().next()?;
        let mut atoms = Vec::new();
        let tree = tree(&expr, &mut atoms);
        expr.is_intact().then_some(Atoms { language, tree, atoms })
    }

    /// Whether the condition chooses between two results: `a ? b : c`.
    #[must_use]
    pub fn is_choice(&self) -> bool {
        matches!(self.tree, Tree::Choice(_))
    }

    /// The ranges of the atoms, in reading order.
    pub fn ranges(&self) -> impl Iterator<Item = TextRange> {
        self.atoms.iter().map(|atom| atom.range)
    }

    /// The result of each atom, `None` for one that is skipped. `None` as a whole if the condition fails.
    #[must_use]
    pub fn values(&self, circumstances: &Circumstances) -> Option<Vec<Option<bool>>> {
        let mut values = None;
        self.language.in_scope(circumstances, &mut |scope| values = self.values_in(scope));
        values
    }

    fn values_in(&self, scope: &Scope<'_>) -> Option<Vec<Option<bool>>> {
        let semantics = self.language.semantics();
        let values = vec![None; self.atoms.len()];
        let mut walk = Walk { atoms: &self.atoms, semantics, scope, values };
        walk.holds(&self.tree)?;
        Some(walk.values)
    }
}

fn tree(expr: &Expr, atoms: &mut Vec<Expr>) -> Tree {
    match &expr.kind {
        ExprKind::Group(inner) => tree(inner, atoms),
        ExprKind::Not(not) => Tree::Not(Box::new(tree(&not.operand, atoms))),
        ExprKind::Logic(logic) => {
            let operands = logic.operands().map(|operand| tree(operand, atoms)).collect();
            match logic.operator {
                LogicOperator::And => Tree::All(operands),
                LogicOperator::Or => Tree::Any(operands),
            }
        }
        ExprKind::Conditional(choice) => {
            let parts = [&choice.condition, &choice.consequent, &choice.alternative];
            Tree::Choice(Box::new(parts.map(|part| tree(part, atoms))))
        }
        ExprKind::Undefined
        | ExprKind::Null
        | ExprKind::Bool(_)
        | ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Bare(_) => Tree::Constant(Box::new(expr.clone())),
        _ => {
            atoms.push(expr.clone());
            Tree::Atom(atoms.len() - 1)
        }
    }
}

struct Walk<'w> {
    atoms: &'w [Expr],
    semantics: &'w dyn Semantics,
    scope: &'w Scope<'w>,
    values: Vec<Option<bool>>,
}

impl Walk<'_> {
    /// The result of the tree; `None` if a part of it fails.
    fn holds(&mut self, tree: &Tree) -> Option<bool> {
        Some(match tree {
            Tree::Constant(expr) => eval::holds(expr, self.semantics, self.scope).ok()?,
            Tree::Atom(position) => {
                let atom = self.atoms.get(*position)?;
                let holds = eval::holds(atom, self.semantics, self.scope).ok()?;
                if let Some(value) = self.values.get_mut(*position) {
                    *value = Some(holds);
                }
                holds
            }
            Tree::Not(operand) => !self.holds(operand)?,
            Tree::All(operands) => self.run(operands, false)?,
            Tree::Any(operands) => self.run(operands, true)?,
            Tree::Choice(parts) => {
                let [condition, consequent, alternative] = parts.as_ref();
                let chosen = self.holds(condition)?;
                self.holds(if chosen { consequent } else { alternative })?
            }
        })
    }

    /// Evaluates operands up to the first whose result is `deciding`.
    fn run(&mut self, operands: &[Tree], deciding: bool) -> Option<bool> {
        for operand in operands {
            if self.holds(operand)? == deciding {
                return Some(deciding);
            }
        }
        Some(!deciding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::from_json;

    /// The atoms of a condition, each with what it comes to in a state: true, false or skipped.
    fn check_atoms(language: Language, text: &str, state: serde_json::Value, expected: &[(&str, &str)]) {
        let atoms = Atoms::of(language, text).unwrap();
        let circumstances =
            Circumstances { state: from_json(state), now: 0.0, strict_taint: false, errors: Vec::new() };
        let values = atoms.values(&circumstances).unwrap();
        let word = |value: &Option<bool>| match value {
            Some(true) => "true",
            Some(false) => "false",
            None => "skipped",
        };
        let found: Vec<(&str, &str)> = atoms
            .ranges()
            .zip(&values)
            .map(|(range, value)| (crate::text::slice(text, range), word(value)))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn early_stopping_skips_atoms() {
        use serde_json::json;
        check_atoms(
            crate::limance::LANGUAGE,
            "a == 1 and (b or not c) or d",
            json!({"a": 1, "b": false, "c": true, "d": true}),
            &[("a == 1", "true"), ("b", "false"), ("c", "true"), ("d", "true")],
        );
        check_atoms(
            crate::filtrex::EDGE,
            "memory.a > 1 and memory.b",
            json!({"memory": {"a": 1, "b": true}}),
            &[("memory.a > 1", "false"), ("memory.b", "skipped")],
        );
        check_atoms(
            crate::agentos::ROUTING,
            "scratch.a || scratch.b == 2",
            json!({"scratch": {"a": 0, "b": 2}}),
            &[("scratch.a", "false"), ("scratch.b == 2", "true")],
        );
        check_atoms(
            crate::agentos::ROUTING,
            "scratch.a > 1 ? one : two",
            json!({"scratch": {"a": 3}}),
            &[("scratch.a > 1", "true")],
        );
    }

    #[test]
    fn what_fails_has_no_values() {
        let atoms = Atoms::of(crate::limance::LANGUAGE, "known and missing > 5").unwrap();
        let state = from_json(serde_json::json!({"known": true}));
        assert_eq!(
            atoms.values(&Circumstances { state, now: 0.0, strict_taint: false, errors: Vec::new() }),
            None
        );
        assert!(Atoms::of(crate::limance::LANGUAGE, "known and").is_none());
        assert!(Atoms::of(crate::jsonpath::STATE, "$.a").is_none());
    }
}
