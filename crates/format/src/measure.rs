//! How wide flow collections are, and which cannot stand on one line. In: a tree; out: answers in constant time.
//! Invariant: a width is that of the text as it will be written, so that what fits on a line has room for all that it holds;
//! the answers depend on the tokens alone and on whether a line break follows an opening bracket, so that
//! they are the same for a text that was formatted before.

use std::borrow::Cow;

use nodewise_syntax::Tree;
use nodewise_syntax::parts::{self, PartKind, SyntaxElement};

use crate::conditions::Rewrites;
use crate::options::FormatOptions;
use crate::printer::count_breaks;
use crate::tokens::{is_text, is_written_as_json, requoted, text_of};

/// Running totals: element `i` of each list is the sum over the first `i` parts, so that a range of parts takes two
/// look-ups.
pub(crate) struct Measures {
    widths: Vec<u32>,
    breaks: Vec<u32>,
    comments: Vec<u32>,
}

impl Measures {
    pub(crate) fn of(tree: &Tree, rewrites: &Rewrites, options: &FormatOptions) -> Measures {
        let mut measures = Measures { widths: vec![0], breaks: vec![0], comments: vec![0] };
        let (mut width, mut breaks, mut comments) = (0_u32, 0_u32, 0_u32);
        let mut all = parts::all(tree).peekable();
        let (mut is_json, mut before) = (false, PartKind::Document);
        while let Some(part) = all.next() {
            let text = text_of(part, rewrites);
            match part.kind() {
                PartKind::Space => {}
                PartKind::Document => is_json = is_written_as_json(part),
                PartKind::Comment => (breaks, comments) = (breaks + 1, comments + 1),
                PartKind::Opener => {
                    let next = all.peek().map(|next| (next.kind(), count_breaks(next.text())));
                    breaks += u32::from(matches!(next, Some((PartKind::Space, 1..))));
                    width += 1;
                }
                PartKind::Closer => {
                    let is_spaced = text == "}" && options.brace_spacing.unwrap_or(is_json);
                    // A space after the opening brace and one before this brace.
                    width += if is_spaced && before != PartKind::Opener { 3 } else { 1 };
                }
                kind => {
                    // A space follows these.
                    let blank = matches!(
                        kind,
                        PartKind::Comma
                            | PartKind::Colon
                            | PartKind::Anchor
                            | PartKind::Tag
                            | PartKind::Question
                    );
                    breaks += u32::from(text.contains(['\n', '\r']));
                    let text =
                        if is_text(kind) { requoted(text, is_json, options) } else { Cow::Borrowed(text) };
                    let letters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
                    width = width.saturating_add(letters).saturating_add(u32::from(blank));
                }
            }
            if part.kind() != PartKind::Space {
                before = part.kind();
            }
            measures.widths.push(width);
            measures.breaks.push(breaks);
            measures.comments.push(comments);
        }
        measures
    }

    /// The number of columns that the part needs on one line.
    pub(crate) fn width(&self, part: SyntaxElement<'_>) -> usize {
        sum(&self.widths, part) as usize
    }

    /// Whether the part needs several lines: it contains a comment or a text of several lines, or its author put a
    /// line break after a bracket.
    pub(crate) fn is_broken(&self, part: SyntaxElement<'_>) -> bool {
        sum(&self.breaks, part) > 0
    }

    /// Whether the part contains a comment.
    pub(crate) fn has_comment(&self, part: SyntaxElement<'_>) -> bool {
        sum(&self.comments, part) > 0
    }
}

fn sum(sums: &[u32], part: SyntaxElement<'_>) -> u32 {
    let at = |index: usize| sums.get(index).copied().unwrap_or_default();
    at(part.end_index()).saturating_sub(at(part.index()))
}
