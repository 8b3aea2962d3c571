//! Rules about trust that several systems share.

pub(in crate::rules) mod effects;
pub(in crate::rules) mod hardcoded_secret;
pub(in crate::rules) mod trust;
pub(in crate::rules) mod unguarded_effect;

use crate::rules::Theme;

pub(super) static THEME: Theme =
    Theme { rules: &[&hardcoded_secret::RULE, &unguarded_effect::RULE], parts: &[] };
