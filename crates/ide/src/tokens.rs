//! Semantic tokens, for colours: keys, words, names, numbers, templates, expressions, comments that ignore rules. In: a
//! file of a snapshot. Out: tokens. Invariant: the tokens are in reading order, do not overlap, are not empty, and do
//! not cross lines.

mod collect;
#[cfg(test)]
mod tests;

use nodewise_analysis::workspace::Snapshot;
use nodewise_model::SourceId;
use nodewise_syntax::TextRange;

/// A token of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SemanticToken {
    pub range: TextRange,
    pub kind: TokenKind,
    pub modifiers: Modifiers,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenKind {
    /// A key of the table, or a name after a dot.
    Key,
    /// A word of the table.
    Word,
    /// The word that names a document's kind, or a declaration that is neither node nor graph.
    Kind,
    Node,
    Tool,
    Agent,
    Graph,
    Edge,
    /// A key of the state, or a name for a part of it.
    State,
    /// A variable of a template.
    Variable,
    /// Something that a program provides: a model, a server, a guardrail.
    Provided,
    Function,
    Number,
    /// `true`, `false`, `null`
    Constant,
    /// A text in an expression.
    Text,
    /// A regular expression.
    Pattern,
    /// An operator that is a word, like `and`.
    Keyword,
    /// An operator that is a sign, like `==`.
    Operator,
    /// A name with a special sign: `$now`, `@root`.
    Builtin,
    /// A comment that ignores rules.
    Comment,
}

/// A set of modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Modifiers(u8);

impl TokenKind {
    /// All kinds, in the order of the enum.
    pub const ALL: [TokenKind; 20] = [
        TokenKind::Key,
        TokenKind::Word,
        TokenKind::Kind,
        TokenKind::Node,
        TokenKind::Tool,
        TokenKind::Agent,
        TokenKind::Graph,
        TokenKind::Edge,
        TokenKind::State,
        TokenKind::Variable,
        TokenKind::Provided,
        TokenKind::Function,
        TokenKind::Number,
        TokenKind::Constant,
        TokenKind::Text,
        TokenKind::Pattern,
        TokenKind::Keyword,
        TokenKind::Operator,
        TokenKind::Builtin,
        TokenKind::Comment,
    ];
}

impl Modifiers {
    pub const DECLARATION: Modifiers = Modifiers(1);
    /// Another key replaces it, or it has no effect.
    pub const DEPRECATED: Modifiers = Modifiers(2);
    /// A read of the named value.
    pub const READ: Modifiers = Modifiers(4);
    /// A write of the named value.
    pub const WRITE: Modifiers = Modifiers(8);
    /// All modifiers, in the order of their bits.
    pub const ALL: [Modifiers; 4] =
        [Modifiers::DECLARATION, Modifiers::DEPRECATED, Modifiers::READ, Modifiers::WRITE];

    /// The set as bits. The first of [`Modifiers::ALL`] is the lowest bit.
    #[must_use]
    pub fn bits(self) -> u32 {
        u32::from(self.0)
    }

    /// Whether all of `other` is in the set.
    #[must_use]
    pub fn contains(self, other: Modifiers) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The tokens of a file. Empty for a file without a dialect.
#[must_use]
pub fn tokens(snapshot: &Snapshot, source: SourceId) -> Vec<SemanticToken> {
    collect::of_file(snapshot, source, None)
}

/// The tokens that touch a part of a file.
#[must_use]
pub fn tokens_within(snapshot: &Snapshot, source: SourceId, range: TextRange) -> Vec<SemanticToken> {
    collect::of_file(snapshot, source, Some(range))
}
