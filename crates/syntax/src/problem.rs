//! What is wrong with a text: kinds of problems, their place and their wording.
//!
//! Input: a kind, a byte range, the name in question. Output: a message of at most 80 characters and a
//! help sentence. Invariant: a message states the fact; what to do about it is the help's.

use text_size::TextRange;

/// The maximum length of a quoted name in a message, in characters.
const NAME_LIMIT: usize = 24;

/// A syntax problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub kind: ProblemKind,
    pub range: TextRange,
    /// Another place that belongs to the problem, such as the first of two equal keys.
    pub related: Option<TextRange>,
    name: Option<Box<str>>,
}

/// The problems that a parse can find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A quoted scalar whose closing quote is missing.
    UnclosedQuote,
    /// A flow collection whose closing bracket is missing.
    UnclosedBracket,
    /// A closing bracket that closes nothing.
    UnexpectedCloser,
    /// Text behind a complete value.
    UnexpectedText,
    /// A line in a mapping that has no colon.
    MissingColon,
    /// A colon with its value directly behind it.
    MissingSpace,
    /// A line whose indentation fits no open collection.
    BadIndentation,
    /// A tab where indentation must be spaces.
    TabIndentation,
    /// A mapping that begins on a line where only a scalar or a flow collection may stand.
    MappingNotAllowed,
    /// A sequence that begins on a line where only a scalar or a flow collection may stand.
    SequenceNotAllowed,
    /// A sequence item between the entries of a mapping.
    ItemInMapping,
    /// A line between the items of a sequence that has no dash.
    MissingDash,
    /// A key that spans lines.
    MultilineKey,
    /// A key of more than 1,024 characters.
    LongKey,
    /// Two flow elements without a comma between them.
    MissingComma,
    /// A key in quotes and a value behind it without a colon between them.
    MissingFlowColon,
    /// A comma without an element before it.
    ExtraComma,
    /// An escape that YAML does not know.
    BadEscape,
    /// A plain scalar that begins with a reserved character.
    ReservedCharacter,
    /// Something other than indicators behind `|` or `>`.
    BadBlockHeader,
    /// Blank lines at the head of a block scalar that are deeper than its text.
    DeepBlankLine,
    /// A second anchor for one node.
    SecondAnchor,
    /// A second tag for one node.
    SecondTag,
    /// An anchor or a tag in front of an alias.
    PropertyOnAlias,
    /// An anchor or a tag where no node follows.
    MisplacedProperty,
    /// An `&` or `*` without a name.
    MissingName,
    /// A tag that is not well-formed.
    BadTag,
    /// A tag handle that no `%TAG` line defines.
    UnknownTagHandle,
    /// A directive that is not well-formed.
    BadDirective,
    /// A second `%YAML` line, or a second `%TAG` line for the same handle.
    SecondDirective,
    /// Directives without a `---` line behind them.
    DirectiveWithoutDocument,
    /// A comment without white space before it.
    CommentNeedsSpace,
    /// A line with a conflict marker that a version-control merge left behind.
    ConflictMarker,
    /// A character that YAML does not allow.
    ControlCharacter,
    /// Nesting beyond the limit of the parser.
    TooDeep,
    /// A text beyond the limit of the parser (4 GiB).
    TooLong,
    /// A key that occurs twice in a mapping.
    DuplicateKey,
    /// An alias without an anchor of that name before it.
    UndefinedAlias,
}

impl Problem {
    pub(crate) fn new(kind: ProblemKind, range: TextRange) -> Problem {
        Problem { kind, range, related: None, name: None }
    }

    pub(crate) fn named(mut self, name: &str) -> Problem {
        self.name = Some(shorten(name).into_boxed_str());
        self
    }

    pub(crate) fn related_to(mut self, range: TextRange) -> Problem {
        self.related = Some(range);
        self
    }

    /// True when the text is not valid YAML 1.2 because of this problem.
    pub fn is_syntax(&self) -> bool {
        !matches!(self.kind, ProblemKind::DuplicateKey | ProblemKind::UndefinedAlias)
    }

