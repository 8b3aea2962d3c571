//! The grammar of filtrex: operators by precedence, with recovery.
//!
//! Input: tokens with an end token; output: a tree, and the tokens that are not allowed at their place. Invariant:
//! every list of tokens has a tree, it is no deeper than [`MAXIMUM`], and each token is used once.

use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::lexer::{self, FiltrexLexeme, FiltrexToken};
use super::tolerance::SyntaxFault;
use crate::ast::{
    Arithmetic, ArithmeticOperator, Call, Chain, ChainLink, Compare, CompareOperator, Conditional, Expr,
    ExprKind, Grouping, Logic, LogicLink, LogicOperator, Member, Negate, Not, Path, Segment, Spelling, Text,
};
use crate::javascript::digits_to_number;

/// How deep a tree may be. The release fails at a somewhat greater depth, when the stack of its host is full.
pub(crate) const MAXIMUM: usize = 300;

/// What the grammar expected at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExpectedToken {
    /// A value.
    Operand,
    /// An operator, or the end of an open construct.
    Operator,
    /// `)`
    Close,
    /// `then` behind a condition.
    Then,
    /// `else` behind a value.
    Else,
    /// `:` behind a value.
    Colon,
}

/// A token that is not allowed at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Misplaced {
    pub(crate) index: usize,
    /// What the grammar expected there.
    pub(crate) wanted: ExpectedToken,
}

/// The result of parsing.
pub(crate) struct Parsed {
    pub(crate) expr: Expr,
    pub(crate) misplaced: Vec<Misplaced>,
    /// The token at which the tree would become too deep. The tree is then flat.
    pub(crate) too_deep: Option<usize>,
}

/// How tightly operators bind, loosest first.
mod power {
    pub(super) const LOOSEST: u8 = 0;
    pub(super) const CONDITIONAL: u8 = 1;
    pub(super) const OR: u8 = 2;
    pub(super) const AND: u8 = 3;
    pub(super) const MEMBERSHIP: u8 = 4;
    pub(super) const RELATION: u8 = 5;
    pub(super) const SUM: u8 = 6;
    pub(super) const PRODUCT: u8 = 7;
    pub(super) const PREFIX: u8 = 8;
    pub(super) const EXPONENT: u8 = 9;
    pub(super) const OF: u8 = 10;
}

/// An expression, and the depth of its tree.
struct Tall {
    expr: Expr,
    height: usize,
}

struct Parser<'t> {
    tokens: &'t [FiltrexLexeme<'t>],
    position: usize,
    depth: usize,
    misplaced: Vec<Misplaced>,
    too_deep: Option<usize>,
}

