//! The arena's one element: an opened construct or a token, twelve bytes each.
//!
//! Invariant: the tokens of an arena, in order, cover the text without gap or overlap, and an opened
//! construct's `end` is the index behind its last child (so a reader steps over it in one move).

/// The kind of an event: a construct, which contains the events after it, or a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SyntaxKind {
    // Constructs. `Error` must stay the last of them, because `is_construct` compares with it.
    /// A document of the stream.
    Document,
    /// A node with an anchor or a tag, together with these.
    Properties,
    /// A mapping in block style.
    BlockMap,
    /// A sequence in block style.
    BlockSeq,
    /// A mapping in braces.
    FlowMap,
    /// A sequence in brackets.
    FlowSeq,
    /// A single pair in a flow sequence.
    FlowPair,
    /// A key with its value.
    Entry,
    /// A line of a block mapping without a colon.
    BareEntry,
    /// A dash with its value.
    Item,
    /// A block scalar behind `|`.
    Literal,
    /// A block scalar behind `>`.
    Folded,
    /// Content that does not fit into the structure.
    Error,
    // Tokens.
    ByteOrderMark,
    /// Spaces and line breaks.
    Space,
    /// A comment, from its `#` to the end of the line.
    Comment,
    /// A directive line.
    Directive,
    /// `---`
    DocumentStart,
    /// `...`
    DocumentEnd,
    /// A scalar without quotes.
    Plain,
    /// A scalar between `'`.
    SingleQuoted,
    /// A scalar between `"`.
    DoubleQuoted,
    /// `|` or `>` with its indicators.
    BlockHeader,
    /// The lines of a block scalar, line breaks included.
    BlockBody,
    /// `&name`
    Anchor,
    Tag,
    /// `*name`
    Alias,
    /// `-`
    Dash,
    /// `?`
    Question,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `[` or `{`
    Opener,
    /// `]` or `}`
    Closer,
    /// Text that does not fit into the structure.
    ErrorText,
    /// A scalar of a built tree. Its value is in `Built`.
    Given,
    /// An unknown part of a built tree.
    Unknown,
}

impl SyntaxKind {
    pub(crate) fn is_construct(self) -> bool {
        self as u8 <= SyntaxKind::Error as u8
    }

    pub(crate) fn is_trivia(self) -> bool {
        matches!(self, SyntaxKind::Space | SyntaxKind::Comment | SyntaxKind::ByteOrderMark)
    }

    /// True for the kinds that begin the content of a node.
    pub(crate) fn is_node(self) -> bool {
        matches!(
            self,
            SyntaxKind::Properties
                | SyntaxKind::BlockMap
                | SyntaxKind::BlockSeq
                | SyntaxKind::FlowMap
                | SyntaxKind::FlowSeq
                | SyntaxKind::FlowPair
                | SyntaxKind::Literal
                | SyntaxKind::Folded
                | SyntaxKind::Plain
                | SyntaxKind::SingleQuoted
                | SyntaxKind::DoubleQuoted
                | SyntaxKind::Alias
                | SyntaxKind::Given
                | SyntaxKind::Unknown
        )
    }
}

/// An element of the flat tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) kind: SyntaxKind,
    /// The content indentation of a `BlockBody`; 0 for other kinds.
    extra: [u8; 3],
    pub(crate) start: u32,
    /// For a token, the offset of its end. For a construct, the index after its last child.
    pub(crate) end: u32,
}

impl Event {
    pub(crate) fn new(kind: SyntaxKind, start: u32, end: u32) -> Event {
        Event { kind, extra: [0; 3], start, end }
    }

    pub(crate) fn with_indentation(mut self, indentation: usize) -> Event {
        let bounded = u32::try_from(indentation).unwrap_or(u32::MAX).min(0x00ff_ffff);
        let [low, middle, high, _] = bounded.to_le_bytes();
        self.extra = [low, middle, high];
        self
    }

    pub(crate) fn indentation(self) -> usize {
        let [low, middle, high] = self.extra;
        u32::from_le_bytes([low, middle, high, 0]) as usize
    }
}
