//! A second opinion: two texts read by a parser that shares nothing with ours. In: the text before and after; out: the
//! first difference of what they mean. Invariant: equal events mean equal data, anchors, tags and documents.

use std::fmt;

use yaml_rust2::Event;
use yaml_rust2::parser::{MarkedEventReceiver, Parser};
use yaml_rust2::scanner::{Marker, TScalarStyle};

/// Why the new text is not to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// The second parser does not read the text before: line from 1, reason.
    Unreadable(usize, String),
    /// It does not read the text after.
    Broken(usize, String),
    /// The texts say different things, first at this line (from 1) of the text before.
    Changed(usize),
}

impl fmt::Display for Doubt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Unreadable(line, reason) => {
                write!(formatter, "a second YAML parser cannot read line {line}: {reason}")
            }
            Doubt::Broken(line, reason) => {
                write!(formatter, "a second YAML parser could not read line {line} of the new text: {reason}")
            }
            Doubt::Changed(line) => {
                write!(formatter, "a second YAML parser would understand line {line} differently afterwards")
            }
        }
    }
}

/// Whether two texts mean the same.
pub fn same_meaning(before: &str, after: &str) -> Result<(), Doubt> {
    let old = read(before).map_err(|(line, reason)| Doubt::Unreadable(line, reason))?;
    let new = read(after).map_err(|(line, reason)| Doubt::Broken(line, reason))?;
    let first = old.iter().zip(&new).find(|(old, new)| old.meaning != new.meaning);
    match first {
        Some((old, _)) => Err(Doubt::Changed(old.line)),
        None if old.len() != new.len() => Err(Doubt::Changed(old.last().map_or(1, |last| last.line))),
        None => Ok(()),
    }
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
