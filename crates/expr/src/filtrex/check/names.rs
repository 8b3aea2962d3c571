//! Names that do not mean what they seem to mean.
//!
//! Input: the tree; output: findings. Invariant: one name has one finding at most.

use text_size::TextRange;

use super::{ExpressionPlace, FindingKind, Found, advice, between, edit, shown, slice};
use crate::ast::{ArithmeticOperator, Compare, CompareOperator, Expr, ExprKind, Path};
use crate::filtrex::fields::{is_field, is_verifier_field, state_fields};
use crate::javascript::member;
use crate::value::{Map, Value};

/// What a literal of another language means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Literal {
    True,
    False,
    Nothing,
}

/// The findings about names.
pub(super) fn check(text: &str, root: &Expr, place: ExpressionPlace, findings: &mut Vec<Found>) {
    let mut names = Names { text, place, text_at: None, findings };
    match lone_literal(root) {
        Some(name) => names.lone_literal(root.range, name),
        None => names.visit(root),
    }
}

/// Whether the release itself warns about `true` or `false` in a condition: whole words outside quotes, even in keys.
pub fn warns_of_booleans(text: &str) -> bool {
    let mut unquoted = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'']) {
        let (before, quoted) = rest.split_at(at);
        unquoted.push_str(before);
        let quote = if quoted.starts_with('"') { '"' } else { '\'' };
        let inner = quoted.get(1..).unwrap_or_default();
        rest = match inner.split_once(quote) {
            Some((_, behind)) => behind,
            None => {
                unquoted.push(quote);
                inner
            }
        };
    }
    unquoted.push_str(rest);
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    unquoted.split(|character| !is_word(character)).any(|word| matches!(word, "true" | "false"))
}

fn literal(name: &str) -> Option<Literal> {
    Some(match name {
        "true" | "True" | "TRUE" => Literal::True,
        "false" | "False" | "FALSE" => Literal::False,
        "null" | "undefined" | "None" | "none" | "NULL" | "Null" | "nil" => Literal::Nothing,
        _ => return None,
    })
}

/// The name, if the expression is one that other languages use as a literal.
fn literal_name(expr: &Expr) -> Option<(&str, Literal)> {
    let ExprKind::Variable(path) = &expr.without_groups().kind else { return None };
    let [segment] = path.segments.as_slice() else { return None };
    literal(&segment.name).map(|literal| (segment.name.as_str(), literal))
}

fn lone_literal(root: &Expr) -> Option<&str> {
    literal_name(root).map(|(name, _)| name)
}

struct Names<'t, 'f> {
    text: &'t str,
    place: ExpressionPlace,
    /// The range where a bare word is a text without quotes: the other side of a comparison with a path.
    text_at: Option<TextRange>,
    findings: &'f mut Vec<Found>,
}

impl Names<'_, '_> {
    fn visit(&mut self, expr: &Expr) {
        let is_settled = match &expr.kind {
            ExprKind::Compare(compare) => {
                let is_path = matches!(&compare.left.without_groups().kind, ExprKind::Variable(path)
                    if path.segments.len() > 1 && path.segments.first().is_some_and(|root| is_field(&root.name)));
                self.text_at = is_path.then_some(compare.right.range);
                self.compared_literal(compare, expr.range)
            }
            ExprKind::Arithmetic(_) => self.dashed_name(expr),
            ExprKind::Variable(path) => {
                self.name(path);
                true
            }
            _ => false,
        };
        if !is_settled {
            expr.each_child(&mut |child| self.visit(child));
        }
    }

    fn lone_literal(&mut self, range: TextRange, name: &str) {
        let message = format!("`{name}` is no literal: the condition never holds");
        let help = match self.place {
            ExpressionPlace::Edge => "leave the condition out for an edge that is always followed",
            ExpressionPlace::Verifier => "write what must hold",
        };
        self.findings.push(advice(FindingKind::ForeignLiteral, range, message, help));
    }

    /// `x == true`, `x != null`, where nodewise can write what was meant.
    fn compared_literal(&mut self, compare: &Compare, range: TextRange) -> bool {
        let negated = match compare.operator {
            CompareOperator::Equal => false,
            CompareOperator::NotEqual => true,
            _ => return false,
        };
        let (other, name, literal) = match (literal_name(&compare.left), literal_name(&compare.right)) {
            (None, Some((name, literal))) => (&compare.left, name, literal),
            (Some((name, literal)), None) => (&compare.right, name, literal),
            _ => return false,
        };
        let subject = slice(self.text, other);
        let replacement = match (literal, negated) {
            (Literal::Nothing, false) => Some(format!("not exists({subject})")),
            (Literal::Nothing, true) => Some(format!("exists({subject})")),
            _ if !is_primary(other) => None,
            (Literal::True, false) | (Literal::False, true) => Some(subject.to_owned()),
            (Literal::True, true) | (Literal::False, false) => Some(format!("not {subject}")),
        };
        let message = if negated {
            format!("`{name}` is no literal: this holds for any value there is")
        } else {
            format!("`{name}` is no literal: this holds when the value is missing")
        };
        self.findings.push(match replacement {
            Some(replacement) => edit(FindingKind::ForeignLiteral, range, message, replacement),
            None => advice(FindingKind::ForeignLiteral, range, message, "compare with a number or a text"),
        });
        self.visit(other);
        true
    }

