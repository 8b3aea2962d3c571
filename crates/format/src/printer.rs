//! The sheet that tokens are written on. In: tokens in the order of the source, each with the wish where it goes,
//! and what was between them; out: the new text. Invariant: every token and every comment is written once and in the
//! order of the source, and only spaces and line breaks are the printer's own.

use std::cell::Cell;
use std::ops::Range;

use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::parts::{PartKind, SyntaxElement};
use nodewise_syntax::{TextRange, TextSize};

/// The minimum number of spaces before a comment at the end of a line.
const COMMENT_GAP: usize = 2;

/// Where a token goes, relative to the token before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    /// Directly after it.
    Glue,
    /// After a space.
    Space,
    /// On a new line. Empty lines of the source stay, up to the number in the options.
    Line,
    /// On the next line, without empty lines.
    NextLine,
}

/// The wanted place of a token, and its column if it begins a line. After a comment it always does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TokenPosition {
    pub(crate) want: Want,
    pub(crate) column: usize,
}

impl TokenPosition {
    pub(crate) fn glue(column: usize) -> TokenPosition {
        TokenPosition { want: Want::Glue, column }
    }

    pub(crate) fn space(column: usize) -> TokenPosition {
        TokenPosition { want: Want::Space, column }
    }

    pub(crate) fn line(column: usize) -> TokenPosition {
        TokenPosition { want: Want::Line, column }
    }

    pub(crate) fn next_line(column: usize) -> TokenPosition {
        TokenPosition { want: Want::NextLine, column }
    }
}

/// What is between the last token and the next one.
#[derive(Default)]
struct Gap<'t> {
    /// Line breaks since the last token or comment.
    breaks: usize,
    /// Spaces since the last token, comment or line break.
    blanks: usize,
    comments: Vec<PendingComment<'t>>,
}

/// A comment that is not written yet. The next token decides where it goes.
struct PendingComment<'t> {
    text: &'t str,
    range: TextRange,
    /// The column in the source.
    column: usize,
    breaks: usize,
    blanks: usize,
}

/// A block collection, with its column in the source and in the output.
#[derive(Debug, Clone, Copy)]
struct Level {
    source: usize,
    sheet: usize,
}

/// A token or comment, with its range in the source and in the output.
struct Piece {
    source: TextRange,
    sheet: Range<usize>,
}

pub(crate) struct Printer<'t> {
    source: &'t str,
    text: String,
    line_break: &'static str,
    blank_lines: usize,
    /// The offset of the current line in the output.
    line_start: usize,
    /// Whether the current line is still empty.
    at_line_start: bool,
    gap: Gap<'t>,
    /// The open block collections, followed by those that ended since the last token.
    levels: Vec<Level>,
    open: usize,
    last: Option<PartKind>,
    pieces: Vec<Piece>,
    /// The offset up to which the source was searched for line breaks, and the start of the line there.
    source_line: Cell<(usize, usize)>,
}