    /// The message, with at most 80 characters and names in backticks.
    pub fn message(&self) -> String {
        let name = self.name.as_deref().unwrap_or_default();
        match self.kind {
            ProblemKind::UnclosedQuote => "the quoted text has no closing quote".into(),
            ProblemKind::UnclosedBracket => format!("`{name}` is not closed"),
            ProblemKind::UnexpectedCloser => format!("`{name}` closes nothing"),
            ProblemKind::UnexpectedText => format!("unexpected text `{name}` behind the value"),
            ProblemKind::MissingColon => format!("`{name}` has no colon: not a mapping entry"),
            ProblemKind::MissingSpace => format!("no space behind the colon of `{name}`"),
            ProblemKind::BadIndentation => "this line's indentation fits no open collection".into(),
            ProblemKind::TabIndentation => "a tab is not indentation in YAML".into(),
            ProblemKind::MappingNotAllowed => "a mapping cannot begin on this line".into(),
            ProblemKind::SequenceNotAllowed => "a sequence cannot begin on this line".into(),
            ProblemKind::ItemInMapping => "a sequence item stands between mapping entries".into(),
            ProblemKind::MissingDash => "this line has no dash: not a sequence item".into(),
            ProblemKind::MultilineKey => "a key must fit on one line".into(),
            ProblemKind::LongKey => "a key must not be longer than 1,024 characters".into(),
            ProblemKind::MissingComma => "no comma between two elements".into(),
            ProblemKind::MissingFlowColon => "no colon between the key and its value".into(),
            ProblemKind::ExtraComma => "no element before this comma".into(),
            ProblemKind::BadEscape => format!("`{name}` is not an escape of YAML"),
            ProblemKind::ReservedCharacter => format!("a plain value cannot begin with `{name}`"),
            ProblemKind::BadBlockHeader => format!("`{name}` is not a block scalar header"),
            ProblemKind::DeepBlankLine => "a leading blank line is deeper than the text".into(),
            ProblemKind::SecondAnchor => "a node cannot have two anchors".into(),
            ProblemKind::SecondTag => "a node cannot have two tags".into(),
            ProblemKind::PropertyOnAlias => "an alias cannot have an anchor or a tag".into(),
            ProblemKind::MisplacedProperty => "no node follows this anchor or tag here".into(),
            ProblemKind::MissingName => format!("`{name}` has no name"),
            ProblemKind::BadTag => format!("`{name}` is not a well-formed tag"),
            ProblemKind::UnknownTagHandle => format!("the tag handle `{name}` is not defined"),
            ProblemKind::BadDirective => format!("the directive `{name}` is not well-formed"),
            ProblemKind::SecondDirective => format!("the directive `{name}` is given twice"),
            ProblemKind::DirectiveWithoutDocument => "no `---` line follows the directives".into(),
            ProblemKind::CommentNeedsSpace => "no white space before this comment".into(),
            ProblemKind::ConflictMarker => format!("merge conflict marker `{name}`"),
            ProblemKind::ControlCharacter => format!("the character `{name}` is not allowed in YAML"),
            ProblemKind::TooDeep => "nesting is too deep to be read".into(),
            ProblemKind::TooLong => "the text is too long to be read".into(),
            ProblemKind::DuplicateKey => format!("duplicate key `{name}`"),
            ProblemKind::UndefinedAlias => format!("no anchor `{name}` stands before this alias"),
        }
    }

    /// What to write instead, if that is known.
    pub fn help(&self) -> Option<String> {
        let name = self.name.as_deref().unwrap_or_default();
        let help = match self.kind {
            ProblemKind::UnclosedQuote => "close the quote on this line".into(),
            ProblemKind::UnclosedBracket => "close it with the matching bracket".into(),
            ProblemKind::UnexpectedCloser | ProblemKind::ExtraComma => "remove it".into(),
            ProblemKind::UnexpectedText => "quote the whole value, or remove the rest".into(),
            ProblemKind::MissingColon => format!("write `{name}: value`"),
            ProblemKind::MissingSpace => format!("write `{name}: ` with a space"),
            ProblemKind::BadIndentation => "align the line with its neighbours".into(),
            ProblemKind::TabIndentation => "indent with spaces".into(),
            ProblemKind::MappingNotAllowed => {
                "quote the value if the colon belongs to it, or begin the mapping on its own line".into()
            }
            ProblemKind::SequenceNotAllowed => "begin the sequence on its own line".into(),
            ProblemKind::ItemInMapping => "put the item below a key".into(),
            ProblemKind::MissingDash => "begin the line with `- `, or indent it".into(),
            ProblemKind::MultilineKey | ProblemKind::LongKey => "write the key behind `? `".into(),
            ProblemKind::MissingComma => "write a comma".into(),
            ProblemKind::MissingFlowColon => "write a colon behind the key".into(),
            ProblemKind::BadEscape => "write `\\\\` for a backslash, or use single quotes".into(),
            ProblemKind::ReservedCharacter | ProblemKind::BadBlockHeader => "quote the value".into(),
            ProblemKind::DeepBlankLine => "give the indentation behind the indicator, as in `|2`".into(),
            ProblemKind::SecondAnchor | ProblemKind::SecondTag | ProblemKind::PropertyOnAlias => {
                "remove one of them".into()
            }
            ProblemKind::UnknownTagHandle => {
                format!("write `%TAG {name} PREFIX` before the document, or use `!`")
            }
            ProblemKind::DirectiveWithoutDocument => "write `---` behind the directives".into(),
            ProblemKind::CommentNeedsSpace => "put a space before `#`".into(),
            ProblemKind::ConflictMarker => "resolve the merge conflict".into(),
            ProblemKind::ControlCharacter => "escape it in double quotes".into(),
            ProblemKind::DuplicateKey => "rename or remove one of the two".into(),
            ProblemKind::UndefinedAlias if name.ends_with(':') => {
                "put a space between the alias and the colon".into()
            }
            ProblemKind::UndefinedAlias => {
                format!("write `&{name}` before the node that is meant, or quote the `*`")
            }
            _ => return None,
        };
        Some(help)
    }
}

/// Shortens user text for a message: one line, visible characters, limited length.
fn shorten(name: &str) -> String {
    let mut short = String::new();
    for character in name.trim().chars() {
        if short.chars().count() >= NAME_LIMIT {
            short.push('…');
            break;
        }
        if character.is_control() || is_bidi_control(character) {
            short.push_str(&format!("U+{:04X}", u32::from(character)));
        } else {
            short.push(if character == '`' { '\'' } else { character });
        }
    }
    short
}

fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
