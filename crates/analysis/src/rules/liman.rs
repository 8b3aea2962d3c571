//! The rules for Liman.

pub(in crate::rules) mod conditions;
pub(in crate::rules) mod edges;
pub(in crate::rules) mod names;
pub(in crate::rules) mod security;
pub(in crate::rules) mod texts;
pub(in crate::rules) mod tools;

use nodewise_dialect::tables::liman::LIMAN;

use crate::diagnostic::Severity;
use crate::rule::RulePart;
use crate::rules::{self, SystemRules, Theme};

pub(super) static RULES: SystemRules = SystemRules {
    dialect: &LIMAN,
    pages: &[],
    themes: &[
        &conditions::THEME,
        &edges::THEME,
        &names::THEME,
        &security::THEME,
        &texts::THEME,
        &tools::THEME,
        &SHARED,
    ],
};

/// Parts of shared rules whose shared check fits as it is.
static SHARED: Theme =
    Theme { rules: &[], parts: &[(&rules::names::duplicate_declaration::RULE, &DECLARATION)] };

static DECLARATION: RulePart = RulePart {
    spec: Some("liman:duplicate-declaration"),
    severity: Severity::Error,
    check: rules::names::duplicate_declaration::check,
    ..RulePart::DEFAULT
};
