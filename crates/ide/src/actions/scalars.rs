//! The styles of a scalar: plain, in quotes, in several lines. In: the scalar at the cursor. Out: actions that write
//! the same text in another style.

use nodewise_dialect::table::Type;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::write::{ScalarPosition, fragment_text, scalar_text};
use nodewise_syntax::{Scalar, ScalarStyle, ScalarValue, SyntaxNodeKind};

use super::chain::{self, PathValue};
use super::{Action, ActionContext};
use crate::cursor_context::CursorContext;

/// The minimum length of a text that can be split into several lines.
const LONG: usize = 60;
/// The width of folded lines, in bytes.
const WIDTH: usize = 80;

/// Offers the other styles of the scalar at the cursor.
pub(super) fn offer(context: &ActionContext<'_>, spot: &CursorContext<'_>, found: &mut Vec<Action>) {
    if context.is_json() {
        return;
    }
    let links = chain::links(spot);
    let [.., parent, link] = links.as_slice() else { return };
    let scalar = link.node(context.tree()).filter(|node| node.kind() == SyntaxNodeKind::Scalar);
    let Some(scalar) = scalar.and_then(|node| node.as_scalar()) else { return };
    let touches = scalar.node().range().contains_inclusive(context.range.start());
    if scalar.resolve() != ScalarValue::Text || !touches {
        return;
    }
    let text = scalar.cooked();
    let is_condition = link.types.iter().any(|ty| matches!(ty, Type::Condition(_)));
    let is_flow = links.iter().any(|link| is_flow(context, link));
    let setting = if is_flow { ScalarPosition::Flow } else { ScalarPosition::Block };
    let quoted = |quote: char, style| fragment_text(style, &text).map(|text| format!("{quote}{text}{quote}"));
    let plain = Some(scalar_text(&text, setting)).filter(|text| !text.starts_with(['"', '\'']));
    let mut ways = vec![
        (ScalarStyle::Plain, "Write without quotes", plain),
        (ScalarStyle::SingleQuoted, "Use single quotes", quoted('\'', ScalarStyle::SingleQuoted)),
        (ScalarStyle::DoubleQuoted, "Use double quotes", quoted('"', ScalarStyle::DoubleQuoted)),
    ];
    if let (false, Some(column)) = (is_flow, column_of(context, parent)) {
        let lines = |header: &str, lines: Vec<&str>| {
            let blank = " ".repeat(column + 2);
            let line_break = if context.file.text.contains("\r\n") { "\r\n" } else { "\n" };
            let lines: Vec<String> =
                lines.into_iter().map(|line| format!("{line_break}{blank}{line}")).collect();
            format!("{header}{}", lines.concat())
        };
        let is_long = text.len() > LONG && !text.contains('\n');
        let folded = is_long.then(|| lines(">-", broken(&text)));
        let literal = text.contains('\n').then(|| lines("|-", text.split('\n').collect()));
        ways.push((ScalarStyle::Folded, "Use a folded block", folded));
        ways.push((ScalarStyle::Literal, "Use a literal block", literal));
    }
    for (style, title, way) in ways {
        // A condition in single quotes looks like a text in the language of conditions.
        let is_misleading = style == ScalarStyle::SingleQuoted && is_condition;
        let may_become = style != scalar.style() && may_become(scalar, style) && !is_misleading;
        if let Some(text) = way.filter(|_| may_become) {
            found.extend(context.same(title, vec![TextEdit { range: scalar.node().range(), text }]));
        }
    }
}

/// Whether a text can have a style: texts of several lines need block scalars or double quotes.
fn may_become(scalar: Scalar<'_>, style: ScalarStyle) -> bool {
    let has_lines = scalar.cooked().contains('\n');
    let is_block = matches!(scalar.style(), ScalarStyle::Literal | ScalarStyle::Folded);
    match style {
        ScalarStyle::Plain | ScalarStyle::SingleQuoted => !has_lines,
        ScalarStyle::DoubleQuoted | ScalarStyle::Literal => true,
        ScalarStyle::Folded => !is_block,
    }
}

/// A text in lines, split at single spaces.
fn broken(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while rest.len() > WIDTH {
        let is_single = |(at, _): &(usize, &str)| {
            let (before, behind) = (rest.get(..*at), rest.get(at + 1..));
            before.is_some_and(|before| !before.is_empty() && !before.ends_with(' '))
                && behind.is_some_and(|behind| !behind.is_empty() && !behind.starts_with(' '))
        };
        let blanks: Vec<usize> = rest.match_indices(' ').filter(is_single).map(|(at, _)| at).collect();
        let fitting = blanks.iter().rev().find(|at| **at <= WIDTH).or(blanks.first());
        let Some((line, behind)) = fitting.and_then(|at| Some((rest.get(..*at)?, rest.get(at + 1..)?)))
        else {
            break;
        };
        lines.push(line);
        rest = behind;
    }
    lines.push(rest);
    lines
}

/// Whether a value is written in brackets.
pub(super) fn is_flow(context: &ActionContext<'_>, link: &PathValue<'_, '_>) -> bool {
    let tree = context.tree();
    link.mapping(tree).is_some_and(|mapping| mapping.is_flow())
        || link.sequence(tree).is_some_and(|sequence| sequence.is_flow())
}

/// The column of the keys or dashes of a collection.
pub(super) fn column_of(context: &ActionContext<'_>, link: &PathValue<'_, '_>) -> Option<usize> {
    let tree = context.tree();
    let start = link
        .mapping(tree)
        .map(|mapping| mapping.range())
        .or_else(|| link.sequence(tree).map(|sequence| sequence.range()))?;
    let before = tree.text().get(..usize::from(start.start()))?;
    Some(before.len() - before.rfind('\n').map_or(0, |end| end + 1))
}
