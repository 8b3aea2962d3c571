//! Rules about filtrex expressions and JSONPath.

mod ambiguous_negation;
mod boolean_literal;
mod compared_list;
mod constant_expression;
mod dashed_name;
mod deprecated_operator;
mod falsy_verifier_target;
mod foreign_literal;
mod foreign_path_root;
mod inherited_member;
mod inner_dollar;
mod invalid_expression;
mod invalid_path;
mod invalid_pattern;
mod invalid_verifier_expression;
mod misread_path;
mod octal_number;
mod swallowed_character;
mod unknown_function;
mod unknown_state_root;
mod vacuous_comparison;
mod wrong_argument_count;
mod wrong_operand_type;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[
        &ambiguous_negation::RULE,
        &boolean_literal::RULE,
        &compared_list::RULE,
        &dashed_name::RULE,
        &deprecated_operator::RULE,
        &falsy_verifier_target::RULE,
        &foreign_path_root::RULE,
        &inherited_member::RULE,
        &inner_dollar::RULE,
        &invalid_path::RULE,
        &invalid_pattern::RULE,
        &misread_path::RULE,
        &octal_number::RULE,
        &swallowed_character::RULE,
        &vacuous_comparison::RULE,
        &wrong_operand_type::RULE,
    ],
    parts: &[
        (&rules::expressions::constant_expression::RULE, &constant_expression::PART),
        (&rules::expressions::foreign_literal::RULE, &foreign_literal::PART),
        (&rules::expressions::invalid_expression::RULE, &invalid_expression::PART),
        (&rules::expressions::invalid_expression::RULE, &invalid_verifier_expression::PART),
        (&rules::expressions::unknown_function::RULE, &unknown_function::PART),
        (&rules::expressions::unknown_state_root::RULE, &unknown_state_root::PART),
        (&rules::expressions::wrong_argument_count::RULE, &wrong_argument_count::PART),
    ],
};
