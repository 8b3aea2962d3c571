//! Which constructs are open at a place among tokens, and what may follow.
//!
//! Input: the tokens of an expression, and how many of them are before the place; output: a [`Context`]. Invariant:
//! one pass over the tokens, whatever they are; no order of them is an error.

use smol_str::SmolStr;
use text_size::TextRange;

use crate::language::Language;
use crate::text::slice;
use crate::token::{Token, TokenClass};
use crate::vocabulary::EntryKind;

/// The kinds of operators that are between two operands.
pub(super) const BINARY: [EntryKind; 3] = [EntryKind::Comparison, EntryKind::Logic, EntryKind::Operator];

/// Comparison operators of other languages, which are treated like the ones they stand for.
const FOREIGN_COMPARISONS: [&str; 5] = ["=", "===", "!==", "<>", "=~"];

/// An expression and its tokens.
pub(super) struct Source<'t> {
    pub(super) language: Language,
    pub(super) text: &'t str,
    pub(super) tokens: Vec<Token>,
}

/// A construct that is not closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    /// The operator of the comparison whose right side it is in, by token position.
    comparison: Option<usize>,
}

/// A kind of construct that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// `(`
    Group,
    /// `f(`: the token that names the function, and how many arguments are complete.
    Call { name: usize, argument: usize },
    /// `[`
    Bracket,
    /// `if`, with `then` or without.
    If { has_then: bool },
    /// `?`
    Choice,
}

/// What the tokens before a place say about it.
#[derive(Debug, Default)]
pub(super) struct Context {
    /// The open constructs, the innermost last.
    pub(super) frames: Vec<Frame>,
    /// Whether an operand must follow, because an operator is before the place.
    pub(super) needs_operand: bool,
    /// Whether the operand before the place cannot be compared, so that only a logical operator may follow.
    pub(super) logic_only: bool,
    /// Whether the place is in the last arm of a choice in a language whose arms have no operators.
    pub(super) in_last_arm: bool,
    /// Whether the expression is complete, so that nothing may follow.
    pub(super) is_over: bool,
    /// The operator of the comparison that is being written, by token position.
    comparison: Option<usize>,
}

