//! The interface of an expression language: its tokens, faults, names, values and words.
//!
//! A language implements [`Definition`] in a module of its own, and has a [`Language`] as a constant. Tables name
//! that constant at the keys whose texts are expressions. The editor, the formatter, the rules and the engine use the
//! constant, so they know no language by name. Invariant: every method has an answer for every text.

use std::fmt;
use std::ops::Deref;
use std::sync::LazyLock;

use smol_str::SmolStr;
use text_size::TextRange;

use crate::ast::{Expr, Segment};
pub use crate::circumstances::Circumstances;
use crate::constant::Constant;
use crate::eval::{Scope, Semantics};
use crate::finding::{ExpressionFinding, FindingClass};
use crate::problem::ParseProblem;
use crate::standalone::Standalone;
use crate::token::Token;
use crate::types::{self, ValueType};
use crate::value::{Map, Value};
use crate::vocabulary::{EntryKind, VocabularyEntry};

/// An expression language at one kind of place. Two are equal if their ids are.
#[derive(Clone, Copy)]
pub struct Language(&'static dyn Definition);

/// What a language defines.
pub trait Definition: Sync {
    /// The name of the language, as callers outside of this crate give it.
    fn id(&self) -> &'static str;

    /// The name for an expression of the language, with an article.
    fn title(&self) -> &'static str;

    /// The name of its grammar for highlighting; `None` if it has none.
    fn grammar(&self) -> Option<&'static str> {
        None
    }

    /// How its syntax differs from that of other languages, as far as an editor must know.
    fn syntax(&self) -> Syntax;

    /// The meaning of its operators.
    fn semantics(&self) -> &'static dyn Semantics;

    /// Its words and signs.
    fn vocabulary(&self) -> &'static [VocabularyEntry];

    /// The tokens as the runtime reads them.
    fn tokens(&self, text: &str) -> Vec<Token>;

    /// The tokens that the author may have meant, for texts in which the runtime sees no structure.
    fn meant_tokens(&self, text: &str) -> Vec<Token> {
        self.tokens(text)
    }

    /// The ranges of the scripts of a path; empty in languages without scripts.
    fn scripts(&self, _text: &str) -> Vec<TextRange> {
        Vec::new()
    }

    /// The trees of a text: one, or one for each script of a path.
    fn trees(&self, text: &str) -> Vec<Expr>;

    /// Why a text is not an expression of the language, in reading order.
    fn problems(&self, text: &str) -> Vec<ParseProblem>;

    /// Everything that is wrong or odd about a text, and what it reads.
    fn check(&self, text: &str) -> Checked;

    /// The paths of the state that an expression reads, in reading order. Broken text keeps the paths that are certain.
    fn paths(&self, text: &str) -> Vec<PathUse>;

    /// The names in an expression, each with what it may stand for, in reading order.
    fn names(&self, text: &str) -> Vec<Named>;

    /// The paths whose value can be the result of the expression.
    fn result_paths(&self, _text: &str) -> Vec<Vec<Segment>> {
        Vec::new()
    }

    /// The names that can be the result, if the result is the name of a node.
    fn routes(&self, _text: &str) -> Routes {
        Routes::unknown()
    }

    /// The value of an expression that reads nothing. `None` if it depends on a run, or is broken.
    fn constant(&self, text: &str) -> Option<Constant>;

    /// Calls `run` with the scope of an expression in these circumstances.
    fn in_scope(&self, circumstances: &Circumstances, run: &mut dyn FnMut(&Scope<'_>));

    /// The runtime's decision because of an expression; `None` if it decides nothing.
    fn decide(
        &self,
        text: &str,
        expr: &Expr,
        circumstances: &Circumstances,
        scope: &Scope<'_>,
    ) -> Option<ConditionDecision>;

    /// The values that a path selects from a state; `None` if the language has no paths.
    fn select(&self, _text: &str, _state: &Value) -> Option<Result<Value, EvaluationFailure>> {
        None
    }

    /// How it answers questions about an expression by itself; `None` if another language with the same texts does that.
    fn standalone(&self) -> Option<&'static Standalone> {
        None
    }

    /// The expression in canonical layout; `None` if the text is broken, or if the language has no layout.
    fn canonical(&self, _text: &str) -> Option<String> {
        None
    }

    /// An expression that is true if the path `operand` is not; `None` if the language has none.
    fn negated(&self, _operand: &str) -> Option<String> {
        None
    }
}

/// The texts that an expression can result in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Routes {
    /// Results that are written in the expression, or follow from its operators.
    pub constant: Vec<Route>,
    /// Whether a value of the state can be the result.
    pub has_others: bool,
}

/// A text that an expression can result in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The text.
    pub name: SmolStr,
    /// The part of the expression that yields it.
    pub range: TextRange,
}

impl Routes {
    /// Routes of an expression that can result in any text.
    #[must_use]
    pub fn unknown() -> Routes {
        Routes { constant: Vec::new(), has_others: true }
    }

    /// Whether the expression can result in this text.
    pub fn can_be(&self, name: &str) -> bool {
        self.has_others || self.constant.iter().any(|route| route.name == name)
    }
}