impl<'t> Printer<'t> {
    pub(crate) fn new(source: &'t str, blank_lines: usize) -> Printer<'t> {
        Printer {
            source,
            text: String::with_capacity(source.len() + source.len() / 16),
            line_break: line_break_of(source),
            blank_lines,
            line_start: 0,
            at_line_start: true,
            gap: Gap::default(),
            levels: Vec::new(),
            open: 0,
            last: None,
            pieces: Vec::new(),
            source_line: Cell::new((0, 0)),
        }
    }

    /// Records spaces and line breaks.
    pub(crate) fn space(&mut self, part: SyntaxElement<'t>) {
        let text = part.text();
        let breaks = count_breaks(text);
        match breaks {
            0 => self.gap.blanks += text.len(),
            _ => self.gap.blanks = text.len() - text.rfind(['\n', '\r']).map_or(0, |last| last + 1),
        }
        self.gap.breaks += breaks;
    }

    /// Records a comment.
    pub(crate) fn comment(&mut self, part: SyntaxElement<'t>) {
        let column = self.source_column(part.range().start());
        let Gap { breaks, blanks, .. } = self.gap;
        let text = part.text().trim_end();
        self.gap.comments.push(PendingComment { text, range: part.range(), column, breaks, blanks });
        (self.gap.breaks, self.gap.blanks) = (0, 0);
    }

    /// Writes a token.
    pub(crate) fn token(&mut self, part: SyntaxElement<'t>, place: TokenPosition) {
        self.token_as(part, part.text(), place);
    }

    /// Writes a token with another text.
    pub(crate) fn token_as(&mut self, part: SyntaxElement<'t>, text: &str, place: TokenPosition) {
        let range = part.range();
        self.go_to(place, part.kind(), self.source_column(range.start()));
        self.write(range, text);
        self.token_ends(part.kind());
    }

    /// Writes a dash that is not in the source.
    pub(crate) fn new_dash(&mut self, place: TokenPosition) {
        self.go_to(place, PartKind::Dash, place.column);
        self.text.push('-');
        self.at_line_start = false;
        self.token_ends(PartKind::Dash);
    }

    /// Moves to the place of the next token. Writes the pending comments first. `column` is the column of the token in
    /// the source.
    fn go_to(&mut self, place: TokenPosition, next: PartKind, column: usize) {
        let is_behind_comment = self.comments(Some((column, place.column)));
        let want = match place.want {
            _ if is_behind_comment => Want::Line,
            // Without a space, `*a:` would be one name and `!!str,` one tag, and old loaders read `{a:}` as a text.
            Want::Glue if self.is_greedy(next) => Want::Space,
            want => want,
        };
        match want {
            _ if self.is_empty() => self.text.extend(std::iter::repeat_n(' ', place.column)),
            Want::Glue | Want::Space if self.at_line_start => self.begin_line(place.column, 0),
            Want::Glue => {}
            Want::Space => self.text.push(' '),
            Want::Line => self.begin_line(place.column, self.gap.breaks.saturating_sub(1)),
            Want::NextLine => self.begin_line(place.column, 0),
        }
    }

    fn token_ends(&mut self, kind: PartKind) {
        self.last = Some(kind);
        self.gap = Gap::default();
        self.levels.truncate(self.open);
    }

    /// Omits a comma or a bracket that the new layout does not need.
    pub(crate) fn leave_out(&mut self, part: SyntaxElement<'t>) {
        if self.gap.comments.is_empty() {
            let end = self.text.len();
            self.pieces.push(Piece { source: part.range(), sheet: end..end });
        }
    }

    /// Writes the body of a block scalar. `lines` are the lines with meaning, and `ended` is whether the last one has
    /// a line break. `behind` is the number of line breaks in the source that follow but do not belong to the body.
    pub(crate) fn body(&mut self, part: SyntaxElement<'t>, lines: &[String], ended: bool, behind: usize) {
        self.comments(None);
        if !lines.is_empty() {
            self.new_line();
        }
        let start = self.text.len();
        let text = lines.join(self.line_break);
        self.line_start = start;
        self.text.push_str(&text);
        if let Some(last) = self.text.rfind('\n') {
            self.line_start = last + 1;
        }
        self.at_line_start = false;
        if ended {
            self.new_line();
        }
        self.pieces.push(Piece { source: part.range(), sheet: start..self.text.len() });
        self.last = Some(PartKind::BlockBody);
        self.gap = Gap { breaks: behind, ..Gap::default() };
    }

    /// Begins a block collection at these columns of the source and of the output.
    pub(crate) fn open(&mut self, source: usize, sheet: usize) {
        self.levels.push(Level { source, sheet });
        self.open = self.levels.len();
    }

    /// Ends the innermost block collection.
    pub(crate) fn close(&mut self) {
        self.open = self.open.saturating_sub(1);
    }

    /// Whether a line break or a comment is between the last token and this place.
    pub(crate) fn is_on_new_line(&self) -> bool {
        self.gap.breaks > 0 || !self.gap.comments.is_empty()
    }

    /// Whether a comment is before this place, so that the next token must begin a line.
    pub(crate) fn is_behind_comment(&self) -> bool {
        !self.gap.comments.is_empty()
    }

    /// The column in the output, in characters.
    pub(crate) fn column(&self) -> usize {
        self.text.get(self.line_start..).map_or(0, |line| line.chars().count())
    }

    /// The column in the source, in bytes. Indentation consists of spaces, so bytes are columns.
    pub(crate) fn source_column(&self, offset: TextSize) -> usize {
        let offset = usize::from(offset);
        // Tokens come in order, and a line may be as long as the text. The search continues where the last one ended,
        // so that it reads each byte once.
        let (seen, mut start) = self.source_line.get();
        let (from, behind) = if offset < seen { (0, 0) } else { (seen, start) };
        start = behind;
        let new = self.source.get(from..offset).unwrap_or_default();
        if let Some(last) = new.rfind(['\n', '\r']) {
            start = from + last + 1;
        }
        self.source_line.set((offset, start));
        let column = offset - start;
        let has_mark = self.source.get(start..offset).is_some_and(|line| line.starts_with('\u{feff}'));
        if has_mark { column - '\u{feff}'.len_utf8() } else { column }
    }

    pub(crate) fn line_break(&self) -> &'static str {
        self.line_break
    }

