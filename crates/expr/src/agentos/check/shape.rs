//! How the text is cut: line breaks, quotes that are cut, comparisons in a row.
//!
//! Input: text and tree; output: findings. Invariant: a replacement leaves an expression that is read as a choice,
//! or as comparisons of two sides each.

use text_size::{TextRange, TextSize};

use super::layout::{Layout, Leaf, Role, is_reference};
use super::{FindingKind, RoutingFinding};
use crate::agentos::authored::{Word, WordKind};
use crate::agentos::cut::COMPARISONS;
use crate::agentos::{is_line_break, range, slice, ternary};
use crate::ast::{Compare, Expr, ExprKind};
use crate::javascript::is_blank;
use crate::problem::quote;

/// The finding about a line break because of which a choice is not read as one.
pub(super) fn line_break(text: &str, expr: &Expr) -> Option<RoutingFinding> {
    if matches!(expr.kind, ExprKind::Conditional(_)) || !text.contains(is_line_break) {
        return None;
    }
    let joined: String =
        text.chars().map(|character| if is_line_break(character) { ' ' } else { character }).collect();
    ternary::find(&joined)?;
    let leading = text.len() - text.trim_start_matches(is_blank).len();
    let trailing = text.trim_end_matches(is_blank).len();
    let (place, help, replacement) = if text.get(trailing..).is_some_and(|end| end.contains(is_line_break)) {
        (range(trailing, text.len()), "begin the block with `|-`, which drops the last line break", "")
    } else if text.get(..leading).is_some_and(|start| start.contains(is_line_break)) {
        (range(0, leading), "begin the expression on its first line", "")
    } else {
        (inner_break(text)?, "break lines only around `?` and `:`", " ")
    };
    Some(RoutingFinding {
        kind: FindingKind::LineBreak,
        range: place,
        message: "a line break here keeps `? :` from being read".to_owned(),
        help: Some(help.to_owned()),
        replacement: Some(replacement.to_owned()),
    })
}

/// The first white space with a line break that is not next to a mark of a choice.
fn inner_break(text: &str) -> Option<TextRange> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find(is_line_break)?;
        let before = text.get(..at)?.trim_end_matches(is_blank);
        let after = text.get(at..)?.trim_start_matches(is_blank);
        let is_mark = |mark: Option<char>| matches!(mark, Some('?' | ':'));
        let end = text.len() - after.len();
        if !is_mark(before.chars().next_back()) && !is_mark(after.chars().next()) {
            return Some(range(before.len(), end));
        }
        from = end;
    }
}

/// Quoted texts in which the runtime finds an operator.
pub(super) fn cut_quotes(layout: &mut Layout<'_>) -> Vec<RoutingFinding> {
    let mut findings = Vec::new();
    let mut marks = layout.marks.iter().peekable();
    let mut spoiled: Vec<TextRange> = Vec::new();
    for word in layout.words.iter().filter(|word| word.kind == WordKind::Quoted) {
        while marks.next_if(|mark| mark.start() < word.range().start()).is_some() {}
        let Some(mark) = marks.peek().filter(|mark| mark.end() <= word.range().end()) else { continue };
        spoiled.push(word.range());
        findings.push(RoutingFinding {
            kind: FindingKind::CutQuote,
            range: **mark,
            message: format!("`{}` cuts the expression, even in quotes", slice(layout.text, **mark)),
            help: Some("keep such a text in the state, and compare with its path".to_owned()),
            replacement: None,
        });
    }
    let mut next = spoiled.iter().peekable();
    for leaf in &mut layout.leaves {
        while next.next_if(|quoted| quoted.end() <= leaf.expr.range.start()).is_some() {}
        leaf.is_explained = next.peek().is_some_and(|quoted| quoted.start() < leaf.expr.range.end());
    }
    findings
}

/// Comparisons of more than two sides.
pub(super) fn comparisons(layout: &mut Layout<'_>) -> Vec<RoutingFinding> {
    let mut findings: Vec<RoutingFinding> = Vec::new();
    let text = layout.text;
    let mut last: Option<&Compare> = None;
    for index in 0..layout.leaves.len() {
        let Some(leaf) = layout.leaves.get(index) else { break };
        let Role::Side(compare) = leaf.role else { continue };
        let chained =
            leaf.is_suspect() && !leaf.is_explained && layout.words_of(leaf).iter().any(is_comparison);
        if !chained {
            continue;
        }
        let is_new = last.is_none_or(|last| !std::ptr::eq(last, compare));
        last = Some(compare);
        explain_sides(layout, compare);
        if is_new {
            findings.push(chain(text, compare, layout.words));
        }
    }
    findings
}

