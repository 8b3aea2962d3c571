//! A second opinion: two texts read by a parser that shares nothing with ours. In: the text before and after; out: the
//! first difference of what they mean. Invariant: equal events mean equal data, anchors, tags and documents.

use std::fmt;

use nodewise_platform::sorting::Sorting;
use yaml_rust2::Event;
use yaml_rust2::parser::{MarkedEventReceiver, Parser};
use yaml_rust2::scanner::{Marker, TScalarStyle};

use crate::conditions::Rewrite;

/// Why the new text is not to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerificationFailure {
    /// The second parser does not read the text before: line from 1, reason.
    Unreadable(usize, String),
    /// It does not read the text after.
    Broken(usize, String),
    /// The texts say different things, first at this line (from 1) of the text before.
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

/// Whether two texts mean the same, but for expressions that were formatted.
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

/// Whether two texts hold the same data, whatever the order of keys.
pub(crate) fn same_data(before: &str, after: &str) -> Result<(), VerificationFailure> {
    let old = read(before).map_err(|(line, reason)| VerificationFailure::Unreadable(line, reason))?;
    let new = read(after).map_err(|(line, reason)| VerificationFailure::Broken(line, reason))?;
    match sorted(&old) == sorted(&new) {
        true => Ok(()),
        false => Err(VerificationFailure::Changed(1)),
    }
}

/// Whether two scalars differ as an expression and its layout do.
fn is_rewritten(rewrite: &Rewrite, old: &Event, new: &Event) -> bool {
    match (old, new) {
        (Event::Scalar(old, _, old_anchor, old_tag), Event::Scalar(new, _, new_anchor, new_tag)) => {
            *old == rewrite.before && *new == rewrite.after && old_anchor == new_anchor && old_tag == new_tag
        }
        _ => false,
    }
}

/// The nodes of a text as words, the members of each mapping sorted. Anchors are numbered by their places, so they are
/// left out: who sorts keys has none.
fn sorted(said: &[Said]) -> String {
    // Each open collection: whether it is a mapping, and what it has.
    let mut open: Vec<(bool, Vec<String>)> = vec![(false, Vec::new())];
    for one in said {
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

/// A mapping from its tag, keys and values.
fn mapping(parts: &[String]) -> String {
    let (tag, members) = parts.split_first().map_or(("", parts), |(tag, rest)| (tag.as_str(), rest));
    let mut members: Vec<String> = members.chunks(2).map(|pair| pair.join(": ")).collect();
    members.arrange();
    format!("{{{tag} {}}}", members.join(", "))
}

/// An event without what layout may change.
struct Said {
    meaning: Event,
    line: usize,
}

#[derive(Default)]
struct Reader {
    said: Vec<Said>,
}

impl MarkedEventReceiver for Reader {
    fn on_event(&mut self, event: Event, mark: Marker) {
        let meaning = match event {
            // A plain text may be a number, any other style is a text.
            Event::Scalar(text, style, anchor, tag) => {
                let style = if style == TScalarStyle::Plain { style } else { TScalarStyle::DoubleQuoted };
                Event::Scalar(text, style, anchor, tag)
            }
            other => other,
        };
        self.said.push(Said { meaning, line: mark.line() });
    }
}

fn read(text: &str) -> Result<Vec<Said>, (usize, String)> {
    let mut reader = Reader::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match Parser::new_from_str(text).load(&mut reader, true) {
        Ok(()) => Ok(reader.said),
        Err(error) => Err((error.marker().line(), error.info().to_owned())),
    }
}