    /// The new text, and the edits of the source that produce it.
    pub(crate) fn finish(mut self) -> (String, Vec<TextEdit>) {
        self.comments(None);
        // The last line of a block scalar may have no line break. Adding one would change its value.
        let is_open_body = matches!(self.last, Some(PartKind::BlockBody | PartKind::BlockHeader))
            && !self.source.ends_with(['\n', '\r']);
        if !self.at_line_start && !is_open_body && !self.pieces.is_empty() {
            self.new_line();
        }
        let edits = self.edits();
        (self.text, edits)
    }

    fn edits(&self) -> Vec<TextEdit> {
        let mut edits = Vec::new();
        let mut edit = |source: TextRange, sheet: Range<usize>| {
            let old = self.source.get(Range::<usize>::from(source)).unwrap_or_default();
            let new = self.text.get(sheet).unwrap_or_default();
            if old != new {
                edits.push(TextEdit { range: source, text: new.to_owned() });
            }
        };
        let (mut source_end, mut sheet_end) = (TextSize::new(0), 0);
        for piece in &self.pieces {
            edit(TextRange::new(source_end, piece.source.start()), sheet_end..piece.sheet.start);
            edit(piece.source, piece.sheet.clone());
            (source_end, sheet_end) = (piece.source.end(), piece.sheet.end);
        }
        edit(TextRange::new(source_end, TextSize::of(self.source)), sheet_end..self.text.len());
        edits
    }

    /// Writes the pending comments, and returns whether there were any. `next` has the columns of the next token in
    /// the source and in the output.
    fn comments(&mut self, next: Option<(usize, usize)>) -> bool {
        let comments = std::mem::take(&mut self.gap.comments);
        let is_any = !comments.is_empty();
        for comment in comments {
            let is_behind_token = comment.breaks == 0 && !self.at_line_start && !self.is_empty();
            if is_behind_token {
                let gap = comment.blanks.max(COMMENT_GAP);
                self.text.extend(std::iter::repeat_n(' ', gap));
            } else {
                let column = self.comment_column(comment.column, next);
                match self.is_empty() {
                    true => self.text.extend(std::iter::repeat_n(' ', column)),
                    false => self.begin_line(column, comment.breaks.saturating_sub(1)),
                }
            }
            self.write(comment.range, comment.text);
            self.last = Some(PartKind::Comment);
        }
        is_any
    }

    /// The column of a comment on its own line: that of the collection that contains it, if that collection has just
    /// ended, else that of the next token.
    fn comment_column(&self, column: usize, next: Option<(usize, usize)>) -> usize {
        let (next_source, next_sheet) = next.unwrap_or_default();
        let ended = self.levels.iter().rev();
        let own = ended.take_while(|level| level.source > next_source).find(|level| level.source <= column);
        own.map_or(next_sheet, |level| level.sheet)
    }

    /// Whether nothing is written yet, except a byte order mark.
    fn is_empty(&self) -> bool {
        self.last.is_none_or(|last| last == PartKind::ByteOrderMark)
    }

    /// Whether the last token would swallow the next one if no space separated them.
    fn is_greedy(&self, next: PartKind) -> bool {
        match self.last {
            Some(PartKind::Alias) => next == PartKind::Colon,
            Some(PartKind::Anchor | PartKind::Tag) => true,
            Some(PartKind::Colon) => matches!(next, PartKind::Comma | PartKind::Closer),
            _ => false,
        }
    }

    /// Begins a new line, after at most `empty` empty lines.
    fn begin_line(&mut self, column: usize, empty: usize) {
        if !self.at_line_start {
            self.new_line();
        }
        for _ in 0..empty.min(self.blank_lines) {
            self.new_line();
        }
        self.text.extend(std::iter::repeat_n(' ', column));
    }

    fn new_line(&mut self) {
        self.text.push_str(self.line_break);
        self.line_start = self.text.len();
        self.at_line_start = true;
    }

    fn write(&mut self, source: TextRange, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        if let Some(last) = text.rfind('\n') {
            self.line_start = start + last + 1;
        }
        self.at_line_start = false;
        self.pieces.push(Piece { source, sheet: start..self.text.len() });
    }
}

/// The line break that a text uses: the kind of its first one.
fn line_break_of(text: &str) -> &'static str {
    match text.find(['\n', '\r']) {
        Some(at) if text.get(at..).is_some_and(|rest| rest.starts_with("\r\n")) => "\r\n",
        _ => "\n",
    }
}

/// The number of line breaks in a text. `\r\n` counts as one.
pub(crate) fn count_breaks(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut count = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let is_second = *byte == b'\n' && at > 0 && bytes.get(at - 1) == Some(&b'\r');
        count += usize::from(matches!(byte, b'\n' | b'\r') && !is_second);
    }
    count
}
