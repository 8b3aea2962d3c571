//! Operators that fail, surprise, or decide nothing.
//!
//! Input: a node, or the whole expression; output: findings. Invariant: if a finding says that something fails, it
//! fails in every state.

use super::{FindingKind, Found, advice, between, edit, shown, slice, text_at};
use crate::TextSize;
use crate::ast::{
    ArithmeticOperator, Chain, Compare, CompareOperator, Conditional, Expr, ExprKind, Spelling,
};
use crate::filtrex::Filtrex;
use crate::filtrex::lexer;
use crate::filtrex::reads::reads;
use crate::filtrex::semantics::compiled;
use crate::javascript::{is_blank, is_truthy, number_to_text};
use crate::types::{self, ValueType};

/// The findings about one node.
pub(super) fn check(text: &str, node: &Expr, findings: &mut Vec<Found>) {
    match &node.kind {
        ExprKind::Number(value) => findings.extend(octal(text, node, *value)),
        ExprKind::Compare(compare) => {
            findings.extend(negation_reach(text, node, &compare.left));
            check_comparison(text, compare, node, findings);
        }
        ExprKind::Chain(chain) => {
            findings.extend(negation_reach(text, node, &chain.first));
            check_chain(text, chain, findings);
        }
        ExprKind::Logic(logic) => {
            let mut before = None;
            for operand in logic.operands() {
                findings.extend(truth(text, operand).map(|found| compared_too(text, before, operand, found)));
                before = Some(operand);
            }
        }
        ExprKind::Not(not) => findings.extend(truth(text, &not.operand)),
        ExprKind::Conditional(conditional) => {
            findings.extend(truth(text, &conditional.condition));
            findings.extend(deprecated_choice(text, conditional, node));
        }
        ExprKind::Arithmetic(arithmetic) => {
            let takes_texts = arithmetic.operator == ArithmeticOperator::Add;
            for operand in [&arithmetic.left, &arithmetic.right] {
                findings.extend(calculated(text, operand, takes_texts));
            }
            let range = arithmetic.operator_range;
            if arithmetic.operator == ArithmeticOperator::Modulo && text_at(text, range) == "%" {
                let before = text_at(text, between(arithmetic.left.range.end(), range.start()));
                let after = text_at(text, between(range.end(), arithmetic.right.range.start()));
                let blank = |side: &str| if side.contains(is_blank) { "" } else { " " };
                let replacement = format!("{}mod{}", blank(before), blank(after));
                let message = "`%` is deprecated".to_owned();
                findings.push(edit(FindingKind::Deprecated, range, message, replacement));
            }
        }
        ExprKind::Negate(negate) => findings.extend(calculated(text, &negate.operand, false)),
        _ => {}
    }
}

/// Findings about keywords that are followed by a character other than a space.
pub(super) fn swallowed_characters(text: &str) -> Vec<Found> {
    let glued = lexer::lex(text).into_iter().filter_map(|lexeme| {
        let behind = text.get(lexeme.end() as usize..)?.chars().next()?;
        if !lexeme.kind.is_keyword() || is_blank(behind) {
            return None;
        }
        let range = lexeme.range();
        let lost = between(range.end(), range.end() + TextSize::of(behind));
        let message = format!("`{}` swallows the `{}` behind it", lexeme.text, shown(&behind.to_string()));
        Some(edit(FindingKind::SwallowedCharacter, lost, message, " ".to_owned()))
    });
    glued.collect()
}

/// The finding about an expression with the same result in every state.
pub(super) fn constant(root: &Expr) -> Option<Found> {
    let reads_nothing = reads(root).is_empty() && types::only_literals(root);
    let value = types::constant(root, &Filtrex);
    if !reads_nothing && value.is_none() {
        return None;
    }
    let message = match value.map(|value| is_truthy(&value)) {
        Some(true) => "the condition always holds",
        Some(false) => "the condition never holds",
        None => "the condition reads nothing: it is always the same",
    };
    let help = "leave the condition out for an edge that is always followed";
    Some(advice(FindingKind::Constant, root.range, message.to_owned(), help))
}

fn type_of(expr: &Expr) -> ValueType {
    types::type_of(expr, &Filtrex)
}

/// The type of an operand as messages name it, if it can be known.
fn type_in_words(expr: &Expr) -> Option<&'static str> {
    match type_of(expr) {
        ValueType::Bool => Some("true or false"),
        ValueType::Number => Some("a number"),
        ValueType::Text => Some("a text"),
        ValueType::List => Some("a list"),
        ValueType::Map | ValueType::Null | ValueType::Unknown => None,
    }
}

/// An operand of logic that is never true or false.
fn truth(text: &str, operand: &Expr) -> Option<Found> {
    let found = match &operand.without_groups().kind {
        ExprKind::Arithmetic(_) => "no truth value",
        _ => type_in_words(operand).filter(|_| type_of(operand) != ValueType::Bool)?,
    };
    let message = format!("`{}` is {found}: `and`, `or`, `not` and `if` fail on it", brief(text, operand));
    Some(advice(FindingKind::OperandType, operand.range, message, "compare it, as in `x > 0` or `x != ''`"))
}

/// The finding about a value next to a comparison, as in `a == 'x' or 'y'`, with the comparison repeated for that value.
fn compared_too(text: &str, before: Option<&Expr>, operand: &Expr, found: Found) -> Found {
    let compare = before.and_then(|before| match &before.without_groups().kind {
        ExprKind::Compare(compare) => Some(compare),
        _ => None,
    });
    match compare.map(AsRef::as_ref).filter(|compare| is_literal(operand) && !is_literal(&compare.left)) {
        Some(Compare {
            left,
            operator: operator @ (CompareOperator::Equal | CompareOperator::NotEqual),
            ..
        }) => {
            let replacement =
                format!("{} {} {}", slice(text, left), operator.spelled(), slice(text, operand));
            edit(found.kind, found.range, found.message, replacement)
        }
        _ => found,
    }
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Text(_) | ExprKind::Number(_))
}