fn explain_sides(layout: &mut Layout<'_>, compare: &Compare) {
    let is_side =
        |leaf: &&mut Leaf<'_>| matches!(leaf.role, Role::Side(other) if std::ptr::eq(other, compare));
    let first = layout.leaves.partition_point(|leaf| leaf.expr.range.end() < compare.left.range.start());
    let sides = layout.leaves.get_mut(first..).unwrap_or_default().iter_mut();
    for side in sides.skip_while(|leaf| !is_side(leaf)).take_while(is_side) {
        side.is_explained = true;
    }
}

fn is_comparison(word: &Word<'_>) -> bool {
    word.kind == WordKind::Symbol && COMPARISONS.iter().any(|operator| operator.spelled() == word.text)
}

fn chain(text: &str, compare: &Compare, words: &[Word<'_>]) -> RoutingFinding {
    let whole = compare.left.range.cover(compare.right.range);
    let replacement = spelled_out(text, words_in(words, whole));
    RoutingFinding {
        kind: FindingKind::ChainedComparison,
        range: whole,
        message: format!("only `{}` is compared here, the rest is text", compare.operator.spelled()),
        help: Some(match &replacement {
            Some(replacement) if replacement.chars().count() <= 60 => format!("write `{replacement}`"),
            _ => "join single comparisons with `&&`".to_owned(),
        }),
        replacement,
    }
}

fn words_in<'w, 't>(words: &'w [Word<'t>], whole: TextRange) -> &'w [Word<'t>] {
    let end_of = |offset: TextSize| words.partition_point(|word| word.start < usize::from(offset));
    words.get(end_of(whole.start())..end_of(whole.end())).unwrap_or_default()
}

/// `a < b < c` as two comparisons, `a < b == true` as one.
fn spelled_out(text: &str, words: &[Word<'_>]) -> Option<String> {
    let [first, one, middle, other, last] = words else { return None };
    let are_simple =
        [first, middle, last].iter().all(|word| word.ends_operand() && word.kind != WordKind::Symbol);
    if !are_simple || !is_comparison(one) || !is_comparison(other) {
        return None;
    }
    let [first_text, middle_text, last_text] = [first.text, middle.text, last.text];
    if matches!(other.text, "==" | "===") && last_text == "true" {
        return Some(slice(text, first.range().cover(middle.range())).to_owned());
    }
    let is_range = |word: &Word<'_>| matches!(word.text, "<" | "<=" | ">" | ">=");
    (is_range(one) && is_range(other) && is_reference(middle)).then(|| {
        format!("{first_text} {} {middle_text} && {middle_text} {} {last_text}", one.text, other.text)
    })
}

/// The finding about an operator or mark with nothing on one side.
pub(super) fn empty(leaf: &Leaf<'_>) -> RoutingFinding {
    let (message, help) = match leaf.role {
        Role::Whole => ("the expression is empty: it names no route", "write `true`, or the name of a node"),
        Role::Arm => ("an arm is empty: it names no route", "write the name of a node on both sides of `:`"),
        Role::Truth => ("nothing stands here: never true", "write a condition on both sides of the operator"),
        Role::Side(_) => ("one side of the comparison is empty", "write `''` to compare with the empty text"),
    };
    RoutingFinding {
        kind: FindingKind::EmptyOperand,
        range: leaf.expr.range,
        message: message.to_owned(),
        help: Some(help.to_owned()),
        replacement: None,
    }
}

/// The finding about a comparison of two fixed sides.
pub(super) fn constant(text: &str, compare: &Compare, holds: bool) -> RoutingFinding {
    let whole = compare.left.range.cover(compare.right.range);
    RoutingFinding {
        kind: FindingKind::ConstantComparison,
        range: whole,
        message: format!("`{}` reads no state: always {holds}", quote(slice(text, whole))),
        help: Some("begin a path with `scratch.`, `input.` or `artifacts.`".to_owned()),
        replacement: None,
    }
}