pub(crate) fn parse(tokens: &[FiltrexLexeme<'_>]) -> Parsed {
    let mut parser = Parser { tokens, position: 0, depth: 0, misplaced: Vec::new(), too_deep: None };
    let parsed = parser.sequence(&[]);
    let expr = if parser.too_deep.is_some() { sweep(tokens) } else { parsed.expr };
    Parsed { expr, misplaced: parser.misplaced, too_deep: parser.too_deep }
}

/// An error node with the names and literals among tokens.
fn sweep(tokens: &[FiltrexLexeme<'_>]) -> Expr {
    let mut range = TextRange::default();
    let mut parts = Vec::new();
    for lexeme in tokens {
        range = range.cover(lexeme.range());
        let kind = match lexeme.kind {
            FiltrexToken::Number => number(lexeme.text),
            FiltrexToken::Text => text(lexeme),
            FiltrexToken::Symbol => ExprKind::Variable(path(*lexeme)),
            _ => continue,
        };
        parts.push(Expr { kind, range: lexeme.range() });
    }
    Expr { kind: ExprKind::Error(parts), range }
}

impl<'t> Parser<'t> {
    fn peek(&self) -> FiltrexLexeme<'t> {
        const NOTHING: FiltrexLexeme<'static> =
            FiltrexLexeme { kind: FiltrexToken::End, start: 0, text: "", fault: None };
        self.tokens.get(self.position).or(self.tokens.last()).copied().unwrap_or(NOTHING)
    }

    fn advance(&mut self) -> FiltrexLexeme<'t> {
        let next = self.peek();
        if next.kind != FiltrexToken::End {
            self.position += 1;
        }
        next
    }

    fn take(&mut self, kind: FiltrexToken) -> Option<FiltrexLexeme<'t>> {
        (self.peek().kind == kind).then(|| self.advance())
    }

    fn misplaced(&mut self, wanted: ExpectedToken) {
        let index = self.position;
        if self.misplaced.last().is_none_or(|last| last.index != index) {
            self.misplaced.push(Misplaced { index, wanted });
        }
    }

    /// Takes a token of this kind, or reports that it is missing.
    fn expect(&mut self, kind: FiltrexToken, wanted: ExpectedToken) -> Option<FiltrexLexeme<'t>> {
        let found = self.take(kind);
        if found.is_none() {
            self.misplaced(wanted);
        }
        found
    }

    /// Gives up: the remaining tokens are not read.
    fn give_up(&mut self) {
        self.too_deep.get_or_insert(self.position);
        self.position = self.tokens.len();
    }

    /// A node whose parts have the depth `below`.
    fn tall(&mut self, kind: ExprKind, range: TextRange, below: usize) -> Tall {
        let height = below + 1;
        if height > MAXIMUM {
            self.give_up();
        }
        Tall { expr: Expr { kind, range }, height }
    }

    /// An expression up to one of `stops` or the end, with the tokens in it that are not allowed.
    fn sequence(&mut self, stops: &[FiltrexToken]) -> Tall {
        let first = self.expression(power::LOOSEST);
        if self.is_at(stops) {
            return first;
        }
        self.misplaced(ExpectedToken::Operator);
        let mut range = first.expr.range;
        let mut height = first.height;
        let mut parts = vec![first.expr];
        while !self.is_at(stops) {
            if self.peek().kind.begins_operand() {
                let count = self.misplaced.len();
                let part = self.expression(power::LOOSEST);
                // A second fault in the same place adds no information.
                self.misplaced.truncate(count);
                range = range.cover(part.expr.range);
                height = height.max(part.height);
                parts.push(part.expr);
            } else {
                range = range.cover(self.advance().range());
            }
        }
        self.tall(ExprKind::Error(parts), range, height)
    }

    fn is_at(&self, stops: &[FiltrexToken]) -> bool {
        let next = self.peek().kind;
        next == FiltrexToken::End || stops.contains(&next)
    }

    /// An expression whose operators bind at least this tightly.
    fn expression(&mut self, minimum: u8) -> Tall {
        self.depth += 1;
        let tall = if self.depth > MAXIMUM {
            self.give_up();
            self.nothing()
        } else {
            let mut left = self.operand();
            while let Some((power, next)) = self.operator(minimum) {
                left = self.operation(left, power, next);
            }
            left
        };
        self.depth -= 1;
        tall
    }

    /// The operator that comes next, if it binds tightly enough.
    fn operator(&self, minimum: u8) -> Option<(u8, FiltrexLexeme<'t>)> {
        let next = self.peek();
        let power = match next.kind {
            FiltrexToken::Question => power::CONDITIONAL,
            FiltrexToken::Or => power::OR,
            FiltrexToken::And => power::AND,
            FiltrexToken::In | FiltrexToken::NotIn => power::MEMBERSHIP,
            FiltrexToken::Plus | FiltrexToken::Minus => power::SUM,
            FiltrexToken::Star | FiltrexToken::Slash | FiltrexToken::Mod | FiltrexToken::Percent => {
                power::PRODUCT
            }
            FiltrexToken::Caret => power::EXPONENT,
            kind if relation(kind).is_some() => power::RELATION,
            _ => return None,
        };
        (power >= minimum).then_some((power, next))
    }

    fn operation(&mut self, left: Tall, power: u8, operator: FiltrexLexeme<'t>) -> Tall {
        match power {
            power::CONDITIONAL => self.choice(left),
            power::OR => self.logic(left, LogicOperator::Or, FiltrexToken::Or, power::AND),
            power::AND => self.logic(left, LogicOperator::And, FiltrexToken::And, power::MEMBERSHIP),
            power::MEMBERSHIP => self.membership(left),
            power::RELATION => self.relations(left),
            _ => self.arithmetic(left, operator.kind, power),
        }
    }

    fn arithmetic(&mut self, left: Tall, kind: FiltrexToken, power: u8) -> Tall {
        let operator_range = self.advance().range();
        let operator = match kind {
            FiltrexToken::Plus => ArithmeticOperator::Add,
            FiltrexToken::Minus => ArithmeticOperator::Subtract,
            FiltrexToken::Star => ArithmeticOperator::Multiply,
            FiltrexToken::Slash => ArithmeticOperator::Divide,
            FiltrexToken::Caret => ArithmeticOperator::Power,
            _ => ArithmeticOperator::Modulo,
        };
        // An exponent groups to the right.
        let right = self.expression(if power == power::EXPONENT { power } else { power + 1 });
        let range = left.expr.range.cover(right.expr.range);
        let height = left.height.max(right.height);
        let parts = Arithmetic { left: left.expr, operator, operator_range, right: right.expr };
        self.tall(ExprKind::Arithmetic(Box::new(parts)), range, height)
    }

    fn membership(&mut self, left: Tall) -> Tall {
        let lexeme = self.advance();
        let operator =
            if lexeme.kind == FiltrexToken::In { CompareOperator::In } else { CompareOperator::NotIn };
        let right = self.expression(power::RELATION);
        self.compare(left, operator, lexeme.range(), right)
    }

    fn compare(
        &mut self,
        left: Tall,
        operator: CompareOperator,
        operator_range: TextRange,
        right: Tall,
    ) -> Tall {
        let range = left.expr.range.cover(right.expr.range);
        let height = left.height.max(right.height);
        let parts = Compare { left: left.expr, operator, operator_range, right: right.expr };
        self.tall(ExprKind::Compare(Box::new(parts)), range, height)
    }

    fn relations(&mut self, first: Tall) -> Tall {
        let mut range = first.expr.range;
        let mut height = first.height;
        let mut rest = Vec::new();
        while let Some(operator) = relation(self.peek().kind) {
            let operator_range = self.advance().range();
            let operand = self.expression(power::SUM);
            if rest.is_empty() && relation(self.peek().kind).is_none() {
                return self.compare(first, operator, operator_range, operand);
            }
            range = range.cover(operand.expr.range);
            height = height.max(operand.height);
            rest.push(ChainLink { operator, operator_range, operand: operand.expr });
        }
        self.tall(ExprKind::Chain(Box::new(Chain { first: first.expr, rest })), range, height)
    }

    fn logic(&mut self, first: Tall, operator: LogicOperator, kind: FiltrexToken, minimum: u8) -> Tall {
        let mut range = first.expr.range;
        let mut height = first.height;
        let mut rest = Vec::new();
        while let Some(lexeme) = self.take(kind) {
            let operand = self.expression(minimum);
            range = range.cover(operand.expr.range);
            height = height.max(operand.height);
            let operator_range = lexeme.range();
            rest.push(LogicLink { spelling: Spelling::Word, operator_range, operand: operand.expr });
        }
        let run = Logic { operator, grouping: Grouping::Left, first: first.expr, rest };
        self.tall(ExprKind::Logic(Box::new(run)), range, height)
    }

    fn choice(&mut self, condition: Tall) -> Tall {
        self.advance();
        let consequent = self.sequence(&[
            FiltrexToken::Colon,
            FiltrexToken::Close,
            FiltrexToken::Comma,
            FiltrexToken::Then,
            FiltrexToken::Else,
        ]);
        self.expect(FiltrexToken::Colon, ExpectedToken::Colon);
        let alternative = self.expression(power::CONDITIONAL);
        let start = condition.expr.range;
        self.conditional(Spelling::Symbol, start, condition, consequent, alternative)
    }

    fn conditional(
        &mut self,
        spelling: Spelling,
        start: TextRange,
        condition: Tall,
        consequent: Tall,
        alternative: Tall,
    ) -> Tall {
        let range = start.cover(alternative.expr.range);
        let height = condition.height.max(consequent.height).max(alternative.height);
        let parts = Conditional {
            spelling,
            condition: condition.expr,
            consequent: consequent.expr,
            alternative: alternative.expr,
        };
        self.tall(ExprKind::Conditional(Box::new(parts)), range, height)
    }

    fn operand(&mut self) -> Tall {
        let next = self.peek();
        match next.kind {
            FiltrexToken::Number => {
                self.advance();
                self.tall(number(next.text), next.range(), 0)
            }
            FiltrexToken::Text => {
                self.advance();
                self.tall(text(&next), next.range(), 0)
            }
            FiltrexToken::Symbol => self.name(),
            FiltrexToken::Open => self.parentheses(),
            FiltrexToken::If => self.if_then_else(),
            FiltrexToken::Minus | FiltrexToken::Not => self.prefixed(),
            FiltrexToken::Illegal => {
                self.misplaced(ExpectedToken::Operand);
                self.advance();
                if self.peek().kind.begins_operand() { self.operand() } else { self.nothing() }
            }
            _ => {
                self.misplaced(ExpectedToken::Operand);
                self.nothing()
            }
        }
    }

    /// An error node before the next token.
    fn nothing(&mut self) -> Tall {
        Tall { expr: Expr { kind: ExprKind::Error(Vec::new()), range: self.peek().empty_range() }, height: 1 }
    }

    fn prefixed(&mut self) -> Tall {
        let lexeme = self.advance();
        let operator_range = lexeme.range();
        let operand = self.expression(power::PREFIX);
        let range = operator_range.cover(operand.expr.range);
        let height = operand.height;
        let kind = if lexeme.kind == FiltrexToken::Minus {
            ExprKind::Negate(Box::new(Negate { operator_range, operand: operand.expr }))
        } else {
            ExprKind::Not(Box::new(Not { spelling: Spelling::Word, operator_range, operand: operand.expr }))
        };
        self.tall(kind, range, height)
    }

    fn if_then_else(&mut self) -> Tall {
        let start = self.advance().range();
        let condition = self.sequence(&[
            FiltrexToken::Then,
            FiltrexToken::Else,
            FiltrexToken::Close,
            FiltrexToken::Comma,
        ]);
        self.expect(FiltrexToken::Then, ExpectedToken::Then);
        let consequent = self.sequence(&[FiltrexToken::Else, FiltrexToken::Close, FiltrexToken::Comma]);
        self.expect(FiltrexToken::Else, ExpectedToken::Else);
        let alternative = self.expression(power::CONDITIONAL);
        self.conditional(Spelling::Word, start, condition, consequent, alternative)
    }

    /// `(a)`, `(a, b)`
    fn parentheses(&mut self) -> Tall {
        let open = self.advance();
        if self.peek().kind == FiltrexToken::Close {
            self.misplaced(ExpectedToken::Operand);
            let close = self.advance();
            return self.tall(ExprKind::Error(Vec::new()), open.range().cover(close.range()), 0);
        }
        let first = self.sequence(&[FiltrexToken::Close, FiltrexToken::Comma]);
        let inner_range = first.expr.range;
        let mut height = first.height;
        let mut items = vec![first.expr];
        while self.take(FiltrexToken::Comma).is_some() {
            let item = self.sequence(&[FiltrexToken::Close, FiltrexToken::Comma]);
            height = height.max(item.height);
            items.push(item.expr);
        }
        let end = self.close(items.last().map_or(inner_range, |last| last.range));
        let range = open.range().cover(end);
        if items.len() > 1 {
            return self.tall(ExprKind::List(items), range, height);
        }
        match items.pop() {
            Some(inner) => self.tall(ExprKind::Group(Box::new(inner)), range, height),
            None => self.nothing(),
        }
    }

    /// The end of the closing parenthesis; or `last`, if it is missing.
    fn close(&mut self, last: TextRange) -> TextRange {
        self.expect(FiltrexToken::Close, ExpectedToken::Close).map_or(last, |close| close.range())
    }

    /// A name by itself, in a call, or before `of`.
    fn name(&mut self) -> Tall {
        let lexeme = self.advance();
        match self.peek().kind {
            FiltrexToken::Open => return self.call(lexeme),
            FiltrexToken::Of => {
                self.advance();
                let object = self.expression(power::OF);
                let range = lexeme.range().cover(object.expr.range);
                let height = object.height;
                let parts = Member { object: object.expr, path: path(lexeme), name_first: true };
                return self.tall(ExprKind::Member(Box::new(parts)), range, height);
            }
            _ => {}
        }
        let mut path = path(lexeme);
        while let Some(index) = self.take(FiltrexToken::Index) {
            path.segments.push(index_segment(index));
        }
        let range = path.range();
        self.tall(ExprKind::Variable(path), range, 0)
    }

    fn call(&mut self, name: FiltrexLexeme<'t>) -> Tall {
        let open = self.advance();
        let mut arguments = Vec::new();
        let mut height = 0;
        if self.peek().kind != FiltrexToken::Close {
            loop {
                let argument = self.sequence(&[FiltrexToken::Close, FiltrexToken::Comma]);
                height = height.max(argument.height);
                arguments.push(argument.expr);
                if self.take(FiltrexToken::Comma).is_none() {
                    break;
                }
            }
        }
        let last = arguments.last().map_or(open.range(), |last| last.range);
        let range = name.range().cover(self.close(last));
        let call = Call { name: SmolStr::new(name.text), name_range: name.range(), arguments };
        self.tall(ExprKind::Call(call), range, height)
    }
}

