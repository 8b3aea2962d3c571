//! Where `condition ? one : other` is cut.
//!
//! Input: a whole expression; output: the offsets of `?` and `:`. The runtime looks for the shortest condition, then
//! for the shortest first arm. Neither they nor the second arm may have a line break; white space around the marks
//! may. Invariant: linear time for every text; both offsets are of exactly these characters.

use super::is_line_break;
use crate::javascript::is_blank;

/// The offsets of the two marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks {
    /// The offset of the `?`.
    pub(crate) question: usize,
    /// The offset of the `:`.
    pub(crate) colon: usize,
}

/// A `?` or `:` of the text.
#[derive(Debug, Clone, Copy)]
struct Mark {
    at: usize,
    /// Where the white space before it begins; its own offset if there is none.
    blank_from: usize,
}

/// What one pass over the text finds.
#[derive(Debug, Default)]
struct Survey {
    questions: Vec<Mark>,
    colons: Vec<Mark>,
    line_breaks: Vec<usize>,
    /// Where the white space around the last line break begins. Only white space may be between the `:` and that line
    /// break.
    last_break_from: usize,
    ends_in_line_break: bool,
}

/// Where the text is cut; `None` if it is not a choice.
pub(crate) fn find(text: &str) -> Option<Marks> {
    if !text.contains('?') {
        return None;
    }
    let survey = survey(text);
    if survey.ends_in_line_break {
        return None;
    }
    let first_break = survey.line_breaks.first().copied().unwrap_or(text.len());
    let has_condition = |question: &&Mark| question.at > 0 && question.blank_from.max(1) <= first_break;
    survey
        .questions
        .iter()
        .take_while(|question| question.blank_from <= first_break)
        .filter(has_condition)
        .find_map(|question| {
            colon_after(text, &survey, question.at).map(|colon| Marks { question: question.at, colon })
        })
}

fn survey(text: &str) -> Survey {
    let mut survey = Survey::default();
    let mut blank_from = None;
    let mut last_is_break = false;
    for (at, character) in text.char_indices() {
        let mark = Mark { at, blank_from: blank_from.unwrap_or(at) };
        last_is_break = is_line_break(character);
        match character {
            '?' => survey.questions.push(mark),
            ':' => survey.colons.push(mark),
            _ if last_is_break => {
                survey.line_breaks.push(at);
                survey.last_break_from = mark.blank_from;
            }
            _ => {}
        }
        blank_from = if is_blank(character) { Some(mark.blank_from) } else { None };
    }
    survey.ends_in_line_break = last_is_break;
    // A `:` needs a second arm after it, even if that is only a space.
    survey.colons.retain(|colon| colon.at + 1 >= survey.last_break_from && colon.at + 1 < text.len());
    survey
}

/// The `:` that ends the first arm of a `?`.
fn colon_after(text: &str, survey: &Survey, question: usize) -> Option<usize> {
    let rest = text.get(question + 1..)?;
    let arm = rest.trim_start_matches(is_blank);
    let arm_start = text.len() - arm.len();
    let breaks_before = survey.line_breaks.partition_point(|at| *at < arm_start);
    let arm_end = survey.line_breaks.get(breaks_before).copied().unwrap_or(text.len());
    let next = survey.colons.partition_point(|colon| colon.at <= arm_start);
    if let Some(colon) = survey.colons.get(next)
        && colon.blank_from <= arm_end
    {
        return Some(colon.at);
    }
    // A space can be the whole arm if nothing longer is possible.
    let has_blank =
        rest.chars().take_while(|character| is_blank(*character)).any(|blank| !is_line_break(blank));
    let own = next.checked_sub(1).and_then(|previous| survey.colons.get(previous))?;
    (has_blank && own.at == arm_start).then_some(arm_start)
}
