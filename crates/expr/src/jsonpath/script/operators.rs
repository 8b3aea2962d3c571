//! The binary operators of a script.
//!
//! Input: characters; output: an operator with its meaning and its precedence. Invariant: if several operators begin
//! here, the longest is found.

use crate::ast::{ArithmeticOperator, BitOperator, CompareOperator, LogicOperator};
use crate::jsonpath::traced::{Character, spells};

/// A binary operator.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operator {
    /// The operator's text.
    pub(super) spelling: &'static str,
    /// How tightly it binds; a greater number binds tighter.
    pub(super) precedence: u8,
    pub(super) meaning: Meaning,
}

/// What an operator does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Logic(LogicOperator),
    Compare(CompareOperator),
    Arithmetic(ArithmeticOperator),
    /// It assigns a value to a name.
    Assign,
    /// It is parsed, but the evaluator does not know it.
    Unknown,
}

/// From the longest to the shortest.
const OPERATORS: &[(&str, u8, Meaning)] = &[
    (">>>=", 0, Meaning::Assign),
    ("**=", 0, Meaning::Assign),
    ("<<=", 0, Meaning::Assign),
    (">>=", 0, Meaning::Assign),
    ("||=", 0, Meaning::Assign),
    ("&&=", 0, Meaning::Assign),
    ("??=", 0, Meaning::Assign),
    ("===", 6, Meaning::Compare(CompareOperator::StrictEqual)),
    ("!==", 6, Meaning::Compare(CompareOperator::StrictNotEqual)),
    (">>>", 8, bits(BitOperator::ShiftRightUnsigned)),
    ("*=", 0, Meaning::Assign),
    ("/=", 0, Meaning::Assign),
    ("%=", 0, Meaning::Assign),
    ("+=", 0, Meaning::Assign),
    ("-=", 0, Meaning::Assign),
    ("&=", 0, Meaning::Assign),
    ("^=", 0, Meaning::Assign),
    ("|=", 0, Meaning::Assign),
    ("||", 1, Meaning::Logic(LogicOperator::Or)),
    ("??", 1, Meaning::Unknown),
    ("&&", 2, Meaning::Logic(LogicOperator::And)),
    ("==", 6, Meaning::Compare(CompareOperator::Equal)),
    ("!=", 6, Meaning::Compare(CompareOperator::NotEqual)),
    ("<=", 7, Meaning::Compare(CompareOperator::LessOrEqual)),
    (">=", 7, Meaning::Compare(CompareOperator::GreaterOrEqual)),
    ("<<", 8, bits(BitOperator::ShiftLeft)),
    (">>", 8, bits(BitOperator::ShiftRight)),
    ("**", 11, Meaning::Unknown),
    ("=", 0, Meaning::Assign),
    ("|", 3, bits(BitOperator::Or)),
    ("^", 4, bits(BitOperator::ExclusiveOr)),
    ("&", 5, bits(BitOperator::And)),
    ("<", 7, Meaning::Compare(CompareOperator::Less)),
    (">", 7, Meaning::Compare(CompareOperator::Greater)),
    ("+", 9, Meaning::Arithmetic(ArithmeticOperator::Add)),
    ("-", 9, Meaning::Arithmetic(ArithmeticOperator::Subtract)),
    ("*", 10, Meaning::Arithmetic(ArithmeticOperator::Multiply)),
    ("/", 10, Meaning::Arithmetic(ArithmeticOperator::Divide)),
    ("%", 10, Meaning::Arithmetic(ArithmeticOperator::Modulo)),
];

const fn bits(operator: BitOperator) -> Meaning {
    Meaning::Arithmetic(ArithmeticOperator::Bits(operator))
}

/// The operator that begins here.
pub(super) fn operator_at(characters: &[Character], at: usize) -> Option<Operator> {
    OPERATORS.iter().find(|(spelling, ..)| spells(characters, at, spelling)).map(
        |(spelling, precedence, meaning)| Operator { spelling, precedence: *precedence, meaning: *meaning },
    )
}

impl Operator {
    /// Whether equal operators side by side group to the right.
    pub(super) fn groups_right(&self) -> bool {
        self.meaning == Meaning::Assign || self.spelling == "**"
    }
}
