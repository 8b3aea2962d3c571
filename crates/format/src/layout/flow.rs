//! Collections in brackets: on one line where they fit, else as a block, else one member a line. Invariant: what is
//! chosen depends on the tokens, the column and the author's line break behind a bracket, so that it is chosen again
//! for the resulting text.

use nodewise_syntax::parts::{PartKind, SyntaxElement};

use super::{Layout, NodeRole, Site};
use crate::options::FlowWrapping;
use crate::printer::{TokenPosition, Want};

impl<'t> Layout<'t, '_> {
    pub(super) fn flow_collection(&mut self, collection: SyntaxElement<'t>, site: Site) {
        // The author wrote it on a line of its own.
        let is_sent_down = site.role.may_be_block() && site.place.want == Want::NextLine;
        if is_sent_down || self.becomes_block(collection, site) {
            return self.as_block(collection, site);
        }
        let is_divided = self.is_divided(collection, site);
        let is_spaced =
            collection.kind() == PartKind::FlowMap && self.options.brace_spacing.unwrap_or(self.is_json);
        let trailing = trailing_comma(collection);
        let outer = site.column;
        let inner = outer + self.options.indent;
        let mut place = match is_divided {
            true => TokenPosition::next_line(inner),
            false if is_spaced => TokenPosition::space(inner),
            false => TokenPosition::glue(inner),
        };
        let mut is_empty = true;
        for part in collection.children() {
            match part.kind() {
                PartKind::Opener => self.sheet.token(part, site.place),
                PartKind::Comma if trailing == Some(part.index()) => self.sheet.leave_out(part),
                PartKind::Comma => {
                    self.sheet.token(part, TokenPosition::glue(inner));
                    place = if is_divided { TokenPosition::line(inner) } else { TokenPosition::space(inner) };
                }
                PartKind::Closer => {
                    let closing = match is_empty {
                        false if is_divided => TokenPosition::next_line(outer),
                        false if is_spaced => TokenPosition::space(outer),
                        _ => TokenPosition::glue(outer),
                    };
                    self.sheet.token(part, closing);
                }
                PartKind::Entry => {
                    self.flow_entry(part, Site { place, column: inner, parent: inner, role: NodeRole::Flow });
                    is_empty = false;
                }
                _ if part.is_node() => {
                    self.node(part, Site { place, column: inner, parent: inner, role: NodeRole::Flow });
                    is_empty = false;
                }
                _ => self.trivia_or_token(part, place),
            }
        }
    }

    /// Writes a pair that is an item of a sequence in brackets.
    pub(super) fn flow_pair(&mut self, pair: SyntaxElement<'t>, site: Site) {
        for part in pair.children() {
            match part.kind() {
                PartKind::Entry => self.flow_entry(part, site),
                _ => self.trivia_or_token(part, site.place),
            }
        }
    }

    /// Writes an entry inside brackets or braces.
    fn flow_entry(&mut self, entry: SyntaxElement<'t>, site: Site) {
        let mut place = site.place;
        let mut is_behind_colon = false;
        for part in entry.children() {
            match part.kind() {
                PartKind::Question => {
                    self.sheet.token(part, place);
                    place = TokenPosition::space(site.column);
                }
                PartKind::Colon => {
                    self.sheet.token(part, place);
                    is_behind_colon = true;
                    place = TokenPosition::space(site.column);
                }
                _ if part.is_node() && is_behind_colon => {
                    self.node(part, Site { place, role: NodeRole::Flow, ..site });
                }
                _ if part.is_node() => {
                    self.key(part, Site { place, ..site });
                    place = TokenPosition::glue(site.column);
                }
                _ => self.trivia_or_token(part, place),
            }
        }
    }

    /// Whether a collection is written over several lines.
    fn is_divided(&self, collection: SyntaxElement<'t>, site: Site) -> bool {
        if collection.children().all(|part| !part.is_node() && part.kind() != PartKind::Entry) {
            return self.measures.has_comment(collection);
        }
        let before = match site.place.want {
            Want::Line | Want::NextLine => site.place.column,
            _ if self.sheet.is_behind_comment() => site.place.column,
            Want::Glue | Want::Space => self.sheet.column() + 1,
        };
        let is_wide = before + self.measures.width(collection) > self.options.line_width;
        self.measures.is_broken(collection) || (is_wide && self.keys == 0)
    }

    /// Whether a collection that does not fit on one line is written as a block instead.
    pub(super) fn becomes_block(&self, collection: SyntaxElement<'t>, site: Site) -> bool {
        let may = site.role.may_be_block() && !self.is_json && self.options.flow == FlowWrapping::Block;
        may && self.is_divided(collection, site)
            && !self.measures.has_comment(collection)
            && is_like_block(collection)
    }

    /// Writes a flow collection as a block, without its brackets and commas.
    fn as_block(&mut self, collection: SyntaxElement<'t>, site: Site) {
        let column = site.place.column;
        let is_map = collection.kind() == PartKind::FlowMap;
        let source = collection.children().find(|part| part.is_node() || part.kind() == PartKind::Entry);
        let source = source.map_or(0, |part| self.sheet.source_column(part.range().start()));
        self.sheet.open(source, column);
        let mut place = site.place;
        for part in collection.children() {
            match part.kind() {
                PartKind::Opener | PartKind::Comma | PartKind::Closer => self.sheet.leave_out(part),
                PartKind::Space | PartKind::Comment => {}
                _ if is_map => {
                    self.entry(part, column, place);
                    place = TokenPosition::next_line(column);
                }
                _ => {
                    self.sheet.new_dash(place);
                    self.compact(part, column);
                    place = TokenPosition::next_line(column);
                }
            }
        }
        self.sheet.close();
    }
}

/// Whether each member can be a member of a block: its key and colon are written, and the key is on one line.
fn is_like_block(collection: SyntaxElement<'_>) -> bool {
    collection.children().all(|part| match part.kind() {
        PartKind::Entry => {
            let parts: Vec<PartKind> = part
                .children()
                .filter(|part| !matches!(part.kind(), PartKind::Space | PartKind::Comment))
                .map(SyntaxElement::kind)
                .collect();
            matches!(
                parts.as_slice(),
                [PartKind::Plain | PartKind::SingleQuoted | PartKind::DoubleQuoted, PartKind::Colon, ..]
            ) && part.children().next().is_some_and(|key| !key.text().contains(['\n', '\r']))
        }
        PartKind::FlowPair => false,
        _ => true,
    })
}

/// The comma before the closing bracket, if there is one.
fn trailing_comma(collection: SyntaxElement<'_>) -> Option<usize> {
    let mut last = None;
    for part in collection.children() {
        match part.kind() {
            PartKind::Space | PartKind::Comment | PartKind::Closer => {}
            PartKind::Comma => last = Some(part.index()),
            _ => last = None,
        }
    }
    last
}
