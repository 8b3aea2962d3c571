//! The canonical layout: a walk over the tree that decides where each token goes. In: a tree without syntax
//! problems; out: the new text. Invariant: no token changes its place in the order, and a scalar keeps its value.
//!
//! Block collections are here; `flow` has those in brackets, `scalar` has texts.

use nodewise_syntax::Tree;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::parts::{self, PartKind, SyntaxElement};

use crate::conditions::Rewrites;
use crate::measure::Measures;
use crate::options::{FormatOptions, SequenceIndent};
use crate::printer::{Printer, TokenPosition, Want};
use crate::tokens::is_written_as_json;

mod flow;
mod scalar;

/// The width of a dash and the space after it.
const DASH: usize = 2;

/// The place where a node is written.
#[derive(Clone, Copy)]
struct Site {
    /// The position of its first token.
    place: TokenPosition,
    /// The column of its content: the members of a block collection, or the further lines of a text.
    column: usize,
    /// The column of the collection around it. Indentation indicators are relative to it.
    parent: usize,
    role: NodeRole,
}

/// The role of a node in the collection around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeRole {
    Root,
    Key,
    /// The value of a key. A sequence may be at the same column as the key.
    Value,
    /// The node after a dash, a `?`, or the colon that belongs to a `?`. A collection may begin on that line.
    Compact,
    /// A node inside a flow collection.
    Flow,
}

impl NodeRole {
    /// Whether a collection in this role may be written without brackets.
    fn may_be_block(self) -> bool {
        matches!(self, NodeRole::Value | NodeRole::Compact)
    }
}

pub(crate) struct Layout<'t, 'o> {
    sheet: Printer<'t>,
    options: &'o FormatOptions,
    measures: Measures,
    rewrites: &'o Rewrites,
    /// The document is written like JSON, so it keeps its quotes and brackets.
    is_json: bool,
    /// The source column of the current block mapping.
    map_column: usize,
    /// How many keys surround the current place. A key must stay on one line.
    keys: usize,
}

/// The text of a tree in canonical layout, and the edits that produce it.
pub(crate) fn laid_out(tree: &Tree, rewrites: &Rewrites, options: &FormatOptions) -> (String, Vec<TextEdit>) {
    let mut layout = Layout {
        sheet: Printer::new(tree.text(), options.blank_lines),
        options,
        measures: Measures::of(tree, rewrites, options),
        rewrites,
        is_json: false,
        map_column: 0,
        keys: 0,
    };
    for part in parts::roots(tree) {
        match part.kind() {
            PartKind::Document => layout.document(part),
            _ => layout.trivia_or_token(part, TokenPosition::line(0)),
        }
    }
    layout.sheet.finish()
}

