//! Hover inside an expression: a name of the state, a function, an operator, or the constant value of a part. In: a
//! spot in an expression. Out: a hover on the token.

use nodewise_expr::assist::{self, HoverKind};
use nodewise_expr::constant::Constant;
use nodewise_expr::types::ValueType;
use nodewise_expr::vocabulary::VocabularyEntry;
use nodewise_syntax::{TextRange, TextSize};
use smol_str::SmolStr;

use super::{Hover, named};
use crate::cursor_context::{CursorContext, ExpressionSpot};
use crate::markup::{Line, Markup, type_word};
use crate::names::name_at;
use crate::position::FilePosition;

pub(super) fn hover(spot: &CursorContext<'_>) -> Option<Hover> {
    let expression = spot.expression.as_ref()?;
    let offset = TextSize::try_from(expression.offset).ok()?;
    let language = expression.language;
    let Some(found) = assist::hover_at(language, &expression.text, offset) else {
        return whole(spot, expression);
    };
    let range = expression.place(spot.file, found.range);
    let mut text = Markup::new();
    match &found.what {
        HoverKind::Entry(entry) => describe_entry(&mut text, entry),
        HoverKind::Path { segments, entry } => {
            if let Some(name) = name_at(spot.snapshot, spot.position).filter(|name| name.in_expression) {
                return Some(named::of_name(spot, &name));
            }
            match entry {
                Some(entry) => describe_entry(&mut text, entry),
                None => part_of(spot, expression, offset, segments, &mut text),
            }
        }
        HoverKind::Literal | HoverKind::Word => {}
    }
    if let Some(line) = comes_to(expression, offset, found.part_type) {
        text.paragraph(&line);
    }
    (!text.is_empty()).then_some(Hover { range, text })
}

/// A part of a name's value. The hover explains the name.
fn part_of(
    spot: &CursorContext<'_>,
    expression: &ExpressionSpot,
    offset: TextSize,
    segments: &[SmolStr],
    text: &mut Markup,
) {
    let paths = expression.language.paths(&expression.text);
    let path = paths.iter().find(|path| path.range.contains_inclusive(offset));
    let name = path.into_iter().flat_map(|path| &path.segments).find_map(|segment| {
        let start = expression.place(spot.file, segment.range).start();
        name_at(spot.snapshot, FilePosition::new(spot.position.source, start))
            .filter(|name| name.in_expression)
    });
    if let Some(name) = name {
        let part = Line::new().code(&segments.join(".")).prose(" is a part of ").code(&name.name).prose(":");
        text.paragraph(&part);
        text.append(&named::of_name(spot, &name).text);
    }
}

/// A word or sign of the language.
pub(crate) fn describe_entry(markup: &mut Markup, entry: &VocabularyEntry) {
    match entry.signature {
        Some(signature) => {
            markup.code("", signature);
            markup.paragraph(&Line::new().prose(entry.doc));
        }
        None => markup.paragraph(&Line::new().code(entry.name).prose(": ").prose(entry.doc)),
    }
}

/// The constant value of the smallest part around the cursor, or its type.
fn comes_to(expression: &ExpressionSpot, offset: TextSize, part_type: Option<ValueType>) -> Option<Line> {
    let language = expression.language;
    let (range, _) = assist::type_at(language, &expression.text, offset)?;
    let part = expression.text.get(std::ops::Range::<usize>::from(range))?;
    let is_more = language.tokens(part).len() > 1;
    let constant = match part == expression.text.trim() {
        true => assist::constant(language, &expression.text),
        false if !language.syntax().parts_stand_alone => None,
        false => assist::constant(language, part),
    };
    match constant.filter(|_| is_more) {
        Some(constant) => Some(always(part, &constant)),
        None => {
            let word = type_word(part_type?).filter(|_| is_more)?;
            Some(Line::new().code(part).prose(": ").prose(word))
        }
    }
}

/// The whole expression, if it always has the same value. For positions outside of tokens.
fn whole(spot: &CursorContext<'_>, expression: &ExpressionSpot) -> Option<Hover> {
    let constant = assist::constant(expression.language, &expression.text)?;
    let all = TextRange::up_to(TextSize::of(expression.text.as_str()));
    let mut text = Markup::new();
    text.paragraph(&always(&expression.text, &constant));
    Some(Hover { range: expression.place(spot.file, all), text })
}

fn always(part: &str, constant: &Constant) -> Line {
    let line = Line::new().code(part);
    match constant {
        Constant::Value(_) => line.prose(" is always ").code(&constant.shown()),
        Constant::Fails(message) => line.prose(" always fails: ").text(message),
    }
}
