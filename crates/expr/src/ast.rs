//! The syntax tree of an expression, shared by every language.
//!
//! A language's parser builds it; the modules for names, types, checks, evaluation and printing read it. It keeps
//! what only a printer needs: operator spellings, parentheses, quotes.
//! Invariant: each node's range lies within the text, and contains the ranges of its children.

use smol_str::SmolStr;
use text_size::TextRange;

/// One node of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What the node is.
    pub kind: ExprKind,
    /// The bytes of the text that it covers, with the parentheses of a [`ExprKind::Group`].
    pub range: TextRange,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ExprKind {
    Undefined,
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `1`, `-2.5`
    Number(f64),
    Text(Text),
    /// `approve`: text without quotes, in a language where it stands for itself
    Bare(SmolStr),
    /// `user.role`, read as a variable
    Variable(Path),
    /// `rules.requires_approval` by itself: a function of the host
    Function(Path),
    /// `$is_error(Timeout)`
    Call(Call),
    /// `(a)`
    Group(Box<Expr>),
    Not(Box<Not>),
    /// `a == b`
    Compare(Box<Compare>),
    /// `a < b < c`: two comparisons or more that share operands
    Chain(Box<Chain>),
    /// `a and b and c`: a run of one logical operator
    Logic(Box<Logic>),
    /// `-a`
    Negate(Box<Negate>),
    /// `a + b`
    Arithmetic(Box<Arithmetic>),
    /// `a ? b : c`, `if a then b else c`
    Conditional(Box<Conditional>),
    /// `(a, b)`, `[a, b]`
    List(Vec<Expr>),
    /// `a.b` where `a` is not a name, `b of a`
    Member(Box<Member>),
    /// `a['b']`, `a[0]`
    Subscript(Box<Subscript>),
    /// `a.b(c)`: a call of a function that the value has
    Method(Box<Method>),
    /// `/ab+/i`
    Pattern(Pattern),
    /// `typeof a`, `+a`
    Unary(Box<Unary>),
    /// Text that is not an expression. Has the parts that could be read in it, if any.
    Error(Vec<Expr>),
}

/// A text literal.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// The decoded value.
    pub value: SmolStr,
    /// The quote character around it.
    pub quote: char,
}

/// A dotted name.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The names between the dots; never empty.
    pub segments: Vec<Segment>,
}

/// One name of a [`Path`].
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    pub name: SmolStr,
    pub range: TextRange,
}

/// A call of a builtin.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The builtin's name as written, with `$`.
    pub name: SmolStr,
    pub name_range: TextRange,
    pub arguments: Vec<Expr>,
}

/// A negation.
#[derive(Debug, Clone, PartialEq)]
pub struct Not {
    /// The operator's spelling.
    pub spelling: Spelling,
    pub operator_range: TextRange,
    /// What is negated.
    pub operand: Expr,
}

/// A change of sign.
#[derive(Debug, Clone, PartialEq)]
pub struct Negate {
    pub operator_range: TextRange,
    /// What changes its sign.
    pub operand: Expr,
}

/// A calculation with two operands.
#[derive(Debug, Clone, PartialEq)]
pub struct Arithmetic {
    /// The left operand.
    pub left: Expr,
    pub operator: ArithmeticOperator,
    pub operator_range: TextRange,
    /// The right operand.
    pub right: Expr,
}

/// A choice between two values.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditional {
    /// `?` and `:`, or `if`, `then` and `else`.
    pub spelling: Spelling,
    /// What decides.
    pub condition: Expr,
    /// The value when it holds.
    pub consequent: Expr,
    /// The value when it does not.
    pub alternative: Expr,
}

/// A part of a value that is not given by a plain path.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The value that has the part.
    pub object: Expr,
    /// The part's name; several names if a language writes `b.c of a`.
    pub path: Path,
    /// Whether the name is before its object: `name of object`.
    pub name_first: bool,
}

/// A part of a value whose name is the result of an expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Subscript {
    /// The value that has the part.
    pub object: Expr,
    /// The expression between the brackets.
    pub index: Expr,
}

/// A call of a function that a value has.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// The value that has the function.
    pub object: Expr,
    /// The function's name.
    pub name: Segment,
    pub arguments: Vec<Expr>,
}

