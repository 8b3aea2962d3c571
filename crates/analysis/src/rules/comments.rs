//! Rules about the comments that silence rules.

pub(in crate::rules) mod outdated_rule_id;
pub(in crate::rules) mod unused_suppression;

use crate::rules::Theme;

pub(super) static THEME: Theme =
    Theme { rules: &[&outdated_rule_id::RULE, &unused_suppression::RULE], parts: &[] };
