//! Rules about conditions in LimanCE.

mod ambiguous_condition;
mod chained_comparison;
pub(in crate::rules) mod condition;
mod constant_expression;
mod damaged_condition;
mod empty_condition;
mod foreign_literal;
mod inconsistent_comparison;
mod invalid_expression;
mod missing_condition;
mod mixed_logic;
mod non_text_condition;
mod trailing_semicolon;
mod unknown_function;
mod unportable_condition;
mod wrong_argument_count;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[
        &ambiguous_condition::RULE,
        &chained_comparison::RULE,
        &damaged_condition::RULE,
        &inconsistent_comparison::RULE,
        &mixed_logic::RULE,
        &non_text_condition::RULE,
        &trailing_semicolon::RULE,
        &unportable_condition::RULE,
    ],
    parts: &[
        (&rules::edges::missing_condition::RULE, &empty_condition::PART),
        (&rules::edges::missing_condition::RULE, &missing_condition::PART),
        (&rules::expressions::constant_expression::RULE, &constant_expression::PART),
        (&rules::expressions::foreign_literal::RULE, &foreign_literal::PART),
        (&rules::expressions::invalid_expression::RULE, &invalid_expression::PART),
        (&rules::expressions::unknown_function::RULE, &unknown_function::PART),
        (&rules::expressions::wrong_argument_count::RULE, &wrong_argument_count::PART),
    ],
};
