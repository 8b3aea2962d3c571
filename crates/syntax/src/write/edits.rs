//! Where the text changes when a member comes, goes or gets another value.
//!
//! Input: a collection, the ranges of its members, rendered text. Output: edits. Invariant: comments stay, save
//! one that stands on the line of a removed member.

use text_size::{TextRange, TextSize};

use super::{MemberPosition, NewValue, Writer};
use crate::edit::TextEdit;
use crate::event::{Event, SyntaxKind};
use crate::node::SyntaxNode;

impl<'t> Writer<'t> {
    /// Inserts a written member into a block collection at a column.
    pub(super) fn add_to_block(
        &self,
        node: SyntaxNode<'t>,
        members: &[TextRange],
        place: MemberPosition,
        column: usize,
        text: &str,
    ) -> Vec<TextEdit> {
        let Some(last) = members.last() else {
            return vec![insertion(node.range().end(), format!("{}{text}", self.new_line(column)))];
        };
        let before = match place {
            MemberPosition::First => None,
            MemberPosition::Behind(number) => Some(members.get(number).unwrap_or(last)),
            MemberPosition::Last => Some(last),
        };
        match (before, members.first()) {
            (Some(before), _) => {
                vec![insertion(self.line_end(before.end()), format!("{}{text}", self.new_line(column)))]
            }
            (None, first) => {
                let start = first.map_or(node.range().start(), |first| first.start());
                vec![insertion(start, format!("{text}{}", self.new_line(column)))]
            }
        }
    }

    /// Inserts a written member between brackets.
    pub(super) fn add_to_flow(
        &self,
        node: SyntaxNode<'t>,
        members: &[TextRange],
        place: MemberPosition,
        text: &str,
    ) -> Vec<TextEdit> {
        let (Some(first), Some(last)) = (members.first(), members.last()) else {
            return vec![self.fill_empty(node, text)];
        };
        let gap = |member: &TextRange| match self.is_first_on_line(member.start()) {
            true => self.new_line(self.column(member.start())),
            false => " ".to_owned(),
        };
        let before = match place {
            MemberPosition::First => return vec![insertion(first.start(), format!("{text},{}", gap(first)))],
            MemberPosition::Behind(number) => members.get(number).unwrap_or(last),
            MemberPosition::Last => last,
        };
        let gap = gap(before);
        let comma = self.next_token(before.end()).filter(|next| next.kind == SyntaxKind::Comma);
        let end = comma.map_or(before.end(), |comma| comma.end.into());
        let (head, tail) = if comma.is_some() { ("", ",") } else { (",", "") };
        let is_own_line = gap != " ";
        match self.comment_behind(end).filter(|_| is_own_line) {
            Some(comment) if head.is_empty() => vec![insertion(comment, format!("{gap}{text}{tail}"))],
            Some(comment) => {
                vec![insertion(end, head.to_owned()), insertion(comment, format!("{gap}{text}"))]
            }
            None => vec![insertion(end, format!("{head}{gap}{text}{tail}"))],
        }
    }

    /// Writes the first member of an empty flow collection.
    fn fill_empty(&self, node: SyntaxNode<'t>, text: &str) -> TextEdit {
        let opener = node.range().start() + TextSize::from(1);
        let closer = node.range().end().checked_sub(TextSize::from(1)).filter(|closer| *closer >= opener);
        match closer.map(|closer| TextRange::new(opener, closer)).filter(|inside| self.is_blank(*inside)) {
            Some(inside) => TextEdit { range: inside, text: text.to_owned() },
            None => insertion(opener, text.to_owned()),
        }
    }

    /// Writes a value after a colon. A comment between the two stays.
    pub(super) fn replace(
        &self,
        colon: TextSize,
        value: Option<SyntaxNode<'t>>,
        text: String,
    ) -> Vec<TextEdit> {
        let Some(value) = value else { return vec![insertion(colon, text)] };
        let range = value.full_range();
        let is_apart = self.comment_behind(colon).is_some_and(|comment| comment <= range.start());
        match is_apart {
            true if text.starts_with(' ') => vec![TextEdit { range, text: text.trim_start().to_owned() }],
            true => {
                vec![TextEdit { range: TextRange::new(self.line_before(range.start()), range.end()), text }]
            }
            false => vec![TextEdit { range: TextRange::new(colon, range.end()), text }],
        }
    }

