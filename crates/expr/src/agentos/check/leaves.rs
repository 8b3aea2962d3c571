//! Leaves that are not what they seem.
//!
//! Input: the leaves that no finding explains yet; output: findings. Invariant: there is at most one finding for each
//! leaf, and one more for each comparison.

use super::layout::{Layout, Leaf, Role};
use super::{FindingKind, RoutingFinding, paths, shape, symbols};
use crate::agentos::authored::{Word, WordKind};
use crate::agentos::{PARTITIONS, RoutingSemantics, is_word, references, slice};
use crate::ast::{Compare, CompareOperator, Expr, ExprKind};
use crate::javascript;
use crate::problem::quote;
use crate::types;

/// Literals of other languages, each with the literal here.
const FOREIGN_LITERALS: [(&str, &str); 9] = [
    ("True", "true"),
    ("TRUE", "true"),
    ("False", "false"),
    ("FALSE", "false"),
    ("None", "null"),
    ("nil", "null"),
    ("NULL", "null"),
    ("Null", "null"),
    ("nothing", "null"),
];

/// The findings about leaves.
pub(super) fn findings(layout: &Layout<'_>) -> Vec<RoutingFinding> {
    let mut findings = Vec::new();
    let mut unexplained_side: Option<&Compare> = None;
    for leaf in &layout.leaves {
        let found = if leaf.is_explained { None } else { leaf_finding(layout, leaf) };
        let Role::Side(compare) = leaf.role else {
            findings.extend(found);
            continue;
        };
        let is_plain = !leaf.is_explained && found.is_none();
        let is_second = matches!(findings.last(), Some(RoutingFinding { kind: FindingKind::NotANumber, range, .. })
            if found.as_ref().is_some_and(|found| found.kind == FindingKind::NotANumber)
                && compare.left.range == *range);
        let found = found.filter(|_| !is_second);
        let both_plain = is_plain && unexplained_side.is_some_and(|other| std::ptr::eq(other, compare));
        unexplained_side = is_plain.then_some(compare);
        findings.extend(found);
        if both_plain {
            findings.extend(constant_comparison(layout, compare));
        }
    }
    findings
}

fn leaf_finding(layout: &Layout<'_>, leaf: &Leaf<'_>) -> Option<RoutingFinding> {
    match &leaf.expr.kind {
        ExprKind::Bare(text) if text.is_empty() => Some(shape::empty(leaf)),
        ExprKind::Bare(text) => {
            let words = layout.words_of(leaf);
            foreign_literal(leaf, text)
                .or_else(|| unknown_root(leaf, words))
                .or_else(|| unread_reference(layout.text, leaf))
                .or_else(|| without_effect(leaf, text))
        }
        ExprKind::Text(text) => symbols::escape(leaf)
            .or_else(|| unread_reference(layout.text, leaf).filter(|_| text.value.contains(text.quote)))
            .or_else(|| without_effect(leaf, &text.value)),
        _ => None,
    }
}

fn foreign_literal(leaf: &Leaf<'_>, text: &str) -> Option<RoutingFinding> {
    let (foreign, literal) = FOREIGN_LITERALS.iter().find(|(foreign, _)| *foreign == text)?;
    (leaf.role != Role::Arm).then(|| RoutingFinding {
        kind: FindingKind::ForeignLiteral,
        range: leaf.expr.range,
        message: format!("`{foreign}` is read as a text"),
        help: Some(format!("write `{literal}`")),
        replacement: Some((*literal).to_owned()),
    })
}

/// The finding about a path by itself whose first name is no part of the state.
fn unknown_root(leaf: &Leaf<'_>, words: &[Word<'_>]) -> Option<RoutingFinding> {
    let [word] = words else { return None };
    if word.kind != WordKind::Name {
        return None;
    }
    let (root, rest) = word.text.split_once('.').unwrap_or((word.text, ""));
    let is_path = !rest.is_empty();
    if PARTITIONS.contains(&root) {
        return None;
    }
    let has_name = is_path || matches!(leaf.role, Role::Side(_) | Role::Truth);
    let nearest = paths::without_prefix(word.text).or_else(|| {
        let partition = paths::same_but_for_case(root).or_else(|| paths::near(root).filter(|_| is_path))?;
        has_name.then(|| word.text.replacen(root, partition, 1))
    });
    if nearest.is_none() && (!is_path || leaf.role == Role::Arm) {
        return None;
    }
    Some(paths::unknown_root(word, nearest))
}

/// The finding about a reference among other words, which make the whole a text.
fn unread_reference(text: &str, leaf: &Leaf<'_>) -> Option<RoutingFinding> {
    let own = slice(text, leaf.expr.range);
    let path = references::scan(own, leaf.expr.range.start()).into_iter().next()?;
    Some(RoutingFinding {
        kind: FindingKind::UnreadReference,
        range: leaf.expr.range,
        message: format!("`{}` is not read: the part is plain text", quote(&path.dotted())),
        help: Some("a path must stand alone on its side of an operator".to_owned()),
        replacement: None,
    })
}

/// The finding about a text where only truth or a number makes a difference.
fn without_effect(leaf: &Leaf<'_>, value: &str) -> Option<RoutingFinding> {
    let shown = quote(value);
    match leaf.role {
        Role::Truth if !value.is_empty() => Some(RoutingFinding {
            kind: FindingKind::ConstantText,
            range: leaf.expr.range,
            message: format!("`{shown}` is a text here, and always true"),
            help: Some(as_path(leaf).unwrap_or_else(|| "compare a path with the text".to_owned())),
            replacement: None,
        }),
        Role::Side(compare) if is_order(compare.operator) && javascript::text_to_number(value).is_nan() => {
            Some(RoutingFinding {
                kind: FindingKind::NotANumber,
                range: leaf.expr.range,
                message: format!("`{shown}` is no number: `{}` never holds", compare.operator.spelled()),
                help: Some(
                    as_path(leaf)
                        .unwrap_or_else(|| "only numbers have an order; compare texts with `==`".to_owned()),
                ),
                replacement: None,
            })
        }
        _ => None,
    }
}

/// The path to write, if a single name is meant as a path.
fn as_path(leaf: &Leaf<'_>) -> Option<String> {
    let ExprKind::Bare(name) = &leaf.expr.kind else { return None };
    let is_name = name.bytes().all(is_word) && name.starts_with(|first: char| first.is_ascii_alphabetic());
    is_name.then(|| format!("begin a path with its part of the state: `scratch.{}`", quote(name)))
}

fn is_order(operator: CompareOperator) -> bool {
    use CompareOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
    matches!(operator, Less | LessOrEqual | Greater | GreaterOrEqual)
}

fn constant_comparison(layout: &Layout<'_>, compare: &Compare) -> Option<RoutingFinding> {
    let whole = Expr {
        kind: ExprKind::Compare(Box::new(compare.clone())),
        range: compare.left.range.cover(compare.right.range),
    };
    let value = types::constant(&whole, &RoutingSemantics)?;
    Some(shape::constant(layout.text, compare, javascript::is_truthy(&value)))
}