impl<'t> Layout<'t, '_> {
    fn document(&mut self, document: SyntaxElement<'t>) {
        self.is_json = is_written_as_json(document);
        let column = if holds_like_marker(document) { self.options.indent } else { 0 };
        let mut is_behind_marker = false;
        for part in document.children() {
            if part.is_node() {
                let is_block = matches!(part.kind(), PartKind::BlockMap | PartKind::BlockSeq);
                let stays = is_behind_marker && !is_block && !self.sheet.is_on_new_line();
                let place = if stays { TokenPosition::space(column) } else { TokenPosition::line(column) };
                self.node(part, Site { place, column, parent: 0, role: NodeRole::Root });
            } else {
                is_behind_marker |= part.kind() == PartKind::DocumentStart;
                self.trivia_or_token(part, TokenPosition::line(0));
            }
        }
        self.is_json = false;
    }

    /// Records spaces and comments, and writes every other token.
    fn trivia_or_token(&mut self, part: SyntaxElement<'t>, place: TokenPosition) {
        match part.kind() {
            PartKind::Space => self.sheet.space(part),
            PartKind::Comment => self.sheet.comment(part),
            _ if part.is_construct() => {
                for child in part.children() {
                    self.trivia_or_token(child, place);
                }
            }
            _ => self.sheet.token(part, place),
        }
    }

    fn node(&mut self, part: SyntaxElement<'t>, site: Site) {
        match part.kind() {
            PartKind::Properties => self.properties(part, site),
            PartKind::BlockMap => self.block_map(part, site),
            PartKind::BlockSeq => self.block_sequence(part, site),
            PartKind::FlowMap | PartKind::FlowSeq => self.flow_collection(part, site),
            PartKind::FlowPair => self.flow_pair(part, site),
            PartKind::Literal | PartKind::Folded => self.block_scalar(part, site),
            PartKind::Plain | PartKind::SingleQuoted | PartKind::DoubleQuoted => self.scalar(part, site),
            _ => self.trivia_or_token(part, site.place),
        }
    }

    /// Writes an anchor and a tag, and their node.
    fn properties(&mut self, properties: SyntaxElement<'t>, site: Site) {
        let mut place = site.place;
        for part in properties.children() {
            if part.is_node() {
                let content = self.content_place(part, site, place);
                self.node(part, Site { place: content, ..site });
            } else if matches!(part.kind(), PartKind::Space | PartKind::Comment) {
                self.trivia_or_token(part, place);
            } else {
                self.sheet.token(part, place);
                place = TokenPosition::space(site.column);
            }
        }
    }

    /// Where the content after an anchor or a tag goes. A block collection begins on the next line: on the same line,
    /// the anchor would belong to its first key.
    fn content_place(&self, content: SyntaxElement<'t>, site: Site, beside: TokenPosition) -> TokenPosition {
        let is_block = match content.kind() {
            PartKind::BlockMap | PartKind::BlockSeq => true,
            PartKind::FlowMap | PartKind::FlowSeq => self.becomes_block(content, site),
            PartKind::Properties => self.sheet.is_on_new_line(),
            _ => false,
        };
        if is_block { TokenPosition::next_line(self.collection_column(content, site)) } else { beside }
    }

    fn block_map(&mut self, map: SyntaxElement<'t>, site: Site) {
        let source = self.sheet.source_column(map.range().start());
        self.sheet.open(source, site.place.column);
        let outer = std::mem::replace(&mut self.map_column, source);
        let column = site.place.column;
        let mut place = site.place;
        for part in map.children() {
            if matches!(part.kind(), PartKind::Entry | PartKind::BareEntry) {
                self.entry(part, column, place);
                place = TokenPosition::line(column);
                self.map_column = source;
            } else {
                self.trivia_or_token(part, TokenPosition::line(column));
            }
        }
        self.map_column = outer;
        self.sheet.close();
    }

    fn entry(&mut self, entry: SyntaxElement<'t>, column: usize, first: TokenPosition) {
        let mut place = first;
        let mut is_explicit = false;
        let mut is_behind_colon = false;
        for part in entry.children() {
            match part.kind() {
                PartKind::Question => {
                    self.sheet.token(part, place);
                    is_explicit = true;
                    place = TokenPosition::space(column + DASH);
                }
                PartKind::Colon => {
                    let colon = if is_explicit { TokenPosition::line(column) } else { place };
                    self.sheet.token(part, colon);
                    is_behind_colon = true;
                }
                _ if part.is_node() && is_behind_colon && !is_explicit => self.value(part, column),
                _ if part.is_node() && (is_explicit || is_behind_colon) => self.compact(part, column),
                _ if part.is_node() => {
                    self.key(
                        part,
                        Site { place, column: column + DASH, parent: column, role: NodeRole::Key },
                    );
                    place = TokenPosition::glue(column);
                }
                _ => self.trivia_or_token(part, place),
            }
        }
    }

    fn key(&mut self, key: SyntaxElement<'t>, site: Site) {
        self.keys += 1;
        self.node(key, Site { role: NodeRole::Key, ..site });
        self.keys -= 1;
    }

    /// Writes the value of an implicit key.
    fn value(&mut self, value: SyntaxElement<'t>, parent: usize) {
        let site = Site {
            place: TokenPosition::space(parent + self.options.indent),
            column: parent + self.options.indent,
            parent,
            role: NodeRole::Value,
        };
        let place = match value.kind() {
            PartKind::BlockMap | PartKind::BlockSeq => {
                TokenPosition::next_line(self.collection_column(value, site))
            }
            PartKind::FlowMap | PartKind::FlowSeq if self.becomes_block(value, site) => {
                TokenPosition::next_line(self.collection_column(value, site))
            }
            PartKind::Plain | PartKind::SingleQuoted | PartKind::DoubleQuoted => {
                TokenPosition { want: self.scalar_want(value), column: site.column }
            }
            _ => site.place,
        };
        self.node(value, Site { place, ..site });
    }

    /// The column of a block collection. A sequence may be at the column of its key.
    fn collection_column(&self, collection: SyntaxElement<'t>, site: Site) -> usize {
        if site.role != NodeRole::Value
            || !matches!(collection.kind(), PartKind::BlockSeq | PartKind::FlowSeq)
        {
            return site.column;
        }
        let is_flush = match self.options.sequences {
            SequenceIndent::Indent => false,
            SequenceIndent::Flush => true,
            SequenceIndent::Keep if collection.kind() == PartKind::FlowSeq => false,
            SequenceIndent::Keep => self.sheet.source_column(collection.range().start()) <= self.map_column,
        };
        if is_flush { site.parent } else { site.column }
    }

    fn block_sequence(&mut self, sequence: SyntaxElement<'t>, site: Site) {
        let source = self.sheet.source_column(sequence.range().start());
        let column = site.place.column;
        self.sheet.open(source, column);
        let mut place = site.place;
        for part in sequence.children() {
            if part.kind() == PartKind::Item {
                self.item(part, column, place);
                place = TokenPosition::line(column);
            } else {
                self.trivia_or_token(part, TokenPosition::line(column));
            }
        }
        self.sheet.close();
    }

    fn item(&mut self, item: SyntaxElement<'t>, column: usize, first: TokenPosition) {
        for part in item.children() {
            match part.kind() {
                PartKind::Dash => self.sheet.token(part, first),
                _ if part.is_node() => self.compact(part, column),
                _ => self.trivia_or_token(part, first),
            }
        }
    }

    /// Writes the node after a dash or a `?`.
    fn compact(&mut self, part: SyntaxElement<'t>, parent: usize) {
        let column = parent + DASH;
        let want = match part.kind() {
            PartKind::Plain | PartKind::SingleQuoted | PartKind::DoubleQuoted => self.scalar_want(part),
            _ => Want::Space,
        };
        let place = TokenPosition { want, column };
        self.node(part, Site { place, column, parent, role: NodeRole::Compact });
    }
}

/// Whether an unquoted text begins like a document marker. It must not be moved to the first column.
fn holds_like_marker(document: SyntaxElement<'_>) -> bool {
    let is_like = |line: &str| {
        let line = line.trim_start_matches([' ', '\t']);
        line.starts_with("---") || line.starts_with("...")
    };
    let is_text = |part: &SyntaxElement<'_>| {
        matches!(part.kind(), PartKind::Plain | PartKind::SingleQuoted | PartKind::DoubleQuoted)
    };
    document.within().filter(is_text).any(|part| part.text().split(['\n', '\r']).any(is_like))
}
