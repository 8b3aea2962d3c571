//! A second opinion: two texts read by a parser that shares nothing with ours. In: the text before and after; out: the
//! first difference of what they mean. Invariant: equal events mean equal data, anchors, tags and documents.

use std::fmt;

use nodewise_platform::sorting::Sorting;
use yaml_rust2::Event;
use yaml_rust2::parser::{MarkedEventReceiver, Parser};
use yaml_rust2::scanner::{Marker, TScalarStyle};

use crate::conditions::Rewrite;

/// Why the new text must not be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerificationFailure {
    /// The second parser cannot read the old text. The fields are the line, from 1, and the reason.
    Unreadable(usize, String),
    /// The second parser cannot read the new text. The fields are the line, from 1, and the reason.
    Broken(usize, String),
    /// The texts have different meanings. The field is the first such line of the old text, from 1.
    Changed(usize),
}

impl fmt::Display for VerificationFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerificationFailure::Unreadable(line, reason) => {
                write!(formatter, "a second YAML parser cannot read line {line}: {reason}")
            }
            VerificationFailure::Broken(line, reason) => {
                write!(
                    formatter,
                    "a second YAML parser cannot read line {line} of the formatted text: {reason}"
                )
            }
            VerificationFailure::Changed(line) => {
                write!(formatter, "a second YAML parser reads line {line} differently after formatting")
            }
        }
    }
}

/// Checks that two texts mean the same, apart from formatted expressions.
pub(crate) fn same_meaning<'r>(
    before: &str,
    after: &str,
    mut rewrites: impl Iterator<Item = &'r Rewrite>,
) -> Result<(), VerificationFailure> {
    let old = read(before).map_err(|(line, reason)| VerificationFailure::Unreadable(line, reason))?;
    let new = read(after).map_err(|(line, reason)| VerificationFailure::Broken(line, reason))?;
    for (old, new) in old.iter().zip(&new) {
        let is_same = old.meaning == new.meaning
            || rewrites.any(|rewrite| is_rewritten(rewrite, &old.meaning, &new.meaning));
        if !is_same {
            return Err(VerificationFailure::Changed(old.line));
        }
    }
    match old.len() == new.len() {
        true => Ok(()),
        false => Err(VerificationFailure::Changed(old.last().map_or(1, |last| last.line))),
    }
}

/// Checks that two texts contain the same data. The order of keys is ignored.
pub(crate) fn same_data(before: &str, after: &str) -> Result<(), VerificationFailure> {
    let old = read(before).map_err(|(line, reason)| VerificationFailure::Unreadable(line, reason))?;
    let new = read(after).map_err(|(line, reason)| VerificationFailure::Broken(line, reason))?;
    match sorted(&old) == sorted(&new) {
        true => Ok(()),
        false => Err(VerificationFailure::Changed(1)),
    }
}

/// Whether the difference between two scalars is that an expression was formatted.
fn is_rewritten(rewrite: &Rewrite, old: &Event, new: &Event) -> bool {
    match (old, new) {
        (Event::Scalar(old, _, old_anchor, old_tag), Event::Scalar(new, _, new_anchor, new_tag)) => {
            *old == rewrite.before && *new == rewrite.after && old_anchor == new_anchor && old_tag == new_tag
        }
        _ => false,
    }
}

/// The nodes of a text as a string, with the members of each mapping sorted. Anchors are omitted, because they are
/// numbered by their places; files with aliases are never sorted.
fn sorted(contents: &[Content]) -> String {
    // The open collections: whether each is a mapping, and its members so far.
    let mut open: Vec<(bool, Vec<String>)> = vec![(false, Vec::new())];
    for one in contents {
        let done = match &one.meaning {
            Event::SequenceStart(_, tag) | Event::MappingStart(_, tag) => {
                let is_map = matches!(one.meaning, Event::MappingStart(..));
                open.push((is_map, vec![format!("{tag:?}")]));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some((true, parts)) => mapping(&parts),
                Some((false, parts)) => format!("[{}]", parts.join(", ")),
                None => continue,
            },
            Event::Scalar(text, style, _, tag) => format!("{text:?} {style:?} {tag:?}"),
            other => format!("{other:?}"),
        };
        if let Some((_, parts)) = open.last_mut() {
            parts.push(done);
        }
    }
    open.into_iter().flat_map(|(_, parts)| parts).collect::<Vec<_>>().join("\n")
}

/// A mapping as a string, from its tag, keys and values.
fn mapping(parts: &[String]) -> String {
    let (tag, members) = parts.split_first().map_or(("", parts), |(tag, rest)| (tag.as_str(), rest));
    let mut members: Vec<String> = members.chunks(2).map(|pair| pair.join(": ")).collect();
    members.arrange();
    format!("{{{tag} {}}}", members.join(", "))
}

/// The parts of an event that the layout must not change.
struct Content {
    meaning: Event,
    line: usize,
}

#[derive(Default)]
struct Reader {
    contents: Vec<Content>,
}

impl MarkedEventReceiver for Reader {
    fn on_event(&mut self, event: Event, mark: Marker) {
        let meaning = match event {
            // A plain scalar may be a number. In any other style it is a text.
            Event::Scalar(text, style, anchor, tag) => {
                let style = if style == TScalarStyle::Plain { style } else { TScalarStyle::DoubleQuoted };
                Event::Scalar(text, style, anchor, tag)
            }
            other => other,
        };
        self.contents.push(Content { meaning, line: mark.line() });
    }
}

fn read(text: &str) -> Result<Vec<Content>, (usize, String)> {
    let mut reader = Reader::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match Parser::new_from_str(text).load(&mut reader, true) {
        Ok(()) => Ok(reader.contents),
        Err(error) => Err((error.marker().line(), error.info().to_owned())),
    }
}
