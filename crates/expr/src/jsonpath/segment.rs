//! What each step of a path means.
//!
//! Input: the text of a step; output: a [`JsonPathSegment`]. Invariant: the meanings are tried in the library's
//! order, and a text without any other meaning is a name.

use smol_str::SmolStr;
use text_size::TextRange;

use super::script::{ScriptExpression, is_filter};
use super::steps::steps;
use super::traced::{Character, Traced, ends_line, spells};
use super::{Filter, JsonPathSegment, NestedFilter, SegmentKind, Slice};

/// How many filters may be nested.
const DEEPEST: usize = 8;

/// The segments of a path.
pub(super) fn segments(text: &str) -> Vec<JsonPathSegment> {
    let whole = TextRange::up_to(text_size::TextSize::of(text));
    let lost = || JsonPathSegment { kind: SegmentKind::Lost, text: SmolStr::default(), range: whole };
    steps(text).into_iter().map(|step| step.as_ref().map_or_else(lost, classify)).collect()
}

/// The segment for a step.
pub(super) fn classify(step: &Traced) -> JsonPathSegment {
    classify_below(step, 0)
}

fn classify_below(step: &Traced, depth: usize) -> JsonPathSegment {
    let text = step.text();
    let kind = match text.as_str() {
        "*" => SegmentKind::Wildcard,
        ".." => SegmentKind::Descendants,
        "^" => SegmentKind::Parent,
        "~" => SegmentKind::Name,
        "$" => SegmentKind::Root,
        _ => match slice(&text) {
            Some(slice) => SegmentKind::Slice(slice),
            None if is_filter(&step.characters) => SegmentKind::Filter(Box::new(filter(step, depth))),
            None if text.starts_with('(') => SegmentKind::Computed(Box::new(ScriptExpression::read(step))),
            None if text.starts_with('@') => SegmentKind::Type(type_word(&text)),
            None => match text.strip_prefix('`') {
                Some(name) => {
                    SegmentKind::Escaped { name: name.into(), otherwise: Box::new(names(step, &text, depth)) }
                }
                None => names(step, &text, depth),
            },
        },
    };
    JsonPathSegment { kind, text: text.into(), range: step.range() }
}

/// A name, or several names with commas.
fn names(step: &Traced, text: &str, depth: usize) -> SegmentKind {
    if !text.contains(',') {
        return SegmentKind::Child;
    }
    let parts = step.split(',');
    SegmentKind::Union(parts.iter().map(|part| classify_below(part, depth)).collect())
}

/// The word of a type selector: everything except the first character and the last two.
fn type_word(text: &str) -> SmolStr {
    let mut characters = text.chars();
    characters.next();
    characters.next_back();
    characters.next_back();
    characters.as_str().into()
}

/// Whether a text is a slice.
pub(super) fn is_slice(text: &str) -> bool {
    slice(text).is_some()
}

fn slice(text: &str) -> Option<Slice> {
    let (start, rest) = text.split_once(':')?;
    let (end, step) = rest.split_once(':').unwrap_or((rest, ""));
    let is_bound =
        |bound: &str| bound.strip_prefix('-').unwrap_or(bound).bytes().all(|byte| byte.is_ascii_digit());
    if !is_bound(start) || !is_bound(end) || !step.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // The library treats 0 like a missing number.
    let bound = |bound: &str| bound.parse::<f64>().ok().filter(|bound| *bound != 0.0);
    Some(Slice { start: bound(start).unwrap_or(0.0), end: bound(end), step: bound(step).unwrap_or(1.0) })
}

fn filter(step: &Traced, depth: usize) -> Filter {
    let condition = condition(step);
    let nested = nested(&condition).filter(|_| depth < DEEPEST).map(|(name, inner)| NestedFilter {
        name: name.into(),
        segment: Box::new(classify_below(&inner, depth + 1)),
    });
    Filter { script: ScriptExpression::read(&condition), nested }
}

/// The text between the parentheses of a filter. If these are not on one line, the whole step.
fn condition(step: &Traced) -> Traced {
    let characters = &step.characters;
    let last = characters.len().saturating_sub(1);
    let inner = characters.get(2..last).unwrap_or_default();
    let is_closed = last >= 2 && spells(characters, last, ")");
    if is_closed && !inner.iter().any(|character| ends_line(character.value)) {
        step.part(2, last)
    } else {
        step.clone()
    }
}

/// The filter or computed name in a condition that the library takes for the whole condition, and the name before it.
/// It reaches from the first `@` that has one after it to the last one before a `?` that is not its own.
fn nested(condition: &Traced) -> Option<(String, Traced)> {
    let characters = &condition.characters;
    let openings = last_openings(characters);
    let questions = next_questions(characters);
    let opening_from = |start: usize| {
        let limit = questions.get(start).copied()?;
        let (opening, end) = openings.get(limit).copied().flatten()?;
        (opening >= start).then_some((opening, end))
    };
    let starts = characters.iter().enumerate().filter(|(_, character)| character.value == '@');
    for (at, _) in starts {
        let skips_one = characters.get(at + 1).is_some_and(|next| !ends_line(next.value));
        let (start, found) = match opening_from(at + 2).filter(|_| skips_one) {
            Some(found) => (at + 2, Some(found)),
            None => (at + 1, opening_from(at + 1)),
        };
        if let Some((opening, end)) = found {
            let name = condition.part(start, opening).text();
            return Some((name, condition.part(opening + 1, end + 1)));
        }
    }
    None
}

/// For each index, the last opening up to there of a script that is closed, with the position of its `)`.
fn last_openings(characters: &[Character]) -> Vec<Option<(usize, usize)>> {
    let ends = nested_ends(characters);
    let mut last = None;
    let mut openings = Vec::with_capacity(characters.len() + 1);
    for (at, character) in characters.iter().enumerate() {
        if matches!(character.value, '[' | '\'') {
            let question = usize::from(spells(characters, at + 1, "?"));
            if spells(characters, at + 1 + question, "(")
                && let Some(end) = ends.get(at + 2 + question).copied().flatten()
            {
                last = Some((at, end));
            }
        }
        openings.push(last);
    }
    openings.push(last);
    openings
}

/// For each index, the first `)` from there on that closes a nested script, if no line ends before it.
fn nested_ends(characters: &[Character]) -> Vec<Option<usize>> {
    let mut ends = vec![None; characters.len() + 1];
    let mut next = None;
    for (at, character) in characters.iter().enumerate().rev() {
        let goes_on = characters.get(at + 1).is_some_and(|found| !ends_line(found.value))
            && spells(characters, at + 2, ")]");
        let closes = spells(characters, at, ")]") || spells(characters, at, ")'");
        if closes && !goes_on {
            next = Some(at);
        } else if ends_line(character.value) {
            next = None;
        }
        if let Some(end) = ends.get_mut(at) {
            *end = next;
        }
    }
    ends
}

/// For each index, the first `?` from there on, or the end.
fn next_questions(characters: &[Character]) -> Vec<usize> {
    let mut questions = vec![characters.len(); characters.len() + 1];
    let mut next = characters.len();
    for (at, character) in characters.iter().enumerate().rev() {
        if character.value == '?' {
            next = at;
        }
        if let Some(question) = questions.get_mut(at) {
            *question = next;
        }
    }
    questions
}
