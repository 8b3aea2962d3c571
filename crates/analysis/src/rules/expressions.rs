//! Rules about expressions that several systems share.

pub(in crate::rules) mod constant_expression;
pub(in crate::rules) mod expression;
pub(in crate::rules) mod foreign_literal;
pub(in crate::rules) mod invalid_expression;
pub(in crate::rules) mod unknown_function;
pub(in crate::rules) mod unknown_state_root;
pub(in crate::rules) mod wrong_argument_count;

use crate::rules::Theme;

pub(super) static THEME: Theme = Theme {
    rules: &[
        &constant_expression::RULE,
        &foreign_literal::RULE,
        &invalid_expression::RULE,
        &unknown_function::RULE,
        &unknown_state_root::RULE,
        &wrong_argument_count::RULE,
    ],
    parts: &[],
};
