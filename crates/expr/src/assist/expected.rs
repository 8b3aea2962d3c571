//! What can be written at a place of an expression.
//!
//! Input: a language, a text, an offset; output: what a completion replaces, and what it may insert. Invariant: the
//! answer depends only on the tokens before the cursor, and on the word under it.

mod steps;

use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::context::{BINARY, Context, FrameKind, Source, between_quotes};
use crate::builtins::Arguments;
use crate::language::{Language, Syntax};
use crate::text::{floor, slice};
use crate::token::TokenClass;
use crate::vocabulary::{EntryKind, VocabularyEntry};

/// What can be written at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The range to replace: the word under the cursor, or an empty range.
    pub replace: TextRange,
    /// The part of that word before the cursor.
    pub prefix: SmolStr,
    /// The kinds of things that are allowed there; empty if that is not known.
    pub kinds: Vec<Wanted>,
}

/// A kind of thing that can be written at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// A value: a name, a literal, a call.
    Operand {
        /// The path that the value is compared with, if it is one side of a comparison.
        compared: Option<Vec<SmolStr>>,
        /// Whether it is the right side of a comparison.
        in_comparison: bool,
    },
    /// An operator between two operands.
    Operator {
        /// Whether only logical operators fit, because a comparison is not possible here.
        logic_only: bool,
    },
    /// A word or sign that continues an open construct: `then`, `else`, `:`.
    Continuation(&'static str),
    /// A part of the value that a path leads to. An empty path stands for the names that every path can begin with.
    Member {
        /// The names of the path; `*` stands for an item of a list.
        path: Vec<SmolStr>,
    },
    /// A function of a value, after a dot.
    Method,
    /// A function of the host, which is the whole expression.
    FunctionPath {
        /// The names before the cursor.
        path: Vec<SmolStr>,
    },
    /// A builtin, with its `$`.
    Builtin,
    /// An argument that is a name, not an expression.
    Argument {
        function: SmolStr,
        /// The position of the argument, from 0.
        index: usize,
    },
    /// The inside of a quoted text.
    Text {
        /// The path that the text is compared with.
        compared: Option<Vec<SmolStr>>,
        /// The quote around it.
        quote: char,
    },
    /// The name of a node, because the result of the expression is the next node.
    Route,
    /// The beginning of a path.
    Path,
    /// A step of a path that is not a name.
    Selector,
}

/// What can be written at an offset.
pub fn expected(language: Language, text: &str, offset: TextSize) -> Expected {
    let offset = floor(text, offset);
    if !language.is_path() {
        let source = Source { language, text, tokens: language.meant_tokens(text) };
        return in_expression(&source, offset);
    }
    let mut tokens = language.tokens(text);
    let scripts = language.scripts(text);
    let script = scripts.iter().find(|script| script.contains_inclusive(offset));
    let Some(script) = script else {
        return steps::expected(&Source { language, text, tokens }, offset);
    };
    tokens.retain(|token| script.contains_range(token.range));
    in_expression(&Source { language, text, tokens }, offset)
}

/// The entries of the vocabulary that are of this kind.
pub fn fitting(language: Language, wanted: &Wanted) -> Vec<&'static VocabularyEntry> {
    let groups_conditions = language.syntax().groups_conditions;
    let fits = |entry: &VocabularyEntry| match (wanted, entry.kind) {
        (Wanted::Operand { .. }, EntryKind::Root) => !language.is_path(),
        (Wanted::Operand { .. }, EntryKind::Builtin) => entry.name != "$",
        (Wanted::Operand { .. }, EntryKind::Function | EntryKind::Constant) => true,
        (Wanted::Operand { in_comparison, .. }, EntryKind::Prefix) => !(groups_conditions && *in_comparison),
        (Wanted::Operator { logic_only }, EntryKind::Comparison) => !logic_only,
        (Wanted::Operator { .. }, EntryKind::Logic | EntryKind::Operator) => true,
        (Wanted::Continuation(word), EntryKind::Continuation) => entry.name == *word,
        (Wanted::Member { path }, EntryKind::Root) => language.is_path() && path.is_empty(),
        (Wanted::Builtin, EntryKind::Builtin)
        | (Wanted::Method, EntryKind::Method)
        | (Wanted::Selector, EntryKind::Selector) => true,
        (Wanted::Path, EntryKind::Builtin) => entry.name == "$",
        _ => false,
    };
    language.vocabulary().iter().filter(|entry| fits(entry)).collect()
}