impl<'t> Source<'t> {
    /// The text of a token.
    pub(super) fn spelling(&self, index: usize) -> &'t str {
        self.tokens.get(index).map_or("", |token| slice(self.text, token.range))
    }

    pub(super) fn class(&self, index: usize) -> Option<TokenClass> {
        self.tokens.get(index).map(|token| token.class)
    }

    /// Whether the token before `index` is a dot.
    pub(super) fn follows_dot(&self, index: usize) -> bool {
        index.checked_sub(1).is_some_and(|before| matches!(self.spelling(before), "." | "?."))
    }

    /// The names of the path that ends with a token, if only names lead there.
    pub(super) fn path_through(&self, last: usize) -> Option<Vec<SmolStr>> {
        let (mut names, mut first) = self.names_through(last)?;
        // `key of memory` is `memory.key`.
        while let Some(before) = first.checked_sub(2)
            && self.spelling(before + 1) == "of"
            && let Some((inner, start)) = self.names_through(before)
        {
            names.extend(inner);
            first = start;
        }
        if self.language.is_path() && names.first().is_some_and(|root| root == "@root") {
            names.remove(0);
        }
        Some(names)
    }

    /// The names, with dots between them, that end with a token; and the position of the first of these tokens.
    fn names_through(&self, last: usize) -> Option<(Vec<SmolStr>, usize)> {
        let mut names = Vec::new();
        let mut at = last;
        loop {
            let class = self.class(at)?;
            let is_name = matches!(class, TokenClass::Name | TokenClass::Property)
                || (class == TokenClass::Builtin && self.language.is_path())
                || (class == TokenClass::Function && self.follows_dot(at));
            if !is_name {
                return None;
            }
            names.push(SmolStr::new(self.spelling(at)));
            match at.checked_sub(2) {
                Some(before) if self.follows_dot(at) => at = before,
                _ => break,
            }
        }
        names.reverse();
        Some((names, at))
    }

    /// The names of the path that begins with a token.
    fn path_from(&self, first: usize) -> Option<Vec<SmolStr>> {
        let mut last = first;
        while self.follows_dot(last + 2) && self.class(last + 2) == Some(TokenClass::Property) {
            last += 2;
        }
        self.path_through(last)
    }

    /// The context after this many tokens.
    pub(super) fn context(&self, count: usize) -> Context {
        let mut context = Context { needs_operand: true, ..Context::default() };
        for index in 0..count.min(self.tokens.len()) {
            self.read(index, &mut context);
        }
        context
    }

    /// The path that the operand after the context is compared with.
    pub(super) fn compared_path(&self, context: &Context) -> Option<Vec<SmolStr>> {
        let in_list = || {
            let frame = context.frames.last().filter(|frame| frame.kind == FrameKind::Group)?;
            frame.comparison.filter(|operator| self.spelling(*operator).ends_with("in"))
        };
        let operator = context.comparison.or_else(in_list)?;
        self.path_through(operator.checked_sub(1)?)
    }

    /// The path that a literal is compared with: on the literal's left, or on its right.
    pub(super) fn path_beside(&self, literal: usize) -> Option<Vec<SmolStr>> {
        self.compared_path(&self.context(literal)).or_else(|| {
            let is_comparison = self.is_kind(literal + 1, &[EntryKind::Comparison]);
            is_comparison.then(|| self.path_from(literal + 2)).flatten()
        })
    }

    fn is_kind(&self, index: usize, kinds: &[EntryKind]) -> bool {
        let spelling = self.spelling(index);
        let is_spaced = spelling.starts_with("not") && spelling.ends_with("in");
        self.language.entry(if is_spaced { "not in" } else { spelling }, kinds).is_some()
    }

    fn read(&self, index: usize, context: &mut Context) {
        match self.class(index) {
            Some(TokenClass::Keyword | TokenClass::Operator) => self.operator(index, context),
            Some(TokenClass::Punctuation) => self.punctuation(index, context),
            Some(TokenClass::Illegal) => {
                // An operator of another language is still an operator to its author, so an operand follows.
                let spelling = self.spelling(index);
                if FOREIGN_COMPARISONS.contains(&spelling) && !context.needs_operand {
                    context.comparison = Some(index);
                }
                context.needs_operand |= FOREIGN_COMPARISONS.contains(&spelling)
                    || matches!(spelling, "&" | "|" | "!" | "??" | "(");
            }
            _ => {
                context.needs_operand = false;
                context.logic_only = self.language.syntax().yields_route && context.comparison.is_some();
            }
        }
    }

    fn operator(&self, index: usize, context: &mut Context) {
        let was_operand = !std::mem::replace(&mut context.needs_operand, true);
        let spelling = self.spelling(index);
        match spelling {
            "if" => context.push(FrameKind::If { has_then: false }),
            "?" => context.push(FrameKind::Choice),
            "then" => context.stage(|kind| {
                if let FrameKind::If { has_then } = kind {
                    *has_then = true;
                }
            }),
            "else" | ":" => {
                context.frames.pop_if(|frame| frame.is_choice());
                context.comparison = None;
                context.in_last_arm = self.language.syntax().yields_route;
            }
            _ if !was_operand && self.is_kind(index, &[EntryKind::Prefix]) => {}
            _ if self.is_kind(index, &[EntryKind::Comparison]) => context.comparison = Some(index),
            _ if FOREIGN_COMPARISONS.contains(&spelling) => context.comparison = Some(index),
            _ if self.is_kind(index, &[EntryKind::Logic]) => context.comparison = None,
            "&&" | "||" => context.comparison = None,
            _ => {}
        }
    }

    fn punctuation(&self, index: usize, context: &mut Context) {
        match self.spelling(index) {
            "(" => {
                let name = index.checked_sub(1).filter(|name| {
                    matches!(self.class(*name), Some(TokenClass::Function | TokenClass::Builtin))
                });
                context.push(name.map_or(FrameKind::Group, |name| FrameKind::Call { name, argument: 0 }));
            }
            "[" => context.push(FrameKind::Bracket),
            ")" | "]" => {
                let closed = context.close();
                context.needs_operand = false;
                context.logic_only =
                    self.language.syntax().groups_conditions && closed == Some(FrameKind::Group);
            }
            "," => {
                while context.frames.pop_if(|frame| frame.is_choice()).is_some() {}
                context.stage(|kind| {
                    if let FrameKind::Call { argument, .. } = kind {
                        *argument += 1;
                    }
                });
            }
            ";" => context.is_over = true,
            _ => {}
        }
    }
}

impl Context {
    pub(super) fn innermost(&self) -> Option<FrameKind> {
        self.frames.last().map(|frame| frame.kind)
    }

    /// Whether the place is in the right side of a comparison.
    pub(super) fn is_compared(&self) -> bool {
        self.comparison.is_some()
    }

    fn push(&mut self, kind: FrameKind) {
        self.frames.push(Frame { kind, comparison: self.comparison.take() });
        self.needs_operand = true;
    }

    /// Changes the innermost construct.
    fn stage(&mut self, change: impl FnOnce(&mut FrameKind)) {
        if let Some(frame) = self.frames.last_mut() {
            change(&mut frame.kind);
        }
        self.comparison = None;
        self.needs_operand = true;
    }

    /// Closes the innermost bracket, and everything that is open inside it.
    fn close(&mut self) -> Option<FrameKind> {
        while self.frames.pop_if(|frame| frame.is_choice()).is_some() {}
        let closed = self.frames.pop()?;
        self.comparison = closed.comparison;
        Some(closed.kind)
    }
}

impl Frame {
    /// Whether the construct is a choice between values, which no bracket closes.
    fn is_choice(&self) -> bool {
        matches!(self.kind, FrameKind::If { .. } | FrameKind::Choice)
    }
}

/// The range between the quotes of a literal. Without a closing quote it ends at the cursor, because what follows may
/// not belong to the literal.
pub(super) fn between_quotes(token: &Token, cursor: text_size::TextSize) -> TextRange {
    let quote = text_size::TextSize::of('"');
    let start = (token.range.start() + quote).min(token.range.end());
    let end = if token.class == TokenClass::Text { token.range.end() - quote } else { cursor };
    TextRange::new(start, end.max(start))
}