/// A regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The text between the slashes.
    pub source: SmolStr,
    /// The letters after the second slash.
    pub flags: SmolStr,
}

/// An operator with one operand, other than negation and change of sign.
#[derive(Debug, Clone, PartialEq)]
pub struct Unary {
    pub operator: UnaryOperator,
    pub operator_range: TextRange,
    pub operand: Expr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `+`: the value as a number
    Number,
    /// `typeof`: the name of the value's type
    TypeOf,
    /// `~`: the whole number with all bits inverted
    Invert,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Compare {
    /// The left operand.
    pub left: Expr,
    pub operator: CompareOperator,
    pub operator_range: TextRange,
    /// The right operand.
    pub right: Expr,
}

/// A chained comparison: all neighbours are compared, and each operand is read only once.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// The first operand.
    pub first: Expr,
    /// The other operands, at least two, each with the operator before it.
    pub rest: Vec<ChainLink>,
}

/// An operator and operand of a [`Chain`].
#[derive(Debug, Clone, PartialEq)]
pub struct ChainLink {
    /// The operator before the operand.
    pub operator: CompareOperator,
    pub operator_range: TextRange,
    pub operand: Expr,
}

/// Operands that are joined by one logical operator.
#[derive(Debug, Clone, PartialEq)]
pub struct Logic {
    /// The operator between all neighbours.
    pub operator: LogicOperator,
    /// How the language groups the run. It changes the S-expression, but never the result.
    pub grouping: Grouping,
    /// The first operand.
    pub first: Expr,
    /// The other operands, at least one, each with the operator before it.
    pub rest: Vec<LogicLink>,
}

/// An operator and operand of a [`Logic`] run.
#[derive(Debug, Clone, PartialEq)]
pub struct LogicLink {
    /// How this operator is spelled.
    pub spelling: Spelling,
    pub operator_range: TextRange,
    pub operand: Expr,
}

/// Whether an operator is written as a symbol or as a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// `&&`, `||`, `!`
    Symbol,
    /// `and`, `or`, `not`
    Word,
}

/// How a run of equal logical operators groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// `(a and b) and c`
    Left,
    /// `a and (b and c)`
    Right,
}

/// A logical operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogicOperator {
    And,
    Or,
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompareOperator {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `in`
    In,
    NotIn,
    /// `===`
    StrictEqual,
    /// `!==`
    StrictNotEqual,
    /// `~=`: the right text is a regular expression
    Matches,
}

/// A calculation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArithmeticOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `mod`, `%`
    Modulo,
    /// `^`
    Power,
    /// A calculation with the bits of whole numbers.
    Bits(BitOperator),
}

/// A calculation with the bits of two whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BitOperator {
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    ExclusiveOr,
    /// `<<`
    ShiftLeft,
    /// `>>`: keeps the sign
    ShiftRight,
    /// `>>>`: fills with zeros
    ShiftRightUnsigned,
}

impl Expr {
    /// The expression without the parentheses around it.
    pub fn without_groups(&self) -> &Expr {
        let mut expr = self;
        while let ExprKind::Group(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }

    /// Calls `visit` on the direct children, in reading order. This is a callback because a list of children would
    /// need an allocation at every node of every condition.
    pub fn each_child<'e>(&'e self, visit: &mut impl FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Undefined
            | ExprKind::Null
            | ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Pattern(_)
            | ExprKind::Bare(_)
            | ExprKind::Variable(_)
            | ExprKind::Function(_) => {}
            ExprKind::Call(call) => call.arguments.iter().for_each(visit),
            ExprKind::Group(inner) => visit(inner),
            ExprKind::Not(not) => visit(&not.operand),
            ExprKind::Compare(compare) => {
                visit(&compare.left);
                visit(&compare.right);
            }
            ExprKind::Chain(chain) => {
                visit(&chain.first);
                chain.rest.iter().for_each(|link| visit(&link.operand));
            }
            ExprKind::Logic(logic) => logic.operands().for_each(visit),
            ExprKind::Negate(negate) => visit(&negate.operand),
            ExprKind::Arithmetic(arithmetic) => {
                visit(&arithmetic.left);
                visit(&arithmetic.right);
            }
            ExprKind::Conditional(conditional) => {
                visit(&conditional.condition);
                visit(&conditional.consequent);
                visit(&conditional.alternative);
            }
            ExprKind::Member(member) => visit(&member.object),
            ExprKind::Subscript(subscript) => {
                visit(&subscript.object);
                visit(&subscript.index);
            }
            ExprKind::Method(method) => {
                visit(&method.object);
                method.arguments.iter().for_each(visit);
            }
            ExprKind::Unary(unary) => visit(&unary.operand),
            ExprKind::List(parts) | ExprKind::Error(parts) => parts.iter().for_each(visit),
        }
    }

    /// Whether the node has no children.
    pub fn is_leaf(&self) -> bool {
        let mut is_leaf = true;
        self.each_child(&mut |_| is_leaf = false);
        is_leaf
    }

    /// Calls `visit` on this node and all below it, parents first, in reading order.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        self.each_child(&mut |child| child.walk(visit));
    }

    /// Whether the tree has no error node.
    pub fn is_intact(&self) -> bool {
        let mut intact = true;
        self.walk(&mut |expr| intact &= !matches!(expr.kind, ExprKind::Error(_)));
        intact
    }
}