    /// Removes a member. If it was the last one, an empty collection stays.
    pub(super) fn remove(
        &self,
        node: SyntaxNode<'t>,
        is_flow: bool,
        members: &[TextRange],
        number: usize,
        empty: &str,
    ) -> Vec<TextEdit> {
        let Some(&member) = members.get(number) else { return Vec::new() };
        let range = match (is_flow, members.len()) {
            (_, 1) => return vec![TextEdit { range: node.range(), text: empty.to_owned() }],
            (false, _) => self.block_member_range(member),
            (true, _) => {
                let before = number.checked_sub(1).and_then(|before| members.get(before));
                self.flow_member_range(member, before.copied(), members.get(number + 1).copied())
            }
        };
        vec![TextEdit { range, text: String::new() }]
    }

    /// The lines of a member of a block collection.
    fn block_member_range(&self, member: TextRange) -> TextRange {
        let line_end = self.line_end(member.end());
        let next_line = self.after_break(line_end);
        if !self.is_first_on_line(member.start()) {
            let rest = self.tree.text().get(usize::from(next_line)..).unwrap_or_default();
            let lead = rest.len() - rest.trim_start().len();
            let next = next_line + TextSize::try_from(lead).unwrap_or_default();
            return TextRange::new(member.start(), next);
        }
        let line_start = self.line_start(member.start());
        match next_line > line_end {
            true => TextRange::new(line_start, next_line),
            false => TextRange::new(self.line_before(line_start), line_end),
        }
    }

    /// A member in brackets, with its comma and the space after or before it.
    fn flow_member_range(
        &self,
        member: TextRange,
        before: Option<TextRange>,
        next: Option<TextRange>,
    ) -> TextRange {
        match (before, next) {
            (_, Some(next)) => {
                let comma = self.next_token(member.end()).filter(|token| token.kind == SyntaxKind::Comma);
                let end = comma.map_or(member.end(), |comma| comma.end.into());
                let end = self.comment_behind(end).unwrap_or(end);
                let rest = self.tree.text().get(usize::from(end)..usize::from(next.start()).max(end.into()));
                let blank = rest.map_or(0, |rest| rest.len() - rest.trim_start().len());
                TextRange::new(member.start(), end + TextSize::try_from(blank).unwrap_or_default())
            }
            (Some(before), None) => {
                let comma = self.next_token(before.end()).filter(|token| token.kind == SyntaxKind::Comma);
                let has_own =
                    self.next_token(member.end()).is_some_and(|token| token.kind == SyntaxKind::Comma);
                match comma {
                    Some(comma) if !has_own && self.comment_behind(comma.end.into()).is_none() => {
                        TextRange::new(comma.start.into(), member.end())
                    }
                    _ => member,
                }
            }
            (None, None) => member,
        }
    }

    /// Adds a document at the end of the text.
    pub(super) fn behind_documents(&self, value: &NewValue) -> Vec<TextEdit> {
        let text = self.tree.text();
        let end = TextSize::of(text);
        let line_break = self.line_break();
        let own = self.own_lines(value, 0, super::space::STEP);
        let gap = if text.is_empty() || text.ends_with(['\n', '\r']) { "" } else { line_break };
        let last = self.tree.documents().last();
        let is_open = last.is_none_or(|last| last.root().is_none() && last.end_marker().is_none());
        let marker = if is_open { String::new() } else { format!("---{line_break}") };
        vec![insertion(end, format!("{gap}{marker}{own}{line_break}"))]
    }

    /// The first token after an offset that is neither white space nor a comment.
    fn next_token(&self, offset: TextSize) -> Option<&'t Event> {
        let events = self.tree.events();
        let from = events.partition_point(|event| event.start < u32::from(offset));
        let mut behind = events.get(from..)?.iter();
        behind.find(|event| !event.kind.is_construct() && !event.kind.is_trivia())
    }

    /// The end of the comment that follows an offset on its line.
    fn comment_behind(&self, offset: TextSize) -> Option<TextSize> {
        let events = self.tree.events();
        let from = events.partition_point(|event| event.start < u32::from(offset));
        let mut behind = events.get(from..)?.iter().filter(|event| !event.kind.is_construct());
        let comment = behind.find(|event| event.kind != SyntaxKind::Space)?;
        let is_on_line =
            comment.kind == SyntaxKind::Comment && comment.start < u32::from(self.line_end(offset)).max(1);
        is_on_line.then(|| comment.end.into())
    }

    /// The end of the line before the one that begins at or before an offset.
    fn line_before(&self, offset: TextSize) -> TextSize {
        let start = self.line_start(offset);
        let before = self.tree.text().get(..usize::from(start)).unwrap_or_default();
        let line_break = if before.ends_with("\r\n") { 2 } else { u32::from(before.ends_with(['\n', '\r'])) };
        start - TextSize::from(line_break)
    }
}

fn insertion(at: TextSize, text: String) -> TextEdit {
    TextEdit { range: TextRange::empty(at), text }
}