    /// `memory.my-key`: a name, a minus and a name without a space.
    fn dashed_name(&mut self, expr: &Expr) -> bool {
        let mut left = expr;
        while let ExprKind::Arithmetic(arithmetic) = &left.kind {
            let is_joint = arithmetic.operator == ArithmeticOperator::Subtract
                && arithmetic.left.range.end() == arithmetic.operator_range.start()
                && arithmetic.operator_range.end() == arithmetic.right.range.start();
            let ExprKind::Variable(right) = &arithmetic.right.kind else { return false };
            let is_rest = right.segments.first().is_some_and(|first| !is_field(&first.name));
            if !is_joint || !is_rest {
                return false;
            }
            left = &arithmetic.left;
        }
        let ExprKind::Variable(path) = &left.kind else { return false };
        if path.segments.len() < 2 {
            return false;
        }
        let message = format!("`{}` subtracts: a name has no dashes", shown(slice(self.text, expr)));
        let help = "name the key with `_`; one with a dash is out of reach";
        self.findings.push(advice(FindingKind::DashedName, expr.range, message, help));
        true
    }

    fn name(&mut self, path: &Path) {
        let Some(root) = path.segments.first() else { return };
        let next = path.segments.get(1);
        let is_field = is_field(&root.name);
        let finding = if root.name == "$" {
            let end = next.map_or(root.range.end(), |next| next.range.start());
            let message = "only the first `$.` of an expression is left out".to_owned();
            edit(FindingKind::InnerDollar, between(root.range.start(), end), message, String::new())
        } else if let Some(literal) = literal(&root.name).filter(|_| next.is_none()) {
            let message = format!("`{}` is no literal: it is a name that nothing has", root.name);
            let help = match literal {
                Literal::True => "write `1 == 1`",
                Literal::False => "write `1 == 0`",
                Literal::Nothing => "ask with `exists(...)`",
            };
            advice(FindingKind::ForeignLiteral, root.range, message, help)
        } else if is_field && self.place == ExpressionPlace::Verifier && !is_verifier_field(&root.name) {
            let message = format!("a verifier does not see `{}`", root.name);
            advice(FindingKind::UnknownName, root.range, message, "it sees `memory` and `goal`")
        } else if is_field {
            let inherited = next.filter(|next| root.name == "memory" && is_inherited(&next.name));
            let Some(key) = inherited else { return };
            let message = format!("`{}` is a JavaScript function where there is no such key", key.name);
            advice(FindingKind::InheritedMember, key.range, message, "name the key differently")
        } else {
            self.unknown(path)
        };
        self.findings.push(finding);
    }

    fn unknown(&self, path: &Path) -> Found {
        let name = path.segments.first().map(|root| root.name.as_str()).unwrap_or_default();
        let range = path.segments.first().map_or(path.range(), |root| root.range);
        let message = format!("there is no `{}` in the state", shown(name));
        if let ("state", Some(next)) = (name, path.segments.get(1)) {
            let range = between(range.start(), next.range.start());
            return edit(FindingKind::UnknownName, range, message, String::new());
        }
        if let Some(near) = nearest_field(name) {
            return edit(FindingKind::UnknownName, range, message, near.to_owned());
        }
        if path.segments.len() > 1 {
            return advice(
                FindingKind::UnknownName,
                range,
                message,
                &format!("write `memory.{}`", shown(name)),
            );
        }
        let replacement = match self.text_at == Some(path.range()) {
            true => format!("'{name}'"),
            false => format!("memory.{name}"),
        };
        edit(FindingKind::UnknownName, range, message, replacement)
    }
}

/// Whether an expression can follow `not` without parentheses.
fn is_primary(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Variable(_) | ExprKind::Call(_) | ExprKind::Group(_))
}

fn is_inherited(key: &str) -> bool {
    member(&Value::from(Map::new()), key).is_some()
}

fn nearest_field(name: &str) -> Option<&'static str> {
    let folded = name.to_ascii_lowercase();
    state_fields()
        .iter()
        .map(|field| field.name)
        .filter(|field| field.len().abs_diff(folded.len()) <= 2)
        .map(|field| (strsim::damerau_levenshtein(&folded, field), field))
        .filter(|(distance, field)| *distance <= field.len().min(6) / 3)
        .min()
        .map(|(_, field)| field)
}
