//! What each word of a file is, for colours: keys, words, names, numbers, templates, expressions, comments that silence
//! rules. In: a file of a snapshot; out: tokens. Invariant: the tokens are in reading order, do not overlap, are not
//! empty, and none goes over a line's end.

mod collect;
#[cfg(test)]
mod tests;

use nodewise_analysis::workspace::Snapshot;
use nodewise_model::SourceId;
use nodewise_syntax::TextRange;

/// A word of a file and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SemanticToken {
    /// Where it stands.
    pub range: TextRange,
    /// What it is.
    pub kind: TokenKind,
    /// What else is known of it.
    pub modifiers: Modifiers,
}

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenKind {
    /// A key that the table knows, or a name behind a dot.
    Key,
    /// A word that the table lists.
    Word,
    /// The word that names a document's kind, or a declaration that is neither node nor graph.
    Kind,
    /// A node.
    Node,
    /// A tool.
    Tool,
    /// An agent.
    Agent,
    /// A graph.
    Graph,
    /// An edge.
    Edge,
    /// A key of the state, or a name that stands for a part of it.
    State,
    /// A variable of a template.
    Variable,
    /// Something that a program provides: a model, a server, a guardrail.
    Provided,
    /// A function.
    Function,
    /// A number.
    Number,
    /// `true`, `false`, `null`
    Constant,
    /// A text in an expression.
    Text,
    /// A regular expression.
    Pattern,
    /// An operator that is a word.
    Keyword,
    /// An operator that is a sign.
    Operator,
    /// A name with a sign of its own: `$now`, `@root`.
    Builtin,
    /// A comment that silences rules.
    Comment,
}

/// What else is known of a word; a set.
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
    /// It declares what it names.
    pub const DECLARATION: Modifiers = Modifiers(1);
    /// It says what another key should say, or nothing that is heeded.
    pub const DEPRECATED: Modifiers = Modifiers(2);
    /// The value that it names is read.
    pub const READ: Modifiers = Modifiers(4);
    /// The value that it names is written.
    pub const WRITE: Modifiers = Modifiers(8);
    /// All of them, each at the place of its bit.
    pub const ALL: [Modifiers; 4] =
        [Modifiers::DECLARATION, Modifiers::DEPRECATED, Modifiers::READ, Modifiers::WRITE];

    /// The set as bits, the first of [`Modifiers::ALL`] lowest.
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

/// The tokens of a file; none for one that is nobody's.
#[must_use]
pub fn tokens(snapshot: &Snapshot, source: SourceId) -> Vec<SemanticToken> {
    collect::of_file(snapshot, source, None)
}

/// The tokens that touch a part of a file.
#[must_use]
pub fn tokens_within(snapshot: &Snapshot, source: SourceId, range: TextRange) -> Vec<SemanticToken> {
    collect::of_file(snapshot, source, Some(range))
}