/// How the syntax differs from that of other languages, as far as an editor must know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Syntax {
    /// Whether the texts are paths, with expressions only in their scripts.
    pub is_path: bool,
    /// The quote that completion writes around a text.
    pub quote: char,
    /// Whether the result is the name of a node. In such a language, an arm of a choice has no operators.
    pub yields_route: bool,
    /// Whether parentheses contain a condition. Then neither they nor a negation can be compared.
    pub groups_conditions: bool,
    /// Whether a dotted name by itself is a function of the host.
    pub has_function_paths: bool,
    /// Whether the arguments of a call have no operators.
    pub has_plain_arguments: bool,
    /// Whether a part of an expression means the same by itself as in the whole.
    pub parts_stand_alone: bool,
    /// How expressions name what is in the state.
    pub state: StateAccess,
    /// Whether its texts can look like a tag, an anchor or a comment of YAML.
    pub looks_like_yaml: bool,
}

/// How the expressions of a language name what is in the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateAccess {
    /// Names are variables of the program. Only other expressions show which variables there are.
    Variables,
    /// By a part of the state and a key in it: `scratch.key`. These are the parts.
    Parts(&'static [&'static str]),
    /// By a root and a key below it: `memory.key`. This is the name of the root.
    Keys(&'static str),
    /// By a key alone: `key`.
    BareKeys,
    /// By the keys that the node itself has just written.
    OwnWrites,
    /// Not at all: an expression reads one value, not the state.
    Value,
}

/// A name in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// What it may stand for.
    pub role: NamedRole,
    /// The name. If the state has parts, a key has its part before it.
    pub name: SmolStr,
    pub range: TextRange,
}

/// What a name in an expression may stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedRole {
    /// A key of the state.
    State,
    /// A function of a program.
    Function,
    /// A text that the expression can result in, which may be the id of a node.
    Route,
}

impl Named {
    /// Keys of the state.
    pub fn keys(keys: impl IntoIterator<Item = (SmolStr, TextRange)>) -> Vec<Named> {
        keys.into_iter().map(|(name, range)| Named { role: NamedRole::State, name, range }).collect()
    }
}

/// What is known about a text without running it.
#[derive(Debug, Default)]
pub struct Checked {
    /// Why it is not an expression of the language, in reading order.
    pub problems: Vec<ParseProblem>,
    /// What is suspicious about a text that the runtime accepts, in reading order.
    pub findings: Vec<ExpressionFinding<FindingClass>>,
    /// The keys of the state that it reads, if the state of its system has keys.
    pub keys: Vec<(SmolStr, TextRange)>,
}

/// A part of the state that an expression reads or mentions.
#[derive(Debug, Clone, PartialEq)]
pub struct PathUse {
    /// The range of the whole path in the text.
    pub range: TextRange,
    /// The names, starting with the root; never empty.
    pub segments: Vec<Segment>,
    /// Whether the runtime reads it. It does not if the path is inside a text that stands for itself.
    pub is_read: bool,
}

/// The reason why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationFailure {
    /// What is wrong, as a message.
    pub message: String,
    /// The part of the expression that failed.
    pub range: TextRange,
}

/// The decision of a runtime because of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionDecision {
    /// The edge is followed, or the verification passes.
    Holds,
    /// The edge is not followed, or the verification does not pass.
    Fails,
    /// The run continues at the node of this name.
    LeadsTo(SmolStr),
}

impl Language {
    /// The vocabulary entry with this name, of the first of these kinds that has one.
    #[must_use]
    pub fn entry(self, name: &str, kinds: &[EntryKind]) -> Option<&'static VocabularyEntry> {
        let entries = self.vocabulary();
        kinds.iter().find_map(|kind| entries.iter().find(|entry| entry.kind == *kind && entry.name == name))
    }

    /// A language with this definition.
    #[must_use]
    pub const fn new(definition: &'static dyn Definition) -> Language {
        Language(definition)
    }

    /// Whether its texts are paths.
    #[must_use]
    pub fn is_path(self) -> bool {
        self.syntax().is_path
    }

    /// Whether a text is an expression of the language.
    #[must_use]
    pub fn accepts(self, text: &str) -> bool {
        self.problems(text).is_empty()
    }

    /// The type of an expression or a part of one.
    #[must_use]
    pub fn type_of(self, expr: &Expr) -> ValueType {
        types::type_of(expr, self.semantics())
    }
}

impl Deref for Language {
    type Target = dyn Definition;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Language {}

impl fmt::Debug for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Language({})", self.id())
    }
}

impl PathUse {
    /// A use of the path with these names; `None` if there are none.
    #[must_use]
    pub fn new(segments: Vec<Segment>, is_read: bool) -> Option<PathUse> {
        let ranges = segments.iter().map(|segment| segment.range);
        let range = ranges.reduce(TextRange::cover)?;
        Some(PathUse { range, segments, is_read })
    }

    /// The first name: a variable, or a part of the state such as `memory`.
    #[must_use]
    pub fn root(&self) -> Option<&Segment> {
        self.segments.first()
    }

    /// The name below the root, which is the key if the root contains keys.
    #[must_use]
    pub fn key(&self) -> Option<&Segment> {
        self.segments.get(1)
    }
}

impl Circumstances {
    /// The state as a mapping; empty if it is not a mapping.
    #[must_use]
    pub fn variables(&self) -> &Map {
        static EMPTY: LazyLock<Map> = LazyLock::new(Map::new);
        match &self.state {
            Value::Map(map) => map,
            _ => &EMPTY,
        }
    }
}

impl ConditionDecision {
    /// The decision by a condition.
    #[must_use]
    pub fn of(holds: bool) -> ConditionDecision {
        if holds { ConditionDecision::Holds } else { ConditionDecision::Fails }
    }
}