fn relation(kind: FiltrexToken) -> Option<CompareOperator> {
    Some(match kind {
        FiltrexToken::Equal => CompareOperator::Equal,
        FiltrexToken::NotEqual => CompareOperator::NotEqual,
        FiltrexToken::Matches => CompareOperator::Matches,
        FiltrexToken::GreaterOrEqual => CompareOperator::GreaterOrEqual,
        FiltrexToken::LessOrEqual => CompareOperator::LessOrEqual,
        FiltrexToken::Less => CompareOperator::Less,
        FiltrexToken::Greater => CompareOperator::Greater,
        _ => return None,
    })
}

/// A number; an error node if it is written in an unknown notation.
fn number(written: &str) -> ExprKind {
    let octal = if lexer::is_octal(written) { digits_to_number(written, 3) } else { None };
    let value = octal.or_else(|| written.parse().ok());
    value.map_or_else(|| ExprKind::Error(Vec::new()), ExprKind::Number)
}

/// A text; an error node if it is not closed.
fn text(lexeme: &FiltrexLexeme<'_>) -> ExprKind {
    if lexeme.fault == Some(SyntaxFault::OpenText) {
        return ExprKind::Error(Vec::new());
    }
    let quote = lexeme.text.chars().next().unwrap_or('"');
    ExprKind::Text(Text { value: lexer::decode(lexeme.text), quote })
}

/// The names between the dots. A name may be empty.
fn path(lexeme: FiltrexLexeme<'_>) -> Path {
    let mut start = TextSize::new(lexeme.start);
    let mut segments = Vec::new();
    for name in lexeme.text.split('.') {
        let range = TextRange::at(start, TextSize::of(name));
        segments.push(Segment { name: SmolStr::new(name), range });
        start = range.end() + TextSize::of('.');
    }
    Path { segments }
}

/// The text in the brackets, as a name that covers their whole range.
fn index_segment(index: FiltrexLexeme<'_>) -> Segment {
    let inner = index.text.trim_start_matches('[').trim_end_matches(']');
    let name = if inner.starts_with(['"', '\'']) { lexer::decode(inner) } else { SmolStr::new(inner) };
    Segment { name, range: index.range() }
}
