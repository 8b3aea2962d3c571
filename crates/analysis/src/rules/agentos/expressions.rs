//! Rules about routing expressions and other conditions.

mod constant_expression;
mod invalid_expression;
mod misplaced_line_break;
mod unfollowed_edge;
mod unknown_route;
mod unknown_state_root;
mod unknown_trait;
mod unsupported_function_condition;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[
        &misplaced_line_break::RULE,
        &unfollowed_edge::RULE,
        &unknown_route::RULE,
        &unknown_trait::RULE,
        &unsupported_function_condition::RULE,
    ],
    parts: &[
        (&rules::expressions::constant_expression::RULE, &constant_expression::PART),
        (&rules::expressions::invalid_expression::RULE, &invalid_expression::PART),
        (&rules::expressions::unknown_state_root::RULE, &unknown_state_root::PART),
    ],
};
