//! The reasons why the release throws, as messages.
//!
//! Input: a path; output: problems in reading order. Invariant: the release throws when evaluation gets to a problem.

use text_size::{TextRange, TextSize};

use super::select::INHERITED;
use super::steps::TYPES;
use super::{JsonPath, JsonPathSegment, SegmentKind};
use crate::problem::{ParseProblem, ParseProblemKind};

/// The problems of a path.
pub(super) fn problems(path: &JsonPath) -> Vec<ParseProblem> {
    let mut problems = Vec::new();
    if INHERITED.contains(&path.text.as_str()) {
        let whole = TextRange::up_to(TextSize::of(path.text.as_str()));
        let message = format!("`{}` alone is no path to the release", path.text);
        problems.push(problem(whole, message, Some(format!("write `$.{}`", path.text))));
    }
    let begins =
        usize::from(path.segments.len() > 1 && path.segments.first().is_some_and(|first| first.text == "$"));
    let mut name_first = false;
    for (index, segment) in path.segments.iter().enumerate().skip(begins) {
        if index == begins {
            problems.extend(problem_of_first(segment));
        }
        collect(segment, name_first, &mut problems);
        name_first = match segment.kind {
            SegmentKind::Child | SegmentKind::Escaped { .. } => !name_first,
            SegmentKind::Wildcard => true,
            _ => false,
        };
    }
    problems
}

/// The problem of a first step after which the value is not a list.
fn problem_of_first(segment: &JsonPathSegment) -> Option<ParseProblem> {
    let (message, help) = match &segment.kind {
        SegmentKind::Parent => ("nothing is above the path's root".to_owned(), "leave `^` out"),
        SegmentKind::Name => ("the path's root has no name".to_owned(), "write a name before `~`"),
        SegmentKind::Type(word) if TYPES.contains(&word.as_str()) && word != "other" => (
            format!("`@{word}()` cannot be asked of the path's root"),
            "write a step before it, as in `$..@string()`",
        ),
        _ => return None,
    };
    Some(problem(segment.range, message, Some(help.to_owned())))
}

/// Adds the problems of a step. `name_first` means that its text is first tried as a name.
fn collect(segment: &JsonPathSegment, name_first: bool, problems: &mut Vec<ParseProblem>) {
    match &segment.kind {
        SegmentKind::Filter(filter) => match &filter.nested {
            Some(nested) => collect(&nested.segment, false, problems),
            None if !segment.text.ends_with(')') => {
                let help = Some("end it with `)]`".to_owned());
                problems.push(problem(segment.range, "the filter is not closed".to_owned(), help));
            }
            None => problems.extend(filter.script.problems()),
        },
        SegmentKind::Computed(script) => problems.extend(script.problems()),
        SegmentKind::Union(parts) => parts.iter().for_each(|part| collect(part, false, problems)),
        SegmentKind::Type(word) if word == "other" => {
            let message = "`@other()` needs a function that cycgraph does not give it".to_owned();
            problems.push(problem(segment.range, message, None));
        }
        SegmentKind::Type(word) if !TYPES.contains(&word.as_str()) && !name_first => {
            problems.push(unknown_type(segment));
        }
        SegmentKind::Lost => {
            let message = "`#` with a number stands for a filter that is not there".to_owned();
            problems.push(problem(segment.range, message, None));
        }
        _ => {}
    }
}

fn unknown_type(segment: &JsonPathSegment) -> ParseProblem {
    let message = "a name that begins with `@` is read as a type".to_owned();
    let help = if segment.text == "@" {
        "outside filters, write `$`".to_owned()
    } else {
        format!("write ['`{}']", segment.text)
    };
    problem(segment.range, message, Some(help))
}

fn problem(range: TextRange, message: String, help: Option<String>) -> ParseProblem {
    ParseProblem { kind: ParseProblemKind::UnexpectedToken, range, message, help, replacement: None }
}
