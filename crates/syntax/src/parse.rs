//! The parser: text in, arena of events and list of problems out, in one pass.
//!
//! It descends by indentation. A construct that turns out to be a key (or to own the properties before it) is
//! opened in front of its events afterwards, so no look-ahead over a construct is needed. Invariant: the parse
//! never fails and never reads a byte more than a constant number of times.

mod block;
mod check;
mod cursor;
mod document;
mod flow;
mod properties;
mod recover;
mod scalar;
#[cfg(test)]
mod tests;

pub(crate) use properties::split_tag;

use std::collections::BTreeSet;

use nodewise_platform::sorting::Sorting;

use crate::event::{Event, SyntaxKind};
use crate::problem::{Problem, ProblemKind};

/// The maximum depth of constructs. It bounds the native stack for any input.
const DEPTH_LIMIT: usize = 200;

/// What a parse leaves behind.
pub(crate) struct Parsed {
    pub(crate) events: Vec<Event>,
    pub(crate) problems: Vec<Problem>,
    /// For each alias, in order: the index of its event, and the index of the node that it refers to.
    pub(crate) alias_targets: Vec<(u32, u32)>,
}

/// A block collection that is being read.
#[derive(Clone, Copy)]
struct Frame {
    column: usize,
    is_sequence: bool,
}

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    position: usize,
    line_start: usize,
    events: Vec<Event>,
    /// White space and comments that were read, but are not yet assigned to a construct.
    pending: Vec<Event>,
    problems: Vec<Problem>,
    /// The next content is the first on its line.
    fresh: bool,
    /// The next content follows white space.
    spaced: bool,
    /// That white space contains a tab, on the same line as the content.
    tab: bool,
    /// The column of the next content. A tab in the indentation counts as several columns.
    column: usize,
    /// The number of spaces at the start of the line, up to the first tab.
    indentation: usize,
    frames: Vec<Frame>,
    depth: usize,
    /// The opening brackets of the flow collections that are being read.
    brackets: Vec<u8>,
    /// A flow collection is unclosed, so it ends here together with all flow collections inside it.
    flow_ends: bool,
    /// The start of the last quoted scalar that took the rest of its line, closing brackets included.
    greedy_quote: Option<usize>,
    /// The position of the last call of `is_key_line`, and the result. Several collections ask about the same line.
    key_line: (usize, bool),
    /// The position of the last call of `odd_candidate`, and the result. Several collections ask about the same line.
    candidate: (usize, Option<recover::OddLine>),
    /// The last line whose indentation the flow parser reported.
    reported_line: usize,
    /// The keys of the mapping that is being checked. A field, so that its allocation is reused.
    keys: Vec<check::Key<'t>>,
    /// The tag handles that the document defines.
    handles: BTreeSet<&'t str>,
    has_aliases: bool,
}

/// Parses a stream; see the crate's `parse`.
pub(crate) fn parse_text(text: &str) -> Parsed {
    if u32::try_from(text.len()).is_err() {
        let start = cursor::range(0, 0);
        let problems = vec![Problem::new(ProblemKind::TooLong, start)];
        return Parsed { events: Vec::new(), problems, alias_targets: Vec::new() };
    }
    let mut parser = Parser::new(text);
    parser.stream();
    parser.finish()
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parser<'t> {
        Parser {
            text,
            bytes: text.as_bytes(),
            position: 0,
            line_start: 0,
            events: Vec::with_capacity(text.len() / 4 + 8),
            pending: Vec::with_capacity(8),
            problems: Vec::new(),
            fresh: true,
            spaced: true,
            tab: false,
            column: 0,
            indentation: 0,
            frames: Vec::with_capacity(16),
            depth: 0,
            brackets: Vec::new(),
            flow_ends: false,
            greedy_quote: None,
            key_line: (usize::MAX, false),
            candidate: (usize::MAX, None),
            reported_line: usize::MAX,
            keys: Vec::with_capacity(16),
            handles: BTreeSet::new(),
            has_aliases: false,
        }
    }

    fn finish(mut self) -> Parsed {
        self.mark();
        self.check_characters();
        let alias_targets = self.check_aliases();
        self.problems.arrange_by_key(|problem| (problem.range.start(), problem.range.end(), problem.kind));
        self.problems.dedup();
        self.events.shrink_to_fit();
        Parsed { events: self.events, problems: self.problems, alias_targets }
    }

    fn last_kind(&self) -> Option<SyntaxKind> {
        self.events.last().map(|last| last.kind)
    }
}