impl Logic {
    /// The operands, in reading order.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        std::iter::once(&self.first).chain(self.rest.iter().map(|link| &link.operand))
    }
}

impl Path {
    /// The path as written, without spaces: `user.role`.
    pub fn dotted(&self) -> String {
        let mut dotted = String::new();
        for segment in &self.segments {
            if !dotted.is_empty() {
                dotted.push('.');
            }
            dotted.push_str(&segment.name);
        }
        dotted
    }

    /// From the first segment's start to the last one's end.
    pub fn range(&self) -> TextRange {
        match (self.segments.first(), self.segments.last()) {
            (Some(first), Some(last)) => first.range.cover(last.range),
            _ => TextRange::default(),
        }
    }
}

impl LogicOperator {
    /// The operator in the wanted spelling.
    pub fn spelled(self, spelling: Spelling) -> &'static str {
        match (self, spelling) {
            (LogicOperator::And, Spelling::Symbol) => "&&",
            (LogicOperator::And, Spelling::Word) => "and",
            (LogicOperator::Or, Spelling::Symbol) => "||",
            (LogicOperator::Or, Spelling::Word) => "or",
        }
    }
}

impl UnaryOperator {
    /// The operator as it is written.
    pub fn spelled(self) -> &'static str {
        match self {
            UnaryOperator::Number => "+",
            UnaryOperator::TypeOf => "typeof",
            UnaryOperator::Invert => "~",
        }
    }
}

impl CompareOperator {
    /// The operator as languages write it that have words for membership.
    pub fn spelled(self) -> &'static str {
        match self {
            CompareOperator::Equal => "==",
            CompareOperator::NotEqual => "!=",
            CompareOperator::Less => "<",
            CompareOperator::LessOrEqual => "<=",
            CompareOperator::Greater => ">",
            CompareOperator::GreaterOrEqual => ">=",
            CompareOperator::In => "in",
            CompareOperator::NotIn => "not in",
            CompareOperator::StrictEqual => "===",
            CompareOperator::StrictNotEqual => "!==",
            CompareOperator::Matches => "~=",
        }
    }
}

impl ArithmeticOperator {
    /// The operator's symbol.
    pub fn spelled(self) -> &'static str {
        match self {
            ArithmeticOperator::Add => "+",
            ArithmeticOperator::Subtract => "-",
            ArithmeticOperator::Multiply => "*",
            ArithmeticOperator::Divide => "/",
            ArithmeticOperator::Modulo => "%",
            ArithmeticOperator::Power => "^",
            ArithmeticOperator::Bits(operator) => operator.spelled(),
        }
    }
}

impl BitOperator {
    /// The operator's symbol.
    pub fn spelled(self) -> &'static str {
        match self {
            BitOperator::And => "&",
            BitOperator::Or => "|",
            BitOperator::ExclusiveOr => "^",
            BitOperator::ShiftLeft => "<<",
            BitOperator::ShiftRight => ">>",
            BitOperator::ShiftRightUnsigned => ">>>",
        }
    }
}
