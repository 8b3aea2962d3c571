//! Texts: quotes where either kind would do, further lines in line with their block, block scalars moved as they are.
//! Invariant: the value stays the same.

use nodewise_syntax::parts::{PartKind, SyntaxElement};

use super::{Layout, NodeRole, Site};
use crate::printer::{TokenPosition, Want};
use crate::tokens::{requoted, text_of};

impl<'t> Layout<'t, '_> {
    /// Writes a plain or quoted scalar.
    pub(super) fn scalar(&mut self, scalar: SyntaxElement<'t>, site: Site) {
        let rewrites = self.rewrites;
        let written = text_of(scalar, rewrites);
        if !written.contains(['\n', '\r']) {
            let text = requoted(written, self.is_json, self.options);
            return self.sheet.token_as(scalar, &text, site.place);
        }
        let lines: Vec<&str> = lines(written).map(|(line, _)| line).collect();
        let column = match site.role {
            NodeRole::Root => self.root_column(&lines).max(site.column),
            _ => site.column,
        };
        let mut text = String::with_capacity(written.len());
        for (number, line) in lines.iter().enumerate() {
            let is_last = number + 1 == lines.len();
            let line = if number == 0 { line } else { line.trim_start_matches([' ', '\t']) };
            let line = if is_last { line } else { without_end_blanks(line, scalar.kind()) };
            if number > 0 {
                text.push_str(self.sheet.line_break());
                if !line.is_empty() {
                    text.extend(std::iter::repeat_n(' ', column));
                }
            }
            text.push_str(line);
        }
        self.sheet.token_as(scalar, &text, site.place);
    }

    /// Whether a text goes after its key or dash, or on the next line. A long text may be on the next line.
    pub(super) fn scalar_want(&self, scalar: SyntaxElement<'t>) -> Want {
        if !self.sheet.is_on_new_line() {
            return Want::Space;
        }
        let is_long = self.sheet.column() + 1 + self.measures.width(scalar) > self.options.line_width;
        let has_lines = scalar.text().contains(['\n', '\r']);
        if has_lines || is_long { Want::NextLine } else { Want::Space }
    }

    /// The column of the further lines of a document that is a single text.
    fn root_column(&self, lines: &[&str]) -> usize {
        let further = lines.iter().skip(1).filter(|line| !line.trim().is_empty());
        let is_indented = further.into_iter().all(|line| line.starts_with([' ', '\t']));
        if is_indented { self.options.indent } else { 0 }
    }

    /// Writes a block scalar. Its lines are moved to the column of its content.
    pub(super) fn block_scalar(&mut self, scalar: SyntaxElement<'t>, site: Site) {
        let mut header = "";
        for part in scalar.children() {
            match part.kind() {
                PartKind::BlockHeader => {
                    header = part.text();
                    self.sheet.token(part, site.place);
                }
                PartKind::BlockBody => self.body(part, header, site),
                // The line break after the header belongs to the body.
                PartKind::Space => self.sheet.space(part),
                _ => self.trivia_or_token(part, TokenPosition::space(site.column)),
            }
        }
    }

    fn body(&mut self, body: SyntaxElement<'t>, header: &str, site: Site) {
        let indicator = header.chars().find_map(|letter| letter.to_digit(10)).map(|digit| digit as usize);
        let old = body.indentation();
        let new = match indicator {
            _ if site.role == NodeRole::Root => old,
            Some(indicator) => site.parent + indicator,
            None => site.column,
        };
        let mut out: Vec<String> = Vec::new();
        let mut ended = true;
        for (line, end) in lines(body.text()) {
            if line.is_empty() && end.is_empty() {
                break;
            }
            let moved = moved(line, old, new);
            // A last line with nothing but spaces is treated as an empty line.
            ended = !end.is_empty() || moved.is_empty();
            out.push(moved);
        }
        let mut behind = 0;
        if !header.contains('+') {
            while out.len() > 1 && out.last().is_some_and(String::is_empty) {
                out.pop();
                behind += 1;
                ended = true;
            }
        }
        self.sheet.body(body, &out, ended, behind + usize::from(ended));
    }
}

/// A line of a block scalar at another indentation. Spaces in the indentation do not matter, further ones belong to
/// the text.
fn moved(line: &str, old: usize, new: usize) -> String {
    let blanks = line.bytes().take_while(|byte| *byte == b' ').count();
    let rest = line.get(blanks.min(old)..).unwrap_or_default();
    if rest.is_empty() {
        return String::new();
    }
    let mut text = " ".repeat(if blanks < old { blanks } else { new });
    text.push_str(rest);
    text
}

/// A line of a folded text without trailing spaces. An escaped space belongs to the text and stays.
fn without_end_blanks(line: &str, kind: PartKind) -> &str {
    let trimmed = line.trim_end_matches([' ', '\t']);
    let slashes = trimmed.bytes().rev().take_while(|byte| *byte == b'\\').count();
    let is_escaped = kind == PartKind::DoubleQuoted && slashes % 2 == 1 && trimmed.len() < line.len();
    if is_escaped { line.get(..trimmed.len() + 1).unwrap_or(trimmed) } else { trimmed }
}

/// The lines of a text, each with its line break. The last line has none.
fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let current = rest?;
        let Some(end) = current.find(['\n', '\r']) else {
            rest = None;
            return Some((current, ""));
        };
        let (line, behind) = current.split_at(end);
        let length = if behind.starts_with("\r\n") { 2 } else { 1 };
        let (line_break, behind) = behind.split_at(length);
        rest = Some(behind);
        Some((line, line_break))
    })
}
