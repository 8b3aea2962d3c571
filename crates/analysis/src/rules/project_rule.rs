//! The rules for the rules that a project writes for itself.

mod duplicate_rule_name;
mod failing_rule_test;
mod invalid_rule;

use nodewise_dialect::tables::rule::RULE as DIALECT;

use crate::rules::{self, SystemRules, Theme};

pub(super) static RULES: SystemRules = SystemRules { dialect: &DIALECT, pages: &[], themes: &[&THEME] };

static THEME: Theme = Theme {
    rules: &[&duplicate_rule_name::RULE, &failing_rule_test::RULE, &invalid_rule::RULE],
    parts: &[(&rules::form::out_of_range::RULE, &rules::form::out_of_range::PART)],
};