/// What the cursor is on.
enum Under {
    /// A word, or nothing; the number of tokens before it.
    Word(usize),
    /// The inside of a literal; the position of its token.
    Literal(usize),
    /// Something that cannot be completed.
    Nothing,
}

impl Expected {
    fn at(text: &str, replace: TextRange, offset: TextSize, kinds: Vec<Wanted>) -> Expected {
        let start = replace.start().min(offset);
        Expected { replace, prefix: slice(text, TextRange::new(start, offset)).into(), kinds }
    }
}

fn in_expression(source: &Source<'_>, offset: TextSize) -> Expected {
    let (under, replace) = under(source, offset);
    match under {
        Under::Nothing => Expected::at(source.text, replace, offset, Vec::new()),
        Under::Literal(index) => {
            let context = source.context(index);
            let quote = source.spelling(index).chars().next().unwrap_or('"');
            let argument = bare_argument(source, &context);
            let compared = source.path_beside(index);
            let names_route = compared.is_none() && takes_route(source, index, &context);
            let kind = argument.unwrap_or(Wanted::Text { compared, quote });
            let kinds = [Some(kind), names_route.then_some(Wanted::Route)].into_iter().flatten();
            Expected::at(source.text, replace, offset, kinds.collect())
        }
        Under::Word(before) => {
            let context = source.context(before);
            if let Some(started) = started_operator(source, before, offset) {
                return started;
            }
            let has_word = !replace.is_empty();
            let kinds = kinds(source, before, has_word, &context);
            Expected::at(source.text, replace, offset, kinds)
        }
    }
}

/// What the cursor is on, and the range that a completion replaces.
fn under(source: &Source<'_>, offset: TextSize) -> (Under, TextRange) {
    let index = source.tokens.partition_point(|token| token.range.end() < offset);
    let nothing_there = (Under::Word(index), TextRange::empty(offset));
    let Some(token) = source.tokens.get(index).filter(|token| token.range.start() < offset) else {
        return nothing_there;
    };
    let is_inside = offset < token.range.end();
    let sigil = if source.language.is_path() { '@' } else { '$' };
    match token.class {
        TokenClass::OpenText => (Under::Literal(index), between_quotes(token, offset)),
        TokenClass::Text if is_inside => (Under::Literal(index), between_quotes(token, offset)),
        TokenClass::Number => (Under::Nothing, token.range),
        TokenClass::Name
        | TokenClass::Property
        | TokenClass::Function
        | TokenClass::Builtin
        | TokenClass::Constant
        | TokenClass::Word
        | TokenClass::Keyword => (Under::Word(index), token.range),
        TokenClass::Illegal if source.spelling(index).starts_with(sigil) => (Under::Word(index), token.range),
        _ if is_inside => (Under::Nothing, TextRange::empty(offset)),
        _ => (Under::Word(index + 1), TextRange::empty(offset)),
    }
}

/// An operator of which only the beginning is written: `=` of `==`, `not` of `not in`.
fn started_operator(source: &Source<'_>, before: usize, offset: TextSize) -> Option<Expected> {
    let last = before.checked_sub(1)?;
    let started = source.tokens.get(last)?;
    let behind_operand = |count: usize| {
        let context = source.context(count);
        !context.needs_operand && !context.is_over
    };
    let begins = |spelling: &str| {
        let longer =
            |entry: &VocabularyEntry| entry.name.starts_with(spelling) && BINARY.contains(&entry.kind);
        source.language.entry(spelling, &BINARY).is_none() && source.language.vocabulary().iter().any(longer)
    };
    let is_sign =
        matches!(started.class, TokenClass::Operator | TokenClass::Illegal) && started.range.end() == offset;
    let is_not = source.spelling(last) == "not";
    if !(is_sign || is_not) || !begins(source.spelling(last)) || !behind_operand(last) {
        return None;
    }
    let word = source.tokens.get(before).filter(|word| word.range.start() < offset);
    let end = word.map_or(offset, |word| word.range.end());
    let replace = TextRange::new(started.range.start(), end);
    let kinds = vec![Wanted::Operator { logic_only: false }];
    Some(Expected::at(source.text, replace, offset, kinds))
}