/// An operand of a calculation that is never a number.
fn calculated(text: &str, operand: &Expr, takes_texts: bool) -> Option<Found> {
    let type_name = type_in_words(operand)?;
    let fits = match type_of(operand) {
        ValueType::Number => true,
        ValueType::Text => takes_texts,
        _ => false,
    };
    let message = format!("`{}` is {type_name}: the calculation fails", brief(text, operand));
    (!fits).then(|| {
        advice(FindingKind::OperandType, operand.range, message, "write `number(...)` around a text")
    })
}

fn check_comparison(text: &str, compare: &Compare, node: &Expr, findings: &mut Vec<Found>) {
    let Compare { left, operator, right, .. } = compare;
    findings.extend(compared(text, left, *operator));
    findings.extend(compared(text, right, *operator));
    findings.extend(pattern(text, *operator, right));
    findings.extend(never_equal(left, *operator, right, node));
}

fn check_chain(text: &str, chain: &Chain, findings: &mut Vec<Found>) {
    let mut left = &chain.first;
    for link in &chain.rest {
        for operand in [left, &link.operand] {
            findings.extend(compared(text, operand, link.operator));
        }
        findings.extend(pattern(text, link.operator, &link.operand));
        left = &link.operand;
    }
    findings.dedup_by(|one, other| one == other);
}

/// An operand for which an order or a pattern always fails.
fn compared(text: &str, operand: &Expr, operator: CompareOperator) -> Option<Found> {
    let wanted = match operator {
        CompareOperator::Less
        | CompareOperator::LessOrEqual
        | CompareOperator::Greater
        | CompareOperator::GreaterOrEqual => ValueType::Number,
        CompareOperator::Matches => ValueType::Text,
        _ => return None,
    };
    let type_name = type_in_words(operand).filter(|_| type_of(operand) != wanted)?;
    let message = format!("`{}` is {type_name}: `{}` fails on it", brief(text, operand), operator.spelled());
    if let ExprKind::Text(quoted) = &operand.without_groups().kind
        && wanted == ValueType::Number
        && quoted.value.parse::<f64>().is_ok_and(f64::is_finite)
    {
        return Some(edit(FindingKind::OperandType, operand.range, message, quoted.value.to_string()));
    }
    let help = match wanted {
        ValueType::Number => "only numbers have an order; write `number(...)` around a text",
        _ => "`~=` compares two texts",
    };
    Some(advice(FindingKind::OperandType, operand.range, message, help))
}

fn pattern(text: &str, operator: CompareOperator, right: &Expr) -> Option<Found> {
    let ExprKind::Text(pattern) = &right.without_groups().kind else { return None };
    if operator != CompareOperator::Matches || compiled(&pattern.value).is_ok() {
        return None;
    }
    let message = format!("`{}` is no regular expression", brief(text, right));
    let help = "write `\\\\` in front of a sign that stands for itself";
    Some(advice(FindingKind::InvalidPattern, right.range, message, help))
}

/// The finding about a list in parentheses, which is only equal to itself.
fn never_equal(left: &Expr, operator: CompareOperator, right: &Expr, node: &Expr) -> Option<Found> {
    let always = match operator {
        CompareOperator::Equal => "never",
        CompareOperator::NotEqual => "always",
        _ => return None,
    };
    let is_list = |side: &Expr| matches!(side.without_groups().kind, ExprKind::List(_));
    if !is_list(left) && !is_list(right) {
        return None;
    }
    let message = format!("a list equals itself alone: this {always} holds");
    Some(advice(FindingKind::NeverEqual, node.range, message, "write `x in (a, b)`"))
}

/// `not a == b`: the negation ends where the comparison begins.
fn negation_reach(text: &str, node: &Expr, first: &Expr) -> Option<Found> {
    let ExprKind::Not(not) = &first.kind else { return None };
    let negated = text_at(text, between(not.operand.range.start(), node.range.end()));
    let message = format!("`not` negates `{}` alone", brief(text, &not.operand));
    Some(edit(FindingKind::NegationReach, node.range, message, format!("not ({negated})")))
}

fn octal(text: &str, node: &Expr, value: f64) -> Option<Found> {
    let written = slice(text, node);
    let decimal: f64 = written.parse().ok()?;
    if !lexer::is_octal(written) || decimal == value {
        return None;
    }
    let message = format!("`{}` is octal: {}", shown(written), number_to_text(value));
    let help = format!("write `{}` or `{}`", number_to_text(decimal), number_to_text(value));
    Some(advice(FindingKind::Octal, node.range, message, &help))
}

fn deprecated_choice(text: &str, conditional: &Conditional, node: &Expr) -> Option<Found> {
    let Conditional { spelling, condition, consequent, alternative } = conditional;
    let parts = [condition, consequent, alternative].map(|part| slice(text, part));
    let [condition, consequent, alternative] = parts;
    let replacement = format!("if {condition} then {consequent} else {alternative}");
    let message = "`? :` is deprecated".to_owned();
    (*spelling == Spelling::Symbol).then(|| edit(FindingKind::Deprecated, node.range, message, replacement))
}

/// The text of a node, short enough for a message.
fn brief(text: &str, expr: &Expr) -> String {
    shown(slice(text, expr))
}