fn kinds(source: &Source<'_>, before: usize, has_word: bool, context: &Context) -> Vec<Wanted> {
    if source.follows_dot(before) {
        return members(source, before, has_word);
    }
    if context.is_over {
        return Vec::new();
    }
    if !context.needs_operand {
        return behind_operand(source, context);
    }
    if has_word && source.spelling(before).starts_with('$') {
        return vec![Wanted::Builtin];
    }
    if source.language.syntax().has_plain_arguments
        && let Some(FrameKind::Call { name, .. }) = context.innermost()
        && let Some(builtin) = source.language.semantics().builtin(source.spelling(name))
        && builtin.arguments != Arguments::Values
    {
        return bare_argument(source, context).into_iter().collect();
    }
    let mut kinds = vec![operand(source, context)];
    if takes_route(source, before, context) {
        kinds.push(Wanted::Route);
    }
    if before == 0 && source.language.syntax().has_function_paths {
        kinds.push(Wanted::FunctionPath { path: Vec::new() });
    }
    kinds
}

/// Whether the operand after this many tokens is a result of a routing expression: the whole, or an arm of a choice.
fn takes_route(source: &Source<'_>, before: usize, context: &Context) -> bool {
    let is_arm = context.in_last_arm || context.innermost() == Some(FrameKind::Choice);
    source.language.syntax().yields_route && (before == 0 || is_arm)
}

fn operand(source: &Source<'_>, context: &Context) -> Wanted {
    Wanted::Operand { compared: source.compared_path(context), in_comparison: context.is_compared() }
}

/// The argument of a builtin that takes names, if the place can be one.
fn bare_argument(source: &Source<'_>, context: &Context) -> Option<Wanted> {
    let Some(FrameKind::Call { name, argument }) = context.innermost() else { return None };
    let builtin = source.language.semantics().builtin(source.spelling(name))?;
    (builtin.arguments == Arguments::ErrorTypes)
        .then(|| Wanted::Argument { function: builtin.name.into(), index: argument })
}

fn behind_operand(source: &Source<'_>, context: &Context) -> Vec<Wanted> {
    let Syntax { yields_route, has_plain_arguments, .. } = source.language.syntax();
    let continuation = match context.innermost() {
        Some(FrameKind::If { has_then: false }) => Some("then"),
        Some(FrameKind::If { has_then: true }) => Some("else"),
        Some(FrameKind::Choice) => Some(":"),
        _ => None,
    };
    let in_arm = yields_route && (context.in_last_arm || continuation.is_some());
    let is_bare = has_plain_arguments && matches!(context.innermost(), Some(FrameKind::Call { .. }));
    let mut kinds = Vec::new();
    if !in_arm && !is_bare {
        kinds.push(Wanted::Operator { logic_only: context.logic_only });
    }
    kinds.extend(continuation.map(Wanted::Continuation));
    kinds
}

/// What can follow a dot.
fn members(source: &Source<'_>, before: usize, has_word: bool) -> Vec<Wanted> {
    let path = before.checked_sub(2).and_then(|last| source.path_through(last));
    let mut kinds = Vec::new();
    if source.language.syntax().has_function_paths
        && source.tokens.len() == before + usize::from(has_word)
        && let Some(path) = path.clone().filter(|path| path.len() * 2 == before)
    {
        kinds.push(Wanted::FunctionPath { path });
    }
    kinds.extend(path.map(|path| Wanted::Member { path }));
    if source.language.is_path() {
        kinds.push(Wanted::Method);
    }
    kinds
}
